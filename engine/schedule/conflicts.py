"""Conflicts: constraints and deadlines that the dates break, facts that break links; each once, with its chain.

It never moves a task.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.model import Clock, ConstraintKind, TaskId, Ticks
from engine.schedule import tracing, tracing_back, words
from engine.schedule.columns import (
    FINISHED,
    INACTIVE,
    LEAF,
    MANUAL,
    MSO,
    SNLT,
    STARTED,
    SUMMARY,
    Column,
    Dates,
)
from engine.schedule.network import Network
from engine.schedule.plain_tasks import Tasks
from engine.schedule.tracing import Cause


@dataclass(frozen=True, slots=True)
class Conflict:
    """What is broken: a constraint (`kind` is its name in files), a "deadline", or a link by "manual" or "progress".

    `chain` holds the ids of the tasks that drive each other up to `task`, the first cause first.
    """

    task: TaskId
    kind: str
    chain: tuple[TaskId, ...]
    sentence: str


_MUST = {
    ConstraintKind.START_NO_EARLIER_THAN: "must not start before",
    ConstraintKind.FINISH_NO_EARLIER_THAN: "must not finish before",
    ConstraintKind.START_NO_LATER_THAN: "must start by",
    ConstraintKind.FINISH_NO_LATER_THAN: "must finish by",
    ConstraintKind.MUST_START_ON: "must start on",
    ConstraintKind.MUST_FINISH_ON: "must finish on",
}
_STARTS = (
    ConstraintKind.START_NO_EARLIER_THAN,
    ConstraintKind.START_NO_LATER_THAN,
    ConstraintKind.MUST_START_ON,
)
# What a plan can break: dated from its start what comes too late, dated from its finish what comes too early.
_TOO_LATE = (
    ConstraintKind.START_NO_LATER_THAN,
    ConstraintKind.FINISH_NO_LATER_THAN,
    ConstraintKind.MUST_START_ON,
    ConstraintKind.MUST_FINISH_ON,
)
_TOO_EARLY = (
    ConstraintKind.START_NO_EARLIER_THAN,
    ConstraintKind.FINISH_NO_EARLIER_THAN,
    ConstraintKind.MUST_START_ON,
    ConstraintKind.MUST_FINISH_ON,
)


def find_conflicts(network: Network, dates: Dates, start: Column, finish: Column) -> tuple[Conflict, ...]:
    """Every conflict of a plan in row order. `start` and `finish` are those of its rows, summaries included."""
    if network.plan.clock is Clock.DEVICE:
        return ()
    finder = _Finder(network, dates, start, finish)
    return tuple(conflict for row in finder.suspects() for conflict in finder.of(row))


class _Finder:
    """Looks at one row after another."""

    def __init__(self, network: Network, dates: Dates, start: Column, finish: Column) -> None:
        self._network, self._dates = network, dates
        self._start, self._finish = start, finish
        self._plan, self._nodes = network.plan, network.nodes
        self._is_back = network.plan.settings.is_from_finish
        self._tasks = Tasks(network.nodes, network.parts, network.times)

    def suspects(self) -> list[int]:
        """Rows that have something to break."""
        count, nodes = len(self._plan.tasks), self._nodes
        is_summary = nodes.role[:count] == SUMMARY
        facts = nodes.flags[:count] & (STARTED | MANUAL) != 0
        is_off = nodes.flags[:count] & INACTIVE != 0
        asks = nodes.hard[:count] > 0
        if self._is_back:
            asks |= np.array([task.constraint in _TOO_EARLY for task in self._plan.tasks], dtype=np.bool_)
        asks |= np.array([task.deadline is not None for task in self._plan.tasks], dtype=np.bool_)
        found: list[int] = np.flatnonzero((is_summary | facts | asks) & ~is_off).tolist()
        return found

    def of(self, row: int) -> Iterator[Conflict]:
        """The conflicts of one row."""
        flags = int(self._nodes.flags[row])
        if not flags & FINISHED:
            yield from self._of_deadline(row)
        if self._nodes.role[row] != LEAF:
            yield from self._of_summary(row)
            return
        if flags & (STARTED | MANUAL):
            yield from self._of_facts(row, "manual" if flags & MANUAL else "progress")
        if flags & STARTED and not flags & FINISHED:
            yield from self._of_cap(row)
        if self._is_back and not flags & (STARTED | MANUAL):
            yield from self._of_later(row)
        elif self._nodes.hard[row]:
            yield from self._of_constraint(row)

    def _of_constraint(self, row: int) -> Iterator[Conflict]:
        """logic start > at, or the finish it leads to > at."""
        hard, at = int(self._nodes.hard[row]), int(self._nodes.hard_at[row])
        start = int(self._dates.logic_start[row])
        finish = self._tasks.finish(row, start)
        time, ours = self._tasks.time(row), start if hard in (SNLT, MSO) else finish
        if time.between(at, ours) <= 0:
            return
        cause = self._cause(row, start, finish)
        chain: tuple[TaskId, ...] = (self._plan.tasks[row].id,)
        if cause is not None:
            chain = (*tracing.chain(self._network, self._dates, cause.before), *chain)
        yield self._broken(row, chain, ours, cause)

    def _of_later(self, row: int) -> Iterator[Conflict]:
        """Dated from the finish: at > the latest date that what comes after leaves the task."""
        task, time = self._plan.tasks[row], self._tasks.time(row)
        if task.constraint not in _TOO_EARLY:
            return
        starts_by, ends_by, _ = tracing_back.room(self._network, self._dates, row)
        start, finish = self._tasks.place_late(row, starts_by, ends_by)
        ours = start if task.constraint in _STARTS else finish
        if time.between(ours, task.constraint_at) <= 0:
            return
        path = tracing_back.path(self._network, self._dates, row)
        because = f"the plan finishes {words.instant(self._plan, tracing_back.last(self._network, self._dates))}"
        if path:
            verb, date = "starts" if path[0].is_start else "finishes", words.instant(self._plan, path[0].date)
            because = f"“{self._plan.title_of(self._plan.tasks[path[0].node].id)}”, which waits for it, {verb} {date}"
        chain = (*(self._plan.tasks[held.node].id for held in reversed(path)), task.id)
        at = words.instant(self._plan, task.constraint_at)
        sentence = f"“{self._plan.title_of(task.id)}” {_MUST[task.constraint]} {at}, but {because}."
        yield Conflict(task.id, task.constraint.value, chain, sentence)

    def _of_cap(self, row: int) -> Iterator[Conflict]:
        task, finish = self._plan.tasks[row], int(self._dates.finish[row])
        ends = task.constraint in (ConstraintKind.FINISH_NO_LATER_THAN, ConstraintKind.MUST_FINISH_ON)
        if ends and self._tasks.time(row).between(task.constraint_at, finish) > 0:
            yield self._broken(row, tracing.chain(self._network, self._dates, row), finish, None)

    def _of_deadline(self, row: int) -> Iterator[Conflict]:
        """finish > deadline, which holds no date: only its float tells of it. What is done is past helping."""
        task, finish = self._plan.tasks[row], int(self._finish[row])
        missed = words.missed(self._plan, task, self._tasks.time(row), finish)
        if missed:
            is_leaf = self._nodes.role[row] == LEAF
            ahead = tracing.chain(self._network, self._dates, row) if is_leaf else self._leaf_at(row, finish, False)
            chain = ahead if is_leaf else (*ahead, task.id)
            sentence = f"“{self._plan.title_of(task.id)}” {missed}: it finishes {words.instant(self._plan, finish)}."
            yield Conflict(task.id, "deadline", chain, sentence)

    def _of_summary(self, row: int) -> Iterator[Conflict]:
        """A summary's constraint is broken by one of its leaves; one with dates by hand is to hold its leaves."""
        task, time = self._plan.tasks[row], self._tasks.time(row)
        start, finish = int(self._start[row]), int(self._finish[row])
        if task.constraint in _TOO_LATE:
            ours = start if task.constraint in _STARTS else finish
            if time.between(task.constraint_at, ours) > 0:
                yield self._broken(row, (*self._leaf_at(row, ours, task.constraint in _STARTS), task.id), ours, None)
        if task.is_manual and task.manual_finish is not None and time.between(task.manual_finish, finish) > 0:
            when = words.instant(self._plan, finish)
            sentence = (
                f"“{self._plan.title_of(task.id)}” keeps its dates, set by hand, but what it holds finishes {when}."
            )
            yield Conflict(task.id, "manual", (*self._leaf_at(row, finish, False), task.id), sentence)

    def _leaf_at(self, row: int, instant: Ticks, is_start: bool) -> tuple[TaskId, ...]:
        column = self._start if is_start else self._finish
        leaves = self._plan.leaves(self._plan.tasks[row].id)
        return next(((leaf,) for leaf in leaves if column[self._plan.rows[leaf]] == instant), ())

    def _of_facts(self, row: int, kind: str) -> Iterator[Conflict]:
        """The link that dates which are facts break by most, if any."""
        time, most, worst = self._tasks.time(row), 0, None
        for number, cause in tracing.all_links(self._network, self._dates, row):
            if self._nodes.flags[cause.before] & INACTIVE:
                continue
            date = (self._dates.start if tracing.is_start_kind(number) else self._dates.finish)[row]
            missing = time.between(int(date), cause.bound)
            if missing > most:
                most, worst = missing, cause
        if worst is None:
            return
        cause, task = worst, self._plan.tasks[row]
        date = int((self._dates.start if words.bounds_start(cause.link) else self._dates.finish)[row])
        when = words.instant(self._plan, date)
        end = "starts" if words.bounds_start(cause.link) else "finishes"
        verb = f"keeps its dates, set by hand: it {end}" if kind == "manual" else ("began" if end == "starts" else end)
        chain = (*tracing.chain(self._network, self._dates, cause.before), task.id)
        yield Conflict(
            task.id, kind, chain, f"“{self._plan.title_of(task.id)}” {verb} {when}, though {self._said(cause)}."
        )

    def _cause(self, row: int, start: Ticks, finish: Ticks) -> Cause | None:
        """The link that would put a task there if no constraint pulled it back."""
        time = self._tasks.time(row)
        for number, cause in tracing.all_links(self._network, self._dates, row):
            date = start if tracing.is_start_kind(number) else finish
            is_off = self._nodes.flags[cause.before] & INACTIVE
            if not is_off and time.between(cause.bound, date) == 0:
                return cause
        return None

    def _broken(self, row: int, chain: tuple[TaskId, ...], ours: Ticks, cause: Cause | None) -> Conflict:
        task = self._plan.tasks[row]
        verb = "start" if task.constraint in _STARTS else "finish"
        because = f"but {self._said(cause)}" if cause else f"but cannot {verb} before {words.instant(self._plan, ours)}"
        at = words.instant(self._plan, task.constraint_at)
        sentence = f"“{self._plan.title_of(task.id)}” {_MUST[task.constraint]} {at}, {because}."
        return Conflict(task.id, task.constraint.value, chain, sentence)

    def _said(self, cause: Cause) -> str:
        """A link in words: “A” finishes Fri 7 Mar 2025 17:00, FS + 0."""
        is_finish = words.from_finish(cause.link)
        date = int((self._dates.finish if is_finish else self._dates.start)[cause.before])
        end = "finishes" if is_finish else "starts"
        name, when = self._plan.title_of(self._plan.tasks[cause.before].id), words.instant(self._plan, date)
        return f"“{name}” {end} {when}, {words.link(self._plan, cause.link)}"
