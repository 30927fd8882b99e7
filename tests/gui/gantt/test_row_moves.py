"""Where rows go that are moved up and down, and where links lead."""

from engine.model import Dependency
from engine.session.edits import AddLink
from engine.session.row_edits import MoveRows
from gui.gantt.leading import predecessor, successor
from gui.gantt.row_moves import moved_down, moved_up
from tests.gui.gantt.plans import frames, tried, week


def rows(edit: MoveRows | None) -> list[int]:
    assert edit is not None
    return [task.id for task in edit.apply(week().plan).tasks]


def test_that_a_row_goes_above_or_below_its_sibling_with_all_it_holds() -> None:
    plan = week().plan
    assert rows(moved_up(plan, (3,))) == [1, 3, 2, 4, 5]
    assert rows(moved_down(plan, (3,))) == [1, 2, 4, 3, 5]
    assert rows(moved_up(plan, (5,))) == [5, 1, 2, 3, 4]
    assert rows(moved_down(plan, (1,))) == [5, 1, 2, 3, 4]


def test_that_several_siblings_go_together_and_the_first_and_the_last_stay() -> None:
    plan = week().plan
    assert rows(moved_up(plan, (4, 3))) == [1, 3, 4, 2, 5]
    assert rows(moved_down(plan, (2, 3))) == [1, 4, 2, 3, 5]
    assert rows(moved_down(plan, (2, 5))) == [1, 3, 2, 4, 5]
    assert [moved_up(plan, (2,)), moved_down(plan, (4,)), moved_up(plan, ())] == [None, None, None]


def test_that_a_link_leads_to_what_decides_a_date_first() -> None:
    state = tried(week(), AddLink(Dependency(5, 3)))
    assert [predecessor(state, task) for task in (3, 4, 5)] == [2, 3, None]
    assert [successor(state, task) for task in (2, 5, 4)] == [3, 3, None]


def test_that_on_a_device_the_order_on_a_stream_leads_on_too() -> None:
    assert [successor(frames(), task) for task in (2, 3, 4)] == [3, 4, None]
