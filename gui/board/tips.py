"""Tips: what is said of the bar of the board under the mouse. They never change anything."""

from __future__ import annotations

from engine.schedule.reasons import reason
from gui.board.layout import BoardLayout
from gui.canvas.shapes import Point
from gui.plan_words import full_name, instant_text


def tip_at(layout: BoardLayout | None, at: Point) -> str:
    """Whose bar it is, when that is, and why; nothing on the ground."""
    bar = None if layout is None else layout.bar_at(at)
    if layout is None or bar is None:
        return ""
    state, task = layout.state, bar.slot.task.id
    dates = (instant_text(state.plan, when) for when in (state.schedule.start_of(task), state.schedule.finish_of(task)))
    return "\n".join(
        (full_name(state.plan, task), " \N{EN DASH} ".join(dates), *reason(state.plan, state.schedule, task))
    )
