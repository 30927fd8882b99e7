"""How far a run is: written to stderr for whoever waits, and how an interrupt reaches what goes on."""

from __future__ import annotations

import asyncio
import io
import os
import signal

import pytest

from engine.headless.interrupts import heed_interrupts
from engine.headless.progress import Progress


class Terminal(io.StringIO):
    """A screen."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def written(stream: io.StringIO, instants: list[float], count: int = 1000) -> str:
    clock = Clock()
    progress = Progress(stream, clock)
    for number, instant in enumerate(instants, 1):
        clock.seconds = instant
        progress.show(number, count)
    progress.end()
    return stream.getvalue()


def test_that_a_log_gets_a_line_now_and_then() -> None:
    assert written(io.StringIO(), [1, 9, 10, 12, 19, 25]) == "pass 3 of 1,000\npass 6 of 1,000\n"


def test_that_a_terminal_has_one_line_which_is_gone_in_the_end() -> None:
    erase = "\r\x1b[K"
    assert written(Terminal(), [0.1, 0.3, 0.4, 0.6]) == f"{erase}pass 2 of 1,000{erase}pass 4 of 1,000{erase}"


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_that_nothing_is_said_of_a_single_pass_or_a_short_run(stream: io.StringIO) -> None:
    assert written(stream, [1, 60], count=1) == ""
    assert written(stream, [0.1]) == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_that_a_first_interrupt_is_heeded_and_a_second_one_cancels(number: signal.Signals) -> None:
    heard: list[int] = []

    async def work() -> None:
        has_heard = asyncio.Event()
        with heed_interrupts(lambda: (heard.append(1), has_heard.set())):
            os.kill(os.getpid(), number)
            await has_heard.wait()
            os.kill(os.getpid(), number)
            await asyncio.sleep(60)

    before = signal.getsignal(number)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())
    assert heard == [1]
    assert signal.getsignal(number) is before


def test_that_an_interrupt_that_a_shell_has_ignored_stays_so() -> None:
    async def work() -> object:
        with heed_interrupts(lambda: None):
            return signal.getsignal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert asyncio.run(work()) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
