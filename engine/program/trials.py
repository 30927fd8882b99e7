"""Trials: the small programs that a calibration times on a device, through the same way that every run takes.

They never run themselves; calibration.py makes a profile of what was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np

from engine.kernels import KERNELS, find_kernel
from engine.kernels.kernel import Cost, Kernel, Probe
from engine.model import Buffer, Fill, FillKind, Memory, OperationKind, OperationSpec
from engine.program.checks import kernel_of, nbytes_of, shapes_of
from engine.program.operation import Operation, Program
from engine.program.profile import DeviceProfile, bound_of, cost_ns

COPIED_BYTES = (1 << 12, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 23, 1 << 25)
# Repetitions of one operation: as many as take about so long, within limits; the first two only warm up.
TRIAL_NS, LEAST, MOST, WARM_UP = 50_000_000, 9, 20, 2
CROWD_NS = 120_000_000
CROWDED_BYTES = 1 << 23
# A trial takes so many sets of buffers in turn, as far as they take no more bytes than that: no run works again and
# again on what it used just before, and what others have used meanwhile is gone from a processor's caches.
SETS, SETS_BYTES = 16, 1 << 27
# In a crowd, which is compared with one alone that does the same, fewer do.
CROWD_BYTES = 1 << 26
# How much sooner a copy is done whose buffers were used not long ago: so many sets of this size in turn.
REUSED_BYTES, REUSED_SETS = 1 << 22, (1, 2, 4, 8, 16, 32)
HANDOVERS = 60
# Work that is long enough for the other stream to fall asleep meanwhile, and less for that to do; on data that drive
# what the host needs next out of a processor's nearest cache, as they do in a run.
WAKING, WOKEN = (Probe(((1 << 20,), (1 << 20,)), (("microseconds", time),)) for time in (800.0, 20.0))
# What goes on beside kernels.
MORE = (OperationKind.COPY_IN, OperationKind.COPY_OUT, OperationKind.HOST)
# Kernels that crowd a device: one bound by a chain of steps, one by arithmetic, one by memory. Each takes a millisecond
# or two, as copies of CROWDED_BYTES do: of what is shorter, most would be what the host does after each.
CROWDS = {
    "spin": Probe(((1,), (1,)), (("microseconds", 2000.0),)),
    "convolve": Probe(((256, 256), (11, 11), (256, 256))),
    "particles": Probe(((1 << 20,),) * 4),
}


@dataclass(frozen=True, slots=True)
class Trial:
    """A program and those of its tasks whose spans count.

    `what`: copy_in, copy_out or copy_within (of `nbytes`, in `name`d memory), kernel or host (of that name and `cost`),
    launch, wake, reuse, or crowd (`at_once` operations beside each other, among them kernels of that name). `apart` is
    how many bytes were touched from one use of a copied buffer to the end of the next.
    """

    what: str
    name: str
    program: Program
    timed: frozenset[int]
    nbytes: int = 0
    cost: Cost = Cost(0, 0)  # noqa: RUF009  (frozen)
    at_once: int = 1
    apart: int = 0

    def is_chain(self, profile: DeviceProfile) -> bool:
        """Whether its steps, each of which needs the one before, take longer than its arithmetic and memory."""
        steps = self.cost.steps / profile.steps_per_second
        flops, nbytes = self.cost.flops / profile.flops_per_second, self.cost.nbytes / profile.memory_bytes_per_second
        return steps > max(flops, nbytes)


def trials(base: DeviceProfile, *, is_shared: bool) -> Iterator[Trial]:
    """Every trial of a device. `base` estimates how often a trial is repeated, its lanes say what goes on at once;
    `is_shared`: the device's engines share processors and memory, so that what crowding costs is timed too."""
    yield _handover(base, is_shared=is_shared)
    yield _wake(base)
    if is_shared:  # first, for the last trials are those that are not always timed twice
        yield from _crowds(base)
        yield from (_reuse(base, count) for count in REUSED_SETS)
    for memory in Memory:
        for kind in (OperationKind.COPY_IN, OperationKind.COPY_OUT):
            yield from (_copy(base, kind, nbytes, memory) for nbytes in COPIED_BYTES)
    yield from (_copy(base, OperationKind.COPY_WITHIN, nbytes, Memory.PINNED) for nbytes in COPIED_BYTES)
    for kernel in KERNELS:
        for kind in (OperationKind.KERNEL, OperationKind.HOST):
            yield from (_kernel(base, kind, kernel, probe) for probe in kernel.probes())


