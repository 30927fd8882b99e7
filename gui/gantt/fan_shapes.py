"""Fan shapes: nested bands under milestones, summaries and what has a deadline: when it is done, and how sure.

From the tenth percent to the ninetieth a fan is thin, from the twentieth to the eightieth it is thick; a gap stands at
the half and a post at the eightieth. They never say when anything is done: answers do.
"""

from __future__ import annotations

from engine.session.risking import FinishAnswer
from gui.canvas.shapes import Box, Dash, Label, Line, Point, Shape
from gui.gantt.bar_shapes import FAR_PX, HALF_PX
from gui.gantt.bars import BOTTOM_PX, Bar, BarKind, Layout
from gui.gantt.extras import Extras
from gui.gantt.fans import Fan, Fans, post_text
from gui.gantt.labels import label_of
from gui.theme import METRICS

COLOR, POST_COLOR, BEFORE_COLOR = "accent", "text", "muted"
TOP_PX = BOTTOM_PX + 1.0
_HIGH_PX = 5.0
_POST_TOP_PX = BOTTOM_PX - 1.0
_POST_PX = 2.0
_THIN_SHARE = 0.4
_GAP_PX = 2.0
_WORDS_GAP_PX = 4.0
_WORDS_HIGH_PX = 8.0
_REACH_PX = 3.0
# With less than this between its ends a fan is its post alone.
_LEAST_PX = 4.0


def fan_shapes(layout: Layout, extras: Extras, fans: Fans, bars: list[Bar]) -> list[Shape]:
    """The fans under the bars of these rows; where something is held also what was before it, as an outline."""
    shapes: list[Shape] = []
    width = layout.scale.width_px
    for bar in bars:
        found, before = fans.items.get(bar.task.id), fans.items_before.get(bar.task.id)
        fan = None if found is None else Fan.of(found, layout.scale)
        was = None if before is None else Fan.of(before, layout.scale)
        if was is not None and was.is_seen(width) and not (fan is not None and fan.is_near(was)):
            shapes += outline(was, bar.y + TOP_PX, _HIGH_PX, width)
        if found is not None and fan is not None and fan.is_seen(width):
            shapes += band_shapes(fan, bar.y + TOP_PX, _HIGH_PX, width)
            shapes += post_shapes(fan.p80, bar.y + _POST_TOP_PX, bar.y + METRICS.row_px - 0.5)
            if bar.kind is not BarKind.SUMMARY:
                shapes += _words(layout, extras, bar, fan, found)
    return shapes


def band_shapes(fan: Fan, top: float, high: float, width_px: float) -> list[Shape]:
    """The bands alone: thin, thick, and the gap at the half."""
    if fan.p90 - fan.p10 < _LEAST_PX:
        return []
    thin = high * _THIN_SHARE
    shapes: list[Shape] = [
        Box(*_cut(fan.p10, fan.p90, width_px, (top + (high - thin) / 2, thin)), COLOR),
        Box(*_cut(fan.p20, fan.p80, width_px, (top, high)), COLOR),
    ]
    if fan.p80 - fan.p20 >= 2 * _LEAST_PX:
        shapes.append(Box(fan.p50 - _GAP_PX / 2, top, _GAP_PX, high, "panel"))
    return shapes


def post_shapes(x: float, top: float, bottom: float) -> list[Shape]:
    """The post at the eightieth percent."""
    return [Box(x - _POST_PX / 2, top, _POST_PX, bottom - top, POST_COLOR)]


def outline(fan: Fan, top: float, high: float, width_px: float) -> list[Shape]:
    """What was said before, in faint lines."""
    left, _, wide, _ = _cut(fan.p10, fan.p90, width_px, (top, high))
    post = Line(((fan.p80, top - 1), (fan.p80, top + high + 1)), BEFORE_COLOR, 1.0, Dash.DOTTED)
    return [Box(left, top, wide, high, "", f"{BEFORE_COLOR}:70"), post]


def fan_at(layout: Layout, fans: Fans, at: Point) -> FinishAnswer | None:
    """What a fan says that lies at a place; None beside all of them."""
    row = layout.row_at(at[1])
    if row is None:
        return None
    bar = layout.bar(row)
    found = fans.items.get(bar.task.id)
    if found is None or at[1] - bar.y < TOP_PX:
        return None
    fan = Fan.of(found, layout.scale)
    return found if fan.p10 - _REACH_PX <= at[0] <= fan.p90 + _REACH_PX else None


def _words(layout: Layout, extras: Extras, bar: Bar, fan: Fan, found: FinishAnswer) -> list[Shape]:
    """The date of the post, right of the fan and of a name above, or left of the fan; none where there is no room."""
    width, words = layout.scale.width_px, post_text(layout.state.plan, found)
    if not 0 <= fan.p80 <= width:
        return []
    wide = extras.text_width(words, METRICS.ghost_px, False)
    name = label_of(layout, bar, extras)
    right, left = fan.p90 + _WORDS_GAP_PX, fan.p10 - _WORDS_GAP_PX - wide
    if name is not None and name.x < right + wide and right < name.x + name.w:
        right = name.x + name.w + _WORDS_GAP_PX
    x = right if right + wide <= width else left
    if x < 0 or (x == left and left < bar.right + HALF_PX and bar.left - HALF_PX < left + wide):
        return []
    top = bar.y + METRICS.row_px - _WORDS_HIGH_PX - 0.5
    return [Label(x, top, wide, words, POST_COLOR, px=METRICS.ghost_px, h=_WORDS_HIGH_PX)]


def _cut(left: float, right: float, width_px: float, band: tuple[float, float]) -> tuple[float, float, float, float]:
    """A box no farther out of sight than needs be: a coordinate of millions is drawn wrongly."""
    left, right = max(left, -FAR_PX), min(right, width_px + FAR_PX)
    return left, band[0], max(right - left, 0.0), band[1]
