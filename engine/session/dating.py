"""Dating: the schedules of one document's plans, those that were dated lately taken as they are.

It never changes a plan.
"""

from __future__ import annotations

from dataclasses import replace

from engine.model import Clock, Plan, TaskId, Ticks
from engine.program.profile import DeviceProfile, estimate_durations, load_profile
from engine.schedule.ahead import Ahead
from engine.schedule.columns import Column
from engine.schedule.cpm import ahead_of, schedule
from engine.schedule.schedule import Schedule
from engine.session.edits import Edit
from engine.session.recent import Recent
from engine.session.state import State


class Dating:
    """What dates plans, by the profile that each is estimated with. Any thread may ask."""

    def __init__(self) -> None:
        self.recent = Recent()
        self._profile: tuple[str, DeviceProfile] | None = None
        self._ahead: tuple[Schedule, Ahead | None] | None = None
        self._estimates: tuple[object, dict[TaskId, Ticks]] = (None, {})

    def of(self, plan: Plan, previous: Schedule | None = None) -> Schedule:
        """The schedule of a plan; the one of the plan before makes it sooner, and no other. Raises PlanError."""
        if (known := self.recent.dates_of(plan)) is not None:
            return known
        if plan.clock is Clock.CALENDAR:
            return schedule(plan, previous=previous)
        return schedule(plan, self._estimated(plan))

    def keep(self, plan: Plan, previous: Schedule) -> None:
        """Have the schedule of a plan that is about to be shown. Raises PlanError."""
        self.recent.leave(plan, self.of(plan, previous))

    def ahead(self, plan: Plan, state: State, rows: Column) -> Schedule | None:
        """The schedule of a state, but for when some rows of the plan happen after an edit to it; None where that is
        not simply told. One thread asks, and no other."""
        if self._ahead is None or self._ahead[0] is not state.schedule:
            self._ahead = state.schedule, ahead_of(state.schedule)
        teller = self._ahead[1]
        found = None if teller is None else teller.dates(plan, rows)
        if found is None:
            return None
        start, finish = found
        return replace(state.schedule, start=start, finish=finish, early_start=start, early_finish=finish)

    def after(self, edit: Edit, state: State) -> Plan:
        """What an edit makes of a state's plan: as it was tried, where it was. Raises PlanError."""
        tried = self.recent.tried(state.plan, edit)
        return edit.apply(state.plan, state.schedule) if tried is None else tried.after

    def label(self, edit: Edit, plan: Plan) -> str:
        """What Undo shows of an edit of a plan."""
        tried = self.recent.tried(plan, edit)
        return edit.label(plan) if tried is None else tried.label

    def profile_of(self, plan: Plan) -> DeviceProfile:
        """The costs that estimate durations. Raises FormatError when there is no such profile."""
        name, known = plan.settings.profile, self._profile
        if known is None or known[0] != name:
            known = self._profile = (name, load_profile(name))
        return known[1]

    def _estimated(self, plan: Plan) -> dict[TaskId, Ticks]:
        """The durations that a profile gives, computed anew only when something changed that they rest on."""
        profile, known = self.profile_of(plan), self._estimates
        basis = profile, plan.buffers, [(task.id, task.operation, task.is_duration_typed) for task in plan.tasks]
        if basis != known[0]:
            known = self._estimates = basis, estimate_durations(plan, profile)
        return known[1]