def _handover(base: DeviceProfile, *, is_shared: bool) -> Trial:
    """Work that goes from engine to engine on one stream: what passes between two operations is the launch.

    It is little work, or where engines share processors as long as it is in a run: they have other things to do.
    """
    draft = _Draft(base)
    name, probe = ("spin", WAKING) if is_shared else ("tanh", Probe(((64,), (64,))))
    spec = draft.kernel(OperationKind.KERNEL, name, probe)
    for _ in range(HANDOVERS):
        draft.add(0, OperationSpec(OperationKind.COPY_IN, reads=spec.reads, writes=spec.reads))
        draft.add(0, spec)
        draft.add(0, OperationSpec(OperationKind.COPY_OUT, reads=spec.writes, writes=spec.writes))
    timed = frozenset(op.task for op in draft.operations[3 * WARM_UP :])
    return Trial("launch", "", draft.program("Launch"), timed)


def _wake(base: DeviceProfile) -> Trial:
    """A stream that goes on, and one that each time waits for it and sleeps meanwhile: what passes until it begins."""
    draft = _Draft(base)
    one, other = (draft.kernel(OperationKind.KERNEL, "spin", probe) for probe in (WAKING, WOKEN))
    tasks = []
    for _ in range(HANDOVERS):
        tasks.append(draft.add(0, one))
        tasks.append(draft.add(1, other, waits=(tasks[-1],)))
    return Trial("wake", "", draft.program("Wake"), frozenset(tasks[2 * WARM_UP :]))


def _reuse(base: DeviceProfile, count: int) -> Trial:
    draft = _Draft(base)
    specs = [draft.copy(OperationKind.COPY_IN, REUSED_BYTES, Memory.PINNED) for _ in range(count)]
    tasks = [draft.add(0, specs[n % count]) for n in range(WARM_UP + count + MOST)]
    apart = 2 * count * REUSED_BYTES
    timed = frozenset(tasks[WARM_UP + count :])
    return Trial("reuse", Memory.PINNED.value, draft.program("Reuse"), timed, REUSED_BYTES, apart=apart)


def _copy(base: DeviceProfile, kind: OperationKind, nbytes: int, memory: Memory) -> Trial:
    draft = _Draft(base)
    specs = draft.sets(partial(draft.copy, kind, nbytes, memory))
    timed = draft.repeat(0, specs, TRIAL_NS)
    apart, name = 2 * len(specs) * nbytes, kind.value.replace("_", " ")
    return Trial(kind.value, memory.value, draft.program(name), timed, nbytes, apart=apart)


def _kernel(base: DeviceProfile, kind: OperationKind, kernel: Kernel, probe: Probe) -> Trial:
    draft = _Draft(base)
    specs = draft.sets(partial(draft.kernel, kind, kernel.name, probe))
    timed, spec = draft.repeat(0, specs, TRIAL_NS), specs[0]
    cost = kernel.cost(shapes_of(spec, draft.buffers), kernel.complete(spec.parameters))
    return Trial(
        "host" if kind is OperationKind.HOST else "kernel", kernel.name, draft.program(kernel.name), timed, cost=cost
    )


