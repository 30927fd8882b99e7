"""Which tasks are chosen after clicks and keys."""

from engine.session.edits import RemoveTask
from gui.gantt.rows import Rows
from gui.gantt.selection import Reach, Selection
from tests.gui.gantt.plans import tried, week

# Rows: Build 1; Frame 2; Roof 3; Built 4; Paint 5.
ROWS = Rows.of(week())


def chosen(*clicks: tuple[int, Reach]) -> tuple[int, ...]:
    selection = Selection()
    for row, reach in clicks:
        selection = selection.with_row(ROWS, row, reach)
    return selection.tasks


def test_that_a_plain_click_chooses_one() -> None:
    assert chosen((1, Reach.ALONE), (3, Reach.ALONE)) == (4,)


def test_that_control_adds_and_takes_away() -> None:
    assert chosen((1, Reach.ALONE), (3, Reach.TOO)) == (4, 2)
    assert chosen((1, Reach.ALONE), (3, Reach.TOO), (1, Reach.TOO)) == (4,)


def test_that_shift_reaches_from_where_it_began_both_ways() -> None:
    assert chosen((1, Reach.ALONE), (3, Reach.UP_TO)) == (4, 3, 2)
    assert chosen((2, Reach.ALONE), (4, Reach.UP_TO), (0, Reach.UP_TO)) == (1, 2, 3)
    assert chosen((2, Reach.UP_TO)) == (3,)


def test_that_all_can_be_chosen() -> None:
    assert Selection.of((3,)).with_all(ROWS).tasks == (3, 1, 2, 4, 5)


def test_that_what_takes_the_place_of_what_went_is_chosen() -> None:
    after = tried(week(), RemoveTask(3))
    rows, ids = Rows.of(after), after.plan.rows
    assert Selection.of((3,)).kept(ids, ROWS, rows).tasks == (4,)
    assert Selection.of((3, 2)).kept(ids, ROWS, rows).tasks == (2,)
    last = tried(week(), RemoveTask(5))
    assert Selection.of((5,)).kept(last.plan.rows, ROWS, Rows.of(last)).tasks == (4,)
    assert Selection().kept(ids, ROWS, rows).tasks == ()


def test_that_a_task_folded_away_stays_chosen() -> None:
    folded = Rows.of(week(), frozenset({1}))
    assert Selection.of((3,)).kept(week().plan.rows, ROWS, folded).tasks == (3,)
