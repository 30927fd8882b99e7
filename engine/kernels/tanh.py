"""tanh: the activation of a layer, forward. It never goes backward; tanh_gradient does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.kernels.kernel import Array, Cost, Elementwise, Parameters, Shape, flat, part_span, wide


class Tanh(Elementwise):
    """out = tanh(x)."""

    name = "tanh"
    summary = "Activation of a layer"
    read_count = 1
    write_count = 1
    # float32 tanh is within a few ulps of 6e-8.
    tolerance = 1e-6

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """About twenty operations and eight bytes an element."""
        items = self.units(shapes, parameters)
        return Cost(20 * items, 8 * items)

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """One NumPy call on a slice."""
        span = part_span(reads[0].size, part, parts)
        np.tanh(flat(reads[0])[span], out=flat(writes[0])[span])

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """By the exponential, in float64: (1 - e) / (1 + e) with e = exp(-2 |x|)."""
        x = wide(reads[0])
        e = np.exp(-2.0 * np.abs(x))
        return (np.sign(x) * (1.0 - e) / (1.0 + e),)

    def error(
        self, parameters: Parameters, reads: Sequence[Array], results: Sequence[Array], errors: Sequence[float]
    ) -> float:
        """Its slope is at most 1, so an error passes through no larger."""
        return self.tolerance * self.scale(reads, results) + errors[0]
