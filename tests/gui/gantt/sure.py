"""Answers of samples written by hand, for the tests of charts. It asserts nothing."""

from collections.abc import Mapping

import numpy as np

from engine.model import Plan, TaskId
from engine.risk.answers import PERCENTS, Answers, DeadlineAnswer, FinishAnswer, Spot, quantile, share
from gui.gantt.fans import Fans
from tests.gui.gantt.plans import HOUR

COUNT = 1_000


def finish(task: TaskId | None, first: int, last: int) -> FinishAnswer:
    """A finish at any time between two instants alike; each percent may as well be an hour off."""
    quantiles = np.linspace(first, last, 99).round().astype(np.int64)
    p10, p50, p80, p90 = (int(quantiles[percent - 1]) for percent in PERCENTS)
    spots = (Spot(value, value - HOUR, value + HOUR) for value in (p10, p50, p80, p90))
    return FinishAnswer(task, *spots, p50, quantiles)


def answers_of(
    plan: Plan,
    project: tuple[int, int],
    items: Mapping[TaskId, tuple[int, int]] | None = None,
    critical: Mapping[TaskId, float] | None = None,
) -> Answers:
    """What a thousand samples might say: of the plan, of some tasks, and in which share of them tasks are critical."""
    rows = len(plan.tasks)
    finishes = np.linspace(*project, COUNT).round().astype(np.int64)
    found = {task: finish(task, *span) for task, span in (items or {}).items()}
    deadlines = tuple(
        DeadlineAnswer(task, deadline, share(int((each.quantiles <= deadline).sum() * COUNT // 99), COUNT))
        for task, each in found.items()
        if (deadline := plan.task(task).deadline) is not None
    )
    criticality = np.array([(critical or {}).get(task.id, 0.0) for task in plan.tasks])
    return Answers(
        COUNT,
        7,
        project[0],
        finishes,
        finish(None, *project),
        tuple(found.values()),
        deadlines,
        tuple(task.id for task in plan.tasks),
        criticality,
        np.zeros(rows),
        np.zeros((rows, len(PERCENTS)), dtype=np.int64),
        COUNT,
        (),
        (),
        None,
        ((COUNT, quantile(finishes, 0.8)),),
    )


def fans_of(plan: Plan, project: tuple[int, int], items: Mapping[TaskId, tuple[int, int]] | None = None) -> Fans:
    return Fans(answers_of(plan, project, items))
