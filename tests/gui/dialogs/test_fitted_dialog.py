"""Dialogs on small screens: none is larger than its screen, and the buttons of each are seen."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.dialogs import fitted_dialog
from gui.dialogs.fault_dialog import FaultDialog
from gui.dialogs.fitted_dialog import FittedDialog
from gui.dialogs.notes_dialog import NotesDialog
from gui.faults import Fault
from gui.main_window import MainWindow
from tests.gui.shell import action, emitted, settle, shown

# What 1366 x 768 and 1280 x 720 pixels leave at 200 % within a window's frame.
ROOMS = [QSize(683, 346), QSize(640, 322)]
CALENDAR = (
    "settings",
    "calendars",
    "resources",
    "changeovers",
    "baselines",
    "ways",
    "recurring",
    "go_to",
    "print",
    "shortcuts",
)
DEVICE = ("operation", "resources", "kits", "calibrate", "repeat", "print", "about")


@pytest.fixture(params=ROOMS, ids=lambda room: f"{room.width()}x{room.height()}")
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> QSize:
    """How large a dialog may be."""
    monkeypatch.setattr(fitted_dialog, "room_of", lambda _: request.param)
    return request.param


def buttons(dialog: QDialog) -> Iterator[QPushButton]:
    """Those that end the dialog, and those of the dialog about paper, which it has apart from boxes."""
    for box in dialog.findChildren(QDialogButtonBox):
        yield from box.findChildren(QPushButton)
    yield from (each for each in (getattr(dialog, "to_pdf", None), getattr(dialog, "to_printer", None)) if each)


def fits(dialog: QDialog, room: QSize) -> bool:
    """Whether it is on the screen, and its buttons are on it."""
    seen = QRect(QPoint(), dialog.size())
    places = [QRect(each.mapTo(dialog, QPoint()), each.size()) for each in buttons(dialog) if each.isVisible()]
    return dialog.size().boundedTo(room) == dialog.size() and all(seen.contains(place) for place in places)


def scrolls_sideways(dialog: QDialog) -> bool:
    """Whether a part of it can only be seen after scrolling to a side."""
    areas = [each for each in dialog.findChildren(QScrollArea) if each.parentWidget() is dialog]
    return any(each.horizontalScrollBar().maximum() > 0 for each in areas)


@pytest.mark.parametrize(("sample", "names"), [("assembly-line", CALENDAR), ("video-pipeline", DEVICE)])
async def test_that_every_dialog_of_a_plan_fits_on_a_small_screen(
    qapp: QApplication, room: QSize, sample: str, names: tuple[str, ...]
) -> None:
    async with shown(qapp) as (window, _):
        await emitted(window.bridge.document_opened, action(window, sample).trigger)
        plan = window.bridge.state.plan
        window.gantt.select((next(task.id for task in plan.tasks if not plan.is_summary(task.id)),))
        for name in names:
            dialog = opened(window, name, qapp)
            assert fits(dialog, room), (name, dialog.size())
            assert not scrolls_sideways(dialog), name
            assert [key for key, times in Counter(letters(dialog)).items() if times > 1] == [], name
            dialog.close()
            settle(qapp)


@pytest.mark.parametrize("narrow", [QSize(400, 280), QSize(400, 600)])
async def test_that_a_recurring_task_is_entered_in_400_pixels_without_scrolling_sideways(
    qapp: QApplication, narrow: QSize, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitted_dialog, "room_of", lambda _: narrow)
    async with shown(qapp) as (window, _):
        await emitted(window.bridge.document_opened, action(window, "assembly-line").trigger)
        dialog = opened(window, "recurring", qapp)
        assert fits(dialog, narrow)
        assert not scrolls_sideways(dialog)
        week, end = dialog.rule.weekdays[0], dialog.ends
        assert week.mapTo(dialog, QPoint(0, week.height())).y() <= end.mapTo(dialog, QPoint()).y()


def letters(dialog: QDialog) -> Iterator[str]:
    """The keys that go to parts of a dialog that are seen, once each."""
    for part in dialog.findChildren(QWidget):
        if isinstance(part, QAbstractButton | QLabel) and part.isVisible():
            key = QKeySequence.mnemonic(part.text()).toString()
            if key and (isinstance(part, QAbstractButton) or part.buddy() is not None):
                yield key
    for tabs in dialog.findChildren(QTabBar):
        yield from (QKeySequence.mnemonic(tabs.tabText(at)).toString() for at in range(tabs.count()))


def opened(window: MainWindow, name: str, app: QApplication) -> QDialog:
    """The dialog of an action."""
    action(window, name).trigger()
    settle(app)
    return next(each for each in window.findChildren(QDialog) if each.isVisible())


def test_that_dialogs_with_long_texts_fit_on_a_small_screen(qtbot: QtBot, room: QSize) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    for dialog in (
        NotesDialog("Left out", "What the file cannot hold", ["A long sentence. " * 20] * 40, parent),
        FaultDialog(Fault("A mistake", "line\n" * 400, Path("log")), "The work was kept. " * 60, parent),
    ):
        dialog.show()
        settle(QApplication.instance())
        assert fits(dialog, room)
        dialog.close()


class Tall(FittedDialog):
    """Forty lines that have to be seen, and a box of buttons below them."""

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        self.lines = [QLabel(f"line {number}") for number in range(40)]
        for line in self.lines:
            layout.addWidget(line)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok)
        layout.addWidget(self.box)


def test_that_what_has_no_room_is_scrolled_above_the_buttons(qtbot: QtBot, room: QSize) -> None:
    dialog = Tall()
    qtbot.addWidget(dialog)
    dialog.show()
    scroll = dialog.findChild(QScrollArea)
    assert scroll.isAncestorOf(dialog.lines[-1])
    assert not scroll.isAncestorOf(dialog.box)
    scroll.ensureWidgetVisible(dialog.lines[-1])
    assert fits(dialog, room)


def test_that_a_dialog_that_grows_past_its_screen_begins_to_scroll(qtbot: QtBot, room: QSize) -> None:
    dialog = Tall()
    qtbot.addWidget(dialog)
    for line in dialog.lines[8:]:
        line.hide()
    dialog.show()
    assert dialog.findChild(QScrollArea) is None
    for line in dialog.lines[8:]:
        line.show()
    settle(QApplication.instance())
    assert dialog.findChild(QScrollArea) is not None
    assert fits(dialog, room)


def test_that_a_dialog_with_room_is_not_scrolled(qtbot: QtBot) -> None:
    dialog = Tall()
    qtbot.addWidget(dialog)
    for line in dialog.lines[8:]:
        line.hide()
    dialog.show()
    assert dialog.findChild(QScrollArea) is None


def test_that_every_dialog_of_ours_is_one_that_fits() -> None:
    tree = Path(__file__).resolve().parents[3] / "gui"
    for path in tree.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name != FittedDialog.__name__:
                assert QDialog.__name__ not in [base.id for base in node.bases if isinstance(base, ast.Name)], path
