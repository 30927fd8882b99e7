"""The list of shortcuts, and what Warploom is made of. They never find anything out: rows are handed in."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs.fitted_dialog import FittedDialog
from gui.menus import shortcuts
from gui.theme import METRICS

translate = QCoreApplication.translate


class RowsDialog(FittedDialog):
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


class ShortcutsDialog(FittedDialog):
    """Actions, their shortcuts and what they do; words typed above leave those that hold all of them."""

    def __init__(self, rows: Iterable[tuple[str, str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Shortcuts"))
        self.text = QLineEdit()
        self.text.setPlaceholderText(self.tr("An action, a key or a word"))
        self.text.setAccessibleName(self.tr("Find a shortcut"))
        self.text.setClearButtonEnabled(True)
        self.text.textChanged.connect(self._find)
        self.list = QTreeWidget()
        self.list.setProperty("role", "list")
        self.list.setAccessibleName(self.tr("Shortcuts"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels([self.tr("Action"), self.tr("Keys"), self.tr("What it does")])
        self.list.addTopLevelItems([QTreeWidgetItem(list(texts)) for texts in rows])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        for widget in (self.text, self.list, buttons):
            layout.addWidget(widget)
        self._widen()
        self.finished.connect(self.deleteLater)

    @property
    def found(self) -> list[str]:
        """The actions that are listed."""
        return [item.text(0) for item in self._items() if not item.isHidden()]

    def _items(self) -> list[QTreeWidgetItem]:
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item for item in items if item is not None]

    def _find(self, text: str) -> None:
        words = text.casefold().split()
        for item in self._items():
            said = " ".join(item.text(column) for column in range(3)).casefold()
            item.setHidden(not all(word in said for word in words))

    def _widen(self) -> None:
        """As wide as the longest words; where the screen has no room for them the list scrolls sideways."""
        widths = 0
        for column in range(3):
            self.list.resizeColumnToContents(column)
            self.list.setColumnWidth(column, self.list.columnWidth(column) + 4 * METRICS.grid_px)
            widths += self.list.columnWidth(column)
        self.list.header().setStretchLastSection(False)
        wide = widths + self.list.verticalScrollBar().sizeHint().width() + 12 * METRICS.grid_px
        self.resize(wide, 160 * METRICS.grid_px)


def show_shortcuts(parent: QWidget) -> ShortcutsDialog:
    """Every action with its shortcut."""
    dialog = ShortcutsDialog(shortcuts(), parent)
    dialog.open()
    return dialog


def show_about(parent: QWidget, facts: Iterable[tuple[str, str]]) -> RowsDialog:
    """What this is and what it is made of."""
    dialog = RowsDialog(translate("Help", "About Warploom"), facts, parent)
    dialog.open()
    return dialog
