"""The lists of tasks that need a person: dates other than recorded, conflicts, a cycle."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.formats import loom
from engine.model import DAY, Clock, ConstraintKind, Dependency, Plan, Recorded
from engine.session.date_edits import SetConstraint
from engine.session.edits import RemoveLink
from gui.bridge.findings import Found
from gui.main_window import MainWindow
from gui.panels.task_list import Entry, TaskList
from gui.theme import METRICS
from tests.engine.model.strategies import HOUR, office
from tests.engine.schedule.test_setups import painted
from tests.gui.shell import action, emitted, settle, show, shown, three_days

GAN = """<project name="Office" view-date="2025-03-03"><tasks empty-milestones="true">
<task id="0" name="Design" start="2025-03-03" duration="1"><depend id="1" type="2"/></task>
<task id="1" name="Build" start="2025-03-07" duration="2"/></tasks></project>"""

CYCLE = """<Project xmlns="http://schemas.microsoft.com/project"><StartDate>2025-03-03T08:00:00</StartDate><Tasks>
<Task><UID>1</UID><ID>1</ID><Name>Design</Name><Duration>PT8H0M0S</Duration>
<PredecessorLink><PredecessorUID>2</PredecessorUID><Type>1</Type></PredecessorLink></Task>
<Task><UID>2</UID><ID>2</ID><Name>Build</Name><Duration>PT8H0M0S</Duration>
<PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type></PredecessorLink></Task>
</Tasks></Project>"""


@pytest.fixture
def foreign(tmp_path: Path) -> str:
    """A file that leaves a gap after a link, as GanttProject does not when it schedules anew."""
    path = tmp_path / "office.gan"
    path.write_text(GAN, encoding="utf-8")
    return str(path)


@pytest.fixture
def cyclic(tmp_path: Path) -> str:
    """A file whose tasks wait for each other."""
    path = tmp_path / "cycle.xml"
    path.write_text(CYCLE, encoding="utf-8")
    return str(path)


def broken() -> Plan:
    """Two tasks that cannot be done when they must."""
    plan = replace(three_days(), dependencies=(Dependency(1, 2), Dependency(2, 3)))
    late = {"constraint": ConstraintKind.MUST_START_ON, "constraint_at": plan.start}
    return plan.with_tasks(replace(plan.task(task), **late) for task in (2, 3))


async def found(window: MainWindow, path: str) -> None:
    """Open a plan and wait until what is wrong with it is known."""
    await show(window, path)
    while (await emitted(window.bridge.findings.found))[0] is None:
        pass


async def test_that_other_dates_than_recorded_are_listed_and_nothing_is_changed(
    qapp: QApplication, foreign: str
) -> None:
    async with shown(qapp) as (window, _):
        await found(window, foreign)
        lists = window.docks.lists
        assert lists.recorded_dock.isVisible()
        assert action(window, "show_recorded").isChecked()
        assert (
            lists.recorded.sentence.text()
            == "1 of 2 tasks would start or finish at another time than the file recorded."
        )
        (entry,) = lists.recorded.entries
        assert entry.texts[:2] == ("Build", "Fri 7 Mar 2025 08:00")
        assert entry.texts[3] == "Tue 4 Mar 2025 08:00"
        assert "Design finishes" in entry.texts[5]
        assert not window.bridge.state.is_dirty
        assert window.bridge.state.undo_label == ""


async def test_that_recorded_dates_are_kept_in_one_step_that_can_be_undone(qapp: QApplication, foreign: str) -> None:
    async with shown(qapp) as (window, _):
        await found(window, foreign)
        panel, before = window.docks.lists.recorded, window.bridge.state
        await emitted(window.bridge.findings.found, panel.keep.click)
        assert window.bridge.state.schedule.start_of(2) == before.plan.task(2).recorded.start
        assert window.bridge.state.undo_label == "Keep the recorded dates of “Build”"
        assert panel.entries == []
        assert panel.sentence.text() == "Every task starts and finishes when the file recorded it."
        assert not panel.keep.isEnabled()
        await emitted(window.bridge.findings.found, window.bridge.undo)
        assert window.bridge.state.plan == before.plan
        assert len(panel.entries) == 1


async def test_that_dates_on_days_without_work_are_listed_and_kept_by_hand(qapp: QApplication, tmp_path: Path) -> None:
    weekend = Recorded(three_days().start + 5 * DAY + 8 * HOUR, three_days().start + 6 * DAY + 17 * HOUR)
    monday = three_days().start + 7 * DAY + 8 * HOUR
    task = replace(three_days().task(2), recorded=weekend, duration=8 * HOUR)
    held = replace(task, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=monday)
    loom.save(tmp_path / "weekend.loom", three_days().with_tasks([held]))
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "weekend.loom"))
        await emitted(window.bridge.findings.found, action(window, "show_recorded").trigger)
        panel = window.docks.lists.recorded
        assert len(panel.entries) == 1
        assert panel.keep.isEnabled()
        await emitted(window.bridge.findings.found, panel.keep.click)
        assert window.bridge.state.schedule.start_of(2) == weekend.start
        assert panel.entries == []


async def test_that_it_is_said_which_constraints_the_recorded_dates_would_replace(
    qapp: QApplication, foreign: str
) -> None:
    async with shown(qapp) as (window, _):
        await found(window, foreign)
        panel = window.docks.lists.recorded
        assert "replaces the constraint of each" in panel.keep.toolTip()
        late = SetConstraint(2, ConstraintKind.FINISH_NO_LATER_THAN, window.bridge.state.plan.start + 90 * 86400)
        await emitted(window.bridge.findings.found, lambda: window.bridge.execute(late))
        assert panel.sentence.text().endswith("Keeping the recorded dates replaces the constraint of 1 task.")
        await emitted(window.bridge.findings.found, panel.keep.click)
        assert window.bridge.state.undo_label.endswith("(in place of its constraint)")
        assert "constraint" not in panel.sentence.text()


async def test_that_calculated_dates_close_the_list_and_an_action_brings_it_back(
    qapp: QApplication, foreign: str
) -> None:
    async with shown(qapp) as (window, _):
        await found(window, foreign)
        lists, before = window.docks.lists, window.bridge.state
        await emitted(window.bridge.findings.found, lists.recorded.use.click)
        assert not lists.recorded_dock.isVisible()
        assert not action(window, "show_recorded").isChecked()
        assert window.bridge.state is before
        await emitted(window.bridge.findings.found, action(window, "show_recorded").trigger)
        assert lists.recorded_dock.isVisible()
        assert len(lists.recorded.entries) == 1


async def test_that_a_task_that_starts_late_by_a_link_is_listed_and_not_pinned(
    qapp: QApplication, tmp_path: Path
) -> None:
    plan = replace(three_days(), dependencies=(Dependency(1, 2),))
    early = Recorded(plan.start + 8 * HOUR, plan.start + 17 * HOUR)
    loom.save(tmp_path / "late.loom", plan.with_tasks([replace(plan.task(2), recorded=early)]))
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "late.loom"))
        panel = window.docks.lists.recorded
        assert not window.docks.lists.recorded_dock.isVisible()  # our own file: nobody asked
        await emitted(window.bridge.findings.found, action(window, "show_recorded").trigger)
        assert panel.sentence.text().startswith("1 of 3 tasks would")
        assert not panel.keep.isEnabled()


async def test_that_a_click_or_a_key_in_a_list_selects_the_task(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "broken.loom", broken())
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "broken.loom"))
        assert window.status.conflicts_button.text().endswith(" 2 conflicts")
        QTest.mouseClick(window.status.conflicts_button, Qt.MouseButton.LeftButton)
        table = window.docks.lists.conflicts.table
        assert window.docks.lists.conflicts_dock.isVisible()
        assert "“pour” must start on" in window.docks.lists.conflicts.entries[0].texts[2]
        QTest.mouseClick(
            table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(table.model().index(1, 0)).center()
        )
        assert window.gantt.selection == (3,)
        QTest.keyClick(table, Qt.Key.Key_Up)
        assert window.gantt.selection == (2,)


async def test_that_conflicts_follow_the_plan_and_go_with_it(qapp: QApplication, tmp_path: Path, house: str) -> None:
    loom.save(tmp_path / "broken.loom", broken())
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "broken.loom"))
        action(window, "show_conflicts").trigger()
        await emitted(window.bridge.findings.found, lambda: window.bridge.execute(RemoveLink(Dependency(1, 2))))
        assert window.status.conflicts_button.text().endswith(" 1 conflict")
        await found(window, house)
        assert not window.status.conflicts_button.isVisible()
        assert not window.docks.lists.conflicts_dock.isVisible()


async def test_that_each_conflict_is_listed_once_with_what_leads_there(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "broken.loom"
    loom.save(path, broken())
    async with shown(qapp) as (window, _):
        await found(window, str(path))
        action(window, "show_conflicts").trigger()
        settle(qapp)
        conflicts = window.docks.lists.conflicts
        assert [entry.task for entry in conflicts.entries] == [2, 3]
        assert [entry.texts[1] for entry in conflicts.entries] == ["dig → pour", "pour \N{RIGHTWARDS ARROW} build"]
        QTest.keyClick(conflicts.table, Qt.Key.Key_Down)
        assert window.gantt.selection == (3,)
        QTest.keyClick(conflicts.table, Qt.Key.Key_Return)
        assert window.gantt.selection[0] == 3
        assert window.gantt.selection == (3, 2)


async def test_that_a_plan_with_a_cycle_opens_flagged_with_its_sentence(qapp: QApplication, cyclic: str) -> None:
    async with shown(qapp) as (window, heard):
        await found(window, cyclic)
        assert window.bridge.state.schedule.cycle
        assert "wait for each other: “Design” → “Build” → “Design”" in window.status.text
        assert window.status._left.property("role") == "error"
        assert window.status.conflicts_button.isVisible()
        action(window, "show_conflicts").trigger()
        assert "wait for each other" in window.docks.lists.conflicts.entries[0].texts[2]
        assert heard.failures == []


async def test_that_a_folded_task_is_unfolded_to_be_shown(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "office.loom", office())
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "office.loom"))
        window.gantt.desk.reveal(3)
        assert window.gantt.selection == (3,)
        parent = window.bridge.state.plan.task(3).parent
        window.gantt.select((parent,))
        window.gantt.fold_chosen(True)
        window.gantt.desk.reveal(3)
        assert window.gantt.selection == (3,)
        assert 3 in window.gantt.table.task_model.rows.row_of


async def test_that_a_task_says_why_it_starts_when_it_does(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "office.loom", office())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "office.loom"))
        row = window.bridge.state.plan.rows[3]
        tip = window.gantt.table.task_model.data(
            window.gantt.table.task_model.index(row, 0), Qt.ItemDataRole.ToolTipRole
        )
        assert "because Design finishes" in tip.splitlines()[1]
        assert tip.splitlines()[1].startswith("Starts ")


async def test_that_answers_for_an_earlier_plan_are_not_told(qapp: QApplication, foreign: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, foreign)
        told: list[Found | None] = []
        window.bridge.findings.found.connect(told.append)
        window.bridge.findings._begin()
        window.bridge.new(Clock.CALENDAR)
        await emitted(window.bridge.findings.found)
        assert [each and each.state.plan.name for each in told] == [None, "New plan"]
        assert not window.docks.lists.recorded_dock.isVisible()


async def test_that_a_list_leaves_the_chart_its_place_and_takes_the_keyboard_when_asked_for(
    qapp: QApplication, tmp_path: Path
) -> None:
    loom.save(tmp_path / "broken.loom", broken())
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "broken.loom"))
        action(window, "show_conflicts").trigger()
        settle(qapp)
        lists = window.docks.lists
        assert lists.conflicts.height() < window.gantt.height() / 2
        assert window.focusWidget() is lists.conflicts.table
        assert window.gantt.selection == (2,)
        QTest.keyClick(lists.conflicts.table, Qt.Key.Key_Down)
        assert window.gantt.selection == (3,)
        action(window, "show_conflicts").trigger()
        assert not lists.conflicts_dock.isVisible()


def test_that_few_rows_are_told_in_lines_and_many_each_in_one(qtbot: QtBot) -> None:
    tasks = TaskList("Late", ("Task", "Why"))
    qtbot.addWidget(tasks)
    tasks.resize(400, 300)
    tasks.show()
    why = "it starts when the one before it is done, " * 4
    for count, is_high in ((3, True), (300, False), (4, True)):
        tasks.show_entries("", [Entry(row, lambda: ("mill", why)) for row in range(1, count + 1)])
        assert (tasks.table.rowHeight(0) > METRICS.row_px) is is_high


async def test_that_a_task_that_ends_otherwise_says_how_long_it_takes(qapp: QApplication, tmp_path: Path) -> None:
    plan = three_days()
    longer = Recorded(plan.start, plan.start + (24 + 17) * HOUR)
    loom.save(tmp_path / "longer.loom", plan.with_tasks([replace(plan.task(1), recorded=longer)]))
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "longer.loom"))
        await emitted(window.bridge.findings.found, action(window, "show_recorded").trigger)
        (entry,) = window.docks.lists.recorded.entries
        assert entry.texts[5].startswith("starts as recorded, but takes 1 d rather than 2 d; ")


async def test_that_a_finish_recorded_after_hours_is_no_other_length(qapp: QApplication, tmp_path: Path) -> None:
    plan = three_days()
    late = Recorded(plan.start, plan.start + 19 * HOUR)
    loom.save(tmp_path / "late.loom", plan.with_tasks([replace(plan.task(1), recorded=late)]))
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "late.loom"))
        await emitted(window.bridge.findings.found, action(window, "show_recorded").trigger)
        (entry,) = window.docks.lists.recorded.entries
        said = "starts and takes 1 d as recorded, but the file counts other hours to its finish; "
        assert entry.texts[5].startswith(said)


async def test_that_what_breaks_a_shop_floor_is_listed_and_gone_to(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "shop.loom", painted(Dependency(1, 2), Dependency(2, 3)))
    async with shown(qapp) as (window, _):
        await found(window, str(tmp_path / "shop.loom"))
        conflicts = window.docks.lists.conflicts
        action(window, "show_conflicts").trigger()
        settle(qapp)
        assert [entry.texts[0] for entry in conflicts.entries] == ["a", "b"]
        assert "to set up “Booth” from “blue” to “red” takes 2 h" in conflicts.entries[1].texts[2]
        place = conflicts.table.visualRect(conflicts.table.model().index(1, 0)).center()
        QTest.mouseClick(conflicts.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        settle(qapp)
        assert window.gantt.selection == (2,)
        QTest.mouseDClick(conflicts.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        settle(qapp)
        assert set(window.gantt.selection) == {1, 2}
