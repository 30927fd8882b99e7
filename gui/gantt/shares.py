"""Shares: in how many of a hundred samples each task is critical, as colors of bars and as figures beside them.

They never ask for samples. A bar that is critical in none is gray; the figure says the same without any color.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.session.risking import Answers, Bounded
from gui.gantt.bars import Bar

# Where nothing is known; of none; and of each fifth, all but the last pale with an edge of their color around them.
UNKNOWN = "idle"
NEVER = "idle:12"
FIFTHS = ("critical:12", "critical:28", "critical:44", "critical:60", "critical")


@dataclass(frozen=True, eq=False)
class Shares:
    """The shares of the tasks of one plan."""

    answers: Answers

    def of(self, bar: Bar) -> Bounded | None:
        """The share of a bar's task, with its interval; None where the samples did not know it."""
        tasks, row = self.answers.tasks, bar.plan_row
        if row >= len(tasks) or tasks[row] != bar.task.id:
            return None
        return self.answers.criticality_of(row)

    def color(self, bar: Bar) -> str:
        """The token of a bar's fill."""
        found = self.of(bar)
        return UNKNOWN if found is None else step_of(found.value)


def step_of(share: float) -> str:
    """The token of a share, 0 to 1."""
    return FIFTHS[min(math.ceil(share * len(FIFTHS)), len(FIFTHS)) - 1] if share > 0 else NEVER


def share_text(share: float) -> str:
    """A share as it stands at a bar: "63 %"; nothing for none, and never 0 or 100 for what is not quite so."""
    percent = min(max(round(share * 100), 1), 99) if 0 < share < 1 else round(share * 100)
    return f"{percent} %" if percent else ""
