"""The timeline as shapes, and what lies under a point of it. It never holds a bar: it pulls what can be seen.

Shapes are in pixels from the upper left corner of the picture; a row's `y` counts from the top of all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId
from engine.trace.counters import Track
from engine.trace.lanes import MOST_LANES
from engine.trace.pyramid import Window
from engine.trace.timeline import ENGINES, Span, Timeline
from gui.canvas.shapes import Align, Box, Boxes, Label, Line, Shape, bar_radius
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS, words_on
from gui.timeline.counter_scene import steps
from gui.timeline.rows import Band, Row, RowKind

TextWidth = Callable[[str, int, bool], float]
Int64 = NDArray[np.int64]
Pixels = NDArray[np.float64]
Flags = NDArray[np.bool_]

_BAR_ROWS = (RowKind.STREAM, RowKind.ENGINE)
_LABEL_ROOM_PX = METRICS.grid_px
_NARROW_PX = 3.0
# Narrower bars are plain: round corners and outlines cannot be told there, and cost ten times as much.
_PLAIN_PX = 8.0
_LEFT_PAD_PX = 4 * METRICS.grid_px
# A bar is asked for at two pixels; narrower ones come merged.
_FINEST_PX = 2


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What the timeline shows. `now_ns` is None unless the run is live; `failed` is 0 unless an operation failed.

    Of `predicted` nothing after the iteration `last_predicted` is shown, unless that is None. `counters` are those of
    the rows of counters, by index.
    """

    timeline: Timeline
    predicted: Timeline | None
    rows: tuple[Row, ...]
    now_ns: int | None = None
    selected: TaskId | None = None
    failed: TaskId = 0
    scroll_px: int = 0
    last_predicted: int | None = None
    counters: tuple[Track, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies under a point: `count` spans in the bar, the longest of which is `span`; or a predicted one.

    `is_crowded`: it stands in a lane that several share, for want of lanes.
    """

    span: Span
    count: int
    is_predicted: bool = False
    is_crowded: bool = False


class _Bars(NamedTuple):
    """Bars of one lane in time order; `left` and `right` in pixels."""

    left: Pixels
    right: Pixels
    task: Int64
    engine: Int64
    spans: Int64


class _Windows:
    """What can be seen of one timeline, pulled once by stream and once by engine.

    Nothing lies after `now_ns`, nor in an iteration after `last`.
    """

    def __init__(
        self, timeline: Timeline, scale: TimeScale, now_ns: int | None = None, last: int | None = None
    ) -> None:
        self.streams = len(timeline.streams)
        self.scale = scale
        asked = (scale.origin_ticks, scale.end_ticks, _resolution(scale))
        self._windows = {
            by: _until(timeline, timeline.window(*asked, by.value), last) for by in (RowKind.STREAM, RowKind.ENGINE)
        }
        self._now_ns = now_ns

    def bars(self, row: Row, lane: int) -> _Bars:
        """The bars of one lane of a row."""
        window = self._windows[row.kind]
        left, right = self.edges(row.kind)
        mine = (window.row == row.index) & (np.minimum(window.lane, row.lanes - 1) == lane) & (right > left)
        left = left[mine]
        right = np.maximum(right[mine], left + 1)
        return _joined(_Bars(left, right, window.task[mine], window.engine[mine], window.count[mine]))

    def edges(self, by: RowKind) -> tuple[Pixels, Pixels]:
        """Left and right edges in pixels of all bars; left is not before right for those after now."""
        window, scale = self._windows[by], self.scale
        end = np.maximum(window.end, window.start + 1)
        if self._now_ns is not None:
            end = np.minimum(end, self._now_ns)
        return (window.start - scale.origin_ticks) / scale.ticks_per_px, (end - scale.origin_ticks) / scale.ticks_per_px


def scene(picture: Picture, scale: TimeScale, height_px: int, text_width: TextWidth) -> list[Shape]:
    """Everything to the right of the names, back to front. The names of bars stay in sight while the bars do."""
    return [*_bars(picture, scale, height_px, text_width, 0.0), *now_line(picture, scale, height_px)]


def moving_scene(picture: Picture, scale: TimeScale, height_px: int, text_width: TextWidth) -> list[Shape]:
    """The same without the line of now, every name where its bar begins: then all of it moves alike."""
    return _bars(picture, scale, height_px, text_width, -np.inf)


def now_line(picture: Picture, scale: TimeScale, height_px: int) -> list[Shape]:
    """The line of now, where it can be seen."""
    x = -1.0 if picture.now_ns is None else scale.x(picture.now_ns)
    return [Line(((x, 0), (x, height_px)), "critical")] if 0 <= x <= scale.width_px else []


def _bars(
    picture: Picture, scale: TimeScale, height_px: int, text_width: TextWidth, labels_from_px: float
) -> list[Shape]:
    shapes: list[Shape] = _lines(picture, scale.width_px, height_px)
    actual, predicted = _Windows(picture.timeline, scale, picture.now_ns), None
    if picture.predicted is not None:
        predicted = _Windows(picture.predicted, scale, last=picture.last_predicted)
    seen = [row for row in picture.rows if row.y - picture.scroll_px < height_px and row.y + row.h > picture.scroll_px]
    for row in seen:
        top = row.y - picture.scroll_px
        if row.kind not in _BAR_ROWS:
            shapes += _strip(actual, row, top) if row.kind is RowKind.CONCURRENCY else []
            shapes += steps(picture.counters[row.index], scale, row, top) if row.kind is RowKind.COUNTER else []
            continue
        for lane in range(row.lanes):
            band = row.band(lane)
            band = band._replace(top=top + band.top)
            if predicted is not None:
                shapes += _predicted(predicted.bars(row, lane), band)
            shapes += _failed(picture, scale, row, lane, band)
            bars = actual.bars(row, lane)
            shapes += _actual(bars, band, picture.selected)
            room = (labels_from_px, scale.width_px)
            shapes += _bar_labels(bars, picture.timeline, room, band, text_width)
    return shapes


def names_scene(
    rows: tuple[Row, ...], width_px: float, height_px: int, scroll_px: int, values: tuple[str, ...] = ()
) -> list[Shape]:
    """The column of row names on the left, with the lines that go on into the picture.

    `values` are the latest of the counters, by index.
    """
    shapes: list[Shape] = [Box(0, 0, width_px, height_px, "panel")]
    for row in rows:
        top, room = row.y - scroll_px, width_px - 2 * _LEFT_PAD_PX
        if row.kind is RowKind.COUNTER:
            text = values[row.index] if row.index < len(values) else ""
            shapes.append(Label(_LEFT_PAD_PX, top, room, text, "muted", Align.RIGHT, px=METRICS.label_px, h=row.h))
        if row.kind in (RowKind.HEADING, RowKind.FOLD):
            shapes.append(Label(_LEFT_PAD_PX, top, room, row.name, "muted", px=METRICS.label_px, h=row.h))
            continue
        shapes.append(Line(((0, top + row.h), (width_px, top + row.h)), "line:60"))
        shapes.append(Label(_LEFT_PAD_PX, top, room, row.name, "text", Align.LEFT, h=row.h))
    shapes.append(Line(((width_px - 1, 0), (width_px - 1, height_px)), "line"))
    return shapes


def hit(picture: Picture, scale: TimeScale, x_px: float, y_px: float) -> Hit | None:
    """The bar under a point, or the predicted bar where nothing happened (yet); None on the ground."""
    y = y_px + picture.scroll_px
    row = next((row for row in picture.rows if row.y <= y < row.y + row.h), None)
    if row is None or row.kind not in _BAR_ROWS:
        return None
    lane, at, reach = row.lane_at(y), scale.tick(x_px), max(1, round(scale.ticks_per_px))
    for timeline, is_predicted in ((picture.timeline, False), (picture.predicted, True)):
        if timeline is None:
            continue
        window = timeline.window(at - reach, at + reach, _resolution(scale), row.kind.value)
        window = _until(timeline, window, picture.last_predicted if is_predicted else None)
        found = np.flatnonzero((window.row == row.index) & (np.minimum(window.lane, row.lanes - 1) == lane))
        if len(found):
            away = np.maximum(window.start[found] - at, at - window.end[found] + 1).clip(0)
            place = int(found[np.argmin(away)])
            is_crowded = lane == MOST_LANES - 1 and timeline.lanes(row.kind.value).is_shared(row.index)
            return Hit(timeline.span_at(int(window.span[place])), int(window.count[place]), is_predicted, is_crowded)
    return None


def _until(timeline: Timeline, window: Window, last: int | None) -> Window:
    """Without the bars of iterations after the last."""
    if last is None:
        return window
    kept = timeline.iteration[window.span] <= last
    return Window(*(getattr(window, field.name)[kept] for field in fields(window)))


def _resolution(scale: TimeScale) -> int:
    return max(1, int(scale.ticks_per_px * _FINEST_PX))


def _lines(picture: Picture, width_px: float, height_px: int) -> list[Shape]:
    lines = (
        row.y + row.h - picture.scroll_px for row in picture.rows if row.kind not in (RowKind.HEADING, RowKind.FOLD)
    )
    return [Line(((0, y), (width_px, y)), "line:60") for y in lines if 0 <= y <= height_px]


def _joined(bars: _Bars) -> _Bars:
    """Narrow bars of one color that a pixel or less keeps apart become one: nobody can tell, and there are many."""
    if len(bars.left) < 2:
        return bars
    is_narrow = bars.right - bars.left < _NARROW_PX
    goes_on = (
        is_narrow[1:] & is_narrow[:-1] & (bars.engine[1:] == bars.engine[:-1]) & (bars.left[1:] - bars.right[:-1] <= 1)
    )
    first = np.flatnonzero(np.append(True, ~goes_on))
    return _Bars(
        bars.left[first],
        np.maximum.reduceat(bars.right, first),
        bars.task[first],
        bars.engine[first],
        np.add.reduceat(bars.spans, first),
    )


def _predicted(bars: _Bars, band: Band) -> list[Shape]:
    y, height = _inside(band, band.outline_margin)
    is_plain = bars.right - bars.left <= _PLAIN_PX
    return [
        *_plain(bars, is_plain, "baseline:40", y, height),
        *(
            Box(left, y, right - left, height, outline="baseline", radius=bar_radius(right - left))
            for left, right in _spans(bars, ~is_plain)
        ),
    ]


def _actual(bars: _Bars, band: Band, selected: TaskId | None) -> list[Shape]:
    y, height = _inside(band, band.bar_margin)
    # Bars that touch stay two bars to the eye.
    parted = bars._replace(right=np.where(bars.right - bars.left > _NARROW_PX, bars.right - 1, bars.right))
    is_plain = parted.right - parted.left <= _PLAIN_PX
    shapes: list[Shape] = []
    for engine in np.unique(bars.engine).tolist():
        is_mine, color = bars.engine == engine, ENGINES[engine]
        shapes += _plain(parted, is_plain & is_mine, color, y, height)
        for left, right in _spans(parted, is_mine & ~is_plain):
            shapes.append(Box(left, y, right - left, height, color, radius=bar_radius(right - left)))
    for left, right in _spans(parted, bars.task == selected) if selected is not None else ():
        width = right - left + 4
        shapes.append(Box(left - 2, y - 2, width, height + 4, outline="accent", radius=bar_radius(width), width=1.5))
    return shapes


def _plain(bars: _Bars, which: Flags, fill: str, y: float, height: float) -> list[Shape]:
    spans = tuple(_spans(bars, which))
    return [Boxes(spans, y, height, fill)] if spans else []


def _spans(bars: _Bars, which: Flags) -> Iterator[tuple[float, float]]:
    return zip(bars.left[which].tolist(), bars.right[which].tolist(), strict=True)


def _bar_labels(
    bars: _Bars, timeline: Timeline, room: tuple[float, float], band: Band, text_width: TextWidth
) -> list[Shape]:
    """Names inside the part of a bar that lies in a room and that no later bar covers, where they fit."""
    shapes: list[Shape] = []
    ends = np.minimum(np.minimum(bars.right, np.append(bars.left[1:], room[1])), room[1]).tolist()
    for place in np.flatnonzero((bars.right - bars.left > 4 * _LABEL_ROOM_PX) & (bars.spans == 1)).tolist():
        left = max(float(bars.left[place]), room[0])
        task = int(bars.task[place])
        text = timeline.names.get(task, str(task))
        needed = text_width(text, METRICS.bar_text_px, False)
        if needed + 2 * _LABEL_ROOM_PX <= ends[place] - left:
            color = words_on(ENGINES[int(bars.engine[place])])
            shapes.append(Label(left + _LABEL_ROOM_PX, band.top, needed, text, color, px=METRICS.bar_text_px, h=band.h))
    return shapes


def _inside(band: Band, margin: float) -> tuple[float, float]:
    """Top and height of what stands in the middle of a lane."""
    return band.top + margin, band.h - 2 * margin


def _failed(picture: Picture, scale: TimeScale, row: Row, lane: int, band: Band) -> list[Shape]:
    """The outline of where the operation that failed was expected: its first iteration that did not end."""
    predicted = picture.predicted
    if not picture.failed or predicted is None:
        return []
    for iteration in sorted(predicted.iteration[predicted.task == picture.failed].tolist()):
        done, place = picture.timeline.span(picture.failed, iteration), predicted.row_of(picture.failed, iteration)
        if place is None or (done is not None and done.is_done):
            continue
        span = predicted.span_at(place)
        index = span.stream if row.kind is RowKind.STREAM else ENGINES.index(span.engine)
        if (index, int(predicted.lanes(row.kind.value).lane[place])) != (row.index, lane):
            return []
        left = scale.x(span.start_ns)
        width = max(scale.x(span.end_ns) - left, 2.0)
        y, height = _inside(band, band.outline_margin)
        return [Box(left, y, width, height, "critical:15", "critical", METRICS.radius_px, width=1.5)]
    return []


def _strip(windows: _Windows, row: Row, top: float) -> list[Shape]:
    """How many streams are at work, every pixel; as high as the row when all are."""
    left, right = windows.edges(RowKind.STREAM)
    starts, ends = np.sort(left), np.sort(np.maximum(left, right))
    at = np.arange(0.5, windows.scale.width_px)
    counts = np.searchsorted(starts, at, "right") - np.searchsorted(ends, at, "right")
    changes = np.flatnonzero(np.diff(counts, prepend=-1))
    step = (row.h - METRICS.grid_px) / max(windows.streams, 1)
    base, ends_at = top + row.h, np.append(changes[1:], len(at))
    shapes: list[Shape] = []
    for count in np.unique(counts[changes]).tolist():
        which = counts[changes] == count
        spans = tuple(zip(changes[which].tolist(), ends_at[which].tolist(), strict=True))
        shapes += [Boxes(spans, base - count * step, count * step, "compute:60")] if count > 0 else []
    return shapes
