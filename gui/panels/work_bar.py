"""WorkBar: what goes on with a file, how far it is, and the way to give it up. It never does any of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QWidget

from gui.bridge.filing import Filing
from gui.canvas.elided_label import ElidedLabel
from gui.theme import METRICS

_BAR = QSize(24 * METRICS.grid_px, METRICS.grid_px)
_ALL = 1000
_WORDS_PX = 72 * METRICS.grid_px


class WorkBar(QWidget):
    """Seen only while something goes on. `canceled` says that a person gives it up, by the button or by Esc."""

    canceled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_held: Callable[[], bool] = lambda: False
        self.words, self.bar = ElidedLabel(), QProgressBar()
        self.words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.bar.setFixedSize(_BAR)
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _ALL)
        self.bar.setProperty("role", "slim")
        self.button = QPushButton(self.tr("Cancel"))
        self.button.setToolTip(self.tr("Cancel (Esc)"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where it is
        self.button.clicked.connect(self.canceled)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(2 * METRICS.grid_px)
        for part in (self.words, self.bar, self.button):
            across.addWidget(part)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._escape.setContext(Qt.ShortcutContext.WindowShortcut)
        self._escape.activated.connect(self._press_escape)
        self.show_work("", -1.0)

    def follow(self, filing: Filing, is_held: Callable[[], bool]) -> None:
        """Show what is read and written, and have it given up; `is_held` tells whether the mouse holds something."""
        self._is_held = is_held
        filing.told.connect(self.show_work)
        self.canceled.connect(filing.cancel)

    def show_work(self, sentence: str, share: float) -> None:
        """What goes on, empty once nothing does; `share` of it is done, below 0 where nobody knows."""
        is_known = share >= 0
        self.bar.setVisible(is_known)
        if is_known:
            self.bar.setValue(round(_ALL * share))
            percent = self.tr("{percent} %").format(percent=int(100 * share))
            self.bar.setAccessibleName(percent)
            sentence = f"{sentence} {percent}"
        self.words.setText(sentence)
        self.words.setMinimumWidth(min(self.words.sizeHint().width(), _WORDS_PX))  # before what else stands there
        self._escape.setEnabled(bool(sentence))
        self.setVisible(bool(sentence))

    def _press_escape(self) -> None:
        """While the mouse holds something Esc is about that."""
        focus = QApplication.focusWidget()
        if self._is_held() and focus is not None:
            key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
            QCoreApplication.sendEvent(focus, key)
        else:
            self.canceled.emit()
