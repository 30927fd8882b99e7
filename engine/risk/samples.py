"""Samples: what a simulation gave, as arrays. It never draws, and never loads numba."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.risk.program import CLOCK, FAST, FIXED, WAY, RiskProgram
from engine.schedule.columns import INACTIVE, LEAF, Column


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """What so many samples gave. `finishes` has a row an item (the project, then the program's items), in ticks.

    `row_codes` (a row a row of the plan: codes of FAST nodes, of others ticks from the project's start), `durations`
    (a row a node that varies) and `lags` (a row one of program.lags) hold the first samples alone. `on_path` counts for
    each row of the plan in how many of the first `counted` samples it lay on the path to the end. `happens` has a row a
    chance, `factors` one an independent driver.
    """

    program: RiskProgram
    count: int
    finishes: Column
    on_path: Column
    counted: int
    row_codes: Column
    durations: Column
    lags: Column
    happens: NDArray[np.uint8]
    factors: NDArray[np.float32]

    @property
    def kept(self) -> int:
        """Of how many samples rows, durations and lags are kept."""
        return int(self.row_codes.shape[1])

    def row_finishes(self) -> Column:
        """When each row of the plan is done in each kept sample, in ticks; a summary with the last in it."""
        return self._with_summaries(self._instants(self.row_codes))

    def row_quantiles(self, ranks: list[int]) -> Column:
        """The finish of each row but summaries that has such a rank, from 0, among those of the kept samples."""
        return self._instants(np.sort(self.row_codes, axis=1)[:, ranks])  # codes stand in the order of instants

    def _instants(self, codes: Column) -> Column:
        """The instants of codes, a row a row of the plan."""
        program, count = self.program, len(codes)
        network, ways = program.network, program.steps.nodes[:count, WAY]
        nodes = network.nodes
        found: Column = codes.astype(np.int64) + network.rules.start
        clocks = program.steps.nodes[:count, CLOCK]
        is_dated = (nodes.role[:count] == LEAF) & (nodes.flags[:count] & INACTIVE == 0) & (ways != FIXED)
        for clock in np.unique(clocks[is_dated & (ways == FAST)]).tolist():
            rows = np.flatnonzero(is_dated & (ways == FAST) & (clocks == clock))
            time, whole = network.times[clock], codes[rows].astype(np.int64)
            work = (whole >> 1) + program.steps.origins[clock]
            found[rows] = np.where(whole & 1, time.starts_at(work), time.finishes_at(work))
        found[~is_dated] = nodes.finish_at[:count][~is_dated, None]
        return found

    def _with_summaries(self, found: Column) -> Column:
        plan = self.program.plan
        for summary in sorted(plan.children, key=plan.rows.__getitem__, reverse=True):
            inside = [plan.rows[child] for child in plan.children[summary] if plan.task(child).is_active]
            if inside:
                found[plan.rows[summary]] = found[inside].max(axis=0)
        return found
