"""Work that gives way to all other."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.runtime.polite import give_way, politely


def test_that_polite_work_has_the_lowest_priority_and_leaves_that_of_others() -> None:
    found: list[int] = []
    before = os.getpriority(os.PRIO_PROCESS, 0)
    politely(lambda: found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())))
    assert found == [19 if sys.platform == "linux" else before]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_that_what_polite_work_raises_comes_out() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        politely(fail)


def test_that_one_thread_alone_gives_way() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with ThreadPoolExecutor(1, "behind", give_way, (3,)) as pool:
        found = pool.submit(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())).result()
    assert found == (min(19, before + 3) if sys.platform == "linux" else before)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
