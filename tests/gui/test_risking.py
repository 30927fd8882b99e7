"""How sure the plan is, behind every edit and during a drag: asked of a process, the newest plan first."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from engine.model import Dependency
from engine.process.risk_client import RiskClient, RiskConnection
from engine.session.cell_edits import SetDuration
from engine.session.edits import AddLink, RenameTask
from gui.bridge.risking import Risk, Takes
from tests.gui.risking import SAMPLES, known, risky, spread_house
from tests.gui.shell import action, three_days, until

HOUR = 3600


async def test_that_nothing_is_asked_while_it_is_off(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        window.bridge.execute(RenameTask(1, "Dig"))
        assert window.bridge.risking.risk is None
        assert window.bridge.risking.client._connection is None


async def test_that_the_plan_is_simulated_coarse_first_and_anew_after_each_edit_and_undo(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        told: list[Risk] = []
        window.bridge.risking.changed.connect(told.append)
        action(window, "risk").trigger()
        first = await known(window)
        assert [each.samples for each in told if each is not None and each.answers] == [256, 1024, SAMPLES, SAMPLES]
        assert first.answers.planned == window.bridge.state.schedule.project_finish
        window.bridge.execute(AddLink(Dependency(1, 2)))
        linked = await known(window)
        assert linked.answers.project.p80.value > first.answers.project.p80.value
        assert linked.before is first.answers
        window.bridge.undo()
        assert (await known(window)).answers.project.p80 == first.answers.project.p80


async def test_that_switching_it_off_ends_the_process_and_on_starts_another(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        risking = window.bridge.risking
        action(window, "risk").trigger()
        await known(window)
        action(window, "risk").trigger()
        assert risking.risk is None
        await until(lambda: risking.client._connection is None)
        action(window, "risk").trigger()
        assert (await known(window)).samples == SAMPLES


async def test_that_a_plan_without_ranges_is_certain_and_not_simulated(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, three_days()) as (window, _):
        action(window, "risk").trigger()
        risk = await known(window)
        assert risk.is_certain
        assert risk.answers is None
        assert window.bridge.risking.client._connection is None


async def test_that_what_a_drag_would_lead_to_is_told_beside_the_plan_as_it_is(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        bridge = window.bridge
        action(window, "risk").trigger()
        planned = await known(window)
        bridge.risking.try_out(bridge.trial(SetDuration(3, 24 * HOUR)))
        tried = await known(window, is_trial=True)
        assert tried.answers.project.p80.value > planned.answers.project.p80.value
        assert tried.before is planned.answers
        bridge.risking.try_out(None)
        assert bridge.risking.risk is planned


async def test_that_of_many_steps_of_a_drag_the_last_is_answered(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        bridge = window.bridge
        action(window, "risk").trigger()
        await known(window)
        for hours in range(9, 30):
            bridge.risking.try_out(bridge.trial(SetDuration(3, hours * HOUR)))
        await until(
            lambda: bridge.risking.risk.is_trial and bridge.risking.risk.state.plan.task(3).duration == 29 * HOUR
        )


async def test_that_a_drag_that_is_let_go_with_an_edit_is_followed_by_that_plan(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        bridge, edit = window.bridge, SetDuration(3, 24 * HOUR)
        action(window, "risk").trigger()
        planned = await known(window)
        bridge.risking.try_out(bridge.trial(edit))
        bridge.execute(edit)
        bridge.risking.try_out(None)
        made = await known(window)
        assert made.before is planned.answers
        assert made.answers.project.p80.value > planned.answers.project.p80.value


async def test_that_what_a_date_takes_is_told_step_by_step_and_dropped_with_the_next_edit(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        risking, told = window.bridge.risking, list[Takes | None]()
        action(window, "risk").trigger()
        answers = (await known(window)).answers
        risking.takes_found.connect(told.append)
        risking.ask_takes(answers.project.p50.value, 0.8)
        await until(lambda: bool(told) and told[-1] is not None and told[-1].is_over)
        assert told[-1].taken.is_enough
        window.bridge.execute(RenameTask(1, "Dig"))
        assert told[-1] is None


async def test_that_where_the_process_ends_nothing_more_is_looked_for(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        risking, told = window.bridge.risking, list[Takes | None]()
        action(window, "risk").trigger()
        answers = (await known(window)).answers
        risking.samples = 50_000_000
        risking.ask_takes(answers.project.p50.value, 0.8)
        risking.takes_found.connect(told.append)
        await until(lambda: risking.risk.wanted == 50_000_000 and risking.risk.samples > 0)
        risking.client._connection.kill()
        await until(lambda: bool(told))
        assert told == [None]


async def test_that_a_process_that_ends_is_said_and_started_anew_with_the_next_edit(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        risking = window.bridge.risking
        risking.samples = 50_000_000
        action(window, "risk").trigger()
        await until(lambda: risking.risk.samples > 0)
        risking.client._connection.kill()
        gone = await known(window)
        assert "has ended" in gone.sentence
        assert gone.answers is not None
        risking.samples = SAMPLES
        window.bridge.execute(RenameTask(1, "Dig"))
        assert (await known(window)).sentence == ""


async def test_that_where_no_process_can_be_started_a_sentence_says_so(qapp: QApplication, tmp_path: Path) -> None:
    async def start() -> RiskConnection:
        raise OSError("no more processes")

    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        window.bridge.risking.client = RiskClient(start)
        action(window, "risk").trigger()
        assert "no more processes" in (await known(window)).sentence
