"""The dialogs about the plan as a whole: settings, calendars, resources, baselines, and what it is compared with."""

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QTableWidgetItem

from engine.formats import loom
from engine.model import DAY, LagCalendar, ResourceKind, Shift
from engine.session.edits import ResizeTask
from engine.session.plan_edits import SetBaseline, Together
from engine.session.resource_edits import AddResource, AssignResource
from gui.dialogs.baselines_dialog import BaselinesDialog
from gui.dialogs.calendars_dialog import CalendarsDialog
from gui.dialogs.resources_dialog import ResourcesDialog
from gui.dialogs.settings_dialog import SettingsDialog
from gui.main_window import MainWindow
from gui.panels.compare import bar_shapes
from tests.gui.gantt.plans import HOUR, WORKDAY, at
from tests.gui.shell import action, emitted, settle, show, shown, three_days

Kind = TypeVar("Kind", bound=QDialog)
MORNING = (Shift(8 * HOUR, 12 * HOUR),)


def opened(window: MainWindow, name: str, kind: type[Kind]) -> Kind:
    action(window, name).trigger()
    return next(each for each in window.findChildren(kind) if each.isVisible())


def press_ok(dialog: QDialog) -> None:
    buttons = dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


async def test_that_settings_are_changed_as_one_step(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        before = window.bridge.state.plan
        dialog = opened(window, "settings", SettingsDialog)
        dialog.lag_calendar.setFocus()
        QTest.keyClick(dialog.lag_calendar, Qt.Key.Key_End)
        dialog.critical_days.setValue(2)
        dialog.start.show_instant(before.start + DAY)
        press_ok(dialog)
        plan = window.bridge.state.plan
        assert plan.settings == replace(before.settings, lag_calendar=LagCalendar.ALWAYS, critical_float=2 * WORKDAY)
        assert plan.start == before.start + DAY
        window.bridge.undo()
        assert window.bridge.state.plan == before


async def test_that_settings_left_alone_are_no_step(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        press_ok(opened(window, "settings", SettingsDialog))
        assert window.bridge.state.undo_label == ""


async def test_that_a_plan_is_dated_back_from_its_finish(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "settings", SettingsDialog)
        assert not dialog.finish.isEnabled()
        dialog.is_from_finish.setCurrentIndex(1)
        assert dialog.finish.isEnabled()
        dialog.finish.show_instant(at(2026, 3, 20, 17))
        press_ok(dialog)
        assert window.bridge.state.schedule.finish_of(1) == at(2026, 3, 20, 17)


async def test_that_a_calendar_is_changed_and_another_added(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "calendars", CalendarsDialog)
        assert dialog.week.days[0].text() == "08:00-12:00, 13:00-17:00"
        dialog.week.days[0].setFocus()
        dialog.week.days[0].selectAll()
        QTest.keyClicks(dialog.week.days[0], "8-12")
        QTest.mouseClick(dialog.add_exception, Qt.MouseButton.LeftButton)
        dialog.exceptions.setItem(0, 0, QTableWidgetItem("2026-03-03"))
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        dialog.name.setText("Nights")
        press_ok(dialog)
        plan = window.bridge.state.plan
        assert plan.calendar.week[0] == MORNING
        assert [each.first_day * DAY for each in plan.calendar.exceptions] == [at(2026, 3, 3)]
        assert [each.name for each in plan.calendars] == ["Nights"]
        assert plan.calendars[0].week[0] == MORNING
        window.bridge.undo()
        assert window.bridge.state.plan == three_days()


async def test_that_what_is_no_time_is_told_and_keeps_the_dialog_open(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "calendars", CalendarsDialog)
        dialog.week.days[2].setText("morning")
        press_ok(dialog)
        assert dialog.isVisible()
        assert "morning" in dialog.wrong.text()
        dialog.week.days[2].setText("")
        for day in dialog.week.days:
            day.setText("")
        press_ok(dialog)
        assert "no working time" in dialog.wrong.text()
        dialog.reject()
        assert window.bridge.state.undo_label == ""


async def test_that_resources_are_added_and_changed_as_one_step(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "resources", ResourcesDialog)
        QTest.keyClicks(dialog.rows[0].name, "Crew")
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        QTest.keyClicks(dialog.rows[1].name, "Crane")
        dialog.rows[1].kind.setCurrentIndex(dialog.rows[1].kind.findData(ResourceKind.MACHINE))
        dialog.rows[1].calendar.setCurrentIndex(1)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        press_ok(dialog)
        found = [(each.name, each.kind, each.calendar) for each in window.bridge.state.plan.resources]
        assert found == [("Crew", ResourceKind.WORK, None), ("Crane", ResourceKind.MACHINE, 1)]
        assert window.bridge.state.undo_label == "Change the resources"
        again = opened(window, "resources", ResourcesDialog)
        again.rows[0].capacity.setValue(2.5)
        again.rows[1].calendar.setCurrentIndex(0)
        press_ok(again)
        found = [(each.capacity, each.calendar) for each in window.bridge.state.plan.resources]
        assert found == [(2.5, None), (1.0, None)]


async def test_that_a_resource_gets_another_kind_and_one_in_use_is_removed_with_a_word(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.bridge.execute(Together("", (AddResource("Crew"), AddResource("Crane"), AssignResource(2, 1))))
        dialog = opened(window, "resources", ResourcesDialog)
        dialog.rows[1].kind.setCurrentIndex(dialog.rows[1].kind.findData(ResourceKind.MACHINE))
        QTest.mouseClick(dialog.rows[0].remove, Qt.MouseButton.LeftButton)
        assert dialog.said.text() == "“Crew” goes with OK, and 1 task will be done without it."
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        QTest.keyClicks(dialog.rows[-1].name, "Lift")
        press_ok(dialog)
        plan = window.bridge.state.plan
        assert [(each.name, each.kind) for each in plan.resources] == [
            ("Crane", ResourceKind.MACHINE),
            ("Lift", ResourceKind.WORK),
        ]
        assert plan.assignments == ()
        window.bridge.undo()
        assert [each.task for each in window.bridge.state.plan.assignments] == [2]


async def test_that_a_device_plan_has_streams_to_add_and_no_calendars(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        assert not action(window, "settings").isEnabled()
        assert not action(window, "calendars").isEnabled()
        dialog = opened(window, "resources", ResourcesDialog)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        QTest.keyClicks(dialog.rows[-1].name, "Stream 3")
        press_ok(dialog)
        assert window.bridge.state.plan.streams[-1].name == "Stream 3"


async def test_that_a_baseline_is_set_compared_with_and_removed(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "baselines", BaselinesDialog)
        QTest.keyClicks(dialog.name, "spring")
        QTest.mouseClick(dialog.set, Qt.MouseButton.LeftButton)
        assert window.gantt.looks.baseline == 0
        dialog.reject()
        action(window, "show_compare").trigger()
        window.bridge.execute(ResizeTask(2, 2 * WORKDAY))
        panel = window.docks.plan.compare
        while not panel.entries:
            await emitted(window.bridge.comparing.answer.answered)
        (row,) = panel.entries
        assert (row.task, row.texts[0], row.texts[5], row.share) == (2, "pour", "+1 d", 1.0)
        assert panel.sentence.text() == (
            "Against “spring”: 1 of 3 tasks differs, added 0, removed 0; the plan finishes 1 d later."
        )
        settle(qapp)
        place = panel.table.visualRect(panel.table.model().index(0, 0)).center()
        QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert window.gantt.selection == (2,)
        again = opened(window, "baselines", BaselinesDialog)
        again.number.setCurrentIndex(0)
        QTest.mouseClick(again.remove, Qt.MouseButton.LeftButton)
        assert window.bridge.state.plan.baselines == ()
        assert window.gantt.looks.baseline is None
        assert "Set a baseline" in panel.sentence.text()


async def test_that_a_plan_is_compared_with_that_of_a_file(qapp: QApplication, house: str, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, house)
        plan = three_days()
        loom.save(tmp_path / "other.loom", plan.with_task(replace(plan.task(3), duration=2 * WORKDAY)))
        window.bridge.comparing.choose(str(tmp_path / "other.loom"))
        panel = window.docks.plan.compare
        while not panel.entries:
            await emitted(window.bridge.comparing.answer.answered)
        assert window.docks.plan.compare_dock.isVisible()
        (row,) = panel.entries
        assert (row.task, row.texts[6], row.share) == (3, "\N{MINUS SIGN}1 d", -1.0)
        window.bridge.comparing.choose(str(tmp_path / "none.loom"))
        await emitted(window.bridge.comparing.answer.failed)
        assert "none.loom" in panel.sentence.text()
        assert not heard.bugs


async def test_that_a_plan_with_baselines_opens_compared_with_its_first(qapp: QApplication, tmp_path: Path) -> None:
    plan = three_days()
    for number in (4, 2):
        plan = SetBaseline(number).apply(plan)
    loom.save(tmp_path / "promised.loom", plan)
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "promised.loom"))
        assert window.bridge.comparing.other == 2
        assert window.gantt.looks.baseline == 2
        panel = window.docks.plan.compare
        action(window, "show_compare").trigger()
        assert [panel.against.itemText(row) for row in range(panel.against.count())] == [
            "Nothing", "2: Baseline 2", "4: Baseline 4",
        ]  # fmt: skip
        panel.against.setFocus()
        QTest.keyClick(panel.against, Qt.Key.Key_Down)
        assert window.gantt.looks.baseline == 4


def test_that_bars_of_variance_lie_right_of_the_middle_when_late_and_left_when_early() -> None:
    _, late = bar_shapes(0.5, 200, 24)
    _, early = bar_shapes(-1.0, 200, 24)
    assert (late.x, late.w, late.fill) == (100, 46, "critical")
    assert (early.x, early.w, early.fill) == (8, 92, "good")
    assert len(bar_shapes(0.0, 200, 24)) == 1
