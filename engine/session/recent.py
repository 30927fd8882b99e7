"""Recent: the schedules of the plans that were shown last, and of the edit that was tried last.

A drop or an undo so dates nothing again. It never dates a plan.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Plan
from engine.schedule.schedule import Schedule
from engine.session.edits import Edit

KEPT = 4


@dataclass(frozen=True, eq=False, slots=True)
class Tried:
    """An edit, the plan that it was tried on, and what it makes of that, with its dates."""

    before: Plan
    edit: Edit
    after: Plan
    dates: Schedule


class Recent:
    """Schedules by the very plan they are of. Any thread may keep a trial, the latest of which counts."""

    def __init__(self) -> None:
        self._left: tuple[tuple[Plan, Schedule], ...] = ()
        self._tried: Tried | None = None

    def dates_of(self, plan: Plan) -> Schedule | None:
        """The schedule of a plan, None where it is not among the latest."""
        tried = self._tried
        if tried is not None and tried.after is plan:
            return tried.dates
        return next((dates for known, dates in self._left if known is plan), None)

    def leave(self, plan: Plan, dates: Schedule) -> None:
        """Keep the schedule of a plan that is shown no more: an undo may show it again."""
        others = (each for each in self._left if each[0] is not plan)
        self._left = (*others, (plan, dates))[-KEPT:]

    def keep_trial(self, tried: Tried) -> None:
        """Keep what an edit makes of a plan."""
        self._tried = tried

    def after(self, before: Plan, edit: Edit) -> Plan | None:
        """What an edit makes of a plan, where that was tried last."""
        tried = self._tried
        return tried.after if tried is not None and tried.before is before and tried.edit == edit else None
