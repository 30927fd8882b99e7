"""The board's scene: State to shapes, for the rows and the time in sight. It never changes anything.

From back to front: rows, what is not worked, who could do what is held, overloads, bars with their names, and what a
drag shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from engine.model import Clock, TaskId
from engine.schedule.leveling_load import ResourceLoad
from engine.schedule.working_time import WorkingTime
from engine.session.dropping import Drops
from engine.session.state import State
from gui.board.band import ShownBand, band_shapes
from gui.board.bar_shapes import Look, bar_shapes, cut
from gui.board.bars import bars_shapes
from gui.board.branches import BranchRows, branch_shapes
from gui.board.drag import BoardDrag, card, ghosts
from gui.board.drop_map import Words, legend_shapes, map_shapes
from gui.board.layout import BAR_PX, BoardLayout, Sight
from gui.board.offered import offered_shapes
from gui.board.rows import BoardRow, BoardRows, Instants
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Align, Box, Boxes, Label, Line, Shape
from gui.gantt.coloring import ColorBy
from gui.gantt.fans import Fans
from gui.gantt.fence import fence_shapes
from gui.gantt.finish_fan import finish_shapes
from gui.gantt.ground import rests
from gui.gantt.setups import setup_shapes
from gui.gantt.shares import Shares
from gui.theme import METRICS

_OVER_PX = 3.0
_VEIL_PERCENT = 65
PAD_PX = 12.0
_NAME_SHARE = 0.6


@dataclass(frozen=True)
class Extras:
    """What a scene shows besides the plan: what is chosen, who is overloaded when, what colors stand for, and a drag or
    a band in progress; `offered` are the rows of a better plan, `branches` other ones as rows, `drops` what is known of
    dropping the task that is held, and `drop_words` what that means; `fans` say how sure dates are, `shares` how
    critical tasks are where colors stand for that.
    """

    height_px: float
    text_width: TextWidth
    selection: frozenset[TaskId] = frozenset()
    loads: Mapping[int, ResourceLoad] = field(default_factory=dict)
    is_focused: bool = False
    color_by: ColorBy = ColorBy.KIND
    drag: BoardDrag | None = None
    band: ShownBand | None = None
    offered: BoardRows | None = None
    branches: tuple[BranchRows, ...] = ()
    drops: Drops | None = None
    drop_words: Words | None = None
    fans: Fans | None = None
    shares: Shares | None = None

    @property
    def still(self) -> tuple[object, ...]:
        """All that `still_scene` shows of it."""
        under = None if self.drag is None else (self.drag.wanted, self.drag.target, self.drops)
        offered = None if self.drag is not None else self.offered
        return self.height_px, self.loads, self.color_by, under, offered, self.branches, self.shares


@dataclass(frozen=True, slots=True)
class Lesson:
    """What an empty board says: a title, and the one action that fills it."""

    title: str
    hint: str


def scene(layout: BoardLayout, extras: Extras) -> list[Shape]:
    """Everything under the time axis."""
    return [*still_scene(layout, extras), *over_scene(layout, extras)]


def still_scene(layout: BoardLayout, extras: Extras) -> list[Shape]:
    """What stays as it is while the mouse does something, and none of it is chosen: the plan, as far as it is in sight,
    what lies under its bars while one is held, and what is offered.
    """
    shapes: list[Shape] = []
    for number in layout.seen(extras.height_px):
        row = layout.rows.rows[number]
        shapes += _ground(layout, row, number, extras)
        shapes += _shading(layout, row)
        shapes += _overloads(layout, row, extras.loads.get(row.id))
    shapes += fence_shapes(layout.state.plan, layout.scale, extras.height_px)
    if extras.drops is not None and extras.drag is not None:
        shapes += map_shapes(layout, extras.drops, extras.height_px)
    shapes += branch_shapes(layout, extras.branches, extras.height_px)
    sight = layout.sight(extras.height_px)
    shapes += _setups(layout, sight)
    shapes += bars_shapes(layout, sight, Look(extras.color_by, shares=extras.shares), extras.text_width)
    if extras.offered is not None and extras.drag is None:
        shapes += offered_shapes(layout, extras.offered, extras.height_px)
    return shapes


def over_scene(layout: BoardLayout, extras: Extras) -> list[Shape]:
    """What is drawn over it: what is chosen or held, and how sure the end is."""
    sight = layout.sight(extras.height_px)
    shapes = _chosen(layout, sight, extras)
    if extras.drag is not None:
        shapes += _veils(layout, extras.drag, layout.scale.width_px, extras.height_px)
    if extras.drops is not None and extras.drop_words is not None and extras.drag is not None:
        size = (layout.scale.width_px, extras.height_px)
        shapes += legend_shapes(extras.drops, extras.drop_words, size, extras.text_width)
    if extras.fans is not None:
        shapes += finish_shapes(layout.state.plan, extras.fans, layout.scale, extras.height_px, extras.text_width)
    if extras.drag is not None:
        shapes += ghosts(layout, extras.drag, sight)
        shapes += card(layout, extras.drag, extras.height_px, extras.text_width)
    if extras.band is not None:
        shapes += band_shapes(extras.band, (layout.scale.width_px, extras.height_px), extras.text_width)
    return shapes


def names_scene(layout: BoardLayout, extras: Extras, width: float, words: Mapping[int, tuple[str, str]]) -> list[Shape]:
    """The column of names beside the chart. `words` are a row's title and what is said of it, by resource id."""
    shapes: list[Shape] = [Box(0, 0, width, extras.height_px, "panel")]
    for number in layout.seen(extras.height_px):
        row = layout.rows.rows[number]
        y, bottom = layout.y(row), layout.y(row) + row.height
        if extras.drag is not None and row.id in extras.drag.wanted:
            shapes.append(Box(0, y, width, row.height, "good:22"))
        title, said = words.get(row.id, ("", ""))
        is_over = bool((load := extras.loads.get(row.id)) and load.overloads)
        high = float(METRICS.row_px)
        room = width - 2 * PAD_PX
        named = extras.text_width(title, METRICS.text_px, False)
        told = math.ceil(extras.text_width(said, METRICS.label_px, False)) + 1.0
        wide = min(told, max(room * (1 - _NAME_SHARE), room - named - PAD_PX))
        name = cut(title, room - wide - PAD_PX, METRICS.text_px, extras.text_width)
        shapes.append(Label(PAD_PX, y, room - wide, name, "text", h=high))
        color = "alarm" if is_over else "muted"
        text = cut(said, wide, METRICS.label_px, extras.text_width)
        shapes.append(Label(width - PAD_PX - wide, y, wide, text, color, Align.RIGHT, px=METRICS.label_px, h=high))
        shapes.append(Line(((0, bottom - 0.5), (width, bottom - 0.5)), "line"))
    if extras.drag is not None:
        shapes += _veils(layout, extras.drag, width, extras.height_px)
    return shapes


