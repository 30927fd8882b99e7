"""RecentMenu: the plans that a person opened or saved last, each with a key of its own. It never opens one itself."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from gui.dialogs.plan_files import PlanFiles
from gui.theme import METRICS

_WIDEST_PX = 480


class RecentMenu(QMenu):
    """Stands below an action, whose keys have it shown in the middle of the window.

    It is filled when it is shown: files that are gone by then are left out.
    """

    def __init__(self, window: QWidget, files: PlanFiles, action: QAction) -> None:
        super().__init__(window)
        self._window, self._files = window, files
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)
        action.setMenu(self)
        action.triggered.connect(self._show)

    def _fill(self) -> None:
        self.clear()
        for number, path in enumerate(filter(_is_there, self._files.recent), 1):
            self.addAction(self._entry(number, path))
        if self.isEmpty():
            self.addAction(self.tr("No plan was opened yet")).setEnabled(False)

    def _entry(self, number: int, path: str) -> QAction:
        words = f"{Path(path).name}   \N{MIDDLE DOT}   {Path(path).parent}"
        words = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, _WIDEST_PX)
        entry = QAction(f"&{number}   {words.replace('&', '&&')}", self)
        entry.setToolTip(self.tr("Open {path}").format(path=path))
        entry.triggered.connect(lambda: self._files.open_path(path))
        return entry

    def _show(self) -> None:
        around = self._window.rect()
        self.popup(self._window.mapToGlobal(QPoint(around.center().x() - _WIDEST_PX // 2, 20 * METRICS.grid_px)))
        if (entries := self.actions()) and entries[0].isEnabled():
            self.setActiveAction(entries[0])


def _is_there(path: str) -> bool:
    return Path(path).is_file()
