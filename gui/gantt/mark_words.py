"""Mark words: what pins and deadlines of the chart mean, as sentences. They never say why a date is what it is."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.model import ConstraintKind
from gui.canvas.shapes import Point
from gui.gantt.bars import Bar, Layout
from gui.gantt.marks import is_broken, is_deadline_at, is_pin_at
from gui.gantt.words import instant_text, length_text

_T = QT_TRANSLATE_NOOP
_PINS: dict[ConstraintKind, object] = {
    ConstraintKind.START_NO_EARLIER_THAN: _T("Marks", "It starts no earlier than {date}."),
    ConstraintKind.START_NO_LATER_THAN: _T("Marks", "It should start no later than {date}."),
    ConstraintKind.FINISH_NO_EARLIER_THAN: _T("Marks", "It finishes no earlier than {date}."),
    ConstraintKind.FINISH_NO_LATER_THAN: _T("Marks", "It should finish no later than {date}."),
    ConstraintKind.MUST_START_ON: _T("Marks", "It must start on {date}."),
    ConstraintKind.MUST_FINISH_ON: _T("Marks", "It must finish on {date}."),
}


def mark_sentence(layout: Layout, at: Point) -> str:
    """What the pin or the deadline at a place says; nothing where there is none."""
    row = layout.row_at(at[1])
    if row is None:
        return ""
    bar = layout.bar(row)
    if is_pin_at(layout, bar, at):
        return pin_sentence(layout, bar)
    return deadline_sentence(layout, bar) if is_deadline_at(layout, bar, at) else ""


def pin_sentence(layout: Layout, bar: Bar) -> str:
    """What a person asked of a date, whether it is kept, and how to let it go."""
    task, plan = bar.task, layout.state.plan
    text = _tr(str(_PINS[task.constraint])).format(date=instant_text(plan, task.constraint_at))
    if is_broken(layout, bar):
        text += " " + _tr("Its dates break that.")
    if task.pin is not None:
        text += " " + _tr("Click and press Delete to let it go.")
    return text


def deadline_sentence(layout: Layout, bar: Bar) -> str:
    """A deadline, and by how much working time it is kept or missed."""
    deadline, plan, dates = bar.task.deadline, layout.state.plan, layout.state.schedule
    if deadline is None:
        return ""
    finish = int(dates.finish[bar.plan_row])
    apart = length_text(plan, bar.task, abs(dates.working_time_of(bar.task.id).between(finish, deadline)))
    text = _tr("Deadline {date}: missed by {time}.") if finish > deadline else _tr("Deadline {date}: {time} to spare.")
    return text.format(date=instant_text(plan, deadline), time=apart)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Marks", text)
