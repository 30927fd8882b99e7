"""Long columns: they take disk and no memory, hold the same as short ones, and leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.trace import columns, spill
from engine.trace.columns import KEPT_ROWS, Columns
from engine.trace.timeline import PARTS, Timeline

pytestmark = pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="here all columns stay in memory")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that are long from 512 rows on."""
    monkeypatch.setattr(columns, "KEPT_ROWS", 512)


def rows_of(passes: int, first: int = 0) -> np.ndarray:
    """Two operations an iteration, the second in two parts."""
    rows = []
    for turn in range(first, first + passes):
        at = 100 * turn
        rows += [(1, turn, 0, 1, 0, 0, at, at + 40, at), (2, turn, 0, 2, 1, 1, at + 40, at + 60, at)]
        rows += [(2, turn, 1, 2, 1, 1, at + 60, at + 90, at)]
    return np.array(rows, np.int64)


@given(st.lists(st.integers(0, 700), max_size=6))
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.usefixtures("small")
def test_that_long_columns_hold_what_was_appended_and_what_is_cut_is_forgotten(sizes: list[int]) -> None:
    table, plain = Columns("a", "b"), np.empty((2, 0), np.int64)
    for number, size in enumerate(sizes):
        block = np.arange(2 * size, dtype=np.int64).reshape(2, size) + 1000 * number
        table.append(block)
        plain = np.concatenate((plain, block), axis=1)
        if number % 2:
            table.cut(table.count // 2)
            plain = plain[:, : table.count]
        table.rest()
        np.testing.assert_array_equal(table.block(), plain)
        np.testing.assert_array_equal(table["b"], plain[1])
    assert plain.shape[1] <= 512 or not table.is_in_memory


@pytest.mark.usefixtures("small")
def test_that_a_long_timeline_answers_as_a_short_one_does() -> None:
    long, rows = Timeline(("One", "Two"), {}), rows_of(2_000)
    for first in range(0, len(rows), 250):
        long.extend(rows[first : first + 250])
    assert long.count == 4_000
    assert not long._spans.is_in_memory
    np.testing.assert_array_equal(long.rows(), rows)
    for turn in (0, 1, 999, 1_999):
        span = long.span(2, turn)
        assert span is not None
        assert (span.start_ns, span.end_ns, span.is_done) == (100 * turn + 40, 100 * turn + 90, True)
    assert long.span(2, 2_000) is None
    short = Timeline(("One", "Two"), {})
    short.extend(rows_of(10, first=1_000))
    for by in ("stream", "engine"):
        found, wanted = (one.window(100_000, 101_000, 1, by) for one in (long, short))
        assert found.start.tolist() == wanted.start.tolist()
        assert found.row.tolist() == wanted.row.tolist()


@pytest.mark.usefixtures("small")
def test_that_spans_are_found_in_whatever_order_their_iterations_come() -> None:
    turns = np.random.default_rng(1).permutation(1_000)
    timeline = Timeline(("One", "Two"), {})
    timeline.extend(np.concatenate([rows_of(1, first=turn) for turn in turns.tolist()]))
    for place, turn in list(enumerate(turns.tolist()))[::97]:
        assert (timeline.row_of(1, turn), timeline.row_of(2, turn)) == (2 * place, 2 * place + 1)
    assert timeline.row_of(1, 1_000) is None
    assert timeline.span(1) == timeline.span(1, 999)


@pytest.mark.usefixtures("small")
def test_that_the_latest_of_a_timeline_stay_as_they_are_while_it_grows() -> None:
    timeline = Timeline(("One", "Two"), {})
    timeline.extend(rows_of(1_000))
    latest = timeline.frozen(100)
    timeline.extend(rows_of(1_000, first=1_000))
    assert (latest.count, timeline.count) == (100, 4_000)
    assert latest.iteration.tolist() == [turn for turn in range(950, 1_000) for _ in (1, 2)]
    span, row = latest.span(2, 999), latest.row_of(1, 950)
    assert span is not None
    assert (span.iteration, row) == (999, 0)
    assert latest.span(1, 949) is None
    assert latest.span(1, 1_000) is None


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("fails_at", [0, 1])
def test_that_a_full_disk_costs_memory_and_no_row(monkeypatch: pytest.MonkeyPatch, fails_at: int) -> None:
    calls: list[int] = []
    reserve = spill.Spill.reserve

    def full(self: spill.Spill, first: int, last: int) -> None:
        calls.append(last)
        if len(calls) > fails_at:
            raise OSError(28, "No space left on device")
        reserve(self, first, last)

    monkeypatch.setattr(spill.Spill, "reserve", full)
    timeline = Timeline(("One", "Two"), {})
    rows = rows_of(2_000)
    for first in range(0, len(rows), 300):
        timeline.extend(rows[first : first + 300])
    np.testing.assert_array_equal(timeline.rows(), rows)
    assert timeline._parts.is_in_memory


def test_that_a_long_table_lies_in_the_folder_for_it_and_leaves_no_file_when_killed(tmp_path: Path) -> None:
    code = f"""
import os, signal, numpy as np
from engine.trace.columns import Columns
table = Columns("a")
table.append(np.zeros((1, {KEPT_ROWS + 1}), np.int64))
assert not table.is_in_memory
print(os.readlink(f"/proc/self/fd/{{table._spill._file}}"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, spill.FOLDER: str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    assert done.stdout.startswith(str(tmp_path / "cache"))
    assert list((tmp_path / "cache").iterdir()) == []


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_that_the_memory_of_a_long_timeline_stays_bounded() -> None:
    timeline = Timeline(("One", "Two"), {})
    block = np.zeros((8_192, len(PARTS)), np.int64)
    block[:, 3] = 1
    found = []
    for number in range(64):
        block[:, 0], block[:, 1] = 1, np.arange(8_192) + 8_192 * number
        block[:, 6] = block[:, 7] = 100 * block[:, 1]
        timeline.extend(block)
        found.append(resident_bytes())
    # Half a million spans are 144 bytes of columns each, and 8 more that say where those of a task are.
    assert found[-1] - found[8] < 0.25 * 18 * 8 * 56 * 8_192
