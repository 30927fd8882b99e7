"""How sure the plan is, in the window: a bar dragged by the mouse, figures and pictures that follow, changes made."""

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.model import (
    Assignment,
    Dependency,
    Impact,
    Plan,
    PlanRisks,
    Resource,
    ResourceKind,
    RiskEvent,
    Spread,
    SpreadKind,
    TaskRisk,
)
from engine.process.risk_client import RiskClient, RiskConnection, SamplerProcess
from engine.session.edits import RenameTask
from gui.main_window import MainWindow
from gui.panels.risk_takes import TakesPanel
from gui.theme import METRICS
from tests.gui.gantt.test_window_gestures import hold
from tests.gui.risking import SAMPLES, known, risky, spread_house
from tests.gui.shell import action, settle, three_days, two_frames, until

LEFT = Qt.MouseButton.LeftButton
DAY = 86_400


def linked_house() -> Plan:
    """One task after the other, with a deadline, a rate, and an event that may happen."""
    plan = spread_house()
    dug, poured, built = plan.tasks
    end = plan.start + 4 * DAY
    event = RiskEvent(1, "Rain", 0.3, (Impact(1, Spread(SpreadKind.UNIFORM, 20, 30, 40)),))
    return replace(
        plan,
        tasks=(dug, poured, replace(built, deadline=end)),
        dependencies=(Dependency(1, 2), Dependency(2, 3)),
        risks=PlanRisks(events=(event,)),
    )


async def simulated(window: MainWindow) -> None:
    """Switch it on, and wait until all is shown."""
    action(window, "risk").trigger()
    await known(window)
    await rested(window)


async def rested(window: MainWindow) -> None:
    """Wait until words and tables have followed."""
    panel = window.docks.risk.panel
    await until(lambda: not panel._wait.isActive() and not panel._is_due)


async def test_that_the_panel_comes_with_the_simulation_and_says_how_sure_each_figure_is(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, heard):
        await simulated(window)
        panel = window.docks.risk.panel
        assert window.docks.risk.dock.isVisible()
        assert action(window, "show_risk").isChecked()
        assert panel.head.head.text().startswith("P80: ")
        assert panel.head.sure.text().startswith(f"{SAMPLES:,} samples, P80 within ±")
        assert panel.finish.finish.outlook.at(0.8) == window.bridge.risking.risk.answers.project.p80
        names = [panel.swings.texts(place)[0] for place in range(panel.swings.rows.count)]
        assert sorted(names) == ["Rain (event)", "build", "dig", "pour"]
        assert heard.failures == []


async def test_that_the_picture_follows_a_bar_that_is_dragged_beside_what_was_before(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        await simulated(window)
        panel = window.docks.risk.panel
        planned = panel.finish.finish.outlook
        settle(qapp)
        day_px = DAY / window.gantt.time_scale.ticks_per_px
        end = hold(window, 2, round(3 * day_px))
        tried = await known(window, is_trial=True)
        assert panel.finish.finish.outlook.at(0.8).value == tried.answers.project.p80.value > planned.at(0.8).value
        assert panel.finish.finish.before.at(0.8) == planned.at(0.8)
        await rested(window)
        assert panel.head.change.text().startswith("P80 +")
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_Escape)
        settle(qapp)
        assert panel.finish.finish.outlook.at(0.8) == planned.at(0.8)
        QTest.mouseRelease(window.gantt.chart.viewport(), LEFT, pos=end)
        assert window.bridge.state.undo_label == ""


async def test_that_a_date_and_a_confidence_are_picked_with_the_mouse_and_with_keys(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        await simulated(window)
        panel = window.docks.risk.panel
        view, outlook = panel.finish, panel.finish.finish.outlook
        place = view._place()
        QTest.mouseClick(view, LEFT, pos=QPoint(round(place.x(outlook.at(0.5).value)), 80))
        assert 0.4 < panel.head.confidence < 0.6
        assert abs(panel.head.date.instant - outlook.at(0.5).value) < 4 * place.scale.ticks_per_px + 60
        before = panel.head.percent.value()
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Right)
        QTest.keyClick(view, Qt.Key.Key_PageUp)
        assert panel.head.percent.value() == before + 11
        assert panel.head.head.text().startswith(f"P{before + 11}: ")