def _veils(layout: BoardLayout, drag: BoardDrag, width: float, height_px: float) -> list[Shape]:
    """What the plan names for the task that is held stands out: the other rows in sight are dimmed."""
    rows = ((number, layout.rows.rows[number]) for number in layout.seen(height_px))
    return [
        Box(0, layout.y(row), width, row.height - 1, f"panel:{_VEIL_PERCENT}")
        for number, row in rows
        if drag.is_dim(number, row.id) and row.id != drag.target
    ]


def lesson_shapes(width: float, height_px: float, lesson: Lesson) -> list[Shape]:
    """Two lines in the middle of an empty board."""
    middle = height_px / 2
    return [
        Label(0, middle - 24, width, lesson.title, "text", Align.CENTER, is_bold=True, px=METRICS.title_px),
        Label(0, middle, width, lesson.hint, "muted", Align.CENTER),
    ]


def _ground(layout: BoardLayout, row: BoardRow, number: int, extras: Extras) -> list[Shape]:
    y, width = layout.y(row), layout.scale.width_px
    shapes: list[Shape] = []
    if number % 2:
        shapes.append(Box(0, y, width, row.height, "stripe"))
    is_row = extras.drag is not None and (row.id in extras.drag.wanted or row.id == extras.drag.target)
    if extras.drag is not None and is_row:
        is_target = row.id == extras.drag.target
        shapes.append(Box(0, y, width, row.height, "good:30" if is_target else "good:12", "good" if is_target else ""))
    bottom = y + row.height - 0.5
    shapes.append(Line(((0, bottom), (width, bottom)), "line"))
    return shapes


