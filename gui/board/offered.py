"""Ghosts on the board: where bars would stand, and with whom, in a plan that is offered, and which branches show.

They never change a plan. What they cost is what is in sight.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.session.scenarios import Branch
from engine.session.state import State
from gui.board.branches import BranchRows
from gui.board.drag import ghost_boxes
from gui.board.layout import BoardLayout
from gui.board.rows import LANE_PX, BoardRows
from gui.canvas.shapes import Shape


class Offered:
    """A state that is offered, and other branches, laid out as rows once somebody looks."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self.state: State | None = None
        self._rows: BoardRows | None = None
        self._known: BoardRows | None = None
        self._changed = changed
        self._branches: tuple[Branch, ...] = ()
        self._laid: tuple[BranchRows, ...] = ()

    def show_branches(self, branches: tuple[Branch, ...]) -> None:
        """Other branches whose bars show under those of this one; those that stay as they are keep their rows."""
        if branches != self._branches:
            self._branches = branches
            self._changed()

    @property
    def seen(self) -> tuple[BoardRows | None, tuple[BranchRows, ...]]:
        """The rows of what is offered, and of the other branches."""
        if tuple(each.branch for each in self._laid) != self._branches:
            known = {id(each.branch): each for each in self._laid}
            self._laid = tuple(known.get(id(each)) or BranchRows.of(each) for each in self._branches)
        return self.rows, self._laid

    def show(self, state: State | None) -> None:
        """Another state, or none."""
        self._known = self._rows or self._known
        self.state, self._rows = state, None
        self._changed()

    @property
    def rows(self) -> BoardRows | None:
        """Its rows; None where nothing is offered."""
        if self.state is not None and self._rows is None:
            self._rows = BoardRows.of(self.state, self._known)
        return self._rows


def offered_shapes(layout: BoardLayout, offered: BoardRows, height_px: float) -> list[Shape]:
    """A ghost for each bar of the rows in sight that stands elsewhere, or with somebody else, in other rows."""
    scale, others = layout.scale, {row.id: row for row in offered.rows}
    first, last = scale.tick(0), scale.tick(scale.width_px)
    spans, tops = list[tuple[int, int]](), list[float]()
    for number in layout.seen(height_px):
        row = layout.rows.rows[number]
        other = others.get(row.id)
        if other is None:
            continue
        places, top = other.places(first, last), layout.top(row, 0)
        columns = (other.plan_rows, other.starts, other.finishes, np.minimum(other.lane_of, row.lanes - 1))
        for plan_row, start, finish, lane in zip(*(each[places].tolist() for each in columns), strict=True):
            if row.dates.get(other.tasks[plan_row].id) != (start, finish):
                spans.append((start, finish))
                tops.append(top + lane * LANE_PX)
    starts, finishes = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    return ghost_boxes(layout, starts, finishes, np.array(tops))
