"""The funnel of bugs: every hook ends in it, each place is told of once."""

import asyncio
import gc
import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer, Signal, qWarning

from gui.faults import Fault, Funnel, state_folder


@pytest.fixture
def funnel(tmp_path: Path) -> Iterator[Funnel]:
    """A funnel over a folder of its own; the test installs it in its loop."""
    funnel = Funnel(tmp_path)
    yield funnel
    funnel.remove()


def told_by(funnel: Funnel) -> list[Fault]:
    """What the funnel tells from here on."""
    told: list[Fault] = []
    funnel.on_fault = told.append
    funnel.install(asyncio.get_running_loop())
    return told


async def turn() -> None:
    """Long enough for what was posted to be carried out."""
    await asyncio.sleep(0.01)


async def test_that_a_bug_in_a_slot_is_logged_and_told(qapp: object, funnel: Funnel) -> None:
    class Sender(QObject):
        sent = Signal()

    def slot() -> None:
        raise ZeroDivisionError("in a slot")

    told, sender = told_by(funnel), Sender()
    sender.sent.connect(slot)
    sender.sent.emit()
    await turn()
    assert [fault.title for fault in told] == ["ZeroDivisionError: in a slot"]
    assert "in slot\n" in told[0].trace
    assert "in a slot" in funnel.log_path.read_text()


async def test_that_bugs_of_callbacks_threads_timers_and_destructors_are_told(qapp: object, funnel: Funnel) -> None:
    class Dying:
        def __del__(self) -> None:
            raise RuntimeError("destructor")

    def in_callback() -> None:
        raise RuntimeError("callback")

    def in_thread() -> None:
        raise RuntimeError("thread")

    told = told_by(funnel)
    asyncio.get_running_loop().call_soon(in_callback)
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    QTimer.singleShot(0, lambda: sys.excepthook(ValueError, ValueError("timer"), None))
    Dying()
    gc.collect()
    await turn()
    assert sorted(fault.title.split(": ")[1] for fault in told) == ["callback", "destructor", "thread", "timer"]


async def test_that_a_task_nobody_awaited_is_told(qapp: object, funnel: Funnel) -> None:
    async def forgotten() -> None:
        raise LookupError("forgotten")

    told = told_by(funnel)
    task = asyncio.create_task(forgotten())
    await turn()
    del task
    gc.collect()
    await turn()
    assert [fault.title for fault in told] == ["LookupError: forgotten"]


async def test_that_one_place_is_told_once_and_counted(qapp: object, funnel: Funnel) -> None:
    told = told_by(funnel)
    for _ in range(10):
        try:
            raise OSError("again and again")
        except OSError as error:
            funnel.report(error, "in a loop")
    await turn()
    assert len(told) == 1
    lines = [line for line in funnel.log_path.read_text().splitlines() if "time:" in line]
    assert [line.split("for the ")[1].split("th")[0] for line in lines] == ["2", "4", "8"]


async def test_that_a_bug_while_telling_ends_there(qapp: object, funnel: Funnel) -> None:
    def tell(fault: Fault) -> None:
        tellings.append(fault)
        raise RuntimeError("no dialog today")

    tellings: list[Fault] = []
    told_by(funnel)
    funnel.on_fault = tell
    funnel.report(KeyError("first"))
    await turn()
    assert [fault.title for fault in tellings] == ["KeyError: 'first'", "RuntimeError: no dialog today"]


async def test_that_what_qt_says_goes_to_the_log(qapp: object, funnel: Funnel) -> None:
    told_by(funnel)
    qWarning("a word from Qt")
    assert "Qt: a word from Qt" in funnel.log_path.read_text()


@pytest.mark.parametrize("is_asked", [False, True])
async def test_that_where_a_stall_stood_goes_to_the_log_and_to_a_terminal_only_when_asked(
    qapp: object,
    funnel: Funnel,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_asked: bool,
) -> None:
    monkeypatch.setenv("WARPLOOM_VERBOSE", "1" if is_asked else "")
    funnel.install(asyncio.get_running_loop())
    logging.getLogger("gui.loop").warning("the main thread does not answer")
    logging.getLogger("gui.bridge").warning("a word for the person")
    assert "does not answer" in funnel.log_path.read_text()
    shown = capsys.readouterr().err
    assert "a word for the person" in shown
    assert ("does not answer" in shown) is is_asked


def test_that_removing_gives_every_hook_back(qapp: object, tmp_path: Path) -> None:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)

    async def main() -> None:
        funnel = Funnel(tmp_path)
        funnel.install(asyncio.get_running_loop())
        assert sys.excepthook is not before[0]
        funnel.remove()

    asyncio.run(main())
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before


def test_that_logs_lie_in_the_state_folder_of_the_person() -> None:
    assert state_folder().name == "warploom"
    assert state_folder().is_dir()
