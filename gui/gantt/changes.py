"""Changes: which dates of which tasks the last edit moved. They never say why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan
from engine.session.state import State

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Changes:
    """One entry a row of the later plan. A task that is new has no change: all of it is new."""

    start: Flags
    finish: Flags
    total_float: Flags

    @cached_property
    def moved(self) -> Flags:
        """Rows whose bar stands elsewhere."""
        return self.start | self.finish

    @staticmethod
    def between(before: State, after: State) -> Changes:
        """What differs between two states of one document."""
        here, there = _common(before.plan, after.plan)
        old, new, count = before.schedule, after.schedule, len(after.plan.tasks)

        def differ(one: NDArray[np.int64], other: NDArray[np.int64]) -> Flags:
            found = np.zeros(count, dtype=np.bool_)
            found[there] = one[here] != other[there]
            return found

        return Changes(
            differ(old.start, new.start), differ(old.finish, new.finish), differ(old.total_float, new.total_float)
        )


def _common(before: Plan, after: Plan) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows before and after of the tasks that are in both."""
    if before.rows is after.rows or before.rows == after.rows:
        rows = np.arange(len(after.tasks), dtype=np.int64)
        return rows, rows
    places = after.rows
    shared = [(row, places[task]) for task, row in before.rows.items() if task in places]
    found = np.array(shared, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]
