"""OperationSpec and Buffer: what a task of a device plan does, and on what. Never how or when."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from pathlib import PurePosixPath, PureWindowsPath

from engine.errors import PlanError

_INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
DTYPES = {"bool", *_INTEGERS, "float16", "float32", "float64", "complex64", "complex128"}
_MOST_ITEMS = 1 << 40


class OperationKind(Enum):
    """What one operation does. Engines: copy_in, copy_out, compute (kernel, memset, copy within), host."""

    COPY_IN = "copy_in"
    COPY_OUT = "copy_out"
    COPY_WITHIN = "copy_within"
    KERNEL = "kernel"
    MEMSET = "memset"
    HOST = "host"

    @property
    def engine(self) -> str:
        """The engine row of the timeline: copy_in, copy_out, compute or host."""
        return self.value if self in (OperationKind.COPY_IN, OperationKind.COPY_OUT, OperationKind.HOST) else "compute"


class Memory(Enum):
    """Where the host side of a buffer lies."""

    PINNED = "pinned"
    PAGEABLE = "pageable"


class Side(Enum):
    """A buffer has two sides, one on the host and one on the device; copies carry one to the other."""

    HOST = "host"
    DEVICE = "device"


class FillKind(Enum):
    """How the host side is first filled. NONE: nothing is promised; it is poisoned before a run."""

    NONE = "none"
    ZEROS = "zeros"
    SEED = "seed"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Fill:
    """The first content of a buffer's host side: `seed` for SEED, `file` (a .npy beside the plan) for FILE."""

    kind: FillKind = FillKind.NONE
    seed: int = 0
    file: str = ""


@dataclass(frozen=True, slots=True)
class Buffer:
    """An array with a host side and a device side of equal shape. `dtype` is a NumPy name such as float32."""

    id: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    memory: Memory = Memory.PINNED
    fill: Fill = field(default_factory=Fill)

    @property
    def items(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def check(self) -> None:
        """Raises a PlanError where its shape, element type or first content cannot be."""
        if min(self.shape, default=1) < 1 or self.items > _MOST_ITEMS:
            shape = " \N{MULTIPLICATION SIGN} ".join(str(size) for size in self.shape)
            raise PlanError(
                f"Buffer “{self.id}” cannot have the shape {shape}:"
                f" sizes are at least 1, and a buffer has at most {_MOST_ITEMS:,} elements."
            )
        if self.dtype not in DTYPES:
            raise PlanError(f"Buffer “{self.id}” has elements of an unknown type, “{self.dtype}”.")
        if not 0 <= self.fill.seed < 1 << 63:
            raise PlanError(f"Buffer “{self.id}” has the seed {self.fill.seed}; seeds are 0 to 2^63 - 1.")
        if self.fill.kind is FillKind.FILE and not is_beside(self.fill.file):
            raise PlanError(
                f"Buffer “{self.id}” is filled from “{self.fill.file}”, which is not a file beside the plan."
            )


@dataclass(frozen=True, slots=True)
class OperationSpec:
    """One operation. `reads` and `writes` name buffers in the order the kernel takes them.

    A copy names its one buffer in both; a copy within has its source in `reads`, its destination in `writes`;
    a memset has its buffer in `writes` and its value in parameter "value". `parameters` are (name, value) pairs.
    One that `is_once` runs in the first pass of a run only, such as the copy of weights that all passes use: what
    waits for it in a later pass does not wait.
    """

    kind: OperationKind
    kernel: str = ""
    parameters: tuple[tuple[str, float], ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    is_once: bool = False

    def accesses(self) -> tuple[frozenset[tuple[str, Side]], frozenset[tuple[str, Side]]]:
        """(read, written) pairs of buffer and side; two operations race when one writes what the other touches."""
        from_side, to_side = {
            OperationKind.COPY_IN: (Side.HOST, Side.DEVICE),
            OperationKind.COPY_OUT: (Side.DEVICE, Side.HOST),
            OperationKind.HOST: (Side.HOST, Side.HOST),
        }.get(self.kind, (Side.DEVICE, Side.DEVICE))
        return frozenset((b, from_side) for b in self.reads), frozenset((b, to_side) for b in self.writes)


def is_beside(name: str) -> bool:
    """Whether a name stays in the plan's folder: relative, with no step up, on any system."""
    paths = (PurePosixPath(name), PureWindowsPath(name))
    return bool(name) and not any(path.is_absolute() or path.drive or ".." in path.parts for path in paths)
