"""compile_plan: a device plan and its schedule become a program, or one sentence says why not. It never runs one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.errors import CompileError
from engine.kernels import Kernel, find_kernel
from engine.kernels.kernel import PART_NS
from engine.model import Buffer, Clock, KernelSpec, Plan, Side, Task, TaskId
from engine.program.checks import fault_of, kernel_of, nbytes_of
from engine.program.operation import Operation, Program
from engine.program.order import Ordered, check_buffers, order_operations
from engine.program.profile import DeviceProfile, bound_of, cost_ns, work_ns
from engine.program.reuse import bytes_apart
from engine.schedule.schedule import Schedule


def compile_plan(plan: Plan, schedule: Schedule, profile: DeviceProfile, folder: str = "") -> Program:
    """The program of a device plan that keeps its own rules. `schedule` is the plan's; `folder` holds files that fill
    buffers.

    Raises CompileError with a sentence that names the tasks it concerns, MissingLinkError for a race on a buffer.
    """
    if plan.clock is not Clock.DEVICE:
        raise CompileError(f"“{plan.name}” is a calendar plan; a run needs a device plan.")
    buffers = {buffer.id: buffer for buffer in plan.buffers}
    _check_tasks(plan, buffers)
    ordered = order_operations(plan, schedule)
    if not ordered:
        raise CompileError(f"“{plan.name}” has no operation to run.")
    check_buffers(ordered, buffers)
    used = {name for op in ordered for name in (*op.spec.reads, *op.spec.writes)}
    apart = bytes_apart([op.spec for op in ordered], buffers)
    written = {name for op in ordered for name, side in op.spec.accesses()[1] if side is Side.HOST}
    return Program(
        name=plan.name,
        streams=tuple(stream.name for stream in plan.streams),
        operations=tuple(
            _operation(op, buffers, profile, plan.kernels, since) for op, since in zip(ordered, apart, strict=True)
        ),
        buffers=tuple(buffer for buffer in plan.buffers if buffer.id in used),
        outputs=tuple(buffer.id for buffer in plan.buffers if buffer.id in written),
        folder=folder,
        engines=profile.engines,
        kits=tuple(kernel for kernel in plan.kernels if any(op.spec.kernel == kernel.name for op in ordered)),
    )


def lay_streams(plan: Plan, count: int) -> Plan:
    """The plan with its streams laid onto `count`: stream i onto i % count, the others dropped.

    A plan with no more streams than that stays as it is. Raises CompileError for a count below 1.
    """
    if count < 1:
        raise CompileError(f"A run needs at least one stream, not {count}.")
    streams = plan.streams
    target = {stream.id: streams[index % count].id for index, stream in enumerate(streams)}
    assignments = tuple(replace(a, resource=target.get(a.resource, a.resource)) for a in plan.assignments)
    dropped = {stream.id for stream in streams[count:]}
    resources = tuple(resource for resource in plan.resources if resource.id not in dropped)
    return replace(plan, resources=resources, assignments=assignments) if dropped else plan


def _check_tasks(plan: Plan, buffers: Mapping[str, Buffer]) -> None:
    streams: dict[TaskId, int] = defaultdict(int)
    known = {stream.id for stream in plan.streams}
    for assignment in plan.assignments:
        streams[assignment.task] += assignment.resource in known
    for task in plan.tasks:
        if not plan.is_summary(task.id) and (fault := _task_fault(task, streams[task.id], buffers, plan.kernels)):
            raise CompileError(fault, ids=(task.id,))


def _task_fault(task: Task, streams: int, buffers: Mapping[str, Buffer], kits: Sequence[KernelSpec]) -> str:
    if task.operation is None:
        return f"“{task.name}” has a duration but no operation to run." if task.duration else ""
    if streams == 0:
        return f"“{task.name}” has an operation but no stream; assign it to one."
    if streams > 1:
        return f"“{task.name}” is on {streams} streams; an operation runs on one."
    if fault := fault_of(task.operation, buffers, kits):
        return f"“{task.name}” cannot run. {fault}"
    return ""


def _operation(
    ordered: Ordered, buffers: Mapping[str, Buffer], profile: DeviceProfile, kits: Sequence[KernelSpec], apart: int
) -> Operation:
    task, spec = ordered.task, ordered.spec
    name = kernel_of(spec)
    kernel = find_kernel(name, kits) if name else None
    estimate, work = (cost(profile, spec, buffers, kits, apart) for cost in (cost_ns, work_ns))
    complete = kernel.complete(spec.parameters) if kernel else {}
    cost = task.duration if task.is_duration_typed else estimate
    return Operation(
        task=task.id,
        name=task.name,
        kind=spec.kind,
        stream=ordered.stream,
        kernel=name,
        parameters=tuple(complete.items()),
        reads=spec.reads,
        writes=spec.writes,
        waits=ordered.waits,
        parts=_parts(kernel, estimate, [buffers[name] for name in (*spec.reads, *spec.writes)], complete),
        nbytes=nbytes_of(spec, buffers),
        apart=apart,
        cost_ns=cost,
        # A device knows nothing of typed durations: it may do in less what one says, and a plan may say less.
        work_ns=min(cost, work),
        launch_ns=0 if task.is_duration_typed else max(0, cost - work),
        lanes=profile.lanes_taken(spec.kind, name),
        bound=bound_of(profile, spec, buffers, kits),
        is_once=spec.is_once,
    )


def _parts(kernel: Kernel | None, estimate: int, buffers: Sequence[Buffer], parameters: Mapping[str, float]) -> int:
    """By the estimate, also where a duration was typed: a part is a share of the work that is really done."""
    if kernel:
        return kernel.parts(estimate, [buffer.shape for buffer in buffers], parameters)
    return min(buffers[0].items, math.ceil(estimate / PART_NS))
