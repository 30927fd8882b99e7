"""SampleQuestion: which column of which table holds what was measured. It never reads a table itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QWidget

from engine.model import Plan, Spread
from gui.bridge import Bridge
from gui.dialogs.files import choose_table


class SampleQuestion(QObject):
    """Asked over one dialog. `take` gets the range that a column makes, `refuse` a sentence where it makes none."""

    def __init__(
        self,
        bridge: Bridge,
        plan: Plan,
        over: QWidget,
        take: Callable[[Spread], object],
        refuse: Callable[[str], object],
    ) -> None:
        super().__init__(over)
        self._sampling, self._plan, self._over = bridge.sampling, plan, over
        self._take, self._refuse, self._path = take, refuse, ""
        self._sampling.columns_found.connect(self._ask_column)
        self._sampling.sample_found.connect(self._found)
        self._sampling.refused.connect(self._refused)

    def ask(self) -> None:
        """Choose a table."""
        choose_table(self._over, self._begin)

    def _begin(self, path: str) -> None:
        self._path = path
        self._sampling.read_columns(path)

    def _ask_column(self, path: str, columns: object) -> None:
        """Which of its columns, unless there is one alone."""
        if path != self._path or not isinstance(columns, tuple):
            return
        if len(columns) == 1:
            self._sampling.read_sample(path, self._plan, columns[0])
            return
        dialog = QInputDialog(self._over)
        dialog.setWindowTitle(self.tr("From a table"))
        dialog.setLabelText(self.tr("The column that holds what was measured"))
        dialog.setComboBoxItems(list(columns))
        dialog.textValueSelected.connect(lambda column: self._sampling.read_sample(path, self._plan, column))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _found(self, path: str, sample: object) -> None:
        spread = getattr(sample, "spread", None)
        if path == self._path and isinstance(spread, Spread):
            self._take(spread)

    def _refused(self, path: str, sentence: str) -> None:
        if path == self._path:
            self._refuse(sentence)
