"""Finish fan: how sure the end of the whole plan is, hung under the time axis, with its post through all rows.

The chart and the board have the same one. It never says what the samples are of.
"""

from __future__ import annotations

from engine.model import Plan
from engine.schedule.cpm import working_time
from engine.session.risking import Answers
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Box, Dash, Label, Line, Point, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.fan_shapes import BEFORE_COLOR, COLOR, POST_COLOR, band_shapes, outline
from gui.gantt.fans import Fan, Fans, half_text, is_open, post_text
from gui.gantt.words import change_text
from gui.theme import METRICS

HIGH_PX = 9.0
_TOP_PX = 2.0
_TINT = f"{COLOR}:6"
_PAD_PX = 5.0
_WORDS_HIGH_PX = 15.0
_WORDS_GAP_PX = 6.0
_REACH_PX = 3.0


def finish_shapes(plan: Plan, fans: Fans, scale: TimeScale, height_px: float, text_width: TextWidth) -> list[Shape]:
    """The fan of the plan's end; where something is held also what was before it, as an outline."""
    found, width = fans.answers.project, scale.width_px
    before = None if fans.before is None else fans.before.project
    fan, was = Fan.of(found, scale), None if before is None else Fan.of(before, scale)
    shapes: list[Shape] = []
    if was is not None and before is not None and is_open(before) and was.is_seen(width) and not fan.is_near(was):
        shapes += outline(was, _TOP_PX, HIGH_PX, width)
        shapes.append(Line(((was.p80, 0.0), (was.p80, height_px)), BEFORE_COLOR, 1.0, Dash.DASHED))
    if not is_open(found):
        return shapes
    if not 0 <= fan.p80 <= width and before is not None:
        shapes += _words(_beyond(_said(plan, fans), is_later=fan.p80 > 0), fan, width, text_width)
    if not fan.is_seen(width):
        return shapes
    shapes.insert(0, Box(max(fan.p10, 0.0), 0.0, max(min(fan.p90, width) - max(fan.p10, 0.0), 0.0), height_px, _TINT))
    shapes += band_shapes(fan, _TOP_PX, HIGH_PX, width)
    shapes.append(Line(((fan.p80, 0.0), (fan.p80, height_px)), COLOR, 1.0))
    shapes.append(Box(fan.p80 - 1.0, 0.0, 2.0, HIGH_PX + 2 * _TOP_PX, POST_COLOR))
    return shapes + (_words(_said(plan, fans), fan, width, text_width) if 0 <= fan.p80 <= width else [])


def is_finish_at(fans: Fans, scale: TimeScale, at: Point) -> bool:
    """Whether the fan of the plan's end, or its post, lies at a place."""
    if not is_open(fans.answers.project):
        return False
    fan = Fan.of(fans.answers.project, scale)
    if abs(at[0] - fan.p80) <= _REACH_PX:
        return True
    return 0 <= at[1] <= HIGH_PX + 2 * _TOP_PX and fan.p10 - _REACH_PX <= at[0] <= fan.p90 + _REACH_PX


def _said(plan: Plan, fans: Fans) -> tuple[str, str]:
    """The date of the post, and what is said beside it: by how much it moved, else the half."""
    found, before = fans.answers.project, fans.before
    moved = "" if before is None else change_text(plan, _moved(plan, before, fans.answers), is_rough=True)
    return post_text(plan, found), moved or half_text(plan, found)


def _moved(plan: Plan, before: Answers, after: Answers) -> int:
    """By how much working time the post is later."""
    one, other = before.project.p80.value, after.project.p80.value
    time = working_time(plan)
    return time.between(one, other) if other >= one else -time.between(other, one)


def _beyond(said: tuple[str, str], *, is_later: bool) -> tuple[str, str]:
    """What is said of a post that what is held has moved out of sight, with an arrow to where it is."""
    post, more = said
    return (post, f"{more} \N{RIGHTWARDS ARROW}") if is_later else (f"\N{LEFTWARDS ARROW} {post}", more)


def _words(said: tuple[str, str], fan: Fan, width_px: float, text_width: TextWidth) -> list[Shape]:
    """Beside the fan, right of it or left, else below it."""
    post, more = said
    first = text_width(post, METRICS.label_px, True)
    wide = first + _PAD_PX + text_width(more, METRICS.label_px, False) + 2 * _PAD_PX
    right, left = fan.p90 + _WORDS_GAP_PX, fan.p10 - _WORDS_GAP_PX - wide
    x, y = (right if right + wide <= width_px else left), 0.0
    if not 0 <= x <= width_px - wide:
        x, y = max(min(fan.p80 + _WORDS_GAP_PX, width_px - wide), 0.0), HIGH_PX + 2 * _TOP_PX
    px, high = METRICS.label_px, _WORDS_HIGH_PX
    return [
        Box(x, y, wide, high, "panel", "line", METRICS.radius_px),
        Label(x + _PAD_PX, y, first, post, POST_COLOR, is_bold=True, px=px, h=high),
        Label(x + 2 * _PAD_PX + first, y, wide, more, "muted", px=px, h=high),
    ]
