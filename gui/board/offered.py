"""Ghosts on the board: where bars would stand, and with whom, in a plan that is offered. They never lay out its rows.

What they cost is what is in sight.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.session.state import State
from gui.board.drag import ghost
from gui.board.layout import BoardLayout
from gui.board.rows import BoardRow, BoardRows
from gui.canvas.shapes import Shape


class Offered:
    """A state that is offered, laid out as rows once somebody looks."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self.state: State | None = None
        self._rows: BoardRows | None = None
        self._changed = changed

    def show(self, state: State | None) -> None:
        """Another state, or none."""
        self.state, self._rows = state, None
        self._changed()

    @property
    def rows(self) -> BoardRows | None:
        """Its rows; None where nothing is offered."""
        if self.state is not None and self._rows is None:
            self._rows = BoardRows.of(self.state)
        return self._rows


def offered_shapes(layout: BoardLayout, offered: BoardRows, height_px: float) -> list[Shape]:
    """A ghost for each bar of the rows in sight that stands elsewhere, or with somebody else, in other rows."""
    scale, shapes = layout.scale, list[Shape]()
    first, last = scale.tick(0), scale.tick(scale.width_px)
    others = {row.id: row for row in offered.rows}
    for number in layout.seen(height_px):
        row = layout.rows.rows[number]
        other = others.get(row.id)
        for place in () if other is None else other.between(first, last):
            assert other is not None
            slot, start, finish = other.slot(place), int(other.starts[place]), int(other.finishes[place])
            if _has(layout, number, slot.task.id, (start, finish)):
                continue
            top = layout.top(row, min(slot.lane, row.lanes - 1))
            shapes.append(ghost(layout, scale.x(start), scale.x(finish), top))
    return shapes


def _has(layout: BoardLayout, number: int, task: int, dates: tuple[int, int]) -> bool:
    """Whether a row has a task at these dates now."""
    row: BoardRow = layout.rows.rows[number]
    return any(
        (int(row.starts[place]), int(row.finishes[place])) == dates
        for at, place in layout.rows.places.get(task, ())
        if at == number
    )
