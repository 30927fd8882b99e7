"""Instants and stretches of a problem in the solver's own unit: as few values as the numbers allow. It never rounds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.optimize.problem import NEVER, Longs, Problem
from engine.optimize.units import unit_of

# The solver adds sums of many: no instant may come near what int64 holds.
_FARTHEST = 1 << 40


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit is `ticks` ticks, and 0 is the problem's start; no finish can be after `last` units."""

    origin: int
    ticks: int
    last: int

    def at(self, instant: int) -> int:
        """An instant, which lies on a unit."""
        return (instant - self.origin) // self.ticks

    def of(self, length: int) -> int:
        """A stretch of time, which is whole units."""
        return length // self.ticks

    def back(self, units: int) -> int:
        """The instant in ticks."""
        return self.origin + units * self.ticks


def in_units(problem: Problem, latest_finish: int) -> Unit:
    """The problem's own unit; `latest_finish`: of the best plan so far."""
    first, ticks = int(problem.start), unit_of(problem)
    return Unit(first, ticks, min(_FARTHEST, -(-(_latest(problem, latest_finish) - first) // ticks)))


def _latest(problem: Problem, latest_finish: int) -> int:
    """No plan that is best need finish later: everything one after another, once all is released."""
    if len(problem.segment_finish):
        last = int(problem.segment_finish.max()) + int(problem.duration.sum())
    else:
        longest = [int(problem.duration[a:b].max()) for a, b in pairwise(problem.first_mode.tolist())]
        last = max(int(problem.release.max(initial=problem.start)), problem.start, *_ends(problem)) + sum(longest)
        last += int(np.abs(problem.link_lag).sum()) + problem.operation_count * _between(problem)
    return max(latest_finish, min(last, problem.horizon) if problem.horizon < NEVER else last)


def _between(problem: Problem) -> int:
    """The most that may pass between two operations for the sake of changeovers and transports."""
    return int(problem.changeover.max(initial=0)) + int(problem.transport.max(initial=0))


def _ends(problem: Problem) -> tuple[int, int]:
    return int(problem.pinned_start.max(initial=0)), int(problem.step_until.max(initial=0))


def clipped(starts: Longs, finishes: Longs, low: int, high: int) -> list[list[int]]:
    """The stretches [start, finish] that touch [low, high], cut to it."""
    return [
        [max(low, int(since)), min(high, int(until))]
        for since, until in zip(starts, finishes, strict=True)
        if until >= low and since <= high and until >= since
    ]
