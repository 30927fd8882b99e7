"""politely: work on a thread that gives way to every other, such as to compile. It never runs two at once by itself."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

# The lowest there is: what is compiled may take all that is left of the processor, and nothing that is wanted.
LOWEST = 19


def politely(work: Callable[[], object]) -> None:
    """Does `work` on a thread of the lowest priority, waits for it, and raises what it raised.

    Only Linux knows a priority of one thread; elsewhere it is done as it comes.
    """
    with ThreadPoolExecutor(1, "polite", _give_way) as executor:
        executor.submit(work).result()


def give_way(steps: int) -> None:
    """Has the calling thread alone give way by some steps of niceness more; only Linux knows such a thing."""
    if sys.platform == "linux":
        os.nice(steps)


def _give_way() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
