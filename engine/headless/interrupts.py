"""Interrupts: Ctrl+C and the wish to end, while a coroutine goes on that can be ended in order.

They never end the process themselves, and a SIGINT that a shell has had ignored stays ignored.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_NUMBERS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def heed_interrupts(heed: Callable[[], object]) -> Iterator[None]:
    """Inside, a first interrupt calls `heed` on the loop's thread; a second one cancels the current task."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    count = 0

    def interrupted() -> None:
        nonlocal count
        count += 1
        if count == 1:
            heed()
        elif task is not None:
            task.cancel()

    before = {number: signal.getsignal(number) for number in _NUMBERS}
    for number in _NUMBERS:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(interrupted))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
