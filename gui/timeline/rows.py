"""Row: where a stream, an engine or the concurrency strip stands in the timeline. It never knows what is on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from engine.trace.timeline import ENGINES
from gui.theme import METRICS

PAD_PX = METRICS.grid_px
GROUP_GAP_PX = 2 * METRICS.grid_px
STRIP_PX = 8 * METRICS.grid_px


class RowKind(Enum):
    """What a row shows; the value of the first two is what a Timeline's window is asked by."""

    STREAM = "stream"
    ENGINE = "engine"
    CONCURRENCY = "concurrency"


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `y` and `h` in pixels from the top of the rows, `index` the stream or the place in ENGINES."""

    kind: RowKind
    index: int
    name: str
    y: float
    h: float


def rows_of(streams: tuple[str, ...], engine_names: Mapping[str, str], strip_name: str) -> tuple[Row, ...]:
    """A row a stream, then a row for each engine that has a name, then the concurrency strip."""
    rows: list[Row] = []
    y = float(PAD_PX)
    for index, name in enumerate(streams):
        rows.append(Row(RowKind.STREAM, index, name, y, METRICS.row_px))
        y += METRICS.row_px
    y += GROUP_GAP_PX
    for index, engine in enumerate(ENGINES):
        if engine in engine_names:
            rows.append(Row(RowKind.ENGINE, index, engine_names[engine], y, METRICS.row_px))
            y += METRICS.row_px
    y += GROUP_GAP_PX
    rows.append(Row(RowKind.CONCURRENCY, 0, strip_name, y, STRIP_PX))
    return tuple(rows)


def height_of(rows: tuple[Row, ...]) -> int:
    """How high all rows are together, with the room above and below them."""
    return round(rows[-1].y + rows[-1].h + PAD_PX) if rows else 0
