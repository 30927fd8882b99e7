"""spin: busy work of a known length. The work is fixed by its parameter alone and never by the machine's speed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.compiled import njit
from engine.kernels.kernel import (
    Array,
    Cost,
    Kernel,
    Parameter,
    Parameters,
    Probe,
    Shape,
    flat,
    only_float32,
    part_span,
)

# One step is a multiplication and an addition that need the step before: some four cycles, so that a core of 2.4 GHz
# takes a microsecond for 600 of them. A constant, so that results are the same everywhere.
STEPS_PER_MICROSECOND = 600
MARKS = 64
MULTIPLIER, INCREMENT, SEED = 1664525, 1013904223, 1
_MASK = 0xFFFFFFFF


class Spin(Kernel):
    """out = x + u, where u in [0, 1) comes from a long chain s = MULTIPLIER s + INCREMENT (mod 2**32).

    The array is cut in 64 blocks; block b takes u = s / 2**32 after (b + 1) / 64 of the chain. Blocks are the units,
    so each part runs its share of the chain and shows it in its own slice, whatever the number of parts.
    """

    name = "spin"
    summary = "Busy work of a known length"
    read_count = 1
    write_count = 1
    parameters = (Parameter("microseconds", 1000, 1, 1_000_000, is_whole=True),)
    # One float32 sum and u rounded to float32: two roundings of 6e-8 of a result of about 1.
    tolerance = 3e-7

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """One shape, float32."""
        if shapes[0] != shapes[1]:
            return "The buffer it reads and the buffer it writes must have one shape."
        return only_float32(dtypes)

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """A chain of dependent steps; the data are little beside it."""
        items = math.prod(shapes[0])
        return Cost(items, 8 * items, MARKS * _steps_per_mark(parameters))

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """The blocks."""
        return MARKS

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """Jump to the part's first step, then run its share of the chain in one compiled call, and show it in another.

        No array is made that is as long as the data: on a processor its pages would take longer than the data do.
        """
        marks = part_span(MARKS, part, parts)
        steps = _steps_per_mark(parameters)
        states = np.empty(marks.stop - marks.start, np.uint32)
        start = np.uint32(_jump(SEED, marks.start * steps))
        _run(states, start, np.uint32(MULTIPLIER), np.uint32(INCREMENT), steps)
        edges = np.array([reads[0].size * mark // MARKS for mark in range(marks.start, marks.stop + 1)], np.int64)
        _show(flat(reads[0]), flat(writes[0]), (states / 2**32).astype(np.float32), edges)

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """The chain's closed form in Python integers: a**n s + c (a**n - 1) / (a - 1)."""
        result = np.array(reads[0], dtype=np.float64)
        steps = _steps_per_mark(parameters)
        for mark in range(MARKS):
            power = pow(MULTIPLIER, (mark + 1) * steps, (MULTIPLIER - 1) << 32)
            state = power * SEED + INCREMENT * ((power - 1) // (MULTIPLIER - 1))
            flat(result)[part_span(result.size, mark, MARKS)] += (state & _MASK) / 2**32
        return (result,)

    def error(
        self, parameters: Parameters, reads: Sequence[Array], results: Sequence[Array], errors: Sequence[float]
    ) -> float:
        """An error passes through as it is."""
        return self.tolerance * max(1.0, self.scale(reads, results)) + errors[0]

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """Elements, steps per block, and the chain's numbers, which the compiler must not know."""
        return (math.prod(shapes[0]), _steps_per_mark(parameters), MULTIPLIER, INCREMENT, SEED)

    def width(self, shapes: Sequence[Shape]) -> int:
        """Elements of the largest block."""
        return math.ceil(math.prod(shapes[0]) / MARKS)

    def warm(self) -> None:
        """Compile the loop."""
        _run(np.empty(1, np.uint32), np.uint32(SEED), np.uint32(MULTIPLIER), np.uint32(INCREMENT), 1)
        block = np.zeros(1, np.float32)
        _show(block, block.copy(), block, np.array((0, 1), np.int64))

    def probes(self) -> tuple[Probe, ...]:
        """Short and long chains, and a chain so short that the array beside it takes longer."""
        cases = ((4096, 20), (4096, 200), (4096, 1_500), (4096, 5_000), (4096, 20_000), (1 << 20, 1))
        return tuple(Probe(((items,), (items,)), (("microseconds", time),)) for items, time in cases)


def _steps_per_mark(parameters: Parameters) -> int:
    return math.ceil(parameters["microseconds"] * STEPS_PER_MICROSECOND / MARKS)


def _jump(state: int, steps: int) -> int:
    """The state after many steps: the step composed with itself by doubling."""
    multiplier, increment = MULTIPLIER, INCREMENT
    while steps:
        if steps & 1:
            state = multiplier * state + increment & _MASK
        increment = (multiplier + 1) * increment & _MASK
        multiplier = multiplier * multiplier & _MASK
        steps >>= 1
    return state


@njit
def _run(states: Array, state: np.uint32, multiplier: np.uint32, increment: np.uint32, steps: int) -> None:
    """The factors are arguments, or the compiler would fold several steps into one."""
    for mark in range(states.size):
        for _ in range(steps):
            state = np.uint32(state * multiplier + increment)
        states[mark] = state


@njit
def _show(source: Array, target: Array, shown: Array, edges: Array) -> None:
    """target = source + shown[mark] in the block of each mark."""
    for mark in range(shown.size):
        for item in range(edges[mark], edges[mark + 1]):
            target[item] = source[item] + shown[mark]
