"""GoalDialog: a date to go to is typed, and said in full while it is. It never goes there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialogButtonBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.model import Ticks
from gui.dialogs.fitted_dialog import FittedDialog
from gui.theme import METRICS

_WIDTH_PX = 360


class GoalDialog(FittedDialog):
    """`read` makes an instant of a text or raises EngineError, `say` says it; `go` gets it. A wrong text stays."""

    def __init__(
        self,
        question: str,
        read: Callable[[str], Ticks],
        say: Callable[[Ticks], str],
        go: Callable[[Ticks], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._read, self._say, self._go = read, say, go
        self.setWindowTitle(self.tr("Go to date"))
        self.setMinimumWidth(_WIDTH_PX)
        asked = QLabel(question)
        asked.setWordWrap(True)
        self.text = QLineEdit()
        self.text.setAccessibleName(question)
        self.text.textChanged.connect(self._follow)
        self.said = QLabel()
        self.said.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.addButton(self.tr("&Go"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setProperty("primary", True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        down = QVBoxLayout(self)
        down.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        down.setSpacing(3 * METRICS.grid_px)
        for part in (asked, self.text, self.said, buttons):
            down.addWidget(part)
        self.finished.connect(self.deleteLater)
        self._tell("", is_wrong=False)

    def accept(self) -> None:
        """Go there and close; or say why not."""
        try:
            goal = self._read(self.text.text())
        except EngineError as error:
            self._tell(error.sentence, is_wrong=True)
            return
        super().accept()
        self._go(goal)

    def _follow(self, text: str) -> None:
        """What a text means so far. One that is not whole yet is not called wrong."""
        try:
            self._tell(self._say(self._read(text)), is_wrong=False)
        except EngineError:
            self._tell("", is_wrong=False)

    def _tell(self, sentence: str, *, is_wrong: bool) -> None:
        self.said.setProperty("role", "error" if is_wrong else "muted")
        self.said.style().polish(self.said)
        self.said.setText(sentence or " ")
        self.text.setAccessibleDescription(sentence)
