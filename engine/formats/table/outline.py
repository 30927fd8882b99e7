"""Which row of a table lies in which: by outline level, by WBS code, or by how far its name is indented."""

from __future__ import annotations

from collections.abc import Sequence

from engine.formats.table.cells import Cells
from engine.formats.table.columns import Field


def find_parents(rows: Sequence[Cells]) -> list[int | None]:
    """The index of the row each row lies in, None at the top. Raises FormatError for a level that is no number."""
    if not rows:
        return []
    if Field.LEVEL in rows[0].places:
        return _by_level([_level(row) for row in rows])
    if Field.WBS in rows[0].places:
        return _by_code([row.text(Field.WBS).rstrip(".") for row in rows])
    names = [row.raw(Field.NAME) for row in rows]
    return _by_level([len(name) - len(name.lstrip()) for name in names])


def _level(row: Cells) -> int:
    level = row.amount(Field.LEVEL)
    if level is None or level != int(level) or not 0 <= level < 1000:
        row.refuse(Field.LEVEL, f"“{row.text(Field.LEVEL)}” is not an outline level.")
    return int(level)


def _by_level(levels: Sequence[int]) -> list[int | None]:
    parents: list[int | None] = []
    open_rows: list[int] = []
    for index, level in enumerate(levels):
        while open_rows and levels[open_rows[-1]] >= level:
            open_rows.pop()
        parents.append(open_rows[-1] if open_rows else None)
        open_rows.append(index)
    return parents


def _by_code(codes: Sequence[str]) -> list[int | None]:
    """The row above whose code is the longest beginning of a row's own: 1.2 holds 1.2.3."""
    parents: list[int | None] = []
    above: dict[str, int] = {}
    for index, code in enumerate(codes):
        parts = code.split(".")
        beginnings = (".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
        parents.append(next((above[start] for start in beginnings if start in above), None))
        if code:
            above.setdefault(code, index)
    return parents
