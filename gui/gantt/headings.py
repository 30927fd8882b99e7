"""Headings: rows that stand over groups of tasks, with a title and how many there are.

They never change a plan, and are no tasks of it: their ids are below zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.model import Task, TaskId, Ticks

Places = NDArray[np.int64]


def heading_id(group: int) -> TaskId:
    """What stands for the id of a task in the row of a group."""
    return -1 - group


@dataclass(frozen=True, eq=False)
class Heading:
    """The row of one group. `plan_rows` are the rows of its tasks in the plan, at least one."""

    id: TaskId
    title: str
    plan_rows: Places

    @cached_property
    def task(self) -> Task:
        """What stands in the place of a task in its row."""
        return Task(self.id, f"{self.title} ({len(self.plan_rows):,})")

    def span(self, starts: NDArray[np.int64], finishes: NDArray[np.int64]) -> tuple[Ticks, Ticks]:
        """From the first start to the last finish, of dates with an entry a row of the plan."""
        return int(starts[self.plan_rows].min()), int(finishes[self.plan_rows].max())
