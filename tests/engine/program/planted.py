"""Device plans with an inefficiency planted in each: frames through copy in, spin and copy out. Never an example."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.model import (
    Assignment,
    Buffer,
    Clock,
    ConstraintKind,
    Dependency,
    Fill,
    FillKind,
    Memory,
    OperationKind,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    Task,
)

FRAMES = 6
ITEMS = 1 << 20  # 4 MiB: 84 microseconds each way on an H200
MICROSECONDS = 60  # of spin; 73 on an H200


@dataclass
class Draft:
    """A device plan being written."""

    streams: int
    tasks: list[Task] = field(default_factory=list)
    links: list[Dependency] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    buffers: dict[str, Buffer] = field(default_factory=dict)

    def buffer(self, name: str, is_given: bool = False, memory: Memory = Memory.PINNED) -> str:
        fill = Fill(FillKind.SEED, 1 + len(self.buffers)) if is_given else Fill()
        self.buffers.setdefault(name, Buffer(name, (ITEMS,), memory=memory, fill=fill))
        return name

    def add(self, name: str, stream: int, spec: OperationSpec, *after: int) -> int:
        number = len(self.tasks) + 1
        self.tasks.append(Task(number, name, 0, is_duration_typed=False, operation=spec))
        self.assignments.append(Assignment(number, stream + 1))
        self.links += [Dependency(before, number) for before in dict.fromkeys(after)]
        return number

    def copy_in(self, stream: int, buffer: str, *after: int) -> int:
        spec = OperationSpec(OperationKind.COPY_IN, reads=(buffer,), writes=(buffer,))
        return self.add(f"copy in {buffer}", stream, spec, *after)

    def copy_out(self, stream: int, buffer: str, *after: int) -> int:
        spec = OperationSpec(OperationKind.COPY_OUT, reads=(buffer,), writes=(buffer,))
        return self.add(f"copy out {buffer}", stream, spec, *after)

    def spin(self, stream: int, source: str, target: str, *after: int, microseconds: int = MICROSECONDS) -> int:
        parameters = (("microseconds", float(microseconds)),)
        spec = OperationSpec(OperationKind.KERNEL, "spin", parameters, (source,), (target,))
        return self.add(f"spin {source}", stream, spec, *after)

    def plan(self, name: str) -> Plan:
        return Plan(
            name,
            Clock.DEVICE,
            tasks=tuple(self.tasks),
            dependencies=tuple(self.links),
            resources=tuple(Resource(n + 1, f"Stream {n + 1}", ResourceKind.STREAM) for n in range(self.streams)),
            assignments=tuple(self.assignments),
            buffers=tuple(self.buffers.values()),
            next_task_id=len(self.tasks) + 1,
        ).check()


def good(memory: Memory = Memory.PINNED) -> Plan:
    """Six frames on three streams in turn, each with buffers of its own."""
    draft = Draft(3)
    for frame in range(FRAMES):
        raw, clean = draft.buffer(f"raw {frame}", True, memory), draft.buffer(f"clean {frame}", False, memory)
        arrived = draft.copy_in(frame % 3, raw)
        draft.copy_out(frame % 3, clean, draft.spin(frame % 3, raw, clean, arrived))
    return draft.plan("good")


def pageable() -> Plan:
    """The same in memory that the device cannot copy from by itself."""
    return replace(good(Memory.PAGEABLE), name="pageable memory")


def serialized_copies() -> Plan:
    """All copies, in and out, on one stream, while the kernels have their own."""
    draft = Draft(2)
    for frame in range(FRAMES):
        raw, clean = draft.buffer(f"raw {frame}", True), draft.buffer(f"clean {frame}")
        arrived = draft.copy_in(0, raw)
        draft.copy_out(0, clean, draft.spin(1, raw, clean, arrived))
    return draft.plan("serialized copies")


def one_buffer() -> Plan:
    """All frames through one staging buffer: a copy in waits until the kernel before has read it."""
    draft = Draft(3)
    raw, read = draft.buffer("raw", True), 0
    for frame in range(FRAMES):
        clean = draft.buffer(f"clean {frame}")
        arrived = draft.copy_in(frame % 3, raw, *([read] if read else []))
        read = draft.spin(frame % 3, raw, clean, arrived)
        draft.copy_out(frame % 3, clean, read)
    return draft.plan("one buffer")


def barrier() -> Plan:
    """After each frame something small on the default stream, which waits for all of it, and all of the next for it."""
    draft = Draft(4)
    shared = draft.buffer("statistics", True)
    draft.copy_in(3, shared)
    barrier = 0
    for frame in range(FRAMES):
        raw, clean = draft.buffer(f"raw {frame}", True), draft.buffer(f"clean {frame}")
        arrived = draft.copy_in(frame % 3, raw, *([barrier] if barrier else []))
        left = draft.copy_out(frame % 3, clean, draft.spin(frame % 3, raw, clean, arrived))
        barrier = draft.spin(3, shared, draft.buffer("sum"), left, microseconds=1)
    return draft.plan("default-stream barrier")


def wrong_order() -> Plan:
    """Kernels of one stream pinned in the reverse order of their copies: all wait for what arrives last."""
    draft = Draft(3)
    buffers = [(draft.buffer(f"raw {frame}", True), draft.buffer(f"clean {frame}")) for frame in range(FRAMES)]
    arrived = [draft.copy_in(0, raw) for raw, _ in buffers]
    for frame in reversed(range(FRAMES)):
        raw, clean = buffers[frame]
        draft.copy_out(2, clean, draft.spin(1, raw, clean, arrived[frame]))
    plan = draft.plan("wrong order")
    spins = [task for task in plan.tasks if task.name.startswith("spin")]
    pinned = {
        task.id: replace(task, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=10_000_000 + at)
        for at, task in enumerate(spins)
    }
    return replace(plan, tasks=tuple(pinned.get(task.id, task) for task in plan.tasks))


PLANTED = {
    "memory": pageable,
    "copies": serialized_copies,
    "buffer": one_buffer,
    "barrier": barrier,
    "order": wrong_order,
}
