"""What branches of a plan differ in, and what each comes to."""

from __future__ import annotations

from dataclasses import replace

from engine.model import DAY, Assignment, Dependency, DependencyKind, Lag
from engine.session.branch_changes import ADDED, PREDECESSORS, REMOVED, RESOURCES, changes, figures
from engine.session.date_edits import SetConstraint, SetDeadline
from engine.session.document import Document
from engine.session.edits import AddLink, AddTask, ConstraintKind, Edit, RemoveTask, RenameTask, ResizeTask, SetName
from engine.session.resource_edits import AddResource, AssignResource
from engine.session.scenarios import MAIN
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline


def branched(document: Document, *edits: Edit) -> int:
    document.arrange(lambda held: held.branched(f"Try {held.next_id}"))
    for edit in edits:
        document.execute(edit)
    return document.scenarios.active_id


def told(document: Document, before: int, after: int) -> dict[tuple[int | None, str], int]:
    found = changes(document.scenarios.branch(before), document.scenarios.branch(after))
    return {(change.task, change.field): change.change for change in found.changes}


def test_that_a_longer_task_is_told_with_all_that_it_moves() -> None:
    document = Document(office())
    fast = branched(document, ResizeTask(2, 16 * HOUR))
    assert told(document, MAIN, fast) == {
        (1, "finish"): 8 * HOUR,
        (2, "duration"): 8 * HOUR,
        (2, "finish"): 8 * HOUR,
        (3, "start"): 8 * HOUR,
        (3, "finish"): 8 * HOUR,
        (4, "start"): 8 * HOUR,
        (4, "finish"): 8 * HOUR,
    }
    assert told(document, fast, MAIN)[2, "duration"] == -8 * HOUR
    assert changes(document.scenarios.branch(MAIN), document.scenarios.branch(fast)).tasks == 4


def test_that_links_assignments_and_choices_are_told_with_their_task() -> None:
    document = Document(office())
    number = branched(
        document,
        AddLink(Dependency(2, 5, DependencyKind.SS, Lag(HOUR))),
        AddResource("Ann"),
        AssignResource(5, 1),
        SetDeadline(3, MONDAY + 9 * DAY),
        SetConstraint(3, ConstraintKind.MUST_START_ON, MONDAY + 7 * DAY),
        SetName("Else"),
    )
    found = told(document, MAIN, number)
    assert {(5, PREDECESSORS), (5, RESOURCES), (3, "deadline"), (3, "constraint"), (None, "name")} <= found.keys()
    assert (None, "resources") in found


def test_that_tasks_of_one_side_are_told_once() -> None:
    document = Document(office())
    number = branched(document, RemoveTask(5), AddTask("New"))
    found = told(document, MAIN, number)
    assert found[5, REMOVED] == 0
    assert found[6, ADDED] == 0
    assert {field for task, field in found if task in (5, 6)} == {REMOVED, ADDED}


def test_that_tasks_that_two_branches_added_under_one_id_are_two() -> None:
    document = Document(office())
    one = branched(document, AddTask("Ours"))
    document.arrange(lambda held: held.switched(MAIN))
    other = branched(document, AddTask("Theirs"))
    found = told(document, one, other)
    assert {field for task, field in found if task == 6} == {ADDED, REMOVED}


def test_that_the_same_branch_twice_differs_in_nothing() -> None:
    document = Document(office())
    number = branched(document)
    assert told(document, MAIN, number) == {}


def test_what_a_branch_comes_to() -> None:
    document = Document(office())
    number = branched(document, ResizeTask(3, 40 * HOUR), RenameTask(5, "Varnish"))
    document.execute(SetConstraint(4, ConstraintKind.FINISH_NO_LATER_THAN, MONDAY + DAY))
    document.arrange(lambda held: held.switched(MAIN))
    document.execute(RenameTask(5, "Lacquer"))
    found = figures(document.scenarios, number)
    assert (found.later, found.tasks, found.conflicts, found.clashes) == (24 * HOUR, 4, 1, 1)
    main = figures(document.scenarios, MAIN)
    assert (main.later, main.tasks, main.clashes) == (0, 0, 0)
    assert figures(document.scenarios, number) is found


def test_that_a_branch_that_makes_a_ring_with_the_main_plan_says_so() -> None:
    plan = replace(office(), dependencies=())
    document = Document(plan)
    number = branched(document, AddLink(Dependency(2, 5)))
    document.arrange(lambda held: held.switched(MAIN))
    document.execute(AddLink(Dependency(5, 2)))
    assert figures(document.scenarios, number).clashes is None


def test_that_another_stream_is_told_of_a_device_plan() -> None:
    document = Document(pipeline())
    number = branched(document, AssignResource(2, 2))
    assert Assignment(2, 2) in document.state.plan.assignments
    assert (2, RESOURCES) in told(document, MAIN, number)
