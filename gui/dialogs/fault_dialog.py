"""FaultDialog: tells of a bug, once, with what to send on. It never ends the program."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from gui.dialogs.fitted_dialog import FittedDialog
from gui.faults import Fault
from gui.theme import METRICS


class FaultDialog(FittedDialog):
    """What went wrong, where the log lies, and that the work was kept."""

    def __init__(self, fault: Fault, kept: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Something went wrong"))
        self._fault = fault
        title = QLabel(self.tr("Warploom made a mistake, and goes on."))
        title.setProperty("role", "title")
        text = QLabel(f"{kept}\n{self.tr('The log is at {path}').format(path=fault.log_path)}".strip())
        text.setWordWrap(True)
        trace = QPlainTextEdit(f"{fault.title}\n\n{fault.trace}")
        trace.setReadOnly(True)
        trace.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(2 * METRICS.grid_px)
        for widget in (title, text, trace, buttons):
            layout.addWidget(widget)
        self.resize(160 * METRICS.grid_px, 96 * METRICS.grid_px)
        self.finished.connect(self.deleteLater)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self._fault.title}\n\n{self._fault.trace}")
