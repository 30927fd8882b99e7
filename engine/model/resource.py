"""Resource and Assignment: who or what does a task. Never when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from engine.errors import PlanError

# Of units: below the least of them, and above the most, a date could not be computed any more.
LEAST_UNITS, MOST_UNITS = 1e-4, 1e12
_ROUNDED = 60  # files keep durations to the minute: work that differs by less is that of the whole task


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
    is another. `fields` are what a foreign file said of it, as (name, text). It can do what asks for one of its
    `skills`. `changeover` is an id of the plan's changeovers; at the plan's start it is set up for the family `setup`.
    """

    id: int
    name: str
    kind: ResourceKind = ResourceKind.WORK
    capacity: float = 1.0
    calendar: int | None = None
    steps: tuple[Capacity, ...] = ()
    source: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    skills: tuple[str, ...] = ()
    cost_per_hour: float = 0.0
    changeover: int | None = None
    setup: str = ""

    def check(self) -> None:
        """Raises a PlanError when nothing could ever use it."""
        if not 0 <= self.cost_per_hour <= MOST_UNITS:
            raise PlanError(f"Resource “{self.name}” cannot cost {self.cost_per_hour} an hour.")
        if not all(self.skills) or len(set(self.skills)) < len(self.skills):
            raise PlanError(f"Resource “{self.name}” needs a name for each of its skills, each once.")
        if not 0 < self.capacity <= MOST_UNITS:
            raise PlanError(f"Resource “{self.name}” has a capacity of {self.capacity}; it must be above zero.")
        for step in self.steps:
            if not 0 <= step.units <= MOST_UNITS:
                raise PlanError(f"Resource “{self.name}” has a capacity of {step.units} for some time.")


class Contour(Enum):
    """How the work of an assignment is spread over its time; BY_HAND: otherwise, over all of the task's.

    The curves are those of Microsoft Project ("Contour the resource assignments", work contours).
    """

    FLAT = "flat"
    BACK_LOADED = "back"
    FRONT_LOADED = "front"
    DOUBLE_PEAK = "double"
    EARLY_PEAK = "early"
    LATE_PEAK = "late"
    BELL = "bell"
    TURTLE = "turtle"
    BY_HAND = "hand"

    @property
    def tenths(self) -> tuple[int, ...]:
        """Percent of the units in use in each tenth of the time."""
        return _TENTHS.get(self, (100,) * 10)

    @cached_property
    def average(self) -> float:
        """The part of the units in use over the whole time."""
        return sum(self.tenths) / 1000


_TENTHS = {
    Contour.BACK_LOADED: (10, 15, 25, 50, 50, 75, 75, 100, 100, 100),
    Contour.FRONT_LOADED: (100, 100, 100, 75, 75, 50, 50, 25, 15, 10),
    Contour.DOUBLE_PEAK: (25, 50, 100, 50, 25, 25, 50, 100, 50, 25),
    Contour.EARLY_PEAK: (25, 50, 100, 100, 75, 50, 50, 25, 15, 10),
    Contour.LATE_PEAK: (10, 15, 25, 50, 50, 75, 100, 100, 50, 25),
    Contour.BELL: (10, 20, 40, 80, 100, 100, 80, 40, 20, 10),
    Contour.TURTLE: (25, 50, 75, 100, 100, 100, 100, 75, 50, 25),
}


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task uses `units` of a resource. A task of a device plan has exactly one stream.

    `work` is in working ticks of one unit; None: what the task's duration, the units and the contour make of it:
    work = duration x units x contour.average.
    """

    task: int
    resource: int
    units: float = 1.0
    work: int | None = None
    fields: tuple[tuple[str, str], ...] = ()
    contour: Contour = Contour.FLAT

    def work_in(self, duration: int) -> float:
        """Work in ticks of one unit, of a task that lasts `duration` working ticks."""
        return duration * self.units * self.contour.average if self.work is None else self.work

    def time_of(self, length: int) -> int:
        """The working ticks it takes of a task of `length` ticks: work / (units x contour.average)."""
        if self.work is None or self.contour is Contour.BY_HAND:
            return length
        spent = round(self.work / (self.units * self.contour.average))
        return length if abs(spent - length) < _ROUNDED else spent


_MOST_WORK = 1 << 48  # as the longest duration of a task


def check_resources(resources: Iterable[Resource]) -> dict[int, Resource]:
    """Resources by id. Raises a PlanError where two have one, or where one of them cannot be."""
    found: dict[int, Resource] = {}
    for resource in resources:
        resource.check()
        if resource.id in found:
            raise PlanError("Two resources have the same id; ids must be unique.")
        found[resource.id] = resource
    return found


def check_assignments(
    assignments: Iterable[Assignment], known: Mapping[int, Resource], name_of: Callable[[int], str | None]
) -> None:
    """Raises a PlanError where one names what is not in the plan, or cannot be; `name_of` names a task there is."""
    seen: set[tuple[int, int | ResourceKind]] = set()
    for assignment in assignments:
        name, ids = name_of(assignment.task), (assignment.task,)
        if name is None:
            raise PlanError(f"An assignment names task {assignment.task}, which is not in the plan.")
        if assignment.resource not in known:
            sentence = f"“{name}” is assigned to resource {assignment.resource}, which is not in the plan."
            raise PlanError(sentence, ids=ids)
        resource = known[assignment.resource]
        is_work_known = 0 <= (assignment.work or 0) <= _MOST_WORK
        if not (LEAST_UNITS <= assignment.units <= MOST_UNITS and is_work_known):
            what = f"{assignment.units} of “{resource.name}”" if is_work_known else "more work than any plan holds"
            raise PlanError(f"“{name}” uses {what}.", ids=ids)
        is_stream = resource.kind is ResourceKind.STREAM
        key = (assignment.task, resource.kind if is_stream else resource.id)
        if key in seen:
            what = "two streams" if is_stream else f"“{resource.name}” twice"
            raise PlanError(f"“{name}” is assigned to {what}.", ids=ids)
        seen.add(key)
