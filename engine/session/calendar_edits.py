"""Edits of the plan's calendar. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Calendar, CalendarException, Plan
from engine.schedule.schedule import Schedule


@dataclass(frozen=True, slots=True)
class AddHolidays:
    """The plan's calendar has these days off too; of one that it has already there is no second.

    `left_out` says how many events of the file they came from are no days off, for they have a time of day.
    """

    days: tuple[CalendarException, ...]
    left_out: int = 0

    def label(self, plan: Plan) -> str:
        """Add 3 holidays."""
        count = len(self.missing(plan))
        return "Add 1 holiday" if count == 1 else f"Add {count} holidays"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Adds those that the calendar lacks. Raises PlanError for a plan without a calendar."""
        if plan.calendar is None:
            raise PlanError("A device plan has no calendar, and so no holidays.")
        missing = self.missing(plan)
        if not missing:
            return plan
        calendar = replace(plan.calendar, exceptions=(*plan.calendar.exceptions, *missing))
        return replace(plan, calendar=calendar).check()

    def missing(self, plan: Plan) -> tuple[CalendarException, ...]:
        """Those that the plan's calendar does not have, whatever they are called there."""
        known = {_rule(each) for each in plan.calendar.exceptions} if plan.calendar else set()
        return tuple({_rule(each): each for each in reversed(self.days) if _rule(each) not in known}.values())[::-1]


@dataclass(frozen=True, slots=True)
class ChangeCalendar:
    """A calendar of the plan, known by its id, has another name, week or exceptions."""

    calendar: Calendar

    def label(self, plan: Plan) -> str:
        """Change the calendar “Night shift”."""
        return f"Change the calendar “{self.calendar.name}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Puts it in the place of the one it was."""
        if not self.calendar.name.strip():
            raise PlanError("A calendar needs a name.")
        before = plan.calendar_of.get(self.calendar.id)
        if before is None:
            raise PlanError(f"There is no calendar {self.calendar.id} in the plan.")
        if before == self.calendar:
            return plan
        if before is plan.calendar:
            return replace(plan, calendar=self.calendar).check()
        kept = tuple(self.calendar if each is before else each for each in plan.calendars)
        return replace(plan, calendars=kept).check()


@dataclass(frozen=True, slots=True)
class AddCalendar:
    """The plan has one more calendar, for tasks and resources to be worked by; no two have the same id."""

    calendar: Calendar

    def label(self, plan: Plan) -> str:
        """Add the calendar “Night shift”."""
        return f"Add the calendar “{self.calendar.name}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Appends it. Raises PlanError for a plan without a calendar of its own."""
        if plan.calendar is None:
            raise PlanError("A device plan has no calendar.")
        if not self.calendar.name.strip():
            raise PlanError("A calendar needs a name.")
        return replace(plan, calendars=(*plan.calendars, self.calendar)).check()


def _rule(exception: CalendarException) -> CalendarException:
    return replace(exception, name="")
