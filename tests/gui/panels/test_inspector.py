"""The inspector: what it says of a task, and what a person asks of one there."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import (
    Assignment,
    ConstraintKind,
    Dependency,
    Impact,
    PlanRisks,
    Resource,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    SpreadPreset,
    Task,
    TaskRisk,
)
from engine.schedule.conflicts import Conflict
from engine.session.edits import RenameTask, ResizeTask
from engine.session.plan_edits import SetBaseline
from gui.main_window import MainWindow
from gui.panels.inspector_words import sections
from tests.gui.dialogs.shops import small_shop
from tests.gui.gantt.plans import HOUR, WORKDAY, frames, state_of, tried, week
from tests.gui.shell import action, emitted, settle, show, shown, three_days


def said(state: object, task: int, *conflicts: Conflict) -> dict[str, list[tuple[str, str, int | None]]]:
    return {
        section.title: [(line.name, line.text, line.task) for line in section.lines]
        for section in sections(state, task, conflicts)
    }


def test_that_a_task_tells_what_drives_it_and_what_it_drives() -> None:
    told = said(week(), 3)
    assert told["Why it is dated so"] == [("", "Starts Thu 08:00 because Frame finishes Wed 17:00, FS + 0", None)]
    assert told["Waits for"] == [("Frame, Build", "FS + 0, decides", 2)]
    assert told["Is waited for by"] == [("Built, Build", "FS + 0, decides", 4)]
    assert ("total float", "0, critical", None) in told["Dates"]
    assert ("duration", "2 d", None) in told["Dates"]


def test_that_a_link_that_decides_nothing_is_not_said_to() -> None:
    plan = week().plan
    state = state_of(replace(plan, dependencies=(*plan.dependencies, Dependency(5, 3))))
    assert ("Paint", "FS + 0", 5) in said(state, 3)["Waits for"]


def test_that_conflicts_are_told_of_every_task_in_their_chain() -> None:
    conflict = Conflict(4, "mso", (2, 3, 4), "“Built” must start on Monday, but cannot.")
    assert said(week(), 2, conflict)["Conflicts"] == [("Built", conflict.sentence, 4)]
    assert said(week(), 4, conflict)["Conflicts"] == [("", conflict.sentence, None)]
    assert "Conflicts" not in said(week(), 5, conflict)


def test_that_resources_work_and_the_promise_are_told() -> None:
    plan = replace(week().plan, resources=(Resource(1, "Crew"),), assignments=(Assignment(5, 1, 0.5),))
    state = state_of(plan)
    assert said(state, 5)["Who does it"] == [("Crew", "0.5 \N{MULTIPLICATION SIGN}, work 4 h", None)]
    promised = tried(state, SetBaseline(0, "spring"))
    late = tried(promised, ResizeTask(5, 2 * WORKDAY))
    assert ("spring", "Mon 2 Mar 2026 17:00  (+1 d)", None) in said(late, 5)["Dates"]


def test_that_an_operation_tells_its_stream_and_the_order_on_it() -> None:
    told = said(frames(), 3)
    assert told["Who does it"] == [("Stream 1", "stream", None)]
    assert ("Copy out, Frame", "after it on its stream", 4) in told["Is waited for by"]


def test_that_fields_of_a_foreign_file_are_told() -> None:
    plan = three_days()
    task = replace(plan.task(1), source="A1000", fields=(("notes", "mind the pipes"),))
    assert said(state_of(plan.with_task(task)), 1)["From its file"] == [
        ("id", "A1000", None),
        ("notes", "mind the pipes", None),
    ]


def linked(tmp_path: Path) -> str:
    plan = replace(three_days(), dependencies=(Dependency(1, 2), Dependency(2, 3)))
    loom.save(tmp_path / "linked.loom", plan)
    return str(tmp_path / "linked.loom")


async def inspecting(window: MainWindow, path: str, task: int) -> None:
    await show(window, path)
    QTest.keyClick(window, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    window.gantt.select((task,))


async def test_that_it_follows_the_selection_and_leads_to_other_tasks(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await inspecting(window, linked(tmp_path), 2)
        settle(qapp)
        inspector = window.docks.plan.inspector
        assert inspector.isVisible()
        assert inspector.title.text() == "pour"
        assert "dig finishes Mon 17:00" in inspector.text.toPlainText()
        inspector.text.anchorClicked.emit(QUrl("#3"))
        assert window.gantt.selection == (3,)
        settle(qapp)
        assert inspector.title.text() == "build"


async def test_that_links_are_reached_and_followed_with_the_keyboard(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await inspecting(window, linked(tmp_path), 2)
        settle(qapp)
        text = window.docks.plan.inspector.text
        text.setFocus()
        QTest.keyClick(text, Qt.Key.Key_Tab)
        QTest.keyClick(text, Qt.Key.Key_Return)
        assert window.gantt.selection == (1,)


async def test_that_what_is_asked_there_is_one_edit_each(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await inspecting(window, linked(tmp_path), 3)
        settle(qapp)
        inspector, bridge = window.docks.plan.inspector, window.bridge
        inspector.constraint.setFocus()
        QTest.keyClicks(inspector.constraint, "Must start")
        task = bridge.state.plan.task(3)
        assert task.constraint is ConstraintKind.MUST_START_ON
        assert task.constraint_at == bridge.state.schedule.start_of(3)
        inspector.has_deadline.setFocus()
        QTest.keyClick(inspector.has_deadline, Qt.Key.Key_Space)
        assert bridge.state.plan.task(3).deadline == bridge.state.schedule.finish_of(3)
        inspector.progress.setFocus()
        inspector.progress.selectAll()
        QTest.keyClicks(inspector.progress, "40")
        QTest.keyClick(inspector.progress, Qt.Key.Key_Return)
        assert bridge.state.plan.task(3).progress.percent == 40
        for _ in range(3):
            bridge.undo()
        assert bridge.state.plan.task(3) == Task(3, "build", 8 * HOUR)


async def test_that_an_edit_that_is_refused_leaves_what_there_was(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await inspecting(window, linked(tmp_path), 3)
        settle(qapp)
        inspector = window.docks.plan.inspector
        inspector.edit_made.emit(ResizeTask(3, -1))
        assert heard.failures
        assert inspector.title.text() == "build"
        assert action(window, "show_inspector").isChecked()
        await emitted(window.docks.plan.inspector_dock.visibilityChanged, window.docks.plan.inspector_dock.close)
        assert not action(window, "show_inspector").isChecked()


def test_that_where_else_a_task_may_be_done_is_said_with_what_it_takes_there() -> None:
    plan = small_shop()
    named = replace(plan.task(2), skill="turning", is_unbreakable=True)
    state = state_of(plan.with_tasks([named]))
    (who,) = (section for section in sections(state, 2) if section.title == "Who does it")
    assert [(line.name, line.text) for line in who.lines] == [
        ("Lathe 1", "1 \N{MULTIPLICATION SIGN}, work 1 d"),
        ("Lathe 2", "or, in 3 h"),
        ("skill", "turning"),
        ("family", "blue"),
        ("", "in one piece"),
    ]


def test_that_it_is_said_how_certain_a_task_is_and_what_may_happen_to_it() -> None:
    plan, spread = week().plan, Spread(SpreadKind.UNIFORM, 80, 100, 130)
    longer = Impact(2, Spread(SpreadKind.UNIFORM, WORKDAY, WORKDAY, WORKDAY, is_percent=False))
    risks = PlanRisks((RiskDriver(1, "Weather"),), (), (RiskEvent(1, "Strike", 0.15, (longer,)),))
    frame = replace(plan.task(2), risk=TaskRisk(spread, 0.75, ((1, 0.6),)))
    state = state_of(replace(plan.with_tasks([frame]), risks=replace(risks, presets=(SpreadPreset("", spread),))))
    assert said(state, 2)["How certain it is"] == [
        ("range", "80–130 %", None),  # noqa: RUF001
        ("chance", "75 %", None),
        ("Weather", "follows by 60 %", None),
        ("Strike", "1d longer, in 15 %", None),
    ]
    assert said(state, 3)["How certain it is"] == [("range of all others", "80–130 %", None)]  # noqa: RUF001
    assert "How certain it is" not in said(week(), 2)


async def test_that_notes_are_written_down_in_one_step_and_taken_back(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await inspecting(window, linked(tmp_path), 3)
        settle(qapp)
        notes, bridge = window.docks.plan.inspector.notes, window.bridge
        notes.setFocus()
        QTest.keyClicks(notes, "by crane")
        QTest.keyClick(notes, Qt.Key.Key_Return)
        QTest.keyClicks(notes, "ask Ann")
        assert bridge.state.plan.task(3).notes == ""
        window.gantt.select((2,))
        assert bridge.state.plan.task(3).notes == "by crane\nask Ann"
        settle(qapp)
        assert notes.toPlainText() == ""
        window.gantt.select((3,))
        settle(qapp)
        assert notes.toPlainText() == "by crane\nask Ann"
        bridge.undo()
        settle(qapp)
        assert bridge.state.plan.task(3).fields == ()
        assert notes.toPlainText() == ""


async def test_that_notes_that_are_being_typed_are_saved_and_outlive_other_edits(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        await inspecting(window, linked(tmp_path), 3)
        settle(qapp)
        notes, bridge = window.docks.plan.inspector.notes, window.bridge
        notes.setFocus()
        QTest.keyClicks(notes, "by cr")
        bridge.execute(RenameTask(1, "dig deep"))
        settle(qapp)
        assert notes.toPlainText() == "by cr"
        QTest.keyClicks(notes, "ane")
        QTest.keyClick(notes, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        assert bridge.state.plan.task(3).notes == "by crane"
        QTest.keyClicks(notes, " 2")
        window.close()
        assert bridge.state.plan.task(3).notes == "by crane 2"
