"""saxpy: a weighted sum of two arrays: weight updates, averages, blends. It never allocates more than its slice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.kernels.kernel import Array, Cost, Elementwise, Parameter, Parameters, Shape, flat, largest, part_span, wide


class Saxpy(Elementwise):
    """out = alpha x + beta y."""

    name = "saxpy"
    summary = "Weighted sum of two arrays"
    read_count = 2
    write_count = 1
    parameters = (Parameter("alpha", 1.0, -1e6, 1e6), Parameter("beta", 1.0, -1e6, 1e6))
    # Two products and a sum, each rounded by 6e-8 of the larger summand.
    tolerance = 3e-7

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """Three operations and twelve bytes an element."""
        items = self.units(shapes, parameters)
        return Cost(3 * items, 12 * items)

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """Three NumPy calls on a slice; right also when the result lies on either summand."""
        span = part_span(reads[0].size, part, parts)
        out = flat(writes[0])[span]
        scaled = flat(reads[0])[span] * np.float32(parameters["alpha"])
        np.multiply(flat(reads[1])[span], np.float32(parameters["beta"]), out=out)
        np.add(out, scaled, out=out)

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """The formula in float64."""
        return (parameters["alpha"] * wide(reads[0]) + parameters["beta"] * wide(reads[1]),)

    def error(
        self, parameters: Parameters, reads: Sequence[Array], results: Sequence[Array], errors: Sequence[float]
    ) -> float:
        """Its own rounding, measured at the larger summand, and the errors it weighs."""
        alpha, beta = abs(parameters["alpha"]), abs(parameters["beta"])
        magnitude = max(alpha * largest(reads[0]), beta * largest(reads[1]))
        return self.tolerance * magnitude + alpha * errors[0] + beta * errors[1]

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """alpha, beta."""
        return (parameters["alpha"], parameters["beta"])
