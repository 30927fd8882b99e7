"""When something may be done, as shapes: how often in each stretch of time, how surely by each date, percents as lines.

It never simulates, and never draws: a view does, with the time axis below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.model import Ticks
from engine.session.risking import PERCENTS, Outlook
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Align, Box, Dash, Label, Line, Point, Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

PICKED = "P{percent} {at}"
_LEFT_PX, _RIGHT_PX = 44.0, 12.0
_LANE_PX, _LANES = 15.0, 3
_GAP_PX = 4.0
_STEP_PX = 3.0
_DOT_PX = 7.0
_SEEN = 0.001  # of the samples at either end are left out of sight
_HALVES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Finish:
    """What is drawn: an outlook, that of before to compare with, a deadline, and the confidence that is picked.

    `words` says an instant, `planned` and `due` name their lines.
    """

    outlook: Outlook
    before: Outlook | None
    deadline: Ticks | None
    confidence: float
    is_calendar: bool
    words: Callable[[Ticks], str]
    planned: str
    due: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where it is drawn: a scale whose origin stands at `left`, from `top` down to `zero`."""

    scale: TimeScale
    left: float
    top: float
    zero: float

    def x(self, instant: Ticks) -> float:
        """Pixels from the left edge of the view."""
        return self.left + self.scale.x(instant)

    def y(self, share: float) -> float:
        """Pixels from its top, of a share of 0 to 1."""
        return self.zero - share * (self.zero - self.top)

    def instant(self, x: float) -> Ticks:
        """The instant under a pixel."""
        return self.scale.tick(x - self.left)


def place_of(finish: Finish, width: float, height: float) -> Place:
    """The stretch of time that holds nearly all samples, the planned finish and the deadline, if that is near."""
    ends = [*_seen(finish.outlook), *(_seen(finish.before) if finish.before else ()), finish.outlook.planned]
    first, last = min(ends), max(ends)
    due = finish.deadline
    if due is not None and first - (last - first) <= due <= last + (last - first):
        first, last = min(first, due), max(last, due)
    inner = max(width - _LEFT_PX - _RIGHT_PX, 1.0)
    scale = TimeScale.fitted(first, max(last, first + 1), inner, finish.is_calendar)
    top = _LANES * _LANE_PX + _GAP_PX
    return Place(scale, _LEFT_PX, top, max(height, top + 1))


def finish_shapes(finish: Finish, place: Place, width_of: TextWidth) -> list[Shape]:
    """Bars, the curve and the lines, from back to front."""
    shapes: list[Shape] = list(_grid(place))
    shapes += _bars(finish, place)
    if finish.before is not None:
        at = place.x(finish.before.at(finish.confidence).value)
        shapes.append(Line(((at, place.top), (at, place.zero)), "muted:70", 1.0, Dash.DASHED))
        shapes.append(Line(_curve(finish.before, place), "muted:70", 1.0))
    shapes.append(Line(_curve(finish.outlook, place), "accent", 2.0))
    return shapes + _uprights(finish, place, width_of)


def percents(confidence: float) -> tuple[int, ...]:
    """The percents that have a line: the usual ones, and the one that is picked."""
    return tuple(sorted({*PERCENTS, round(100 * confidence)}))


def _seen(outlook: Outlook) -> tuple[Ticks, Ticks]:
    return outlook.at(_SEEN).value, outlook.at(1 - _SEEN).value


def _grid(place: Place) -> Iterator[Shape]:
    right = place.left + place.scale.width_px
    for share in _HALVES:
        y = place.y(share)
        yield Line(((place.left, y), (right, y)), "line")
        words = f"{round(100 * share)} %"
        yield Label(
            0, y - _LANE_PX / 2, place.left - _GAP_PX, words, "muted", Align.RIGHT, px=METRICS.tier_text_px, h=_LANE_PX
        )


