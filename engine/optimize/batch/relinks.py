"""Schedules between elites in batches, on a device: what relink.cu is handed. Their twin is relinking.py.

It never chooses elites: it is told from which to which, and how far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.optimize.batch import RELINK
from engine.optimize.batch.sequences import Jobs, hashed
from engine.optimize.batch.walks import Places
from engine.optimize.problem import NONE, Ints
from engine.program.launcher import Grid, Launcher, Placed

# int32[c, 3]: for each child the elite it begins with, the one it goes toward, and pairs of a machine to turn.
Pairs = NDArray[np.int32]

_WARP, _WARPS = 32, 4
_EASY_BYTES = 48 << 10


def order_by(jobs: Jobs, order: Ints) -> Places:
    """An activity list as steps of Jobs, uint16[n]."""
    step = np.zeros(len(order), np.uint16)
    is_one = jobs.operation != NONE
    step[jobs.operation[is_one]] = np.flatnonzero(is_one)
    steps: Places = step[order]
    return steps


def first_places(jobs: Jobs) -> Ints:
    """Where the operations of each machine begin in a sequence: int32[machines + 1]."""
    counts = np.bincount(jobs.machine[jobs.operation != NONE], minlength=int(jobs.sizes[2]))
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)


class DeviceRelinks:
    """Children on a device, a warp each, written where walks begin."""

    def __init__(self, jobs: Jobs, launcher: Launcher) -> None:
        """Puts the shop there once."""
        self._launcher = launcher
        count, table = int(jobs.sizes[0]), len(jobs.operation)
        steps = (jobs.machine << 24).astype(np.uint32)
        self._tables = launcher.put(steps), launcher.put(first_places(jobs))
        self._count, self._machines = count, int(jobs.sizes[2])
        self._words = (count + table + 3) // 4 * 2

    def approach(self, elites: Places, pairs: Pairs, seed: int, first: int, into: Placed) -> None:
        """Fill `into`, uint16[c, n], with children of elites, uint16[e, n] as `order_by` gives them.

        The seed and each child's number, `first` and on, decide which pairs are turned.
        """
        launcher, children = self._launcher, len(pairs)
        warps = max(1, min(_WARPS, _EASY_BYTES // (4 * self._words)))
        grid = Grid(-(-children // warps), _WARP * warps, 4 * self._words * warps)
        arrays = (*self._tables, launcher.put(elites), launcher.put(pairs), into)
        scalars = (self._count, self._machines, children, self._words, hashed(seed), first)
        launcher.launch(RELINK, grid, arrays, scalars)
