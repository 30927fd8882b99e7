"""The Gantt chart's scene: State to shapes, for the rows and the time in sight. It never changes anything.

From back to front: ground, what is not worked, links, float, bars, actuals, words, pins, and what a drag shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from engine.model import Clock, Dependency, TaskId
from engine.schedule.working_time import WorkingTime
from engine.session.state import State
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Box, Dash, Label, Line, Polygon, Shape, bar_radius
from gui.gantt import links
from gui.gantt.bars import BOTTOM_PX, MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.drag import Drag, card_shapes, drag_shapes, ghost_shapes
from gui.theme import METRICS

_DAY = 86_400
_SHADE_PX = 3.0
_NIGHT_PX = 96.0
_TEXT_GAP_PX = 5.0
_BESIDE_GAP_PX = 9.0
_SHORT_PX = 24.0
_LEAST_LETTERS = 3
_FAR_PX = 60.0
_BRACKET_PX = 3.5
DOT_PX = 8.0
DOT_GAP_PX = 7.0
HALF_PX = METRICS.bar_px / 2


@dataclass(frozen=True)
class Extras:
    """What a scene shows besides the plan. `actuals` are (start, end) ticks of the latest run by task.

    `now` is the present instant on a calendar plan; `working_time` is None where every instant is worked. `preview` is
    a state of the same tasks that is offered: what would move shows as ghosts.
    """

    height_px: float
    text_width: TextWidth
    working_time: WorkingTime | None = None
    actuals: Mapping[TaskId, tuple[int, int]] = field(default_factory=dict)
    selection: frozenset[TaskId] = frozenset()
    link: Dependency | None = None
    pin: TaskId | None = None
    hover: TaskId | None = None
    failed: frozenset[TaskId] = frozenset()
    now: int | None = None
    is_focused: bool = False
    drag: Drag | None = None
    preview: State | None = None


def scene(layout: Layout, extras: Extras) -> list[Shape]:
    """Everything under the time axis."""
    first, last = layout.seen(extras.height_px)
    bars = [layout.bar(row) for row in range(first, last + 1)]
    labels = {bar.row: label for bar in bars if (label := _label(layout, bar, extras.text_width))}
    beside = frozenset(row for row, label in labels.items() if label.color == "text")
    shapes = _ground(layout, extras, first, last)
    shapes += _shading(layout, extras)
    for found in links.routes(layout, first, last, beside):
        shapes += _link(found, found.link.dependency is not None and found.link.dependency == extras.link)
    for bar in bars:
        shapes += _thread(layout, bar, labels.get(bar.row))
        shapes += _bar(layout, bar, extras)
    shapes += labels.values()
    shapes += _pins(layout, bars, extras)
    shapes += _dots(bars, extras)
    if extras.now is not None and layout.state.plan.clock is Clock.CALENDAR:
        x = layout.scale.x(extras.now)
        shapes.append(Line(((x, 0.0), (x, extras.height_px)), "critical"))
    if extras.preview is not None and extras.drag is None:
        shapes += ghost_shapes(layout, extras.preview, bars)
    if extras.drag is not None:
        shapes += drag_shapes(layout, extras.drag, bars)
        shapes += card_shapes(layout, extras.drag, bars, extras.height_px, extras.text_width)
    return shapes


def bar_color(bar: Bar) -> str:
    """The token of a bar: by its operation on a device plan, the accent on a calendar plan."""
    if bar.kind is BarKind.SUMMARY:
        return "summary"
    operation = bar.task.operation
    return "accent" if operation is None else operation.kind.engine


def _ground(layout: Layout, extras: Extras, first: int, last: int) -> list[Shape]:
    width = layout.scale.width_px
    shapes: list[Shape] = []
    for row in range(first, last + 1):
        y = layout.y(row)
        is_selected = layout.rows.tasks[row].id in extras.selection
        if is_selected or row % 2:
            shapes.append(Box(0, y, width, METRICS.row_px, "selection" if is_selected else "stripe"))
        edge = "accent:60" if is_selected and extras.is_focused else "line"
        if edge != "line":
            shapes.append(Line(((0, y - 0.5), (width, y - 0.5)), edge))
        shapes.append(Line(((0, y + METRICS.row_px - 0.5), (width, y + METRICS.row_px - 0.5)), edge))
    bottom = layout.y(last + 1) if last >= first else 0.0
    is_calendar = layout.state.plan.clock is Clock.CALENDAR
    upper, _ = layout.scale.tiers(is_calendar)
    shapes += [Line(((layout.scale.x(tick), 0), (layout.scale.x(tick), bottom)), "line:70") for tick, _ in upper]
    return shapes


def _shading(layout: Layout, extras: Extras) -> list[Shape]:
    """What is not worked, where it is wide enough to be seen; nights only where a day has room for them."""
    scale, time = layout.scale, extras.working_time
    least = _SHADE_PX * scale.ticks_per_px
    if time is None or least > 7 * _DAY:
        return []
    if _DAY / scale.ticks_per_px < _NIGHT_PX:
        least = max(least, _DAY)
    first, last = scale.origin_ticks - 7 * _DAY, scale.end_ticks + 7 * _DAY
    starts, ends = time.intervals(first, last)
    gap_starts, gap_ends = np.append(first, ends), np.append(starts, last)
    wide = np.flatnonzero(gap_ends - gap_starts >= least)
    shapes: list[Shape] = []
    for start, end in zip(gap_starts[wide].tolist(), gap_ends[wide].tolist(), strict=True):
        left, right = max(scale.x(start), 0.0), min(scale.x(end), scale.width_px)
        if right > left:
            shapes.append(Box(left, 0, right - left, extras.height_px, "muted:9"))
    return shapes


def _link(found: links.Route, is_selected: bool) -> list[Shape]:
    if found.link.dependency is None:
        return [Line(found.points, "link:45")]
    color, width = ("accent", 2.0) if is_selected else ("link", 1.0)
    (x, tip), before = found.points[-1], found.points[-2][1]
    back = -4.0 if before < tip else 4.0
    line = (*found.points[:-1], (x, tip + back))
    return [Line(line, color, width), Polygon(((x, tip), (x - 3, tip + back), (x + 3, tip + back)), color)]


def _bar(layout: Layout, bar: Bar, extras: Extras) -> list[Shape]:
    is_failed = bar.task.id in extras.failed
    outline = "critical" if is_failed or layout.state.schedule.is_critical[bar.plan_row] else ""
    color = bar_color(bar)
    shapes: list[Shape] = []
    if not _is_seen(layout, bar.left, bar.right):
        pass
    elif bar.kind is BarKind.SUMMARY:
        shapes += _bracket(layout, bar, "critical" if is_failed else color)
    elif bar.kind is BarKind.MILESTONE:
        shapes.append(diamond(bar.left, bar.y, "text" if color == "accent" else color, outline))
    else:
        look = Box(0, 0, 0, 0, color, outline, width=2.0 if is_failed else 1.0)
        shapes.append(box(layout, bar.left, bar.right, bar.y, look))
    return shapes + _actual(layout, bar, extras)


def _actual(layout: Layout, bar: Bar, extras: Extras) -> list[Shape]:
    """What happened, under what was planned."""
    actual = extras.actuals.get(bar.task.id)
    if actual is None or bar.kind is BarKind.SUMMARY:
        return []
    left, right = layout.scale.x(actual[0]), layout.scale.x(actual[1])
    if not _is_seen(layout, left, right):
        return []
    left, right = max(left, -_FAR_PX), min(max(right, left + 1), layout.scale.width_px + _FAR_PX)
    top = bar.y + METRICS.actual_top_px
    return [Box(left, top, right - left, METRICS.actual_px, f"{bar_color(bar)}:60")]


def _is_seen(layout: Layout, left: float, right: float) -> bool:
    return right >= -HALF_PX and left <= layout.scale.width_px + HALF_PX


def box(layout: Layout, left: float, right: float, y: float, look: Box) -> Box:
    """A bar with the look of another, cut where it would run far out of sight."""
    left, right = max(left, -_FAR_PX), min(right, layout.scale.width_px + _FAR_PX)
    size = (left, y + METRICS.bar_top_px, right - left, METRICS.bar_px)
    return Box(*size, look.fill, look.outline, bar_radius(right - left), look.dash, look.width)


def diamond(x: float, y: float, fill: str, outline: str) -> Polygon:
    """A milestone in the row whose upper edge is at y."""
    middle = y + MIDDLE_PX
    corners = ((x - HALF_PX, middle), (x, middle - HALF_PX), (x + HALF_PX, middle), (x, middle + HALF_PX))
    return Polygon(corners, fill, outline, 1.5)


def _bracket(layout: Layout, bar: Bar, color: str) -> list[Shape]:
    left, right = max(bar.left, -_FAR_PX), min(bar.right, layout.scale.width_px + _FAR_PX)
    top = bar.y + 9.0
    foot = min(5.0, (right - left) / 2)
    return [
        Box(left, top, right - left, _BRACKET_PX, color),
        Polygon(((left, top), (left + foot, top + 1), (left, top + 7.5)), color),
        Polygon(((right, top), (right - foot, top + 1), (right, top + 7.5)), color),
    ]


def _thread(layout: Layout, bar: Bar, label: Label | None) -> list[Shape]:
    """The float, dotted from the bar, or from the words beside it, to the late finish."""
    y, end = bar.y + MIDDLE_PX, _thread_end(layout, bar)
    start = max(bar.right, 0.0)
    if label is not None and bar.right < label.x < end:
        start = label.x + label.w + _TEXT_GAP_PX
    return [Line(((start, y), (end, y)), "muted", dash=Dash.DOTTED)] if end > start else []


def _thread_end(layout: Layout, bar: Bar) -> float:
    """Where the dotted float ends; the bar's own end where there is none."""
    schedule = layout.state.schedule
    if bar.kind is BarKind.SUMMARY or schedule.total_float[bar.plan_row] <= 0:
        return bar.right
    return min(layout.scale.x(int(schedule.late_finish[bar.plan_row])), layout.scale.width_px + _FAR_PX)


