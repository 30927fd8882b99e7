"""Columns: what the task table can say of a task, and which of it at first. It never computes a figure."""

from __future__ import annotations

from enum import Enum

from engine.model import Clock


class Column(Enum):
    """A column of the table, by the name under which it is remembered."""

    TASK = "task"
    DURATION = "duration"
    FLOAT = "float"
    START = "start"
    FINISH = "finish"
    NUMBER = "number"
    WBS = "wbs"
    PERCENT = "percent"
    PREDECESSORS = "predecessors"
    RESOURCES = "resources"
    FREE_FLOAT = "free_float"
    CONSTRAINT = "constraint"
    DEADLINE = "deadline"
    CALENDAR = "calendar"
    PRIORITY = "priority"
    WORK = "work"
    BASELINE_START = "baseline_start"
    BASELINE_FINISH = "baseline_finish"
    START_VARIANCE = "start_variance"
    FINISH_VARIANCE = "finish_variance"
    OPERATION = "operation"
    STREAM = "stream"
    BUFFERS = "buffers"
    COST = "cost"
    FAMILY = "family"
    SKILL = "skill"
    ALTERNATIVES = "alternatives"
    RANGE = "range"
    OPTIMISTIC = "optimistic"
    LIKELY = "likely"
    PESSIMISTIC = "pessimistic"
    CHANCE = "chance"
    SURE_FINISH = "sure_finish"
    CRITICALITY = "criticality"
    NOTES = "notes"

    __hash__ = object.__hash__


COLUMNS = tuple(Column)
# From left to right, until a person puts them otherwise.
ORDER = (
    Column.NUMBER,
    Column.WBS,
    Column.TASK,
    Column.OPERATION,
    Column.STREAM,
    Column.BUFFERS,
    Column.DURATION,
    Column.FLOAT,
    Column.FREE_FLOAT,
    Column.COST,
    Column.RANGE,
    Column.OPTIMISTIC,
    Column.LIKELY,
    Column.PESSIMISTIC,
    Column.CHANCE,
    Column.CRITICALITY,
    Column.START,
    Column.FINISH,
    Column.SURE_FINISH,
    Column.PERCENT,
    Column.PREDECESSORS,
    Column.RESOURCES,
    Column.ALTERNATIVES,
    Column.SKILL,
    Column.FAMILY,
    Column.CONSTRAINT,
    Column.DEADLINE,
    Column.CALENDAR,
    Column.PRIORITY,
    Column.WORK,
    Column.BASELINE_START,
    Column.BASELINE_FINISH,
    Column.START_VARIANCE,
    Column.FINISH_VARIANCE,
    Column.NOTES,
)
SHOWN_AT_FIRST = (Column.TASK, Column.DURATION, Column.FLOAT)
# Told from the left, as words are; figures stand at the right.
WORDS = frozenset(
    {
        Column.TASK,
        Column.WBS,
        Column.PREDECESSORS,
        Column.RESOURCES,
        Column.CONSTRAINT,
        Column.CALENDAR,
        Column.OPERATION,
        Column.STREAM,
        Column.BUFFERS,
        Column.ALTERNATIVES,
        Column.SKILL,
        Column.FAMILY,
        Column.RANGE,
        Column.NOTES,
    }
)
_CALENDAR_ONLY = frozenset(
    {
        Column.PERCENT,
        Column.RESOURCES,
        Column.CONSTRAINT,
        Column.DEADLINE,
        Column.CALENDAR,
        Column.PRIORITY,
        Column.WORK,
        Column.BASELINE_START,
        Column.BASELINE_FINISH,
        Column.START_VARIANCE,
        Column.FINISH_VARIANCE,
        Column.ALTERNATIVES,
        Column.SKILL,
        Column.FAMILY,
        Column.RANGE,
        Column.OPTIMISTIC,
        Column.LIKELY,
        Column.PESSIMISTIC,
        Column.CHANCE,
    }
)
_DEVICE_ONLY = frozenset({Column.OPERATION, Column.STREAM, Column.BUFFERS, Column.COST})


def offered(clock: Clock) -> tuple[Column, ...]:
    """The columns that a person can choose in a plan of this clock, from left to right."""
    foreign = _DEVICE_ONLY if clock is Clock.CALENDAR else _CALENDAR_ONLY
    return tuple(column for column in ORDER if column not in foreign)
