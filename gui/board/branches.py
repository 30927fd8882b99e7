"""Branches on the board: where and with whom other branches have tasks, as thin strips under the lanes of bars.

They never say what a branch is worth. What they cost is what is in sight, times the branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.session.scenarios import Branch
from engine.session.state import State
from gui.board.layout import BAR_PX, BoardLayout
from gui.board.rows import LANE_PX, BoardRow, BoardRows
from gui.canvas.shapes import Label, Shape
from gui.gantt.ghosts import color_of, is_same_task, strip
from gui.theme import METRICS

_HIGH_PX = 2.0
_LETTER_PX = 8.0


@dataclass(frozen=True, eq=False)
class BranchRows:
    """A branch, and its plan laid out as rows of a board."""

    branch: Branch
    rows: BoardRows

    @staticmethod
    def of(branch: Branch) -> BranchRows:
        """Those of one branch."""
        return BranchRows(branch, BoardRows.of(State(branch.plan, branch.schedule)))


def branch_shapes(layout: BoardLayout, others: Sequence[BranchRows], height_px: float) -> list[Shape]:
    """A strip and a letter for each bar of the rows in sight that stands elsewhere, or with somebody else, there."""
    scale, shapes = layout.scale, list[Shape]()
    first, last = scale.tick(0), scale.tick(scale.width_px)
    for other in others:
        by_id = {row.id: row for row in other.rows.rows}
        for number in layout.seen(height_px):
            row = layout.rows.rows[number]
            there = by_id.get(row.id)
            for place in () if there is None else there.between(first, last):
                assert there is not None
                shapes += _strip(layout, other.branch, (number, row), (there, place))
    return shapes


def _strip(layout: BoardLayout, branch: Branch, here: tuple[int, BoardRow], there: tuple[BoardRow, int]) -> list[Shape]:
    (number, row), (other, place) = here, there
    slot, dates = other.slot(place), (int(other.starts[place]), int(other.finishes[place]))
    if layout.has(number, slot.task.id, dates) or not is_same_task(layout.state.plan, branch, slot.task.id):
        return []
    left, right = max(layout.scale.x(dates[0]), 0.0), min(layout.scale.x(dates[1]), layout.scale.width_px)
    top = layout.top(row, min(slot.lane, row.lanes - 1))
    y = top + BAR_PX + (LANE_PX - BAR_PX) / 2 - _HIGH_PX
    # At the end of the strip, within it: bars that stand there are drawn over it.
    at = max(left, right - _LETTER_PX)
    letter = Label(
        at, y - _LETTER_PX, _LETTER_PX, branch.letter, color_of(branch), is_bold=True, px=METRICS.ghost_px, h=_LETTER_PX
    )
    return [strip(branch, left, max(right, left + 2.0), y, _HIGH_PX), letter]
