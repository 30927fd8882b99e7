"""Bar shapes: how bars look: what was done, how critical, promised, paused, typed by hand or taken out.

They never say where a bar stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from engine.model import Task
from engine.model.baseline import BaselineTask
from gui.canvas.shapes import Box, Dash, Line, Polygon, Shape, bar_radius
from gui.gantt.bars import MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.coloring import ColorBy, bar_color
from gui.gantt.extras import Extras
from gui.gantt.work import done_at
from gui.theme import METRICS, needs_edge

HALF_PX = METRICS.bar_px / 2
FAR_PX = 60.0
_BRACKET_PX = 3.5
_BRACKET_TOP_PX = 9.0
_DONE_TOP_PX = 8.0
_DONE_PX = 3.0
_RING_PX = 3.5


def bar_shapes(layout: Layout, bar: Bar, extras: Extras) -> list[Shape]:
    """A bar, what was promised and what happened under it."""
    shapes = _baseline(layout, bar, extras)
    if is_seen(layout, bar.left, bar.right):
        shapes += planned_shapes(layout, bar, extras)
    return shapes + _actual(layout, bar, extras)


def is_seen(layout: Layout, left: float, right: float) -> bool:
    """Whether what runs from `left` to `right` stands in sight."""
    return right >= -HALF_PX and left <= layout.scale.width_px + HALF_PX


def cut(layout: Layout, left: float, right: float) -> tuple[float, float]:
    """Both edges, no farther out of sight than needs be: a coordinate of millions is drawn wrongly."""
    return max(left, -FAR_PX), min(right, layout.scale.width_px + FAR_PX)


def diamond(x: float, y: float, fill: str, outline: str, half: float = HALF_PX) -> Polygon:
    """A milestone in the row whose upper edge is at y."""
    middle = y + MIDDLE_PX
    corners = ((x - half, middle), (x, middle - half), (x + half, middle), (x, middle + half))
    return Polygon(corners, fill, outline, 1.5)


def pieces(layout: Layout, bar: Bar) -> tuple[tuple[float, float], ...]:
    """From pixel to pixel: the pieces of a bar that pauses, or the whole of another."""
    whole = ((bar.left, bar.right),)
    if bar.kind is not BarKind.LEAF or (not bar.task.splits and bar.task.progress is None):
        return whole
    found = layout.state.schedule.segments_of(bar.task.id)
    return tuple((layout.scale.x(start), layout.scale.x(end)) for start, end in found) or whole


def fill_of(layout: Layout, bar: Bar, extras: Extras) -> str:
    """The fill of a bar, lighter where a path of chosen tasks is shown that it does not decide."""
    color = bar_color(layout.state, bar, extras.color_by, extras.shares)
    return color if extras.paths is None else extras.paths.fill(bar, color)


def planned_shapes(layout: Layout, bar: Bar, extras: Extras) -> list[Shape]:
    """A bar as it is planned, with its frame and what of it is done."""
    color = fill_of(layout, bar, extras)
    if bar.kind is BarKind.SUMMARY:
        return _bracket(layout, bar, "critical" if bar.task.id in extras.failed else color)
    frame = _frame(layout, bar, extras)
    if bar.kind is BarKind.MILESTONE:
        return _milestone(bar, color, frame)
    parts = [cut(layout, *piece) for piece in pieces(layout, bar) if is_seen(layout, *piece)]
    shapes = [part for left, right in parts for part in _piece(bar, left, right, color, frame)]
    if bar.task.id in extras.selection and needs_edge(color):
        top = bar.y + METRICS.bar_top_px
        shapes += [Box(a, top, b - a, METRICS.bar_px, "", "muted", bar_radius(b - a)) for a, b in parts]
    if extras.color_by is ColorBy.CHANCE:  # a scale of pale colors looks the same on every ground
        shapes[:0] = [
            Box(a, bar.y + METRICS.bar_top_px, b - a, METRICS.bar_px, "panel", "", bar_radius(b - a)) for a, b in parts
        ]
    return [*_pauses(layout, bar, color), *shapes, *_done(layout, bar, color), *_struck(bar, parts)]


def _frame(layout: Layout, bar: Bar, extras: Extras) -> tuple[str, Dash, float]:
    """Color, run and width of what frames a bar: nothing, most often."""
    if bar.task.id in extras.failed:
        return "critical", Dash.SOLID, 2.0
    if not bar.task.is_active:
        return "", Dash.SOLID, 1.0
    dates = layout.state.schedule
    if dates.is_critical[bar.plan_row]:
        return "critical", Dash.SOLID, 1.0
    return "warning" if dates.is_near_critical[bar.plan_row] else "", Dash.DASHED, 1.0


def _milestone(bar: Bar, color: str, frame: tuple[str, Dash, float]) -> list[Shape]:
    """A diamond; a critical one stands in a ring of the same form, a nearly critical one in half of it."""
    outline, dash, width = frame
    hue, _, is_light = color.partition(":")
    fill = color.replace("accent", "text")
    shapes: list[Shape] = [diamond(bar.left, bar.y, fill, hue.replace("accent", "text") if is_light else "")]
    if not bar.task.is_active:
        return [diamond(bar.left, bar.y, "", "muted"), _strike(bar.left - HALF_PX, bar.left + HALF_PX, bar.y)]
    ring = diamond(bar.left, bar.y, "", outline, HALF_PX + _RING_PX)
    if outline and dash is Dash.SOLID:
        shapes.append(Polygon(ring.points, "", outline, max(width, 1.0)))
    elif outline:
        shapes.append(Line((ring.points[0], ring.points[1], ring.points[2]), outline))
    return shapes


def _piece(bar: Bar, left: float, right: float, color: str, frame: tuple[str, Dash, float]) -> list[Shape]:
    """A bar from pixel to pixel, and its frame around it with a gap between: a cue besides the frame's color."""
    outline, dash, width = frame
    size = (left, bar.y + METRICS.bar_top_px, right - left, METRICS.bar_px)
    radius = bar_radius(right - left)
    hue, _, is_light = color.partition(":")
    if not bar.task.is_active:
        shapes: list[Shape] = [Box(*size, "idle:15", "muted", radius)]
    elif is_by_hand(bar.task):
        shapes = [Box(*size, f"{hue}:25", hue, radius, Dash.DASHED)]
    else:
        shapes = [Box(*size, color, hue if is_light else "", radius)]
    if outline:
        out = METRICS.frame_px
        around = (left - out, bar.y + METRICS.bar_top_px - out, right - left + 2 * out, METRICS.bar_px + 2 * out)
        shapes.append(Box(*around, "", outline, METRICS.radius_px + out, dash, width))
    return shapes


