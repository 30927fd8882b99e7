"""Elites: the schedules between which new ones are looked for, kept apart from each other. It never searches."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.optimize.jobshop.columns import Column, Shop
from engine.optimize.jobshop.relink import distance

_SIZE = 16
_TOO_NEAR = 0.02  # of the distance at which strangers are
_COLLAPSED = 0.1


@dataclass(frozen=True, eq=False, slots=True)
class Elite:
    """A schedule: what it is worth, its topological order sorted by heads, places in that order, modes of the shop.

    `lanes` are the operations machine by machine, those of one in that order.
    """

    value: int
    order: Column
    place: Column
    mode: Column
    lanes: Column


@dataclass(slots=True)
class Elites:
    """At most 16 elites (Peng, Lü and Cheng 2015 take 30), no two of them nearly the same."""

    shop: Shop
    kept: list[Elite] = field(default_factory=list)
    children: int = 0
    _last_entry: int = 0
    _strangers: float = 0.0
    _apart: Column = field(default_factory=lambda: np.zeros((_SIZE, _SIZE), np.int64))

    @property
    def is_full(self) -> bool:
        """Whether there are enough of them to relink."""
        return len(self.kept) >= _SIZE

    @property
    def has_collapsed(self) -> bool:
        """Whether they have grown alike, or have not let a child in for long: time to start with new ones."""
        if not self.is_full or self.children % _SIZE:
            return False
        return self.children - self._last_entry > 4 * _SIZE or self.spread < _COLLAPSED * self._strangers

    def between(self, one: Elite, other: Elite) -> int:
        """How far two are apart."""
        return distance(self.shop, one.lanes, one.mode, other.place, other.mode)

    def offer(self, elite: Elite) -> None:
        """Takes one in: for the nearest one if they are nearly the same and it is better, else for the worst."""
        apart = [self.between(elite, each) for each in self.kept]
        if not self.is_full:
            self._put(len(self.kept), elite, apart)
            self._strangers = self.spread
            return
        self.children += 1
        at = int(np.argmin(apart))
        if apart[at] > _TOO_NEAR * self._strangers:
            at = max(range(len(self.kept)), key=lambda place: self.kept[place].value)
        if elite.value < self.kept[at].value or (elite.value == self.kept[at].value and apart[at] > 0):
            if elite.value < self.kept[at].value:
                self._last_entry = self.children
            self._put(at, elite, apart)

    def _put(self, at: int, elite: Elite, apart: list[int]) -> None:
        """Keeps one in this place; so far is it from those that were kept."""
        self.kept[at : at + 1] = [elite]
        self._apart[at, : len(apart)] = self._apart[: len(apart), at] = apart
        self._apart[at, at] = 0

    def restart(self) -> None:
        """Leaves the best one alone."""
        self.kept = [min(self.kept, key=lambda each: each.value)]
        self._last_entry = self.children

    @property
    def spread(self) -> float:
        """How far two are apart, in the mean, once there are enough of them."""
        return float(self._apart.sum() / (_SIZE * (_SIZE - 1)))