def _bars(finish: Finish, place: Place) -> Iterator[Shape]:
    """How often it is done in each stretch; those up to the picked confidence are darker."""
    scale = place.scale
    marks = scale.marks(finish.is_calendar)
    edges = np.array([scale.origin_ticks, *marks, scale.end_ticks], dtype=np.int64)
    shares = np.diff(finish.outlook.shares_by(edges))
    most = float(shares.max(initial=0.0))
    picked = finish.outlook.at(finish.confidence).value
    for (begin, end), found in zip(pairwise(edges.tolist()), shares.tolist(), strict=True):
        if found > 0 and most > 0:
            left, right = place.x(begin), place.x(end)
            gap = 1.0 if right - left > _GAP_PX else 0.0
            height = max(1.0, found / most * (place.zero - place.top))
            fill = "accent:40" if begin < picked else "accent:18"
            yield Box(left, place.zero - height, max(right - left - gap, 1.0), height, fill)


def _curve(outlook: Outlook, place: Place) -> tuple[Point, ...]:
    across = np.arange(0.0, place.scale.width_px + _STEP_PX, _STEP_PX)
    instants = place.scale.origin_ticks + np.round(across * place.scale.ticks_per_px).astype(np.int64)
    shares = outlook.shares_by(instants)
    return tuple((place.left + x, place.y(share)) for x, share in zip(across.tolist(), shares.tolist(), strict=True))


def _uprights(finish: Finish, place: Place, width_of: TextWidth) -> list[Shape]:
    """Planned finish, deadline and percents, each with its words in the first lane that has room for them."""
    picked = round(100 * finish.confidence)
    spots = [(finish.outlook.at(percent / 100).value, percent) for percent in percents(finish.confidence)]
    lines = [_Upright(at, f"P{percent} {finish.words(at)}", "accent", percent == picked) for at, percent in spots]
    lines.append(_Upright(finish.outlook.planned, finish.planned, "text", False, Dash.DOTTED))
    if finish.deadline is not None:
        lines.append(_Upright(finish.deadline, finish.due, "critical", False, Dash.DASHED))
    shapes: list[Shape] = []
    for line in lines:
        x = place.x(line.at)
        if place.left <= x <= place.left + place.scale.width_px:
            shapes.append(Line(((x, place.top), (x, place.zero)), line.color, 2.0 if line.is_bold else 1.0, line.dash))
    shapes += _lanes(lines, place, width_of)
    at, share = finish.outlook.at(finish.confidence).value, finish.confidence
    half = _DOT_PX / 2
    shapes.append(
        Box(place.x(at) - half, place.y(share) - half, _DOT_PX, _DOT_PX, "panel", "accent", radius=half, width=2.0)
    )
    return shapes


@dataclass(frozen=True, slots=True)
class _Upright:
    at: Ticks
    words: str
    color: str
    is_bold: bool
    dash: Dash = Dash.SOLID


def _lanes(lines: list[_Upright], place: Place, width_of: TextWidth) -> Iterator[Shape]:
    """The picked one's words first: what finds no room in any lane says nothing, its line stands all the same."""
    taken: list[list[tuple[float, float]]] = [[] for _ in range(_LANES)]
    right = place.left + place.scale.width_px
    for line in sorted(lines, key=lambda line: not line.is_bold):
        x, width = place.x(line.at), width_of(line.words, METRICS.label_px, line.is_bold)
        if not place.left <= x <= right:
            continue
        begin = min(max(x - width / 2, _GAP_PX), right - width)
        for lane in reversed(range(_LANES)):
            if all(begin > end + _GAP_PX or begin + width < start - _GAP_PX for start, end in taken[lane]):
                taken[lane].append((begin, begin + width))
                color = "text" if line.color == "accent" else line.color
                yield Label(
                    begin,
                    lane * _LANE_PX,
                    width,
                    line.words,
                    "alarm" if color == "critical" else color,
                    is_bold=line.is_bold,
                    px=METRICS.label_px,
                    h=_LANE_PX,
                )
                break
