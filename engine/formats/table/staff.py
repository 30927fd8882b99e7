"""The people and things in a column of resource names: “Anna;Crane[50%]”. It never decides a date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.formats.table.cells import Cells
from engine.formats.table.columns import Field
from engine.formats.table.durations import number
from engine.formats.table.links import Ids
from engine.model import Assignment, Resource, TaskId

_ENTRY = re.compile(r"\s*(.*?)\s*(?:\[\s*(\d+(?:[.,]\d+)?)\s*(%?)[^\[\]]*\])?\s*", re.DOTALL)


def read_staff(rows: Sequence[Cells], ids: Ids) -> tuple[tuple[Resource, ...], tuple[Assignment, ...]]:
    """One resource a name, in the order of their first task, and who does what with how many units."""
    resources: dict[str, Resource] = {}
    assignments: dict[tuple[TaskId, int], Assignment] = {}
    for row in rows:
        for name, units in parse_staff(row.text(Field.RESOURCES)):
            resource = resources.setdefault(name, Resource(len(resources) + 1, name))
            assignment = Assignment(ids.of_row(row), resource.id, units)
            assignments.setdefault((assignment.task, resource.id), assignment)
    return tuple(resources.values()), tuple(assignments.values())


def parse_staff(text: str) -> list[tuple[str, float]]:
    """The names of a cell and the units behind each, 1 where none are said."""
    found = []
    separator = ";" if ";" in text else ","
    # A comma inside the brackets is decimal.
    for part in re.split(rf"{separator}(?![^\[\]]*\])", text):
        matched = _ENTRY.fullmatch(part)
        if matched is None or not matched[1]:
            continue
        units = number(matched[2]) / (100 if matched[3] else 1) if matched[2] else 1.0
        if units > 1e-6:
            found.append((matched[1], units))
    return found


def format_staff(assigned: Iterable[tuple[str, float]]) -> str:
    """The cell that says these names and units."""
    return ";".join(name if units == 1 else f"{name}[{units * 100:.15g}%]" for name, units in assigned)
