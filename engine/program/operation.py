"""Program: operations in order on streams, with waits and buffers. It never touches a device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from engine.model import Buffer, KernelSpec, OperationKind, TaskId

Nanoseconds = int
# What runs once has with that run for every iteration: so often it then counts as launched, and as ended.
FOR_ALL = 1 << 62
# Further apart than any two uses of a buffer.
FAR = 1 << 62


@dataclass(frozen=True, slots=True)
class Operation:
    """One task of a device plan, ready to launch.

    `waits` names tasks on other streams whose event this operation waits for. `parts` is how often it is split;
    pause and cancel act between parts. `cost_ns` is the profile's estimate (or the typed duration); `work_ns` is what
    of it no device can hide behind what ran before, and `launch_ns` what of it passes before the span begins.
    `nbytes` is what a copy or a memset moves; `apart` is how many bytes a run touches from the last use of a copy's
    buffer until the copy has ended, FAR where that is not known. `lanes` is how many lanes of its engine it takes, and
    `bound` is what of the device it is bound by: one of profile.BOUNDS, or nothing that is known. The kernel's
    `parameters` are complete; a memset has the kernel memset. One that `is_once` runs in the first iteration only:
    in later ones nothing waits for it.
    """

    task: TaskId
    name: str
    kind: OperationKind
    stream: int
    kernel: str = ""
    parameters: tuple[tuple[str, float], ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    waits: tuple[TaskId, ...] = ()
    parts: int = 1
    nbytes: int = 0
    apart: int = FAR
    cost_ns: Nanoseconds = 0
    work_ns: Nanoseconds = 0
    launch_ns: Nanoseconds = 0
    lanes: int = 1
    bound: str = ""
    is_once: bool = False

    @property
    def engine(self) -> str:
        """copy_in, copy_out, compute or host."""
        return self.kind.engine

    @property
    def iterations(self) -> int:
        """For how many iterations it has run once it has run."""
        return FOR_ALL if self.is_once else 1


@dataclass(frozen=True, slots=True)
class Program:
    """What a device runs: `operations` in an order that respects streams and waits; `stream` indexes `streams`.

    `outputs` are the buffers whose host side an operation writes: poisoned before a run, compared with the
    reference after it. `folder` is where the files that fill buffers lie. `engines` are the lanes of each engine row
    that the costs are meant for; one where nothing is said. `kits` are the person's own kernels that operations name:
    their code lies in folders beneath `folder`.
    """

    name: str
    streams: tuple[str, ...]
    operations: tuple[Operation, ...]
    buffers: tuple[Buffer, ...]
    outputs: tuple[str, ...]
    folder: str = ""
    engines: tuple[tuple[str, int], ...] = ()
    kits: tuple[KernelSpec, ...] = ()

    @property
    def kit_folders(self) -> tuple[str, ...]:
        """The folders whose code a run executes, each once."""
        return tuple(dict.fromkeys(str(Path(self.folder) / kernel.kit) for kernel in self.kits))

    def by_stream(self) -> tuple[tuple[Operation, ...], ...]:
        """Operations of each stream in order."""
        return tuple(tuple(op for op in self.operations if op.stream == stream) for stream in range(len(self.streams)))

    def again(self) -> Program:
        """The program of every iteration after the first: without what runs once, and without waits for that."""
        once = {op.task for op in self.operations if op.is_once}
        if not once:
            return self
        kept = tuple(
            replace(op, waits=tuple(task for task in op.waits if task not in once))
            for op in self.operations
            if not op.is_once
        )
        return replace(self, operations=kept)

    def count(self, repeat: int) -> int:
        """How many operations run in so many iterations, at least one."""
        once = sum(op.is_once for op in self.operations)
        return once + (len(self.operations) - once) * repeat

    def iterations_in(self, count: int) -> int:
        """How many whole iterations so many operations are."""
        once = sum(op.is_once for op in self.operations)
        again = len(self.operations) - once
        return max(0, count - once) // again if again else int(count >= once)