def is_by_hand(task: Task) -> bool:
    """Whether somebody typed when a task happens."""
    return task.is_manual and (task.manual_start is not None or task.manual_finish is not None)


def _pauses(layout: Layout, bar: Bar, color: str) -> list[Shape]:
    """The dotted line from piece to piece."""
    found = pieces(layout, bar)
    y = bar.y + MIDDLE_PX
    gaps = [cut(layout, one[1], other[0]) for one, other in pairwise(found)]
    return [Line(((left, y), (right, y)), color, dash=Dash.DOTTED) for left, right in gaps if right > left]


def _done(layout: Layout, bar: Bar, color: str) -> list[Shape]:
    """The part that is done, as a dark strip along the bar up to where so much of it is worked."""
    if bar.task.progress is None or not bar.task.is_active:
        return []
    done_x = layout.scale.x(done_at(layout.state, bar.task.id))
    token = "text" if is_by_hand(bar.task) or ":" in color else "done"
    shapes: list[Shape] = []
    for left, right in pieces(layout, bar):
        start, end = cut(layout, left, min(right, done_x))
        if end > start:
            top = bar.y + METRICS.bar_top_px + _DONE_TOP_PX
            shapes.append(Box(start, top, end - start, _DONE_PX, token))
    return shapes


def _struck(bar: Bar, parts: Iterable[tuple[float, float]]) -> list[Shape]:
    return [] if bar.task.is_active else [_strike(left, right, bar.y) for left, right in parts]


def _strike(left: float, right: float, y: float) -> Line:
    return Line(((left - 3, y + MIDDLE_PX), (right + 3, y + MIDDLE_PX)), "muted")


def _bracket(layout: Layout, bar: Bar, color: str) -> list[Shape]:
    """A bracket over what a summary holds; what is done of that fills it from the left, the rest is thin."""
    left, right = cut(layout, bar.left, bar.right)
    top = bar.y + _BRACKET_TOP_PX
    foot = min(5.0, (right - left) / 2)
    done = _done_share(layout, bar)
    color = color if bar.task.is_active else "muted"
    shapes: list[Shape] = [
        Box(left, top, right - left, _BRACKET_PX, color),
        Polygon(((left, top), (left + foot, top + 1), (left, top + 7.5)), color),
        Polygon(((right, top), (right - foot, top + 1), (right, top + 7.5)), color),
    ]
    start, end = cut(layout, bar.left, bar.left + (bar.right - bar.left) * done)
    if done and end > start:
        shapes.append(Box(start, top - _DONE_PX - 1, end - start, _DONE_PX, color))
    return shapes


def _done_share(layout: Layout, bar: Bar) -> float:
    return layout.state.schedule.done.percent(bar.task.id) / 100


def _baseline(layout: Layout, bar: Bar, extras: Extras) -> list[Shape]:
    """When a task was promised, as an outline under its bar; a milestone's promise as a hollow diamond behind it."""
    promise = _promise(layout, bar, extras)
    if promise is None:
        return []
    left, right = layout.scale.x(promise.start), layout.scale.x(promise.finish)
    if not is_seen(layout, left, right):
        return []
    if bar.kind is BarKind.MILESTONE:
        return [diamond(left, bar.y, "", "muted")]
    left, right = cut(layout, left, max(right, left + 2))
    return [Box(left, bar.y + METRICS.actual_top_px, right - left, METRICS.actual_px, "baseline", "muted")]


def _promise(layout: Layout, bar: Bar, extras: Extras) -> BaselineTask | None:
    if extras.baseline is None:
        return None
    return layout.state.plan.promises.get(extras.baseline, {}).get(bar.task.id)


def _actual(layout: Layout, bar: Bar, extras: Extras) -> list[Shape]:
    """What happened, under what was planned."""
    actual = extras.actuals.get(bar.task.id)
    if actual is None or bar.kind is BarKind.SUMMARY:
        return []
    left, right = layout.scale.x(actual[0]), layout.scale.x(actual[1])
    if not is_seen(layout, left, right):
        return []
    left, right = cut(layout, left, max(right, left + 1))
    color = bar_color(layout.state, bar, extras.color_by, extras.shares).partition(":")[0]
    return [Box(left, bar.y + METRICS.actual_top_px, right - left, METRICS.actual_px, f"{color}:60")]