def _crowds(base: DeviceProfile) -> Iterator[Trial]:
    """Each kernel, copy and host work alone; then more and more of the kernel at once, and copies and host work beside
    as many as there may be."""
    most = min(base.most_at_once or len(MORE) + base.compute_lanes, len(MORE) + base.compute_lanes)
    counts = {1, 2, 3, 4, most // 2, most} & set(range(1, min(most, base.compute_lanes) + 1))
    crowds = [(OperationKind.KERNEL,) * number for number in sorted(counts)]
    crowds += [(kind,) for kind in MORE]
    for size in sorted({2, most} & set(range(2, most + 1))):
        beside = [(kind,) for kind in MORE] + [MORE[:number] for number in range(2, min(size, len(MORE)) + 1)]
        crowds += [(*(OperationKind.KERNEL,) * min(base.compute_lanes, size - len(each)), *each) for each in beside]
    for name, probe in CROWDS.items():
        yield from (_crowd(base, name, probe, kinds) for kinds in dict.fromkeys(crowds))


def _crowd(base: DeviceProfile, name: str, probe: Probe, kinds: Sequence[OperationKind]) -> Trial:
    """One stream for each operation, all at work for about as long."""
    draft = _Draft(base)
    timed: set[int] = set()
    for stream, kind in enumerate(kinds):
        is_copy = kind in (OperationKind.COPY_IN, OperationKind.COPY_OUT)
        if is_copy:
            specs = draft.sets(partial(draft.copy, kind, CROWDED_BYTES, Memory.PINNED), CROWD_BYTES)
        else:
            specs = draft.sets(partial(draft.kernel, kind, name, probe), CROWD_BYTES)
        timed |= draft.crowd(stream, specs, CROWD_NS)
    label = name if len(kinds) > 1 or kinds[0] is OperationKind.KERNEL else f"{name} {kinds[0].value}"
    return Trial("crowd", label, draft.program("Crowd"), frozenset(timed), at_once=len(kinds))


class _Draft:
    """A program being written: every operation stands alone on its stream, and no two streams share a buffer."""

    def __init__(self, base: DeviceProfile) -> None:
        self._base = base
        self._tasks = count(1)
        self.buffers: dict[str, Buffer] = {}
        self.operations: list[Operation] = []

    def buffer(self, shape: tuple[int, ...], dtype: str = "float32", memory: Memory = Memory.PINNED) -> str:
        name = f"b{len(self.buffers)}"
        fill = Fill(FillKind.SEED, len(self.buffers))
        self.buffers[name] = Buffer(name, shape, dtype, memory, fill)
        return name

    def copy(self, kind: OperationKind, nbytes: int, memory: Memory) -> OperationSpec:
        source = self.buffer((nbytes // 4,), memory=memory)
        target = self.buffer((nbytes // 4,)) if kind is OperationKind.COPY_WITHIN else source
        return OperationSpec(kind, reads=(source,), writes=(target,))

    def sets(self, make: Callable[[], OperationSpec], most_bytes: int = SETS_BYTES) -> list[OperationSpec]:
        """The same operation on sets of buffers of their own: SETS, or as many as so many bytes allow."""
        found = [make()]
        names = {*found[0].reads, *found[0].writes}
        nbytes = sum(2 * self.buffers[name].items * np.dtype(self.buffers[name].dtype).itemsize for name in names)
        return [*found, *(make() for _ in range(min(SETS, most_bytes // nbytes) - 1))]

    def kernel(self, kind: OperationKind, name: str, probe: Probe) -> OperationSpec:
        """A kernel on buffers of its own; what it reads on the device has been copied in."""
        kernel = find_kernel(name)
        dtypes = probe.dtypes or ("float32",) * len(probe.shapes)
        names = tuple(self.buffer(shape, dtype) for shape, dtype in zip(probe.shapes, dtypes, strict=True))
        return OperationSpec(kind, name, probe.parameters, names[: kernel.read_count], names[kernel.read_count :])

    def repeat(self, stream: int, specs: Sequence[OperationSpec], lasting_ns: int) -> frozenset[int]:
        """The operations in turn, for about so long, each after what leads to it in a run; the tasks of those that come
        after the warm-up."""
        leading = [self._leading(spec) for spec in specs]
        times = WARM_UP + max(LEAST, min(MOST, lasting_ns // cost_ns(self._base, specs[0], self.buffers)))
        found = []
        for n in range(times):
            for spec in leading[n % len(specs)]:
                self.add(stream, spec)
            found.append(self.add(stream, specs[n % len(specs)]))
        return frozenset(found[WARM_UP:])

    def crowd(self, stream: int, specs: Sequence[OperationSpec], lasting_ns: int) -> frozenset[int]:
        """The operations in turn, for about so long, and nothing between them."""
        for spec in (spec for each in specs for spec in self._leading(each)):
            self.add(stream, spec)
        times = WARM_UP + max(LEAST, min(10 * MOST, lasting_ns // cost_ns(self._base, specs[0], self.buffers)))
        return frozenset([self.add(stream, specs[n % len(specs)]) for n in range(times)][WARM_UP:])

    def _leading(self, spec: OperationSpec) -> list[OperationSpec]:
        """A kernel reads what has just been copied in."""
        if spec.kind is OperationKind.KERNEL:
            names = dict.fromkeys(spec.reads)
            return [OperationSpec(OperationKind.COPY_IN, reads=(name,), writes=(name,)) for name in names]
        return []

    def add(self, stream: int, spec: OperationSpec, waits: tuple[int, ...] = ()) -> int:
        name = kernel_of(spec)
        complete = find_kernel(name).complete(spec.parameters) if name else {}
        estimate = cost_ns(self._base, spec, self.buffers)
        task = next(self._tasks)
        shapes = shapes_of(spec, self.buffers)
        operation = Operation(
            task=task,
            name=spec.kernel or spec.kind.value,
            kind=spec.kind,
            stream=stream,
            kernel=name,
            parameters=tuple(complete.items()),
            reads=spec.reads,
            writes=spec.writes,
            waits=waits,
            parts=find_kernel(name).parts(estimate, shapes, complete) if name else 1,
            nbytes=nbytes_of(spec, self.buffers),
            cost_ns=estimate,
            work_ns=estimate,
            lanes=self._base.lanes_taken(spec.kind, name),
            bound=bound_of(self._base, spec, self.buffers),
        )
        self.operations.append(operation)
        return task

    def program(self, name: str) -> Program:
        streams = 1 + max(op.stream for op in self.operations)
        return Program(
            name,
            tuple(f"Stream {number}" for number in range(1, streams + 1)),
            tuple(self.operations),
            tuple(self.buffers.values()),
            outputs=(),
            engines=self._base.engines,
        )
