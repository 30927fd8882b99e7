"""ChoiceList: names of things, of which a dialog shows one beside the list. It never knows what they are."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem


class ChoiceList(QListWidget):
    """`currentRowChanged` tells only what a person chose: what is done here is done by who shows the fields."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "list")
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )  # a long name is cut, and whole in its tip

    def list_names(self, names: Iterable[str], row: int) -> int:
        """List these and choose a row of them, the last where there are fewer; gives the row, -1 for none."""
        with QSignalBlocker(self):
            self.clear()
            for name in names:
                item = QListWidgetItem(name, self)
                item.setToolTip(name)
            self.setCurrentRow(min(row, self.count() - 1))
        return self.currentRow()

    def stay(self, row: int) -> None:
        """Choose a row again, since the one that is shown cannot be left."""
        with QSignalBlocker(self):
            self.setCurrentRow(row)
