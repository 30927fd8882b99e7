"""Tips: what is said of the part of a chart under the mouse. They never change anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from engine.session.scenarios import Branch
from gui.canvas.shapes import Point
from gui.gantt.bars import Layout
from gui.gantt.fence_words import fence_sentence
from gui.gantt.ghosts import ghost_words
from gui.gantt.hit import hit_at
from gui.gantt.mark_words import mark_sentence
from gui.gantt.setup_words import setup_words

translate = QCoreApplication.translate


def tip_at(layout: Layout | None, at: Point, of_row: Callable[[int], str], branches: Sequence[Branch] = ()) -> str:
    """The sentence of a mark, a branch's strip, or of the row whose bar is there; none on the ground."""
    if layout is None:
        return ""
    if ghost := ghost_words(layout, branches, at, translate("Ghosts", "In “{branch}”: {start} to {finish}")):
        return ghost
    hit = hit_at(layout, at)
    if said := mark_sentence(layout, at):
        return said
    if hit is not None:
        return of_row(layout.rows.row_of[hit.task])
    return _of_setup(layout, at) or fence_sentence(layout.state.plan, layout.scale, at)


def _of_setup(layout: Layout, at: Point) -> str:
    """What is said of the set-up before a bar, if that is at a place."""
    row = layout.row_at(at[1])
    if row is None or not layout.state.plan.changeovers:
        return ""
    setup = layout.state.schedule.setups.get(layout.rows.tasks[row].id)
    is_at = setup is not None and setup.start <= layout.scale.tick(at[0]) < setup.finish
    return setup_words(layout.state.plan, setup) if setup is not None and is_at else ""
