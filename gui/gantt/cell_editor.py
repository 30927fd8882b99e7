"""CellEditor: the line in which a cell is typed over, and the sentence below it when that cannot be.

It never knows what a text means.
"""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QVBoxLayout, QWidget

_LEAST_PX = 120
_NOTE_PX = 380
_GAP_PX = 2


class Leaving(Enum):
    """Where the keyboard goes once a text is taken."""

    STAY = "stay"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    ALL = "all"


class CellEditor(QLineEdit):
    """`entered` carries the text and a Leaving, `dropped` says that the cell is left as it was."""

    entered = Signal(str, object)
    dropped = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._cells = parent
        self.note = _Note(parent.window())
        self.textEdited.connect(lambda _: self.note.hide())
        self.hide()

    def open(self, text: str, name: str, *, is_fresh: bool) -> None:
        """Shows a text to be typed over; one that was just begun is gone on with."""
        self.setText(text)
        self.setAccessibleName(name)
        self.setAccessibleDescription("")
        self.note.hide()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        if is_fresh:
            self.end(False)
        else:
            self.selectAll()

    def place(self, cell: QRect) -> None:
        """Stands over a cell of the parent, as wide as there is room."""
        room = self._cells.width() - cell.left()
        width, top = min(max(cell.width(), _LEAST_PX), max(room, 40)), max(cell.top() - 1, 0)
        self.setGeometry(cell.left(), top, width, cell.bottom() + 1 - top)
        if self.note.isVisible():
            self._place_note()

    def refuse(self, sentence: str) -> None:
        """Says why a text cannot be; it stays to be mended."""
        self.setAccessibleDescription(sentence)
        self.note.say(sentence)
        self._place_note()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_up(self) -> None:
        """Nothing is typed any more."""
        self.note.hide()
        self.hide()

    def _place_note(self) -> None:
        self.note.stand_at(self.mapTo(self.note.around, QPoint(0, 0)), self.height())

    def event(self, event: QEvent) -> bool:
        """Tab belongs to the cell, and so do keys that are shortcuts of the window elsewhere."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() in _LEAVING | {Qt.Key.Key_F2}:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}:
                is_back = event.key() == Qt.Key.Key_Backtab or bool(
                    event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                )
                self.entered.emit(self.text(), Leaving.LEFT if is_back else Leaving.RIGHT)
                return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            leaving = Leaving.UP if modifiers & Qt.KeyboardModifier.ShiftModifier else Leaving.DOWN
            if modifiers & Qt.KeyboardModifier.ControlModifier:
                leaving = Leaving.ALL
            self.entered.emit(self.text(), leaving)
        elif key == Qt.Key.Key_Escape:
            self.dropped.emit()
        elif key == Qt.Key.Key_F2:
            if self.hasSelectedText():
                self.end(False)
            else:
                self.selectAll()
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.entered.emit(self.text(), Leaving.UP if key == Qt.Key.Key_Up else Leaving.DOWN)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A press elsewhere takes the text, as Enter does; a menu or another window leaves it open."""
        super().focusOutEvent(event)
        kept = {
            Qt.FocusReason.PopupFocusReason,
            Qt.FocusReason.ActiveWindowFocusReason,
            Qt.FocusReason.MenuBarFocusReason,
        }
        if self.isVisible() and event.reason() not in kept and not self.note.isVisible():
            self.entered.emit(self.text(), Leaving.STAY)


class _Note(QFrame):
    """A sentence on a card below a cell, or above it where there is no room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.around = parent
        self.setProperty("role", "card")
        self.label = QLabel(self)
        self.label.setProperty("role", "error")
        self.label.setWordWrap(True)
        self.label.setMaximumWidth(_NOTE_PX)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(8, 6, 8, 6)
        inside.addWidget(self.label)
        self.hide()

    def say(self, sentence: str) -> None:
        self.label.setText(sentence)
        width = min(self.label.fontMetrics().horizontalAdvance(sentence) + 4, _NOTE_PX)
        self.label.setFixedSize(width, self.label.heightForWidth(width))
        self.adjustSize()
        self.show()
        self.raise_()

    def stand_at(self, cell: QPoint, height: int) -> None:
        left = max(min(cell.x(), self.around.width() - self.width()), 0)
        below = cell.y() + height + _GAP_PX
        is_room = below + self.height() <= self.around.height()
        self.move(left, below if is_room else cell.y() - self.height() - _GAP_PX)


_LEAVING = {
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
}
