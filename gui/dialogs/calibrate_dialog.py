"""CalibrateDialog: what calibrating does, how far it is, and what it changed. It never measures anything."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from gui.bridge.calibrating import Calibrating
from gui.dialogs.fitted_dialog import FittedDialog
from gui.theme import METRICS

_STEPS = 1000
_WIDTH_PX = 440


class CalibrateDialog(FittedDialog):
    """One device. Start begins, Cancel ends it between two parts; closing it cancels too."""

    def __init__(self, calibrating: Calibrating, kind: str, device: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._calibrating = calibrating
        self._kind = kind
        self._has_begun = False
        self.setWindowTitle(self.tr("Calibrate this device"))
        head = QLabel(device or kind)
        head.setProperty("role", "title")
        head.setWordWrap(True)
        self.words = QLabel(
            self.tr(
                "Copies, launches and every kernel are timed in several sizes, which takes about a minute. No plan can"
                " run meanwhile; other programs that are at work would make the figures worse."
            )
        )
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.what = QLabel()
        self.what.setProperty("role", "muted")
        self.start = QPushButton(self.tr("Start"))
        self.start.setProperty("primary", True)
        self.start.setDefault(True)
        self.start.clicked.connect(self._begin)
        self.stop = QPushButton(self.tr("Cancel"))
        self.stop.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(3 * METRICS.grid_px)
        for widget in (head, self.words, self.bar, self.what, self.start, self.stop):
            layout.addWidget(widget)
        self.setFixedWidth(_WIDTH_PX)
        self.bar.hide()
        self.what.hide()
        calibrating.progressed.connect(self._show_progress)
        calibrating.ended.connect(self._show_end)
        self.finished.connect(self._leave)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.start.setFocus()

    def _begin(self) -> None:
        self._has_begun = True
        self.start.hide()
        self.bar.show()
        self.what.show()
        self._calibrating.start(self._kind)

    def _show_progress(self, share: float, what: str) -> None:
        self.bar.setValue(round(_STEPS * share))
        self.what.setText(self.tr("Timing: {what}").format(what=what) if what else "")

    def _show_end(self, sentences: tuple[str, ...]) -> None:
        if not self._has_begun:
            return
        self.bar.hide()
        self.what.hide()
        self.words.setText("\n".join(sentences) or self.tr("Nothing was measured; the profile is as it was."))
        self.stop.setText(self.tr("Close"))
        self.stop.setFocus()
        self.adjustSize()

    def _leave(self) -> None:
        if self._has_begun:
            self._calibrating.cancel()
        self.deleteLater()
