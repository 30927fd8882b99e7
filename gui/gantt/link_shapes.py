"""Link shapes: how links look: the plan's own and those of streams, those of chosen tasks, on paths, the chosen one.

They never say where a link runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.model import TaskId
from gui.canvas.shapes import Dash, Elbows, Line, Polygon, Shape
from gui.gantt.bars import Layout
from gui.gantt.extras import Extras
from gui.gantt.handles import link_handles
from gui.gantt.links import Routes, cut_to_sight, in_sight, is_way_of
from gui.gantt.paths import AWAY_PERCENT
from gui.gantt.row_links import Flags, Places
from gui.gantt.ways import Pixels
from gui.theme import METRICS

_ARROW_PX = 4.0


@dataclass(frozen=True, slots=True, order=True)
class _Stroke:
    """How a link is drawn; those of a higher order come later, over the others."""

    order: int
    color: str
    width: float = 1.0


_STREAM, _PLAIN = _Stroke(0, "link"), _Stroke(1, "link")
_NEAR, _CHOSEN = _Stroke(2, "accent", 1.5), _Stroke(3, "accent", 2.0)


def link_shapes(layout: Layout, extras: Extras, found: Routes) -> list[Shape]:
    """The links of a picture from back to front."""
    strokes = _strokes(layout, extras, found) if extras.paths is None else _path_strokes(layout, extras, found)
    size = layout.scale.width_px, extras.height_px
    chosen = _chosen(layout, extras, found)
    shapes: list[Shape] = []
    for stroke in sorted(strokes):
        places = np.setdiff1d(strokes[stroke], chosen) if chosen else strokes[stroke]
        if stroke == _STREAM:
            shapes += _dotted(found, places, extras.height_px)
        elif len(places):
            shapes += _drawn(found.points[places], stroke, size)
    for place in chosen:
        shapes += _drawn(found.points[[place]], _CHOSEN, size)
        shapes += link_handles(found[place].points)
    return shapes


def _chosen(layout: Layout, extras: Extras, found: Routes) -> list[int]:
    """Where the chosen link runs, as far as it is in sight."""
    link = extras.link
    return [] if link is None else [place for place, way in enumerate(found) if is_way_of(way, link, layout.rows)]


def _strokes(layout: Layout, extras: Extras, found: Routes) -> dict[_Stroke, Places]:
    """Which links are drawn how, where no paths are shown."""
    is_stored, is_near = found.near.is_stored, np.zeros(len(found), dtype=np.bool_)
    if extras.selection:
        chosen = _chosen_rows(layout, extras)
        is_near = chosen[found.near.first] | chosen[found.near.second]
        for place, rows in found.beyond.items():
            is_near[place] |= chosen[rows].any()
    kinds = {_STREAM: ~is_stored, _PLAIN: is_stored & ~is_near, _NEAR: is_stored & is_near}
    return {stroke: np.flatnonzero(which) for stroke, which in kinds.items() if which.any()}


def _chosen_rows(layout: Layout, extras: Extras) -> Flags:
    """Which of the rows that are shown hold a chosen task."""
    found, row_of = np.zeros(len(layout.rows), dtype=np.bool_), layout.rows.row_of
    found[[row for task in extras.selection if (row := row_of.get(task)) is not None]] = True
    return found


def _path_strokes(layout: Layout, extras: Extras, found: Routes) -> dict[_Stroke, Places]:
    """The same beside the paths that are shown."""
    strokes: dict[_Stroke, list[int]] = {}
    for place, way in enumerate(found):
        first, *seconds = (layout.rows.tasks[row].id for row in (way.link.first, way.link.second))
        each = [_path_stroke(layout, (first, second), extras) for second in (*seconds, *way.beyond)]
        best = max(each, key=lambda stroke: (stroke.order, stroke.width))
        is_stream = best.order < _NEAR.order and way.link.dependency is None
        strokes.setdefault(_STREAM if is_stream else best, []).append(place)
    return {stroke: np.array(places) for stroke, places in strokes.items()}


def _path_stroke(layout: Layout, ends: tuple[TaskId, TaskId], extras: Extras) -> _Stroke:
    rows = layout.state.plan.rows
    hue, width = ("", 0.0) if extras.paths is None else extras.paths.link_look(rows[ends[0]], rows[ends[1]])
    if hue:
        return _Stroke(2, hue, width)
    return _NEAR if extras.selection.issuperset(ends) else _Stroke(1, f"link:{AWAY_PERCENT}")


def _dotted(found: Routes, places: Places, height_px: float) -> list[Shape]:
    ways = dict.fromkeys(in_sight(found[place].points, height_px) for place in places.tolist())
    return [Line(points, _STREAM.color, _STREAM.width, Dash.DOTTED) for points in ways]


def _drawn(points: Pixels, stroke: _Stroke, size: tuple[float, float]) -> list[Shape]:
    """Lines and arrows of one look, as far as they are seen."""
    width_px, height_px = size
    tips, before = points[:, -1], points[:, -2, 1]
    backs = np.where(before < tips[:, 1], -_ARROW_PX, _ARROW_PX)
    points = points.copy()
    points[:, -1, 1] += backs
    points = cut_to_sight(points, height_px)
    points[..., 0] = np.clip(points[..., 0], -METRICS.row_px, width_px + METRICS.row_px)
    _, shown = np.unique(points.reshape(len(points), -1), axis=0, return_index=True)
    shapes: list[Shape] = [Elbows(points[shown], stroke.color, stroke.width)]
    (xs, ys), half = tips.T, height_px / 2
    is_seen = (np.abs(ys - half) <= half + METRICS.row_px) & (np.abs(xs - width_px / 2) <= width_px / 2 + _ARROW_PX)
    tips = np.column_stack((tips, backs))[is_seen]
    return [*shapes, *(_arrow(stroke, *tip) for tip in dict.fromkeys(map(tuple, tips.tolist())))]


def _arrow(stroke: _Stroke, x: float, tip: float, back: float) -> Polygon:
    return Polygon(((x, tip), (x - 3, tip + back), (x + 3, tip + back)), stroke.color)
