"""Edits that are typed into one cell: a duration, a finish, a priority, who does a task. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Assignment, Clock, ConstraintKind, Plan, Resource, ResourceKind, TaskId, Ticks
from engine.schedule.schedule import Schedule
from engine.session.edits import quoted, with_tasks
from engine.session.effort import resized
from engine.session.giving_way import in_brackets, lost_delays


@dataclass(frozen=True, slots=True)
class SetDuration:
    """A task lasts `duration` ticks, working ones unless elapsed; one of no time is a milestone.

    None: on a device plan as long as the profile says.
    """

    task: TaskId
    duration: Ticks | None
    is_elapsed: bool = False

    def label(self, plan: Plan) -> str:
        """Set the duration of “Design”."""
        return f"Set the duration of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the duration, and by it work or units of assignments."""
        task = plan.task(self.task)
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” is a summary: it lasts as long as the tasks in it.", ids=(task.id,))
        if self.duration is None:
            if task.operation is None:
                raise PlanError(
                    f"“{task.name}” needs a duration: it does no operation that has a cost.", ids=(task.id,)
                )
            return with_tasks(plan, [replace(task, is_duration_typed=False)])
        is_milestone = self.duration == 0 and plan.clock is Clock.CALENDAR
        typed = replace(
            task,
            duration=int(self.duration),
            is_duration_typed=True,
            is_elapsed=self.is_elapsed,
            is_milestone=is_milestone,
        )
        return resized(plan, typed)


@dataclass(frozen=True, slots=True)
class SetFinish:
    """A task finishes no earlier than `at`, in ticks; one whose dates are set by hand finishes then.

    Its leveling delay gives way to that.
    """

    task: TaskId
    at: Ticks

    def label(self, plan: Plan) -> str:
        """Set the finish of “Design”; or: Set the finish of “Design” (without its leveling delay)."""
        return f"Set the finish of {quoted(plan, self.task)}{in_brackets((lost_delays(plan, (self.task,)),))}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the constraint in place of the one there is."""
        task = plan.task(self.task)
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” is a summary: it finishes when the tasks in it do.", ids=(task.id,))
        if plan.clock is Clock.DEVICE:
            sentence = f"“{task.name}” runs on a device and finishes when it is done: type its start or its duration."
            raise PlanError(sentence, ids=(task.id,))
        if task.is_manual and task.manual_start is not None:
            if self.at < task.manual_start:
                raise PlanError(f"“{task.name}” cannot finish before it starts.", ids=(task.id,))
            return with_tasks(plan, [replace(task, manual_finish=int(self.at))])
        kind = ConstraintKind.FINISH_NO_EARLIER_THAN
        return with_tasks(plan, [replace(task, constraint=kind, constraint_at=int(self.at), delay=0)])


@dataclass(frozen=True, slots=True)
class SetPriority:
    """How important a task is when resources are leveled: 0 to 1000, which is never delayed."""

    task: TaskId
    priority: int

    def label(self, plan: Plan) -> str:
        """Set the priority of “Design”."""
        return f"Set the priority of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the priority."""
        return with_tasks(plan, [replace(plan.task(self.task), priority=self.priority)])


@dataclass(frozen=True, slots=True)
class SetStaff:
    """A task is done by those of these names, with so many units each, and by nobody else.

    A name that no resource has is that of a new one. Streams stay as they are.
    """

    task: TaskId
    staff: tuple[tuple[str, float], ...]

    def label(self, plan: Plan) -> str:
        """Set the resources of “Design”."""
        return f"Set the resources of {quoted(plan, self.task)}"

    def new_names(self, plan: Plan) -> tuple[str, ...]:
        """The names that no resource has yet."""
        known = {resource.name.casefold() for resource in plan.resources}
        return tuple(name for name, _ in self.staff if name.casefold() not in known)

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces the assignments; one that stays keeps its work and its contour."""
        task = plan.task(self.task)
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” is a summary: assign the tasks in it.", ids=(task.id,))
        number = max((resource.id for resource in plan.resources), default=0)
        made = tuple(Resource(number + at, name) for at, name in enumerate(self.new_names(plan), 1))
        resources = (*plan.resources, *made)
        by_name = {each.name.casefold(): each for each in reversed(resources) if each.kind is not ResourceKind.STREAM}
        streams = {each.id for each in plan.streams}
        before = {each.resource: each for each in plan.assignments if each.task == task.id}
        after = [before[resource] for resource in before if resource in streams]
        for name, units in self.staff:
            resource = by_name.get(name.casefold())
            if resource is None:
                raise PlanError(f"“{name}” is a stream: it does no task of a calendar.", ids=(task.id,))
            after.append(replace(before.get(resource.id, Assignment(task.id, resource.id)), units=units))
        if after == list(before.values()):
            return plan
        others = tuple(each for each in plan.assignments if each.task != task.id)
        return replace(plan, resources=resources, assignments=(*others, *after)).check()
