"""RecoveryDialog: the work that was kept when a window went down. It never reads, opens or removes any of it."""

from __future__ import annotations

import time
from calendar import timegm
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.session.autosave import Recovery
from gui.canvas.calendar_ticks import instant_text
from gui.dialogs.fitted_dialog import FittedDialog
from gui.theme import METRICS

_ROWS_SHOWN = 5


class RecoveryDialog(FittedDialog):
    """All of it in one list, each by its plan, folder and time. Signals carry the Recovery that was chosen.

    What is not chosen stays where it is, and is offered again at the next start.
    """

    recover_asked = Signal(object)
    discard_asked = Signal(object)

    def __init__(self, found: Sequence[Recovery], parent: QWidget) -> None:
        super().__init__(parent)
        self._found = list(found)
        self.setWindowTitle(self.tr("Unsaved work"))
        title = QLabel(self.tr("There is unsaved work."))
        title.setProperty("role", "title")
        text = QLabel(self.tr("It was kept when Warploom went down without saving. Choose what to take up again."))
        text.setProperty("role", "muted")
        text.setWordWrap(True)
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.addItems([self._words(each) for each in found])
        self.list.setSpacing(METRICS.grid_px)
        self.list.setCurrentRow(0)
        self.list.itemDoubleClicked.connect(self._recover)
        row_px = self.list.sizeHintForRow(0) + 2 * METRICS.grid_px
        self.list.setMinimumHeight(min(len(self._found), _ROWS_SHOWN) * row_px + 2 * METRICS.grid_px)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(2 * METRICS.grid_px)
        for widget in (title, text, self.list, self._buttons()):
            layout.addWidget(widget)
        self.resize(140 * METRICS.grid_px, self.sizeHint().height())
        self.finished.connect(self.deleteLater)

    def _buttons(self) -> QDialogButtonBox:
        box, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        recover: QPushButton = box.addButton(self.tr("Recover"), role.AcceptRole)
        recover.setDefault(True)
        recover.setProperty("primary", True)
        box.addButton(self.tr("Throw away"), role.DestructiveRole).clicked.connect(self._discard)
        box.addButton(self.tr("Not now"), role.RejectRole)
        box.accepted.connect(self._recover)
        box.rejected.connect(self.reject)
        return box

    def _words(self, recovery: Recovery) -> str:
        """Plan and folder, and below when it was kept."""
        path = Path(recovery.path)
        where = self.tr("{name} in {folder}").format(name=path.name, folder=path.parent)
        instant = instant_text(timegm(time.localtime(recovery.time)))
        kept = self.tr("kept {time}").format(time=instant)
        if recovery.path and not recovery.is_newer:
            kept = self.tr("kept {time}, and the file was saved later").format(time=instant)
        return f"{where if recovery.path else self.tr('A plan that was never saved')}\n{kept}"

    def _recover(self) -> None:
        chosen = self._found[self.list.currentRow()]
        self.accept()
        self.recover_asked.emit(chosen)

    def _discard(self) -> None:
        row = self.list.currentRow()
        self.list.takeItem(row)
        self.discard_asked.emit(self._found.pop(row))
        if not self._found:
            self.reject()
