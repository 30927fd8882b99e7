"""Where chance comes in: every length, lag, event and driver of a plan that is drawn, as rows of numbers.

Each has a key made of the seed and of what it is, never of where it stands: so two plans, or two branches of one, are
compared sample by sample without noise. It never draws.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, PlanRisks, Spread, TaskRisk, Ticks
from engine.model.risk import cholesky, share_of
from engine.risk.distributions import KNOTS, Shape, normal_table, phi_table, shape_of

Column = NDArray[np.int64]
Floats = NDArray[np.float32]

# Columns of Draws.whole and of Draws.real.
KIND, LEAST, SHIFT, TABLE_AT, KEY_1, KEY_2, LOAD_FIRST, LOAD_LAST = range(8)
SPAN, MODE, OWN = range(3)
# Columns of Draws.chances.
CHANCE_KEY_1, CHANCE_KEY_2, THRESHOLD = range(3)
CERTAIN = 1 << 32


class Draws(NamedTuple):
    """All that is drawn, a row each. A chance happens where 32 random bits are below its threshold.

    `tables` holds the normal quantiles in its first row; `pairs` each knot of them and what the next one is more, two
    float32 in the place of one whole number, as `phi_pairs` does of `phi`. `loads` are (factor, weight) of the draws
    that follow drivers.
    """

    whole: Column
    real: Floats
    load_factor: Column
    load_weight: Floats
    tables: Floats
    pairs: Column
    phi: Floats
    phi_pairs: Column
    factors: Column
    chances: Column


class DrawMaker:
    """Collects draws and chances of one plan under one seed."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self._seed = seed
        self._risks: PlanRisks = plan.risks
        self._place = {driver.id: at for at, driver in enumerate(plan.risks.drivers)}
        self._matrix = plan.risks.matrix()
        self._lower = cholesky(self._matrix) or []
        self._whole: list[tuple[int, ...]] = []
        self._real: list[tuple[float, ...]] = []
        self._loads: list[tuple[int, float]] = []
        self._tables: list[Floats] = [normal_table()]
        self._known: dict[int, int] = {}
        self._chances: list[tuple[int, int, int]] = []
        self._numbers: dict[Hashable, int] = {}
        self.shapes: list[Shape] = []

    def draw(self, what: Hashable, spread: Spread, planned: Ticks, risk: TaskRisk | None = None) -> int:
        """The number of a new draw; `what` it is must be of one kind of thing in all plans."""
        shape = shape_of(spread, planned)
        first = len(self._loads)
        weights, own = self._weights(risk) if risk is not None else ([], 1.0)
        self._loads += weights
        row = (shape.kind, shape.least, shape.shift, self._table(shape), *self._key("draw", what))
        self._whole.append((*row, first, len(self._loads)))
        self._real.append((float(shape.span), shape.mode, own))
        self.shapes.append(shape)
        return len(self.shapes) - 1

    def chance(self, what: Hashable, chance: float) -> int:
        """The number of something that happens or not: one for each `what`."""
        if what not in self._numbers:
            self._numbers[what] = len(self._chances)
            self._chances.append((*self._key("chance", what), round(chance * CERTAIN)))
        return self._numbers[what]

    def events(self) -> dict[int, int]:
        """The number of each event's chance, by the event's id; none of what changes nothing."""
        ids = [event.id for event in self._risks.events]
        return {number: self._numbers["event", number] for number in ids if ("event", number) in self._numbers}

    def made(self) -> Draws:
        """All of them."""
        tables = np.array(self._tables, dtype=np.float32).reshape(-1, KNOTS)
        factors = [self._key("driver", driver.id) for driver in self._risks.drivers]
        return Draws(
            np.array(self._whole, dtype=np.int64).reshape(-1, 8),
            np.array(self._real, dtype=np.float32).reshape(-1, 3),
            np.array([factor for factor, _ in self._loads], dtype=np.int64),
            np.array([weight for _, weight in self._loads], dtype=np.float32),
            tables,
            _pairs(tables),
            phi_table(),
            _pairs(phi_table()[None])[0],
            np.array(factors, dtype=np.int64).reshape(-1, 2),
            np.array(self._chances, dtype=np.int64).reshape(-1, 3),
        )

    def _table(self, shape: Shape) -> int:
        if shape.table is None:
            return 0
        if id(shape.table) not in self._known:
            self._known[id(shape.table)] = len(self._tables)
            self._tables.append(shape.table)
        return self._known[id(shape.table)]

    def _weights(self, risk: TaskRisk) -> tuple[list[tuple[int, float]], float]:
        """How much of each independent factor, and of its own chance: the drivers' correlations taken apart."""
        shared = share_of(risk.loadings, self._place, self._matrix)
        found = [0.0] * len(self._lower)
        for driver, loading in risk.loadings:
            for factor, part in enumerate(self._lower[self._place[driver]]):
                found[factor] += loading * part
        return [(factor, weight) for factor, weight in enumerate(found) if weight], max(0.0, 1 - shared) ** 0.5

    def _key(self, kind: str, what: Hashable) -> tuple[int, int]:
        digest = hashlib.blake2b(repr((self._seed, kind, what)).encode(), digest_size=8).digest()
        return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little")


def _pairs(tables: Floats) -> Column:
    more = np.zeros_like(tables)
    more[:, :-1] = tables[:, 1:] - tables[:, :-1]
    found: Column = np.stack((tables, more), axis=2).view(np.int64)[:, :, 0]
    return np.ascontiguousarray(found)
