"""Which task a cell of predecessors means, and the links that come of it. It never dates anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.formats.table.cells import UNITS, Cells
from engine.formats.table.columns import Field
from engine.formats.table.predecessors import Reference, UnreadableError, parse_references
from engine.model import Dependency, DependencyKind, TaskId

_MOST_ID = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Ids:
    """Task ids of the rows: the table's own where all are whole numbers, else counted from 1.

    Cells name tasks by the column of ids, or by the count of rows where there is none, or by WBS code.
    """

    tasks: dict[int, TaskId]
    names: dict[str, TaskId]

    @staticmethod
    def of(rows: Sequence[Cells]) -> Ids:
        """Gives out the ids. Raises FormatError for one that stands twice."""
        texts = [row.text(Field.ID) for row in rows]
        seen: dict[str, int] = {}
        for row, text in zip(rows, texts, strict=True):
            if text and text in seen:
                row.refuse(Field.ID, f"“{text}” is the id of row {seen[text]} too.")
            seen[text] = row.number
        numbers = [int(text) if text.isdecimal() and len(text) < 10 else 0 for text in texts]
        own = all(0 < number < _MOST_ID for number in numbers) and len(set(numbers)) == len(numbers)
        tasks = {row.number: numbers[at] if own else at + 1 for at, row in enumerate(rows)}
        names: dict[str, TaskId] = {}
        has_ids = any(texts)
        for at, (row, text) in enumerate(zip(rows, texts, strict=True)):
            for name in (text if has_ids else str(at + 1), row.text(Field.WBS).rstrip(".")):
                if name:
                    names.setdefault(name, tasks[row.number])
        return Ids(tasks, names)

    def of_row(self, row: Cells) -> TaskId:
        """The id of a row's task."""
        return self.tasks[row.number]


def read_links(rows: Sequence[Cells], ids: Ids) -> tuple[Dependency, ...]:
    """The links of all rows, each pair and kind once. Raises FormatError for a task that is not in the table."""
    found: dict[tuple[TaskId, TaskId, DependencyKind], Dependency] = {}
    for row in rows:
        own = ids.of_row(row)
        for other, reference in _references(row, Field.PREDECESSORS, ids):
            link = Dependency(other, own, reference.kind, reference.lag)
            found.setdefault(link.key, link)
        for other, reference in _references(row, Field.SUCCESSORS, ids):
            link = Dependency(own, other, reference.kind, reference.lag)
            found.setdefault(link.key, link)
    return tuple(found.values())


def _references(row: Cells, field: Field, ids: Ids) -> Iterator[tuple[TaskId, Reference]]:
    text = row.text(field)
    if not text:
        return
    try:
        references = parse_references(text, UNITS, ids.names)
    except UnreadableError as error:
        row.refuse(field, f"“{error}” cannot be read; write 2FS+3d, for example.")
    for reference in references:
        if reference.id not in ids.names:
            row.refuse(field, f"there is no task “{reference.id}” in the table.")
        yield ids.names[reference.id], reference
