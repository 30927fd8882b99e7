"""Where a plan is opened from and saved to. It never reads or writes a file."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QDir, QFileInfo
from PySide6.QtWidgets import QFileDialog, QWidget

SUFFIX = "loom"
translate = QCoreApplication.translate


def choose_plan(parent: QWidget, folder: str, then: Callable[[str], None]) -> QFileDialog:
    """A plan to open; `then` gets its path."""
    dialog = _dialog(parent, translate("Files", "Open a plan"), folder)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(then)
    dialog.open()
    return dialog


def choose_place(parent: QWidget, folder: str, name: str, then: Callable[[str], None]) -> QFileDialog:
    """A place to save a plan; `then` gets the path, with a suffix. The dialog asks before an old file is replaced."""
    dialog = _dialog(parent, translate("Files", "Save the plan"), folder)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(SUFFIX)
    dialog.selectFile(name)
    dialog.fileSelected.connect(then)
    dialog.open()
    return dialog


def _dialog(parent: QWidget, title: str, folder: str) -> QFileDialog:
    dialog = QFileDialog(parent, title, folder if QFileInfo(folder).isDir() else QDir.homePath())
    dialog.setNameFilters(
        [translate("Files", "Warploom plans (*.{suffix})").format(suffix=SUFFIX), translate("Files", "All files (*)")]
    )
    dialog.finished.connect(dialog.deleteLater)
    return dialog
