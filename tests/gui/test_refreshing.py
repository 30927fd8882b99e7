"""What an edit leads to beside the chart: a piece a turn, none twice and none lost; what is hidden, once it is seen."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow

from engine.model import DAY
from engine.session.edits import MoveTask, RenameTask, ResizeTask
from gui.main_window import MainWindow
from gui.panels.refresh import Refresh
from gui.refreshing import Refreshing
from tests.gui.shell import action, emitted, settle, show, shown


async def turns(refreshing: Refreshing) -> None:
    """Wait until all is done that waits."""
    while not refreshing.is_settled:  # noqa: ASYNC110
        await asyncio.sleep(0)


# The pieces


async def test_that_pieces_are_done_later_in_the_order_in_which_they_were_asked_for_and_each_once(
    qapp: QApplication,
) -> None:
    refreshing, done = Refreshing(qapp), []
    pieces = [lambda name=name: done.append(name) for name in "abc"]
    for place in (0, 1, 0, 2, 1):
        refreshing.soon(pieces[place])
    assert done == []
    await turns(refreshing)
    assert done == ["a", "b", "c"]


async def test_that_a_piece_that_takes_long_leaves_the_next_to_another_turn(qapp: QApplication) -> None:
    refreshing, done, between = Refreshing(qapp), [], []

    def long() -> None:
        done.append("long")
        QTest.qSleep(5)

    refreshing.soon(long)
    refreshing.soon(lambda: done.append("next"))
    while "long" not in done:
        await asyncio.sleep(0)
        between = list(done)
    assert between == ["long"]
    await turns(refreshing)
    assert done == ["long", "next"]


async def test_that_what_a_piece_asks_for_is_done_too_and_at_once_by_who_settles(qapp: QApplication) -> None:
    refreshing, done = Refreshing(qapp), []
    refreshing.soon(lambda: refreshing.soon(lambda: done.append("second")))
    refreshing.settle()
    assert done == ["second"]
    assert refreshing.is_settled


async def test_that_a_piece_that_fails_keeps_none_from_being_done(qapp: QApplication) -> None:
    refreshing, done = Refreshing(qapp), []
    refreshing.soon(lambda: 1 / 0)
    refreshing.soon(lambda: done.append("next"))
    with pytest.raises(ZeroDivisionError):
        refreshing.settle()
    refreshing.soon(lambda: done.append("last"))
    await turns(refreshing)
    assert done == ["next", "last"]


async def test_that_nothing_is_done_of_what_was_dropped(qapp: QApplication) -> None:
    refreshing, done = Refreshing(qapp), []
    refreshing.soon(lambda: done.append("old"))
    refreshing.drop()
    refreshing.soon(lambda: done.append("new"))
    await turns(refreshing)
    assert done == ["new"]


# Docks


def docked(count: int) -> tuple[QMainWindow, list[QDockWidget]]:
    """A window with docks behind each other, the last in front."""
    window = QMainWindow()
    window.setCentralWidget(QLabel("chart"))
    docks = [QDockWidget(str(number), window) for number in range(count)]
    for dock in docks:
        dock.setWidget(QLabel())
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    for dock in docks[1:]:
        window.tabifyDockWidget(docks[0], dock)
    window.resize(600, 400)
    return window, docks


async def test_that_a_dock_behind_another_shows_what_was_told_last_once_it_comes_to_the_front(
    qapp: QApplication,
) -> None:
    window, (behind, front) = docked(2)
    refreshing, said = Refreshing(), []
    refreshes = [
        Refresh(dock, refreshing, lambda told, dock=dock: said.append((dock, told))) for dock in (behind, front)
    ]
    window.show()
    front.raise_()
    settle(qapp)
    for told in ("first", "second"):
        for refresh in refreshes:
            refresh.soon(told)
    assert said == []
    await turns(refreshing)
    assert said == [(front, "second")]
    behind.raise_()
    settle(qapp)
    assert said == [(front, "second"), (behind, "second")]
    front.raise_()
    settle(qapp)
    assert len(said) == 2
    window.close()
    window.deleteLater()


async def test_that_a_dock_that_is_hidden_before_its_turn_shows_it_when_it_is_back(qapp: QApplication) -> None:
    window, (dock,) = docked(1)
    refreshing, said = Refreshing(), []
    refresh = Refresh(dock, refreshing, said.append)
    window.show()
    settle(qapp)
    refresh.soon("told")
    dock.hide()
    await turns(refreshing)
    assert said == []
    dock.show()
    settle(qapp)
    assert said == ["told"]
    refresh.now("at once")
    assert said == ["told", "at once"]
    window.close()
    window.deleteLater()


# The window


def later(window: MainWindow, days: int) -> MoveTask:
    """The first task so many days later."""
    return MoveTask(1, window.bridge.state.schedule.project_start + days * DAY)


async def test_that_the_chart_shows_an_edit_at_once_and_the_rest_follows(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        settle(qapp)
        before = window.status.text
        window.bridge.execute(later(window, 14))
        assert window.gantt.state is window.bridge.state
        assert action(window, "undo").isEnabled()
        assert window.status.text == before
        settle(qapp)
        assert window.bridge.refreshing.is_settled
        assert "16 Mar" in window.status.text
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settle(qapp)
        assert window.status.text == before


async def test_that_the_table_is_painted_after_the_chart_and_its_columns_fit_then(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        settle(qapp)
        table = window.gantt.table
        window.bridge.execute(ResizeTask(1, 400 * 8 * 3600))
        assert not table.viewport().updatesEnabled()
        settle(qapp)
        assert table.viewport().updatesEnabled()
        seen = table.grab()
        table.fit_columns()
        assert table.grab().toImage() == seen.toImage()


async def test_that_rows_that_come_are_painted_with_their_bars(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        settle(qapp)
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_Down)
        action(window, "delete").trigger()
        assert len(window.bridge.state.plan.tasks) == 2
        assert window.gantt.table.viewport().updatesEnabled()


async def test_that_the_table_behind_the_board_is_right_once_the_chart_is_back(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        action(window, "show_board").setChecked(True)
        settle(qapp)
        window.bridge.execute(ResizeTask(1, 400 * 8 * 3600))
        settle(qapp)
        action(window, "show_board").setChecked(False)
        settle(qapp)
        table = window.gantt.table
        assert table.viewport().updatesEnabled()
        seen = table.grab()
        table.fit_columns()
        assert table.grab().toImage() == seen.toImage()


async def test_that_the_inspector_hidden_at_an_edit_shows_the_task_as_it_is_when_it_is_opened(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_Down)
        inspector = window.docks.plan.inspector
        toggle = (window, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClick(*toggle)
        settle(qapp)
        assert inspector.title.text() == "dig"
        QTest.keyClick(*toggle)
        window.bridge.execute(RenameTask(1, "dig deeper"))
        settle(qapp)
        assert inspector.title.text() == "dig"
        QTest.keyClick(*toggle)
        settle(qapp)
        assert inspector.title.text() == "dig deeper"


async def test_that_edits_in_a_row_have_the_inspector_written_once(
    qapp: QApplication, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_Down)
        QTest.keyClick(window, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
        settle(qapp)
        inspector, written = window.docks.plan.inspector, []
        set_html = inspector.text.setHtml
        monkeypatch.setattr(inspector.text, "setHtml", lambda html: (written.append(html), set_html(html)))
        for days in (3, 7, 14):
            window.bridge.execute(later(window, days))
        assert written == []
        await turns(window.bridge.refreshing)
        assert len(written) == 1
        assert "16 Mar" in written[0]


async def test_that_branches_made_behind_are_listed_once_the_list_is_seen(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        panel = window.docks.scenarios.panel
        window.bridge.branching.branch("Other")
        window.bridge.branching.branch("Third")
        settle(qapp)
        action(window, "show_scenarios").trigger()
        settle(qapp)
        assert [entry.texts[1] for entry in panel.branches.entries][1:] == ["Other", "Third"]
        assert panel.after.currentData() == window.bridge.state.scenarios.active_id
        window.bridge.branching.step(1)
        settle(qapp)
        assert panel.branches.entries[0].texts[0].startswith("▶")


async def test_that_nothing_of_a_closed_plan_is_shown_any_more(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_Down)
        QTest.keyClick(window, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
        action(window, "show_scenarios").trigger()
        settle(qapp)
        window.bridge.execute(later(window, 14))
        window.bridge.close()
        inspector = window.docks.plan.inspector
        assert inspector.title.text() == "Inspector"
        assert window.docks.scenarios.panel.branches.entries == []
        assert window.status.text == ""
        settle(qapp)
        assert inspector.title.text() == "Inspector"
        assert window.status.text == ""


async def test_that_conflicts_found_behind_are_listed_once_the_list_is_seen(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        while (await emitted(window.bridge.findings.found))[0] is None:
            pass
        lists = window.docks.lists
        action(window, "show_conflicts").trigger()
        settle(qapp)
        assert lists.conflicts.sentence.text().startswith("No date breaks")
        window.bridge.close()
        assert lists.conflicts.sentence.text() == ""
