"""Recent: the schedules of the plans that were shown last, and of the edits that were tried last.

A drop or an undo so dates nothing again. It never dates a plan.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Plan
from engine.schedule.schedule import Schedule
from engine.session.edits import Edit

KEPT = 4
# One that is to be made, and one that a drag has tried since.
_TRIED = 2


@dataclass(frozen=True, eq=False, slots=True)
class Tried:
    """An edit, the plan that it was tried on, and what it makes of that, with its dates and its words."""

    before: Plan
    edit: Edit
    after: Plan
    dates: Schedule
    label: str


class Recent:
    """Schedules by the very plan they are of. Any thread may keep a trial, of which the latest count."""

    def __init__(self) -> None:
        self._left: tuple[tuple[Plan, Schedule], ...] = ()
        self._tried: tuple[Tried, ...] = ()

    def dates_of(self, plan: Plan) -> Schedule | None:
        """The schedule of a plan, None where it is not among the latest."""
        tried = ((each.after, each.dates) for each in self._tried)
        return next((dates for known, dates in (*tried, *self._left) if known is plan), None)

    def leave(self, plan: Plan, dates: Schedule) -> None:
        """Keep the schedule of a plan that is shown no more: an undo may show it again."""
        others = (each for each in self._left if each[0] is not plan)
        self._left = (*others, (plan, dates))[-KEPT:]

    def keep_trial(self, tried: Tried) -> None:
        """Keep what an edit makes of a plan."""
        self._tried = (*self._tried, tried)[-_TRIED:]

    def tried(self, before: Plan, edit: Edit) -> Tried | None:
        """What an edit makes of a plan, where that was tried lately."""
        return next((each for each in self._tried if each.before is before and each.edit == edit), None)
