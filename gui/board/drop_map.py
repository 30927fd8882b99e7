"""DropMap: what dropping the held task in each place of the board would do to the plan, as a tint. It never tries it.

Nothing is shown until that is known. Better and worse differ in hue and in a mark; the best place has a frame.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.model import Ticks
from engine.optimize.problem import Objective
from engine.session.aims import lateness_of
from engine.session.dropping import Drops
from gui.board.layout import BoardLayout
from gui.canvas.axis import TextWidth
from gui.canvas.calendar_ticks import elapsed_text
from gui.canvas.hatching import hatched
from gui.canvas.shapes import Box, Label, Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

_T = QT_TRANSLATE_NOOP
SLOTS = 40
_LEGEND_PX, _PAD_PX, _SWATCH_PX, _GAP_PX = 22.0, 8.0, 14.0, 18.0
_FAINT, _STRONG = 10, 42
# Blue and brown stay apart for every eye; neither is what a bar, or an alarm, is drawn in.
_BETTER, _WORSE, _BROKEN = "hue_6", "hue_2", "critical"


# What is less, and what is more, once it is dropped there and all else gives way in the order there is.
_WORDS: dict[Objective | None, tuple[object, object]] = {
    Objective.TARDINESS: (_T("DropMap", "less lateness, if all else gives way"), _T("DropMap", "more lateness")),
    Objective.MAKESPAN: (_T("DropMap", "an earlier finish, if all else gives way"), _T("DropMap", "a later finish")),
}
_OTHER = (_T("DropMap", "better, if all else gives way"), _T("DropMap", "worse"))


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


def legend_shapes(found: Drops, width_px: float, height_px: float, text_width: TextWidth) -> list[Shape]:
    """What the tint means, in a line at the bottom."""
    top = height_px - _LEGEND_PX
    shapes: list[Shape] = [Box(0, top, width_px, _LEGEND_PX, "panel"), Line(((0, top), (width_px, top)), "line")]
    x = _PAD_PX
    better, worse = (_tr(words) for words in _WORDS.get(found.objective, _OTHER))
    entries: Sequence[tuple[str, float | None]] = (
        (better, -1.0),
        (worse, 1.0),
        (_tr(_T("DropMap", "breaks a rule")), None),
    )
    for words, share in entries:
        shapes += _cell((x, x + _SWATCH_PX), (top + (_LEGEND_PX - _SWATCH_PX) / 2, _SWATCH_PX), share)
        x += _SWATCH_PX + _PAD_PX / 2
        shapes.append(_word(x, top, words))
        x += text_width(words, METRICS.label_px, False) + _GAP_PX
    if found.best is not None:
        shapes.append(Box(x, top + 4, _SWATCH_PX, _SWATCH_PX, "", "text", width=1.5))
        shapes.append(_word(x + _SWATCH_PX + _PAD_PX / 2, top, _best_words(found)))
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


def _best_words(found: Drops) -> str:
    if found.objective is Objective.COST:
        return _tr(_T("DropMap", "the best place"))
    gain = -lateness_of(-found.gain) if found.objective is Objective.TARDINESS else found.gain
    return _tr(_T("DropMap", "the best place: {gain}")).format(gain=elapsed_text(gain))


def _word(x: float, top: float, words: str) -> Shape:
    return Label(x, top, 400, words, "muted", px=METRICS.label_px, h=_LEGEND_PX)


def _tr(text: object) -> str:
    return QCoreApplication.translate("DropMap", str(text))
