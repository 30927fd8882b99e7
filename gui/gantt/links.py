"""Links: which are in sight, and the way of each around the bars. It never knows what a link means for dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from engine.model import Dependency, Task, TaskId
from gui.canvas.shapes import Point
from gui.gantt.bars import Bar, BarKind, Layout
from gui.gantt.labels import words_beside
from gui.gantt.row_links import NearLinks, Places, RowLink
from gui.gantt.rows import Rows
from gui.gantt.ways import AWAY_PX, CLOSE_ROWS, Ends, Pixels, Span, Walls, Ways, ways
from gui.theme import METRICS

_CLEAR_PX = 3.0
_NOBODY: frozenset[TaskId] = frozenset()


@dataclass(frozen=True, slots=True)
class Route:
    """A link and the points it runs through, from its first task to the tip of its arrow.

    `beyond` are the tasks of other links that look alike in the chart: they leave it by the same upright.
    """

    link: RowLink
    points: tuple[Point, ...]
    beyond: frozenset[TaskId] = frozenset()


@dataclass(frozen=True, eq=False)
class Routes:
    """The ways of many links in their order, an entry each: as arrays, and one by one to those who ask.

    `beyond` are the rows that other links lead to that look alike in the chart, by the entry that stands for them.
    """

    near: NearLinks
    points: Pixels
    beyond: Mapping[int, Places]
    tasks: Sequence[Task]

    def __len__(self) -> int:
        return len(self.near)

    def __getitem__(self, place: int) -> Route:
        return self._one(place, self.points[place].tolist())

    def __iter__(self) -> Iterator[Route]:
        return iter(self._each)

    @cached_property
    def _each(self) -> list[Route]:
        return [self._one(place, points) for place, points in enumerate(self.points.tolist())]

    def _one(self, place: int, points: list[list[float]]) -> Route:
        rows = self.beyond.get(place)
        beyond = _NOBODY if rows is None else frozenset(self.tasks[row].id for row in rows.tolist())
        return Route(self.near.link(place), simple(points), beyond)


def routes(layout: Layout, first_row: int, last_row: int, words: Mapping[int, Span] | None = None) -> Routes:
    """The ways of all links that touch these rows and may be seen; of those that look alike there, the first.

    `words` are what stands beside the bars of some, by row; None: find out.
    """
    words = words_beside(layout, first_row, last_row) if words is None else words
    sight = first_row, last_row, frozenset(words.items())
    known: Routes | None = layout.ways.get(sight)
    if known is None:
        known = layout.ways[sight] = _routes(layout, (first_row, last_row), words)
    return known


def _routes(layout: Layout, sight: tuple[int, int], words: Mapping[int, Span]) -> Routes:
    near, tasks = layout.rows.near_links(*sight), layout.rows.tasks
    if not len(near):
        return Routes(near, np.empty((0, 0, 2)), {}, tasks)
    source, target = Ends.of(layout, near.first, near.from_finish), Ends.of(layout, near.second, near.to_finish)
    has_label = np.isin(near.first, [row for row, (left, _) in words.items() if left >= layout.bar(row).right])
    found = ways(source, target, has_label, *_walls_between(layout, near, sight, words))
    # Not those that are beside the chart as a whole.
    farthest = layout.scale.width_px + AWAY_PX
    is_in_reach = (np.maximum(source.x, target.x) >= -AWAY_PX) & (np.minimum(source.x, target.x) <= farthest)
    groups = _alike(near, found, np.flatnonzero(is_in_reach), layout.scale.width_px, sight)
    for _, *others in groups:
        is_in_reach[others] = False
    shown = np.flatnonzero(is_in_reach)
    beyond = {int(np.searchsorted(shown, first)): near.second[others] for first, *others in groups}
    return Routes(near.only(shown), found.points[shown], beyond, tasks)


def _walls_between(
    layout: Layout, near: NearLinks, sight: tuple[int, int], words: Mapping[int, Span]
) -> tuple[Walls, Places]:
    """What stands in the rows between the ends of links, as far as they are in sight, and which run each link has."""
    first_row, last_row = sight
    firsts = np.maximum(np.minimum(near.first, near.second) + 1, first_row)
    ends = np.maximum(np.minimum(np.maximum(near.first, near.second), last_row + 1), firsts)
    wide = last_row - first_row + 3
    runs, run_of = np.unique((firsts - first_row) * wide + ends - first_row, return_inverse=True)
    spans = walls_at(layout, first_row, last_row, words)
    each = [(span, row) for row, stands in spans.items() for span in stands]
    walls = Walls(
        (span for span, _ in each), (row for _, row in each), runs // wide + first_row, runs % wide + first_row
    )
    return walls, run_of


def _alike(near: NearLinks, found: Ways, places: Places, width_px: float, sight: tuple[int, int]) -> list[list[int]]:
    """Places of links that look alike in the chart, of those at some places; lonely ones left out.

    They lead from one end of a bar in sight to rows so far out of it that no more than their upright is seen, by one
    upright; what stands beside the chart is all alike.
    """
    first, second = near.first[places], near.second[places]
    is_up, is_seen = second < sight[0] - 1, (first >= sight[0]) & (first <= sight[1])
    is_far = (second > sight[1] + 1) | is_up
    leaving = places[is_seen & is_far & (np.abs(second - first) > CLOSE_ROWS)]
    looks = near.first
    for flags in (near.from_finish, near.second < sight[0], near.is_stored, found.is_straight):
        looks = 2 * looks + flags
    return _bundles(
        leaving, looks[leaving], np.clip(found.upright[leaving], -METRICS.row_px, width_px + METRICS.row_px)
    )


def in_sight(points: tuple[Point, ...], height_px: float) -> tuple[Point, ...]:
    """The part of a way that a chart so high shows, as far as a row beyond its edges.

    Links of one end that leave the chart by one upright have it in common: drawn once, it stands for all.
    """
    top, bottom = -float(METRICS.row_px), height_px + METRICS.row_px
    seen = [place for place, (_, y) in enumerate(points) if top <= y <= bottom]
    if not seen or len(seen) == len(points):
        return points
    part = points[max(seen[0] - 1, 0) : seen[-1] + 2]
    return tuple((x, min(max(y, top), bottom)) for x, y in part)


def way_of(layout: Layout, first_row: int, last_row: int, link: Dependency) -> tuple[Point, ...] | None:
    """The points that one link runs through, None where it touches none of these rows."""
    near = (each for each in routes(layout, first_row, last_row) if is_way_of(each, link, layout.rows))
    return next((each.points for each in near), None)


def is_way_of(way: Route, link: Dependency, rows: Rows) -> bool:
    """Whether a link runs there as far as it is seen."""
    if way.link.dependency == link:
        return True
    return link.successor in way.beyond and rows.tasks[way.link.first].id == link.predecessor


def cut_to_sight(points: Pixels, height_px: float) -> Pixels:
    """The same of many ways of as many points: what is not seen of one lies on a point that is."""
    top, bottom = -float(METRICS.row_px), height_px + METRICS.row_px
    is_seen = (points[..., 1] >= top) & (points[..., 1] <= bottom)
    first, last = is_seen.argmax(axis=1), is_seen.shape[1] - 1 - is_seen[:, ::-1].argmax(axis=1)
    place = np.clip(np.arange(is_seen.shape[1]), (first - 1)[:, None], (last + 1)[:, None])
    place = np.clip(place, 0, is_seen.shape[1] - 1)
    found = np.take_along_axis(points, place[..., None], axis=1)
    found[..., 1] = np.clip(found[..., 1], top, bottom)
    return found


def walls_at(layout: Layout, first_row: int, last_row: int, words: Mapping[int, Span]) -> dict[int, list[Span]]:
    """What stands in each row that an upright line should not run through: a bar, and the words beside it."""
    found = {}
    for row in range(first_row, last_row + 1):
        bar = layout.bar(row)
        found[row] = [] if bar.kind in (BarKind.SUMMARY, BarKind.HEADING) else [_span(bar)]
        if row in words:
            found[row].append((words[row][0] - _CLEAR_PX, words[row][1] + _CLEAR_PX))
    return found


def _bundles(places: Places, looks: Places, upright: Pixels) -> list[list[int]]:
    """Places that look alike in both ways, together; lonely ones left out."""
    ranked = np.lexsort((upright, looks))
    places, looks, upright = places[ranked], looks[ranked], upright[ranked]
    is_other = (looks[1:] != looks[:-1]) | (upright[1:] != upright[:-1])
    starts = np.flatnonzero(np.append(True, is_other)) if len(places) else ranked
    ends = np.append(starts[1:], len(places))
    many = np.flatnonzero(ends - starts > 1)
    pairs = zip(starts[many].tolist(), ends[many].tolist(), strict=True)
    return [places[start:end].tolist() for start, end in pairs]


def distance(points: tuple[Point, ...], x_px: float, y_px: float) -> float:
    """How far a place is from a run of level and upright segments, the larger of both axes."""
    return min(
        max(min(a[0], b[0]) - x_px, x_px - max(a[0], b[0]), min(a[1], b[1]) - y_px, y_px - max(a[1], b[1]), 0.0)
        for a, b in pairwise(points)
    )


def _span(bar: Bar) -> Span:
    half = METRICS.bar_px / 2 if bar.kind is BarKind.MILESTONE else 0.0
    return bar.left - half - _CLEAR_PX, bar.right + half + _CLEAR_PX


def simple(points: Iterable[Iterable[float]]) -> tuple[Point, ...]:
    """Points of a way without those that stand still or lie on it."""
    kept: list[Point] = []
    for x, y in points:
        if kept and (x, y) == kept[-1]:
            continue
        if len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            if ax == bx == x or ay == by == y:
                kept.pop()
        kept.append((x, y))
    return tuple(kept)
