"""tanh_gradient: the activation of a layer, backward. It never goes forward; tanh does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.kernels.kernel import Array, Cost, Elementwise, Parameters, Shape, flat, largest, part_span, wide


class TanhGradient(Elementwise):
    """out = g (1 - y y), for the gradient g of a result y of tanh."""

    name = "tanh_gradient"
    summary = "Gradient of a layer's activation"
    read_count = 2
    write_count = 1
    # Three operations, each rounded by 6e-8.
    tolerance = 1e-6

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """Three operations and twelve bytes an element."""
        items = self.units(shapes, parameters)
        return Cost(3 * items, 12 * items)

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """Three NumPy calls on a slice; right also when the result lies on either input."""
        span = part_span(reads[0].size, part, parts)
        slope = np.square(flat(reads[1])[span])
        np.subtract(np.float32(1), slope, out=slope)
        np.multiply(flat(reads[0])[span], slope, out=flat(writes[0])[span])

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """As a product of two slopes, in float64: g (1 - y) (1 + y)."""
        gradient, y = wide(reads[0]), wide(reads[1])
        return (gradient * (1.0 - y) * (1.0 + y),)

    def error(
        self, parameters: Parameters, reads: Sequence[Array], results: Sequence[Array], errors: Sequence[float]
    ) -> float:
        """An error of g passes through no larger while |y| <= 1; one of y changes the slope by at most 2 |y|."""
        peak, y = largest(reads[0]), largest(reads[1])
        return max(1.0, y * y) * errors[0] + peak * (2.0 * y * errors[1] + self.tolerance * max(1.0, y * y))
