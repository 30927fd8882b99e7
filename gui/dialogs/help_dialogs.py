"""The list of shortcuts, and what Warploom is made of. They never find anything out: rows are handed in."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.menus import shortcuts
from gui.theme import METRICS

translate = QCoreApplication.translate


class RowsDialog(QDialog):
    """Rows of words under a title: the first column plain, the others muted."""

    def __init__(self, title: str, rows: Iterable[tuple[str, ...]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        head = QLabel(title)
        head.setProperty("role", "title")
        page = QWidget()
        page.setObjectName("ground")
        grid = QGridLayout(page)
        grid.setHorizontalSpacing(6 * METRICS.grid_px)
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                label = QLabel(text)
                label.setProperty("role", "muted" if column else "")
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                grid.addWidget(label, row, column)
        grid.setRowStretch(grid.rowCount(), 1)
        grid.setColumnStretch(grid.columnCount(), 1)
        scroll = QScrollArea()
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        for widget in (head, scroll, buttons):
            layout.addWidget(widget)
        self.resize(160 * METRICS.grid_px, min(page.sizeHint().height() + 28 * METRICS.grid_px, 160 * METRICS.grid_px))
        self.finished.connect(self.deleteLater)


def show_shortcuts(parent: QWidget) -> RowsDialog:
    """Every action with its shortcut."""
    dialog = RowsDialog(translate("Help", "Shortcuts"), shortcuts(), parent)
    dialog.open()
    return dialog


def show_about(parent: QWidget, facts: Iterable[tuple[str, str]]) -> RowsDialog:
    """What this is and what it is made of."""
    dialog = RowsDialog(translate("Help", "About Warploom"), facts, parent)
    dialog.open()
    return dialog
