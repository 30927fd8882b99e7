"""reduce: the sum of all elements. It never depends on the order of threads: parts add to the result in order."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.kernels.kernel import (
    PROBED_ITEMS,
    Array,
    Cost,
    Kernel,
    Parameters,
    Probe,
    Shape,
    flat,
    only_float32,
    part_span,
    shape_text,
    wide,
)


class Reduce(Kernel):
    """out[0] = sum of x. The first part writes, each later one adds; elements are the units."""

    name = "reduce"
    summary = "Sum of all elements"
    read_count = 1
    write_count = 1
    # Each of at most some thousand parts (on a GPU also each of 1024 threads) rounds a partial sum by 6e-8; against
    # the root of the sum of squares, which is what a sum of values of either sign comes to, that is about 1e-5.
    tolerance = 2e-5
    is_one_block = True

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """Any float32 buffer to one element."""
        if shapes[1] != (1,):
            return f"Its result is one element, but its buffer is {shape_text(shapes[1])}."
        return only_float32(dtypes)

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """One operation and four bytes an element."""
        items = math.prod(shapes[0])
        return Cost(items, 4 * (items + 1))

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """The elements."""
        return math.prod(shapes[0])

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """A float64 sum of the part, added to what the parts before it left."""
        span = part_span(reads[0].size, part, parts)
        before = np.float32(0) if part == 0 else writes[0][0]
        writes[0][0] = np.sum(flat(reads[0])[span], dtype=np.float64) + before

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """Exactly rounded sums of chunks, exactly added."""
        chunks = np.array_split(flat(np.ascontiguousarray(reads[0])), 1 + reads[0].size // 65536)
        return (np.array([math.fsum(math.fsum(chunk.tolist()) for chunk in chunks)]),)

    def scale(self, reads: Sequence[Array], results: Sequence[Array]) -> float:
        """The sum's own size, or what a sum of values of either sign comes to, if that is more."""
        return max(float(np.linalg.norm(flat(wide(reads[0])))), abs(float(results[0][0])))

    def probes(self) -> tuple[Probe, ...]:
        """As work of one step an element."""
        return tuple(Probe(((items,), (1,))) for items in PROBED_ITEMS)
