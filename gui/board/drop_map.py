"""DropMap: what dropping the held task in each place of the board would do to the plan, as a tint. It never tries it.

Nothing is shown until that is known. Better and worse differ in hue and in a mark; the best place has a frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.model import Ticks
from engine.session.dropping import Drops
from gui.board.layout import BoardLayout
from gui.canvas.axis import TextWidth
from gui.canvas.hatching import hatched
from gui.canvas.shapes import Box, Label, Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

SLOTS = 40
_LEGEND_PX, _PAD_PX, _SWATCH_PX, _GAP_PX = 22.0, 8.0, 14.0, 18.0
_FAINT, _STRONG = 10, 42
# Blue and brown stay apart for every eye; neither is what a bar, or an alarm, is drawn in.
_BETTER, _WORSE, _BROKEN = "hue_6", "hue_2", "critical"


@dataclass(frozen=True, slots=True)
class Words:
    """What better, worse and hatched mean, and what the best place gains."""

    better: str
    worse: str
    broken: str
    best: str


def slots_of(scale: TimeScale) -> tuple[Ticks, ...]:
    """The starts of the slots in sight."""
    return tuple(dict.fromkeys(scale.tick(scale.width_px * slot / SLOTS) for slot in range(SLOTS)))


def map_shapes(layout: BoardLayout, found: Drops, height_px: float) -> list[Shape]:
    """The tint of the cells in sight, under the bars."""
    shapes: list[Shape] = []
    rows = {layout.rows.rows[number].id: layout.rows.rows[number] for number in layout.seen(height_px)}
    edges = [layout.scale.x(start) for start in found.starts]
    edges.append(edges[-1] + (edges[-1] - edges[-2] if len(edges) > 1 else layout.scale.width_px))
    for place, resource in enumerate(found.resources):
        row = rows.get(resource)
        if row is None:
            continue
        y = layout.y(row)
        for slot, share in enumerate(found.shares[place]):
            shapes += _cell((edges[slot], edges[slot + 1]), (y, row.height - 1.0), share)
        if found.best is not None and found.best[0] == place:
            left, right = edges[found.best[1]], edges[found.best[1] + 1]
            shapes.append(Box(left, y, right - left, row.height - 1.0, "", "text", width=1.5))
    return shapes


def legend_shapes(found: Drops, words: Words, size: tuple[float, float], text_width: TextWidth) -> list[Shape]:
    """What the tint means, in a line at the bottom."""
    width_px, top = size[0], size[1] - _LEGEND_PX
    shapes: list[Shape] = [Box(0, top, width_px, _LEGEND_PX, "panel"), Line(((0, top), (width_px, top)), "line")]
    x = _PAD_PX
    entries: Sequence[tuple[str, float | None]] = ((words.better, -1.0), (words.worse, 1.0), (words.broken, None))
    for text, share in entries:
        shapes += _cell((x, x + _SWATCH_PX), (top + (_LEGEND_PX - _SWATCH_PX) / 2, _SWATCH_PX), share)
        x += _SWATCH_PX + _PAD_PX / 2
        shapes.append(_word(x, top, text))
        x += text_width(text, METRICS.label_px, False) + _GAP_PX
    if found.best is not None:
        shapes.append(Box(x, top + 4, _SWATCH_PX, _SWATCH_PX, "", "text", width=1.5))
        shapes.append(_word(x + _SWATCH_PX + _PAD_PX / 2, top, words.best))
    return shapes


def _cell(across: tuple[float, float], down: tuple[float, float], share: float | None) -> list[Shape]:
    """One place: filled by how much it changes; worse has a line below, broken is hatched."""
    (left, right), (y, high) = across, down
    if share is None:
        return list(hatched((left, right, y, y + high), _BROKEN))
    if not share:
        return []
    percent = round(_FAINT + abs(share) * (_STRONG - _FAINT))
    shapes: list[Shape] = [Box(left, y, right - left, high, f"{_WORSE if share > 0 else _BETTER}:{percent}")]
    if share > 0:
        shapes.append(Box(left, y + high - 2, right - left, 2, _WORSE))
    return shapes


def _word(x: float, top: float, words: str) -> Shape:
    return Label(x, top, 400, words, "muted", px=METRICS.label_px, h=_LEGEND_PX)
