"""Level resources and the load of resources, in the window: with keys and the mouse."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import Assignment, Plan, Resource
from engine.session.edits import RenameTask
from gui.bridge.inquiry import GivenUpError, Watched
from gui.canvas.shapes import Label
from gui.main_window import MainWindow
from tests.engine.model.strategies import HOUR
from tests.gui.shell import action, settle, show, shown, three_days, until

DAY = 24 * HOUR


def crowded() -> Plan:
    """Three tasks of a day that one person is to do on the same one."""
    people = (Resource(1, "Ann"), Resource(2, "Ben"))
    assignments = tuple(Assignment(task, 1) for task in (1, 2, 3))
    return replace(three_days(), resources=people, assignments=assignments).check()


@pytest.fixture
def crowd(tmp_path: Path) -> str:
    """That plan in a file."""
    loom.save(tmp_path / "crowd.loom", crowded())
    return str(tmp_path / "crowd.loom")


async def leveled(window: MainWindow, path: str) -> None:
    """Open a plan and ask by the shortcut to have it leveled."""
    await show(window, path)
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    panel = window.docks.workload.leveling
    await until(panel.apply.isEnabled)


async def test_that_a_preview_says_what_would_move_and_changes_nothing(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        panel = window.docks.workload.leveling
        assert panel.moves.sentence.text() == (
            "2 tasks would move; the plan's finish goes from Mon 2 Mar 2026 17:00 to Wed 4 Mar 2026 17:00 (+2 d)."
        )
        assert [entry.texts for entry in panel.moves.entries] == [
            ("pour", "Mon 2 Mar 2026 08:00", "Tue 3 Mar 2026 08:00", "+1 d", "waits for “Ann”, busy with “dig”"),
            ("build", "Mon 2 Mar 2026 08:00", "Wed 4 Mar 2026 08:00", "+2 d", "waits for “Ann”, busy with “pour”"),
        ]
        assert panel.stays.sentence.text() == "Overloads: 1 before, 0 after."
        assert not window.bridge.state.is_dirty
        assert window.gantt._look.preview.schedule.start_of(3) == window.bridge.state.plan.start + 2 * DAY + 8 * HOUR


async def test_that_applying_it_is_one_step_that_can_be_undone(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        panel, before = window.docks.workload.leveling, window.bridge.state
        QTest.mouseClick(panel.apply, Qt.MouseButton.LeftButton)
        assert window.bridge.state.undo_label == "Level resources (2 tasks)"
        assert [task.delay for task in window.bridge.state.plan.tasks] == [0, DAY, 2 * DAY]
        assert window.gantt._look.preview is None
        await until(lambda: panel.moves.sentence.text().startswith("No resource has more to do"))
        window.bridge.undo()
        assert window.bridge.state.plan == before.plan


async def test_that_discarding_it_by_escape_changes_nothing(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        work, before = window.docks.workload, window.bridge.state
        QTest.keyClick(work.leveling.rule, Qt.Key.Key_Escape)
        assert not work.leveling_dock.isVisible()
        await until(lambda: window.gantt._look.preview is None)
        assert window.bridge.state is before


async def test_that_within_float_nothing_moves_and_the_reason_is_told(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        panel = window.docks.workload.leveling
        QTest.keyClick(panel.within_float, Qt.Key.Key_Space)
        await until(lambda: len(panel.stays.entries) > 0)
        assert panel.moves.sentence.text() == "Nothing would move."
        assert not panel.apply.isEnabled()
        assert panel.stays.entries[0].texts[2] == (
            "“Ann” stays overloaded, 3 of 1: “pour” and “build” fit nowhere within their float."
        )


async def test_that_tasks_that_a_person_selected_stay_and_others_make_way(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        panel = window.docks.workload.leveling
        assert not panel.keeps.isEnabled()
        window.gantt.select((3,))
        QTest.keyClick(panel.keeps, Qt.Key.Key_Space)
        window.gantt.select((1,))
        await until(lambda: panel.apply.isEnabled() and len(panel.moves.entries) == 2)
        assert [entry.task for entry in panel.moves.entries] == [1, 2]


async def test_that_a_preview_of_an_earlier_plan_is_never_applied(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        panel = window.docks.workload.leveling
        window.bridge.execute(RenameTask(1, "excavate"))
        assert not panel.apply.isEnabled()
        assert window.gantt._look.preview is None
        await until(panel.apply.isEnabled)
        assert "excavate" in panel.moves.entries[0].texts[4]


async def test_that_leveling_can_be_given_up_and_asked_for_again(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        panel = window.docks.workload.leveling
        panel.rule.setCurrentIndex(2)
        QTest.mouseClick(panel.cancel, Qt.MouseButton.LeftButton)
        assert panel.moves.sentence.text() == "Canceled: nothing was changed."
        QTest.mouseClick(panel.cancel, Qt.MouseButton.LeftButton)
        await until(panel.apply.isEnabled)


async def test_that_delays_are_taken_back_by_an_action(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await leveled(window, crowd)
        assert not action(window, "clear_delays").isEnabled()
        window.docks.workload.leveling.apply.click()
        assert action(window, "clear_delays").isEnabled()
        action(window, "clear_delays").trigger()
        assert window.bridge.state.undo_label == "Remove the leveling delays of 2 tasks"
        assert [task.delay for task in window.bridge.state.plan.tasks] == [0, 0, 0]


async def test_that_the_load_lists_the_overloaded_first_and_shows_their_tasks(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, crowd)
        action(window, "show_load").trigger()
        panel = window.docks.workload.load
        await until(lambda: panel.names.topLevelItemCount() == 2)
        first, second = (panel.names.topLevelItem(row) for row in (0, 1))
        assert (first.text(0), second.text(0)) == ("⚠ Ann: overloaded once", "Ben")
        assert first.child(0).text(0) == "Mon 2 Mar 2026 08:00: 3 of 1"
        assert panel.chosen == 1
        QTest.keyClick(panel.names, Qt.Key.Key_Down)
        assert window.gantt.selection == (1,)
        QTest.keyClick(panel.names, Qt.Key.Key_Down)
        assert panel.chosen == 2
        theirs, mine = window.gantt.time_scale, panel.chart.time_scale
        assert (mine.origin_ticks, mine.ticks_per_px) == (theirs.origin_ticks, theirs.ticks_per_px)
        action(window, "zoom_in").trigger()
        assert panel.chart.time_scale.ticks_per_px == window.gantt.time_scale.ticks_per_px


async def test_that_who_is_at_work_at_an_instant_is_listed_and_found(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, crowd)
        action(window, "show_load").trigger()
        panel = window.docks.workload.load
        await until(lambda: panel.names.topLevelItemCount() == 2)
        settle(qapp)
        x = round(panel.chart.time_scale.x(three_days().start + 9 * HOUR))
        place = QPoint(x, panel.chart.height() - 30)
        QTest.mouseClick(panel.chart.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await until(lambda: len(panel.users.entries) == 3)
        assert panel.users.isVisible()
        assert panel.users.sentence.text().startswith("At work Mon 2 Mar 2026 0")
        assert panel.users.entries[1].texts == ("pour", "1 \N{MULTIPLICATION SIGN} Ann")
        panel.users.table.setFocus()
        panel.users.table.selectRow(1)
        assert window.gantt.selection == (2,)
        QTest.keyClick(panel.chart, Qt.Key.Key_Escape)
        assert not panel.users.isVisible()


async def test_that_several_resources_stand_below_each_other(qapp: QApplication, crowd: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, crowd)
        action(window, "show_load").trigger()
        panel = window.docks.workload.load
        await until(lambda: panel.names.topLevelItemCount() == 2)
        panel.names.setFocus()
        QTest.keyClick(panel.names, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert panel._chosen == (1, 2)
        said = [shape.text for shape in panel._shapes() if isinstance(shape, Label) and shape.is_bold]
        assert said == ["Ann: at most 3 of 1 at once", "Ben: at most 0 of 1 at once"]


async def test_that_a_device_plan_has_nothing_to_level(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        assert not action(window, "level").isEnabled()
        assert not action(window, "show_load").isEnabled()


def test_that_a_worker_learns_that_nobody_waits() -> None:
    watched = Watched()
    watched(0.5)
    assert watched.share == 0.5
    watched.is_given_up = True
    with pytest.raises(GivenUpError):
        watched(0.6)
    assert watched.share == 0.5
