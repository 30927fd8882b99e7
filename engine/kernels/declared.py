"""DeclaredKernel: a kernel of a person's own as its kit declares it: checked and costed, its code not there.

It never reads a file: the device process makes one that runs of it (engine/runtime/kit.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.errors import CompileError
from engine.kernels.kernel import Array, Cost, Kernel, Parameter, Parameters, Shape, shape_text
from engine.model import KernelSpec, KernelSplit


class DeclaredKernel(Kernel):
    """A kernel of a kit, from what its KernelSpec says."""

    def __init__(self, spec: KernelSpec) -> None:
        self.spec = spec
        self.name = spec.name
        self.summary = spec.summary or f"{spec.name}, of the kit {spec.kit}"
        self.read_count = len(spec.reads)
        self.write_count = len(spec.writes)
        self.tolerance = spec.tolerance
        self.is_in_place = spec.is_in_place
        self.is_library = not spec.cuda
        self.has_reference = bool(spec.reference)
        self.parameters = tuple(
            Parameter(each.name, each.default, each.minimum, each.maximum, each.is_whole) for each in spec.parameters
        )

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """One type and one shape, as far as the kit asks for that."""
        names = (*self.spec.reads, *self.spec.writes)
        for name, dtype in zip(names, dtypes, strict=True):
            if self.spec.dtype and dtype != self.spec.dtype:
                return f"Its buffer “{name}” must hold {self.spec.dtype}, but holds {dtype}."
        for name, shape in zip(names, shapes, strict=True):
            if self.spec.is_one_shape and shape != shapes[0]:
                return (
                    f"Its buffers must have one shape, but “{names[0]}” has {shape_text(shapes[0])} "
                    f"and “{name}” {shape_text(shape)}."
                )
        return ""

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """What the kit says of an item, times the items of the first buffer it writes."""
        items = math.prod(shapes[self.read_count])
        return Cost(round(self.spec.flops_per_item * items), round(self.spec.bytes_per_item * items))

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """Items of the first buffer it writes where there is CUDA source (a thread an item), else its rows."""
        written = shapes[self.read_count]
        if self.spec.cuda:
            return math.prod(written)
        return written[0] if self.spec.split is KernelSplit.ROWS and written else 1

    def parts(self, cost_ns: int, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """One, unless the kit says that rows can be done apart."""
        return 1 if self.spec.split is KernelSplit.NONE else super().parts(cost_ns, shapes, parameters)

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """The parameters in the kit's order: whole ones as `long long`, others as `float`."""
        return tuple(
            int(parameters[each.name]) if each.is_whole else float(parameters[each.name]) for each in self.parameters
        )

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """Its code is not here. Raises CompileError."""
        raise self._absent()

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """Its code is not here. Raises CompileError."""
        raise self._absent()

    @property
    def entry(self) -> str:
        """The name of the __global__ function in the CUDA source."""
        return self.spec.cuda.partition(":")[2]

    def _absent(self) -> CompileError:
        return CompileError(f"The kernel “{self.name}” was not loaded from its kit “{self.spec.kit}”.")
