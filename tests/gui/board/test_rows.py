"""Rows of the board: who stands where, in which lane, and what is in sight."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gui.board.rows import LANE_PX, NOBODY, BoardRow, BoardRows, lanes_of
from gui.board.walking import across, along, place_of
from tests.gui.board.plans import many, shop
from tests.gui.gantt.plans import HOUR, frames, state_of

SPANS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), max_size=40)


def names(row: BoardRow) -> list[str]:
    return [row.slot(place).task.name for place in range(len(row.starts))]


def test_that_each_resource_has_a_row_and_those_whom_nobody_does_the_last_one() -> None:
    rows = BoardRows.of(shop()).rows
    assert [(row.id, names(row)) for row in rows] == [
        (1, ["cut", "rush", "trim"]),
        (2, ["turn"]),
        (3, []),
        (NOBODY, ["paint", "sweep"]),
    ]


def test_that_bars_at_one_time_stand_in_lanes_of_their_own() -> None:
    saw, lathe, _, nobody = BoardRows.of(shop()).rows
    assert dict(zip(names(saw), saw.lane_of, strict=True)) == {"cut": 0, "rush": 1, "trim": 0}
    assert (saw.lanes, lathe.lanes, nobody.lanes) == (2, 1, 2)
    assert saw.height == 2 * LANE_PX + 4
    assert (lathe.y, lathe.height) == (saw.height, 24)


@given(SPANS)
def test_that_no_two_spans_of_a_lane_overlap_and_no_lane_is_without_need(drawn: list[tuple[int, int]]) -> None:
    spans = sorted((start, start + length) for start, length in drawn)
    lanes = lanes_of([start for start, _ in spans], [finish for _, finish in spans])
    worked = [(start, max(finish, start + 1)) for start, finish in spans]
    for place, (start, finish) in enumerate(worked):
        for other in range(place):
            if lanes[other] == lanes[place]:
                assert worked[other][1] <= start or finish <= worked[other][0]
    at_once = [sum(first <= start < last for first, last in worked) for start, _ in worked]
    assert max(lanes, default=-1) + 1 == max(at_once, default=0)


def test_that_a_row_is_found_by_its_height() -> None:
    rows = BoardRows.of(shop())
    assert [rows.at(y) for y in (-1, 0, 43, 44, 67, 68, 92, rows.height - 1, rows.height)] == [
        None, 0, 0, 1, 1, 2, 3, 3, None,
    ]  # fmt: skip
    assert rows.between(50, 70) == range(1, 3)
    assert rows.between(rows.height + 5, rows.height + 9) == range(0)


def test_that_streams_of_a_device_have_rows() -> None:
    assert [names(row) for row in BoardRows.of(frames()).rows] == [
        ["Copy in", "Blur", "Copy out"],
        ["Copy 2"],
    ]


def test_that_keys_lead_along_a_row_and_to_what_starts_nearest_in_the_next() -> None:
    rows = BoardRows.of(shop())
    assert place_of(rows, 4, None) == (1, 0)
    assert place_of(rows, 99, None) is None
    assert along(rows, (0, 0), 1) == (0, 1)
    assert along(rows, (0, 2), 1) == (0, 2)
    assert across(rows, (0, 0), 1) == (1, 0)
    assert across(rows, (1, 0), 1) == (3, 0)  # the crew has nothing to do
    assert across(rows, (1, 0), -1) == (0, 2)
    assert across(rows, (3, 0), 1) == (3, 0)
    assert along(rows, None, 1) == (0, 0)


def test_that_thousands_of_tasks_are_found_by_time_alone() -> None:
    rows = BoardRows.of(many(5000, 200))
    assert len(rows.rows) == 200
    assert all(len(row.starts) == 25 and row.lanes == 1 for row in rows.rows)
    row = rows.rows[7]
    assert row.between(int(row.starts[3]), int(row.starts[4])) == [3, 4]


def test_that_rows_after_an_edit_are_those_made_from_nothing() -> None:
    before, plan = BoardRows.of(shop()), shop().plan
    edits = (
        plan.with_task(replace(plan.task(1), duration=3 * HOUR)),
        plan.with_task(replace(plan.task(6), is_milestone=True, duration=0)),
        replace(plan, assignments=plan.assignments[1:]),
        replace(plan, tasks=plan.tasks[::-1]),
        replace(plan, resources=plan.resources[:1], assignments=plan.assignments[:3]),
    )
    for edited in edits:
        rows, anew = BoardRows.of(state_of(edited), before).rows, BoardRows.of(state_of(edited)).rows
        assert [(row.id, row.y, names(row), row.starts.tolist()) for row in rows] == [
            (row.id, row.y, names(row), row.starts.tolist()) for row in anew
        ]
        before = BoardRows.of(state_of(edited), before)
