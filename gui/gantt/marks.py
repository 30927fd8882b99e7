"""Marks: pins of what a person asked of a date, deadlines, and the lines of today and of the status date.

They never judge a plan: what is broken is read off the schedule.
"""

from __future__ import annotations

from engine.model import Clock, ConstraintKind, Task
from gui.canvas.shapes import Box, Dash, Label, Line, Point, Polygon, Shape
from gui.gantt.bars import BOTTOM_PX, Bar, Layout
from gui.gantt.extras import Extras
from gui.theme import METRICS

_PIN_OUT_PX = 3.0
_HEAD_PX = 5.0
_FLAG_PX = 6.0
_REACH_PX = 5.0
_HEAD_REACH_PX = 8.0
_ARROW_PX = 4.0
_CAP_PX = 4.0
_BANG_PX = 7.0
_MISSED_PX = 4 * _ARROW_PX + _BANG_PX

_STARTS = frozenset(
    {ConstraintKind.START_NO_EARLIER_THAN, ConstraintKind.START_NO_LATER_THAN, ConstraintKind.MUST_START_ON}
)
_EARLIEST = frozenset({ConstraintKind.START_NO_EARLIER_THAN, ConstraintKind.FINISH_NO_EARLIER_THAN})
_LATEST = frozenset({ConstraintKind.START_NO_LATER_THAN, ConstraintKind.FINISH_NO_LATER_THAN})


def pin_shapes(layout: Layout, bar: Bar, extras: Extras) -> list[Shape]:
    """A pin at the date that a task is held to: before it for a start, after it for a finish.

    Its head says the side that is shut: a ball for no earlier, a flag back for no later, a square for exactly then;
    filled for a start, hollow for a finish. Muted where something else decides, in red with "!" where it is broken.
    """
    task = bar.task
    if task.constraint is ConstraintKind.AS_LATE_AS_POSSIBLE:
        return _late(layout, bar)
    x = pin_x(layout, task)
    if x is None or not -METRICS.row_px <= x <= layout.scale.width_px + METRICS.row_px:
        return []
    breaks = is_broken(layout, bar)
    is_loud = breaks or task.id == extras.pin
    color = "critical" if is_loud else "accent" if _is_holding(layout, bar) else "muted"
    shapes: list[Shape] = [Line(((x, bar.y + 2), (x, bar.y + BOTTOM_PX)), color, 1.0), _head(task, x, bar.y, color)]
    if breaks:
        shapes.append(_bang(x + _HEAD_PX, bar.y))
    return shapes


def pin_x(layout: Layout, task: Task) -> float | None:
    """Where the pin of a task stands; None for a task without a date to hold to."""
    if not task.constraint.has_date:
        return None
    return layout.scale.x(task.constraint_at) + (-_PIN_OUT_PX if task.constraint in _STARTS else _PIN_OUT_PX)


def is_pin_at(layout: Layout, bar: Bar, at: Point) -> bool:
    """Whether the head of a bar's pin lies under a place."""
    x = pin_x(layout, bar.task)
    return x is not None and 0 <= at[1] - bar.y < _HEAD_REACH_PX and abs(x - at[0]) <= _REACH_PX


def is_deadline_at(layout: Layout, bar: Bar, at: Point) -> bool:
    """Whether the arrow of a bar's deadline lies under a place."""
    deadline = bar.task.deadline
    return deadline is not None and bar.y <= at[1] < bar.y + METRICS.row_px and _is_near(layout, deadline, at)


def deadline_shapes(layout: Layout, bar: Bar) -> list[Shape]:
    """An arrow down to the deadline; in red with "!" where the task finishes later."""
    deadline = bar.task.deadline
    if deadline is None or not bar.task.is_active:
        return []
    x = layout.scale.x(deadline)
    if not -METRICS.row_px <= x <= layout.scale.width_px + METRICS.row_px:
        return []
    is_missed = _is_missed(layout, bar)
    color = "critical" if is_missed else "good"
    top, tip = bar.y + 2, bar.y + BOTTOM_PX
    head = ((x - _ARROW_PX, tip - 6), (x + _ARROW_PX, tip - 6), (x, tip))
    shapes: list[Shape] = [Line(((x, top), (x, tip - 6)), color, 2.0), Polygon(head, color)]
    if is_missed:
        # It stands on the bar itself: on a ground of its own it can be read.
        box = (x - 2 * _ARROW_PX, bar.y, _MISSED_PX, BOTTOM_PX + 1)
        shapes.insert(0, Box(*box, "panel", color, METRICS.radius_px))
        shapes.append(_bang(x + _ARROW_PX, bar.y))
    return shapes


