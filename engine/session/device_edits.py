"""Edits that only a device plan knows: what a task does, on which buffers, on which stream. They never keep a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import (
    Assignment,
    Buffer,
    Clock,
    KernelSpec,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    Task,
    TaskId,
    Ticks,
)
from engine.program.advice import Advice
from engine.program.changes import with_pins
from engine.program.checks import fault_of
from engine.schedule.schedule import Schedule


@dataclass(frozen=True, slots=True)
class AssignStream:
    """A task of a device plan runs on the stream with this resource id, and on no other."""

    task: TaskId
    resource: int

    def label(self, plan: Plan) -> str:
        """Put “Blur” on stream 2."""
        name = next((stream.name for stream in plan.streams if stream.id == self.resource), "a stream")
        return f"Put “{plan.task(self.task).name}” on {name}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces the assignment to a stream; others stay."""
        task = plan.task(self.task)
        if plan.is_summary(self.task):
            raise PlanError(f"“{task.name}” is a summary: put the tasks in it on streams.", ids=(task.id,))
        if not any(r.id == self.resource and r.kind is ResourceKind.STREAM for r in plan.resources):
            raise PlanError(
                f"“{task.name}” cannot run there: {self.resource} is no stream of the plan.", ids=(task.id,)
            )
        held = plan.stream_of.get(self.task)
        if held == self.resource:
            return plan
        new = Assignment(self.task, self.resource)
        if held is None:
            return replace(plan, assignments=(*plan.assignments, new))
        assignments = (new if a.task == self.task and a.resource == held else a for a in plan.assignments)
        return replace(plan, assignments=tuple(assignments))


@dataclass(frozen=True, slots=True)
class SetOperation:
    """A task of a device plan does an operation, on the stream of this name, with these buffers that are new.

    A stream that is not in the plan is added to it. `duration` is in ticks; without one the profile's cost counts.
    """

    task: TaskId
    spec: OperationSpec
    stream: str
    buffers: tuple[Buffer, ...] = ()
    duration: Ticks | None = None

    def label(self, plan: Plan) -> str:
        """Set the operation of “Blur”."""
        return f"Set the operation of “{plan.task(self.task).name}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets all of it at once; buffers that only the earlier operation used go."""
        task = plan.task(self.task)
        self._check(plan, task)
        known = _kept_buffers(plan, task, self.spec)
        _check_new(task, known, self.buffers)
        buffers = (*known, *self.buffers)
        if fault := fault_of(self.spec, {buffer.id: buffer for buffer in buffers}, plan.kernels):
            raise PlanError(f"“{task.name}” cannot run so. {fault}", ids=(task.id,))
        done = replace(
            task,
            operation=self.spec,
            is_milestone=False,
            is_duration_typed=self.duration is not None,
            duration=task.duration if self.duration is None else int(self.duration),
        )
        done.check()
        changed = replace(_with_stream(plan, self.stream.strip()), buffers=buffers).with_task(done)
        stream = next(stream.id for stream in changed.streams if stream.name == self.stream.strip())
        changed = AssignStream(self.task, stream).apply(changed)
        return plan if changed == plan else changed

    def _check(self, plan: Plan, task: Task) -> None:
        if plan.clock is not Clock.DEVICE:
            raise PlanError("Only a task of a device plan can do an operation.", ids=(task.id,))
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” holds other tasks: it cannot do an operation.", ids=(task.id,))
        if not self.stream.strip():
            raise PlanError(f"“{task.name}” needs a stream to run on: give one a name.", ids=(task.id,))
        if self.duration is not None and self.duration < 0:
            raise PlanError(f"“{task.name}” cannot last less than no time.", ids=(task.id,))


@dataclass(frozen=True, slots=True)
class TakeKit:
    """A device plan knows the kernels that a kit declares, in the place of those it knew of that kit; none: no more."""

    kit: str
    kernels: tuple[KernelSpec, ...]

    def label(self, plan: Plan) -> str:
        """Take in the kit “filters”."""
        return f"Take in the kit “{self.kit}”" if self.kernels else f"Forget the kit “{self.kit}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces the kit's kernels. PlanError for a name that another kit has, or one still used that would go."""
        if plan.clock is not Clock.DEVICE:
            raise PlanError("Only a device plan runs kernels.")
        others = tuple(kernel for kernel in plan.kernels if kernel.kit != self.kit)
        taken = {kernel.name: kernel.kit for kernel in others}
        for kernel in self.kernels:
            kernel.check()
            if kernel.name in taken:
                raise PlanError(f"The kit “{taken[kernel.name]}” has a kernel named “{kernel.name}” already.")
        gone = {kernel.name for kernel in plan.kernels} - set(taken) - {kernel.name for kernel in self.kernels}
        users = tuple(task for task in plan.tasks if task.operation is not None and task.operation.kernel in gone)
        if users:
            name = users[0].operation.kernel if users[0].operation else ""
            sentence = f"“{users[0].name}” runs the kernel “{name}”, which would go: give it another operation first."
            raise PlanError(sentence, ids=tuple(task.id for task in users))
        kernels = (*others, *self.kernels)
        return plan if kernels == plan.kernels else replace(plan, kernels=kernels)


@dataclass(frozen=True, slots=True)
class TakeAdvice:
    """A device plan is changed as it was advised."""

    advice: Advice

    def label(self, plan: Plan) -> str:
        """Pin the memory of buffers."""
        return {
            "memory": "Pin the memory of buffers",
            "buffer": "Add a second buffer",
            "barrier": "Remove links that no buffer needs",
            "copies": "Let copies run beside each other",
            "order": "Change the order on a stream",
            "streams": "Spread the work over streams",
        }[self.advice.kind]

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """All of it at once. PlanError when the plan is no longer the one that the advice was for."""
        operations = {task.id for task in plan.tasks if task.operation is not None}
        buffers = {buffer.id for buffer in plan.buffers}
        if operations != set(self.advice.order) or not buffers.issuperset(self.advice.buffers):
            raise PlanError("The plan has changed since this was advised; look at the advice of the next run.")
        return with_pins(self.advice.change.apply(plan, self.advice.order), self.advice.pins).check()


def _kept_buffers(plan: Plan, task: Task, spec: OperationSpec) -> tuple[Buffer, ...]:
    """The plan's buffers without those that only the task's earlier operation used."""
    before = task.operation
    left = set() if before is None else {*before.reads, *before.writes}
    left -= {*spec.reads, *spec.writes}
    for other in plan.tasks:
        if other.id != task.id and other.operation is not None:
            left -= {*other.operation.reads, *other.operation.writes}
    return tuple(buffer for buffer in plan.buffers if buffer.id not in left)


def _check_new(task: Task, known: Sequence[Buffer], new: Sequence[Buffer]) -> None:
    taken = {buffer.id for buffer in known}
    for buffer in new:
        if not buffer.id.strip():
            raise PlanError(f"A new buffer of “{task.name}” needs a name.", ids=(task.id,))
        if buffer.id in taken:
            raise PlanError(f"There is a buffer “{buffer.id}” already: choose another name.", ids=(task.id,))
        buffer.check()
        taken.add(buffer.id)


def _with_stream(plan: Plan, name: str) -> Plan:
    """The plan with a stream of this name, which is added when there is none."""
    if any(stream.name == name for stream in plan.streams):
        return plan
    number = max((resource.id for resource in plan.resources), default=0) + 1
    return replace(plan, resources=(*plan.resources, Resource(number, name, ResourceKind.STREAM)))
