"""The span ring: rows in order, none lost, nothing left behind."""

import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.shared_memory import SharedMemory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.process.ring import Ring, Rows
from engine.trace.timeline import PARTS
from tests.conftest import ROOT


def rows_from(first: int, count: int) -> Rows:
    return np.arange(first * 9, (first + count) * 9, dtype=np.int64).reshape(count, 9)


@pytest.fixture
def ring() -> Iterator[Ring]:
    ring = Ring.create(4)
    yield ring
    ring.close()


def test_that_a_row_has_a_cell_for_every_column(ring: Ring) -> None:
    assert ring.read().shape == (0, len(PARTS))


def test_that_rows_come_out_as_they_went_in_and_only_once(ring: Ring) -> None:
    assert ring.write(rows_from(0, 3)) == 3
    assert ring.is_waiting
    np.testing.assert_array_equal(ring.read(), rows_from(0, 3))
    assert not ring.is_waiting
    assert len(ring.read()) == 0


def test_that_a_full_ring_takes_what_fits_and_overwrites_nothing(ring: Ring) -> None:
    assert ring.write(rows_from(0, 6)) == 4
    assert ring.write(rows_from(4, 2)) == 0
    np.testing.assert_array_equal(ring.read(), rows_from(0, 4))
    assert ring.write(rows_from(4, 2)) == 2
    np.testing.assert_array_equal(ring.read(), rows_from(4, 2))


def test_that_rows_read_are_copies(ring: Ring) -> None:
    ring.write(rows_from(0, 4))
    rows = ring.read()
    ring.write(rows_from(4, 4))
    np.testing.assert_array_equal(rows, rows_from(0, 4))


@given(capacity=st.integers(1, 9), sizes=st.lists(st.integers(0, 12), max_size=12))
def test_that_no_row_is_lost_whatever_the_sizes(capacity: int, sizes: list[int]) -> None:
    ring = Ring.create(capacity)
    try:
        writer = Ring.attach(ring.name, capacity)
        sent, read = rows_from(0, sum(sizes)), []
        at = 0
        for size in sizes:
            end = at + size
            while at < end:
                at += writer.write(sent[at:end])
                read.append(ring.read())
        writer.close()
        np.testing.assert_array_equal(np.concatenate([rows_from(0, 0), *read]), sent)
    finally:
        ring.close()


def test_that_another_process_writes_into_it_and_leaves_it_there(ring: Ring) -> None:
    code = (
        "import sys, numpy as np; from engine.process.ring import Ring; ring = Ring.attach(sys.argv[1], 4); "
        "ring.write(np.full((2, 9), 7, dtype=np.int64)); ring.close()"
    )
    ended = subprocess.run([sys.executable, "-c", code, ring.name], check=True, capture_output=True, text=True)
    assert ended.stderr == ""
    np.testing.assert_array_equal(ring.read(), np.full((2, 9), 7))


def test_that_closing_removes_the_memory_and_may_be_done_twice() -> None:
    ring = Ring.create(4)
    name = ring.name
    ring.close()
    ring.close()
    with pytest.raises(FileNotFoundError):
        SharedMemory(name)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such process")
def test_that_the_process_that_guards_the_memory_is_ended_once_no_ring_is_left() -> None:
    code = (
        "import os\n"
        "from multiprocessing import resource_tracker\n"
        "from engine.process.ring import Ring, release_tracker\n"
        "ring = Ring.create(4)\n"
        "release_tracker()\n"
        "os.kill(resource_tracker._resource_tracker._pid, 0)\n"
        "ring.close()\n"
        "release_tracker()\n"
        "release_tracker()\n"
        "try:\n"
        "    os.waitpid(-1, 0)\n"
        "except ChildProcessError:\n"
        "    print('alone')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("alone\n", "")
