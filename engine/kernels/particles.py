"""particles: one step of particles on springs to the origin, slowed by drag. No particle ever sees another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.compiled import njit
from engine.kernels.kernel import Array, Cost, Elementwise, Parameter, Parameters, Shape, flat, part_span, wide


class Particles(Elementwise):
    """v' = (1 - drag dt) v - stiffness dt p and p' = p + dt v', for positions p and velocities v of any one shape."""

    name = "particles"
    summary = "One step of particles on springs"
    read_count = 2
    write_count = 2
    parameters = (
        Parameter("dt", 0.016, 0.0, 0.1),
        Parameter("stiffness", 4.0, 0.0, 10.0),
        Parameter("drag", 0.1, 0.0, 10.0),
    )
    # Five operations, each rounded by 6e-8 of the larger operand.
    tolerance = 1e-6

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """Five operations and sixteen bytes an element."""
        items = self.units(shapes, parameters)
        return Cost(5 * items, 16 * items)

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """A compiled loop over a slice; right also in place."""
        span = part_span(reads[0].size, part, parts)
        keep, pull, dt = _factors(parameters)
        arrays = [flat(array)[span] for array in (*reads, *writes)]
        _step(arrays[0], arrays[1], arrays[2], arrays[3], np.array((keep, pull, dt), np.float32))

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """The two formulas on whole arrays, in float64."""
        position, velocity = wide(reads[0]), wide(reads[1])
        dt = parameters["dt"]
        velocity = velocity - dt * (parameters["drag"] * velocity + parameters["stiffness"] * position)
        return position + dt * velocity, velocity

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """What is kept of the velocity, the pull per position, and dt."""
        return _factors(parameters)

    def warm(self) -> None:
        """Compile the loop."""
        one = np.zeros(1, np.float32)
        _step(one, one, np.empty_like(one), np.empty_like(one), np.zeros(3, np.float32))


def _factors(parameters: Parameters) -> tuple[float, float, float]:
    dt = parameters["dt"]
    return 1.0 - parameters["drag"] * dt, parameters["stiffness"] * dt, dt


@njit
def _step(position: Array, velocity: Array, new_position: Array, new_velocity: Array, factors: Array) -> None:
    keep, pull, dt = factors[0], factors[1], factors[2]
    for i in range(position.size):
        v = keep * velocity[i] - pull * position[i]
        p = position[i] + dt * v
        new_velocity[i] = v
        new_position[i] = p
