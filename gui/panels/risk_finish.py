"""When something may be done, as shapes: how often in each stretch of time, how surely by each date, percents as lines.

The curve goes by the scale at the left, bars by one of their own at the right, so that both fill the height.
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
_SIDE_PX = 44.0
_LANE_PX, _LANES = 15.0, 3
_GAP_PX = 4.0
_APART_PX = 8.0  # between words in a lane
_SWATCH_PX = 12.0
_STEP_PX = 3.0
_DOT_PX = 7.0
_SEEN = 0.001  # of the samples at either end are left out of sight
_QUARTERS = 4
# What a quarter of the height may stand for in bars, in thousandths of all samples.
_STEPS: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, *range(10, 100, 10), 100, 120, 150, 200, 250)


@dataclass(frozen=True, slots=True)
class Finish:
    """What is drawn: an outlook, that of before to compare with, a deadline, and the confidence that is picked.

    `words` says an instant, `planned` and `due` name their lines, `curve` and `bars` what goes by either scale.
    """

    outlook: Outlook
    before: Outlook | None
    deadline: Ticks | None
    confidence: float
    is_calendar: bool
    words: Callable[[Ticks], str]
    planned: str
    due: str
    curve: str
    bars: str


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
    inner = max(width - 2 * _SIDE_PX, 1.0)
    scale = TimeScale.fitted(first, max(last, first + 1), inner, finish.is_calendar)
    top = (_LANES + 1) * _LANE_PX + _GAP_PX
    return Place(scale, _SIDE_PX, top, max(height, top + 1))


def finish_shapes(finish: Finish, place: Place, width_of: TextWidth) -> list[Shape]:
    """Bars, the curve and the lines, from back to front."""
    bars = _counted(finish, place)
    step = _step(max((share for _, _, share in bars), default=0.0))
    shapes: list[Shape] = [*_titles(finish, place, width_of), *_grid(place, step)]
    shapes += _bars(finish, place, bars, _QUARTERS * step)
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


def _grid(place: Place, step: float) -> Iterator[Shape]:
    """Lines at each quarter of the height, with what it is by the scale of the curve and by that of the bars."""
    right, px = place.left + place.scale.width_px, METRICS.tier_text_px
    for quarter in range(_QUARTERS + 1):
        y = place.y(quarter / _QUARTERS)
        yield Line(((place.left, y), (right, y)), "line")
        top, wide = y - _LANE_PX / 2, place.left - _GAP_PX
        surely = f"{100 * quarter // _QUARTERS} %"
        yield Label(0, top, wide, surely, "muted", Align.RIGHT, px=px, h=_LANE_PX)
        yield Label(right + _GAP_PX, top, wide, f"{100 * quarter * step:.3g} %", "muted", px=px, h=_LANE_PX)


def _titles(finish: Finish, place: Place, width_of: TextWidth) -> Iterator[Shape]:
    """Over each scale what goes by it, with a sample of its color; of bars only where there is room for both."""
    top, px = _LANES * _LANE_PX, METRICS.tier_text_px
    middle, right = top + _LANE_PX / 2, place.left + place.scale.width_px
    begin, wide = place.left + _SWATCH_PX + _GAP_PX, width_of(finish.curve, px, False)
    yield Line(((place.left, middle), (place.left + _SWATCH_PX, middle)), "accent", 2.0)
    yield Label(begin, top, wide, finish.curve, "muted", px=px, h=_LANE_PX)
    end, wide = begin + wide, width_of(finish.bars, px, False)
    begin = right - wide - _GAP_PX - _SWATCH_PX
    if begin - end >= _APART_PX:
        half = _SWATCH_PX / 2
        yield Label(begin, top, wide, finish.bars, "muted", px=px, h=_LANE_PX)
        yield Box(right - _SWATCH_PX, middle - half / 2, _SWATCH_PX, half, "accent:40")


def _counted(finish: Finish, place: Place) -> list[tuple[Ticks, Ticks, float]]:
    """How often it is done in each stretch between two marks of the time axis: from, to, and a share of 0 to 1."""
    scale = place.scale
    edges = np.array([scale.origin_ticks, *scale.marks(finish.is_calendar), scale.end_ticks], dtype=np.int64)
    shares = np.diff(finish.outlook.shares_by(edges))
    spans = pairwise(edges.tolist())
    return [(begin, end, share) for (begin, end), share in zip(spans, shares.tolist(), strict=True) if share > 0]


def _step(most: float) -> float:
    """The roundest share for a quarter of the height with which the highest bar stays below its top."""
    return min(step for step in _STEPS if _QUARTERS * step >= 1000 * most - 1e-6) / 1000


def _bars(finish: Finish, place: Place, bars: list[tuple[Ticks, Ticks, float]], top: float) -> Iterator[Shape]:
    """How often it is done in each stretch, `top` being all of the height; those up to the picked confidence darker."""
    picked = finish.outlook.at(finish.confidence).value
    for begin, end, share in bars:
        left, right = place.x(begin), place.x(end)
        gap = 1.0 if right - left > _GAP_PX else 0.0
        height = max(1.0, share / top * (place.zero - place.top))
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
        spot = _spot(taken, (x, width), right) if place.left <= x <= right else None
        if spot is not None:
            begin, lane = spot
            taken[lane].append((begin, begin + width))
            color = {"accent": "text", "critical": "alarm"}.get(line.color, line.color)
            top, px = lane * _LANE_PX, METRICS.label_px
            yield Label(begin, top, width, line.words, color, is_bold=line.is_bold, px=px, h=_LANE_PX)


def _spot(taken: list[list[tuple[float, float]]], words: tuple[float, float], right: float) -> tuple[float, int] | None:
    """Where words stand over their line, and in which lane: in its middle, else from it on, else up to it."""
    x, width = words
    for share in (0.5, 0.0, 1.0):
        begin = min(max(x - share * width, _GAP_PX), right - width)
        for lane in reversed(range(_LANES)):
            if all(begin >= end + _APART_PX or begin + width <= start - _APART_PX for start, end in taken[lane]):
                return begin, lane
    return None
