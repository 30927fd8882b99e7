"""memset: one value in every element. It serves operations of kind memset, whose kernel is always this one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.kernels.kernel import Array, Cost, Elementwise, Parameter, Parameters, Shape, flat, part_span


class Memset(Elementwise):
    """out = value."""

    name = "memset"
    summary = "One value in every element"
    read_count = 0
    write_count = 1
    parameters = (Parameter("value", 0.0, -1e30, 1e30),)
    # The value itself is rounded to float32, by at most 6e-8.
    tolerance = 1e-7

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """Four bytes an element."""
        return Cost(0, 4 * self.units(shapes, parameters))

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """One NumPy call on a slice."""
        flat(writes[0])[part_span(writes[0].size, part, parts)] = parameters["value"]

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """The value, for all elements."""
        return (np.array(parameters["value"], dtype=np.float64),)

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """The value."""
        return (parameters["value"],)
