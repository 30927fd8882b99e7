"""BoardDrag: what is shown while a bar of the board is dragged. It never decides where things go.

Ghosts of what would move, and a card of figures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.session.state import State
from gui.board.layout import BAR_PX, BoardBar, BoardLayout, Pixels, Sight
from gui.board.rows import BoardRow, Instants
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Box, Dash, Label, Point, RoundBoxes, Shape, bar_radius
from gui.theme import METRICS

_LINE_PX = 18.0
_PAD_PX = 12.0
_MARGIN_PX = 8.0
_GAP_PX = 16.0
_FAR_PX = 20.0
_LEAST_PX = 3.0


@dataclass(frozen=True, eq=False)
class BoardDrag:
    """A drag in progress as it is shown. `trial` is None while nothing would change.

    `lines` are (text, color token) of the card, the first of them bold; `target` is the resource that the held task
    would go over to, one of those `eligible`; `named` are those of them that the plan names for the task, if it does.
    `carried` is where it is carried to, from tick to tick, while the trial of that is not there yet.
    """

    bar: BoardBar
    at: Point
    trial: State | None
    lines: tuple[tuple[str, str], ...]
    target: int | None
    eligible: frozenset[int]
    named: frozenset[int] = frozenset()
    carried: tuple[int, int] | None = None

    @property
    def wanted(self) -> frozenset[int]:
        """The rows to carry it to: those named where some are, else all that are eligible."""
        return self.named or self.eligible

    def is_dim(self, number: int, row: int) -> bool:
        """Whether a row, the resource of an id, is neither where the bar stands nor where it should go."""
        return bool(self.named) and number != self.bar.row and row not in self.named


def ghosts(layout: BoardLayout, drag: BoardDrag, sight: Sight) -> list[Shape]:
    """Where the bars in sight would stand that stand elsewhere, the one that is held with its new resource."""
    held, shapes = drag.bar, list[Shape]()
    carried = _where(drag, held)
    if carried is None:
        return []
    is_held = (sight.rows == held.row) & (sight.plan_rows == held.slot.plan_row)
    if drag.trial is not None:
        now, then = layout.state.schedule, drag.trial.schedule
        rows = sight.plan_rows
        moves = ((then.start[rows] != now.start[rows]) | (then.finish[rows] != now.finish[rows])) & ~is_held
        shapes += ghost_boxes(layout, then.start[rows[moves]], then.finish[rows[moves]], sight.top[moves])
    if drag.target is None and carried != _dates(layout.state, held):
        for top in sight.top[is_held].tolist():
            shapes.append(ghost(layout, *_edges(layout, carried), top))
    target = next((row for row in layout.rows.rows if row.id == drag.target), None) if drag.target else None
    if target is not None:
        left, right = _edges(layout, carried)
        top = layout.top(target, _free_lane(target, carried))
        # Where the row is full it stands over what is there.
        shapes.append(Box(left, top, max(right - left, 3.0), BAR_PX, "panel:75"))
        shapes.append(ghost(layout, left, right, top))
    return shapes


def card(layout: BoardLayout, drag: BoardDrag, height_px: float, text_width: TextWidth) -> list[Shape]:
    """The figures, below right of the mouse, or wherever around it there is room."""
    if not drag.lines:
        return []
    wide = max(text_width(text, METRICS.text_px, at == 0) for at, (text, _) in enumerate(drag.lines)) + 2 * _PAD_PX
    high = len(drag.lines) * _LINE_PX + 2 * _MARGIN_PX
    x, y = drag.at[0] + _GAP_PX, drag.at[1] + _GAP_PX
    below = layout.rows.height - layout.scroll_px + _MARGIN_PX
    if y < below <= height_px - high:
        y = below  # few rows: none of them is hidden
    if x + wide > layout.scale.width_px:
        x = max(drag.at[0] - _GAP_PX - wide, 4.0)
    if y + high > height_px:
        y = max(drag.at[1] - _GAP_PX - high, 4.0)
    shapes: list[Shape] = [Box(x, y, wide, high, "panel", "line", 6)]
    for place, (text, color) in enumerate(drag.lines):
        top = y + _MARGIN_PX + place * _LINE_PX
        shapes.append(Label(x + _PAD_PX, top, wide, text, color, is_bold=place == 0, h=_LINE_PX))
    return shapes


def _where(drag: BoardDrag, held: BoardBar) -> tuple[int, int] | None:
    """Start and finish of what is held: where it is carried to, or would be; None where it goes nowhere."""
    if drag.carried is not None:
        return drag.carried
    return None if drag.trial is None else _dates(drag.trial, held)


def _edges(layout: BoardLayout, span: tuple[int, int]) -> tuple[float, float]:
    return layout.scale.x(span[0]), layout.scale.x(span[1])


def _dates(state: State, bar: BoardBar) -> tuple[int, int]:
    return int(state.schedule.start[bar.slot.plan_row]), int(state.schedule.finish[bar.slot.plan_row])


def _free_lane(row: BoardRow, span: tuple[int, int]) -> int:
    """The first lane of a row that has room from an instant to another, the last where none has."""
    start, finish = span
    busy = set(row.lane_of[row.places(start + 1, max(finish - 1, start + 1))].tolist())
    return next((lane for lane in range(row.lanes) if lane not in busy), row.lanes - 1)


def ghost(layout: BoardLayout, left: float, right: float, top: float) -> Box:
    """The bar that is held, where it is not."""
    left, right = max(left, -_FAR_PX), min(max(right, left + _LEAST_PX), layout.scale.width_px + _FAR_PX)
    wide = max(right - left, 0.0)
    return Box(left, top, wide, BAR_PX, "accent:22", "accent", bar_radius(right - left), Dash.DASHED, 1.5)


def ghost_boxes(layout: BoardLayout, starts: Instants, finishes: Instants, top: Pixels) -> list[Shape]:
    """Bars that are not there, fainter than one that is held."""
    if not len(starts):
        return []
    left, right = layout.across(starts), layout.across(finishes)
    right = np.minimum(np.maximum(right, left + _LEAST_PX), layout.scale.width_px + _FAR_PX)
    edges = np.column_stack((np.maximum(left, -_FAR_PX), right, top))
    edges = edges[edges[:, 1] > edges[:, 0]]
    look_of = np.zeros(len(edges), np.int64)
    return [RoundBoxes(edges, look_of, (("accent:12", "accent:60"),), BAR_PX, Dash.DASHED)]
