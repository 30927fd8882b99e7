"""Tips: what is said of the part of a chart under the mouse. They never change anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from engine.model import Plan
from engine.session.scenarios import Branch
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Bar, Layout
from gui.gantt.fan_shapes import fan_at
from gui.gantt.fan_words import deadline_lines, finish_sentences, share_sentence
from gui.gantt.fans import Fans
from gui.gantt.fence_words import fence_sentence
from gui.gantt.finish_fan import is_finish_at
from gui.gantt.ghosts import ghost_words
from gui.gantt.hit import hit_at
from gui.gantt.mark_words import mark_sentence
from gui.gantt.marks import is_deadline_at
from gui.gantt.setup_words import setup_words

translate = QCoreApplication.translate


def tip_at(
    layout: Layout | None,
    at: Point,
    of_row: Callable[[int], str],
    branches: Sequence[Branch] = (),
    fans: Fans | None = None,
) -> str:
    """The sentence of a mark, a branch's strip, a fan, or of the row whose bar is there; none on the ground."""
    if layout is None:
        return ""
    if ghost := ghost_words(layout, branches, at, translate("Ghosts", "In “{branch}”: {start} to {finish}")):
        return ghost
    hit = hit_at(layout, at)
    if said := mark_sentence(layout, at):
        return "\n".join((said, *_chances(layout, fans, at)))
    plan = layout.state.plan
    if fans is not None and (found := fan_at(layout, fans, at)):
        return finish_sentences(plan, fans.answers, found)
    if hit is not None:
        row = layout.rows.row_of[hit.task]
        return "\n".join(filter(None, (of_row(row), _share(layout.bar(row), fans))))
    return finish_tip(plan, fans, layout.scale, at) or _of_setup(layout, at) or fence_sentence(plan, layout.scale, at)


def finish_tip(plan: Plan, fans: Fans | None, scale: TimeScale, at: Point) -> str:
    """What the fan of the plan's end says to a mouse on it, on the chart and on the board; nothing elsewhere."""
    if fans is None or not is_finish_at(fans, scale, at):
        return ""
    return finish_sentences(plan, fans.answers, fans.answers.project)


def _chances(layout: Layout, fans: Fans | None, at: Point) -> list[str]:
    """The chance to meet the deadline whose arrow lies at a place, where that is known."""
    row = layout.row_at(at[1])
    if fans is None or row is None or not is_deadline_at(layout, layout.bar(row), at):
        return []
    return deadline_lines(layout.state.plan, fans.answers, layout.bar(row).task.id)


def _share(bar: Bar, fans: Fans | None) -> str:
    """How often a bar's task is critical, where that is known."""
    share = None if fans is None else fans.shares.of(bar)
    return "" if fans is None or share is None else share_sentence(fans.answers, share)


def _of_setup(layout: Layout, at: Point) -> str:
    """What is said of the set-up before a bar, if that is at a place."""
    row = layout.row_at(at[1])
    if row is None or not layout.state.plan.changeovers:
        return ""
    setup = layout.state.schedule.setups.get(layout.rows.tasks[row].id)
    is_at = setup is not None and setup.start <= layout.scale.tick(at[0]) < setup.finish
    return setup_words(layout.state.plan, setup) if setup is not None and is_at else ""
