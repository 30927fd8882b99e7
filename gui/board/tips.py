"""Tips: what is said of the bar of the board under the mouse. They never change anything."""

from __future__ import annotations

from engine.schedule.reasons import reason
from gui.board.layout import BoardLayout
from gui.canvas.shapes import Point
from gui.gantt.fans import Fans
from gui.gantt.fence_words import fence_sentence
from gui.gantt.setup_words import setup_words
from gui.gantt.tips import finish_tip
from gui.plan_words import full_name, instant_text


def tip_at(layout: BoardLayout | None, at: Point, fans: Fans | None = None) -> str:
    """Whose bar it is, when that is, and why; nothing on the ground."""
    if layout is None:
        return ""
    bar = layout.bar_at(at)
    if bar is None:
        plan, scale = layout.state.plan, layout.scale
        return finish_tip(plan, fans, scale, at) or _of_setup(layout, at) or fence_sentence(plan, scale, at)
    state, task = layout.state, bar.slot.task.id
    dates = (instant_text(state.plan, when) for when in (state.schedule.start_of(task), state.schedule.finish_of(task)))
    return "\n".join(
        (full_name(state.plan, task), " \N{EN DASH} ".join(dates), *reason(state.plan, state.schedule, task))
    )


def _of_setup(layout: BoardLayout, at: Point) -> str:
    """What is said of the set-up at a place, if there is one."""
    number, tick = layout.rows.at(at[1] + layout.scroll_px), layout.scale.tick(at[0])
    if number is None or not layout.state.plan.changeovers:
        return ""
    row, setups = layout.rows.rows[number].id, layout.state.schedule.setups.values()
    found = next((s for s in setups if s.resource == row and s.start <= tick < s.finish), None)
    return "" if found is None else setup_words(layout.state.plan, found)
