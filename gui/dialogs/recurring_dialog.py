"""RecurringDialog: a task that takes place again and again: what, when, how often. It never dates a plan.

While it is filled in it says how often that is, from when to when, and what moves onto working time.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QWidget,
)

from engine.errors import EngineError, PlanError
from engine.model import DAY, Plan, TaskId, Ticks
from engine.session.edits import Edit
from engine.session.recurring import MOST_TIMES, InsertRecurring, Occurrences
from engine.session.state import State
from engine.session.typed_times import read_length
from gui.bridge import Bridge
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.instant_field import InstantField
from gui.dialogs.rule_fields import RuleFields
from gui.plan_words import instant_text
from gui.theme import METRICS

translate = QCoreApplication.translate

_TIMES = 10
_SHOWN = 2  # of those that move so many are named
_WIDTH_PX = 460


class RecurringDialog(FormDialog):
    """A new recurring task below the task `after`, on the calendar of the plan or one of the others."""

    def __init__(self, bridge: Bridge, state: State, after: TaskId | None, parent: QWidget) -> None:
        title = translate("RecurringDialog", "Insert recurring task")
        super().__init__(bridge, title, title, parent)
        self._state, self._after = state, after
        first = state.plan.start if after is None else max(state.schedule.start_of(after), state.plan.start)
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("Weekly meeting"))
        self.length = QLineEdit("1h")
        self.length.setToolTip(self.tr("How long it takes each time: 1h, 30m, 2d; 5eh by the clock; 0: a milestone"))
        self.first = InstantField(self.tr("First time"))
        self.first.show_instant(first)
        self.first.setToolTip(self.tr("From then on, always at this time of day"))
        self.rule = RuleFields(first)
        self.ends = QComboBox()
        self.ends.addItems([self.tr("after so many times"), self.tr("on the day")])
        self.times = QSpinBox()
        self.times.setRange(1, MOST_TIMES)
        self.times.setValue(_TIMES)
        self.times.setAccessibleName(self.tr("How many times"))
        self.until = InstantField(self.tr("Last day"))
        self.until.setDisplayFormat("ddd d MMM yyyy")
        self.until.show_instant(max(state.schedule.project_finish, first))
        self.calendar = QComboBox()
        self.calendar.addItem(self.tr("the plan's"), None)
        for calendar in state.plan.calendars:
            self.calendar.addItem(calendar.name, calendar.id)
        self.calendar.setToolTip(self.tr("What is not worked by it moves to the next day that is"))
        self.said = QLabel()
        self.said.setProperty("role", "muted")
        self.said.setWordWrap(True)
        self.setMinimumWidth(_WIDTH_PX)
        self._lay_out()
        self._connect()
        self._tell()

    def edits(self) -> list[Edit]:
        """One that inserts all of it. Raises PlanError where something that was entered cannot be."""
        return [self._edit()]

    def accept(self) -> None:
        """Insert it, close, and say what moved onto working time."""
        plan = self._state.plan
        super().accept()
        if self.result():
            edit = self._edit()
            words = self.tr("“{name}” is inserted: {said}")
            self.bridge.message.emit(words.format(name=edit.name.strip(), said=_said(plan, edit.occurrences(plan))))

    def _edit(self) -> InsertRecurring:
        span = read_length(self._state.plan, self.length.text())
        if span is None:
            words = self.tr("“{text}” is no length of time: write 1h, 30m or 2d.")
            raise PlanError(words.format(text=self.length.text()))
        if not self.rule.has_day:
            raise PlanError(self.tr("Choose a weekday on which it takes place."))
        is_counted = self.ends.currentIndex() == 0
        return InsertRecurring(
            self.name.text(),
            span.ticks,
            self.first.instant,
            self.rule.rule(self.times.value() if is_counted else 0),
            None if is_counted else self.until.instant // DAY * DAY,
            self.calendar.currentData(),
            self._after,
            span.is_elapsed,
        )

    def _lay_out(self) -> None:
        page, form, end = QWidget(), QFormLayout(), QHBoxLayout()
        form.setHorizontalSpacing(3 * METRICS.grid_px)
        form.setVerticalSpacing(METRICS.grid_px)
        # On a narrow screen a field stands below its name.
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._end = QStackedWidget()
        self._end.addWidget(self.times)
        self._end.addWidget(self.until)
        self._end.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        end.addWidget(self.ends)
        end.addWidget(self._end, 1)
        form.addRow(self.tr("&Name"), self.name)
        form.addRow(self.tr("&Takes"), self.length)
        form.addRow(self.tr("&First time"), self.first)
        form.addRow(_label(self.tr("&Every"), self.rule.period), self.rule)
        form.addRow(_label(self.tr("En&ds"), self.ends), end)
        form.addRow(self.tr("On &calendar"), self.calendar)
        form.addRow(self.said)
        page.setLayout(form)
        self.lay_out(page)

    def _connect(self) -> None:
        self.ends.currentIndexChanged.connect(self._end.setCurrentIndex)
        for signal in (
            self.length.textChanged,
            self.first.dateTimeChanged,
            self.until.dateTimeChanged,
            self.rule.changed,
            self.ends.currentIndexChanged,
            self.times.valueChanged,
            self.calendar.currentIndexChanged,
        ):
            signal.connect(self._tell)

    def _tell(self) -> None:
        """When it takes place by what is entered so far, or why it cannot."""
        plan = self._state.plan
        try:
            self.said.setText(_said(plan, self._edit().occurrences(plan)))
        except EngineError as error:
            self.said.setText(error.sentence)


def _said(plan: Plan, found: Occurrences) -> str:
    """Such as: 12 times, the first on ..., the last on .... Moved to working time: ... to ...."""
    moved = [each for each in found.kept if each.is_moved]
    one = translate("RecurringDialog", "Once, {first}.")
    many = translate("RecurringDialog", "{count} times, the first {first}, the last {last}.")
    first, last = _at(plan, found.kept[0].start), _at(plan, found.kept[-1].start)
    words = [(one if len(found.kept) == 1 else many).format(count=len(found.kept), first=first, last=last)]
    if moved:
        named = "; ".join(f"{_at(plan, each.wanted)} → {_at(plan, each.start)}" for each in moved[:_SHOWN])
        more = translate("RecurringDialog", " and {count} more").format(count=len(moved) - _SHOWN)
        sentence = translate("RecurringDialog", "Moved to working time: {named}{more}.")
        words.append(sentence.format(named=named, more=more if len(moved) > _SHOWN else ""))
    if found.left_out:
        sentence = translate("RecurringDialog", "{count} on days off are left out, since another follows them.")
        words.append(sentence.format(count=len(found.left_out)))
    return " ".join(words)


def _label(text: str, field: QWidget) -> QLabel:
    """The name of several fields, whose letter goes to the first."""
    label = QLabel(text)
    label.setBuddy(field)
    return label


def _at(plan: Plan, instant: Ticks) -> str:
    return instant_text(plan, instant)
