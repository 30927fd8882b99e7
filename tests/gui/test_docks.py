"""Docks in windows of any size: none asks for more room than there is, and the chart keeps some rows."""

from pathlib import Path

from PySide6.QtWidgets import QApplication, QDockWidget

from tests.gui.optimizing import assembly_line
from tests.gui.shell import action, settle, shown

LEAST_WIDTH_PX, LEAST_ROOM_PX = 800, 280  # of a window, and what it leaves below its bar and above its status line


async def test_that_no_dock_asks_for_more_room_than_the_least_window_has(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        least = {dock.objectName(): dock.minimumSizeHint().toTuple() for dock in window.findChildren(QDockWidget)}
        assert {name for name, (wide, high) in least.items() if wide > LEAST_WIDTH_PX or high > LEAST_ROOM_PX} == set()


async def test_that_a_second_dock_shares_the_place_of_the_first_where_the_chart_would_have_no_room(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        window.resize(1366, 740)
        action(window, "show_optimizer").trigger()
        settle(qapp)
        action(window, "show_why_late").trigger()
        settle(qapp)
        optimizer, why = window.docks.optimizer.dock, window.docks.optimizer.why.dock
        assert window.tabifiedDockWidgets(optimizer) == [why]
        assert not why.visibleRegion().isEmpty()
        assert window.centralWidget().height() > 240


async def test_that_the_chart_makes_room_for_a_dock_and_not_the_docks_there_are(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        window.resize(1600, 1100)
        action(window, "show_optimizer").trigger()
        settle(qapp)
        optimizer, why = window.docks.optimizer.dock, window.docks.optimizer.why.dock
        before = optimizer.height()
        action(window, "show_why_late").trigger()
        settle(qapp)
        assert window.tabifiedDockWidgets(optimizer) == []
        assert abs(optimizer.height() - before) < 16
        assert why.height() > 240


async def test_that_the_room_of_a_dock_that_is_closed_is_the_charts(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        window.resize(1600, 1100)
        action(window, "show_optimizer").trigger()
        settle(qapp)
        optimizer, why = window.docks.optimizer.dock, window.docks.optimizer.why.dock
        chart, high = window.centralWidget().height(), optimizer.height()
        load = window.docks.workload.load_dock
        shows = {why: action(window, "show_why_late"), load: action(window, "show_load")}
        for dock, close in ((why, why.close), (why, shows[why].trigger), (load, load.close)):
            shows[dock].trigger()
            settle(qapp)
            assert window.centralWidget().height() < chart - 200
            close()
            settle(qapp)
            assert abs(window.centralWidget().height() - chart) < 16
            assert abs(optimizer.height() - high) < 16
