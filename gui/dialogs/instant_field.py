"""InstantField: an instant of a calendar plan that is typed, or picked from a month. It never knows a working time."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QPoint, Qt, QTimeZone, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QDateTimeEdit, QLineEdit, QToolTip, QWidget

from engine.errors import PlanError
from engine.model import Ticks
from engine.session.typed_times import read_wall
from gui.habits import habits

_AWAY = {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class InstantField(QDateTimeEdit):
    """Naive local time, to the minute. `instant_changed` carries ticks once a person is done with a value.

    Its parts are stepped and typed over; what is typed or pasted as a whole is read as dates are everywhere, "24 Dec",
    "fri 13:00", "+2w", and what is no date stays there to be mended.
    """

    instant_changed = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Ticks = 0
        self.setAccessibleName(name)
        # Hours that a zone leaves out or has twice are hours like any other in a plan.
        self.setTimeZone(QTimeZone(QTimeZone.Initialization.UTC))
        self.setDisplayFormat("ddd d MMM yyyy HH:mm")
        self.setCalendarPopup(True)
        self.setKeyboardTracking(False)
        self.typing = _Typing(self)
        self.typing.setAccessibleName(name)
        self.typing.taken.connect(self._take)
        self.editingFinished.connect(self._tell)

    @property
    def instant(self) -> Ticks:
        """The instant that is shown, in ticks."""
        return int(self.dateTime().toSecsSinceEpoch())

    def show_instant(self, ticks: Ticks) -> None:
        """Shows an instant without telling."""
        self._shown = int(ticks) - int(ticks) % 60
        self._set(self._shown)

    def check(self) -> None:
        """Takes what is still being typed. Raises PlanError, with the keyboard there, where it is no date."""
        if self.typing.isVisible():
            try:
                self._read()
            except PlanError:
                self.typing.setFocus()
                raise

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.typing.begin(QGuiApplication.clipboard().text().strip())
        elif self._begins_text(event):
            self.typing.begin(event.text())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.typing.setGeometry(self.rect())

    def _begins_text(self, event: QKeyEvent) -> bool:
        """Whether a key is none for the part that it is in: a letter but in the month, anything on a weekday."""
        text, section = event.text(), self.currentSection()
        if not text.strip() or not text.isprintable() or event.modifiers() & _HELD:
            return False
        is_on_weekday = self.currentSectionIndex() == 0 and self.displayFormat().startswith("ddd")
        return is_on_weekday or text in "+-" or (text.isalpha() and section is not QDateTimeEdit.Section.MonthSection)

    def _take(self) -> None:
        """Takes what was typed, or says why not and leaves it."""
        try:
            self._read()
        except PlanError as error:
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), error.sentence, self)
            self.typing.setAccessibleDescription(error.sentence)

    def _read(self) -> None:
        if self.typing.text().strip():
            ticks = read_wall(self.typing.text(), self.instant, habits())
            self._set(ticks - ticks % 60)
        self.typing.hide()
        self._tell()

    def _set(self, ticks: Ticks) -> None:
        self.setDateTime(QDateTime.fromSecsSinceEpoch(ticks, QTimeZone(QTimeZone.Initialization.UTC)))

    def _tell(self) -> None:
        if self.instant != self._shown and not self.typing.isVisible():
            self._shown = self.instant
            self.instant_changed.emit(self._shown)


class _Typing(QLineEdit):
    """A line over the field while a date is typed as a whole. `taken` says that a person is done with it."""

    taken = Signal()

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field
        self.hide()

    def begin(self, text: str) -> None:
        """Opens with what was typed first."""
        self.setText(text)
        self.setAccessibleDescription("")
        self.setGeometry(self._field.rect())
        self.show()
        self.setFocus()
        self.end(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.taken.emit()
            if not self.isVisible():
                self._field.setFocus()
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._field.setFocus()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tab, and a press elsewhere, take it too; another window leaves it open."""
        super().focusOutEvent(event)
        if self.isVisible() and event.reason() not in _AWAY:
            self.taken.emit()
