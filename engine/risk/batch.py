"""Samples on a device: the whole plan as one table there, and a thread a sample. It never opens a device.

They equal those of simulate.py, sample by sample: finishes of items and the counts of paths.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.program.launcher import Grid, Launcher, Source
from engine.risk.program import RiskProgram
from engine.schedule.clock_tables import clock_table, part_table
from engine.schedule.columns import Column

SAMPLE = Source("engine.risk", "sample")
_THREADS, _MOST_BYTES = 128, 256 << 20


class DeviceSimulation:
    """One program on a device, from sample `first` on."""

    def __init__(self, program: RiskProgram, launcher: Launcher, *, wants_paths: bool = True, first: int = 0) -> None:
        self.count = first
        self._program, self._launcher, self._wants_paths = program, launcher, wants_paths
        self._nodes = max(1, len(program.network.table))
        fits = max(1, _MOST_BYTES // (8 * 3 * self._nodes * _THREADS))
        self._blocks = min(fits, 16 * launcher.processors)
        threads = self._blocks * _THREADS
        tables, real = packed(program)
        self._tables = launcher.put(tables), launcher.put(real)
        self._rooms = tuple(launcher.room((self._nodes, threads), np.int64) for _ in range(3))

    def advance(self, samples: int) -> tuple[Column, Column]:
        """The finishes of so many more samples, a row an item, and how often each node lay on the path in them.

        Raises DeviceError, and has then drawn nothing.
        """
        items = len(self._program.items) + 1
        found = self._launcher.room((items, samples), np.int64)
        counts = self._launcher.put(np.zeros(self._nodes, dtype=np.uint64))
        scalars = (self.count, samples, samples, len(self._program.steps.order), items, int(self._wants_paths))
        grid = Grid(min(self._blocks, -(-samples // _THREADS)), _THREADS)
        self._launcher.launch(SAMPLE, grid, (*self._tables, *self._rooms, found, counts), scalars)
        finishes: Column = self._launcher.get(found)
        on_path: Column = self._launcher.get(counts)[: len(self._program.network.table)].astype(np.int64)
        self.count += samples
        return finishes, on_path


def packed(program: RiskProgram) -> tuple[Column, NDArray[np.float32]]:
    """All whole numbers of a program, and all others; where each table begins stands ahead of the first."""
    steps, draws, uncertain, network = program.steps, program.draws, program.uncertain, program.network
    table, parts_at = part_table(clock_table(tuple(network.times)), network.parts)
    whole = (
        steps.order,
        table,
        network.table,
        parts_at,
        steps.first,
        steps.links,
        uncertain.base,
        uncertain.pauses,
        uncertain.draw,
        uncertain.impact_first,
        uncertain.impacts,
        uncertain.chance_first,
        uncertain.chance,
        uncertain.may_vanish,
        uncertain.slot,
        uncertain.lag_draw,
        uncertain.lag_percent,
        draws.whole,
        draws.load_factor,
        draws.factors,
        draws.chances,
        steps.item_first,
        steps.item_nodes,
        np.array(network.rules, dtype=np.int64),
    )
    real = (draws.real, draws.load_weight, draws.tables, draws.phi)
    head = len(whole) + len(real)
    places = np.cumsum([head, *(each.size for each in whole[:-1])])
    real_places = np.cumsum([0, *(each.size for each in real[:-1])])
    flat = [each.astype(np.int64).ravel() for each in whole]
    return np.concatenate((places, real_places, *flat)), np.concatenate([each.ravel() for each in real])
