"""Work that gives way to all other."""

import os
import sys
import threading

import pytest

from engine.runtime.polite import politely


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
