"""Figures: what each column of the table says of each task of a state, as words and as keys to sort by.

They are told by rows of the plan, and found out when first asked for; they never know which rows are in sight.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.model import Clock, ConstraintKind, Spread, SpreadKind, Ticks
from engine.session.cell_words import links_text, notes_text, staff_text
from engine.session.state import State
from engine.session.typed_risks import spread_in_force
from engine.session.typed_ways import alternatives_text
from gui.gantt import sureness
from gui.gantt.column_words import constraint_words, operation_words
from gui.gantt.columns import Column
from gui.gantt.facts import NEVER, Facts, Keys
from gui.gantt.shares import share_text
from gui.gantt.words import change_text, exact_text, float_text, instant_text, length_text
from gui.spread_words import chance_words, point_words, spread_words

NOTHING = "—"
# What columns say that samples tell of a plan, some time after it is shown.
TOLD_LATER = frozenset({Column.SURE_FINISH, Column.CRITICALITY})
_POINTS = (Column.OPTIMISTIC, Column.LIKELY, Column.PESSIMISTIC)


class Figures(Facts):
    """Words and keys of one state. A key is an integer an entry of the plan; words are told one cell at a time."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._said: dict[tuple[int, Column], str] = {}
        self._keys: dict[Column, Keys] = {}

    _named: tuple[str, NDArray[np.bool_]] = ("", np.ones(0, dtype=np.bool_))

    def named(self, text: str) -> NDArray[np.bool_]:
        """Which rows have a text in their names, whatever its capitals. What was last asked for is kept."""
        if not len(self._named[1]) or self._named[0] != text:
            self._named = text, self.sought.holding(text)
        return self._named[1]

    def text(self, row: int, column: Column) -> str:
        """The words of a cell, of a row of the plan: found once, but for those that samples tell, which come later."""
        if column in TOLD_LATER:
            return self._TEXTS[column](self, row)
        found = self._said.get((row, column))
        if found is None:
            found = self._said[row, column] = self._TEXTS[column](self, row)
        return found

    def keys(self, column: Column) -> Keys:
        """What a column is sorted by, one entry a row of the plan."""
        if column in TOLD_LATER:
            return self._keys_of(column)
        if column not in self._keys:
            self._keys[column] = self._keys_of(column)
        return self._keys[column]

    def _keys_of(self, column: Column) -> Keys:
        schedule, tasks = self.state.schedule, self.plan.tasks
        arrays: dict[Column, Callable[[], Keys]] = {
            Column.START: lambda: schedule.start,
            Column.FINISH: lambda: schedule.finish,
            Column.FLOAT: lambda: schedule.total_float,
            Column.FREE_FLOAT: lambda: schedule.free_float,
            Column.DURATION: lambda: self.durations,
            Column.SURE_FINISH: lambda: sureness.keys(self.plan)[0],
            Column.CRITICALITY: lambda: sureness.keys(self.plan)[1],
            Column.PERCENT: lambda: np.round(self.percent * 1000).astype(np.int64),
            Column.PREDECESSORS: lambda: self.first_predecessors,
            Column.DEADLINE: lambda: _dates([task.deadline for task in tasks]),
        }
        if column in arrays:
            return arrays[column]()
        if column in _NUMBERS:
            return np.fromiter((_NUMBERS[column](self, row) for row in range(len(tasks))), np.int64, len(tasks))
        if column in {Column.NUMBER, Column.WBS}:
            return np.arange(len(tasks), dtype=np.int64)
        if column is Column.TASK:
            return self.sought.ranks
        words = self._TEXTS[column]
        return _ranks([words(self, row).casefold() for row in range(len(tasks))])

    @cached_property
    def is_late(self) -> NDArray[np.bool_]:
        """Which finish after their deadline or their baseline, or have float below zero."""
        schedule = self.state.schedule
        due = self.keys(Column.DEADLINE)
        if self.baseline:
            due = np.minimum(due, self.keys(Column.BASELINE_FINISH))
        return (schedule.finish > due) | (schedule.total_float < 0)

    # Words

    def _float(self, row: int, ticks: Ticks) -> str:
        task = self.plan.tasks[row]
        if self.is_summary(row) or not task.is_active:  # what moves nothing delays nothing
            return NOTHING
        return float_text(self.plan, task, ticks)

    def _constraint(self, row: int) -> str:
        task = self.plan.tasks[row]
        if task.constraint is ConstraintKind.AS_SOON_AS_POSSIBLE or self.is_summary(row):
            return ""
        return constraint_words(task.constraint, instant_text(self.plan, task.constraint_at))

    def _deadline(self, row: int) -> str:
        at = self.plan.tasks[row].deadline
        return "" if at is None else instant_text(self.plan, at)

    def _calendar(self, row: int) -> str:
        number = self.plan.tasks[row].calendar
        return "" if number is None else self.plan.calendar_of[number].name

    def work(self, row: int) -> int | None:
        """Working ticks of one unit that a task is for all who do it; None where nobody does."""
        task = self.plan.tasks[row]
        found = self.assigned.get(task.id, ())
        return round(sum(each.work_in(task.duration) for each in found)) if found else None

    def _work_text(self, row: int) -> str:
        found = self.work(row)
        return "" if found is None else exact_text(self.plan, found)

    def _promise(self, row: int, which: int) -> str:
        found = self.baseline.get(self.plan.tasks[row].id)
        return NOTHING if found is None else instant_text(self.plan, (found.start, found.finish)[which])

    def variance(self, column: Column, row: int) -> Ticks | None:
        """Working ticks that a task starts or finishes later than promised; None where nothing was."""
        task = self.plan.tasks[row]
        found = self.baseline.get(task.id)
        if found is None:
            return None
        schedule, is_start = self.state.schedule, column is Column.START_VARIANCE
        was = found.start if is_start else found.finish
        now = int((schedule.start if is_start else schedule.finish)[row])
        return now - was if self.plan.clock is Clock.DEVICE else schedule.working_time_of(task.id).between(was, now)

    def _variance_text(self, column: Column, row: int) -> str:
        found = self.variance(column, row)
        return NOTHING if found is None else change_text(self.plan, found) or "0"

    def _buffers(self, row: int) -> str:
        spec = self.plan.tasks[row].operation
        return "" if spec is None else f"{', '.join(spec.reads)} → {', '.join(spec.writes)}".strip()

    def _alternatives(self, row: int) -> str:
        task = self.plan.tasks[row]
        return alternatives_text(self.plan, task, self.plan.ways.named(task.id), self.resource_names)

    def _cost(self, row: int) -> str:
        found = self.costs.get(self.plan.tasks[row].id)
        return "" if found is None else exact_text(self.plan, found)

    def own_spread(self, row: int) -> Spread | None:
        """The range that a task has of its own."""
        risk = self.plan.tasks[row].risk
        return None if risk is None else risk.spread

    def _range(self, row: int) -> str:
        """Its own, or that of its family."""
        task = self.plan.tasks[row]
        return spread_words(self.plan, task, spread_in_force(self.plan, task))

    def _point(self, row: int, place: int) -> str:
        return point_words(self.plan, self.plan.tasks[row], self.own_spread(row), place)

    def _chance(self, row: int) -> str:
        return chance_words(_chance_of(self, row))

    def _sure_finish(self, row: int) -> str:
        found = sureness.done_by(self.plan, row)
        return "" if found is None else instant_text(self.plan, found)

    def _criticality(self, row: int) -> str:
        found = sureness.criticality(self.plan, row)
        return "" if found is None else share_text(found) or "0 %"

    # Of the class, not of each of its values: one that held functions of itself would live until it is collected.
    _TEXTS: ClassVar[dict[Column, Callable[[Figures, int], str]]] = {
        Column.TASK: lambda self, row: self.plan.tasks[row].name,
        Column.NUMBER: lambda _, row: str(row + 1),
        Column.WBS: lambda self, row: self.outline[row],
        Column.DURATION: lambda self, row: length_text(
            self.plan, self.plan.tasks[row], self.duration(row), is_rough=self.is_summary(row)
        ),
        Column.FLOAT: lambda self, row: self._float(row, int(self.state.schedule.total_float[row])),
        Column.FREE_FLOAT: lambda self, row: self._float(row, int(self.state.schedule.free_float[row])),
        Column.START: lambda self, row: instant_text(self.plan, int(self.state.schedule.start[row])),
        Column.FINISH: lambda self, row: instant_text(self.plan, int(self.state.schedule.finish[row])),
        Column.PERCENT: lambda self, row: f"{self.percent[row]:.0f} %",
        Column.PREDECESSORS: lambda self, row: links_text(self.plan, self.links_to[self.plan.tasks[row].id]),
        Column.RESOURCES: lambda self, row: staff_text(self.staff_of(self.plan.tasks[row].id)),
        Column.CONSTRAINT: _constraint,
        Column.DEADLINE: _deadline,
        Column.CALENDAR: _calendar,
        Column.PRIORITY: lambda self, row: str(self.plan.tasks[row].priority),
        Column.WORK: _work_text,
        Column.BASELINE_START: lambda self, row: self._promise(row, 0),
        Column.BASELINE_FINISH: lambda self, row: self._promise(row, 1),
        Column.START_VARIANCE: lambda self, row: self._variance_text(Column.START_VARIANCE, row),
        Column.FINISH_VARIANCE: lambda self, row: self._variance_text(Column.FINISH_VARIANCE, row),
        Column.OPERATION: lambda self, row: operation_words(self.plan.tasks[row].operation),
        Column.STREAM: lambda self, row: self.stream(self.plan.tasks[row].id),
        Column.BUFFERS: _buffers,
        Column.COST: _cost,
        Column.FAMILY: lambda self, row: self.plan.tasks[row].family,
        Column.SKILL: lambda self, row: self.plan.tasks[row].skill,
        Column.ALTERNATIVES: _alternatives,
        Column.RANGE: _range,
        Column.OPTIMISTIC: lambda self, row: self._point(row, 0),
        Column.LIKELY: lambda self, row: self._point(row, 1),
        Column.PESSIMISTIC: lambda self, row: self._point(row, 2),
        Column.CHANCE: _chance,
        Column.SURE_FINISH: _sure_finish,
        Column.CRITICALITY: _criticality,
        Column.NOTES: lambda self, row: notes_text(self.plan.tasks[row].notes),
    }


