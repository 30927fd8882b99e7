"""ComparePanel: which tasks are dated otherwise than a baseline or another plan says, and by how much.

It never compares, and never changes a date.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem

from engine.model import Plan, Ticks
from engine.session.comparing import Comparison, Dated, Fate, Variance
from engine.session.state import State
from gui.bridge.comparing import Other
from gui.canvas.painter import draw
from gui.canvas.shapes import Box, Line, Shape
from gui.panels.task_list import Entry, TaskList
from gui.plan_words import change_text, full_name, instant_text
from gui.theme import LIGHT, Theme

_NOBODY = -1  # stands for the id of a task that the plan has no more
_BAR_PX = 10.0
_PAD_PX = 8.0
_LEAST_PX, _MOST_PX = 2.0, 240.0


class _Row(Entry):
    """A row with the share of the largest variance that its finish has, below zero where it is earlier."""

    def __init__(self, task: int, words: Callable[[], tuple[str, ...]], share: float) -> None:
        super().__init__(task, words)
        self.share = share


class _Bars(QStyledItemDelegate):
    """Draws how early or late a finish is as a bar to the left or right of the middle."""

    def __init__(self, panel: ComparePanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self.theme = LIGHT

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        entry = self._panel.entries[index.row()]
        if isinstance(entry, _Row):
            painter.save()
            painter.translate(option.rect.topLeft())
            size = (float(option.rect.width()), float(option.rect.height()))
            draw(painter, bar_shapes(entry.share, *size), self.theme)
            painter.restore()


def bar_shapes(share: float, width: float, height: float) -> list[Shape]:
    """A line in the middle, and from it a bar: to the right and critical for late, to the left and good for early."""
    middle = min(width, _MOST_PX) / 2
    most = max(middle - _PAD_PX, 0.0)
    shapes: list[Shape] = [Line(((middle, 3), (middle, height - 3)), "line")]
    if share:
        long = max(abs(share) * most, _LEAST_PX)
        left = middle if share > 0 else middle - long
        top = (height - _BAR_PX) / 2
        shapes.append(Box(left, top, long, _BAR_PX, "critical" if share > 0 else "good", radius=2))
    return shapes


class ComparePanel(TaskList):
    """`other_chosen` carries a baseline's number, or None; the buttons ask for baselines and for a file."""

    other_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(
            self.tr("Tasks that differ"),
            (
                self.tr("Task"),
                self.tr("What"),
                self.tr("Start"),
                self.tr("by"),
                self.tr("Finish"),
                self.tr("by"),
                self.tr("Duration by"),
                self.tr("Earlier | later"),
            ),
        )
        self.against = QComboBox()
        self.against.setAccessibleName(self.tr("Compare with"))
        self.against.setToolTip(
            self.tr("What the plan is compared with; a baseline stands under the bars of the chart")
        )
        self.against.activated.connect(self._choose_other)
        self._head.insertWidget(0, self.against, 0, Qt.AlignmentFlag.AlignTop)
        self.baselines = self.add_button(self.tr("&Baselines…"), self.tr("Set or remove a baseline"))
        self.file = self.add_button(self.tr("Compare with &file…"), self.tr("Compare the plan with that of a file"))
        self._others: object = None
        self._bars = _Bars(self)
        self.table.setItemDelegateForColumn(7, self._bars)
        self.show_comparison(None, None)

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self._bars.theme = theme
        self.table.viewport().update()

    def show_others(self, state: State | None, other: Other) -> None:
        """What there is to compare with, and what of it is chosen."""
        baselines = () if state is None else tuple((each.number, each.name) for each in state.plan.baselines)
        if (baselines, other) == self._others:
            return
        self._others = baselines, other
        self.against.clear()
        self.against.addItem(self.tr("Nothing"), None)
        for number, name in baselines:
            self.against.addItem(self.tr("{number}: {name}").format(number=number, name=name), number)
        if isinstance(other, str):
            self.against.addItem(other.replace("\\", "/").rpartition("/")[2], other)
        self.against.setCurrentIndex(max(self.against.findData(other), 0))

    def show_comparison(self, state: State | None, comparison: Comparison | None) -> None:
        """What differs; None while there is nothing to compare with, or nothing known yet."""
        if state is None or comparison is None:
            hint = self.tr(
                "Set a baseline to keep the dates as they are as a promise, or choose a file: what differs stands here."
            )
            self.show_entries(hint if self.against.currentData() is None else "", ())
            return
        most = max((abs(each.finish) for each in comparison.variances), default=0)
        rows = [
            _Row(
                _NOBODY if each.task is None else each.task,
                partial(self._words, state.plan, each),
                each.finish / most if most else 0.0,
            )
            for each in comparison.variances
        ]
        self.show_entries(self._sentence(state.plan, comparison), rows)

    def show_failure(self, sentence: str) -> None:
        """Why there is no comparison."""
        self.show_entries(sentence, ())

    def _choose_other(self, _: int) -> None:
        self.other_chosen.emit(self.against.currentData())

    def _sentence(self, plan: Plan, found: Comparison) -> str:
        counts = {fate: sum(each.fate is fate for each in found.variances) for fate in Fate}
        if not found.variances:
            one = self.tr("The only task is dated as “{title}” says.")
            many = self.tr("All {count} tasks are dated as “{title}” says.")
            return (one if found.count == 1 else many).format(count=f"{found.count:,}", title=found.title)
        words = self.tr("Against “{title}”: {moved} of {count} tasks differ, added {added}, removed {removed}; {plan}.")
        if counts[Fate.MOVED] == 1:
            words = self.tr("Against “{title}”: 1 of {count} tasks differs, added {added}, removed {removed}; {plan}.")
        late = change_text(plan, found.finish)
        finish = self.tr("the plan finishes {change} later").format(change=change_text(plan, found.finish).lstrip("+"))
        if found.finish < 0:
            earlier = change_text(plan, -found.finish).lstrip("+")
            finish = self.tr("the plan finishes {change} earlier").format(change=earlier)
        return words.format(
            title=found.title,
            moved=counts[Fate.MOVED],
            count=f"{found.count:,}",
            added=counts[Fate.ADDED],
            removed=counts[Fate.REMOVED],
            plan=finish if late else self.tr("the plan finishes as it did"),
        )

    def _words(self, plan: Plan, each: Variance) -> tuple[str, ...]:
        fates = {
            Fate.MOVED: self.tr("differs"),
            Fate.ADDED: self.tr("added"),
            Fate.REMOVED: self.tr("removed"),
        }
        dated: Dated | None = each.after or each.before
        start, finish = ("", "") if dated is None else _instants(plan, dated.start, dated.finish)
        changes = (change_text(plan, change) for change in (each.start, each.finish, each.duration))
        by_start, by_finish, by_duration = changes
        name = each.name or self.tr("a task that is gone")
        if each.task is not None and each.task in plan.rows:
            name = full_name(plan, each.task)
        return name, fates[each.fate], start, by_start, finish, by_finish, by_duration, ""


def _instants(plan: Plan, start: Ticks, finish: Ticks) -> tuple[str, str]:
    return instant_text(plan, start), instant_text(plan, finish)
