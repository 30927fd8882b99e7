"""Drag shapes: ghosts of what would move, their links, a rubber line, a band, and a card of figures.

They never decide where things go.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.model import TaskId
from engine.session.state import State
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Box, Dash, Label, Line, Point, Polygon, Shape, bar_radius
from gui.gantt import links
from gui.gantt.bars import MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.drag import CardLine, Drag
from gui.gantt.work import pieces
from gui.theme import METRICS

_CARD_LINE_PX = 18.0
_CARD_MARGIN_PX = 8.0
_CARD_PAD_PX = 12.0
_CURSOR_GAP_PX = 16.0
_CARD_GAP_PX = 4.0
_FARTHEST_ROWS = 8
_CARD_MOST_PX = 420.0


def drag_shapes(layout: Layout, drag: Drag, bars: list[Bar]) -> list[Shape]:
    """Ghosts of everything in sight that would move, and the rubber line."""
    carried, trial = drag.carried, drag.trial if drag.sketch is None else drag.sketch
    shapes = [] if trial is None else ghost_shapes(layout, trial, bars, drag.task, is_late=carried is not None)
    if carried is not None:
        shapes += _ghost(layout, carried, is_held=True, is_whole=True)
    for bar in bars:
        if bar.task.id == drag.target:
            frame = (bar.left - 2, bar.y + METRICS.bar_top_px - 2, bar.right - bar.left + 4, METRICS.bar_px + 4)
            shapes.append(Box(*frame, "", "accent", METRICS.radius_px + 1, width=1.5))
    if drag.rubber is not None:
        shapes.append(Line(drag.rubber, "accent", 1.5, Dash.DASHED))
    if drag.outline is not None:
        left, right, y = drag.outline
        frame = (left, y + METRICS.bar_top_px, right - left, METRICS.bar_px)
        shapes.append(Box(*frame, "accent:22", "accent", bar_radius(right - left), Dash.DASHED, 1.5))
    if drag.band is not None:
        left, top, right, bottom = drag.band
        shapes.append(Box(left, top, right - left, bottom - top, "accent:12", "accent:60"))
    return shapes


def ghost_shapes(
    layout: Layout, trial: State, bars: list[Bar], held: TaskId | None = None, *, is_late: bool = False
) -> list[Shape]:
    """Where bars would stand that stand elsewhere in another state of the same tasks, and the ways of their links.

    Without that of the one that is held where it `is_late`.
    """
    other = _layout_of(trial, layout)
    moved = {bar.row for bar in bars if is_other(bar, other.bar(bar.row))}
    shapes: list[Shape] = [Line(way, "accent:60", 1.0, Dash.DASHED) for way in _ghost_ways(layout, other, bars, moved)]
    for bar in bars:
        is_held = bar.task.id == held
        if bar.row in moved and not (is_held and is_late):
            shapes += _ghost(other, other.bar(bar.row), is_held=is_held)
    return shapes


def _ghost_ways(layout: Layout, other: Layout, bars: list[Bar], moved: set[int]) -> list[tuple[Point, ...]]:
    """The ways of links of bars that move, as far as they are seen; not of one that the other state has no more."""
    if not moved:
        return []
    first, last = bars[0].row, bars[-1].row
    ways, rows = links.routes(other, first, last), list(moved)
    is_moved = np.isin(ways.near.first, rows) | np.isin(ways.near.second, rows)
    near = [ways[place] for place in np.flatnonzero(is_moved).tolist()]
    before, after = layout.state.plan.dependencies, other.state.plan.dependencies
    gone = set() if before is after else set(before).difference(after)
    height_px = bars[-1].y + METRICS.row_px
    shown = (way.points for way in near if way.beyond or way.link.dependency not in gone)
    return list(dict.fromkeys(links.in_sight(points, height_px) for points in shown))


def _layout_of(trial: State, layout: Layout) -> Layout:
    """Where everything stands in another state. The last is kept: the mouse moves more often than what would move."""
    known: Layout | None = layout.ways.get(_layout_of)
    if known is None or known.state is not trial:
        known = layout.ways[_layout_of] = Layout(trial, layout.rows, layout.scale, layout.scroll_px)
    return known


def _ghost(layout: Layout, ghost: Bar, *, is_held: bool, is_whole: bool = False) -> list[Shape]:
    fill, outline, width = ("accent:22", "accent", 1.5) if is_held else ("accent:12", "accent:60", 1.0)
    left, right = max(ghost.left, -20.0), min(ghost.right, layout.scale.width_px + 20)
    if right < left:
        return []
    y, middle, half = ghost.y, ghost.y + MIDDLE_PX, METRICS.bar_px / 2
    if ghost.kind is BarKind.SUMMARY:
        return [Box(left, y + 9, right - left, 4, fill, outline, 0, Dash.DASHED)]
    if ghost.kind is BarKind.MILESTONE:
        x = ghost.left
        corners = ((x - half, middle), (x, middle - half), (x + half, middle), (x, middle + half))
        return [Polygon(corners, fill, outline)]
    spans = [(layout.scale.x(start), layout.scale.x(finish)) for start, finish in pieces(layout.state, ghost.task.id)]
    is_in_pieces = len(spans) > 1 and not is_whole
    spans = [(max(a, left), min(b, right)) for a, b in spans] if is_in_pieces else [(left, right)]
    top, high = y + METRICS.bar_top_px, METRICS.bar_px
    return [Box(a, top, b - a, high, fill, outline, bar_radius(b - a), Dash.DASHED, width) for a, b in spans if a < b]


def card_shapes(layout: Layout, drag: Drag, bars: list[Bar], height_px: float, text_width: TextWidth) -> list[Shape]:
    """The card of figures: below right of the mouse, or wherever near it hides least of what is held and moves."""
    if not drag.lines:
        return []
    lines = [part for line in drag.lines for part in _wrapped(line, text_width)]
    wide = max(text_width(line.text, METRICS.text_px, line.is_bold) for line in lines) + 2 * _CARD_PAD_PX
    high = len(lines) * _CARD_LINE_PX + 2 * _CARD_MARGIN_PX
    x, y = _card_place(layout, drag, bars, (wide, high), height_px)
    shapes: list[Shape] = [Box(x, y, wide, high, "panel", "line", 6)]
    for place, line in enumerate(lines):
        top = y + _CARD_MARGIN_PX + place * _CARD_LINE_PX
        shapes.append(Label(x + _CARD_PAD_PX, top, wide, line.text, line.color, is_bold=line.is_bold, h=_CARD_LINE_PX))
    return shapes


def _wrapped(line: CardLine, text_width: TextWidth) -> list[CardLine]:
    """A line, or as many as it takes to keep the card narrow; a word is never cut."""
    if text_width(line.text, METRICS.text_px, line.is_bold) <= _CARD_MOST_PX:
        return [line]
    found: list[str] = []
    for word in line.text.split(" "):
        longer = f"{found[-1]} {word}" if found else word
        if found and text_width(longer, METRICS.text_px, line.is_bold) <= _CARD_MOST_PX:
            found[-1] = longer
        else:
            found.append(word)
    return [replace(line, text=text) for text in found]


def _card_place(layout: Layout, drag: Drag, bars: list[Bar], size: Point, height_px: float) -> Point:
    """Of the places around the mouse, the nearest first, the first that hides least."""
    (wide, high), (at_x, at_y), width = size, drag.at, layout.scale.width_px
    shown = _shown(layout, drag, bars)
    row = (layout.row_at(at_y) or 0) * METRICS.row_px - layout.scroll_px
    above, below = row - _CARD_GAP_PX - high, row + METRICS.row_px + _CARD_GAP_PX
    left, right = at_x - _CURSOR_GAP_PX - wide, at_x + _CURSOR_GAP_PX
    edge = max((box.x + box.w for box in shown), default=right) + _CURSOR_GAP_PX
    rows = [METRICS.row_px * step for step in range(_FARTHEST_ROWS)]
    places = [(x, y) for far in rows for x in (right, left) for y in (below + far, above - far)]
    places += [(edge, below), (edge, above)]
    inside = [(max(min(x, width - wide - 4), 4.0), max(min(y, height_px - high - 4), 0.0)) for x, y in places]
    hidden = (sum(_overlap(place, size, box) for box in shown) for place in inside)
    best = (float("inf"), inside[0])
    for place, square_px in zip(inside, hidden, strict=True):
        best = min(best, (square_px, place), key=lambda each: each[0])
        if not square_px:
            break
    return best[1]


def _shown(layout: Layout, drag: Drag, bars: list[Bar]) -> list[Box]:
    """What the card should leave free: the bar that is held, what it is linked to, and every ghost, as boxes."""
    held = None if drag.task is None else layout.rows.row_of.get(drag.task)
    near = {held}
    for link in () if held is None else layout.rows.links_at(held, held):
        near |= {link.first, link.second}
    found = [bar for bar in bars if bar.row in near or bar.task.id == drag.target]
    if drag.trial is not None:
        trial = _layout_of(drag.trial, layout)
        found += [ghost for bar in bars if is_other(bar, ghost := trial.bar(bar.row))]
    # A milestone has no length, and yet a size.
    half = METRICS.bar_px / 2
    return [Box(bar.left - half, bar.y, bar.right - bar.left + 2 * half, METRICS.row_px) for bar in found]


def is_other(bar: Bar, ghost: Bar) -> bool:
    """Whether a ghost stands elsewhere than its bar."""
    return (ghost.left, ghost.right) != (bar.left, bar.right)


def _overlap(place: Point, size: Point, box: Box) -> float:
    """How many square pixels of a box a card would hide."""
    across = min(place[0] + size[0], box.x + box.w) - max(place[0], box.x)
    down = min(place[1] + size[1], box.y + box.h) - max(place[1], box.y)
    return max(across, 0.0) * max(down, 0.0)
