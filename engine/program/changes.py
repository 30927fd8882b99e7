"""Changes of a device plan that let it run faster and compute the same. They never say whether one is worth it.

Two operations that conflict, one writing a side of a buffer that the other touches, keep their order: where a change
takes away what ordered them, a link is added.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.model import (
    Assignment,
    ConstraintKind,
    Dependency,
    Memory,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    TaskId,
    Ticks,
)

Order = tuple[TaskId, ...]


@dataclass(frozen=True, slots=True)
class PinMemory:
    """The host sides of these buffers lie in pinned memory."""

    buffers: tuple[str, ...]

    def apply(self, plan: Plan, order: Order) -> Plan:
        """The changed plan. `order` is that of the plan's operations when they run."""
        return replace(
            plan, buffers=tuple(replace(b, memory=Memory.PINNED) if b.id in self.buffers else b for b in plan.buffers)
        )


@dataclass(frozen=True, slots=True)
class Unlink:
    """These (predecessor, successor) links go."""

    links: tuple[tuple[TaskId, TaskId], ...]

    def apply(self, plan: Plan, order: Order) -> Plan:
        """The changed plan."""
        kept = (link for link in plan.dependencies if (link.predecessor, link.successor) not in self.links)
        return linked(replace(plan, dependencies=tuple(kept)), order)


@dataclass(frozen=True, slots=True)
class Restream:
    """Tasks run on the streams of these names; one that is not there is added."""

    streams: tuple[tuple[TaskId, str], ...]

    def apply(self, plan: Plan, order: Order) -> Plan:
        """The changed plan."""
        ids = {stream.name: stream.id for stream in plan.streams}
        resources = list(plan.resources)
        for name in dict(self.streams).values():
            if name not in ids:
                ids[name] = max((resource.id for resource in resources), default=0) + 1
                resources.append(Resource(ids[name], name, ResourceKind.STREAM))
        moved = {task: ids[name] for task, name in self.streams}
        streams = {stream.id for stream in plan.streams}
        assignments = tuple(
            Assignment(a.task, moved[a.task]) if a.task in moved and a.resource in streams else a
            for a in plan.assignments
        )
        return linked(replace(plan, resources=tuple(resources), assignments=assignments), order)


@dataclass(frozen=True, slots=True)
class Reorder:
    """Tasks start no earlier than these instants, which is what decides the order on their streams."""

    pins: tuple[tuple[TaskId, Ticks], ...]

    def apply(self, plan: Plan, order: Order) -> Plan:
        """The changed plan; a run does not wait for pins."""
        return linked(with_pins(plan, self.pins), order)


@dataclass(frozen=True, slots=True)
class SecondBuffer:
    """What uses one of these buffers takes turns with a second one: each time that it is filled anew, the other."""

    buffers: tuple[str, ...]

    def apply(self, plan: Plan, order: Order) -> Plan:
        """The changed plan; links that only the one buffer asked for go."""
        changed = plan
        for name in self.buffers:
            buffer = next(buffer for buffer in plan.buffers if buffer.id == name)
            second = replace(buffer, id=_free_name(changed, name))
            users = dict.fromkeys((task for turn in turns(plan, order, name)[1::2] for task in turn), second.id)
            tasks = tuple(
                replace(task, operation=_using(task.operation, name, users[task.id]))
                if task.operation is not None and task.id in users
                else task
                for task in changed.tasks
            )
            changed = replace(changed, tasks=tasks, buffers=(*changed.buffers, second))
        kept = tuple(
            link
            for link in plan.dependencies
            if conflicts(changed, link.predecessor, link.successor)
            or not conflicts(plan, link.predecessor, link.successor)
        )
        return linked(replace(changed, dependencies=kept), order)


Change = PinMemory | Unlink | Restream | Reorder | SecondBuffer


def with_pins(plan: Plan, pins: tuple[tuple[TaskId, Ticks], ...]) -> Plan:
    """The plan with tasks that start no earlier than these instants."""
    place = dict(pins)
    kind = ConstraintKind.START_NO_EARLIER_THAN
    tasks = tuple(
        replace(task, constraint=kind, constraint_at=place[task.id]) if task.id in place else task
        for task in plan.tasks
    )
    return replace(plan, tasks=tasks)


def conflicts(plan: Plan, first: TaskId, second: TaskId) -> bool:
    """Whether one of two tasks writes a side of a buffer that the other touches."""
    specs = (plan.task(first).operation, plan.task(second).operation)
    if specs[0] is None or specs[1] is None:
        return False
    (reads, writes), (other_reads, other_writes) = specs[0].accesses(), specs[1].accesses()
    return bool(writes & (other_reads | other_writes) or reads & other_writes)


def turns(plan: Plan, order: Order, buffer: str) -> list[list[TaskId]]:
    """The operations that use a buffer, in turns: one begins where the buffer is written without being read."""
    found: list[list[TaskId]] = []
    for task in order:
        spec = plan.task(task).operation
        if spec is None or buffer not in (*spec.reads, *spec.writes):
            continue
        # A copy in carries a host side that nothing has written since: it fills the device side anew.
        is_filled = buffer in spec.writes and (buffer not in spec.reads or spec.kind.value == "copy_in")
        if is_filled or not found:
            found.append([])
        found[-1].append(task)
    return found


def linked(plan: Plan, order: Order) -> Plan:
    """The plan with a link for every two operations that conflict and that nothing orders any more.

    `order` says which of two comes first. O(n^2) in the number of operations that use one buffer.
    """
    after: dict[TaskId, set[TaskId]] = {task: set() for task in order}
    for link in plan.dependencies:
        if link.successor in after:
            after[link.successor].add(link.predecessor)
    place = {task: at for at, task in enumerate(order)}
    past: dict[TaskId, set[TaskId]] = {}
    new: list[Dependency] = []
    users: dict[str, list[TaskId]] = {}
    for task in order:
        known = past[task] = set[TaskId]()
        for before in after[task]:
            known |= {before} | past.get(before, set())
        spec = plan.task(task).operation
        names = dict.fromkeys((*spec.reads, *spec.writes)) if spec is not None else {}
        others = dict.fromkeys(other for name in names for other in users.get(name, ()))
        for other in sorted(others, key=place.__getitem__, reverse=True):
            if other not in known and conflicts(plan, other, task):
                known |= {other} | past[other]
                # On one stream the order of the two is the stream's, which follows links too.
                new.append(Dependency(other, task))
        for name in names:
            users.setdefault(name, []).append(task)
    return replace(plan, dependencies=(*plan.dependencies, *new)) if new else plan


def _using(spec: OperationSpec, old: str, new: str) -> OperationSpec:
    reads, writes = (tuple(new if name == old else name for name in names) for names in (spec.reads, spec.writes))
    return replace(spec, reads=reads, writes=writes)


def _free_name(plan: Plan, name: str) -> str:
    taken = {buffer.id for buffer in plan.buffers}
    return next(found for number in range(2, 1 << 20) if (found := f"{name} {number}") not in taken)