def _shading(layout: BoardLayout, row: BoardRow) -> list[Shape]:
    """What the resource does not work, where it is wide enough to be seen; nights where a day has room for them."""
    time = working_time(layout.state, row)
    spans = () if time is None else rests(layout.scale, time)
    return [Boxes(spans, layout.y(row), row.height, "muted:12")] if spans else []


def working_time(state: State, row: BoardRow) -> WorkingTime | None:
    """When the resource of a row is there, None where every instant is worked."""
    plan = state.plan
    if plan.clock is Clock.DEVICE:
        return None
    calendar = None if row.resource is None else row.resource.calendar
    return WorkingTime.of(plan.calendar if calendar is None else plan.calendar_of[calendar], plan.calendar_of)


def _setups(layout: BoardLayout, sight: Sight) -> list[Shape]:
    """Before bars in the row of the machine that is set up for them."""
    if not layout.state.plan.changeovers:
        return []
    setups, ids = layout.state.schedule.setups, [row.id for row in layout.rows.rows]
    shapes: list[Shape] = []
    for task, row, top in zip(sight.tasks, sight.rows.tolist(), sight.top.tolist(), strict=True):
        setup = setups.get(task.id)
        if setup is not None and setup.resource == ids[row]:
            shapes += setup_shapes(layout.state, task.id, layout.scale, top, BAR_PX)
    return shapes


def _chosen(layout: BoardLayout, sight: Sight, extras: Extras) -> list[Shape]:
    """The bars that are chosen, with what frames them, over those beside them."""
    look = Look(extras.color_by, True, extras.is_focused, extras.shares)
    shapes: list[Shape] = []
    for at, task in enumerate(sight.tasks) if extras.selection else ():
        if task.id in extras.selection:
            bar = layout.bar(int(sight.rows[at]), int(sight.places[at]))
            shapes += bar_shapes(layout, bar, look, extras.text_width)
    return shapes


def _overloads(layout: BoardLayout, row: BoardRow, load: ResourceLoad | None) -> list[Shape]:
    """A band where the resource has more to do than it can, and a line below it: seen without its color too."""
    if load is None or not load.overloads:
        return []
    scale, (first, last) = layout.scale, _spans_of(load)
    seen = slice(np.searchsorted(last, scale.origin_ticks), np.searchsorted(first, scale.end_ticks, side="right"))
    left = np.maximum(layout.across(first[seen]), 0.0)
    if not len(left):
        return []
    # Each is a pixel wide at least, and those less than a pixel apart are one.
    right = np.maximum.accumulate(np.maximum(np.minimum(layout.across(last[seen]), scale.width_px), left + 1))
    begins = np.flatnonzero(np.concatenate(([True], left[1:] - right[:-1] >= 1)))
    ends = np.append(begins[1:], len(left)) - 1
    spans = tuple(zip(left[begins].tolist(), right[ends].tolist(), strict=True))
    y = layout.y(row)
    band = Boxes(spans, y, row.height, "critical:14")
    return [band, Boxes(spans, y + row.height - _OVER_PX - 1, _OVER_PX, "critical")]


@lru_cache(maxsize=256)
def _spans_of(load: ResourceLoad) -> tuple[Instants, Instants]:
    """First and last instants of the overloads of a resource."""
    first, last = np.array([(over.first, over.last) for over in load.overloads], dtype=np.int64).T
    return first, last