def _chance_of(figures: Figures, row: int) -> float:
    risk = figures.plan.tasks[row].risk
    return 1.0 if risk is None else risk.chance


def _end(figures: Figures, row: int, place: int) -> int:
    """One of the three numbers of a range in ticks, by which the column is sorted; those without one stand last."""
    task, spread = figures.plan.tasks[row], figures.own_spread(row)
    if spread is None or not figures.text(row, _POINTS[place]):
        return int(NEVER)
    value = (spread.low, spread.likely, spread.high)[place]
    return round(value * task.duration / 100 if spread.is_percent else value)


def _reach(figures: Figures, row: int) -> int:
    """How far a range goes, as a share of the planned length: the least certain stand last."""
    task = figures.plan.tasks[row]
    spread = spread_in_force(figures.plan, task)
    if spread is None or spread.kind is SpreadKind.FIXED:
        return 0
    ends = spread.values if spread.kind is SpreadKind.EMPIRICAL else (spread.low, spread.high)
    unit = 100.0 if spread.is_percent else float(max(task.duration, 1))
    return round(1e6 * (max(ends) - min(ends)) / unit)


_NUMBERS: dict[Column, Callable[[Figures, int], int]] = {
    Column.PRIORITY: lambda figures, row: figures.plan.tasks[row].priority,
    Column.WORK: lambda figures, row: figures.work(row) or 0,
    Column.BASELINE_START: lambda figures, row: _promised(figures, row, 0),
    Column.BASELINE_FINISH: lambda figures, row: _promised(figures, row, 1),
    Column.START_VARIANCE: lambda figures, row: _or_never(figures.variance(Column.START_VARIANCE, row)),
    Column.FINISH_VARIANCE: lambda figures, row: _or_never(figures.variance(Column.FINISH_VARIANCE, row)),
    Column.COST: lambda figures, row: figures.costs.get(figures.plan.tasks[row].id, 0),
    Column.RANGE: _reach,
    Column.OPTIMISTIC: lambda figures, row: _end(figures, row, 0),
    Column.LIKELY: lambda figures, row: _end(figures, row, 1),
    Column.PESSIMISTIC: lambda figures, row: _end(figures, row, 2),
    Column.CHANCE: lambda figures, row: round(1e6 * _chance_of(figures, row)),
}


@lru_cache(maxsize=2)
def figures_of(state: State) -> Figures:
    """The figures of a state: those of the last two are kept."""
    return Figures(state)


def _promised(figures: Figures, row: int, which: int) -> int:
    found = figures.baseline.get(figures.plan.tasks[row].id)
    return int(NEVER) if found is None else (found.start, found.finish)[which]


def _or_never(ticks: Ticks | None) -> int:
    return int(NEVER) if ticks is None else ticks


def _dates(found: list[Ticks | None]) -> Keys:
    never = int(NEVER)
    return np.fromiter((never if each is None else each for each in found), np.int64, len(found))


def _ranks(texts: list[str]) -> Keys:
    """The place of each text among all in their order, equal ones alike."""
    places = {text: place for place, text in enumerate(sorted(dict.fromkeys(texts)))}
    return np.fromiter(map(places.__getitem__, texts), np.int64, len(texts))
