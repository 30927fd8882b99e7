"""AimList: what counts in a better plan, the first thing first. It never searches."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidget, QListWidgetItem, QWidget

from gui.panels.optimizer_words import OBJECTIVES, translated
from gui.theme import METRICS

_NAME = Qt.ItemDataRole.UserRole
_CHECKED = ("tardiness", "makespan", "stability")
ORDER = ("tardiness", "makespan", "stability", "changeover", "cost")


class AimList(QListWidget):
    """`aim_changed` carries the names of the checked objectives, in order, as `aim_of` reads them."""

    aim_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("What counts, the first thing first"))
        self.setToolTip(
            self.tr("Drag a row, or press Alt+Up and Alt+Down, to have it count earlier or later; Space lets it count")
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        titles = {name: title for name, title, _ in OBJECTIVES}
        for name in ORDER:
            item = QListWidgetItem(translated(titles[name]), self)
            item.setData(_NAME, name)
            item.setSizeHint(QSize(0, METRICS.row_px))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)
            item.setCheckState(Qt.CheckState.Checked if name in _CHECKED else Qt.CheckState.Unchecked)
        self.setFixedHeight(len(ORDER) * METRICS.row_px + METRICS.grid_px)
        self.setCurrentRow(0)
        self.itemChanged.connect(self._tell)
        self.model().rowsMoved.connect(self._tell)

    @property
    def names(self) -> tuple[str, ...]:
        """The checked objectives, the first that counts at first."""
        items = (self.item(row) for row in range(self.count()))
        return tuple(item.data(_NAME) for item in items if item.checkState() is Qt.CheckState.Checked)

    def shift_current(self, rows: int) -> None:
        """Have the current one count so many places later."""
        row = self.currentRow()
        if 0 <= row + rows < self.count():
            with QSignalBlocker(self):
                self.insertItem(row + rows, self.takeItem(row))
                self.setCurrentRow(row + rows)
            self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """With Alt the row goes up or down."""
        steps = {int(Qt.Key.Key_Up): -1, int(Qt.Key.Key_Down): 1}.get(event.key())
        if steps is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.shift_current(steps)
        else:
            super().keyPressEvent(event)

    def _tell(self) -> None:
        self.aim_changed.emit(",".join(self.names))
