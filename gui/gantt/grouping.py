"""Grouping: which rows of the table stand together, and under what title. It never sorts or filters."""

from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from engine.model import Clock
from gui.gantt.figures import Figures

Groups = tuple[NDArray[np.int64], tuple[str, ...]]


class Grouping(Enum):
    """What rows stand together by."""

    RESOURCE = "resource"
    CRITICALITY = "criticality"
    STATUS = "status"


def groups_of(figures: Figures, grouping: Grouping) -> Groups:
    """The group of each row of the plan, as an index into their titles."""
    return {Grouping.RESOURCE: _by_resource, Grouping.CRITICALITY: _by_criticality, Grouping.STATUS: _by_status}[
        grouping
    ](figures)


def _by_resource(figures: Figures) -> Groups:
    """Those who do a task, all of them; the stream of an operation. Tasks of nobody come last."""
    is_device = figures.plan.clock is Clock.DEVICE
    if is_device:
        names = [figures.stream(task.id) for task in figures.plan.tasks]
    else:
        names = _staff_names(figures)
    titles = sorted({*names} - {""}, key=str.casefold)
    places = {"": len(titles), **{name: place for place, name in enumerate(titles)}}
    nobody = _tr("Without a stream") if is_device else _tr("Without a resource")
    return np.fromiter(map(places.__getitem__, names), np.int64, len(names)), (*titles, nobody)


def _staff_names(figures: Figures) -> list[str]:
    """Who does each row, empty where nobody does."""
    rows, called = figures.plan.rows, figures.resource_names
    found = [""] * len(rows)
    for each in figures.plan.assignments:
        row, name = rows[each.task], called[each.resource]
        found[row] = f"{found[row]}, {name}" if found[row] else name
    return found


def _by_criticality(figures: Figures) -> Groups:
    schedule = figures.state.schedule
    keys = np.where(schedule.is_critical, 0, np.where(schedule.is_near_critical, 1, 2)).astype(np.int64)
    return keys, (_tr("Critical"), _tr("Nearly critical"), _tr("With float"))


def _by_status(figures: Figures) -> Groups:
    percent = figures.percent
    keys = np.where(
        percent >= 100, 3, np.where(figures.is_late, 0, np.where((percent > 0) | figures.has_begun, 1, 2))
    ).astype(np.int64)
    return keys, (_tr("Late"), _tr("Under way"), _tr("Not begun"), _tr("Done"))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Grouping", text)
