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

    Cells name tasks by the column of ids, or by the count of rows where there is none, by WBS code, or else by a name
    that only one task has: `titles` are all names, with None for those of several.
    """

    tasks: dict[int, TaskId]
    names: dict[str, TaskId]
    titles: dict[str, TaskId | None]

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
        titles: dict[str, TaskId | None] = {}
        for row in rows:
            title = " ".join(row.text(Field.NAME).split())
            titles[title] = None if title in titles else tasks[row.number]
        return Ids(tasks, names, titles)

    def __contains__(self, name: object) -> bool:
        return name in self.names or name in self.titles

    def find(self, name: str) -> TaskId | None:
        """The task that a cell means, where there is one."""
        return self.names.get(name, self.titles.get(name))

    def of_row(self, row: Cells) -> TaskId:
        """The id of a row's task."""
        return self.tasks[row.number]


def read_links(
    rows: Sequence[Cells], ids: Ids, parents: Sequence[int | None]
) -> tuple[tuple[Dependency, ...], tuple[str, ...]]:
    """The links of all rows, each pair and kind once, and a note for each that cannot be: it is left out.

    `parents` are the places of the rows that others lie in.
    """
    reader = _Reader(rows, ids, parents)
    for row in rows:
        own = ids.of_row(row)
        for field in (Field.PREDECESSORS, Field.SUCCESSORS):
            for other, reference in reader.references(row, field):
                ends = (other, own) if field is Field.PREDECESSORS else (own, other)
                reader.add(Dependency(*ends, reference.kind, reference.lag), row, field)
    return tuple(reader.found.values()), tuple(reader.notes)


class _Reader:
    """Finds links, and what is to be said of those that cannot be."""

    def __init__(self, rows: Sequence[Cells], ids: Ids, parents: Sequence[int | None]) -> None:
        self.found: dict[tuple[TaskId, TaskId, DependencyKind], Dependency] = {}
        self.notes: list[str] = []
        self._ids = ids
        tasks = [ids.of_row(row) for row in rows]
        self._names = {task: row.text(Field.NAME) for task, row in zip(tasks, rows, strict=True)}
        self._parent = {task: None if at is None else tasks[at] for task, at in zip(tasks, parents, strict=True)}

    def references(self, row: Cells, field: Field) -> Iterator[tuple[TaskId, Reference]]:
        """The tasks that a cell names, by id or by a name that no other has."""
        text = row.text(field)
        try:
            references = parse_references(text, UNITS, self._ids) if text else ()
        except UnreadableError as error:
            self._note(row, field, f"“{error}” cannot be read; write 2FS+3d, for example")
            return
        for reference in references:
            task = self._ids.find(reference.id)
            if task is None:
                many = reference.id in self._ids.titles
                what = f"several tasks are called “{reference.id}”" if many else f"there is no task “{reference.id}”"
                self._note(row, field, what if many else f"{what} in the table, by id or by name")
            else:
                yield task, reference

    def add(self, link: Dependency, row: Cells, field: Field) -> None:
        """Keeps a link that can be."""
        first, second = link.predecessor, link.successor
        if first == second:
            self._note(row, field, f"“{self._names[first]}” cannot wait for itself")
        elif self._holds(first, second) or self._holds(second, first):
            one, other = self._names[first], self._names[second]
            self._note(row, field, f"“{one}” and “{other}” cannot be linked: one lies inside the other")
        else:
            self.found.setdefault(link.key, link)

    def _holds(self, summary: TaskId, task: TaskId) -> bool:
        parent = self._parent[task]
        while parent is not None and parent != summary:
            parent = self._parent[parent]
        return parent is not None

    def _note(self, row: Cells, field: Field, what: str) -> None:
        self.notes.append(f"Row {row.number}, column “{row.header(field)}”: {what}. The link is left out.")
