"""What moves the end: how far it goes along with each length, lag, event and driver. It never draws.

All of it rests on the first samples, of which durations are kept; the end is counted in working time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId
from engine.model.risk import cholesky
from engine.risk.samples import Samples
from engine.schedule.cpm import working_time

Floats = NDArray[np.float64]

_MOST = 24


class SwingKind(Enum):
    """What moves the end."""

    TASK = "task"
    EVENT = "event"
    DRIVER = "driver"
    LAG = "lag"


@dataclass(frozen=True, slots=True)
class Swing:
    """How one thing moves the end: `low` and `high` are how far, in working ticks, it is from its mean then.

    Of a task: in the tenth of samples in which it is shortest, and longest. Of a lag and a driver likewise, least and
    most. Of an event: where it does not happen, and where it does. `id` is the task's, the event's or the driver's; of
    a lag the task's that waits, and `before` the one it waits for.
    """

    kind: SwingKind
    id: TaskId
    name: str
    correlation: float
    low: float
    high: float
    before: TaskId | None = None

    @property
    def width(self) -> float:
        """From the one to the other, without a sign."""
        return abs(self.high - self.low)


def ends_of(samples: Samples) -> Floats:
    """Work before the end of each kept sample, less its mean."""
    kept = samples.kept
    time = working_time(samples.program.plan)
    work = time.work_before_all(samples.finishes[0, :kept])
    ends: Floats = work - work.mean()
    return ends


def correlations(values: Floats, ends: Floats) -> Floats:
    """Of each row with the end; 0 where either is always the same."""
    centered = values - values.mean(axis=1, keepdims=True)
    scale = np.sqrt((centered**2).sum(axis=1) * (ends**2).sum())
    found: Floats = np.divide(centered @ ends, scale, out=np.zeros(len(values)), where=scale > 0)
    return found


def cruciality_of(samples: Samples) -> Floats:
    """Of each row of the plan; of a summary the greatest of what is in it."""
    plan, slot = samples.program.plan, samples.program.uncertain.slot[: len(samples.program.plan.tasks)]
    found = np.zeros(len(plan.tasks))
    if len(samples.durations):
        varying = slot >= 0
        found[varying] = np.abs(correlations(samples.durations.astype(np.float64), ends_of(samples)))[slot[varying]]
    for summary in sorted(plan.children, key=plan.rows.__getitem__, reverse=True):
        found[plan.rows[summary]] = found[[plan.rows[child] for child in plan.children[summary]]].max()
    return found


def swings_of(samples: Samples) -> tuple[tuple[Swing, ...], tuple[Swing, ...]]:
    """The widest swings of tasks, lags and events, widest first, and those of all drivers."""
    ends = ends_of(samples)
    found = [*_of_tasks(samples, ends), *_of_lags(samples, ends), *_of_events(samples, ends)]
    drivers = sorted(_of_drivers(samples, ends), key=lambda swing: -swing.width)
    return tuple(sorted(found, key=lambda swing: -swing.width)[:_MOST]), tuple(drivers)


def _of_tasks(samples: Samples, ends: Floats) -> list[Swing]:
    plan, slot = samples.program.plan, samples.program.uncertain.slot
    if not len(samples.durations):
        return []
    found = correlations(samples.durations.astype(np.float64), ends)
    rows = np.flatnonzero(slot >= 0)
    most = rows[np.argsort(-np.abs(found[slot[rows]]), kind="stable")][:_MOST]
    return [
        _swing(SwingKind.TASK, plan.tasks[row].id, plan.tasks[row].name, samples.durations[slot[row]], ends)
        for row in most.tolist()
    ]


def _of_lags(samples: Samples, ends: Floats) -> list[Swing]:
    plan = samples.program.plan
    if not len(samples.lags):
        return []
    found = correlations(samples.lags.astype(np.float64), ends)
    swings = []
    for row in np.argsort(-np.abs(found), kind="stable")[:_MOST].tolist():
        _, link = samples.program.lags[row]
        name = f"{plan.task(link.predecessor).name} → {plan.task(link.successor).name}"
        swing = _swing(SwingKind.LAG, link.successor, name, samples.lags[row], ends)
        swings.append(replace(swing, before=link.predecessor))
    return swings


def _of_drivers(samples: Samples, ends: Floats) -> list[Swing]:
    risks = samples.program.plan.risks
    if not risks.drivers:
        return []
    values: Floats = np.array(cholesky(risks.matrix())) @ samples.factors.astype(np.float64)
    return [
        _swing(SwingKind.DRIVER, driver.id, driver.name, value, ends)
        for driver, value in zip(risks.drivers, values, strict=True)
    ]


def _of_events(samples: Samples, ends: Floats) -> list[Swing]:
    found = []
    for event in samples.program.plan.risks.events:
        place = samples.program.events.get(event.id)
        if place is not None:
            happens = samples.happens[place] != 0
            both = happens.any() and not happens.all()
            low, high = (float(ends[~happens].mean()), float(ends[happens].mean())) if both else (0.0, 0.0)
            correlation = float(correlations(happens[None].astype(np.float64), ends)[0])
            found.append(Swing(SwingKind.EVENT, event.id, event.name, correlation, low, high))
    return found


def _swing(kind: SwingKind, number: int, name: str, found: NDArray[Any], ends: Floats) -> Swing:
    values: Floats = found.astype(np.float64)
    tenth = max(1, len(ends) // 10)
    order = np.argsort(values, kind="stable")
    low, high = values[order[tenth - 1]], values[order[-tenth]]
    correlation = float(correlations(values[None], ends)[0])
    return Swing(kind, number, name, correlation, float(ends[values <= low].mean()), float(ends[values >= high].mean()))