async def test_that_a_milestone_or_a_summary_is_shown_in_the_place_of_the_plan(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        await simulated(window)
        panel = window.docks.risk.panel
        names = [panel.head.what.itemText(place) for place in range(panel.head.what.count())]
        assert names == ["The whole plan", "build"]
        panel.head.what.setCurrentIndex(1)
        assert panel.finish.finish.outlook.task == 3
        assert panel.finish.finish.deadline == window.bridge.state.plan.task(3).deadline


async def test_that_tables_say_criticality_and_deadlines_and_go_to_a_task(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        await simulated(window)
        panel = window.docks.risk.panel
        panel.tabs.setCurrentWidget(panel.tasks)
        assert panel.tasks.texts(0)[1] == "100 % (>99\N{EN DASH}100 %)"
        second = panel.tasks.visualRect(panel.tasks.model().index(1, 0)).center()
        QTest.mouseClick(panel.tasks.viewport(), LEFT, pos=second)
        assert window.gantt.selection == (2,)
        panel.tabs.setCurrentWidget(panel.deadlines)
        assert panel.deadlines.rows.count == 1
        chance = window.bridge.risking.risk.answers.deadlines[0].chance.value
        assert panel.deadlines.texts(0)[2].startswith(f"{round(100 * chance)} % (")
        assert not panel.tabs.isTabVisible(panel.tabs.indexOf(panel.costs))


async def test_that_cost_and_date_are_shown_together_where_work_has_a_price(qapp: QApplication, tmp_path: Path) -> None:
    crew = Resource(1, "Crew", ResourceKind.WORK, cost_per_hour=50.0)
    plan = linked_house()
    uses = tuple(Assignment(task, 1) for task in (1, 2, 3))
    async with risky(qapp, tmp_path, replace(plan, resources=(crew,), assignments=uses)) as (window, _):
        await simulated(window)
        panel = window.docks.risk.panel
        assert panel.tabs.isTabVisible(panel.tabs.indexOf(panel.costs))
        costs = window.bridge.risking.risk.answers.costs
        assert f"for at most {costs.at(0.8):,.0f} with 80 %" in panel.costs.words.text()
        assert panel.costs.view.joint.at == window.bridge.risking.risk.answers.project.p80.value


async def test_that_what_a_date_takes_is_made_as_one_step(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        await simulated(window)
        panel, before = window.docks.risk.panel, window.bridge.state
        takes: TakesPanel = panel.takes
        panel.tabs.setCurrentWidget(takes)
        takes.date.show_instant(window.bridge.risking.risk.answers.project.p50.value)
        QTest.mouseClick(takes.look, LEFT)
        await until(takes.make_all.isEnabled)
        count = takes.table.rows.count
        assert count >= 1
        QTest.mouseClick(takes.make_all, LEFT)
        after = window.bridge.state
        assert after.plan != before.plan
        assert not takes.make_all.isEnabled()
        assert takes.words.text().endswith("is being simulated…")
        made = await known(window)
        await rested(window)
        assert made.answers.project.p80.value < made.before.project.p80.value
        assert takes.words.text().startswith("Met: P80 is ")
        assert f"of {SAMPLES:,} samples" in takes.words.text()
        window.bridge.undo()
        assert window.bridge.state.plan == before.plan
        await known(window)
        await rested(window)
        assert takes.words.text().startswith("Not met yet: P80 is ")


async def test_that_one_change_of_several_leaves_a_wish_open_until_the_others_are_made(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        await simulated(window)
        takes: TakesPanel = window.docks.risk.panel.takes
        window.docks.risk.panel.tabs.setCurrentWidget(takes)
        takes.date.show_instant(window.bridge.risking.risk.answers.project.p10.value)
        QTest.mouseClick(takes.look, LEFT)
        await until(takes.make_all.isEnabled)
        assert takes.table.rows.count > 1
        takes.table.selectRow(0)
        QTest.mouseClick(takes.make_one, LEFT)
        await known(window)
        await rested(window)
        assert takes.words.text().startswith("Not met yet: P80 is ")
        QTest.mouseClick(takes.look, LEFT)
        await until(takes.make_all.isEnabled)
        QTest.mouseClick(takes.make_all, LEFT)
        await known(window)
        await rested(window)
        assert takes.words.text().startswith("Met: P80 is ")


async def test_that_a_plan_without_ranges_says_so_and_how_to_give_it_some(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, three_days()) as (window, _):
        action(window, "show_risk").trigger()
        await known(window)
        settle(qapp)
        lesson = window.docks.risk.panel.lesson
        assert "Give tasks a range" in lesson.text()
        assert lesson.height() >= lesson.heightForWidth(lesson.width())
        assert window.bridge.risking.is_on


async def test_that_the_window_stays_usable_where_the_process_is_gone(qapp: QApplication, tmp_path: Path) -> None:
    started: list[SamplerProcess] = []

    async def start() -> RiskConnection:
        started.append(await SamplerProcess.start())
        return started[-1]

    async with risky(qapp, tmp_path, linked_house()) as (window, heard):
        window.bridge.risking.client = RiskClient(start)
        window.bridge.risking.samples = 20_000_000
        action(window, "risk").trigger()
        await until(lambda: window.bridge.risking.risk.samples > 0)
        os.kill(started[0].pid, signal.SIGKILL)
        assert "has ended" in (await known(window)).sentence
        await rested(window)
        panel = window.docks.risk.panel
        assert "has ended" in panel.head.fault.text()
        window.bridge.risking.samples = SAMPLES
        window.bridge.execute(RenameTask(1, "Dig"))
        assert (await known(window)).sentence == ""
        assert len(started) == 2
        assert heard.failures == []
    await asyncio.sleep(0.1)  # the loop hears that the pipes have closed


async def test_that_enough_ends_it_and_keeps_what_is_known(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        window.bridge.risking.samples = 20_000_000
        action(window, "risk").trigger()
        panel = window.docks.risk.panel
        await until(lambda: window.bridge.risking.risk.samples > 0 and panel.head.cancel.isEnabled())
        QTest.mouseClick(panel.head.cancel, LEFT)
        risk = window.bridge.risking.risk
        assert risk.is_over
        assert 0 < risk.samples < 20_000_000


async def test_that_a_plan_for_a_device_is_simulated_without_what_takes_a_calendar(
    qapp: QApplication, tmp_path: Path
) -> None:
    plan, risk = two_frames(), TaskRisk(Spread(SpreadKind.UNIFORM, 80, 100, 160))
    async with risky(qapp, tmp_path, plan.with_tasks(replace(task, risk=risk) for task in plan.tasks)) as (window, _):
        await simulated(window)
        panel = window.docks.risk.panel
        assert panel.head.head.text().startswith("P80: ")
        assert panel.head.date.isHidden()
        assert not panel.tabs.isTabVisible(panel.tabs.indexOf(panel.takes))


async def test_that_another_plan_is_simulated_when_it_is_opened_and_closing_hides_the_panel(
    qapp: QApplication, tmp_path: Path, house: str
) -> None:
    async with risky(qapp, tmp_path, linked_house()) as (window, _):
        await simulated(window)
        window.bridge.open(house)
        await until(lambda: window.bridge.state.plan.name == "House" and not window.bridge.state.plan.dependencies)
        assert (await known(window)).is_certain
        window.bridge.close()
        assert window.bridge.risking.risk is None
        assert not window.docks.risk.dock.isVisible()


def test_that_a_row_of_the_panel_is_as_high_as_those_of_the_plan(qapp: QApplication) -> None:
    assert TakesPanel().table.verticalHeader().defaultSectionSize() == METRICS.row_px
