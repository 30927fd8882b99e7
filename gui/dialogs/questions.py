"""Questions with a few answers, each a callback. They never wait: the window lives on while one is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

Role = QMessageBox.ButtonRole
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Answer:
    """A button: its words, its part in the dialog, and what happens when it is pressed."""

    text: str
    role: Role
    act: Callable[[], object]


def ask(parent: QWidget, question: str, more: str, answers: tuple[Answer, ...]) -> QMessageBox:
    """Open a question over `parent`. The first answer is the default; Esc is the one whose role is RejectRole."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, QCoreApplication.applicationName(), question, parent=parent)
    box.setInformativeText(more)
    acts = {}
    for answer in answers:
        button = box.addButton(answer.text, answer.role)
        acts[button] = answer.act
        if len(acts) == 1:
            box.setDefaultButton(button)
        if answer.role is Role.RejectRole:
            box.setEscapeButton(button)
    box.buttonClicked.connect(lambda button: acts[button]())
    box.finished.connect(box.deleteLater)
    box.open()
    return box


def ask_about_changes(
    parent: QWidget, name: str, save: Callable[[], object], discard: Callable[[], object]
) -> QMessageBox:
    """Whether changes are saved before the plan goes."""
    answers = (
        Answer(translate("Questions", "Save"), Role.AcceptRole, save),
        Answer(translate("Questions", "Discard"), Role.DestructiveRole, discard),
        Answer(translate("Questions", "Cancel"), Role.RejectRole, lambda: None),
    )
    question = translate("Questions", "Save the changes to “{name}”?").format(name=name)
    return ask(parent, question, translate("Questions", "What is not saved is lost."), answers)


def ask_about_run(parent: QWidget, leave: Callable[[], object]) -> QMessageBox:
    """Whether a run that goes on is ended, since its plan is left."""
    answers = (
        Answer(translate("Questions", "Stay"), Role.RejectRole, lambda: None),
        Answer(translate("Questions", "End the run"), Role.DestructiveRole, leave),
    )
    question = translate("Questions", "A run goes on. End it and leave the plan?")
    return ask(parent, question, translate("Questions", "What happened so far is lost with it."), answers)


def ask_about_changed_file(
    parent: QWidget, path: str, overwrite: Callable[[], object], save_as: Callable[[], object]
) -> QMessageBox:
    """Whether a file that something else changed is replaced. To save beside it is the default: nothing is lost."""
    answers = (
        Answer(translate("Questions", "Save under another name…"), Role.AcceptRole, save_as),
        Answer(translate("Questions", "Overwrite"), Role.DestructiveRole, overwrite),
        Answer(translate("Questions", "Cancel"), Role.RejectRole, lambda: None),
    )
    name = Path(path).name
    question = translate("Questions", "“{name}” was changed by something else since it was opened here.")
    more = translate("Questions", "To overwrite it keeps the other version as “{name}~1” in {folder}.")
    more = more.format(name=name, folder=Path(path).parent)
    return ask(parent, question.format(name=name), more, answers)


def ask_for_text(
    parent: QWidget, question: str, text: str, then: Callable[[str], object], refuse: Callable[[], object]
) -> QInputDialog:
    """One line of text; `then` gets it, unless it was dropped. A blank one is refused."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(QCoreApplication.applicationName())
    dialog.setLabelText(question)
    dialog.setTextValue(text)
    dialog.textValueSelected.connect(lambda value: then(value.strip()) if value.strip() else refuse())
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
