"""InstantField: an instant of a calendar plan that is typed, or picked from a month. It never knows a working time."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QTimeZone, Signal
from PySide6.QtWidgets import QDateTimeEdit, QWidget

from engine.model import Ticks


class InstantField(QDateTimeEdit):
    """Naive local time, to the minute. `instant_changed` carries ticks once a person is done with a value."""

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
        self.editingFinished.connect(self._tell)

    @property
    def instant(self) -> Ticks:
        """The instant that is shown, in ticks."""
        return int(self.dateTime().toSecsSinceEpoch())

    def show_instant(self, ticks: Ticks) -> None:
        """Shows an instant without telling."""
        self._shown = int(ticks) - int(ticks) % 60
        utc = QTimeZone(QTimeZone.Initialization.UTC)
        self.setDateTime(QDateTime.fromSecsSinceEpoch(self._shown, utc))

    def _tell(self) -> None:
        if self.instant != self._shown:
            self._shown = self.instant
            self.instant_changed.emit(self._shown)
