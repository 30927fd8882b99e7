"""What a shop floor adds to a plan: other machines for a task, changeovers, transport. It never says when.

A task's family and skill, and a resource's skills, cost and changeover, stand with the task and the resource.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.errors import PlanError
from engine.model.resource import LEAST_UNITS, MOST_UNITS, Assignment, Resource, ResourceKind
from engine.model.task import Task
from engine.model.ticks import MOST_TICKS, TaskId, Ticks

_MOST_FAMILIES = 256


@dataclass(frozen=True, slots=True)
class Alternative:
    """A resource that may do a task in the place of the one it is assigned to, and what it takes there.

    `duration` is in working ticks, None: as long as the task lasts where it is. `cost` is what it costs to do it there,
    besides the cost of the resource's hours.
    """

    task: TaskId
    resource: int
    units: float = 1.0
    duration: Ticks | None = None
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Changeover:
    """How long a machine is set up between tasks of two families: `ticks[i][j]` from the i-th to the j-th, working."""

    id: int
    name: str
    families: tuple[str, ...] = ()
    ticks: tuple[tuple[Ticks, ...], ...] = ()

    def between(self, before: str, after: str) -> Ticks:
        """Working ticks from one family to another; none where it does not know one of them."""
        if before not in self.families or after not in self.families:
            return 0
        return self.ticks[self.families.index(before)][self.families.index(after)]

    def check(self) -> None:
        """Raises a PlanError unless each family is named once and has a length for each."""
        count = len(self.families)
        if count > _MOST_FAMILIES or len(set(self.families)) < count or not all(self.families):
            sentence = f"Changeover “{self.name}” needs a name for each of its families, each once, up to"
            raise PlanError(f"{sentence} {_MOST_FAMILIES} of them.")
        if len(self.ticks) != count or any(len(row) != count for row in self.ticks):
            raise PlanError(f"Changeover “{self.name}” needs a length from each of its families to each.")
        if any(not 0 <= ticks <= MOST_TICKS for row in self.ticks for ticks in row):
            raise PlanError(f"Changeover “{self.name}” has a length that cannot be.")


@dataclass(frozen=True, slots=True)
class Transport:
    """What is done on one machine reaches another one `ticks` of the clock later, along every finish-to-start link."""

    origin: int
    target: int
    ticks: Ticks


@dataclass(frozen=True, slots=True)
class Way:
    """One way to do a task: on a resource (None: on none), in so many working ticks, at a cost besides its hours."""

    resource: int | None
    units: float
    duration: Ticks
    cost: float = 0.0


class Ways:
    """The ways of doing each task of a plan: where it is now, what was named, and whoever has the skill it asks for.

    Alternatives stand in the place of one assignment, the others stay: of the first to a resource that is one of them,
    else of the first to a resource of the kind of the first alternative; without one they are one more.
    """

    def __init__(
        self,
        resources: tuple[Resource, ...],
        assignments: tuple[Assignment, ...],
        alternatives: tuple[Alternative, ...],
    ) -> None:
        self._kinds = {resource.id: resource.kind for resource in resources}
        self._skilled: dict[str, list[int]] = {}
        for resource in resources:
            for skill in resource.skills:
                self._skilled.setdefault(skill, []).append(resource.id)
        self._assigned: dict[TaskId, list[Assignment]] = {}
        for assignment in assignments:
            self._assigned.setdefault(assignment.task, []).append(assignment)
        self._named: dict[TaskId, list[Alternative]] = {}
        for alternative in alternatives:
            self._named.setdefault(alternative.task, []).append(alternative)

    def named(self, task: TaskId) -> tuple[Alternative, ...]:
        """The alternatives that a task names, in their order."""
        return tuple(self._named.get(task, ()))

    def is_choice(self, task: Task) -> bool:
        """Whether anything was said of where else a task may be done."""
        return task.id in self._named or bool(task.skill and self._skilled.get(task.skill))

    def replaced(self, task: Task) -> Assignment | None:
        """The assignment that the alternatives of a task stand in the place of, if there is one."""
        named = [each.resource for each in self._named.get(task.id, ())]
        others = named + self._skilled.get(task.skill, []) if task.skill else named
        assigned = [each for each in self._assigned.get(task.id, ()) if self._kinds[each.resource] in _HOLDING]
        if not others:
            return None
        own = next((each for each in assigned if each.resource in others), None)
        return own or next((each for each in assigned if self._kinds[each.resource] is self._kinds[others[0]]), None)

    def of(self, task: Task, duration: Ticks | None = None) -> tuple[Way, ...]:
        """All ways of doing a task, the present one first; `duration` is that of one which nobody typed."""
        length = task.duration if duration is None else duration
        now, found = self.replaced(task), dict[int | None, Way]()
        named = {each.resource: each for each in self._named.get(task.id, ())}
        skilled = self._skilled.get(task.skill, []) if task.skill else []
        if now is not None or not (named or skilled):
            cost = named[now.resource].cost if now and now.resource in named else 0.0
            number = now.resource if now else None
            found[number] = Way(number, now.units if now else 1.0, length, cost)
        for each in named.values():
            lasts = length if each.duration is None else each.duration
            found.setdefault(each.resource, Way(each.resource, each.units, lasts, each.cost))
        units = now.units if now else 1.0
        for number in skilled:
            found.setdefault(number, Way(number, units, length))
        return tuple(found.values())


_HOLDING = (ResourceKind.WORK, ResourceKind.MACHINE)


def check_shop(
    tasks: Mapping[TaskId, Task],
    resources: Mapping[int, Resource],
    alternatives: tuple[Alternative, ...],
    changeovers: tuple[Changeover, ...],
    transports: tuple[Transport, ...],
) -> None:
    """Raises a PlanError, one sentence, where one of these names what is not in the plan, or cannot be."""
    for sentence, task in _wrong(tasks, resources, alternatives):
        raise PlanError(sentence, ids=(task,))
    known = {changeover.id for changeover in changeovers}
    if len(known) < len(changeovers):
        raise PlanError("Two changeovers have the same id; ids must be unique.")
    for changeover in changeovers:
        changeover.check()
    for resource in resources.values():
        if resource.changeover is not None and resource.changeover not in known:
            raise PlanError(f"“{resource.name}” uses changeover {resource.changeover}, which is not in the plan.")
    pairs = {(each.origin, each.target) for each in transports}
    if len(pairs) < len(transports):
        raise PlanError("Transport between two machines has two lengths; give it one.")
    for each in transports:
        if each.origin not in resources or each.target not in resources or each.origin == each.target:
            raise PlanError("Transport leads from or to a machine that is not in the plan, or back to the same one.")
        if not 0 <= each.ticks <= MOST_TICKS:
            names = f"“{resources[each.origin].name}” to “{resources[each.target].name}”"
            raise PlanError(f"Transport from {names} takes a time that cannot be.")


def _wrong(
    tasks: Mapping[TaskId, Task], resources: Mapping[int, Resource], alternatives: tuple[Alternative, ...]
) -> Iterator[tuple[str, TaskId]]:
    seen: set[tuple[TaskId, int]] = set()
    for each in alternatives:
        if each.task not in tasks:
            yield f"An alternative names task {each.task}, which is not in the plan.", each.task
            return
        name = tasks[each.task].name
        if each.resource not in resources:
            yield f"“{name}” may be done by resource {each.resource}, which is not in the plan.", each.task
            return
        other = resources[each.resource]
        if other.kind not in _HOLDING:
            yield f"“{name}” cannot be done by “{other.name}” instead: name a machine or somebody who works.", each.task
        if (each.task, each.resource) in seen:
            yield f"“{name}” names “{other.name}” twice as an alternative.", each.task
        seen.add((each.task, each.resource))
        lasts = 0 <= (each.duration or 0) <= MOST_TICKS and 0 <= each.cost <= MOST_UNITS
        if not (lasts and LEAST_UNITS <= each.units <= MOST_UNITS):
            yield f"“{name}” on “{other.name}” has a duration, units or a cost that cannot be.", each.task
