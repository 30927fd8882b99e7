"""Cases: the problems of plans that are asked about, the one before making the next sooner. It never searches."""

from __future__ import annotations

import threading

from engine.model import Plan, TaskId
from engine.optimize.from_plan import PlanProblem, problem_of
from engine.schedule.cpm import schedule


class Cases:
    """Any thread may ask, one at a time: schedules made of one another share what they find of calendars."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: PlanProblem | None = None

    def searched(self, plan: Plan, kept: tuple[TaskId, ...]) -> PlanProblem:
        """The problem of a plan that is searched, which what is asked from now on will most likely be near."""
        with self._lock:
            self._known = self._made(plan, kept)
            return self._known

    def asked(self, plan: Plan) -> PlanProblem:
        """The problem of a plan that is tried."""
        with self._lock:
            return self._made(plan, ())

    def _made(self, plan: Plan, kept: tuple[TaskId, ...]) -> PlanProblem:
        known = self._known
        if known is None:
            return problem_of(plan, schedule(plan), kept)
        dates = known.schedule if known.plan is plan else schedule(plan, previous=known.schedule)
        return problem_of(plan, dates, kept, known)
