"""Samples: what a simulation gave, as arrays. It never draws, and never loads numba."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.risk.program import RiskProgram
from engine.schedule.columns import Column


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """What so many samples gave. `finishes` has a row an item (the project, then the program's items), in ticks.

    `row_finishes` (a row a row of the plan; summaries are the last of what is in them), `durations` (a row a node
    that varies) and `lags` (a row one of program.lags) hold the first samples alone. `on_path` counts for each row of
    the plan in how many of the first `counted` samples it lay on the path to the end. `happens` has a row a chance,
    `factors` one an independent driver.
    """

    program: RiskProgram
    count: int
    finishes: Column
    on_path: Column
    counted: int
    row_finishes: Column
    durations: Column
    lags: Column
    happens: NDArray[np.uint8]
    factors: NDArray[np.float32]