def _label(layout: Layout, bar: Bar, text_width: TextWidth) -> Label | None:
    """The name inside the bar where it fits, else to its right, else to its left, else as much of it as there is room.

    It interrupts a float longer than itself, and follows a shorter one.
    """
    width = layout.scale.width_px
    if bar.kind is BarKind.SUMMARY or bar.right < 0 or bar.left > width:
        return None
    name = bar.task.name
    inside = text_width(name, METRICS.bar_text_px, False)
    left, right = max(bar.left, 0.0), min(bar.right, width)
    if bar.kind is BarKind.LEAF and inside + 2 * _TEXT_GAP_PX <= right - left:
        return _words(bar, left + _TEXT_GAP_PX, inside, "on_bar")
    beside = text_width(name, METRICS.label_px, False)
    half = HALF_PX if bar.kind is BarKind.MILESTONE else 0.0
    thread_end = _thread_end(layout, bar)
    after = bar.right if thread_end - bar.right > _SHORT_PX + beside else thread_end
    x = max(after, bar.right + half) + _BESIDE_GAP_PX
    if x + beside <= width:
        return _words(bar, x, beside, "text")
    left_x = bar.left - half - _BESIDE_GAP_PX - beside
    return _words(bar, left_x, beside, "muted") if left_x >= 0 else _cut(bar, (left, right), (x, width), text_width)


