"""Row: where a stream, an engine or the concurrency strip stands in the timeline. It never knows what is on it.

A row on which bars overlap in time has a lane for each that goes on at once; its bars are then lower, and it is higher.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.trace.timeline import ENGINES
from gui.theme import METRICS

PAD_PX = METRICS.grid_px
GROUP_GAP_PX = 2 * METRICS.grid_px
STRIP_PX = 8 * METRICS.grid_px
LANE_PX = 4 * METRICS.grid_px
HEADING_PX = 5 * METRICS.grid_px
# Around a bar, and around the outline of where it was planned.
_BAR_MARGIN_PX = (METRICS.row_px - METRICS.bar_px - 2) / 2
_LANE_BAR_MARGIN_PX = 3.0
_OUTLINE_MARGIN_PX = 2.0
_LANE_OUTLINE_MARGIN_PX = 1.0


class RowKind(Enum):
    """What a row shows; the value of the first two is what a Timeline's window is asked by. A heading shows nothing.

    A fold is a heading that hides or shows the rows below it; the index of a counter is its track's."""

    STREAM = "stream"
    ENGINE = "engine"
    CONCURRENCY = "concurrency"
    HEADING = "heading"
    FOLD = "fold"
    COUNTER = "counter"


class Band(NamedTuple):
    """Where the bars of one lane stand: pixels from the top of their row, the bar's and the outline's margins in it."""

    top: float
    h: float
    bar_margin: float
    outline_margin: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `y` and `h` in pixels from the top of the rows, `index` the stream or the place in ENGINES."""

    kind: RowKind
    index: int
    name: str
    y: float
    h: float
    lanes: int = 1

    def band(self, lane: int) -> Band:
        """Where a lane lies; the row itself where it has but one."""
        if self.lanes == 1:
            return Band(0, self.h, _BAR_MARGIN_PX, _OUTLINE_MARGIN_PX)
        return Band(lane * LANE_PX, LANE_PX, _LANE_BAR_MARGIN_PX, _LANE_OUTLINE_MARGIN_PX)

    def lane_at(self, y: float) -> int:
        """The lane at a height, in pixels from the top of the rows."""
        return min(max(int((y - self.y) * self.lanes / self.h), 0), self.lanes - 1)


Lanes = Callable[[RowKind, int], int]


def rows_of(
    streams: tuple[str, ...],
    engine_names: Mapping[str, str],
    strip_name: str,
    lanes: Lanes = lambda _kind, _index: 1,
    headings: tuple[str, str] = ("", ""),
) -> tuple[Row, ...]:
    """A row a stream, then a row for each engine that has a name, then the concurrency strip.

    `lanes` says how many lanes a row needs. `headings` stand over streams and engines where a stream is called as an
    engine is: nothing else would tell the two apart.
    """
    rows: list[Row] = []
    y = float(PAD_PX)
    named = {
        RowKind.STREAM: list(enumerate(streams)),
        RowKind.ENGINE: [(n, engine_names[engine]) for n, engine in enumerate(ENGINES) if engine in engine_names],
    }
    is_headed = not set(streams).isdisjoint(engine_names.values())
    for (kind, found), heading in zip(named.items(), headings, strict=True):
        if is_headed:
            rows.append(Row(RowKind.HEADING, 0, heading, y, HEADING_PX))
            y += HEADING_PX
        for index, name in found:
            count = lanes(kind, index)
            height = METRICS.row_px if count == 1 else count * LANE_PX
            rows.append(Row(kind, index, name, y, height, count))
            y += height
        y += GROUP_GAP_PX
    rows.append(Row(RowKind.CONCURRENCY, 0, strip_name, y, STRIP_PX))
    return tuple(rows)


def with_counters(rows: tuple[Row, ...], heading: str, names: Sequence[str]) -> tuple[Row, ...]:
    """The rows, and below them a fold and a row for each counter; no names while it is folded."""
    y = rows[-1].y + rows[-1].h + GROUP_GAP_PX
    fold = Row(RowKind.FOLD, 0, heading, y, HEADING_PX)
    y += HEADING_PX
    counters = (
        Row(RowKind.COUNTER, index, name, y + index * METRICS.row_px, METRICS.row_px)
        for index, name in enumerate(names)
    )
    return (*rows, fold, *counters)


def height_of(rows: tuple[Row, ...]) -> int:
    """How high all rows are together, with the room above and below them."""
    return round(rows[-1].y + rows[-1].h + PAD_PX) if rows else 0
