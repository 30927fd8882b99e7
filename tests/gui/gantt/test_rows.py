"""Rows: folding, depth and links."""

from engine.model import Dependency, DependencyKind
from engine.session.edits import AddLink, RenameTask
from gui.gantt.rows import Rows
from tests.gui.gantt.plans import frames, tried, week


def test_that_every_task_has_a_row_in_plan_order() -> None:
    rows = Rows.of(week())
    assert [task.name for task in rows.tasks] == ["Build", "Frame", "Roof", "Built", "Paint"]
    assert rows.depths.tolist() == [0, 1, 1, 1, 0]
    assert rows.plan_rows.tolist() == [0, 1, 2, 3, 4]


def test_that_a_folded_summary_hides_what_it_holds_and_its_links() -> None:
    rows = Rows.of(week(), frozenset({1}))
    assert [task.name for task in rows.tasks] == ["Build", "Paint"]
    assert rows.plan_rows.tolist() == [0, 4]
    assert dict(rows.row_of) == {1: 0, 5: 1}
    assert rows.links_at(0, 1) == []


def test_that_the_order_on_a_stream_shows_as_a_link_that_is_not_stored() -> None:
    found = {(link.first, link.second): link.dependency for link in Rows.of(frames()).links_at(0, 4)}
    assert found[(1, 2)] is not None
    assert found[(2, 3)] is None
    assert len(found) == 2


def test_that_links_are_found_by_either_end() -> None:
    rows = Rows.of(week())
    assert [(link.first, link.second, link.kind) for link in rows.links_at(3, 4)] == [(2, 3, DependencyKind.FS)]
    assert len(rows.links_at(2, 2)) == 2
    assert rows.links_at(4, 4) == []


def test_that_rows_that_stay_are_those_of_the_state_after_an_edit() -> None:
    before = week()
    after = tried(tried(before, RenameTask(5, "Varnish")), AddLink(Dependency(4, 5)))
    rows = Rows.of(before, frozenset({1}))
    kept, made = rows.in_state(after), Rows.of(after, frozenset({1}))
    assert kept.stand_as(rows)
    assert kept.are_of(rows)
    assert [task.name for task in kept.tasks] == [task.name for task in made.tasks] == ["Build", "Varnish"]
    assert (dict(kept.row_of), kept.collapsed) == (dict(made.row_of), made.collapsed)
    whole = Rows.of(before).in_state(after)
    assert [(link.first, link.second) for link in whole.links_at(4, 4)] == [(3, 4)]
