"""Spread: how long something may take, as a distribution in words and numbers. It never draws a sample."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from engine.errors import PlanError
from engine.model.ticks import MOST_TICKS, TaskId

_MOST_PERCENT = 100_000
MOST_VALUES = 1_000


class SpreadKind(Enum):
    """How a length is spread. `low`, `likely` and `high` are what the three numbers of a Spread mean.

    FIXED: the planned length. UNIFORM: all from low to high alike. TRIANGULAR: densest at likely, none at low and high.
    PERT: a beta distribution of mean (low + 4 likely + high) / 6. LOGNORMAL: never below low, half of it below likely,
    nine tenths below high. NORMAL: around likely with `deviation`, cut off at low and high. EMPIRICAL: as often as in
    `values`, and between two neighbors of them evenly.
    """

    FIXED = "fixed"
    UNIFORM = "uniform"
    TRIANGULAR = "triangular"
    PERT = "pert"
    LOGNORMAL = "lognormal"
    NORMAL = "normal"
    EMPIRICAL = "empirical"


@dataclass(frozen=True, slots=True)
class Spread:
    """How long something may take: in percent of the planned length, or in ticks counted as that is.

    `values` are of EMPIRICAL alone, `deviation` of NORMAL alone.
    """

    kind: SpreadKind
    low: float = 100.0
    likely: float = 100.0
    high: float = 100.0
    deviation: float = 0.0
    is_percent: bool = True
    values: tuple[float, ...] = ()

    @classmethod
    def of_values(cls, values: Iterable[float], *, is_percent: bool = True) -> Spread:
        """An EMPIRICAL one, in order; of more than MOST_VALUES so many, evenly by rank, the ends among them."""
        kept = sorted(map(float, values))
        if len(kept) > MOST_VALUES:
            last = len(kept) - 1
            kept = [kept[round(place * last / (MOST_VALUES - 1))] for place in range(MOST_VALUES)]
        return cls(SpreadKind.EMPIRICAL, is_percent=is_percent, values=tuple(kept))

    def check(self, name: str, ids: tuple[TaskId, ...] = (), *, is_signed: bool = False) -> None:
        """Raises a PlanError, one sentence about what is called `name`, where the numbers are no distribution.

        A length cannot be below zero, unless it `is_signed`, as a lag or what an event changes.
        """
        sentence = self._wrong_numbers(is_signed) or self._wrong_order()
        if sentence:
            raise PlanError(f"{name} {sentence}", ids=ids)

    def _numbers(self) -> tuple[float, ...]:
        match self.kind:
            case SpreadKind.FIXED:
                return ()
            case SpreadKind.EMPIRICAL:
                return self.values
            case SpreadKind.UNIFORM:
                return (self.low, self.high)
            case SpreadKind.NORMAL:
                return (self.low, self.likely, self.high, self.deviation)
        return (self.low, self.likely, self.high)

    def _wrong_numbers(self, is_signed: bool) -> str:
        numbers = self._numbers()
        if self.kind is SpreadKind.EMPIRICAL and not numbers:
            return "has no samples to draw from: give at least one."
        if not all(math.isfinite(number) for number in (*numbers, self.low, self.likely, self.high, self.deviation)):
            return "has a range with something in it that is no number."
        most = _MOST_PERCENT if self.is_percent else MOST_TICKS
        if any(abs(number) > most for number in numbers):
            return "has a range that no plan can hold."
        if not is_signed and any(number < 0 for number in numbers):
            return "may take less than no time at all: its range must not go below zero."
        return ""

    def _wrong_order(self) -> str:
        match self.kind:
            case SpreadKind.UNIFORM:
                return "" if self.low <= self.high else "has a shortest length above its longest."
            case SpreadKind.TRIANGULAR | SpreadKind.PERT | SpreadKind.NORMAL:
                if not self.low <= self.likely <= self.high:
                    return "has a most likely length outside its range."
                if self.kind is SpreadKind.NORMAL and self.deviation <= 0:
                    return "needs a standard deviation above zero."
            case SpreadKind.LOGNORMAL:
                if not (self.low < self.likely < self.high or self.low == self.likely == self.high):
                    return "needs a least length below the middle one, and that below the one in nine of ten cases."
        return ""


@dataclass(frozen=True, slots=True)
class TaskRisk:
    """What of one task is not certain: its length, whether it happens at all, and which drivers it follows.

    `chance` is that it happens, a summary's that all in it does; otherwise it takes no time. `loadings` are (driver,
    -1 to 1): how far the length goes along with each.
    """

    spread: Spread | None = None
    chance: float = 1.0
    loadings: tuple[tuple[int, float], ...] = ()


def check_chance(chance: float, name: str, ids: tuple[TaskId, ...] = ()) -> None:
    """Raises a PlanError unless a chance is one."""
    if not 0 <= chance <= 1:
        raise PlanError(f"{name} has the probability {chance:g}; it must be 0 to 1.", ids=ids)
