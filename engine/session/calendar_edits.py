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


@dataclass(frozen=True, slots=True)
class RemoveCalendar:
    """The plan has a calendar less, known by its id; one that something is worked by stays."""

    calendar: int

    def label(self, plan: Plan) -> str:
        """Remove the calendar “Night shift”."""
        known = plan.calendar_of.get(self.calendar)
        return f"Remove the calendar “{known.name}”" if known else "Remove a calendar"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes it out. Raises PlanError that says by whom it is used, or that it is the plan's own."""
        known = plan.calendar_of.get(self.calendar)
        if known is None:
            raise PlanError(f"There is no calendar {self.calendar} in the plan.")
        if known is plan.calendar:
            raise PlanError(f"“{known.name}” is the plan's own calendar: it cannot be removed.")
        used = _uses(plan, self.calendar)
        if used:
            raise PlanError(f"“{known.name}” is used by {used}: give it another calendar before this one is removed.")
        return replace(plan, calendars=tuple(each for each in plan.calendars if each.id != self.calendar)).check()


def _uses(plan: Plan, calendar: int) -> str:
    """Who is worked by a calendar: “Paint” and 3 more, or nothing."""
    names = [task.name for task in plan.tasks if task.calendar == calendar]
    names += [resource.name for resource in plan.resources if resource.calendar == calendar]
    names += [each.name for each in plan.calendar_of.values() if each.base == calendar]
    if not names:
        return ""
    return f"“{names[0]}”" + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _rule(exception: CalendarException) -> CalendarException:
    return replace(exception, name="")
