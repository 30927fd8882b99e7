"""Outlook: when one thing may be done, asked either way: by a date how surely, and how surely by which date.

It never simulates: of the project it has every sample, of anything else the percents that the answers tell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId, Ticks
from engine.risk.answers import Answers, Bounded, FinishAnswer, Spot, quantile, share
from engine.schedule.columns import Column

Floats = NDArray[np.float64]

_Z = 1.959964


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """Of the project, where `task` is None, or of a task, from `count` samples. Instants are in ticks.

    `ordered` are instants, ascending: one a sample where it `is_whole`, else those of 1 to 99 percent. `planned` is
    when the schedule has it done.
    """

    task: TaskId | None
    planned: Ticks
    count: int
    ordered: Column
    is_whole: bool
    mean: Ticks

    def at(self, confidence: float) -> Spot:
        """When it is done with a confidence, 0 to 1, to a whole percent where it is not whole."""
        if self.is_whole:
            return quantile(self.ordered, confidence)
        spread = _Z * math.sqrt(confidence * (1 - confidence) / self.count)
        low, high = math.floor(100 * (confidence - spread) + 1e-9), math.ceil(100 * (confidence + spread) - 1e-9)
        return Spot(self._percent(round(100 * confidence)), self._percent(low), self._percent(high))

    def chance_by(self, instant: Ticks) -> Bounded:
        """The chance that it is done by an instant."""
        return share(round(float(self.shares_by(np.array([instant]))[0]) * self.count), self.count)

    def shares_by(self, instants: Column) -> Floats:
        """The share of samples that are done by each instant."""
        before = np.searchsorted(self.ordered, instants, side="right")
        if self.is_whole:
            found: Floats = before / len(self.ordered)
            return found
        last = len(self.ordered) - 1
        left, right = self.ordered[np.maximum(before - 1, 0)], self.ordered[np.minimum(before, last)]
        between = np.where(right > left, (instants - left) / np.maximum(right - left, 1), 0.0)
        shares: Floats = (before + between) / (last + 2)
        return np.where(before == 0, 0.0, np.where(before > last, 1.0, shares))

    def _percent(self, percent: int) -> Ticks:
        return int(self.ordered[min(max(percent, 1), len(self.ordered)) - 1])


def outlook_of(answers: Answers, task: TaskId | None, planned: Ticks) -> Outlook | None:
    """Of the project, or of a task of which answers tell when it is done; None of any other."""
    if task is None:
        return Outlook(None, planned, answers.count, answers.finishes, is_whole=True, mean=answers.project.mean)
    found: FinishAnswer | None = next((item for item in answers.items if item.task == task), None)
    if found is None:
        return None
    return Outlook(task, planned, answers.count, found.quantiles, is_whole=False, mean=found.mean)
