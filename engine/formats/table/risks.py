"""How certain tasks are, as columns of a table say it: a range or its three numbers, a chance. It dates nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.errors import PlanError
from engine.formats.table.cells import UNITS, Cells
from engine.formats.table.columns import Field, unit_of
from engine.formats.table.durations import find_unit
from engine.formats.table.links import Ids
from engine.formats.table.spreads import Ranged, read_chance, read_number, read_spread
from engine.model import Spread, SpreadKind, Task, TaskId, TaskRisk

_POINTS = (Field.OPTIMISTIC, Field.LIKELY, Field.PESSIMISTIC)
_CERTAIN = TaskRisk()


def with_risks(
    tasks: Iterable[Task], rows: Sequence[Cells], ids: Ids, summaries: frozenset[TaskId]
) -> tuple[tuple[Task, ...], tuple[str, ...]]:
    """The tasks with what their rows say, and a note for each cell that cannot be read: it is left out."""
    by_task = {ids.of_row(row): row for row in rows}
    notes: list[str] = []
    found = []
    for task in tasks:
        row = by_task[task.id]
        risk = TaskRisk(_spread(row, task, task.id in summaries, notes), _chance(row, notes))
        found.append(task if risk == _CERTAIN else replace(task, risk=risk))
    return tuple(found), tuple(notes)


def _spread(row: Cells, task: Task, is_summary: bool, notes: list[str]) -> Spread | None:
    """The range of a row: as it is written, else by its three numbers."""
    field = next((each for each in (Field.RANGE, *_POINTS) if row.text(each)), None)
    if field is None:
        return None
    if is_summary:
        notes.append(f"{_place(row, field)}: a summary has no range of its own; it is left out.")
        return None
    ranged = Ranged(UNITS, task.duration, task.is_elapsed)
    try:
        return read_spread(ranged, _with_unit(row, field)) if field is Field.RANGE else _of_points(ranged, row)
    except PlanError as error:
        notes.append(f"{_place(row, field)}: {error.sentence} It is left out.")
        return None


def _of_points(ranged: Ranged, row: Cells) -> Spread:
    """A triangular distribution; where a number is missing it is the planned length."""
    texts = [_with_unit(row, field) for field in _POINTS]
    given = [read_number(ranged, text) for text in texts if text]
    is_percent = given[0][1]
    if any(each is not is_percent for _, each in given):
        raise PlanError(f"“{', '.join(filter(None, texts))}” has percent and lengths of time in it.")
    planned = 100.0 if is_percent else float(ranged.planned)
    low, likely, high = (read_number(ranged, text)[0] if text else planned for text in texts)
    found = Spread(SpreadKind.TRIANGULAR, low, likely, high, is_percent=is_percent)
    found.check(f"“{', '.join(filter(None, texts))}”")
    return found


def _with_unit(row: Cells, field: Field) -> str:
    """What a cell says; a number alone is in the unit of its header, “Optimistic (h)”, else in that of durations."""
    text = row.text(field)
    if not text[-1:].isdecimal():
        return text
    unit = unit_of(row.header(field))
    return text + ("%" if unit == "%" else find_unit(unit) or row.guess.duration_unit)


def _chance(row: Cells, notes: list[str]) -> float:
    try:
        return read_chance(row.text(Field.CHANCE))
    except PlanError as error:
        notes.append(f"{_place(row, Field.CHANCE)}: {error.sentence} It is left out.")
        return 1.0


def _place(row: Cells, field: Field) -> str:
    return f"Row {row.number}, column “{row.header(field)}”"
