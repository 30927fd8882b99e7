"""Activity lists of a plain problem in batches, on a device: what sgs.cu is handed. Its CPU twin is listing.py.

It never takes a problem that plain.py does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.optimize.aim import Aim
from engine.optimize.batch import SGS
from engine.optimize.batch.worth import Worth, worth_of
from engine.optimize.plain import Plain, plain_of
from engine.optimize.problem import Ints, Longs, Problem
from engine.program.launcher import Grid, Launcher

Lists = NDArray[np.uint16]

_WARPS, _WARP = 4, 32  # warps a block; lanes a warp
_EASY_BYTES = 48 << 10  # shared memory that a block gets without asking
_BLOCKS = 16  # blocks that wait for each processor, at the most


class DeviceLists:
    """Up to `most` activity lists, uint16[b, n], at once on a device; starts are in slots of `plain.unit` ticks."""

    def __init__(self, problem: Problem, aim: Aim, launcher: Launcher, most: int) -> None:
        """Puts the problem there once, and makes room."""
        self._launcher = launcher
        plain = plain_of(problem)
        worth = worth_of(problem, aim)
        self._layout = _layout(plain, launcher)
        self._scalars = _scalars(plain, worth)
        self._tables = [launcher.put(each) for each in tables_of(plain)]
        self._goals = launcher.put(worth.goals)
        count = problem.operation_count
        self._lists = launcher.room((most, count), np.uint16)
        self._starts = launcher.room((most, count), np.int32)
        self._worth = launcher.room((most,), np.int64)
        self._spilled = launcher.room((self._layout.spilled(most) * len(plain.profile) or 1,), np.uint64)

    def decode(self, lists: Lists) -> Longs:
        """What each list is worth, int64[b]."""
        size = len(lists)
        self._launcher.refill(self._lists[:size], lists)
        arrays = (*self._tables, self._lists, self._goals, self._spilled, self._starts, self._worth)
        count, *rest = self._scalars
        self._launcher.launch(
            SGS, self._layout.grid(size), arrays, (count, size, rest[0], self._layout.is_spilled, *rest[1:])
        )
        found: Longs = self._launcher.get(self._worth[:size])
        return found

    def starts(self, candidate: int) -> Ints:
        """Slots in which the operations of a list of the last call start, int32[n]."""
        found: Ints = self._launcher.get(self._starts[candidate])
        return found


@dataclass(frozen=True, slots=True)
class _Layout:
    """Warps of a block, what each needs of shared memory, and whether profiles lie in the device's memory instead."""

    warps: int
    warp_bytes: int
    is_spilled: bool
    most_blocks: int

    def grid(self, lists: int) -> Grid:
        """A warp takes one list after another where there are more."""
        blocks = min(-(-lists // self.warps), self.most_blocks)
        return Grid(blocks, self.warps * _WARP, self.warps * self.warp_bytes)

    def spilled(self, most: int) -> int:
        """How many profiles lie in the device's memory."""
        return self.grid(most).blocks * self.warps if self.is_spilled else 0


def _layout(plain: Plain, launcher: Launcher) -> _Layout:
    finish_bytes = (len(plain.duration) + 1) // 2 * 8
    warp_bytes = finish_bytes + 8 * len(plain.profile)
    is_spilled = warp_bytes > launcher.most_shared_bytes
    if is_spilled:
        warp_bytes = finish_bytes
    easy_bytes = min(_EASY_BYTES, launcher.most_shared_bytes)
    warps = max(1, min(_WARPS, easy_bytes // warp_bytes))
    return _Layout(warps, warp_bytes, is_spilled, _BLOCKS * launcher.processors)


def _scalars(plain: Plain, worth: Worth) -> tuple[int, int, int, int, int]:
    """Operations, slots, the weight of a slot of the end, ticks of a slot, whether goals count."""
    unit = int(plain.unit[0])
    return len(plain.duration), len(plain.profile), worth.end_weight * unit, unit, int(worth.has_goals)


def tables_of(plain: Plain) -> tuple[NDArray[np.generic], ...]:
    """The problem as sgs.cu reads it: durations, words with the room last, floors, and links into operations."""
    into = plain.into
    columns = (plain.duration, plain.floor, into.first, into.node, into.lag)
    duration, floor, first, node, lag = (_some(each.astype(np.int32)) for each in columns)
    return duration, np.concatenate((plain.words, plain.room)), floor, first, node, lag


def _some(column: Ints) -> Ints:
    """No device likes an array of nothing."""
    return column if len(column) else np.zeros(1, np.int32)