def deadline_room(layout: Layout, bar: Bar) -> tuple[float, float] | None:
    """From pixel to pixel: what the arrow of a deadline covers; None without one."""
    deadline = bar.task.deadline
    if deadline is None or not bar.task.is_active:
        return None
    x = layout.scale.x(deadline)
    if _is_missed(layout, bar):
        return x - 2 * _ARROW_PX, x - 2 * _ARROW_PX + _MISSED_PX
    return x - _ARROW_PX, x + _ARROW_PX


def instant_lines(layout: Layout, extras: Extras) -> list[Shape]:
    """Today as a line under a cap, and the status date, up to which progress is known, as a dashed one."""
    if layout.state.plan.clock is not Clock.CALENDAR:
        return []
    shapes: list[Shape] = []
    status, height = layout.state.plan.settings.status, extras.height_px
    if status is not None:
        x = layout.scale.x(status)
        if 0 <= x <= layout.scale.width_px:
            shapes.append(Line(((x, 0.0), (x, height)), "accent", 1.0, Dash.DASHED))
    if extras.now is not None:
        x = layout.scale.x(extras.now)
        if 0 <= x <= layout.scale.width_px:
            shapes.append(Line(((x, 0.0), (x, height)), "critical"))
            shapes.append(Polygon(((x - _CAP_PX, 0), (x + _CAP_PX, 0), (x, _CAP_PX + 1)), "critical"))
    return shapes


def _head(task: Task, x: float, y: float, color: str) -> Shape:
    is_start = task.constraint in _STARTS
    fill, outline = (color, "") if is_start else ("panel", color)
    if task.constraint in _LATEST:
        return Polygon(((x, y + 1), (x, y + 1 + _FLAG_PX), (x - _FLAG_PX, y + 1 + _FLAG_PX / 2)), fill, outline)
    radius = _HEAD_PX / 2 if task.constraint in _EARLIEST else 0.0
    return Box(x - _HEAD_PX / 2, y + 1, _HEAD_PX, _HEAD_PX, fill, outline, radius)


def _late(layout: Layout, bar: Bar) -> list[Shape]:
    """As late as possible: a flag forward before the start."""
    x = bar.left - _PIN_OUT_PX
    if not 0 <= x <= layout.scale.width_px:
        return []
    flag = ((x - _FLAG_PX, bar.y + 1), (x, bar.y + 1 + _FLAG_PX / 2), (x - _FLAG_PX, bar.y + 1 + _FLAG_PX))
    return [Polygon(flag, "accent")]


def _is_holding(layout: Layout, bar: Bar) -> bool:
    """Whether nothing but the pin decides: the date is the one that was asked."""
    ours, at = _date(layout, bar), bar.task.constraint_at
    return at >= ours if bar.task.constraint in _EARLIEST else at <= ours


def is_broken(layout: Layout, bar: Bar) -> bool:
    """Whether the date of a task is not the one that its constraint asks for."""
    ours, at, kind = _date(layout, bar), bar.task.constraint_at, bar.task.constraint
    if not bar.task.is_active or kind in _EARLIEST:
        return False
    if kind in _LATEST:
        return ours > at
    time = layout.state.schedule.working_time_of(bar.task.id)
    return ours != at and bool(time.between(*sorted((ours, at))))


def _is_missed(layout: Layout, bar: Bar) -> bool:
    return bar.task.deadline is not None and int(layout.state.schedule.finish[bar.plan_row]) > bar.task.deadline


def _date(layout: Layout, bar: Bar) -> int:
    dates = layout.state.schedule
    return int((dates.start if bar.task.constraint in _STARTS else dates.finish)[bar.plan_row])


def _bang(x: float, y: float) -> Label:
    return Label(x + 1, y, _BANG_PX, "!", "alarm", is_bold=True, px=METRICS.label_px, h=METRICS.bar_px)


def _is_near(layout: Layout, instant: int, at: Point) -> bool:
    return abs(layout.scale.x(instant) - at[0]) <= _REACH_PX
