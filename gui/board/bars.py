"""Bars in sight, all at once: places as arrays, looks, and names. They look as bar_shapes has each of them.

They never show what is chosen. What they cost is what is in sight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from engine.model import Task
from gui.board.bar_shapes import (
    APART_PX,
    DONE_PX,
    FAR_PX,
    LEAST_ROOM_PX,
    TEXT_GAP_PX,
    Look,
    bar_shapes,
    fitting,
)
from gui.board.layout import BAR_PX, BoardLayout, Sight
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Boxes, Labels, RoundBoxes, Shape
from gui.gantt.bars import Bar, BarKind
from gui.gantt.coloring import ColorBy, bar_color, kind_color
from gui.gantt.shares import share_text
from gui.theme import METRICS, words_on


def bars_shapes(layout: BoardLayout, sight: Sight, look: Look, text_width: TextWidth) -> list[Shape]:
    """The bars in sight from back to front; those that are no plain ones come last."""
    is_plain = np.array([not (task.is_milestone or task.splits) for task in sight.tasks], dtype=np.bool_)
    shapes = _Plain(layout, sight.of(is_plain), look).shapes(text_width)
    for at in np.flatnonzero(~is_plain).tolist():
        bar = layout.bar(int(sight.rows[at]), int(sight.places[at]))
        shapes += bar_shapes(layout, bar, look, text_width)
    return shapes


class _Plain:
    """Bars in one piece."""

    def __init__(self, layout: BoardLayout, sight: Sight, look: Look) -> None:
        self._layout, self._sight, self._look = layout, sight, look
        width = layout.scale.width_px
        self._left = np.maximum(sight.left, -FAR_PX)
        self._end = np.minimum(sight.right, width + FAR_PX)
        # A bar that begins where another ends stands apart from it.
        self._right = self._end - np.where(self._end - self._left > APART_PX, 1.0, 0.0)
        self._fills = self._colors()

    def shapes(self, text_width: TextWidth) -> list[Shape]:
        """Grounds of pale bars, bars, what is done of them, and their names."""
        if not self._fills:
            return []
        return [*self._boxes(), *self._done(), *self._names(text_width)]

    def _colors(self) -> list[str]:
        """The token of each bar."""
        state, by, shares = self._layout.state, self._look.color_by, self._look.shares
        tasks, rows = self._sight.tasks, self._sight.plan_rows.tolist()
        if by is ColorBy.KIND:
            return [kind_color(task) for task in tasks]
        pairs = zip(tasks, rows, strict=True)
        return [bar_color(state, _as_in_chart(task, row), by, shares) for task, row in pairs]

    def _boxes(self) -> Iterator[RoundBoxes]:
        is_critical = self._layout.state.schedule.is_critical[self._sight.plan_rows].tolist()
        looks = dict[tuple[str, str], int]()
        grounds, look_of = list[bool](), list[int]()
        for fill, critical in zip(self._fills, is_critical, strict=True):
            hue, _, is_light = fill.partition(":")
            look_of.append(looks.setdefault((fill, "critical" if critical else hue if is_light else ""), len(looks)))
            grounds.append(bool(is_light))
        edges = np.column_stack((self._left, self._right, self._sight.top))
        is_seen = self._right > self._left
        is_pale = np.array(grounds) & is_seen
        if is_pale.any():
            yield RoundBoxes(edges[is_pale], np.zeros(is_pale.sum(), np.int64), (("panel", ""),), BAR_PX)
        yield RoundBoxes(edges[is_seen], np.array(look_of, np.int64)[is_seen], tuple(looks), BAR_PX)

    def _done(self) -> list[Shape]:
        """The part that is done, as a dark strip along the foot of each bar."""
        sight, left = self._sight, self._sight.left
        spans = defaultdict[tuple[float, str], list[tuple[float, float]]](list)
        for at, task in enumerate(sight.tasks):
            if (progress := task.progress) is None:
                continue
            share = 1.0 if progress.actual_finish is not None else progress.percent / 100
            end = min(float(left[at] + (sight.right[at] - left[at]) * share), float(self._end[at]))
            if end > self._left[at]:
                color = "text" if ":" in self._fills[at] else "done"
                spans[float(sight.top[at]), color].append((float(self._left[at]), end))
        return [
            Boxes(tuple(found), top + BAR_PX - DONE_PX - 1, DONE_PX, color) for (top, color), found in spans.items()
        ]

    def _names(self, text_width: TextWidth) -> list[Shape]:
        """As much of each name as fits, those of one color together."""
        sight, px = self._sight, METRICS.bar_text_px
        first = np.maximum(sight.left, 0.0)
        room = np.minimum(sight.right, self._layout.scale.width_px) - first - 2 * TEXT_GAP_PX
        texts = defaultdict[str, list[tuple[float, float, str]]](list)
        wide = np.flatnonzero(room >= LEAST_ROOM_PX)
        columns = (each[wide].tolist() for each in (first, sight.top, room))
        for at, x, top, has in zip(wide.tolist(), *columns, strict=True):
            task, fill = sight.tasks[at], self._fills[at]
            if text := self._name(at, task, has, text_width):
                color = "text" if ":" in fill else words_on(fill)
                texts[color].append((x + TEXT_GAP_PX, top, text))
        return [Labels(tuple(found), color, px, BAR_PX) for color, found in texts.items()]

    def _name(self, at: int, task: Task, room: float, text_width: TextWidth) -> str:
        figure = ""
        if self._look.shares is not None:
            share = self._look.shares.of(_as_in_chart(task, int(self._sight.plan_rows[at])))
            figure = "" if share is None else share_text(share.value)
        return fitting(self._layout.state.plan, task, room, text_width, figure)


def _as_in_chart(task: Task, plan_row: int) -> Bar:
    return Bar(task, 0, plan_row, BarKind.LEAF, 0.0, 0.0, 0.0)
