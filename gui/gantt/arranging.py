"""Arranging: which rows of the plan the table shows, in which order: filtered, sorted, grouped.

It never changes the plan's own order, and never knows a pixel. Everything is done on arrays, an entry a row.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from engine.model import Clock, TaskId
from gui.gantt.columns import Column
from gui.gantt.figures import Figures
from gui.gantt.grouping import Grouping, groups_of
from gui.gantt.headings import Heading, heading_id
from gui.gantt.outline import Flags, Outline, Places


class Trait(Enum):
    """What a task can be, that a filter asks for."""

    CRITICAL = "critical"
    LATE = "late"
    MILESTONE = "milestone"
    UNFINISHED = "unfinished"
    OVERLOADED = "overloaded"
    CHANGED = "changed"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Filter:
    """Rows with this text in their name, all of these traits, and this resource. An empty one lets all pass."""

    text: str = ""
    traits: frozenset[Trait] = frozenset()
    resource: int | None = None

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.traits or self.resource is not None)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How a person wants the rows. Sorted ones stay within their summary; grouped ones leave the outline."""

    sort: Column | None = None
    is_falling: bool = False
    filter: Filter = field(default_factory=Filter)
    grouping: Grouping | None = None

    def __bool__(self) -> bool:
        return self.sort is not None or bool(self.filter) or self.grouping is not None


@dataclass(frozen=True, slots=True)
class Marks:
    """What is known of tasks beside their schedule: whose dates the last edit changed, and whose resources have more
    to do than they can."""

    changed: Flags | None = None
    overloaded: frozenset[TaskId] = frozenset()


@dataclass(frozen=True, eq=False)
class Arranged:
    """Rows of the plan in the order in which they are shown, with their depths.

    `matched` of them passed the filter, the others are summaries around those; `headings` stand in rows of their own,
    by their place, which borrow the row in the plan of the first task of their group.
    """

    plan_rows: Places
    depths: Places
    matched: int
    headings: dict[int, Heading]

    @property
    def task_rows(self) -> Places:
        """The rows of the plan that tasks are shown of."""
        return np.delete(self.plan_rows, list(self.headings))


def arrange(
    figures: Figures, outline: Outline, arrangement: Arrangement, marks: Marks, folded: Set[TaskId]
) -> Arranged:
    """The rows that are shown: those that pass the filter, with the summaries around them, but for what is folded."""
    if arrangement.grouping is not None:
        return _grouped(figures, arrangement, marks, folded)
    passed = passing(figures, arrangement.filter, marks)
    shown = outline.gather(passed) if arrangement.filter else passed
    if folded:
        shown = shown & ~outline.inside(_of_tasks(figures, folded))
    if arrangement.sort is None:
        rows = np.flatnonzero(shown)
    else:
        order = outline.order(_directed(figures.keys(arrangement.sort), arrangement.is_falling))
        rows = order[shown[order]]
    return Arranged(rows, outline.depths[rows], int(passed.sum()), {})


def passing(figures: Figures, wanted: Filter, marks: Marks) -> Flags:
    """Which rows of the plan a filter lets pass. Traits and resources are those of tasks that hold no others."""
    found = np.ones(len(figures.plan.tasks), dtype=np.bool_)
    text = wanted.text.strip().casefold()
    if text:
        found &= figures.named(text)
    if wanted.traits or wanted.resource is not None:
        found &= figures.is_leaf
    for trait in wanted.traits:
        found &= _TRAITS[trait](figures, marks)
    if wanted.resource is not None:
        found &= _of_tasks(figures, {a.task for a in figures.plan.assignments if a.resource == wanted.resource})
    return found


def _grouped(figures: Figures, arrangement: Arrangement, marks: Marks, folded: Set[TaskId]) -> Arranged:
    """Tasks alone, without the outline, those of one group together under a row of their own, unless it is folded."""
    passed = passing(figures, arrangement.filter, marks) & figures.is_leaf
    rows = np.flatnonzero(passed)
    everywhere, titles = groups_of(figures, arrangement.grouping or Grouping.STATUS)
    groups = everywhere[rows]
    keys = rows if arrangement.sort is None else figures.keys(arrangement.sort)[rows]
    ranked = np.lexsort((rows, _directed(keys, arrangement.is_falling), groups))
    rows, groups = rows[ranked], groups[ranked]
    starts = np.flatnonzero(np.append(True, groups[1:] != groups[:-1])) if len(rows) else np.arange(0)
    headings: dict[int, Heading] = {}
    shown, place = [], 0
    for held in np.split(rows, starts[1:]) if len(rows) else ():
        group = int(everywhere[held[0]])
        headings[place] = Heading(heading_id(group), titles[group], held)
        shown += [held[:1]] if heading_id(group) in folded else [held[:1], held]
        place += 1 if heading_id(group) in folded else 1 + len(held)
    depths = np.ones(place, dtype=np.int64)
    depths[list(headings)] = 0
    return Arranged(np.concatenate(shown) if shown else rows, depths, len(rows), headings)


def _directed(keys: Places, is_falling: bool) -> Places:
    return ~keys if is_falling else keys  # ~k = -k - 1 falls as -k does, and the least integer has one


def _of_tasks(figures: Figures, tasks: Set[TaskId]) -> Flags:
    found = np.zeros(len(figures.plan.tasks), dtype=np.bool_)
    found[[row for task in tasks if (row := figures.plan.rows.get(task)) is not None]] = True
    return found


def _changed(figures: Figures, marks: Marks) -> Flags:
    none = np.zeros(len(figures.plan.tasks), dtype=np.bool_)
    return none if marks.changed is None or len(marks.changed) != len(none) else marks.changed


_TRAITS: dict[Trait, Callable[[Figures, Marks], Flags]] = {
    Trait.CRITICAL: lambda figures, _: figures.state.schedule.is_critical,
    Trait.LATE: lambda figures, _: figures.is_late,
    Trait.MILESTONE: lambda figures, _: figures.is_milestone,
    Trait.UNFINISHED: lambda figures, _: figures.percent < 100,
    Trait.OVERLOADED: lambda figures, marks: _of_tasks(figures, marks.overloaded),
    Trait.CHANGED: _changed,
}


def traits_of(clock: Clock) -> tuple[Trait, ...]:
    """The traits that tasks on a clock can have."""
    if clock is Clock.CALENDAR:
        return tuple(Trait)
    return (Trait.CRITICAL, Trait.LATE, Trait.CHANGED)
