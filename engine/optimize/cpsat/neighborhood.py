"""What of a plan stays as it is while the rest is solved anew: Kept, and windows to choose it by. It never solves."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.optimize.problem import NEVER, Evaluation, Flags, Ints, Longs, Problem

# Larger problems are not solved whole: their proofs do not come, and their windows give better plans.
WHOLE_MODES, WHOLE_CUMULATIVE = 400, 60


def is_whole(problem: Problem) -> bool:
    """Whether a problem is small enough to be solved as a whole."""
    is_cumulative = bool((problem.capacity > 1).any())
    return len(problem.duration) <= (WHOLE_CUMULATIVE if is_cumulative else WHOLE_MODES)


@dataclass(slots=True)
class Kept:
    """`is_free`: bool[n]. The others keep their mode, int32[n], and their order: `links` (before, after)."""

    is_free: Flags
    mode: Ints
    links: list[tuple[int, int]]
    _next: dict[int, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for before, after in self.links:
            self._next.setdefault(before, set()).add(after)

    def may_follow(self, one: int, other: int) -> bool:
        """Whether an operation may come right after another on a machine."""
        return bool(self.is_free[one] or self.is_free[other]) or other in self._next.get(one, ())


def keep(problem: Problem, best: Evaluation, is_free: Flags) -> Kept:
    """Everything but `is_free` in the order it has: each waits for those whose units of a resource it takes over."""
    chains: dict[int, list[tuple[int, int]]] = {}
    links: set[tuple[int, int]] = set()
    for operation in np.lexsort((best.finishes, best.starts)).tolist():
        mode = int(best.solution.mode[operation])
        if is_free[operation] or problem.duration[mode] == 0:
            continue
        for use in range(int(problem.first_use[mode]), int(problem.first_use[mode + 1])):
            chain = chains.setdefault(int(problem.use_resource[use]), [])
            before = _take(chain, int(problem.use_units[use]), int(best.starts[operation]), best.finishes)
            links |= {(holder, operation) for holder in before}
            chain.append((operation, int(problem.use_units[use])))
    return Kept(is_free, best.solution.mode, sorted(links))


def _take(chain: list[tuple[int, int]], units: int, start: int, finishes: Longs) -> list[int]:
    """Take units over from those that are done by `start`, the last ones first, and name these."""
    chain.sort(key=lambda each: int(finishes[each[0]]))
    taken = []
    for place in range(len(chain) - 1, -1, -1):
        holder, held = chain[place]
        if units == 0:
            break
        if finishes[holder] <= start:
            taken.append(holder)
            now = min(units, held)
            units -= now
            chain[place] = (holder, held - now)
    chain[:] = [each for each in chain if each[1] > 0]
    return taken


@dataclass(slots=True)
class Windows:
    """Chooses what to set free, at most `size` operations: around an instant, a late or last operation, or machines."""

    problem: Problem
    size: int
    random: random.Random

    def choose(self, best: Evaluation) -> Flags:
        """bool[n]."""
        count = self.problem.operation_count
        kind = self.random.randrange(3)
        if kind == 0:
            distance = self._from_instant(best, self.random.uniform(*self._span(best)))
        elif kind == 1:
            distance = self._from_instant(best, float(best.finishes[self._pressing(best)]))
        else:
            distance = self._from_machines(best)
        is_free = np.zeros(count, np.bool_)
        is_free[np.argsort(distance, kind="stable")[: self.size]] = True
        return is_free

    def _span(self, best: Evaluation) -> tuple[float, float]:
        return float(best.starts.min()), float(best.finishes.max())

    def _from_instant(self, best: Evaluation, instant: float) -> NDArray[np.float64]:
        return np.abs((best.starts + best.finishes) / 2 - instant)

    def _pressing(self, best: Evaluation) -> int:
        """One of the operations that are late, else one of those that finish last."""
        due = np.minimum(self.problem.due, NEVER)
        late = np.flatnonzero((best.finishes > due) & (self.problem.weight > 0))
        if not len(late):
            late = np.argsort(best.finishes)[-5:]
        return int(self.random.choice(late.tolist()))

    def _from_machines(self, best: Evaluation) -> NDArray[np.float64]:
        """Two machines and what runs nearest to one instant on them."""
        machines = self.problem.machine[best.solution.mode]
        known = np.unique(machines)
        chosen = self.random.sample(known.tolist(), min(2, len(known)))
        near = self._from_instant(best, self.random.uniform(*self._span(best)))
        return np.where(np.isin(machines, chosen), near, near + float(best.finishes.max()) * 4 + 1)
