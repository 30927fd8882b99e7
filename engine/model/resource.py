"""Resource and Assignment: who or what does a task. Never when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.errors import PlanError

# Of units: below the least of them, and above the most, a date could not be computed any more.
LEAST_UNITS, MOST_UNITS = 1e-4, 1e12


class ResourceKind(Enum):
    """A person or crew, a material, a machine, or a stream of a device."""

    WORK = "work"
    MATERIAL = "material"
    MACHINE = "machine"
    STREAM = "stream"


@dataclass(frozen=True, slots=True)
class Capacity:
    """Units that can be used at one instant from `first` to before `last`, in ticks."""

    first: int
    last: int
    units: float


@dataclass(frozen=True, slots=True)
class Resource:
    """Something tasks are assigned to. `capacity` is in units that can be used at one instant.

    `calendar` is an id of the plan's calendars, None for the plan's own. `steps` are the times at which the capacity
    is another. `fields` are what a foreign file said of it, as (name, text).
    """

    id: int
    name: str
    kind: ResourceKind = ResourceKind.WORK
    capacity: float = 1.0
    calendar: int | None = None
    steps: tuple[Capacity, ...] = ()
    source: str = ""
    fields: tuple[tuple[str, str], ...] = ()

    def check(self) -> None:
        """Raises a PlanError when nothing could ever use it."""
        if not 0 < self.capacity <= MOST_UNITS:
            raise PlanError(f"Resource “{self.name}” has a capacity of {self.capacity}; it must be above zero.")
        for step in self.steps:
            if not 0 <= step.units <= MOST_UNITS:
                raise PlanError(f"Resource “{self.name}” has a capacity of {step.units} for some time.")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task uses `units` of a resource. A task of a device plan has exactly one stream.

    `work` is in working ticks of one unit; None: the task's duration times the units.
    """

    task: int
    resource: int
    units: float = 1.0
    work: int | None = None
    fields: tuple[tuple[str, str], ...] = ()