def _cut(bar: Bar, inside: tuple[float, float], beside: tuple[float, float], text_width: TextWidth) -> Label | None:
    """As many letters of the name as fit the larger room, inside the bar or to its right; nothing where that is few."""
    within = inside[1] - inside[0] - 2 * _TEXT_GAP_PX if bar.kind is BarKind.LEAF else 0.0
    room, is_within = max((within, True), (beside[1] - beside[0], False))
    px = METRICS.bar_text_px if is_within else METRICS.label_px
    for length in range(len(bar.task.name) - 1, _LEAST_LETTERS - 1, -1):
        text = f"{bar.task.name[:length].rstrip()}…"
        if (needed := text_width(text, px, False)) <= room:
            x, color = (inside[0] + _TEXT_GAP_PX, "on_bar") if is_within else (beside[0], "text")
            return replace(_words(bar, x, needed, color), text=text)
    return None


def _words(bar: Bar, x: float, width: float, color: str) -> Label:
    px = METRICS.bar_text_px if color == "on_bar" else METRICS.label_px
    return Label(x, bar.y + METRICS.bar_top_px, width, bar.task.name, color, px=px, h=METRICS.bar_px)


def _pins(layout: Layout, bars: list[Bar], extras: Extras) -> list[Shape]:
    """A pin before the instant that a start is held to; muted where something else holds the start later."""
    shapes: list[Shape] = []
    for bar in bars:
        if bar.task.pin is None:
            continue
        x = layout.scale.x(bar.task.pin) - 3.0
        is_holding = bar.task.pin >= int(layout.state.schedule.start[bar.plan_row])
        color = "critical" if bar.task.id == extras.pin else "accent" if is_holding else "muted"
        shapes.append(Line(((x, bar.y + 2), (x, bar.y + BOTTOM_PX)), color, 1.0))
        shapes.append(Box(x - 2.5, bar.y + 1, 5, 5, color, radius=2.5))
    return shapes


def _dots(bars: list[Bar], extras: Extras) -> list[Shape]:
    """The dots that links are drawn from, at the ends of the bar under the mouse."""
    shapes: list[Shape] = []
    for bar in bars:
        if bar.task.id == extras.hover:
            for x in (bar.left - DOT_GAP_PX - DOT_PX / 2, bar.right + DOT_GAP_PX + DOT_PX / 2):
                top = bar.y + MIDDLE_PX - DOT_PX / 2
                shapes.append(Box(x - DOT_PX / 2, top, DOT_PX, DOT_PX, "panel", "accent", DOT_PX / 2, width=1.5))
    return shapes
