"""Menus by the right button and by the keyboard: the actions of the bar's menus, about what is pressed."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from engine.formats import loom
from engine.model import Dependency, DependencyKind, Lag
from gui.actions import BY_ID, MENUS
from gui.actions.places import PLACES, Place, entries
from gui.gantt import links
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.board.plans import shop
from tests.gui.gantt.plans import WORKDAY, week
from tests.gui.shell import action, settle, show, shown

RIGHT = Qt.MouseButton.RightButton


@pytest.fixture
def planned(tmp_path: Path) -> str:
    """The week in a file."""
    loom.save(tmp_path / "week.loom", week().plan)
    return str(tmp_path / "week.loom")


def press_right(widget: QWidget, at: QPoint) -> QMenu:
    """What a window system sends for the right button; the menu that opens."""
    QTest.mousePress(widget, RIGHT, pos=at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, event)
    QTest.mouseRelease(widget, RIGHT, pos=at)
    return opened()


def opened() -> QMenu:
    QApplication.processEvents()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def offered(menu: QMenu) -> list[str]:
    """The ids of the actions of a menu that can be chosen."""
    return [each.objectName() for each in menu.actions() if each.objectName() and each.isEnabled()]


def on_bar(window: MainWindow, row: int) -> QPoint:
    bar = window.gantt._layout().bar(row)
    return QPoint(round((bar.left + bar.right) / 2), round(bar.y) + METRICS.header_px + 10)


async def opened_week(window: MainWindow, app: QApplication, path: str) -> QWidget:
    await show(window, path)
    settle(app)
    return window.gantt.chart.viewport()


def test_that_every_place_offers_actions_and_menus_that_there_are() -> None:
    assert set(PLACES) == set(Place)
    for place in Place:
        named = list(entries(place))
        assert len({entry.name for entry in named}) == len(named)
        for entry in named:
            assert entry.name in (dict(MENUS) if entry.is_menu else BY_ID)


async def test_that_a_bar_is_chosen_and_its_menu_holds_the_actions_of_the_bar(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        chart = await opened_week(window, qapp, planned)
        menu = press_right(chart, on_bar(window, 1))
        assert window.gantt.selection == (2,)
        assert {"show_inspector", "rename", "unlink", "split_middle", "delete"} <= set(offered(menu))
        assert "operation" not in [each.objectName() for each in menu.actions()]
        assert menu.toolTipsVisible()
        assert action(window, "delete") in menu.actions()
        action(window, "delete").trigger()
        assert 2 not in window.bridge.state.plan.rows
        menu.close()


async def test_that_what_is_chosen_stays_so_where_the_pressed_bar_is_among_it(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        chart = await opened_week(window, qapp, planned)
        window.gantt.select((2, 5))
        menu = press_right(chart, on_bar(window, 4))
        assert window.gantt.selection == (2, 5)
        assert not action(window, "rename").isEnabled()
        menu.close()
        press_right(chart, on_bar(window, 2)).close()
        assert window.gantt.selection == (3,)


async def test_that_a_link_is_chosen_and_given_another_kind_and_lag(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, heard):
        chart = await opened_week(window, qapp, planned)
        way = links.way_of(window.gantt._layout(), 0, 4, Dependency(2, 3))
        x, y = way[-2][0], (way[-2][1] + way[-1][1]) / 2
        menu = press_right(chart, QPoint(round(x), round(y) + METRICS.header_px))
        assert offered(menu) == ["link_fs", "link_ss", "link_ff", "link_sf", "link_details", "delete"]
        assert action(window, "link_fs").isChecked()
        menu.close()
        action(window, "link_ss").trigger()
        assert Dependency(2, 3, DependencyKind.SS) in window.bridge.state.plan.dependencies
        assert action(window, "link_ss").isChecked()
        acts = window.commands.links
        acts._take(window.gantt.pointer.link, "FF+1d")
        changed = Dependency(2, 3, DependencyKind.FF, Lag(WORKDAY))
        assert changed in window.bridge.state.plan.dependencies
        acts._take(changed, "FF+soon")
        assert "cannot be read" in heard.failures[-1][0]
        action(window, "delete").trigger()
        assert window.bridge.state.plan.dependencies == (Dependency(3, 4),)
        assert not action(window, "link_details").isEnabled()


async def test_that_ground_axis_and_rows_have_menus_of_their_own(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        chart = await opened_week(window, qapp, planned)
        window.gantt.select((5,))
        ground = press_right(chart, QPoint(60, METRICS.header_px + 400))
        assert {"add_task", "fit", "expand_all"} <= set(offered(ground))
        assert [each.menu().title() for each in ground.actions() if each.menu()] == ["&Color of bars", "B&aseline"]
        assert window.gantt.selection == (5,)
        ground.close()
        axis = press_right(chart, QPoint(300, 20))
        assert {"zoom_in", "zoom_out", "fit", "calendars"} <= set(offered(axis))
        axis.close()
        rows = press_right(window.gantt.table.viewport(), QPoint(80, METRICS.row_px + 10))
        assert window.gantt.selection == (2,)
        assert {"indent", "cut", "add_task", "columns"} <= set(offered(rows))
        rows.close()


@pytest.mark.parametrize("part", ["chart", "table"])
async def test_that_shift_and_f10_or_the_menu_key_opens_it_beside_what_is_chosen(
    part: str, qapp: QApplication, planned: str
) -> None:
    async with shown(qapp) as (window, _):
        await opened_week(window, qapp, planned)
        window.gantt.select((3,))
        widget = getattr(window.gantt, part)
        widget.setFocus()
        for do in (
            lambda: QTest.keyClick(widget, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier),
            lambda: QApplication.sendEvent(
                widget, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
            ),
        ):
            do()
            menu = opened()
            assert {"rename", "delete", "unlink"} <= set(offered(menu))
            row = widget.mapFromGlobal(menu.pos()).y() - METRICS.header_px
            assert 2 * METRICS.row_px <= row <= 3 * METRICS.row_px + 2
            menu.close()


async def test_that_a_device_plan_is_offered_operations_and_no_splits(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        chart = await opened_week(window, qapp, frames)
        menu = press_right(chart, on_bar(window, 0))
        names = [each.objectName() for each in menu.actions()]
        assert "operation" in names
        assert not {"split_middle", "more_done", "clear_delays"} & set(names)
        menu.close()


async def test_that_bars_rows_and_ground_of_the_board_have_menus(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "shop.loom", shop().plan)
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "shop.loom"))
        action(window, "show_board").trigger()
        settle(qapp)
        board = window.pages.board
        layout = board._layout()
        bar = next(each for each in layout.bars(900) if each.slot.task.id == 4)
        at = QPoint(round((bar.left + bar.right) / 2), round(bar.top) + METRICS.header_px + 8)
        menu = press_right(board.chart.viewport(), at)
        assert window.gantt.selection == (4,)
        assert {"show_inspector", "longer", "delete"} <= set(offered(menu))
        menu.close()
        QTest.keyClick(board.chart, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = opened()
        assert board.chart.mapFromGlobal(menu.pos()).y() - METRICS.header_px == round(bar.top) + 8
        menu.close()
        menu = press_right(board.names, QPoint(40, METRICS.header_px + 10))
        assert {"resources", "show_load"} <= set(offered(menu))
        menu.close()
        menu = press_right(board.chart.viewport(), QPoint(5, METRICS.header_px + 300))
        assert "resources" in offered(menu)
        menu.close()


async def test_that_a_drag_is_let_go_by_the_right_button(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        chart = await opened_week(window, qapp, planned)
        at = on_bar(window, 4)
        QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=at)
        QTest.mouseMove(chart, at + QPoint(100, 0))
        press_right(chart, at + QPoint(100, 0)).close()
        QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=at + QPoint(100, 0))
        assert window.bridge.state.undo_label == ""
