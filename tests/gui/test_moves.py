"""What stays where it is while a better plan is looked for, by edits of a document. No window is shown."""

from __future__ import annotations

from importlib import resources

import pytest

from engine.formats import loom
from engine.model import ConstraintKind, Dependency, Plan, TaskId
from engine.session.date_edits import SetConstraint
from engine.session.document import Document
from engine.session.edits import AddLink, MoveTask, MoveTasks, RemovePin, RemoveTask, RenameTask
from engine.session.merging import find_merge
from engine.session.plan_edits import Together
from engine.session.resource_edits import AssignResource
from engine.session.solution_edits import ApplySolution
from engine.session.state import State
from gui.bridge.moves import Moves, moved_by_hand

SAW, TURN = 9, 10  # one after the other in an order
HOUR = 3600


class Kept:
    """A document with what is kept of it, told of every state as a search is."""

    def __init__(self) -> None:
        with resources.as_file(resources.files("resources.samples") / "assembly-line.loom") as path:
            self.document = Document(loom.load(path))
        self.moves, self.is_on = Moves(), True
        self._before = self.document.state.plan
        self.moves.open(self.document.state)
        self.document.subscribe(self._follow)

    @property
    def now(self) -> frozenset[TaskId]:
        return self.moves.kept(self.document.state.plan)

    def move(self, task: TaskId, hours: int = 2) -> None:
        self.document.execute(MoveTask(task, self.document.state.schedule.start_of(task) + hours * HOUR))

    def _follow(self, state: State) -> None:
        if state.plan is not self._before:
            self.moves.follow(self._before, state, is_on=self.is_on)
        self._before = state.plan


@pytest.fixture
def kept() -> Kept:
    return Kept()


def other_machines(plan: Plan, task: TaskId) -> tuple[int, int]:
    machine = next(each.resource for each in plan.assignments if each.task == task)
    return machine, next(each.id for each in plan.resources if each.id != machine)


def test_that_undo_lets_go_of_a_move_and_redo_keeps_it_again(kept: Kept) -> None:
    kept.move(SAW)
    assert kept.now == {SAW}
    kept.document.undo()
    assert kept.now == frozenset()
    kept.document.redo()
    assert kept.now == {SAW}


def test_that_undo_of_a_move_made_before_the_search_keeps_nothing(kept: Kept) -> None:
    kept.is_on = False
    kept.move(SAW)
    kept.is_on = True
    for step in (kept.document.undo, kept.document.redo):
        step()
        assert kept.now == frozenset()


def test_that_undo_of_a_plan_taken_from_the_optimizer_keeps_nothing(kept: Kept) -> None:
    plan = kept.document.state.plan
    ways = plan.ways.of(plan.task(SAW + 1))
    machine = other_machines(plan, TURN)[0]
    other = next(way for way in ways if way.resource not in (None, machine))
    for step in (
        lambda: kept.document.execute(ApplySolution(((TURN, other),), ((SAW, HOUR),), 2)),
        kept.document.undo,
        kept.document.redo,
        kept.document.undo,
    ):
        step()
        assert kept.now == frozenset()


def test_that_a_bulk_edit_keeps_all_that_it_moved_and_undo_lets_go_of_all(kept: Kept) -> None:
    plan = kept.document.state.plan
    machine, other = other_machines(plan, TURN)
    start = kept.document.state.schedule.start_of(2) + HOUR
    kept.document.execute(
        Together("both", (AssignResource(TURN, other, instead_of=machine), MoveTask(2, start), RenameTask(3, "cut")))
    )
    assert kept.now == {TURN, 2}
    kept.document.undo()
    assert kept.now == frozenset()


def test_that_tasks_carried_along_are_kept_though_only_the_first_is_pinned_but_not_what_merely_follows(
    kept: Kept,
) -> None:
    first, then = next(iter(kept.document.state.schedule.driving))
    kept.document.execute(MoveTasks((first, then), 2 * HOUR))
    plan = kept.document.state.plan
    assert [plan.task(task).pin is None for task in (first, then)] == [False, True]
    assert kept.now == {first, then}
    kept.document.undo()
    before = kept.document.state.schedule.start_of(then)
    kept.move(first)
    assert kept.document.state.schedule.start_of(then) > before
    assert kept.now == {first}


def test_that_a_summary_that_is_carried_keeps_all_that_it_holds(kept: Kept) -> None:
    plan = kept.document.state.plan
    summary = next(task.id for task in plan.tasks if plan.is_summary(task.id))
    kept.move(summary)
    assert kept.now == set(plan.leaves(summary))


def test_that_a_date_not_to_be_passed_and_a_pin_taken_away_hold_nothing_in_place(kept: Kept) -> None:
    state = kept.document.state
    at = state.schedule.start_of(TURN)
    for kind in (ConstraintKind.START_NO_LATER_THAN, ConstraintKind.FINISH_NO_LATER_THAN, ConstraintKind.MUST_START_ON):
        kept.document.execute(SetConstraint(TURN, kind, at))
        assert kept.now == frozenset()
    kept.is_on = False
    kept.move(SAW)
    kept.is_on = True
    kept.document.execute(RemovePin(SAW))
    assert kept.now == frozenset()


def test_that_a_new_link_keeps_nothing_that_it_pushes(kept: Kept) -> None:
    before = kept.document.state.schedule.start_of(2)
    kept.document.execute(AddLink(Dependency(TURN, 2)))
    assert kept.document.state.schedule.start_of(2) > before
    assert kept.now == frozenset()


def test_that_what_was_asked_for_stays_through_undo_and_nothing_stays_that_was_let_go(kept: Kept) -> None:
    kept.move(SAW)
    kept.moves.keep((2, SAW), kept.document.state.plan)
    kept.move(TURN)
    assert kept.now == {2, SAW, TURN}
    kept.document.undo()
    assert kept.now == {2, SAW}
    kept.moves.keep((), kept.document.state.plan)
    assert kept.now == frozenset()
    for step in (kept.document.undo, kept.document.redo):
        step()
        assert kept.now == frozenset()


def test_that_a_branch_keeps_what_was_moved_in_it_and_a_merge_brings_that_along(kept: Kept) -> None:
    kept.document.arrange(lambda held: held.branched("faster"))
    kept.move(SAW)
    kept.move(2, 1)
    kept.document.arrange(lambda held: held.switched(0))
    assert kept.now == frozenset()
    kept.document.arrange(lambda held: held.switched(1))
    assert kept.now == {SAW, 2}
    kept.document.merge(find_merge(kept.document.scenarios, 1))
    assert kept.document.scenarios.active_id == 0
    assert kept.now == {SAW, 2}
    kept.document.undo()
    assert kept.now == frozenset()


def test_that_a_task_that_is_gone_is_not_kept_until_it_is_there_again(kept: Kept) -> None:
    kept.move(SAW)
    kept.document.execute(RemoveTask(SAW))
    assert kept.now == frozenset()
    kept.document.undo()
    assert kept.now == {SAW}


def test_that_only_what_an_edit_asks_of_dates_or_resources_counts_as_moved(kept: Kept) -> None:
    document = kept.document
    before = document.state.plan
    rename = RenameTask(2, "cut")
    assert moved_by_hand(before, document.trial(rename).plan, rename) == frozenset()
    machine, other = other_machines(before, SAW)
    join = AssignResource(SAW, other)
    assert moved_by_hand(before, document.trial(join).plan, join) == frozenset()
    give = AssignResource(SAW, other, instead_of=machine)
    assert moved_by_hand(before, document.trial(give).plan, give) == {SAW}
