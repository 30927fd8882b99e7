"""How much less one of two ways takes, measured in turn until it is known. It never says whether that is good.

A block runs them as first, second, second, first: what drifts meanwhile counts for both alike, and how far two runs of
one way are apart comes of the same block. Of the blocks' differences the median counts, with the interval that holds
it 19 times of 20, whatever the differences are distributed like.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, inf, sqrt
from statistics import median

# An interval that reaches less than this share of the gain to either side is narrow enough.
NARROW = 0.05
LEAST_BLOCKS = 10


@dataclass(frozen=True, slots=True)
class Interval:
    """A median and where it lies 19 times of 20; without ends where there are too few values for that."""

    middle: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """How far it reaches from its middle, as a share of that."""
        if self.middle <= 0:
            return inf
        return max(self.high - self.middle, self.middle - self.low) / self.middle


@dataclass(frozen=True, slots=True)
class Measured:
    """Medians of the two ways, what the second takes less than the first, and what the first takes less than itself."""

    first: float
    second: float
    gain: Interval
    same: Interval
    blocks: int

    @property
    def is_known(self) -> bool:
        """Whether the gain's interval is narrow enough for the gain to be compared with anything."""
        return self.gain.reach <= NARROW


def median_interval(values: Sequence[float]) -> Interval:
    """The median, and the order statistics that enclose it: ranks n / 2 -+ 0.98 sqrt(n), by the normal approximation of
    the binomial distribution."""
    ordered = sorted(values)
    rank = floor(len(ordered) / 2 - 0.98 * sqrt(len(ordered)))
    ends = (ordered[rank], ordered[-1 - rank]) if rank >= 0 else (-inf, inf)
    return Interval(median(ordered), *ends)


def measure(first: Callable[[], float], second: Callable[[], float], seconds: float) -> Measured:
    """Blocks of both ways until the gain is known, for so long at most."""
    began = time.monotonic()
    blocks: list[tuple[float, float, float, float]] = []
    while True:
        blocks.append((first(), second(), second(), first()))
        found = _summary(blocks)
        is_over = time.monotonic() - began > seconds
        if len(blocks) >= LEAST_BLOCKS and (found.is_known or is_over):
            return found


def _summary(blocks: Sequence[tuple[float, float, float, float]]) -> Measured:
    firsts = [each for a, _, _, b in blocks for each in (a, b)]
    seconds = [each for _, a, b, _ in blocks for each in (a, b)]
    return Measured(
        median(firsts),
        median(seconds),
        median_interval([(a + d - b - c) / 2 for a, b, c, d in blocks]),
        median_interval([a - d for a, _, _, d in blocks]),
        len(blocks),
    )
