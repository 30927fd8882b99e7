"""matmul: the product of two matrices. It never splits a sum, only rows of the result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.kernels.kernel import (
    Array,
    Cost,
    Kernel,
    Parameter,
    Parameters,
    Probe,
    Shape,
    only_float32,
    part_span,
    shape_text,
    wide,
)


class Matmul(Kernel):
    """C = A B, each of A and B transposed first when its parameter is 1. Rows of C are the units."""

    name = "matmul"
    summary = "Product of two matrices"
    read_count = 2
    write_count = 1
    parameters = (
        Parameter("transpose_a", 0, 0, 1, is_whole=True),
        Parameter("transpose_b", 0, 0, 1, is_whole=True),
    )
    # A sum of k rounded products is off by about sqrt(k) half ulps (6e-8 each); k = 65536 gives 1.5e-5 of the result.
    tolerance = 2e-5

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """A (m, k), B (k, n), C (m, n), all float32."""
        if any(len(shape) != 2 for shape in shapes):
            return f"It needs matrices, but has {', '.join(shape_text(shape) for shape in shapes)}."
        rows, inner, columns = _sizes(shapes, parameters)
        b = shapes[1][::-1] if parameters["transpose_b"] else shapes[1]
        if b[0] != inner:
            return f"A row of its first matrix has {inner} elements, a column of its second {b[0]}."
        if shapes[2] != (rows, columns):
            return f"Its result is {shape_text((rows, columns))}, but its buffer is {shape_text(shapes[2])}."
        return only_float32(dtypes)

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """2 m k n operations; each matrix moved once."""
        rows, inner, columns = _sizes(shapes, parameters)
        return Cost(2 * rows * inner * columns, 4 * (rows * inner + inner * columns + rows * columns))

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """Rows of the result."""
        return shapes[2][0]

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """One BLAS call on a run of rows."""
        rows = part_span(writes[0].shape[0], part, parts)
        a = reads[0].T if parameters["transpose_a"] else reads[0]
        b = reads[1].T if parameters["transpose_b"] else reads[1]
        np.matmul(a[rows], b, out=writes[0][rows])

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """Sums of products in float64, written out for einsum, which does not call BLAS."""
        a = "ki" if parameters["transpose_a"] else "ik"
        b = "jk" if parameters["transpose_b"] else "kj"
        return (np.einsum(f"{a},{b}->ij", wide(reads[0]), wide(reads[1]), optimize=False),)

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """m, k, n and whether each matrix is transposed."""
        return (*_sizes(shapes, parameters), int(parameters["transpose_a"]), int(parameters["transpose_b"]))

    def width(self, shapes: Sequence[Shape]) -> int:
        """Columns of the result."""
        return shapes[2][1]

    def probes(self) -> tuple[Probe, ...]:
        """Square matrices, bound by arithmetic, and thin ones, bound by memory."""
        cases = ((16, 16, 16), (64, 64, 64), (256, 256, 256), (512, 256, 512), (512, 512, 512), (768, 768, 768))
        thin = ((1 << 14, 4, 4), (1 << 16, 4, 4), (1 << 18, 4, 4))
        return tuple(Probe(((m, k), (k, n), (m, n))) for m, k, n in (*cases, *thin))


def _sizes(shapes: Sequence[Shape], parameters: Parameters) -> tuple[int, int, int]:
    rows, inner = shapes[0][::-1] if parameters["transpose_a"] else shapes[0]
    columns = shapes[1][0] if parameters["transpose_b"] else shapes[1][1]
    return rows, inner, columns
