"""Small device plans for the tests of the program package."""

from collections.abc import Iterable

from engine.model import (
    Assignment,
    Buffer,
    Clock,
    Dependency,
    Fill,
    FillKind,
    OperationKind,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    Task,
)
from engine.program.compiler import compile_plan
from engine.program.operation import Program
from engine.program.profile import DeviceProfile, estimate_durations, load_profile
from engine.schedule.cpm import schedule

GPU = load_profile("h200-like")
CPU = load_profile("cpu-default")


def copy_in(buffer: str) -> OperationSpec:
    return OperationSpec(OperationKind.COPY_IN, reads=(buffer,), writes=(buffer,))


def copy_out(buffer: str) -> OperationSpec:
    return OperationSpec(OperationKind.COPY_OUT, reads=(buffer,), writes=(buffer,))


def kernel(name: str, reads: Iterable[str], writes: Iterable[str], **parameters: float) -> OperationSpec:
    return OperationSpec(OperationKind.KERNEL, name, tuple(parameters.items()), tuple(reads), tuple(writes))


def host(name: str, reads: Iterable[str], writes: Iterable[str], **parameters: float) -> OperationSpec:
    return OperationSpec(OperationKind.HOST, name, tuple(parameters.items()), tuple(reads), tuple(writes))


def seeded(name: str, shape: tuple[int, ...] = (1000,), dtype: str = "float32", seed: int = 1) -> Buffer:
    return Buffer(name, shape, dtype, fill=Fill(FillKind.SEED, seed))


def empty(name: str, shape: tuple[int, ...] = (1000,), dtype: str = "float32") -> Buffer:
    return Buffer(name, shape, dtype)


def device_plan(
    operations: Iterable[tuple[str, OperationSpec | None, int | None]],
    links: Iterable[tuple[int, int] | Dependency] = (),
    buffers: Iterable[Buffer] = (),
    streams: int = 3,
) -> Plan:
    """Tasks 1, 2, ... from (name, operation, stream 0, 1, ... or None); links as pairs of task ids."""
    rows = list(operations)
    return Plan(
        name="plan",
        clock=Clock.DEVICE,
        tasks=tuple(
            Task(number, name, is_duration_typed=False, operation=spec, is_milestone=spec is None)
            for number, (name, spec, _) in enumerate(rows, 1)
        ),
        dependencies=tuple(link if isinstance(link, Dependency) else Dependency(*link) for link in links),
        resources=tuple(Resource(100 + i, f"stream {i}", ResourceKind.STREAM) for i in range(streams)),
        assignments=tuple(
            Assignment(number, 100 + stream) for number, (_, _, stream) in enumerate(rows, 1) if stream is not None
        ),
        buffers=tuple(buffers),
        next_task_id=len(rows) + 1,
    )


def compiled(plan: Plan, profile: DeviceProfile = GPU, folder: str = "") -> Program:
    return compile_plan(plan, schedule(plan, estimate_durations(plan, profile)), profile, folder)


def pipeline(frames: int, streams: int = 3) -> Plan:
    """Each frame is copied in, smoothed and copied out on one of the streams."""
    rows: list[tuple[str, OperationSpec | None, int | None]] = [("weights", copy_in("w"), 0)]
    buffers, links = [seeded("w", (3, 3))], []
    for frame in range(frames):
        source, target, stream = f"in {frame}", f"out {frame}", frame % streams
        buffers += [seeded(source, (90, 160), seed=frame), empty(target, (90, 160))]
        rows.append((f"copy in {frame}", copy_in(source), stream))
        rows.append((f"filter {frame}", kernel("convolve", (source, "w"), (target,)), stream))
        links += [(1, len(rows))] if stream else []
        rows.append((f"copy out {frame}", copy_out(target), stream))
    return device_plan(rows, links, buffers, streams)
