"""Share shapes: figures of how critical bars are in samples, and bars that what is held makes otherwise critical.

They stand over the picture that is kept: a new answer repaints the bars alone whose color it changes.
"""

from __future__ import annotations

from dataclasses import replace

from gui.canvas.shapes import Box, Label, Shape
from gui.gantt.bar_shapes import HALF_PX, is_seen, planned_shapes
from gui.gantt.bars import Bar, BarKind, Layout
from gui.gantt.extras import Extras
from gui.gantt.labels import BESIDE_GAP_PX, is_inside, label_of, label_shapes
from gui.gantt.shares import Shares, share_text
from gui.theme import METRICS

_PAD_PX = 3.0
_GAP_PX = 5.0


def share_shapes(layout: Layout, extras: Extras, bars: list[Bar]) -> list[Shape]:
    """The figure of each bar in sight, and its bar where that is painted otherwise than in the picture below."""
    now = extras.shares if extras.fans is None else extras.fans.shares
    if now is None or extras.shares is None:
        return []
    shapes: list[Shape] = []
    live = replace(extras, shares=now)
    for bar in bars:
        if bar.kind is BarKind.SUMMARY or not bar.task.is_active or not is_seen(layout, bar.left, bar.right):
            continue
        label = label_of(layout, bar, live)
        if now is not extras.shares and now.color(bar) != extras.shares.color(bar):
            shapes += planned_shapes(layout, bar, live)
            shapes += [] if label is None else label_shapes(bar, label)
        shapes += _figure(layout, bar, label, extras, now)
    return shapes


def _figure(layout: Layout, bar: Bar, label: Label | None, extras: Extras, shares: Shares) -> list[Shape]:
    """Right of the bar, or of its name where that stands there; nothing for a bar that no sample has critical."""
    found = shares.of(bar)
    text = "" if found is None else share_text(found.value)
    if not text:
        return []
    wide = extras.text_width(text, METRICS.bar_text_px, True) + 2 * _PAD_PX
    half = HALF_PX if bar.kind is BarKind.MILESTONE else 0.0
    x = bar.right + half + BESIDE_GAP_PX
    if label is not None and not is_inside(label) and label.x >= bar.right:
        x = label.x + label.w + _GAP_PX
    if not 0 <= x <= layout.scale.width_px - wide:
        return []
    top = bar.y + METRICS.bar_top_px
    box = Box(x, top, wide, METRICS.bar_px, "panel", "line", METRICS.radius_px)
    words = Label(x + _PAD_PX, top, wide, text, "text", is_bold=True, px=METRICS.bar_text_px, h=METRICS.bar_px)
    return [box, words]
