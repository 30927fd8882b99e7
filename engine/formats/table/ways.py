"""Where else tasks may be done, as a cell says it: “Lathe 2 (3h); Lathe 3[50%] (4h, cost 20)”.

It never decides when anything is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.formats.table.cells import UNITS, Cells
from engine.formats.table.columns import Field
from engine.formats.table.durations import number, parse_span
from engine.formats.table.links import Ids
from engine.formats.table.staff import format_staff
from engine.model import Alternative, Resource, TaskId

# What parts two of them stands in no brackets.
_PARTING = re.compile(r"\s*[;\n]\s*(?![^()]*\))")
_SHARE = re.compile(r"(.*?)\s*\[\s*(\d+(?:[.,]\d+)?)\s*(%?)\s*\]", re.DOTALL)
_THERE = re.compile(r"(.*?)\s*\(([^()]*)\)", re.DOTALL)
_COST = re.compile(r"(?:(.*\S)\s*,\s*|\s*)cost\s+(\d+(?:[.,]\d+)?)\s*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class WrittenWay:
    """One place as it is written: a name, the share of it, how long it takes there (empty: as long as it does), and
    what that costs."""

    name: str
    units: float = 1.0
    length: str = ""
    cost: float = 0.0


def split_ways(text: str) -> Iterator[str]:
    """What the cell says of each place."""
    return (part.strip() for part in _PARTING.split(text.strip()) if part.strip())


def written_way(text: str, is_known: Callable[[str], bool]) -> WrittenWay:
    """One of them taken apart. A name that is known is taken as it stands, whatever brackets are in it."""
    if is_known(text):
        return WrittenWay(text)
    rest, inside, cost, units = text, "", 0.0, 1.0
    if (there := _THERE.fullmatch(text)) is not None:
        rest, inside = there[1], there[2]
        if (costs := _COST.fullmatch(inside)) is not None:
            inside, cost = costs[1] or "", number(costs[2])
    if not is_known(rest) and (share := _SHARE.fullmatch(rest)) is not None:
        rest, units = share[1], number(share[2]) / (100 if share[3] else 1)
    return WrittenWay(rest.strip(), units, inside.strip(), cost)


def format_way(way: WrittenWay) -> str:
    """The text that says it."""
    there = ([way.length] if way.length else []) + ([f"cost {way.cost:.15g}"] if way.cost else [])
    name = format_staff(((way.name, way.units),))
    return f"{name} ({', '.join(there)})" if there else name


def read_ways(
    rows: Sequence[Cells], ids: Ids, resources: tuple[Resource, ...], elapsed: frozenset[TaskId]
) -> tuple[tuple[Resource, ...], tuple[Alternative, ...], tuple[str, ...]]:
    """The resources with those that are named as alternatives alone, the alternatives of all tasks, each once, and a
    note for each that cannot be read: it is left out. `elapsed` are the tasks whose time is counted by the clock.
    """
    known = {resource.name: resource for resource in resources}
    found: dict[tuple[TaskId, int], Alternative] = {}
    notes = []
    for row in rows:
        task = ids.of_row(row)
        for part in split_ways(row.text(Field.ALTERNATIVES)):
            way = written_way(part, known.__contains__)
            span = parse_span(way.length, UNITS) if way.length else None
            is_other = span is not None and span.ticks != 0 and span.is_elapsed != (task in elapsed)
            if not way.name or is_other or (way.length and span is None):
                place = f"Row {row.number}, column “{row.header(Field.ALTERNATIVES)}”"
                notes.append(f"{place}: “{part}” is not as Lathe 2 (3h) and is left out.")
                continue
            resource = known.setdefault(way.name, Resource(len(known) + 1, way.name))
            lasts = None if span is None else span.ticks
            found.setdefault((task, resource.id), Alternative(task, resource.id, way.units, lasts, way.cost))
    return tuple(known.values()), tuple(found.values()), tuple(notes)
