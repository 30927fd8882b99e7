"""Schedule: when every task happens, as arrays in the plan's row order. It never changes a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId, Ticks

Instants = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Schedule:
    """Dates of every task of one plan. All arrays have one entry a row; instants are ticks, floats working ticks.

    `start` and `finish` are the early dates; a summary spans its leaves. `driving` holds (predecessor, successor)
    ids of the links, derived ones included, that decide a start. `stream_links` are the links that the order on each
    stream adds: drawn thin, never stored. `estimated` says which durations came from a cost, not from a person.
    """

    rows: Mapping[TaskId, int]
    start: Instants
    finish: Instants
    late_start: Instants
    late_finish: Instants
    total_float: Instants
    free_float: Instants
    is_critical: Flags
    is_estimated: Flags
    project_start: Ticks
    project_finish: Ticks
    driving: tuple[tuple[TaskId, TaskId], ...] = ()
    stream_links: tuple[tuple[TaskId, TaskId], ...] = ()
    driven_by: Mapping[TaskId, tuple[TaskId, ...]] = field(default_factory=dict)

    def start_of(self, task_id: TaskId) -> Ticks:
        """Start of a task in ticks."""
        return int(self.start[self.rows[task_id]])

    def finish_of(self, task_id: TaskId) -> Ticks:
        """Finish of a task in ticks."""
        return int(self.finish[self.rows[task_id]])
