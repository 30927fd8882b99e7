"""The window as a whole: real parts, a real bridge, real mouse and keys, and a way out in order."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog, QPushButton

from engine.formats import loom
from engine.gpu import has_driver
from engine.model import Clock, Dependency
from engine.session.edits import AddLink, AddTask, MoveTask, RenameTask
from engine.session.jobs import Outcome
from gui.dialogs.fault_dialog import FaultDialog
from gui.dialogs.help_dialogs import RowsDialog, ShortcutsDialog
from gui.faults import Fault
from gui.main_window import MainWindow
from gui.theme import DARK, METRICS
from tests.gui.shell import action, answer, emitted, ended, racing, settle, show, shown, three_days, until

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


def bar(window: MainWindow, task: int) -> QPoint:
    """The middle of a task's bar, in the pixels of the chart's viewport."""
    layout = window.gantt._layout()
    assert layout is not None
    found = layout.bar_of(task)
    assert found is not None
    y = layout.y(found.row) + METRICS.bar_top_px + METRICS.bar_px / 2
    return QPoint(round((found.left + found.right) / 2), round(y + METRICS.header_px))


def drag(window: MainWindow, start: QPoint, pixels: int) -> None:
    """Drag with the left button, in steps as a hand would."""
    viewport, left = window.gantt.chart.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(viewport, left, pos=start)
    for step in range(1, 11):
        QTest.mouseMove(viewport, start + QPoint(pixels * step // 10, 0))
    QTest.mouseRelease(viewport, left, pos=start + QPoint(pixels, 0))


async def test_that_a_plan_is_opened_dragged_undone_run_on_the_processor_and_left(
    qapp: QApplication, frames: str
) -> None:
    async with shown(qapp, start=None) as (window, heard):
        await show(window, frames)
        before = window.bridge.state
        assert before is not None
        drag(window, bar(window, 5), 90)
        moved = window.bridge.state
        assert moved.plan.task(5).pin is not None
        assert moved.schedule.start_of(5) > before.schedule.start_of(5)
        QTest.keyClick(window, Key.Key_Z, CONTROL)
        assert window.bridge.state.plan == before.plan
        QTest.keyClick(window, Key.Key_F5)
        job = window.bridge.current_run
        assert job is not None
        assert not action(window, "run").isEnabled()
        await ended(window.bridge)
        assert job.outcome is Outcome.FINISHED
        assert job.is_verified
        assert sorted((span.task, span.iteration) for span in job.timeline.spans()) == [(n, 0) for n in range(1, 7)]
        assert set(window.gantt._look.actuals) == set(range(1, 7))
        assert window.status.text == heard.messages[-1] == "The run finished; its results equal the reference."
        await emitted(window.closed, window.close)
        assert window.bridge.state is None


async def test_that_the_window_starts_with_the_welcome_page_and_opens_its_samples(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        assert window.pages.currentWidget() is window.welcome
        assert window.docks.timeline.isHidden()
        card = window.welcome.cards[0]
        await emitted(window.bridge.document_opened, lambda: QTest.mouseClick(card, Qt.MouseButton.LeftButton))
        assert window.pages.currentWidget() is window.gantt
        assert window.docks.timeline.isVisible()
        assert "Video pipeline" in window.tool_bar.plan_label.text()
        assert window.status.text.startswith(f"{len(window.bridge.state.plan.tasks)} tasks · plan finish ")


async def test_that_a_calendar_plan_says_why_it_does_not_run_and_has_no_timeline(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        assert not action(window, "run").isEnabled()
        assert "calendar" in window.tool_bar.run_button.toolTip()
        assert window.docks.timeline.isHidden()
        assert window.status.text == "3 tasks · plan finish Mon 2 Mar 2026 17:00 · 3 critical"


async def test_that_chart_and_timeline_share_their_axis_and_their_left_column(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.bridge.run()
        await ended(window.bridge)
        action(window, "zoom_in").trigger()
        chart, timeline = window.gantt.time_scale, window.timeline.time_scale
        assert (chart.origin_ticks, chart.ticks_per_px) == (timeline.origin_ticks, timeline.ticks_per_px)
        window.timeline.chart.pan(120)
        chart, timeline = window.gantt.time_scale, window.timeline.time_scale
        assert (chart.origin_ticks, chart.ticks_per_px) == (timeline.origin_ticks, timeline.ticks_per_px)
        window.docks.set_left_width(400)
        settle(qapp)
        zero = [part.chart.mapTo(window, QPoint(0, 0)).x() for part in (window.gantt, window.timeline)]
        assert zero[0] == zero[1]


async def test_that_a_run_that_was_followed_is_seen_whole_at_its_end(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.bridge.run()
        await ended(window.bridge)
        scale, end = window.gantt.time_scale, window.bridge.current_run.timeline.end_ns_max
        assert 0 <= scale.x(0) < scale.x(end) <= window.timeline.time_scale.width_px


async def test_that_an_error_outlines_its_tasks_and_a_button_mends_it(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "race.loom", racing())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "race.loom"))
        QTest.keyClick(window, Key.Key_F5)
        assert "load" in window.status.text
        assert window.gantt._look.failed == {1, 2}
        button = next(b for b in window.status.findChildren(QPushButton) if b.isVisible())
        assert button.text() == "Add the link"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert len(window.bridge.state.plan.dependencies) == 2
        assert window.gantt._look.failed == frozenset()
        assert not button.isVisible()


async def test_that_the_error_of_a_run_is_gone_when_the_next_one_starts(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.bridge.failed.emit("The device ended.", (2,))
        assert window.gantt._look.failed == {2}
        window.bridge.set_repeat(1000)
        action(window, "run").trigger()
        assert window.status.text == "The cpu device gets ready for the run."
        assert window.status._left.property("role") == "muted"
        assert window.gantt._look.failed == frozenset()
        await emitted(window.bridge.spans_arrived)
        assert window.status.text.startswith("The run goes on: pass ")
        action(window, "cancel").trigger()
        assert window.status.text == "Canceling…"
        assert not action(window, "cancel").isEnabled()
        assert not action(window, "pause").isEnabled()
        assert not action(window, "run").isEnabled()
        await ended(window.bridge)
        assert action(window, "run").isEnabled()


async def test_that_unsaved_changes_are_asked_about_and_cancel_stays(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        closed: list[bool] = []
        window.closed.connect(lambda: closed.append(True))
        window.bridge.execute(RenameTask(1, "excavate"))
        assert window.isWindowModified()
        assert window.tool_bar.plan_label.text() == "● House · house.loom"
        assert house in window.tool_bar.plan_label.toolTip()
        assert window.windowTitle() == f"House · house.loom[*] - {QApplication.applicationName()}"
        window.close()
        assert window.isVisible()
        answer(window, "Cancel")
        assert (closed, window.bridge.state.is_dirty) == ([], True)
        window.close()
        await emitted(window.closed, lambda: answer(window, "Save"))
        assert loom.load(house).task(1).name == "excavate"


async def test_that_changes_can_be_discarded(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.bridge.execute(RenameTask(1, "excavate"))
        QTest.keyClick(window, Key.Key_W, CONTROL)
        answer(window, "Discard")
        assert window.bridge.state is None
        assert window.pages.currentWidget() is window.welcome
        assert loom.load(house).task(1).name == "dig"
        last = window.welcome.findChildren(QPushButton)[-1]  # a long path is cut in its middle
        assert (last.text()[:12], last.toolTip()) == ("house   ·   ", f"Open {house}")


async def test_that_actions_edit_the_selected_task(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        assert not action(window, "rename").isEnabled()
        QTest.mouseClick(window.gantt.chart.viewport(), Qt.MouseButton.LeftButton, pos=bar(window, 2))
        assert window.gantt.selection == (2,)
        action(window, "link").trigger()
        assert [(d.predecessor, d.successor) for d in window.bridge.state.plan.dependencies] == [(1, 2)]
        window.bridge.execute(MoveTask(2, three_days().start + 3 * 86_400))
        action(window, "remove_pin").trigger()
        assert window.bridge.state.plan.task(2).pin is None
        action(window, "rename").trigger()
        editor = window.commands.table.editing.editor
        assert editor.text() == "pour"
        QTest.keyClicks(editor, "fill ")
        QTest.keyClick(editor, Key.Key_Return)
        assert window.bridge.state.plan.task(2).name == "fill"
        assert (window.gantt.selection, editor.isVisible()) == ((2,), False)
        action(window, "add_task").trigger()
        QTest.keyClicks(window.commands.table.new_row.editor, "drain")
        QTest.keyClick(window.commands.table.new_row.editor, Key.Key_Return)
        assert [task.name for task in window.bridge.state.plan.tasks] == ["dig", "fill", "drain", "build"]
        assert window.gantt.selection == (4,)
        action(window, "delete").trigger()
        assert [task.name for task in window.bridge.state.plan.tasks] == ["dig", "fill", "build"]


async def test_that_the_delete_key_takes_a_chosen_pin_before_the_task(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.bridge.execute(MoveTask(2, three_days().start + 86_400))
        window.gantt.select((2,))
        window.gantt.pointer.pin = 2
        QTest.keyClick(window.gantt, Key.Key_Delete)
        assert window.bridge.state.plan.task(2).pin is None
        QTest.keyClick(window.gantt, Key.Key_Delete)
        assert 2 not in window.bridge.state.plan.rows


async def test_that_device_and_repeat_count_are_chosen_and_shown(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        action(window, "device_simulated").trigger()
        action(window, "repeat").trigger()
        dialog = window.findChild(QInputDialog)
        dialog.setIntValue(3)
        dialog.accept()
        assert window.tool_bar.device_button.text() == "Simulated \N{MULTIPLICATION SIGN} 3 ▾"
        assert action(window, "device_simulated").isChecked()
        assert action(window, "device_cuda").isEnabled() == has_driver()
        window.bridge.run()
        await ended(window.bridge)
        assert window.bridge.current_run.timeline.count == 18


async def test_that_the_device_button_says_what_a_run_is_on_until_it_ends(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, frames)
        button = window.tool_bar.device_button
        window.bridge.set_repeat(10_000)
        window.bridge.run()
        await emitted(window.bridge.spans_arrived)
        during = button.text()
        window.bridge.set_repeat(1)
        action(window, "device_simulated").trigger()
        assert button.text() == during
        assert "CPU" in during
        assert heard.messages[-1].startswith("The next run is on this device")
        action(window, "cancel").trigger()
        await ended(window.bridge)
        assert "Simulated" in button.text()


async def test_that_a_refused_link_is_told_until_something_else_is_selected(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.gantt.select((1,))
        window.gantt.edit_made.emit(AddLink(Dependency(1, 2)))
        window.gantt.edit_made.emit(AddLink(Dependency(2, 1)))
        assert "would make a cycle" in window.status.text
        window.gantt.select((2,))
        assert "cycle" not in window.status.text


async def test_that_pause_says_go_on_while_the_run_stands_still(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.bridge.set_repeat(10_000)
        window.bridge.run()
        await emitted(window.bridge.spans_arrived)
        action(window, "pause").trigger()
        assert action(window, "pause").text() == "&Go on"
        action(window, "pause").trigger()
        assert action(window, "pause").text() == "&Pause"
        action(window, "cancel").trigger()
        await ended(window.bridge)
        assert window.bridge.current_run.outcome is Outcome.CANCELED


async def test_that_a_run_is_kept_with_its_plan_and_shown_again(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.bridge.run()
        await ended(window.bridge)
        saved = asyncio.Event()
        window.bridge.save(then=saved.set)
        await asyncio.wait_for(saved.wait(), 20)
        await show(window, frames)
        assert window.bridge.current_run is None
        assert set(window.gantt._look.actuals) == set(range(1, 7))


async def test_that_the_layout_is_found_again_and_can_be_restored(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.docks.set_left_width(410)
        window.resize(800, 640)
        window.docks.keep_layout()
        other = MainWindow(window.bridge, window._appearance, lambda: 0.0)
        other.show()
        settle(qapp)
        assert other.height() == 640
        assert other.gantt.table.width() == 410
        other.docks.timeline.setFloating(True)
        action(other, "show_overlap").trigger()
        assert other.overlap.isHidden()
        action(other, "restore_docks").trigger()
        settle(qapp)
        assert not other.docks.timeline.isFloating()
        assert not other.overlap.isHidden()
        assert other.gantt.table.width() == METRICS.left_width_px
        other.hide()
        other.deleteLater()


async def test_that_a_window_left_without_a_plan_keeps_no_layout_of_docks(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        window.docks.keep_layout()
        assert QSettings().value("geometry") is not None
        assert QSettings().value("docks") is None
        await show(window, frames)
        window.docks.keep_layout()
        assert QSettings().value("docks") is not None


@pytest.mark.parametrize("name", ["show_overlap", "show_counters"])
async def test_that_what_stands_in_the_timeline_is_shown_with_it(qapp: QApplication, frames: str, name: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        overlap = action(window, "show_overlap")
        assert overlap.isChecked()
        action(window, "show_timeline").trigger()
        assert not overlap.isChecked()
        action(window, name).trigger()
        settle(qapp)
        assert action(window, name).isChecked()
        assert not window.docks.timeline.isHidden()
        assert overlap.isChecked()
        assert not window.overlap.isHidden()
        overlap.trigger()
        assert window.overlap.isHidden()
        assert not window.docks.timeline.isHidden()
        action(window, "restore_docks").trigger()
        assert overlap.isChecked()


async def test_that_docks_can_be_hidden_and_shown_from_the_menu(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        assert action(window, "show_timeline").isChecked()
        QTest.keyClick(window, Key.Key_1, CONTROL)
        assert window.docks.timeline.isHidden()
        QTest.keyClick(window, Key.Key_1, CONTROL)
        assert window.docks.timeline.isVisible()


async def test_that_every_part_wears_the_chosen_theme_and_it_is_remembered(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        window._appearance._is_kept = True
        action(window, "theme_dark").trigger()
        assert QSettings().value("theme") == "dark"
        assert window.welcome.cards[0].theme is DARK
        assert window.grab().toImage().pixelColor(4, window.height() // 2).name().upper() == DARK.ground


async def test_that_a_bug_is_told_once_and_the_work_kept(qapp: QApplication, house: str, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.bridge.execute(RenameTask(1, "excavate"))
        for number in range(3):
            window.tell_of(Fault(f"KeyError: {number}", "trace", tmp_path / "log"))
        dialogs = window.findChildren(FaultDialog)
        assert len(dialogs) == 1
        await until(lambda: bool(list(tmp_path.glob(".house.loom.*.autosave"))))
        dialogs[0].reject()
        window.tell_of(Fault("KeyError: 4", "trace", tmp_path / "log"))
        assert len([d for d in window.findChildren(FaultDialog) if d.isVisible()]) == 1
        window.bridge.close()


@pytest.mark.parametrize(("name", "kind"), [("shortcuts", ShortcutsDialog), ("about", RowsDialog)])
async def test_that_the_help_opens_without_stopping_anything(qapp: QApplication, name: str, kind: type) -> None:
    async with shown(qapp) as (window, _):
        action(window, name).trigger()
        dialog = window.findChild(kind)
        assert dialog.isVisible()
        await asyncio.sleep(0)
        dialog.reject()


async def test_that_a_new_device_plan_can_be_begun(qapp: QApplication) -> None:
    async with shown(qapp) as (window, heard):
        action(window, "new_device_plan").trigger()
        state = window.bridge.state
        assert state.plan.clock is Clock.DEVICE
        assert len(state.plan.streams) == 1
        assert action(window, "run").toolTip() == "There is nothing to run yet: add tasks."
        window.bridge.execute(AddTask("first"))
        assert action(window, "run").isEnabled()
        window.bridge.run()
        assert "first" in heard.failures[-1][0]


async def test_that_the_status_line_says_how_fast_the_window_answers(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.status._show_answer()
        assert window.status._right.text() == "window answers in 3 ms"


async def test_that_no_dialog_stops_the_loop(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.gantt.select((1,))
        for name in ("open", "save_as", "repeat", "shortcuts", "about"):
            action(window, name).trigger()
            await asyncio.sleep(0.005)
            dialog = next(d for d in window.findChildren(QDialog) if d.isVisible())
            dialog.reject()
            await asyncio.sleep(0.005)


async def test_that_several_tasks_are_deleted_in_one_step_and_the_next_is_chosen(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        before = window.bridge.state.plan
        window.gantt.select((1, 2))
        action(window, "delete").trigger()
        assert [task.name for task in window.bridge.state.plan.tasks] == ["build"]
        assert window.gantt.selection == (3,)
        action(window, "undo").trigger()
        assert window.bridge.state.plan == before


async def test_that_resizing_the_window_during_a_run_goes_on_following(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.bridge.run()
        assert window.timeline.is_following
        window.resize(window.width() - 120, window.height() - 40)
        settle(qapp)
        assert window.timeline.is_following
        await ended(window.bridge)


async def test_that_the_plan_stays_in_sight_while_a_run_of_many_passes_is_followed(
    qapp: QApplication, frames: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        action(window, "zoom_out").trigger()
        window.bridge.set_repeat(100)
        window.bridge.run()
        fitted = window.gantt.time_scale
        finish = window.bridge.state.schedule.project_finish
        assert fitted.x(finish) > fitted.width_px / 2
        assert window.timeline.chart.axis_px > 0
        await ended(window.bridge)
        assert window.gantt.time_scale == fitted
        run = window.bridge.current_run.timeline
        assert 0 <= window.timeline.time_scale.x(0) < window.timeline.time_scale.x(run.end_ns_max)
