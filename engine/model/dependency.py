"""Dependency: one task waits for another. It never says by which clock; that is the plan's."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.model.spread import Spread


class DependencyKind(Enum):
    """Which end of the predecessor bounds which end of the successor.

    FS: start(s) >= finish(p) + lag; SS: start(s) >= start(p) + lag;
    FF: finish(s) >= finish(p) + lag; SF: finish(s) >= start(p) + lag.
    """

    FS = "FS"
    SS = "SS"
    FF = "FF"
    SF = "SF"

    __hash__ = object.__hash__  # an Enum's own is a call in Python, made for each of a plan's links


class LagKind(Enum):
    """How a lag is counted: in ticks or in percent of the predecessor's duration, each working or elapsed."""

    WORKING = "working"
    ELAPSED = "elapsed"
    PERCENT = "percent"
    ELAPSED_PERCENT = "elapsed percent"

    __hash__ = object.__hash__

    @property
    def is_percent(self) -> bool:
        """Whether the amount is of the predecessor's duration."""
        return self in (LagKind.PERCENT, LagKind.ELAPSED_PERCENT)

    @property
    def is_elapsed(self) -> bool:
        """Whether every hour of the clock counts."""
        return self in (LagKind.ELAPSED, LagKind.ELAPSED_PERCENT)


@dataclass(frozen=True, slots=True)
class Lag:
    """A lag, or a lead when negative. `amount` is in ticks, or in whole percent where its kind is one of percent."""

    amount: int = 0
    kind: LagKind = LagKind.WORKING


@dataclass(frozen=True, slots=True)
class Dependency:
    """A link. Two links between one pair are legal when their kinds differ.

    `longest` is the most that the lag may become, counted as the lag is: FS: start(s) <= finish(p) + longest. It moves
    no date: the optimizer keeps to it, and dates that break it are a conflict. `spread` is how far the lag is certain.
    """

    predecessor: int
    successor: int
    kind: DependencyKind = DependencyKind.FS
    lag: Lag = field(default_factory=Lag)
    longest: int | None = None
    spread: Spread | None = None

    @property
    def key(self) -> tuple[int, int, DependencyKind]:
        """What makes a link one link: its ends and its kind."""
        return (self.predecessor, self.successor, self.kind)

    def is_same_link(self, other: Dependency) -> bool:
        """Whether the keys are equal."""
        return self.successor == other.successor and self.key == other.key
