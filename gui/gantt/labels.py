"""Labels: where the name of each bar stands, clear of its deadline, and the dotted float that it must not hide.

They never cut a letter, and stay with their bar however long its float is.
"""

from __future__ import annotations

from gui.canvas.shapes import Dash, Label, Line, Shape
from gui.gantt.bar_shapes import FAR_PX, HALF_PX, fill_of, is_by_hand, is_seen, pieces
from gui.gantt.bars import BOTTOM_PX, MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.extras import Extras
from gui.gantt.handles import DOT_GAP_PX, DOT_PX
from gui.gantt.marks import deadline_room
from gui.theme import METRICS, words_on

_TEXT_GAP_PX = 5.0
BESIDE_GAP_PX = DOT_GAP_PX + DOT_PX + 1.0
_FOOT_PX = BOTTOM_PX + 0.5
# With less than this behind the name its float is drawn below it.
_LEAST_THREAD_PX = 8.0
_LEAST_LETTERS = 3
# So much higher than the middle stand words over the strip of what is done.
_LIFT_PX = 1.5


def label_of(layout: Layout, bar: Bar, extras: Extras) -> Label | None:
    """The name inside the bar where it fits, else to its right, else to its left, else as much of it as there is room.

    Where an arrow of a deadline stands there, the name stands behind the arrow.
    """
    width, text_width = layout.scale.width_px, extras.text_width
    if bar.kind is BarKind.SUMMARY or bar.right < 0 or bar.left > width:
        return None
    name, arrow = bar.task.name, deadline_room(layout, bar)
    inside = text_width(name, METRICS.bar_text_px, False)
    left, right = _room(layout, bar)
    x = _after(arrow, left + _TEXT_GAP_PX, inside)
    if bar.kind is BarKind.LEAF and x + inside + _TEXT_GAP_PX <= right:
        return _within(layout, bar, extras, (x, inside))
    beside = text_width(name, METRICS.label_px, False)
    half = HALF_PX if bar.kind is BarKind.MILESTONE else 0.0
    x = _after(arrow, bar.right + half + BESIDE_GAP_PX, beside)
    if x + beside <= width:
        return _beside(bar, x, beside, "text")
    left_x = _before(arrow, bar.left - half - BESIDE_GAP_PX - beside, beside)
    if left_x >= 0:
        return _beside(bar, left_x, beside, "muted")
    return _cut(layout, bar, extras, ((left, right), (x, width)))


def words_beside(layout: Layout, first_row: int, last_row: int) -> dict[int, tuple[float, float]]:
    """From pixel to pixel: the names that stand beside their bars, by row."""
    if layout.text_width is None:
        return {}
    extras = Extras(0.0, layout.text_width)
    bars = (layout.bar(row) for row in range(first_row, last_row + 1))
    named = (bar for bar in bars if bar.kind is not BarKind.HEADING)
    found = {bar.row: label for bar in named if (label := label_of(layout, bar, extras))}
    return {row: (label.x, label.x + label.w) for row, label in found.items() if not is_inside(label)}


def is_inside(label: Label) -> bool:
    """Whether words stand on their bar."""
    return label.px == METRICS.bar_text_px


def label_shapes(bar: Bar, label: Label) -> list[Shape]:
    """The words, struck through where the task is taken out of the plan."""
    if bar.task.is_active:
        return [label]
    middle = label.y + label.h / 2
    return [label._replace(color="muted"), Line(((label.x, middle), (label.x + label.w, middle)), "muted")]


def thread(layout: Layout, bar: Bar, label: Label | None) -> list[Shape]:
    """The float, dotted from the bar, or from the words beside it, to the late finish; below words it ends under."""
    y, start, end = bar.y + MIDDLE_PX, max(bar.right, 0.0), _thread_end(layout, bar)
    if label is not None and bar.right < label.x < end:
        behind = label.x + label.w + _TEXT_GAP_PX
        y, start = (y, behind) if end - behind >= _LEAST_THREAD_PX else (bar.y + _FOOT_PX, start)
    return [Line(((start, y), (end, y)), "muted", dash=Dash.DOTTED)] if end > start else []


def _after(arrow: tuple[float, float] | None, x: float, wide: float) -> float:
    """Where words start that would start at x: behind an arrow that they would lie under."""
    return x if arrow is None or arrow[1] <= x or x + wide <= arrow[0] else arrow[1] + _TEXT_GAP_PX


def _before(arrow: tuple[float, float] | None, x: float, wide: float) -> float:
    """The same for words before a bar: they end before the arrow."""
    return x if arrow is None or arrow[1] <= x or x + wide <= arrow[0] else arrow[0] - _TEXT_GAP_PX - wide


def _room(layout: Layout, bar: Bar) -> tuple[float, float]:
    """The first piece of a bar that stands in sight, as far as it does."""
    found = next((piece for piece in pieces(layout, bar) if is_seen(layout, *piece)), (bar.left, bar.right))
    return max(found[0], 0.0), min(found[1], layout.scale.width_px)


def _thread_end(layout: Layout, bar: Bar) -> float:
    """Where the dotted float ends; the bar's own end where there is none."""
    schedule = layout.state.schedule
    if bar.kind is BarKind.SUMMARY or not bar.task.is_active or schedule.total_float[bar.plan_row] <= 0:
        return bar.right
    return min(layout.scale.x(int(schedule.late_finish[bar.plan_row])), layout.scale.width_px + FAR_PX)


def _cut(
    layout: Layout, bar: Bar, extras: Extras, rooms: tuple[tuple[float, float], tuple[float, float]]
) -> Label | None:
    """As many letters of the name as fit the larger room, inside the bar or to its right; nothing where that is few."""
    inside, beside = rooms
    within = inside[1] - inside[0] - 2 * _TEXT_GAP_PX if bar.kind is BarKind.LEAF else 0.0
    room, is_within = max((within, True), (beside[1] - beside[0], False))
    px = METRICS.bar_text_px if is_within else METRICS.label_px
    for length in range(len(bar.task.name) - 1, _LEAST_LETTERS - 1, -1):
        text = f"{bar.task.name[:length].rstrip()}…"
        if (needed := extras.text_width(text, px, False)) <= room:
            place = (inside[0] + _TEXT_GAP_PX, needed)
            found = _within(layout, bar, extras, place) if is_within else _beside(bar, beside[0], needed, "text")
            return found._replace(text=text)
    return None


def _within(layout: Layout, bar: Bar, extras: Extras, place: tuple[float, float]) -> Label:
    """Words on the bar: on its fill, or on the ground that shows through one whose dates are typed."""
    fill = fill_of(layout, bar, extras)
    is_light = is_by_hand(bar.task) or not bar.task.is_active or ":" in fill
    color = "text" if is_light else words_on(fill)
    lift = 0.0 if bar.task.progress is None else _LIFT_PX
    top = bar.y + METRICS.bar_top_px - lift
    return Label(place[0], top, place[1], bar.task.name, color, px=METRICS.bar_text_px, h=METRICS.bar_px)


def _beside(bar: Bar, x: float, width: float, color: str) -> Label:
    top = bar.y + METRICS.bar_top_px
    return Label(x, top, width, bar.task.name, color, px=METRICS.label_px, h=METRICS.bar_px)
