"""Recurring: a task that takes place again and again, as a summary with a pinned task each time. It never keeps a plan.

As edits.py: one that would break a rule is refused with a sentence. Instants are naive local time: nine o'clock stays
nine o'clock whatever clocks on the wall do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import DAY, CalendarException, Clock, ConstraintKind, Plan, Recurrence, Task, TaskId, Ticks
from engine.schedule.recurrence import days_of
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import LAST_DAY, WorkingTime
from engine.session.edits import row_below

MOST_TIMES = 1000
_LAST_DAY = LAST_DAY - 366  # whatever is moved stays within the years that a plan can use


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time: when the rule wants it, and when it starts by the calendar; both in ticks."""

    wanted: Ticks
    start: Ticks

    @property
    def is_moved(self) -> bool:
        """Whether it is wanted at a time that is not worked."""
        return self.start != self.wanted


@dataclass(frozen=True, slots=True)
class Occurrences:
    """All of them in order, and when others are wanted that would be moved onto one of them and are left out."""

    kept: tuple[Occurrence, ...]
    left_out: tuple[Ticks, ...]


@dataclass(frozen=True, slots=True)
class InsertRecurring:
    """A summary with a task for each time that `rule` names from `first` on, at its time of day.

    They are so many as the rule says, or else go on to the day of `until`. Each lasts `duration` ticks, of work unless
    `is_elapsed`, on the calendar with the id `calendar`, or the plan's. The rows stand below the task `after` and in
    its summary; without it last of all.
    """

    name: str
    duration: Ticks
    first: Ticks
    rule: Recurrence
    until: Ticks | None = None
    calendar: int | None = None
    after: TaskId | None = None
    is_elapsed: bool = False

    def label(self, plan: Plan) -> str:
        """Insert recurring “Weekly meeting”."""
        return f"Insert recurring “{self.name.strip()}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Inserts the rows; ids are given out from the plan's `next_task_id`, the summary's first."""
        if not self.name.strip():
            raise PlanError("A recurring task needs a name.")
        found, parent = self.occurrences(plan), None if self.after is None else plan.task(self.after).parent
        summary = Task(plan.next_task_id, self.name.strip(), parent=parent)
        made = [self._task(plan, summary, number, each) for number, each in enumerate(found.kept, 1)]
        made[0].check()
        row = len(plan.tasks) if self.after is None else row_below(plan, self.after)
        rows = (*plan.tasks[:row], summary, *made, *plan.tasks[row:])
        return replace(plan, tasks=rows, next_task_id=summary.id + len(made) + 1)

    def occurrences(self, plan: Plan) -> Occurrences:
        """When it takes place. Raises PlanError where that is never, too often, or before the plan begins."""
        if plan.clock is Clock.DEVICE:
            raise PlanError("A plan for a device has no days on which anything could recur.")
        calendar = plan.calendar if self.calendar is None else plan.calendar_of.get(self.calendar)
        if calendar is None:
            raise PlanError("The calendar of the recurring task is not in the plan any more.")
        time = WorkingTime.of(calendar, plan.calendar_of)
        found = occurrences(self.rule, self.first, None if self.rule.occurrences else self.until, time)
        name = self.name.strip()
        if not found.kept:
            raise PlanError(f"“{name}” would never take place: no such day lies between its first and its last.")
        if not plan.settings.is_from_finish and found.kept[0].start < plan.start:
            raise PlanError(f"“{name}” would take place before the plan starts: let it begin later.")
        return found

    def _task(self, plan: Plan, summary: Task, number: int, at: Occurrence) -> Task:
        """Held to its start; in a plan that is dated from its finish nothing else would keep it there."""
        is_back = plan.settings.is_from_finish
        return Task(
            summary.id + number,
            f"{summary.name} {number}",
            int(self.duration),
            summary.id,
            is_milestone=self.duration == 0,
            constraint=ConstraintKind.MUST_START_ON if is_back else ConstraintKind.START_NO_EARLIER_THAN,
            constraint_at=at.start,
            calendar=self.calendar,
            is_elapsed=self.is_elapsed,
        )


def occurrences(rule: Recurrence, first: Ticks, until: Ticks | None, time: WorkingTime) -> Occurrences:
    """When a rule takes place from `first` on, so many times as it says or to the day of `until`, in working time.

    One at a time that is not worked moves to the next day that is, at the same time of day where that is worked, and
    is left out where another takes place then. Raises PlanError for more than MOST_TIMES.
    """
    clock, last_day = first % DAY, _LAST_DAY if until is None else min(until // DAY, _LAST_DAY)
    endless = replace(rule, occurrences=0)
    days = days_of(CalendarException(first // DAY, last_day, recurrence=endless), last_day)
    most = rule.occurrences or len(days)
    if most > MOST_TIMES:
        raise PlanError(f"It would take place {most:,} times: give it an earlier end, at most {MOST_TIMES:,} times.")
    regular = set((days * DAY + clock).tolist())
    kept: list[Occurrence] = []
    left_out: list[Ticks] = []
    taken: set[Ticks] = set()
    for wanted in sorted(regular):
        if len(kept) == most:
            break
        start = _placed(wanted, time)
        if start != wanted and (start in regular or start in taken):
            left_out.append(wanted)
        else:
            taken.add(start)
            kept.append(Occurrence(wanted, start))
    return Occurrences(tuple(kept), tuple(left_out))


def _placed(wanted: Ticks, time: WorkingTime) -> Ticks:
    """The instant itself where it is worked, else the same time of the next day that is, else when that begins."""
    start = time.next_start(wanted)
    same = start // DAY * DAY + wanted % DAY
    return same if same >= start and time.next_start(same) == same else start
