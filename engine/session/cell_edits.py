"""Edits that are typed into one cell: a duration, a finish, a priority, who does a task. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Assignment, Clock, ConstraintKind, Plan, Resource, Task, TaskId, Ticks
from engine.schedule.schedule import Schedule
from engine.session.edits import AddTask, quoted, with_tasks
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
        return resized(plan, self.task_after(plan, schedule))

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task with that duration."""
        task = plan.task(self.task)
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” is a summary: it lasts as long as the tasks in it.", ids=(task.id,))
        if self.duration is None:
            if task.operation is None:
                raise PlanError(
                    f"“{task.name}” needs a duration: it does no operation that has a cost.", ids=(task.id,)
                )
            return replace(task, is_duration_typed=False)
        is_milestone = self.duration == 0 and plan.clock is Clock.CALENDAR
        return replace(
            task,
            duration=int(self.duration),
            is_duration_typed=True,
            is_elapsed=self.is_elapsed,
            is_milestone=is_milestone,
        )


@dataclass(frozen=True, slots=True)
class AddTasks:
    """Several new tasks as AddTask makes one, below each other. Their ids are given out in order."""

    names: tuple[str, ...]
    after: TaskId | None = None

    def label(self, plan: Plan) -> str:
        """Add 3 tasks."""
        return f"Add {f'“{self.names[0]}”' if len(self.names) == 1 else f'{len(self.names)} tasks'}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Inserts the first as AddTask does, and the others below it."""
        if not self.names:
            return plan
        made = AddTask(self.names[0], after=self.after).apply(plan)
        first = made.task(plan.next_task_id)
        more = [replace(first, id=first.id + at, name=name.strip()) for at, name in enumerate(self.names[1:], 1)]
        if not all(task.name for task in more):
            raise PlanError("A task needs a name.")
        row = made.rows[first.id] + 1
        tasks = (*made.tasks[:row], *more, *made.tasks[row:])
        return replace(made, tasks=tasks, next_task_id=made.next_task_id + len(more))


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
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task that finishes then."""
        task = plan.task(self.task)
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” is a summary: it finishes when the tasks in it do.", ids=(task.id,))
        if plan.clock is Clock.DEVICE:
            sentence = f"“{task.name}” runs on a device and finishes when it is done: type its start or its duration."
            raise PlanError(sentence, ids=(task.id,))
        if task.is_manual and task.manual_start is not None:
            if self.at < task.manual_start:
                raise PlanError(f"“{task.name}” cannot finish before it starts.", ids=(task.id,))
            return replace(task, manual_finish=int(self.at))
        kind = ConstraintKind.FINISH_NO_EARLIER_THAN
        return replace(task, constraint=kind, constraint_at=int(self.at), delay=0)


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
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task with that priority."""
        return replace(plan.task(self.task), priority=self.priority)


@dataclass(frozen=True, slots=True)
class SetNotes:
    """What a person wrote down of a task; an empty text takes it away."""

    task: TaskId
    text: str

    def label(self, plan: Plan) -> str:
        """Set the notes of “Design”."""
        return f"Set the notes of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets them, without the space around them."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task with these notes."""
        return plan.task(self.task).with_notes("\n".join(self.text.splitlines()).strip())


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
        return staffed(plan, {self.task: self.staff})


def staffed(plan: Plan, staff: Mapping[TaskId, Sequence[tuple[str, float]]]) -> Plan:
    """The plan in which each of these tasks is done as SetStaff says; checked once for all."""
    by_name = {each.name.casefold(): each for each in reversed(plan.resources)}
    resources, streams = list(plan.resources), {each.id for each in plan.streams}
    number = max((resource.id for resource in plan.resources), default=0)
    before: dict[TaskId, dict[int, Assignment]] = {task: {} for task in staff}
    for each in plan.assignments:
        if each.task in before:
            before[each.task][each.resource] = each
    made: list[Assignment] = []
    changed: set[TaskId] = set()
    for task, names in staff.items():
        if plan.is_summary(task):
            raise PlanError(f"“{plan.title_of(task)}” is a summary: assign the tasks in it.", ids=(task,))
        after = [each for each in before[task].values() if each.resource in streams]
        for name, units in names:
            if name.casefold() not in by_name:
                number += 1
                by_name[name.casefold()] = Resource(number, name)
                resources.append(by_name[name.casefold()])
            resource = by_name[name.casefold()]
            if resource.id in streams:
                raise PlanError(f"“{name}” is a stream: it does no task of a calendar.", ids=(task,))
            after.append(replace(before[task].get(resource.id, Assignment(task, resource.id)), units=units))
        if after != list(before[task].values()):
            changed.add(task)
            made += after
    if not changed:
        return plan
    kept = tuple(each for each in plan.assignments if each.task not in changed)
    return replace(plan, resources=tuple(resources), assignments=(*kept, *made)).check()
