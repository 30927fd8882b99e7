"""FormDialog: what the dialogs about the plan share: a page, a line for what is wrong, OK and Cancel. It asks nothing.

OK makes one edit of everything; one that is refused is told in the dialog, which stays open.
"""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.session.edits import Edit
from engine.session.plan_edits import Together
from engine.session.state import State
from gui.bridge import Bridge
from gui.dialogs.fitted_dialog import FittedDialog, keep_in_sight
from gui.dialogs.instant_field import InstantField
from gui.theme import METRICS


class FormDialog(FittedDialog):
    """Who makes one gives the page, and `edits` for what was entered there, in the order in which they are made.

    `step` is what the history calls several edits.
    """

    def __init__(self, bridge: Bridge, title: str, step: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.bridge = bridge
        self._step = step
        self._is_waiting = False
        self.wrong = QLabel()
        self.wrong.setProperty("role", "error")
        self.wrong.setWordWrap(True)
        self.wrong.hide()
        keep_in_sight(self.wrong)
        self.finished.connect(self.deleteLater)

    def edits(self) -> list[Edit]:
        """What OK would change. Raises EngineError where something that was entered cannot be."""
        raise NotImplementedError

    def lay_out(self, page: QWidget) -> None:
        """The page above the line and the buttons."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setProperty("primary", True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(3 * METRICS.grid_px)
        layout.addWidget(page, 1)
        layout.addWidget(self.wrong)
        layout.addWidget(buttons)

    def accept(self) -> None:
        """Make the edits as one step, and close; or say why not, of a large plan once that is known."""
        if self._is_waiting:
            return
        try:
            for field in self.findChildren(InstantField):
                field.check()
            edits = self.edits()
            if edits:
                edit = edits[0] if len(edits) == 1 else Together(self._step, tuple(edits))
                self._is_waiting = self.bridge.making.settle(edit, self._settled)
                if self._is_waiting:
                    return
                self.bridge.trial(edit)
                self.bridge.execute(edit)
        except EngineError as error:
            self._say_why(error)
            return
        super().accept()

    def done(self, result: int) -> None:
        """Closed: what is not known yet is not waited for."""
        self._is_waiting = False
        super().done(result)

    def _settled(self, edit: Edit, found: State | EngineError | None) -> None:
        """It is known what OK leads to, or that was taken back."""
        if not self._is_waiting:
            return
        self._is_waiting = False
        if isinstance(found, EngineError):
            self._say_why(found)
        elif found is not None:
            self.bridge.execute(edit)
            super().accept()

    def _say_why(self, error: EngineError) -> None:
        self.wrong.setText(error.sentence)
        self.wrong.show()
