"""Kernel: what one kind of work needs, costs and yields, whatever runs it.

It never touches a device, a thread or a clock.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Shape = tuple[int, ...]
Parameters = Mapping[str, float]

# Pause and cancel act between parts. A part of a long operation costs more than half of this and at most this.
PART_NS = 10_000_000
# However many errors add up, no result may be further off than this share of its scale, or a wrong kernel would pass.
LOOSEST = 0.01
# Elements that a calibration times work of one step an element on, up to what no cache near a core holds.
PROBED_ITEMS = (1 << 8, 1 << 12, 1 << 15, 1 << 17, 1 << 19, 1 << 20, 1 << 22)
TIMES = "\u00d7"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number a kernel takes: minimum <= value <= maximum, without a fraction when `is_whole`."""

    name: str
    default: float
    minimum: float
    maximum: float
    is_whole: bool = False

    def fault(self, value: float) -> str:
        """One sentence when the value does not fit, else nothing."""
        if not self.minimum <= value <= self.maximum:
            return f"Its parameter “{self.name}” is {value:g}, but must lie from {self.minimum:g} to {self.maximum:g}."
        if self.is_whole and not float(value).is_integer():
            return f"Its parameter “{self.name}” is {value:g}, but must be a whole number."
        return ""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a profile turns into nanoseconds: arithmetic, bytes moved, and steps of which each needs the one before."""

    flops: int
    nbytes: int
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Probe:
    """Work that a kernel is timed on: shapes of its reads, then of its writes, all float32 but for `dtypes`."""

    shapes: tuple[Shape, ...]
    parameters: tuple[tuple[str, float], ...] = ()
    dtypes: tuple[str, ...] = ()


class Kernel(ABC):
    """One kind of work on whole buffers. `shapes` and `dtypes` list the reads, then the writes.

    An operation runs in `parts`, in order, each writing a slice of the result that no other part writes (a reduction
    adds to its one element instead). `tolerance` is the largest error a correct float32 run may show, as a share of
    `scale`; each kernel says why. `is_in_place`: a buffer may be read and written at once.
    """

    name: str
    summary: str
    read_count: int
    write_count: int
    tolerance: float
    parameters: tuple[Parameter, ...] = ()
    is_in_place: bool = False
    # A library kernel has no .cu file: `library` is its GPU half.
    is_library: bool = False
    # Without a reference the results of a run are not compared.
    has_reference: bool = True
    # All threads of a launch belong to one block; otherwise there is a thread an element of the part.
    is_one_block: bool = False

    @abstractmethod
    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """One sentence when the buffers do not fit, else nothing; their number and the parameters are right."""

    @abstractmethod
    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """Work of the whole operation."""

    @abstractmethod
    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """Into how many equal pieces (rows, elements) the work can be cut; parts are runs of them."""

    @abstractmethod
    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """Do one part on C-contiguous arrays, without the interpreter lock where time is spent."""

    @abstractmethod
    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """The results in float64 (complex128), computed plainly and apart from `cpu` and the CUDA source.

        What it reads may be read-only, and is left as it is. An array of fewer dimensions stands for all elements of
        its buffer.
        """

    def check(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """One sentence when the kernel cannot run on these buffers, else nothing."""
        if len(shapes) != self.read_count + self.write_count:
            return f"It reads {_count(self.read_count)} and writes {_count(self.write_count)}."
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in parameters.items():
            if name not in known:
                return f"It has no parameter “{name}”."
            if fault := known[name].fault(value):
                return fault
        return self.fits(shapes, dtypes, self.complete(parameters))

    def complete(self, parameters: Parameters | Iterable[tuple[str, float]]) -> dict[str, float]:
        """All parameters, those not given at their defaults."""
        given = dict(parameters)
        return {each.name: float(given.get(each.name, each.default)) for each in self.parameters}

    def parts(self, cost_ns: int, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """How many parts make each cost at most PART_NS, as far as the work can be cut."""
        return max(1, min(self.units(shapes, parameters), math.ceil(cost_ns / PART_NS)))

    def scale(self, reads: Sequence[Array], results: Sequence[Array]) -> float:
        """The magnitude that errors are measured against."""
        return max(largest(result) for result in results)

    def error(
        self, parameters: Parameters, reads: Sequence[Array], results: Sequence[Array], errors: Sequence[float]
    ) -> float:
        """How far a correct run may be from `results`, absolutely, when its reads may be `errors` off."""
        share = sum(error / (largest(array) or 1.0) for array, error in zip(reads, errors, strict=True))
        return min(self.tolerance + share, LOOSEST) * self.scale(reads, results)

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """What the CUDA entry takes between its pointers (reads, writes) and its last two arguments.

        Integers are `long long`, floats are `float`. The last two are `long long first, last`: the units of the part.
        """
        return ()

    def width(self, shapes: Sequence[Shape]) -> int:
        """Elements of a unit, so that a part has (last - first) * width threads."""
        return 1

    def library(
        self, module: ModuleType, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], span: slice
    ) -> None:
        """The GPU half of a library kernel: calls on the array module it is handed; `span` holds the part's units."""
        raise NotImplementedError(f"{self.name} is launched from its CUDA source")

    def probes(self) -> tuple[Probe, ...]:
        """What a calibration times it on, from little to much work; nothing where it is never timed."""
        return ()

    def warm(self) -> None:  # noqa: B027  (most kernels compile nothing)
        """Compile what `cpu` compiles, so that no run is timed doing it. Takes seconds on a cold cache."""

    @property
    def entry(self) -> str:
        """The name of the __global__ function in the CUDA source."""
        return f"{self.name}_kernel"

    def cuda_source(self) -> str:
        """The CUDA source; a library kernel has none."""
        return (resources.files("engine.kernels") / f"{self.name}.cu").read_text(encoding="utf-8")


class Elementwise(Kernel):
    """A kernel whose buffers are all float32 and of one shape, and whose unit is one element."""

    is_in_place = True

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """All buffers must be float32 and of one shape."""
        if len(set(shapes)) > 1:
            return f"Its buffers must have one shape, but have {', '.join(shape_text(shape) for shape in shapes)}."
        return only_float32(dtypes)

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """The elements."""
        return math.prod(shapes[0])

    def probes(self) -> tuple[Probe, ...]:
        """From what a cache holds to what only memory does."""
        return tuple(Probe(((items,),) * (self.read_count + self.write_count)) for items in PROBED_ITEMS)


def part_span(count: int, part: int, parts: int) -> slice:
    """The units of one part: consecutive, disjoint, together all of them."""
    return slice(count * part // parts, count * (part + 1) // parts)


def flat(array: Array) -> Array:
    """The elements of a C-contiguous array in a row, without a copy."""
    return array.reshape(-1)


def largest(array: Array) -> float:
    """The largest magnitude in an array; 0 for an empty one."""
    return float(np.max(np.abs(array), initial=0.0))


def only_float32(dtypes: Sequence[str]) -> str:
    """One sentence when a buffer is not float32, else nothing."""
    other = next((dtype for dtype in dtypes if dtype != "float32"), "")
    return f"Its buffers must hold float32, but one holds {other}." if other else ""


def wide(array: Array) -> NDArray[np.float64]:
    """In float64; the array itself where it is that already."""
    return np.asarray(array, np.float64)


def shape_text(shape: Shape) -> str:
    """A shape for a person, with multiplication signs."""
    return f" {TIMES} ".join(str(size) for size in shape)


def _count(buffers: int) -> str:
    return "1 buffer" if buffers == 1 else f"{buffers} buffers"
