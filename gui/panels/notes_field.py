"""NotesField: what a person writes down of a task. It never changes a plan: `written` asks for that."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

_LINES = 4
_MODIFIERS = frozenset({Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr})


class NotesField(QPlainTextEdit):
    """`written` carries a task's id and its text once a person is done: elsewhere, or with a key of the window.

    So all that was typed is one step of undo.
    """

    written = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._task = 0
        self._before = ""
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        frame = 2 * (self.frameWidth() + round(self.document().documentMargin()))
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + frame)

    def show_notes(self, task: int, text: str) -> None:
        """The notes of a task; those of the same one that are being typed stay."""
        is_typed = task == self._task and self.toPlainText() != self._before
        if is_typed and self._before == text:
            return
        self._task, self._before = task, text
        if self.toPlainText() != text:
            self.setPlainText(text)

    def take(self) -> None:
        """What was typed is the task's, as it stands."""
        text = self.toPlainText()
        if self._task and text != self._before:
            self._before = text
            self.written.emit(self._task, text)

    def event(self, event: QEvent) -> bool:
        """A key that this field does not know is the window's, such as that of Save: it finds what was typed."""
        is_known = super().event(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            is_foreign = not event.isAccepted() and event.key() not in _MODIFIERS
            if is_foreign:
                self.take()
        return is_known

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Whoever goes elsewhere is done."""
        super().focusOutEvent(event)
        self.take()
