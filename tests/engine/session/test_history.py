"""Undo and redo against a model: a list of plans and a place in it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.errors import PlanError
from engine.model import DAY, Alternative, ConstraintKind, Dependency, DependencyKind, Plan
from engine.schedule.cpm import schedule
from engine.session.date_edits import PinRecorded, SetCalendar, SetConstraint, SetDeadline, SetProgress
from engine.session.document import Document
from engine.session.edits import (
    AddLink,
    AddTask,
    ChangeLink,
    Edit,
    MoveTask,
    MoveTasks,
    RemoveLink,
    RemovePin,
    RemoveTask,
    RenameTask,
    ResizeTask,
    SetName,
)
from engine.session.plan_edits import RemoveBaseline, SetBaseline, SetPredecessors, Together
from engine.session.resource_edits import AddResource, AssignResource, UnassignResource
from engine.session.row_edits import IndentTasks, MoveRows, OutdentTasks
from engine.session.shape_edits import JoinTask, ResizeStart, SplitTask
from engine.session.shop_edits import ChangeMachine, SetAlternatives, SetSkill
from engine.session.state import State
from tests.engine.model.strategies import MONDAY, office

TASKS = st.integers(1, 8)
LINKS = st.builds(Dependency, TASKS, TASKS, st.sampled_from(DependencyKind))
INSTANTS = st.integers(0, 20).map(lambda days: MONDAY + days * DAY)
OTHERS = st.builds(Alternative, TASKS, st.integers(1, 3), duration=st.none() | st.integers(0, 100_000))
SINGLE = st.one_of(
    st.builds(MoveTask, TASKS, INSTANTS),
    st.builds(MoveTasks, st.lists(TASKS, min_size=1, max_size=3).map(tuple), st.integers(-5 * DAY, 5 * DAY)),
    st.builds(RemovePin, TASKS),
    st.builds(ResizeTask, TASKS, st.integers(-1, 100_000)),
    st.builds(RenameTask, TASKS, st.text(max_size=3)),
    st.builds(AddTask, st.text(max_size=3), st.none() | TASKS, st.none() | TASKS),
    st.builds(RemoveTask, TASKS),
    st.builds(AddLink, LINKS),
    st.builds(RemoveLink, LINKS),
    st.builds(ChangeLink, LINKS, LINKS),
    st.builds(SetName, st.text(max_size=3)),
    st.builds(SetConstraint, TASKS, st.sampled_from(ConstraintKind), INSTANTS),
    st.builds(SetDeadline, TASKS, st.none() | INSTANTS),
    st.builds(SetProgress, TASKS, st.sampled_from((0, 30, 100)), st.none() | INSTANTS, st.none() | INSTANTS),
    st.builds(SetCalendar, TASKS, st.sampled_from((None, 1, 2))),
    st.builds(PinRecorded, st.tuples(TASKS)),
    st.builds(IndentTasks, st.lists(TASKS, min_size=1, max_size=2).map(tuple)),
    st.builds(OutdentTasks, st.lists(TASKS, min_size=1, max_size=2).map(tuple)),
    st.builds(MoveRows, st.lists(TASKS, min_size=1, max_size=2).map(tuple), st.none() | TASKS, st.none() | TASKS),
    st.builds(ResizeStart, TASKS, INSTANTS),
    st.builds(SplitTask, TASKS, INSTANTS, st.integers(0, DAY)),
    st.builds(JoinTask, TASKS),
    st.builds(AssignResource, TASKS, st.integers(1, 3), st.none() | st.just(2.0), st.none() | st.integers(1, 3)),
    st.builds(UnassignResource, TASKS, st.integers(1, 3)),
    st.builds(AddResource, st.text(max_size=3)),
    st.builds(SetBaseline, st.integers(0, 11)),
    st.builds(RemoveBaseline, st.integers(0, 2)),
    st.builds(SetAlternatives, TASKS, st.lists(OTHERS, max_size=2).map(tuple)),
    st.builds(SetSkill, TASKS, st.sampled_from(("", "weld"))),
    st.builds(ChangeMachine, st.integers(1, 3), st.sampled_from((None, ("weld",))), changeover=st.sampled_from((0, 1))),
    st.builds(SetPredecessors, TASKS, st.lists(LINKS, max_size=2).map(tuple)),
)
EDITS = st.one_of(SINGLE, st.builds(Together, st.just("Both"), st.tuples(SINGLE, SINGLE)))


class History(RuleBasedStateMachine):
    """Any sequence of edits, undos and redos, refused ones among them."""

    def __init__(self) -> None:
        super().__init__()
        self.document = Document(office())
        self.plans: list[Plan] = [office()]
        self.at = 0
        self.saved = office()
        self.told: list[State] = []
        self.document.subscribe(self.told.append)

    @rule(edit=EDITS)
    def execute(self, edit: Edit) -> None:
        before = self.document.state
        with suppress(PlanError):
            after = self.document.execute(edit)
            if after is not before:
                self.plans = [*self.plans[: self.at + 1], after.plan]
                self.at += 1
                assert after.plan != before.plan
                assert after.undo_label == edit.label(before.plan)
            return
        assert self.document.state is before

    @rule(edit=EDITS)
    def trial(self, edit: Edit) -> None:
        before = self.document.state
        with suppress(PlanError):
            self.document.trial(edit)
        assert self.document.state is before

    @rule()
    def undo(self) -> None:
        self.document.undo()
        self.at = max(0, self.at - 1)

    @rule()
    def redo(self) -> None:
        self.document.redo()
        self.at = min(len(self.plans) - 1, self.at + 1)

    @invariant()
    def the_plan_is_the_one_in_the_list(self) -> None:
        state = self.document.state
        assert state.plan == self.plans[self.at]
        assert state.plan.check() is state.plan
        assert state.is_dirty == (state.plan != self.saved)
        assert bool(state.undo_label) == (self.at > 0)
        assert bool(state.redo_label) == (self.at < len(self.plans) - 1)

    @invariant()
    def the_dates_are_those_of_the_plan(self) -> None:
        state = self.document.state
        fresh = schedule(replace(state.plan))  # a copy: with nothing kept from the plan before
        assert state.schedule.start.tolist() == fresh.start.tolist()
        assert state.schedule.finish.tolist() == fresh.finish.tolist()
        assert state.schedule.total_float.tolist() == fresh.total_float.tolist()

    @invariant()
    def revisions_only_grow(self) -> None:
        revisions = [state.revision for state in self.told]
        assert revisions == list(range(1, len(revisions) + 1))


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
