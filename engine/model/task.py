"""Task: one row of a plan. It never knows when it happens; that is the schedule's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from engine.errors import PlanError
from engine.model.operation_spec import OperationSpec

# Seconds of naive local time since 1970-01-01 00:00 (calendar plan), or nanoseconds since the run began (device plan).
Ticks = int
TaskId = int
# No instant, duration or lag may be larger, so that sums of many stay inside int64: 3 days on the device clock.
MOST_TICKS = 1 << 48


class ConstraintKind(Enum):
    """What a person pinned. The values are the names used in files."""

    AS_SOON_AS_POSSIBLE = "asap"
    START_NO_EARLIER_THAN = "snet"


@dataclass(frozen=True, slots=True)
class Task:
    """One row: a leaf with a duration, a milestone (duration 0), or a summary (a task that others name as parent).

    `duration` is in working ticks of the task's calendar (seconds) or in nanoseconds on a device plan, where it
    counts only when `is_duration_typed`; otherwise the profile's cost of the operation is the duration.
    `constraint_at` is an instant in ticks. `source` keeps the id a foreign file gave the task.
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

    def check(self) -> None:
        """Raises a PlanError where a number of this row cannot be."""
        if self.duration < 0:
            raise PlanError(f"“{self.name}” has a negative duration.", ids=(self.id,))
        if max(self.duration, abs(self.constraint_at)) > MOST_TICKS:
            raise PlanError(f"“{self.name}” has a duration or a pin that no plan can hold.", ids=(self.id,))
        for name, value in self.operation.parameters if self.operation else ():
            if not math.isfinite(value):
                raise PlanError(f"“{self.name}” has no number as its parameter “{name}”.", ids=(self.id,))

    @property
    def pin(self) -> Ticks | None:
        """The instant this task may not start before, or None."""
        return None if self.constraint is ConstraintKind.AS_SOON_AS_POSSIBLE else self.constraint_at
