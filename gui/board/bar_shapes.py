"""Bars of the board: their color, pieces, what is done of them, and as much of their names as fits. They never move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.model import Plan, Task
from gui.board.layout import BAR_PX, BoardBar, BoardLayout
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Box, Dash, Label, Line, Polygon, Shape, bar_radius
from gui.gantt.bars import Bar, BarKind
from gui.gantt.coloring import ColorBy, bar_color
from gui.gantt.shares import Shares, share_text
from gui.gantt.work import pieces
from gui.plan_words import full_name
from gui.theme import METRICS, needs_edge, words_on

TEXT_GAP_PX = 5.0
_LEAST_LETTERS = 3
LEAST_ROOM_PX = _LEAST_LETTERS * METRICS.bar_text_px / 2
FAR_PX = 60.0
APART_PX = 4.0
DONE_PX = 2.0


@dataclass(frozen=True, slots=True)
class Look:
    """How a bar looks beside what it is: what its color stands for, and whether it is chosen.

    `shares` say how critical tasks are.
    """

    color_by: ColorBy = ColorBy.KIND
    is_chosen: bool = False
    is_focused: bool = False
    shares: Shares | None = None


def bar_shapes(layout: BoardLayout, bar: BoardBar, look: Look, text_width: TextWidth) -> list[Shape]:
    """A bar in as many pieces as it has, or a milestone's diamond."""
    task, state = bar.slot.task, layout.state
    kind = BarKind.MILESTONE if task.is_milestone else BarKind.LEAF
    as_in_chart = Bar(task, bar.row, bar.slot.plan_row, kind, bar.left, bar.right, bar.top)
    outline = "critical" if state.schedule.is_critical[bar.slot.plan_row] else ""
    fill = bar_color(state, as_in_chart, look.color_by, look.shares)
    hue, _, is_light = fill.partition(":")
    if task.is_milestone:
        middle, center = bar.top + BAR_PX / 2, (bar.left + bar.right) / 2
        corners = ((bar.left, middle), (center, middle - 6), (bar.right, middle), (center, middle + 6))
        return [Polygon(corners, "accent" if look.is_chosen else "text", outline, 1.5)]
    shapes: list[Shape] = []
    if look.is_chosen:
        left, right = _seen(layout, bar.left, bar.right)
        frame = (left - 2, bar.top - 2, right - left + 4, BAR_PX + 4)
        shapes.append(Box(*frame, "accent:30", "text" if look.is_focused else "accent", METRICS.radius_px + 2))
    parts = _parts(layout, bar)
    if len(parts) > 1:
        middle, (left, right) = bar.top + BAR_PX / 2, _seen(layout, bar.left, bar.right)
        shapes.append(Line(((left, middle), (right, middle)), fill, dash=Dash.DOTTED))
    for part in parts:
        left, right = _seen(layout, *part)
        # A bar that begins where another ends stands apart from it.
        right -= 1.0 if right - left > APART_PX else 0.0
        if right > left:
            edge = outline or (hue if is_light else "muted" if look.is_chosen and needs_edge(fill) else "")
            if is_light:
                shapes.append(Box(left, bar.top, right - left, BAR_PX, "panel", "", bar_radius(right - left)))
            shapes.append(Box(left, bar.top, right - left, BAR_PX, fill, edge, bar_radius(right - left)))
    shapes += _done(layout, bar, parts, "text" if is_light else "done")
    share = None if look.shares is None else look.shares.of(as_in_chart)
    if text := _name(layout, bar, parts[0], text_width, "" if share is None else share_text(share.value)):
        x = max(parts[0][0], 0.0) + TEXT_GAP_PX
        room = min(parts[0][1], layout.scale.width_px) - x
        shapes.append(
            Label(x, bar.top, room, text, "text" if is_light else words_on(fill), px=METRICS.bar_text_px, h=BAR_PX)
        )
    return shapes


def cut(text: str, room: float, px: int, text_width: TextWidth) -> str:
    """As much of a text as there is room for; nothing where that is only a few letters."""
    if text_width(text, px, False) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(_begin(text, middle), px, False) <= room:
            low = middle
        else:
            high = middle - 1
    return _begin(text, low) if low >= _LEAST_LETTERS else ""


@lru_cache(maxsize=16_384)
def _begin(text: str, letters: int) -> str:
    return f"{text[:letters].rstrip()}…"


def _parts(layout: BoardLayout, bar: BoardBar) -> list[tuple[float, float]]:
    """The edges of the pieces of a bar, one where the task does not pause."""
    if not bar.slot.task.splits:
        return [(bar.left, bar.right)]
    scale = layout.scale
    return [(scale.x(start), scale.x(finish)) for start, finish in pieces(layout.state, bar.slot.task.id)]


def _done(layout: BoardLayout, bar: BoardBar, parts: list[tuple[float, float]], color: str) -> list[Shape]:
    """The part that is done, as a dark strip along the foot of the bar."""
    progress = bar.slot.task.progress
    if progress is None:
        return []
    share = 1.0 if progress.actual_finish is not None else progress.percent / 100
    left_over = sum(right - left for left, right in parts) * share
    shapes: list[Shape] = []
    for start, finish in parts:
        wide = min(finish - start, left_over)
        left_over -= wide
        left, right = _seen(layout, start, start + wide)
        if right > left:
            shapes.append(Box(left, bar.top + BAR_PX - DONE_PX - 1, right - left, DONE_PX, color))
    return shapes


def _name(
    layout: BoardLayout, bar: BoardBar, part: tuple[float, float], text_width: TextWidth, figure: str = ""
) -> str:
    """What is said in the part of the first piece in sight."""
    room = min(part[1], layout.scale.width_px) - max(part[0], 0.0) - 2 * TEXT_GAP_PX
    if room < LEAST_ROOM_PX:
        return ""
    return fitting(layout.state.plan, bar.slot.task, room, text_width, figure)


def fitting(plan: Plan, task: Task, room: float, text_width: TextWidth, figure: str = "") -> str:
    """A task and its summary where both fit a room, else the task, or what fits of it. A figure goes before them."""
    px = METRICS.bar_text_px
    before = f"{figure} " if figure else ""
    long = before + full_name(plan, task.id, " · ")
    return long if text_width(long, px, False) <= room else cut(before + task.name, room, px, text_width)


def _seen(layout: BoardLayout, left: float, right: float) -> tuple[float, float]:
    """Edges no farther out of sight than need be."""
    return max(left, -FAR_PX), min(right, layout.scale.width_px + FAR_PX)
