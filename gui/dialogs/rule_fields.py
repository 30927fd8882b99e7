"""RuleFields: how a task recurs: every so many days, weeks on weekdays, or months. They never say when that is."""

from __future__ import annotations

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.model import DAY, Recurrence, RecurrenceKind, Ticks
from gui.canvas.calendar_words import calendar_words
from gui.dialogs.week_fields import weekday_names
from gui.theme import METRICS

_MOST = 99
_ON_DAY, _LAST = 0, 5  # what stands in the choice of days of a month, beside the first to the fourth


class RuleFields(QWidget):
    """`changed` says that it is another rule now."""

    changed = Signal()

    def __init__(self, first: Ticks) -> None:
        super().__init__()
        day = QDate(1970, 1, 1).addDays(first // DAY)
        weekday = day.dayOfWeek() - 1
        self.period = QSpinBox()
        self.period.setRange(1, _MOST)
        self.period.setAccessibleName(self.tr("How many days, weeks or months apart"))
        self.unit = QComboBox()
        for kind, name in (
            (RecurrenceKind.DAILY, self.tr("days")),
            (RecurrenceKind.WEEKLY, self.tr("weeks")),
            (RecurrenceKind.MONTHLY_DAY, self.tr("months")),
        ):
            self.unit.addItem(name, kind)
        self.unit.setCurrentIndex(1)
        self.unit.setAccessibleName(self.tr("Days, weeks or months"))
        self.weekdays = [QCheckBox(name) for name in calendar_words().short_days]
        for box, name in zip(self.weekdays, weekday_names(), strict=True):
            box.setAccessibleName(name)
            box.setToolTip(name)
        self.weekdays[weekday].setChecked(True)
        self.position = QComboBox()
        for position, name in (
            (_ON_DAY, self.tr("day")),
            (1, self.tr("first")),
            (2, self.tr("second")),
            (3, self.tr("third")),
            (4, self.tr("fourth")),
            (_LAST, self.tr("last")),
        ):
            self.position.addItem(name, position)
        self.position.setAccessibleName(self.tr("Which of a month"))
        self.month_day = QSpinBox()
        self.month_day.setRange(1, 31)
        self.month_day.setValue(day.day())
        self.month_day.setAccessibleName(self.tr("Day of the month"))
        self.month_day.setToolTip(self.tr("Of a shorter month its last day"))
        self.weekday = QComboBox()
        self.weekday.addItems(weekday_names())
        self.weekday.setCurrentIndex(weekday)
        self.weekday.setAccessibleName(self.tr("Weekday"))
        self._on, self._which = QStackedWidget(), QStackedWidget()
        self._lay_out()
        self._connect()
        self._offer()

    def rule(self, times: int) -> Recurrence:
        """What is chosen, so many times, 0: without an end; without a weekday it is none that ever takes place."""
        kind, period = self.unit.currentData(), self.period.value()
        if kind is RecurrenceKind.DAILY:
            return Recurrence(kind, period, occurrences=times)
        if kind is RecurrenceKind.WEEKLY:
            chosen = tuple(day for day, box in enumerate(self.weekdays) if box.isChecked())
            return Recurrence(kind, period, chosen, occurrences=times)
        position = self.position.currentData()
        if position == _ON_DAY:
            return Recurrence(kind, period, month_day=self.month_day.value(), occurrences=times)
        weekdays = (self.weekday.currentIndex(),)
        return Recurrence(RecurrenceKind.MONTHLY_POSITION, period, weekdays, position=position, occurrences=times)

    @property
    def has_day(self) -> bool:
        """Whether any day is chosen."""
        return self.unit.currentData() is not RecurrenceKind.WEEKLY or any(box.isChecked() for box in self.weekdays)

    def _lay_out(self) -> None:
        down, every = QVBoxLayout(self), QHBoxLayout()
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(METRICS.grid_px)
        every.addWidget(self.period)
        every.addWidget(self.unit, 1)
        for stack in (self._on, self._which):
            stack.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._which.addWidget(self.month_day)
        self._which.addWidget(self.weekday)
        for parts in ((), tuple(self.weekdays), (self.position, self._which)):
            self._on.addWidget(_beside(*parts))
        down.addLayout(every)
        down.addWidget(self._on)

    def _connect(self) -> None:
        for combo in (self.unit, self.position, self.weekday):
            combo.currentIndexChanged.connect(self._offer)
        for box in self.weekdays:
            box.toggled.connect(self._offer)
        for spin in (self.period, self.month_day):
            spin.valueChanged.connect(self._offer)

    def _offer(self) -> None:
        """What can be chosen of a week or a month, and that it is another rule now."""
        self._on.setCurrentIndex(self.unit.currentIndex())
        self._on.setVisible(self.unit.currentData() is not RecurrenceKind.DAILY)
        self._which.setCurrentIndex(0 if self.position.currentData() == _ON_DAY else 1)
        self.changed.emit()


def _beside(*parts: QWidget) -> QWidget:
    page, across = QWidget(), QHBoxLayout()
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(METRICS.grid_px)
    for part in parts:
        across.addWidget(part)
    across.addStretch(1)
    page.setLayout(across)
    return page
