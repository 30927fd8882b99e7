"""NotesDialog: what a file of another program cannot hold, or did not say. It never stops the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QDialogButtonBox, QLabel, QListWidget, QVBoxLayout, QWidget

from gui.dialogs.fitted_dialog import FittedDialog
from gui.theme import METRICS

_WIDTH = 140
_HEIGHT = 80


class NotesDialog(FittedDialog):
    """A title, a line, and sentences in a list that can be read with the keyboard."""

    def __init__(self, title: str, text: str, sentences: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setModal(False)
        self.setWindowTitle(title)
        head, line = QLabel(title), QLabel(text)
        head.setProperty("role", "title")
        line.setProperty("role", "muted")
        for label in (head, line):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(title)
        self.list.setWordWrap(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.addItems(list(sentences))
        self.list.setCurrentRow(0)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(2 * METRICS.grid_px)
        for widget in (head, line, self.list, buttons):
            layout.addWidget(widget)
        self.resize(_WIDTH * METRICS.grid_px, _HEIGHT * METRICS.grid_px)
        self.finished.connect(self.deleteLater)
