"""Spread facts: what a spread says of a length: its mean, how sure each length is, and the curve of its density.

By the very arithmetic that the simulation draws with. It never draws a sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model import Spread, SpreadKind, Ticks
from engine.risk.distributions import CONSTANT, TRIANGULAR, UNIFORM, Shape, quantiles, shape_of

_STEPS = 2000
_PLACES = 121
_SHOWN = (0.002, 0.998)  # of what has no end, so much of the middle is in sight
_BARS = 24


@dataclass(frozen=True, slots=True)
class SpreadFacts:
    """Of a length in ticks: its mean, quantiles, and (tick, how dense it is from 0 to 1) over all that is in sight."""

    mean: float
    quantile_ticks: tuple[float, ...]
    density: tuple[tuple[float, float], ...]

    @property
    def least(self) -> float:
        """The first tick in sight."""
        return self.density[0][0]

    @property
    def greatest(self) -> float:
        """The last one."""
        return self.density[-1][0]

    def sure_by(self, share: float) -> float:
        """The length that so many cases, 0 to 1, do not go beyond, in ticks."""
        places = (np.arange(len(self.quantile_ticks)) + 0.5) / len(self.quantile_ticks)
        return float(np.interp(share, places, self.quantile_ticks))

    def chance_within(self, ticks: float) -> float:
        """In how many cases, 0 to 1, it takes no more than so many ticks."""
        return float(np.searchsorted(np.array(self.quantile_ticks), ticks, side="right")) / len(self.quantile_ticks)


@lru_cache(maxsize=256)
def spread_facts(spread: Spread, planned: Ticks) -> SpreadFacts:
    """What a spread that is one says where so many ticks are planned. Raises PlanError where it is none."""
    spread.check("The range", is_signed=True)
    shape = shape_of(spread, planned)
    u = (np.arange(_STEPS) + 0.5) / _STEPS
    drawn = shape.least + np.round(_share(shape, u) * shape.span) * (1 << shape.shift)
    return SpreadFacts(float(drawn.mean()), tuple(drawn.tolist()), _density(spread, shape, drawn))


def _share(shape: Shape, u: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far from the least to the greatest the length is of which a share u is no longer."""
    if shape.kind == CONSTANT:
        return np.zeros_like(u)
    if shape.kind == UNIFORM:
        return u
    if shape.kind == TRIANGULAR:
        below = np.sqrt(u * shape.mode)
        return np.where(u < shape.mode, below, 1 - np.sqrt((1 - u) * (1 - shape.mode)))
    assert shape.table is not None
    places = quantiles()
    order = np.argsort(places, kind="stable")
    return np.interp(u, places[order], shape.table[order])


def _density(spread: Spread, shape: Shape, drawn: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    if shape.kind == CONSTANT or shape.span == 0:
        return ((float(shape.least), 1.0),)
    if spread.kind is SpreadKind.EMPIRICAL:
        return _bars(drawn)
    first, last = float(shape.least), float(shape.greatest)
    if spread.kind in {SpreadKind.LOGNORMAL, SpreadKind.NORMAL}:
        first, last = (float(np.quantile(drawn, share)) for share in _SHOWN)
    at = np.linspace(first, last, _PLACES)
    share = (at - shape.least) / float(shape.span << shape.shift)
    heights = _heights(spread, shape, share)
    return tuple(zip(at.tolist(), (heights / heights.max()).tolist(), strict=True))


def _heights(spread: Spread, shape: Shape, share: NDArray[np.float64]) -> NDArray[np.float64]:
    """How dense a spread is at these shares of the way from its least to its greatest, up to a factor."""
    inside = np.clip(share, 1e-9, 1 - 1e-9)
    mode = min(max(shape.mode, 0.0), 1.0)
    if spread.kind is SpreadKind.UNIFORM:
        return np.ones_like(share)
    if spread.kind is SpreadKind.TRIANGULAR:
        return np.minimum(inside / max(mode, 1e-9), (1 - inside) / max(1 - mode, 1e-9))
    if spread.kind is SpreadKind.PERT:
        found: NDArray[np.float64] = np.power(inside, 4 * mode) * np.power(1 - inside, 4 - 4 * mode)
        return found
    if spread.kind is SpreadKind.NORMAL:
        return np.exp(-(((inside - mode) * (spread.high - spread.low) / spread.deviation) ** 2) / 2)
    middle, sigma = mode, _sigma(spread)
    return np.exp(-((np.log(inside / middle) / sigma) ** 2) / 2) / inside


def _sigma(spread: Spread) -> float:
    """The deviation of the logarithm of a lognormal distribution: nine tenths lie below its high."""
    return float(np.log((spread.high - spread.low) / (spread.likely - spread.low))) / 1.2815515655446004


def _bars(drawn: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    """Steps, each as high as many cases lie in it."""
    counts, edges = np.histogram(drawn, bins=_BARS)
    heights = (counts / counts.max()).tolist()
    left, right = edges[:-1].tolist(), edges[1:].tolist()
    steps = zip(left, right, heights, strict=True)
    return tuple((float(at), height) for start, end, height in steps for at in (start, end))
