"""LevelingPanel: how resources are to be leveled, what would move by that, and what stays overloaded.

It never levels: it shows a preview, and hands on the edit in it when a person applies it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from engine.model import Plan, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.schedule.leveling_options import LevelOptions, Rule, Scheme
from engine.schedule.leveling_reasons import Reason
from engine.session.leveling_preview import Move, Preview
from gui.canvas.calendar_ticks import instant_text
from gui.panels.task_list import Entry, TaskList
from gui.plan_words import change_text
from gui.theme import METRICS

translate = QCoreApplication.translate
_T = QT_TRANSLATE_NOOP

RULES: tuple[tuple[Rule, object], ...] = (
    (Rule.PRIORITY_STANDARD, _T("LevelingPanel", "Priority, then float")),
    (Rule.STANDARD, _T("LevelingPanel", "Float, then start")),
    (Rule.LATEST_FINISH, _T("LevelingPanel", "Late finish")),
    (Rule.MIN_SLACK, _T("LevelingPanel", "Least float")),
    (Rule.POSITIONAL_WEIGHT, _T("LevelingPanel", "Longest with what follows")),
    (Rule.ID, _T("LevelingPanel", "Order of rows")),
)
SCHEMES: tuple[tuple[Scheme, object], ...] = (
    (Scheme.SERIAL, _T("LevelingPanel", "The most urgent task first")),
    (Scheme.PARALLEL, _T("LevelingPanel", "What fits first")),
)
_PERCENT = 100


class LevelingPanel(QWidget):
    """`options_changed` carries LevelOptions, `applied` the Edit that levels; `canceled` and `again` ask to stop
    computing and to begin anew, `discarded` says that nobody wants the preview; `task_chosen` carries a task id.
    """

    options_changed = Signal(object)
    applied = Signal(object)
    discarded = Signal()
    canceled = Signal()
    again = Signal()
    task_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ground")
        self._preview: Preview | None = None
        self.rule = _combo(RULES, self.tr("Of two tasks that need the same, which comes first"))
        self.scheme = _combo(SCHEMES, self.tr("Which task is placed next"))
        self.within_float = QCheckBox(self.tr("Within &float"))
        self.within_float.setToolTip(self.tr("Delay no task by more than its float: the plan's finish holds"))
        self.splits = QCheckBox(self.tr("&Tasks may pause"))
        self.splits.setToolTip(self.tr("Let a task pause while its resource is busy elsewhere"))
        self.keeps = QCheckBox(self.tr("&Keep the selected tasks"))
        self.keeps.setToolTip(self.tr("Leave the tasks that are selected now where they are, and let others make way"))
        self._selected: frozenset[TaskId] = frozenset()
        self._kept: frozenset[TaskId] = frozenset()
        self.progress = QProgressBar()
        self.progress.setRange(0, _PERCENT)
        self.progress.setAccessibleName(self.tr("How much is leveled"))
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Stop computing; nothing is changed"))
        self.moves = TaskList(self.tr("Tasks that would move"), _titles())
        self.stays = TaskList(self.tr("What stays overloaded"), (self.tr("Task"), self.tr("When"), self.tr("Why")))
        self.apply = self.moves.add_button(
            self.tr("&Apply"), self.tr("Delay the tasks as listed, as one step that can be undone")
        )
        self.discard = self.moves.add_button(self.tr("&Discard"), self.tr("Change nothing and close this (Esc)"))
        self.setFocusProxy(self.rule)
        self.set_selection(())
        self._lay_out()
        self._connect()
        self.show_preview(None)

    def show_preview(self, preview: Preview | None) -> None:
        """What leveling would lead to; None while that is being found out."""
        self._preview = preview
        self.progress.hide()
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.setVisible(preview is None)
        self.apply.setEnabled(preview is not None and preview.edit is not None)
        if preview is None:
            self.moves.show_entries(self.tr("Leveling…"), ())
            self.stays.show_entries("", ())
            return
        plan = preview.state.plan
        self.moves.show_entries(
            self._sentence(preview), [Entry(m.task, partial(_moved, plan, m)) for m in preview.moves]
        )
        stays = [Entry(r.overload.tasks[0], partial(_stays, plan, r)) for r in preview.reasons]
        words = self.tr("Overloads: {before} before, {after} after.")
        self.stays.show_entries(words.format(before=preview.overloads, after=len(stays)), stays)

    def show_progress(self, share: float) -> None:
        """So much is done, from 0 to 1; shown for what takes long."""
        self.progress.show()
        self.progress.setValue(round(share * _PERCENT))

    def show_failure(self, sentence: str) -> None:
        """There is no preview, and why."""
        self.progress.hide()
        self.cancel.setText(self.tr("Try again"))
        self.moves.show_entries(sentence, ())

    def options(self) -> LevelOptions:
        """How to level, as chosen here."""
        return LevelOptions(
            scheme=SCHEMES[self.scheme.currentIndex()][0],
            rule=RULES[self.rule.currentIndex()][0],
            is_within_slack=self.within_float.isChecked(),
            splits_tasks=self.splits.isChecked(),
            frozen=self._kept,
        )

    def set_selection(self, tasks: Sequence[TaskId]) -> None:
        """Other tasks are selected; those that are kept stay the ones that were when that was asked."""
        self._selected = frozenset(tasks)
        self.keeps.setEnabled(bool(tasks) or self.keeps.isChecked())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.discarded.emit()
        else:
            event.ignore()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(4 * METRICS.grid_px, METRICS.grid_px, 4 * METRICS.grid_px, 0)
        row.setSpacing(2 * METRICS.grid_px)
        for text, combo in ((self.tr("&Order by"), self.rule), (self.tr("&Next is"), self.scheme)):
            label = QLabel(text)
            label.setBuddy(combo)
            row.addWidget(label)
            row.addWidget(combo)
        for widget in (self.within_float, self.splits, self.keeps, self.progress, self.cancel):
            row.addWidget(widget)
        row.addStretch(1)
        lists = QSplitter(Qt.Orientation.Horizontal)
        lists.setHandleWidth(1)
        lists.addWidget(self.moves)
        lists.addWidget(self.stays)
        lists.setStretchFactor(0, 3)
        lists.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(lists, 1)

    def _connect(self) -> None:
        for combo in (self.rule, self.scheme):
            combo.currentIndexChanged.connect(self._tell_options)
        for box in (self.within_float, self.splits):
            box.toggled.connect(self._tell_options)
        self.keeps.toggled.connect(self._keep)
        self.apply.clicked.connect(self._apply)
        self.discard.clicked.connect(self.discarded)
        self.cancel.clicked.connect(self._cancel)
        self.moves.task_chosen.connect(self.task_chosen)
        self.stays.task_chosen.connect(self.task_chosen)

    def _tell_options(self) -> None:
        self.options_changed.emit(self.options())

    def _keep(self, is_kept: bool) -> None:
        self._kept = self._selected if is_kept else frozenset()
        self.set_selection(tuple(self._selected))
        self._tell_options()

    def _apply(self) -> None:
        if self._preview is not None and self._preview.edit is not None:
            self.applied.emit(self._preview.edit)

    def _cancel(self) -> None:
        if self.cancel.text() == self.tr("Cancel"):
            self.canceled.emit()
            self.show_failure(self.tr("Canceled: nothing was changed."))
        else:
            self.again.emit()

    def _sentence(self, preview: Preview) -> str:
        old, new = preview.state.schedule.project_finish, preview.leveled.schedule.project_finish
        if not preview.overloads and preview.edit is None:
            return self.tr("No resource has more to do than it can: nothing would move.")
        if not preview.moves:
            return self.tr("Nothing would move.")
        plan = preview.state.plan
        finish = self.tr("the plan's finish stays {new}")
        if new != old:
            finish = self.tr("the plan's finish goes from {old} to {new} ({change})")
        finish = finish.format(old=instant_text(old), new=instant_text(new), change=_change(plan, old, new))
        count = self.tr("1 task would move") if len(preview.moves) == 1 else self.tr("{count} tasks would move")
        return f"{count.format(count=len(preview.moves))}; {finish}."


def _combo(choices: tuple[tuple[object, object], ...], tooltip: str) -> QComboBox:
    combo = QComboBox()
    combo.addItems([translate("LevelingPanel", str(text)) for _, text in choices])
    combo.setToolTip(tooltip)
    return combo


def _moved(plan: Plan, move: Move) -> tuple[str, ...]:
    (start, finish), (new_start, new_finish) = move.before, move.after
    by = _change(plan, start, new_start) or _change(plan, finish, new_finish)
    return plan.title_of(move.task), instant_text(start), instant_text(new_start), by, move.why


def _stays(plan: Plan, reason: Reason) -> tuple[str, ...]:
    return plan.title_of(reason.overload.tasks[0]), instant_text(reason.overload.first), reason.sentence


def _change(plan: Plan, before: Ticks, after: Ticks) -> str:
    """The working time between two instants, with its sign; nothing where there is none."""
    return change_text(plan, working_time(plan).between(before, after))


def _titles() -> tuple[str, ...]:
    return (
        translate("LevelingPanel", "Task"),
        translate("LevelingPanel", "Start"),
        translate("LevelingPanel", "Leveled start"),
        translate("LevelingPanel", "By"),
        translate("LevelingPanel", "Why"),
    )
