"""Distributions as arithmetic that gives the same on every machine: inverse distribution functions. It draws nothing.

A draw is low + (round(x * span) << shift), x in [0, 1] a float32 made of a uniform u. UNIFORM: x = u. TRIANGULAR: by
one square root. All others: x from a table of 256 intervals of u, and 256 more in each of its first and its last one,
linear between them. Square roots, sums and products of float32 are rounded alike everywhere; logarithms are not.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model import Spread, SpreadKind, Ticks

Floats = NDArray[np.float32]

# How x comes of u.
CONSTANT, UNIFORM, TRIANGULAR, TABLE = range(4)
INTERVALS = 256
TAIL = INTERVALS * INTERVALS
# A table: knots of the middle, of the first interval from below, of the last one from above.
KNOTS = 3 * (INTERVALS + 1)
# The distribution function of the standard normal, from -PHI_REACH on, PHI_STEPS to a unit.
PHI_REACH, PHI_STEPS = 8, 64
_NORMAL = NormalDist()
_NINE_TENTHS = _NORMAL.inv_cdf(0.9)
_LAST = 0.5 / TAIL  # where what has no end is cut off: as likely above as below in the last interval of all
_FINE = 4096
_MOST_SPAN = 1 << 30


class Shape(NamedTuple):
    """A distribution of ticks: its least, `span` steps of 2^`shift` ticks above it, how x comes of u, and the table."""

    kind: int
    least: Ticks
    span: int
    shift: int
    mode: float = 0.0
    table: Floats | None = None

    @property
    def greatest(self) -> Ticks:
        """No draw is above it."""
        return self.least + (self.span << self.shift)


def shape_of(spread: Spread, planned: Ticks) -> Shape:
    """The distribution of a spread in ticks, where so many ticks are planned."""
    if spread.kind is SpreadKind.FIXED:
        return Shape(CONSTANT, planned, 0, 0)
    unit = planned / 100 if spread.is_percent else 1.0
    low, high, likely = _ends(spread)
    if unit < 0:  # a lead in percent of itself: turned around, as it is signed
        low, likely, high, unit = -high, -likely, -low, -unit
    least, most = round(low * unit), round(high * unit)
    if most <= least:
        return Shape(CONSTANT, least, 0, 0)
    shift = max(0, (most - least).bit_length() - _MOST_SPAN.bit_length() + 1)
    mode = (likely - low) / (high - low)
    kind = {SpreadKind.UNIFORM: UNIFORM, SpreadKind.TRIANGULAR: TRIANGULAR}.get(spread.kind, TABLE)
    table = _table_of(spread) if kind == TABLE else None
    if table is not None and spread.is_percent and planned < 0:
        table = _turned(table)
    return Shape(kind, least, (most - least) >> shift, shift, mode, table)


def _ends(spread: Spread) -> tuple[float, float, float]:
    """What no draw is below, what none is above, and the most likely one."""
    if spread.kind is SpreadKind.EMPIRICAL:
        return min(spread.values), max(spread.values), spread.values[0]
    if spread.kind is SpreadKind.LOGNORMAL and spread.low < spread.high:
        return spread.low, spread.low + _lognormal(spread, _NORMAL.inv_cdf(1 - _LAST)), spread.likely
    return spread.low, spread.high, spread.likely


def _lognormal(spread: Spread, z: float) -> float:
    """Above the least, at so many standard deviations."""
    middle, nine = spread.likely - spread.low, spread.high - spread.low
    return middle * math.exp(math.log(nine / middle) / _NINE_TENTHS * z)


def _table_of(spread: Spread) -> Floats:
    """x at each knot."""
    low, high, likely = _ends(spread)
    if spread.kind is SpreadKind.PERT:
        return pert_table((likely - low) / (high - low))
    if spread.kind is SpreadKind.EMPIRICAL:
        found = np.quantile(np.array(spread.values, dtype=np.float64), quantiles())
        return _floats((found - low) / (high - low))
    if spread.kind is SpreadKind.LOGNORMAL:
        found = np.array([_lognormal(spread, z) for z in _normal_quantiles()])
        return _floats(np.minimum(found / (high - low), 1))
    first, last = ((end - likely) / spread.deviation for end in (low, high))
    return truncated_table(first, last)


@lru_cache(maxsize=4096)
def pert_table(mode: float) -> Floats:
    """x of a beta distribution with shapes 1 + 4 mode and 5 - 4 mode (Malcolm et al. 1959: PERT)."""
    turn = np.linspace(0, math.pi, _FINE + 1)
    x = (1 - np.cos(turn)) / 2  # dense at both ends
    with np.errstate(divide="ignore"):
        density = x ** (4 * mode) * (1 - x) ** (4 - 4 * mode) * np.sin(turn)
    below = np.concatenate(([0.0], np.cumsum(density[1:] + density[:-1])))
    return _floats(np.interp(quantiles(), below / below[-1], x))


@lru_cache(maxsize=4096)
def truncated_table(first: float, last: float) -> Floats:
    """x of a standard normal cut off at both ends."""
    low, high = _NORMAL.cdf(first), _NORMAL.cdf(last)
    if high - low < 1e-12:  # far out in a tail there is next to nothing to choose between
        return _floats(quantiles())
    inside = np.clip(low + quantiles() * (high - low), 1e-300, 1 - 1e-16)
    found = np.array([_NORMAL.inv_cdf(each) for each in inside.tolist()])
    return _floats(np.clip((found - first) / (last - first), 0, 1))


@lru_cache(maxsize=1)
def normal_table() -> Floats:
    """The standard normal's quantile at each knot."""
    return _normal_quantiles().astype(np.float32)


@lru_cache(maxsize=1)
def _normal_quantiles() -> NDArray[np.float64]:
    inside = np.clip(quantiles(), _LAST, 1 - _LAST).tolist()
    return np.array([_NORMAL.inv_cdf(each) for each in inside])


@lru_cache(maxsize=1)
def phi_table() -> Floats:
    """The standard normal's distribution function at evenly spaced places."""
    places = np.arange(2 * PHI_REACH * PHI_STEPS + 1) / PHI_STEPS - PHI_REACH
    return np.array([_NORMAL.cdf(place) for place in places.tolist()], dtype=np.float32)


@lru_cache(maxsize=1)
def quantiles() -> NDArray[np.float64]:
    """The u of each knot of a table."""
    steps = np.arange(INTERVALS + 1)
    return np.concatenate((steps / INTERVALS, steps / TAIL, 1 - steps / TAIL))


def _turned(table: Floats) -> Floats:
    """The table of 1 - x: of what is counted the other way."""
    middle, below, above = table.reshape(3, -1)
    return _floats(1 - np.concatenate((middle[::-1], above, below)))


def _floats(values: NDArray[np.floating]) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float32)
