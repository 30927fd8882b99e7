"""Task: one row of a plan. It never knows when it happens; that is the schedule's."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

from engine.errors import PlanError
from engine.model.operation_spec import OperationSpec
from engine.model.spread import TaskRisk
from engine.model.ticks import MOST_TICKS, TaskId, Ticks

# The field of a task in which a person writes down what they like; files of other programs have one too.
NOTES = "Notes"


class ConstraintKind(Enum):
    """What a person asked of a task's dates. The values are the names used in files."""

    AS_SOON_AS_POSSIBLE = "asap"
    AS_LATE_AS_POSSIBLE = "alap"
    START_NO_EARLIER_THAN = "snet"
    START_NO_LATER_THAN = "snlt"
    FINISH_NO_EARLIER_THAN = "fnet"
    FINISH_NO_LATER_THAN = "fnlt"
    MUST_START_ON = "mso"
    MUST_FINISH_ON = "mfo"

    @property
    def has_date(self) -> bool:
        """Whether `constraint_at` means anything."""
        return self not in (ConstraintKind.AS_SOON_AS_POSSIBLE, ConstraintKind.AS_LATE_AS_POSSIBLE)


class EffortKind(Enum):
    """Which of work, duration and units holds when another is changed: work = duration x units."""

    FIXED_UNITS = "units"
    FIXED_DURATION = "duration"
    FIXED_WORK = "work"


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been done. `percent` (0 to 100) is of the duration; instants are ticks, None while not known.

    `remaining` is working ticks still to do; None: what the percentage leaves. A finish means done, whatever the rest.
    """

    percent: float = 0.0
    actual_start: Ticks | None = None
    actual_finish: Ticks | None = None
    remaining: Ticks | None = None


_NOT_BEGUN = Progress()


@dataclass(frozen=True, slots=True)
class Recorded:
    """Dates as the file a plan came from recorded them, in ticks: shown beside ours, never computed with."""

    start: Ticks
    finish: Ticks


@dataclass(frozen=True, slots=True)
class Split:
    """A pause in a task: after `work` working ticks of it were done, nothing for `gap` working ticks."""

    work: Ticks
    gap: Ticks


@dataclass(frozen=True, slots=True)
class Task:
    """One row: a leaf with a duration, a milestone (duration 0), or a summary (a task that others name as parent).

    `duration` is in working ticks of the task's calendar (seconds) or in nanoseconds on a device plan, where it
    counts only when `is_duration_typed`; otherwise the profile's cost of the operation is the duration.
    An elapsed duration counts every tick and ignores calendars. `constraint_at`, `deadline` and the manual dates are
    instants in ticks; a manual task keeps its dates and is moved by nothing. An inactive task is drawn and nothing
    else. `calendar` is an id of the plan's calendars, None for the plan's own or the resources'. A deadline changes
    float, never dates. `priority` is 0 to 1000; 1000 is never delayed when resources are leveled. `delay` is the
    elapsed delay that leveling added, below zero in a plan that is scheduled from its finish: there it starts earlier.
    `source` keeps the id a foreign file gave the task; `fields` are what that file said of it and the schedule does not
    need, as (name, text). Whoever has the `skill` may do it; a machine is set up between tasks of two families; one
    that is unbreakable is to be done without a break within one working interval. `risk` is what of it is not certain.
    """

    id: TaskId
    name: str
    duration: Ticks = 0
    parent: TaskId | None = None
    is_milestone: bool = False
    is_duration_typed: bool = True
    constraint: ConstraintKind = ConstraintKind.AS_SOON_AS_POSSIBLE
    constraint_at: Ticks = 0
    operation: OperationSpec | None = None
    source: str = ""
    is_elapsed: bool = False
    is_manual: bool = False
    manual_start: Ticks | None = None
    manual_finish: Ticks | None = None
    is_active: bool = True
    calendar: int | None = None
    ignores_resource_calendars: bool = False
    deadline: Ticks | None = None
    priority: int = 500
    delay: Ticks = 0
    splits: tuple[Split, ...] = ()
    progress: Progress | None = None
    recorded: Recorded | None = None
    effort: EffortKind = EffortKind.FIXED_UNITS
    fields: tuple[tuple[str, str], ...] = ()
    skill: str = ""
    family: str = ""
    is_unbreakable: bool = False
    risk: TaskRisk | None = None

    def check(self) -> None:
        """Raises a PlanError where a number of this row cannot be."""
        if self.duration < 0:
            raise PlanError(f"“{self.name}” has a negative duration.", ids=(self.id,))
        if max(self.duration, abs(self.constraint_at)) > MOST_TICKS:
            raise PlanError(f"“{self.name}” has a duration or a pin that no plan can hold.", ids=(self.id,))
        instants = (self.deadline, self.manual_start, self.manual_finish)
        done = self.progress or _NOT_BEGUN
        for instant in (*instants, done.actual_start, done.actual_finish, done.remaining, self.delay):
            if instant is not None and abs(instant) > MOST_TICKS:
                raise PlanError(f"“{self.name}” has a date that no plan can hold.", ids=(self.id,))
        if not 0 <= self.priority <= 1000:
            raise PlanError(f"“{self.name}” has the priority {self.priority}; it must be 0 to 1000.", ids=(self.id,))
        if not 0 <= done.percent <= 100 or (done.remaining or 0) < 0:
            raise PlanError(f"“{self.name}” is {done.percent:g} % done; it must be 0 to 100.", ids=(self.id,))
        if any(not 0 <= length <= MOST_TICKS for split in self.splits for length in (split.work, split.gap)):
            raise PlanError(f"“{self.name}” is split by a pause of a length that cannot be.", ids=(self.id,))
        for name, value in self.operation.parameters if self.operation else ():
            if not math.isfinite(value):
                raise PlanError(f"“{self.name}” has no number as its parameter “{name}”.", ids=(self.id,))

    @property
    def notes(self) -> str:
        """What a person wrote down of this task, empty where that is nothing."""
        return next((text for name, text in self.fields if name == NOTES), "")

    def with_notes(self, text: str) -> Task:
        """The task with these notes, where they stood before; without any for an empty text."""
        names = [name for name, _ in self.fields]
        place = names.index(NOTES) if NOTES in names else len(names)
        others = [field for field in self.fields if field[0] != NOTES]
        return replace(self, fields=(*others[:place], *(((NOTES, text),) if text else ()), *others[place:]))

    @property
    def pin(self) -> Ticks | None:
        """The instant this task may not start before, or None."""
        return self.constraint_at if self.constraint is ConstraintKind.START_NO_EARLIER_THAN else None
