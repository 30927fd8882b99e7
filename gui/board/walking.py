"""Walking: which task of the board the keys choose next, as plain values. It never draws and never tells."""

from __future__ import annotations

from collections.abc import Callable

from engine.model import TaskId
from gui.board.rows import BoardRows

Place = tuple[int, int]
Step = Callable[[BoardRows, Place | None, int], Place | None]


def place_of(rows: BoardRows, task: TaskId | None, near: Place | None) -> Place | None:
    """Where a task stands: in the place it was last seen at, or else the first."""
    places = rows.places.get(task, []) if task is not None else []
    return near if near in places else places[0] if places else None


def along(rows: BoardRows, at: Place | None, steps: int) -> Place | None:
    """The task so many places later in the same row, no farther than the row goes."""
    if at is None:
        return first(rows)
    row = rows.rows[at[0]]
    return at[0], min(max(at[1] + steps, 0), len(row.starts) - 1)


def across(rows: BoardRows, at: Place | None, steps: int) -> Place | None:
    """The task of the next row below that has any (above: steps -1) which starts nearest to this one."""
    if at is None:
        return first(rows)
    start = int(rows.rows[at[0]].starts[at[1]])
    number = at[0] + steps
    while 0 <= number < len(rows.rows):
        starts = rows.rows[number].starts
        if len(starts):
            return number, int(abs(starts - start).argmin())
        number += steps
    return at


def first(rows: BoardRows) -> Place | None:
    """The first task of the first row that has any."""
    return next(((number, 0) for number, row in enumerate(rows.rows) if len(row.starts)), None)
