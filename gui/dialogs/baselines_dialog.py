"""BaselinesDialog: the promises that a plan keeps: one is set, or forgotten. It never computes a date."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.session.plan_edits import RemoveBaseline, SetBaseline
from gui.bridge import Bridge
from gui.dialogs.fitted_dialog import FittedDialog
from gui.theme import METRICS

NUMBERS = range(11)
_WIDTH_PX = 420


class BaselinesDialog(FittedDialog):
    """A number, a name, and what to do with it; it shows what the plan is now, also after an undo."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Baselines"))
        self._bridge = bridge
        self.number = QComboBox()
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("what it is called"))
        self.set = QPushButton(self.tr("&Set to the dates as they are"))
        self.set.setProperty("primary", True)
        self.set.setDefault(True)
        self.remove = QPushButton(self.tr("&Remove"))
        self.words = QLabel()
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        self._lay_out()
        self.number.currentIndexChanged.connect(self._picked)
        self.set.clicked.connect(self._set)
        self.remove.clicked.connect(self._remove)
        bridge.state_changed.connect(self._show)
        self.finished.connect(self.deleteLater)
        self._show()
        self.setMinimumWidth(_WIDTH_PX)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("&Number"), self.number)
        form.addRow(self.tr("N&ame"), self.name)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole
        buttons.addButton(self.set, role.ActionRole)
        buttons.addButton(self.remove, role.ActionRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(3 * METRICS.grid_px)
        layout.addLayout(form)
        layout.addWidget(self.words)
        layout.addWidget(buttons)

    def _show(self, _: object = None) -> None:
        """What the plan keeps; the first number that is free is offered."""
        kept = self._kept()
        chosen = self.number.currentIndex()
        self.number.blockSignals(True)
        self.number.clear()
        for number in NUMBERS:
            name = kept.get(number, self.tr("free"))
            self.number.addItem(self.tr("{number}: {name}").format(number=number, name=name))
        free = next((number for number in NUMBERS if number not in kept), 0)
        self.number.setCurrentIndex(free if chosen < 0 else chosen)
        self.number.blockSignals(False)
        self._picked()

    def _picked(self) -> None:
        kept, number = self._kept(), self.number.currentIndex()
        self.name.setText(kept.get(number, ""))
        self.remove.setEnabled(number in kept)
        again = self.tr("Setting it replaces the dates that it keeps.")
        self.words.setText(again if number in kept else self.tr("A baseline keeps the dates of every task."))

    def _kept(self) -> dict[int, str]:
        state = self._bridge.state
        return {} if state is None else {each.number: each.name for each in state.plan.baselines}

    def _set(self) -> None:
        self._bridge.execute(SetBaseline(self.number.currentIndex(), self.name.text()))
        self._bridge.comparing.choose(self.number.currentIndex())

    def _remove(self) -> None:
        self._bridge.execute(RemoveBaseline(self.number.currentIndex()))
