"""FindBar: a text to find among tasks, and which of those found is shown. It never looks at a task."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

_FIELD_PX = 260


class FindBar(QWidget):
    """`wanted` carries the text, and how many of those found to go on: 0 where the text is another one."""

    wanted = Signal(str, int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLineEdit(self)
        self.text.setPlaceholderText(self.tr("Name, number or resource"))
        self.text.setAccessibleName(self.tr("Find a task"))
        self.text.setFixedWidth(_FIELD_PX)
        self.back = QPushButton(self.tr("Previous"), self)
        self.back.setToolTip(self.tr("The one before (Shift+Enter)"))
        self.next = QPushButton(self.tr("Next"), self)
        self.next.setToolTip(self.tr("The next one (Enter)"))
        self.count = QLabel(self)
        across = QHBoxLayout(self)
        across.setContentsMargins(12, 4, 12, 4)
        across.setSpacing(8)
        for part in (self.text, self.back, self.next, self.count):
            across.addWidget(part)
        across.addStretch(1)
        self.text.textChanged.connect(lambda text: self.wanted.emit(text, 0))
        self.back.clicked.connect(lambda: self.wanted.emit(self.text.text(), -1))
        self.next.clicked.connect(lambda: self.wanted.emit(self.text.text(), 1))
        self.hide()

    def open(self) -> None:
        """Shows the bar, and takes the keyboard to it."""
        self.show()
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.selectAll()

    def show_place(self, place: int, count: int) -> None:
        """Which of how many is shown, counted from 1."""
        if not self.text.text().strip():
            words = ""
        elif not count:
            words = self.tr("Nothing found")
        else:
            words = self.tr("{place} of {count}").format(place=f"{place:,}", count=f"{count:,}")
        self.count.setText(words)
        self.count.setAccessibleName(words)
        for button in (self.back, self.next):
            button.setEnabled(count > 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.wanted.emit(self.text.text(), -1 if is_back else 1)
        else:
            super().keyPressEvent(event)
