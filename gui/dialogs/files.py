"""Where a plan is opened from and saved to. It never reads or writes a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir, QFileInfo
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.session.importing import FileKind, file_kinds, holiday_suffixes

SUFFIX = "loom"
translate = QCoreApplication.translate


def choose_plan(parent: QWidget, folder: str, then: Callable[[str], None]) -> QFileDialog:
    """A plan to open, of whatever program; `then` gets its path."""
    dialog = _dialog(parent, translate("Files", "Open a plan"), folder)
    kinds = file_kinds()
    every = _filter(translate("Files", "All plans"), [suffix for kind in kinds for suffix in kind.suffixes])
    dialog.setOption(QFileDialog.Option.HideNameFilterDetails)  # all of them would not fit
    dialog.setNameFilters([every, *(_filter_of(kind) for kind in kinds), translate("Files", "All files (*)")])
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(then)
    dialog.open()
    return dialog


def choose_table(parent: QWidget, then: Callable[[str], None]) -> QFileDialog:
    """A text table with what was measured; `then` gets its path."""
    dialog = _dialog(parent, translate("Files", "Take measured values from a table"), "")
    dialog.setNameFilters(
        [_filter(translate("Files", "Tables"), (".csv", ".tsv", ".txt")), translate("Files", "All files (*)")]
    )
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(then)
    dialog.open()
    return dialog


def choose_holidays(parent: QWidget, folder: str, then: Callable[[str], None]) -> QFileDialog:
    """A file with holidays; `then` gets its path."""
    dialog = _dialog(parent, translate("Files", "Add the holidays of a calendar file"), folder)
    calendars = _filter(translate("Files", "Calendars"), holiday_suffixes())
    dialog.setNameFilters([calendars, translate("Files", "All files (*)")])
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(then)
    dialog.open()
    return dialog


def choose_place(
    parent: QWidget, folder: str, name: str, then: Callable[[str], None], *, is_copy_offered: bool = False
) -> QFileDialog:
    """A place to save a plan; `then` gets the path, with a suffix. The dialog asks before an old file is replaced.

    Formats of other programs are offered where a copy will do: they hold less than a plan.
    """
    dialog = _dialog(parent, translate("Files", "Save the plan"), folder)
    kinds = [kind for kind in file_kinds() if kind.is_written][: None if is_copy_offered else 1]
    suffixes = {_filter_of(kind): kind.suffixes[0].lstrip(".") for kind in kinds}
    dialog.setNameFilters([*suffixes, translate("Files", "All files (*)")])
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(SUFFIX)

    def use(name_filter: str) -> None:
        """The name goes along with the format that is chosen."""
        if suffix := suffixes.get(name_filter):
            dialog.setDefaultSuffix(suffix)
            dialog.selectFile(f"{Path(next(iter(dialog.selectedFiles()), name)).stem}.{suffix}")

    dialog.filterSelected.connect(use)
    dialog.selectFile(name)
    dialog.fileSelected.connect(then)
    dialog.open()
    return dialog


def _filter_of(kind: FileKind) -> str:
    return _filter(translate("Formats", kind.title), kind.suffixes)


def _filter(title: str, suffixes: Sequence[str]) -> str:
    # What stands in brackets is taken for suffixes.
    plain = title.replace("(", "- ").replace(")", "")
    return f"{plain} ({' '.join(f'*{suffix}' for suffix in suffixes)})"


def _dialog(parent: QWidget, title: str, folder: str) -> QFileDialog:
    dialog = QFileDialog(parent, title, folder if QFileInfo(folder).isDir() else QDir.homePath())
    dialog.finished.connect(dialog.deleteLater)
    return dialog
