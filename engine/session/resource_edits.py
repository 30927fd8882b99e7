"""Edits of who does what: resources, and what tasks use of them. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Assignment, Plan, Resource, ResourceKind, TaskId
from engine.schedule.schedule import Schedule
from engine.session.choosing import chosen, other_way
from engine.session.device_edits import AssignStream
from engine.session.edits import quoted


@dataclass(frozen=True, slots=True)
class AssignResource:
    """A task uses `units` of a resource; those of `instead_of`, if it uses that, go over to it.

    On a device plan a stream takes the place of another. Where that is another way of doing the task, it lasts from
    then on as long as it takes there.
    """

    task: TaskId
    resource: int
    units: float | None = None
    instead_of: int | None = None

    def label(self, plan: Plan) -> str:
        """Assign “Weld” to Robot 2."""
        return f"Assign {quoted(plan, self.task)} to {_name(plan, self.resource)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Adds, changes or moves the assignment."""
        task, resource = plan.task(self.task), _resource(plan, self.resource)
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” is a summary: assign the tasks in it.", ids=(task.id,))
        if resource.kind is ResourceKind.STREAM:
            return AssignStream(self.task, self.resource).apply(plan, schedule)
        replaced, way = plan.ways.replaced(task), other_way(plan, task, self.resource)
        if way is not None and self.units is None and replaced is not None and replaced.resource == self.instead_of:
            return chosen(plan, {task.id: way}).check()
        known = {a.resource: a for a in plan.assignments if a.task == task.id}
        before = known.get(self.resource) or known.get(self.instead_of or 0)
        base = before or Assignment(task.id, self.resource)
        units = base.units if self.units is None else float(self.units)
        new = replace(base, resource=self.resource, units=units)
        gone = {self.resource, self.instead_of}
        if before is None:
            return replace(plan, assignments=(*plan.assignments, new)).check()
        kept = [new if a is before else a for a in plan.assignments]
        kept = [a for a in kept if a is new or a.task != task.id or a.resource not in gone]
        return plan if tuple(kept) == plan.assignments else replace(plan, assignments=tuple(kept)).check()


@dataclass(frozen=True, slots=True)
class UnassignResource:
    """A task uses a resource no more."""

    task: TaskId
    resource: int

    def label(self, plan: Plan) -> str:
        """Take “Weld” off Robot 2."""
        return f"Take {quoted(plan, self.task)} off {_name(plan, self.resource)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes the assignment out."""
        plan.task(self.task)
        kept = tuple(a for a in plan.assignments if (a.task, a.resource) != (self.task, self.resource))
        return plan if len(kept) == len(plan.assignments) else replace(plan, assignments=kept)


@dataclass(frozen=True, slots=True)
class AddResource:
    """The plan has one more resource; `capacity` is in units that can be used at one instant."""

    name: str
    kind: ResourceKind = ResourceKind.WORK
    capacity: float = 1.0

    def label(self, plan: Plan) -> str:
        """Add the resource “Robot 2”."""
        return f"Add the resource “{self.name.strip()}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Appends it, under an id that no other has."""
        if not self.name.strip():
            raise PlanError("A resource needs a name.")
        number = max((resource.id for resource in plan.resources), default=0) + 1
        new = Resource(number, self.name.strip(), self.kind, float(self.capacity))
        new.check()
        return replace(plan, resources=(*plan.resources, new))


@dataclass(frozen=True, slots=True)
class ChangeResource:
    """A resource has another name, capacity, calendar or kind; None leaves it as it is.

    One that `follows_plan` has no calendar of its own any more.
    """

    resource: int
    name: str | None = None
    capacity: float | None = None
    calendar: int | None = None
    follows_plan: bool = False
    kind: ResourceKind | None = None

    def label(self, plan: Plan) -> str:
        """Change Robot 2."""
        return f"Change {_name(plan, self.resource)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets what is given."""
        before = _resource(plan, self.resource)
        if self.name is not None and not self.name.strip():
            raise PlanError(f"“{before.name}” needs a name.")
        after = replace(
            before,
            name=before.name if self.name is None else self.name.strip(),
            capacity=before.capacity if self.capacity is None else float(self.capacity),
            calendar=None if self.follows_plan else before.calendar if self.calendar is None else self.calendar,
            kind=before.kind if self.kind is None else self.kind,
        )
        if ResourceKind.STREAM in {before.kind, after.kind} and before.kind is not after.kind:
            raise PlanError(f"“{before.name}” cannot become a stream, nor anything else once it is one.")
        if after == before:
            return plan
        return replace(plan, resources=tuple(after if r is before else r for r in plan.resources)).check()


@dataclass(frozen=True, slots=True)
class RemoveResource:
    """The plan has a resource less; what was assigned to it is done by the others who do it, or by nobody.

    It is no alternative of any task any more, and nothing is carried to it or from it.
    """

    resource: int

    def label(self, plan: Plan) -> str:
        """Remove Robot 2."""
        return f"Remove {_name(plan, self.resource)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes it out. Raises PlanError for a stream that something runs on."""
        known, users = _resource(plan, self.resource), users_of(plan, self.resource)
        if known.kind is ResourceKind.STREAM and users:
            name = plan.task(users[0]).name
            raise PlanError(f"“{name}” runs on “{known.name}”: put it on another stream first.", ids=users)
        return replace(
            plan,
            resources=tuple(each for each in plan.resources if each is not known),
            assignments=tuple(each for each in plan.assignments if each.resource != known.id),
            alternatives=tuple(each for each in plan.alternatives if each.resource != known.id),
            transports=tuple(each for each in plan.transports if known.id not in (each.origin, each.target)),
        ).check()


def users_of(plan: Plan, resource: int) -> tuple[TaskId, ...]:
    """The tasks that a resource is assigned to."""
    return tuple(each.task for each in plan.assignments if each.resource == resource)


def _resource(plan: Plan, number: int) -> Resource:
    found = next((resource for resource in plan.resources if resource.id == number), None)
    if found is None:
        raise PlanError(f"There is no resource {number} in the plan.")
    return found


def _name(plan: Plan, number: int) -> str:
    return next((resource.name for resource in plan.resources if resource.id == number), "a resource")
