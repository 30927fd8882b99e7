"""RiskHead: what is asked of how sure a plan is, and the answers in words. It never simulates."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.model import Clock, TaskId, Ticks
from engine.session.risking import Outlook
from engine.session.state import State
from gui.bridge.risking import Risk
from gui.dialogs.instant_field import InstantField
from gui.panels.risk_figures import things
from gui.panels.risk_words import buffer_words, chance_words, change_words, headline, sure_words
from gui.plan_words import full_name
from gui.theme import METRICS

_BAR_PX = 4


class RiskHead(QWidget):
    """`asked` says that something else is asked for: another thing, confidence or date; `canceled` that no more
    samples are wanted.
    """

    asked = Signal()
    canceled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.what = QComboBox()
        self.what.setAccessibleName(self.tr("What is shown"))
        self.what.setToolTip(
            self.tr("Show when the project may be done, or a milestone, a summary, a task with a date")
        )
        self.head, self.change = _wrapped("title"), _wrapped("")
        self.sure, self.buffer, self.fault = _wrapped("muted"), _wrapped("muted"), _wrapped("error")
        self.percent = QSpinBox()
        self.percent.setRange(1, 99)
        self.percent.setValue(80)
        self.percent.setSuffix(" %")
        self.percent.setAccessibleName(self.tr("Confidence"))
        self.percent.setToolTip(self.tr("How sure the date is to be: the date and the buffer for it are told"))
        self.date = InstantField(self.tr("Date"))
        self.date.setToolTip(self.tr("By which date: the chance to be done by then is told"))
        self.chance = _wrapped("title")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(_BAR_PX)
        self.progress.setAccessibleName(self.tr("Samples so far"))
        self.cancel = QPushButton(self.tr("&Enough"))
        self.cancel.setToolTip(self.tr("Simulate no further until the plan changes; what is known stays"))
        self._is_dated = False
        self._task: TaskId | None = None
        self._form = QFormLayout()
        self._lay_out()
        self.what.currentIndexChanged.connect(self._choose)
        self.percent.valueChanged.connect(self.asked)
        self.date.instant_changed.connect(self.set_date)
        self.cancel.clicked.connect(self.canceled)

    @property
    def task(self) -> TaskId | None:
        """What is asked about: a task, or None for the project."""
        return self._task

    @property
    def confidence(self) -> float:
        """How sure a date is to be, 0 to 1."""
        return self.percent.value() / 100

    def set_confidence(self, confidence: float) -> None:
        """Ask for another confidence."""
        self.percent.setValue(round(100 * confidence))

    def set_date(self, instant: Ticks) -> None:
        """Ask for the chance to be done by an instant."""
        self._is_dated = True
        self.date.show_instant(instant)
        self.asked.emit()

    def show_things(self, risk: Risk) -> None:
        """What can be asked about; what was asked about stays where it is still there."""
        if risk.answers is None or (risk.is_trial and self.what.count()):
            return
        found = things(risk.state, risk.answers)
        known = [self.what.itemData(place) for place in range(self.what.count())]
        names = [self._name(risk.state, task) for task in found]
        if known == list(found) and names == [self.what.itemText(place) for place in range(self.what.count())]:
            return
        with QSignalBlocker(self.what):
            self.what.clear()
            for task, name in zip(found, names, strict=True):
                self.what.addItem(name, task)
            self._task = self._task if self._task in found else None
            self.what.setCurrentIndex(found.index(self._task))

    def show_outlook(self, risk: Risk, now: Outlook, before: Outlook | None) -> None:
        """The answers to what is asked, in words."""
        state, confidence = risk.state, self.confidence
        self.head.setText(headline(state.plan, now, confidence))
        self.sure.setText(sure_words(state, now, confidence))
        self.change.setText(change_words(state, now, before, confidence))
        self.change.setVisible(bool(self.change.text()))
        self.buffer.setText(buffer_words(state, now, confidence))
        is_calendar = state.plan.clock is Clock.CALENDAR
        for row in (self.date, self.chance):
            self._form.setRowVisible(row, is_calendar)
        if not self._is_dated and is_calendar and not self.date.hasFocus():
            self.date.show_instant(now.planned)
        self.chance.setText(chance_words(now.chance_by(self.date.instant)))
        self.fault.setText(risk.sentence)
        self.fault.setVisible(bool(risk.sentence))
        self.progress.setRange(0, risk.wanted)
        self.progress.setValue(risk.samples)
        self.cancel.setEnabled(not risk.is_over)

    def forget(self) -> None:
        """Another plan: nothing was asked of it."""
        self._is_dated, self._task = False, None
        with QSignalBlocker(self.what):
            self.what.clear()

    def _name(self, state: State, task: TaskId | None) -> str:
        return self.tr("The whole plan") if task is None else full_name(state.plan, task)

    def _choose(self) -> None:
        self._task = self.what.currentData()
        self._is_dated = False
        self.asked.emit()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * METRICS.grid_px, 2 * METRICS.grid_px, 4 * METRICS.grid_px, 2 * METRICS.grid_px)
        for widget in (self.what, self.head, self.change, self.sure, self.fault):
            column.addWidget(widget)
        form = self._form
        form.addRow(self.tr("&Confidence"), self.percent)
        form.addRow(self.tr("&Done by"), self.date)
        form.addRow(self.tr("Chance"), self.chance)
        column.addLayout(form)
        column.addWidget(self.buffer)
        column.addStretch(1)
        row = QHBoxLayout()
        row.addWidget(self.progress, 1)
        row.addWidget(self.cancel)
        column.addLayout(row)


def _wrapped(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label
