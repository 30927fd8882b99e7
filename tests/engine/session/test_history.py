"""Undo and redo against a model: a list of plans and a place in it. Every kind of edit takes part."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.errors import PlanError
from engine.formats import loom
from engine.model import Clock, Plan
from engine.program.profile import estimate_durations, load_profile
from engine.schedule.cpm import schedule
from engine.session.document import Document
from engine.session.edits import Edit
from engine.session.state import State
from tests.engine.model.strategies import pipeline
from tests.engine.schedule.compiled import date_by_compiled_alone
from tests.engine.session.edit_strategies import BY_KIND, EDITS, busy, kinds

FIND = settings(
    max_examples=400, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def test_that_every_kind_of_edit_is_generated() -> None:
    assert set(BY_KIND) == kinds()


@pytest.mark.parametrize("kind", BY_KIND, ids=lambda kind: kind.__name__)
def test_that_edits_of_every_kind_are_made_and_not_only_refused(kind: type) -> None:
    try:
        find(BY_KIND[kind], lambda edit: any(is_made(edit, plan) for plan in (busy(), pipeline())), settings=FIND)
    except NoSuchExample:
        pytest.fail(f"none of 400 edits of the kind {kind.__name__} changed a plan")


def is_made(edit: Edit, plan: Plan) -> bool:
    with suppress(PlanError):
        return edit.apply(plan, schedule(plan)) != plan
    return False


class History(RuleBasedStateMachine):
    """Any sequence of edits, undos and redos, refused ones among them."""

    first = staticmethod(busy)

    def __init__(self) -> None:
        super().__init__()
        self.document = Document(self.first())
        self.plans: list[Plan] = [self.first()]
        self.at = 0
        self.saved = self.first()
        self.told: list[State] = []
        self.document.subscribe(self.listen)

    def listen(self, state: State) -> None:
        """Whoever is told sees a whole state: plan and dates of each other, and the document agrees."""
        assert state is self.document.state
        assert state.plan.check() is state.plan
        assert dict(state.schedule.rows) == state.plan.rows
        assert len(state.schedule.start) == len(state.plan.tasks)
        assert state.schedule.basis.network.plan == state.plan
        self.told.append(state)

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

    @rule()
    def reload(self) -> None:
        """What is written is read back as the same plan, dated alike."""
        state = self.document.state
        with TemporaryDirectory() as folder:
            path = Path(folder) / "plan.loom"
            loom.save(path, state.plan)
            again = Document.load(path).state
        assert again.plan == state.plan
        assert again.schedule.start.tolist() == state.schedule.start.tolist()
        assert again.schedule.finish.tolist() == state.schedule.finish.tolist()

    def teardown(self) -> None:
        """All of it taken back is what it began with; all of it made again is where it ended."""
        for _ in range(self.at):
            self.document.undo()
        assert self.document.state.plan == self.plans[0]
        for _ in range(len(self.plans) - 1):
            self.document.redo()
        assert self.document.state.plan == self.plans[-1]

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
        plan = replace(state.plan)  # a copy: with nothing kept from the plan before
        is_device = plan.clock is Clock.DEVICE
        fresh = schedule(plan, estimate_durations(plan, load_profile(plan.settings.profile)) if is_device else None)
        assert state.schedule.start.tolist() == fresh.start.tolist()
        assert state.schedule.finish.tolist() == fresh.finish.tolist()
        assert state.schedule.total_float.tolist() == fresh.total_float.tolist()

    @invariant()
    def revisions_only_grow(self) -> None:
        revisions = [state.revision for state in self.told]
        assert revisions == list(range(1, len(revisions) + 1))


class DeviceHistory(History):
    """The same on a plan for a device."""

    first = staticmethod(pipeline)


@pytest.fixture
def compiled_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are dated by what is loaded behind the window."""
    date_by_compiled_alone(monkeypatch)


@pytest.mark.usefixtures("compiled_alone")
class TestCompiledHistory(History.TestCase):  # type: ignore[name-defined,misc]
    """No edit, undo or redo has another function compiled."""

    settings = settings(max_examples=30, stateful_step_count=30, deadline=None)


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestDeviceHistory = DeviceHistory.TestCase
TestDeviceHistory.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
