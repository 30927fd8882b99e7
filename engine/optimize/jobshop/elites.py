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
    """A schedule: what it is worth, its topological order sorted by heads, places in that order, modes of the shop."""

    value: int
    order: Column
    place: Column
    mode: Column


@dataclass(slots=True)
class Elites:
    """At most 16 elites (Peng, Lü and Cheng 2015 take 30), no two of them nearly the same."""

    shop: Shop
    kept: list[Elite] = field(default_factory=list)
    children: int = 0
    _last_entry: int = 0
    _strangers: float = 0.0

    @property
    def is_full(self) -> bool:
        """Whether there are enough of them to relink."""
        return len(self.kept) >= _SIZE

    @property
    def has_collapsed(self) -> bool:
        """Whether they have grown alike, or have not let a child in for long: time to start with new ones."""
        if not self.is_full or self.children % _SIZE:
            return False
        return self.children - self._last_entry > 4 * _SIZE or self._spread() < _COLLAPSED * self._strangers

    def between(self, one: Elite, other: Elite) -> int:
        """How far two are apart."""
        return distance(self.shop, one.order, one.mode, other.place, other.mode)

    def offer(self, elite: Elite) -> None:
        """Takes one in: for the nearest one if they are nearly the same and it is better, else for the worst."""
        if not self.is_full:
            self.kept.append(elite)
            self._strangers = self._spread()
            return
        self.children += 1
        apart = [self.between(elite, each) for each in self.kept]
        at = int(np.argmin(apart))
        if apart[at] > _TOO_NEAR * self._strangers:
            at = max(range(len(self.kept)), key=lambda place: self.kept[place].value)
        if elite.value < self.kept[at].value or (elite.value == self.kept[at].value and apart[at] > 0):
            if elite.value < self.kept[at].value:
                self._last_entry = self.children
            self.kept[at] = elite

    def restart(self) -> None:
        """Leaves the best one alone."""
        self.kept = [min(self.kept, key=lambda each: each.value)]
        self._last_entry = self.children

    def _spread(self) -> float:
        pairs = [self.between(one, other) for at, one in enumerate(self.kept) for other in self.kept[:at]]
        return float(np.mean(pairs)) if pairs else 0.0
