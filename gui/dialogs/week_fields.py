"""WeekFields: seven days to type shifts into, each with what was understood beside it. It never knows a calendar."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from engine.errors import PlanError
from engine.model import Shift, Week
from gui.dialogs.shift_words import SAME, TypedDay, kept_week, parse_day, shifts_text, typed_week, understood
from gui.theme import METRICS

_FIELD_PX = 172
# As long as what is understood of a day can get: two figures behind the point, and until when on the next.
_LONGEST = TypedDay((Shift(11 * 3600, 23 * 3600 + 2700),), 8 * 3600)


class WeekFields(QWidget):
    """Monday first."""

    def __init__(self) -> None:
        super().__init__()
        self.days = [QLineEdit() for _ in range(7)]
        self.words = [QLabel() for _ in self.days]
        self._has_base = False
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(METRICS.grid_px)
        grid.setColumnStretch(1, 1)
        rests = self.tr("as the calendar it rests on")
        longest = (rests, *(understood(_LONGEST, name) for name in weekday_names()))
        widest = max(map(self.fontMetrics().horizontalAdvance, longest)) + METRICS.grid_px
        for row, (name, day, words) in enumerate(zip(_weekdays(), self.days, self.words, strict=True)):
            label = QLabel(name)
            label.setBuddy(day)
            day.setMinimumWidth(_FIELD_PX)
            day.setPlaceholderText(self.tr("day off"))
            words.setProperty("role", "muted")
            words.setMinimumWidth(widest)
            for column, part in enumerate((label, day, words)):
                grid.addWidget(part, row, column)
            day.textChanged.connect(self._say)

    @property
    def has_nights(self) -> bool:
        """Whether a day that can be read runs past midnight."""
        return any(day is not None and day.over for day in self._readable())

    def show_week(self, week: Week, *, has_base: bool) -> None:
        """A week, and whether a day of it may be that of another calendar."""
        self._has_base = has_base
        for field, day in zip(self.days, typed_week(week), strict=True):
            field.setText(SAME if day is None else shifts_text(day.shifts, day.over))
        self._say()

    def week(self) -> Week:
        """What was typed. Raises PlanError that names it, with the keyboard at the day that is wrong."""
        days = []
        for field in self.days:
            try:
                days.append(self._typed(field))
            except PlanError:
                field.setFocus()
                raise
        return kept_week(days, weekday_names())

    def _typed(self, field: QLineEdit) -> TypedDay | None:
        text = field.text().strip()
        return None if text == SAME and self._has_base else parse_day(text.replace(SAME, ""))

    def _readable(self) -> list[TypedDay | None]:
        """The days, with nothing in the place of those that cannot be read."""
        found: list[TypedDay | None] = []
        for field in self.days:
            try:
                found.append(self._typed(field))
            except PlanError:
                found.append(TypedDay())
        return found

    def _say(self) -> None:
        names = weekday_names()
        for at, day in enumerate(self._readable()):
            words = self.tr("as the calendar it rests on") if day is None else understood(day, names[(at + 1) % 7])
            self.words[at].setText(words)


def _weekdays() -> tuple[str, ...]:
    translate = QCoreApplication.translate
    return (
        translate("CalendarsDialog", "&Monday"),
        translate("CalendarsDialog", "&Tuesday"),
        translate("CalendarsDialog", "&Wednesday"),
        translate("CalendarsDialog", "T&hursday"),
        translate("CalendarsDialog", "&Friday"),
        translate("CalendarsDialog", "&Saturday"),
        translate("CalendarsDialog", "S&unday"),
    )


def weekday_names() -> tuple[str, ...]:
    """The days of a week, Monday first."""
    return tuple(name.replace("&", "") for name in _weekdays())
