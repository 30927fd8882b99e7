"""The tool bar: nothing that a person aims at moves."""

import pytest
from PySide6.QtWidgets import QApplication, QMainWindow, QToolButton
from pytestqt.qtbot import QtBot

from gui.actions import TABLE, Situation
from gui.menus import Actions
from gui.panels.tool_bar import ToolBar
from gui.theme import LIGHT, style_sheet


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> QMainWindow:
    """A window for the bar to stand in."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setStyleSheet(style_sheet(LIGHT))
    return window


@pytest.fixture
def actions(window: QMainWindow) -> Actions:
    """Every action, bound to nothing."""
    return Actions(window, {row.id: lambda: None for row in TABLE})


@pytest.fixture
def bar(window: QMainWindow, actions: Actions) -> ToolBar:
    """The bar in a window of 1400 pixels."""
    bar = ToolBar(actions, window)
    bar.set_theme(LIGHT)
    window.addToolBar(bar)
    window.resize(1400, 300)
    window.show()
    return bar


def places(bar: ToolBar) -> list[tuple[int, int]]:
    """Where the buttons begin and end."""
    QApplication.processEvents()
    buttons = (bar.run_button, bar.pause_button, bar.cancel_button)
    return [(button.x(), button.geometry().right()) for button in buttons]


@pytest.mark.parametrize("width", [800, 1400])
def test_that_no_button_moves_when_the_words_beside_it_change(
    bar: ToolBar, actions: Actions, window: QMainWindow, width: int
) -> None:
    window.resize(width, 300)
    bar.show_device("cpu", 1)
    bar.show_plan("House", False, "")
    before = places(bar)
    bar.show_device("simulated", 10_000)
    bar.show_plan(
        "A plan with a name as long as a sentence may be, and longer · its file.loom", True, "/a/its file.loom"
    )
    actions.update(Situation(is_open=True, is_running=True, is_paused=True))
    assert places(bar) == before
    assert bar.plan_label.geometry().right() <= width


@pytest.mark.parametrize("width", [800, 1400])
def test_that_every_button_has_its_place_in_a_narrow_window_too(bar: ToolBar, window: QMainWindow, width: int) -> None:
    window.resize(width, 300)
    bar.show_device("simulated", 10_000)
    bar.show_plan("House · house.loom", True, "/a/house.loom")
    places(bar)
    assert bar.device_button.isVisible()
    assert bar.device_button.geometry().right() <= width
    assert not bar.findChild(QToolButton, "qt_toolbar_ext_button").isVisible()
    assert (
        bar.device_button.text() == ("Device: " if width > 1000 else "") + "Simulated \N{MULTIPLICATION SIGN} 10000 ▾"
    )


def test_that_going_on_has_the_picture_of_running(bar: ToolBar, actions: Actions) -> None:
    pause = actions["pause"].icon().cacheKey()
    bar.show_paused(True)
    assert actions["pause"].icon().cacheKey() != pause
    bar.set_theme(LIGHT)
    assert actions["pause"].icon().cacheKey() != pause
    bar.show_paused(False)
    going = actions["pause"].icon().pixmap(12, 12).toImage()
    bar.show_paused(True)
    assert actions["pause"].icon().pixmap(12, 12).toImage() != going


def test_that_the_tooltip_says_where_the_plan_lies(bar: ToolBar) -> None:
    bar.show_plan("House · house.loom", False, "/a/house.loom")
    assert bar.plan_label.toolTip() == "/a/house.loom"
    bar.show_plan("House", True, "")
    assert bar.plan_label.toolTip() == "This plan has no file yet\nThere are changes that are not saved"
