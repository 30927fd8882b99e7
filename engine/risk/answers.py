"""Answers: what samples say, each figure with how sure it is of itself. It never draws.

A quantile is a sample: the least that at least so many of a hundred samples are no later than. Its interval lies
between two others (order statistics; David and Nagaraja 2003, 7.1), a share's is Wilson's; both at 95 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId, Ticks
from engine.risk.costs import CostAnswers, costs_of
from engine.risk.samples import Samples
from engine.risk.sensitivity import Swing, cruciality_of, swings_of
from engine.schedule.columns import Column
from engine.schedule.cpm import working_time

Floats = NDArray[np.float64]

PERCENTS = (10, 50, 80, 90)
_Z = 1.959964
_FEWEST = 64  # samples from which convergence is told


@dataclass(frozen=True, slots=True)
class Bounded:
    """A figure and the interval that holds the true one with 95 %. Instants are in ticks, shares 0 to 1."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Spot:
    """An instant in ticks and the interval that holds the true one with 95 %."""

    value: Ticks
    low: Ticks
    high: Ticks


@dataclass(frozen=True, slots=True)
class FinishAnswer:
    """When something is done: the project, where `task` is None, or a task, milestone or summary.

    `quantiles` are the instants of 1 to 99 percent.
    """

    task: TaskId | None
    p10: Spot
    p50: Spot
    p80: Spot
    p90: Spot
    mean: Ticks
    quantiles: Column


@dataclass(frozen=True, slots=True)
class DeadlineAnswer:
    """The chance that a task is done by its deadline."""

    task: TaskId
    deadline: Ticks
    chance: Bounded


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What so many samples say of one plan; arrays have one entry a row of the plan.

    `planned` is the schedule's finish, `finishes` those of the project, ascending. `criticality` is the share of
    samples in which a task lies on the path to the end, `cruciality` the correlation, without its sign, of its duration
    and the end; `row_finish` holds the percents of PERCENTS a row, of the first `row_count` samples, and of all of them
    where a row is one of `items`. `convergence` is P80 after so many samples, each time twice as many.
    """

    count: int
    seed: int
    planned: Ticks
    finishes: Column
    project: FinishAnswer
    items: tuple[FinishAnswer, ...]
    deadlines: tuple[DeadlineAnswer, ...]
    tasks: tuple[TaskId, ...]
    criticality: Floats
    cruciality: Floats
    row_finish: Column
    row_count: int
    swings: tuple[Swing, ...]
    drivers: tuple[Swing, ...]
    costs: CostAnswers | None
    convergence: tuple[tuple[int, Spot], ...]

    def finish_at(self, confidence: float) -> Ticks:
        """The instant that the project is done by with such a confidence, 0 to 1."""
        return int(self.finishes[rank_of(len(self.finishes), confidence)])

    def chance_by(self, instant: Ticks) -> Bounded:
        """The chance that the project is done by an instant."""
        return share(int(np.searchsorted(self.finishes, instant, side="right")), len(self.finishes))

    def criticality_of(self, row: int) -> Bounded:
        """The criticality of a row, with its interval."""
        return share(round(float(self.criticality[row]) * self.count), self.count)


def answers_of(samples: Samples, planned: Ticks) -> Answers:
    """All of them; `planned` is the finish of the schedule that was simulated."""
    program, plan = samples.program, samples.program.plan
    time = working_time(plan)
    tasks = [None, *(plan.tasks[row].id for row in program.items)]
    ordered = np.sort(samples.finishes, axis=1)
    means = time.work_before_all(ordered.ravel()).reshape(ordered.shape).mean(axis=1)
    found = [
        _finish(task, row, time.finish_at(round(mean))) for task, row, mean in zip(tasks, ordered, means, strict=True)
    ]
    deadlines = [
        DeadlineAnswer(task.id, task.deadline, share(int((samples.finishes[at] <= task.deadline).sum()), samples.count))
        for at, row in enumerate(program.items, start=1)
        if (task := plan.tasks[row]).deadline is not None
    ]
    kept = samples.kept
    rows = samples.row_quantiles([rank_of(kept, percent / 100) for percent in PERCENTS])
    rows[list(program.items)] = ordered[1:, [rank_of(samples.count, percent / 100) for percent in PERCENTS]]
    swings, drivers = swings_of(samples)
    return Answers(
        samples.count,
        program.seed,
        planned,
        ordered[0],
        found[0],
        tuple(found[1:]),
        tuple(deadlines),
        tuple(task.id for task in plan.tasks),
        _criticality(samples),
        cruciality_of(samples),
        rows,
        kept,
        swings,
        drivers,
        costs_of(samples),
        _convergence(samples.finishes[0]),
    )


def rank_of(count: int, share_: float) -> int:
    """The place, from 0, of a quantile among so many in order."""
    return min(max(math.ceil(share_ * count - 1e-9) - 1, 0), count - 1)


def quantile(ordered: Column, share_: float) -> Spot:
    """A quantile of ascending values, and its interval."""
    count = len(ordered)
    spread = _Z * math.sqrt(count * share_ * (1 - share_))
    low = max(math.floor(count * share_ - spread) - 1, 0)
    high = min(math.ceil(count * share_ + spread), count - 1)
    return Spot(int(ordered[rank_of(count, share_)]), int(ordered[low]), int(ordered[high]))


def share(hits: int, count: int) -> Bounded:
    """A share and its interval (Wilson 1927)."""
    value, square = hits / count, _Z * _Z / count
    middle = (value + square / 2) / (1 + square)
    half = _Z * math.sqrt(value * (1 - value) / count + square / (4 * count)) / (1 + square)
    return Bounded(value, max(0.0, middle - half), min(1.0, middle + half))


def _finish(task: TaskId | None, ordered: Column, mean: Ticks) -> FinishAnswer:
    count = len(ordered)
    p10, p50, p80, p90 = (quantile(ordered, percent / 100) for percent in PERCENTS)
    quantiles = ordered[[rank_of(count, percent / 100) for percent in range(1, 100)]]
    return FinishAnswer(task, p10, p50, p80, p90, mean, quantiles)


def _criticality(samples: Samples) -> Floats:
    """Of a summary the greatest of what is in it: with every path that passes through it, it is on the path."""
    plan = samples.program.plan
    found: Floats = samples.on_path / max(1, samples.counted)
    for summary in sorted(plan.children, key=plan.rows.__getitem__, reverse=True):
        inside = [plan.rows[child] for child in plan.children[summary]]
        found[plan.rows[summary]] = found[inside].max()
    return found


def _convergence(finishes: Column) -> tuple[tuple[int, Spot], ...]:
    found, count = [], _FEWEST
    while count < len(finishes):
        found.append((count, quantile(np.sort(finishes[:count]), 0.8)))
        count *= 2
    return (*found, (len(finishes), quantile(np.sort(finishes), 0.8)))
