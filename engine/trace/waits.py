"""Waits: what the operations of a run have to wait for, as a table. They never say what happened."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.model import TaskId
from engine.trace.columns import Int64
from engine.trace.timeline import Timeline

Link = tuple[TaskId, TaskId, int]


class Waits:
    """What a run obeys, beside the order on each stream. What is not said is not known.

    `links` are (before, after, iterations): in iteration k, `after` starts when `before` has ended iteration
    k - `iterations`. `lanes` are the (task, lanes) of its engine that an operation takes, `engines` the (engine, lanes)
    that an engine has; one each where nothing is said.
    """

    def __init__(
        self,
        links: Iterable[Link] = (),
        lanes: Iterable[tuple[TaskId, int]] = (),
        engines: Iterable[tuple[str, int]] = (),
    ) -> None:
        self.links = tuple(links)
        self.lanes = tuple(lanes)
        self.engines = tuple(engines)
        table = np.array(self.links, np.int64).reshape(-1, 3)
        self._before, self._after, self._iterations = table[np.argsort(table[:, 1], kind="stable")].T
        taken = np.array(self.lanes, np.int64).reshape(-1, 2)
        self._tasks, self._lanes = taken[np.argsort(taken[:, 0], kind="stable")].T

    def lanes_of(self, tasks: Int64) -> Int64:
        """The lanes that each of these tasks takes."""
        place = np.searchsorted(self._tasks, tasks)
        is_known = np.append(self._tasks, -1)[place] == tasks
        return np.where(is_known, np.append(self._lanes, 1)[place], 1)

    def lanes_in(self, engine: str) -> int:
        """The lanes that an engine has."""
        return dict(self.engines).get(engine, 1)

    def pairs(self, timeline: Timeline, spans: Int64) -> tuple[Int64, Int64]:
        """(places, rows): the span in row `rows[i]` of the timeline had to end before `spans[places[i]]` began."""
        task, iteration = timeline.task[spans], timeline.iteration[spans]
        first = np.searchsorted(self._after, task)
        counts = np.searchsorted(self._after, task, side="right") - first
        places = np.repeat(np.arange(len(spans)), counts)
        link = np.arange(len(places)) + np.repeat(first - np.cumsum(counts) + counts, counts)
        rows = timeline.rows_of(self._before[link], iteration[places] - self._iterations[link])
        return places[rows >= 0], rows[rows >= 0]
