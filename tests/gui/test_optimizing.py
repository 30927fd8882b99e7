"""A better plan in the window: looked for, offered, seen, taken whole or in part, and taken back."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.model import ConstraintKind, Plan
from engine.process.solve_messages import SolveRequest
from engine.process.solver import Solver
from engine.session.aims import aim_of
from engine.session.date_edits import SetConstraint
from engine.session.edits import MoveTask, RenameTask
from engine.session.offers import make_offer
from engine.session.solving import Ending, Share
from gui.bridge import optimizing
from gui.bridge.optimizing import Wish
from gui.panels.optimizer_panel import Search
from gui.panels.optimizer_words import gain_words, standing_words, state_words
from gui.theme import METRICS
from tests.gui.optimizing import assembly_line, over, searched
from tests.gui.shell import action, settle, until

LATE = 13  # “shipped” of the second order, 3.5 hours after its date


def pins(plan: Plan) -> dict[int, tuple[object, int]]:
    return {task.id: (task.constraint, task.constraint_at) for task in plan.tasks}


async def test_that_a_better_plan_is_offered_and_changes_nothing_until_it_is_taken(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, heard):
        before = window.bridge.state
        await searched(window)
        offer, panel = window.bridge.optimizing.offer, window.docks.optimizer.panel
        assert (offer.before.late, offer.after.late) == (1, 0)
        assert offer.after.lateness < offer.before.lateness
        assert offer.after.overloads == 0
        assert panel.head.text().startswith("\N{MINUS SIGN}3.5 h late")
        assert f"{len(offer.shifts)} tasks move" in panel.head.text()
        assert panel.curve.course.steps[-1][1] == 0
        assert window.bridge.state is before
        assert heard.failures == []


async def test_that_taking_it_is_one_step_that_keeps_pins_and_can_be_undone(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        before, offer = window.bridge.state, window.bridge.optimizing.offer
        QTest.mouseClick(window.docks.optimizer.panel.take_all, Qt.MouseButton.LeftButton)
        await until(lambda: window.bridge.state is not before)
        after = window.bridge.state
        assert after.undo_label.startswith("Take a better plan")
        assert after.schedule.finish_of(LATE) <= after.plan.task(LATE).deadline
        assert after.schedule.project_finish == offer.after.finish
        assert pins(after.plan) == pins(before.plan)
        window.bridge.undo()
        assert window.bridge.state.plan == before.plan


async def test_that_it_is_taken_of_chosen_tasks_alone(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        before, panel = window.bridge.state, window.docks.optimizer.panel
        table = panel.table
        kept = table.shifts[0].task
        table.setCurrentIndex(table.model().index(0, 3))
        QTest.keyClick(table, Qt.Key.Key_Space)
        assert kept not in table.chosen
        assert panel.take_chosen.text() == f"Take &chosen ({len(table.shifts) - 1})"
        QTest.mouseClick(panel.take_chosen, Qt.MouseButton.LeftButton)
        await until(lambda: window.bridge.state is not before)
        assert window.bridge.state.schedule.start_of(kept) == before.schedule.start_of(kept)
        assert pins(window.bridge.state.plan) == pins(before.plan)
        window.bridge.undo()
        assert window.bridge.state.plan == before.plan


async def test_that_it_is_taken_of_one_machine_alone(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        before, panel, offer = window.bridge.state, window.docks.optimizer.panel, window.bridge.optimizing.offer
        row = next(row for row, shift in enumerate(panel.table.shifts) if shift.done_by == (1,))
        panel.table.selectRow(row)
        assert panel.take_machine.text() == "Take of Saw"
        QTest.mouseClick(panel.take_machine, Qt.MouseButton.LeftButton)
        await until(lambda: not panel.take_machine.isEnabled())
        assert window.focusWidget() is panel.table
        await until(lambda: window.bridge.state is not before)
        changed = [task.id for task in before.plan.tasks if window.bridge.state.plan.task(task.id).delay != task.delay]
        on_saw = {use.task for use in before.plan.assignments if use.resource == 1}
        moved = {shift.task for shift in offer.shifts}
        assert set(changed) & on_saw <= moved
        assert any(
            window.bridge.state.schedule.start_of(task) != before.schedule.start_of(task) for task in on_saw & moved
        )


async def test_that_all_who_do_a_task_are_named_and_can_be_taken(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        plan = window.bridge.state.plan
        saw, other = (each.name for each in plan.resources[:2])
        await searched(window)
        panel, offer = window.docks.optimizer.panel, window.bridge.optimizing.offer
        shift = next(each for each in offer.shifts if each.done_by == (1,))
        both = replace(shift, done_by=(1, 2), done_then=(1, 2))
        panel.show_offer(replace(offer, shifts=(both,)))
        panel.table.selectRow(0)
        assert panel.table.model().index(0, 4).data() == f"{saw}, {other}"
        assert panel.table.model().index(0, 5).data() == ""
        assert panel.take_machine.isEnabled()
        actions = panel.take_machine.menu().actions()
        assert [each.text() for each in actions] == [saw, other]
        taken: list[object] = []
        panel.taken.disconnect()
        panel.taken.connect(taken.append)
        actions[0].trigger()
        assert taken == [panel._offer.on(1)]
        assert shift.task in taken[0]


async def test_that_its_ghosts_stand_on_the_chart_until_they_are_not_wanted(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        offer = window.bridge.optimizing.offer
        assert window.gantt._look.preview is offer.offered
        assert window.pages.board.offered.state is offer.offered
        action(window, "show_ghosts").trigger()
        assert window.gantt._look.preview is None
        assert not window.docks.optimizer.panel.ghosts.isChecked()
        window.docks.optimizer.panel.ghosts.click()
        assert window.gantt._look.preview is offer.offered


async def test_that_what_was_found_of_an_earlier_plan_is_dropped_and_looked_for_anew(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        first = window.bridge.optimizing.job
        window.bridge.execute(RenameTask(2, "cut"))
        assert window.bridge.optimizing.offer is None
        assert window.gantt._look.preview is None
        assert not action(window, "take_offer").isEnabled()
        assert window.bridge.optimizing.is_on
        await over(window)
        assert window.bridge.optimizing.job is not first
        assert window.bridge.optimizing.offer.state.plan.task(2).name == "cut"
        assert action(window, "take_offer").isEnabled()


async def test_that_an_edit_is_not_kept_waiting_by_the_list_of_what_was_offered(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        panel, shows, optimizing = (
            window.docks.optimizer.panel,
            action(window, "show_optimizer"),
            window.bridge.optimizing,
        )
        await until(lambda: shows.iconText().startswith("●"))
        optimizing.set_wish(replace(optimizing.wish, goes_on=False))
        window.bridge.execute(RenameTask(2, "cut"))
        assert panel.table.shifts
        panel.take_all.click()  # of nothing any more
        await until(lambda: not panel.table.shifts)
        assert not panel.take_all.isEnabled()
        assert shows.iconText() == "Optimizer"
        assert window.bridge.state.undo_label == "Rename “saw”"


async def test_that_no_search_begins_after_an_edit_where_that_is_not_wanted(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        window.docks.optimizer.panel.goes_on.click()
        await searched(window)
        panel = window.docks.optimizer.panel
        assert "" not in (panel.standing.text(), panel.engines.text())
        window.bridge.execute(RenameTask(2, "cut"))
        assert not window.bridge.optimizing.is_on
        assert window.bridge.optimizing.offer is None
        settle(qapp)
        assert (panel.head.text(), panel.standing.text(), panel.engines.text()) == ("", "", "")
        assert panel.curve.course is None


async def test_that_a_task_moved_by_hand_meanwhile_stays_where_it_was_put(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        schedule = window.bridge.state.schedule
        window.bridge.execute(MoveTask(20 + 1, schedule.start_of(21) + 7200))
        assert window.bridge.optimizing.kept == {21}
        put = window.bridge.state.schedule.start_of(21)
        await over(window)
        assert window.bridge.optimizing.offer.taking.schedule.start_of(21) == put
        assert window.docks.optimizer.panel.release.text() == "&Let go (1)"
        window.bridge.undo()
        assert window.bridge.optimizing.kept == frozenset()


async def test_that_a_move_taken_back_after_the_search_was_stopped_is_let_go_and_kept_again_when_it_is_redone(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        schedule = window.bridge.state.schedule
        window.bridge.execute(MoveTask(20 + 1, schedule.start_of(21) + 7200))
        window.bridge.execute(RenameTask(2, "cut"))
        window.bridge.optimizing.stop()
        window.bridge.undo()
        assert window.bridge.optimizing.kept == {21}
        window.bridge.undo()
        assert window.bridge.optimizing.kept == frozenset()
        assert window.docks.optimizer.panel.release.text() == "&Let go"
        window.bridge.redo()
        assert window.bridge.optimizing.kept == {21}


async def test_that_a_task_whose_plan_cannot_keep_every_rule_says_so(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        start = window.bridge.state.plan.start
        window.bridge.execute(SetConstraint(LATE, ConstraintKind.MUST_FINISH_ON, start + 3600))
        await searched(window)
        panel = window.docks.optimizer.panel
        assert panel.head.text().endswith("it does not keep every rule.")
        assert panel.standing.text() == "No plan was found that keeps all dates, links and lags."
        assert panel.hindrance.text().startswith("“shipped, Order 2 · Drive shaft” must finish on")
        job = window.bridge.optimizing.job
        assert state_words(job, is_on=False, is_offered=False).startswith("Done: ")
        job.ending = None
        assert standing_words(job, "makespan") == "No plan found so far keeps all dates, links and lags."


async def test_that_what_is_taken_of_an_offer_is_not_kept_in_place(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        before = window.bridge.state
        action(window, "take_offer").trigger()
        await until(lambda: window.bridge.state is not before)
        assert window.bridge.optimizing.kept == frozenset()


async def test_that_nothing_is_kept_once_it_is_taken_back_and_the_same_is_offered_again(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        before, shifts = window.bridge.state, window.bridge.optimizing.offer.shifts
        action(window, "take_offer").trigger()
        await until(lambda: window.bridge.state is not before)
        for step in (window.bridge.undo, window.bridge.redo, window.bridge.undo):
            step()
            assert window.bridge.optimizing.kept == frozenset()
        await over(window)
        assert window.bridge.optimizing.offer.shifts == shifts


async def test_that_the_selected_tasks_are_kept_by_an_action_and_let_go_by_a_button(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        window.gantt.select((2, 9))
        action(window, "keep_in_place").trigger()
        assert window.bridge.optimizing.kept == {2, 9}
        await over(window)
        moved = {shift.task for shift in window.bridge.optimizing.offer.shifts}
        assert not moved & {2, 9}
        window.docks.optimizer.panel.release.click()
        assert window.bridge.optimizing.kept == frozenset()


async def test_that_a_search_waits_while_a_run_goes_on(qapp: QApplication, tmp_path: Path) -> None:
    class Run:
        outcome: str | None = None

    async with assembly_line(qapp, tmp_path) as (window, _):
        optimizing, run = window.bridge.optimizing, Run()
        optimizing.slices = 0
        optimizing.start()
        await until(lambda: optimizing.job.best is not None)
        optimizing.show_run(run)
        await until(lambda: optimizing.job.ending is Ending.CANCELED)
        assert not optimizing.is_on
        run.outcome = "finished"
        optimizing.show_run(run)
        assert optimizing.is_on


async def test_that_another_aim_begins_the_search_anew(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        panel = window.docks.optimizer.panel
        QTest.keyClick(panel.wanted.order, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        assert panel.wanted.order.names == ("makespan", "tardiness", "stability")
        assert panel.aim_words.text().startswith("Wanted is the earliest finish of the plan.")
        assert window.bridge.optimizing.wish == Wish("makespan,tardiness,stability")
        for row in (0, 1, 2):
            panel.wanted.order.item(row).setCheckState(Qt.CheckState.Unchecked)
        assert not panel.begin.isEnabled()


async def test_that_what_was_asked_for_is_said_first(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        panel, search = window.docks.optimizer.panel, window.bridge.optimizing
        search.set_wish(replace(search.wish, aim="changeover"))
        await searched(window)
        offer, less = search.offer, "set-ups \N{MINUS SIGN}"
        now, then = (sum(each.ticks for each in s.schedule.setups.values()) for s in (offer.state, offer.offered))
        assert (offer.before.setups, offer.after.setups) == (now, then)
        assert then < now
        assert panel.head.text().startswith(less)
        assert action(window, "show_optimizer").iconText().startswith(f"● {less}")
        cheaper = replace(offer, after=replace(offer.after, cents=offer.before.cents - 123_456))
        search.job.aim = aim_of("cost,tardiness")
        words = gain_words(cheaper, search.job)
        assert words.startswith("cost \N{MINUS SIGN}1,234.56, ")
        assert "set-ups" not in words


async def test_that_things_count_by_weights_that_are_set_with_sliders_and_said_in_words(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        panel, optimizing = window.docks.optimizer.panel, window.bridge.optimizing
        QTest.keyClick(panel.wanted.kind, Qt.Key.Key_Down)
        assert optimizing.wish.aim == "tardiness=10,makespan=1,stability=1"
        sliders = panel.wanted.weights.sliders
        QTest.keyClick(sliders["stability"], Qt.Key.Key_Home)
        QTest.keyClick(sliders["cost"], Qt.Key.Key_Right)
        assert optimizing.wish.aim == "tardiness=10,makespan=1,cost=1"
        said = "1 h of lateness counts as much as 10 h of a later finish, or 360.00 of cost."
        assert panel.aim_words.text() == f"Wanted is the least sum. {said}"
        await over(window)
        assert optimizing.job.options.aim.levels[1].tolist() == [0, 10, 5, 0, 5, 0]
        for slider in sliders.values():
            slider.setValue(0)
        assert panel.aim_words.text() == "Choose at least one thing that counts."
        assert not panel.begin.isEnabled()


async def test_that_it_says_who_works_and_how_far_the_best_is_from_what_no_plan_can_beat(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        panel, job = window.docks.optimizer.panel, window.bridge.optimizing.job
        assert panel.standing.text() == "Best so far 0 · none is below 0 · gap 0 %"
        shares = (Share("tabu search", 3, 90, 2), Share("activity lists", 1, 5, 0), Share("exact solver", 0, 4, 1))
        job.shares = shares
        panel.show_search(Search(job, True, 1.0))
        said = "tabu search: 2 found (75 %) · activity lists: 0 found (25 %) · exact solver: 1 found (beside them)"
        assert panel.engines.text() == said


async def test_that_the_table_sorts_and_a_row_shows_its_task(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        table = window.docks.optimizer.panel.table
        table.sortByColumn(3, Qt.SortOrder.DescendingOrder)
        by = [shift.by for shift in table.shifts]
        assert by == sorted(by, reverse=True)
        settle(qapp)
        at = table.visualRect(table.model().index(2, 1)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert window.gantt.selection == (table.shifts[2].task,)


async def test_that_a_plan_that_cannot_be_optimized_says_why(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        plan = window.bridge.state.plan
        state = replace(window.bridge.state, plan=replace(plan, settings=replace(plan.settings, is_from_finish=True)))
        optimizing = window.bridge.optimizing
        optimizing.show_state(state)
        action(window, "optimize").trigger()
        await until(lambda: not optimizing.is_on)
        await until(lambda: "scheduled from its finish" in window.docks.optimizer.panel.state.text())
        assert optimizing.offer is None


async def test_that_it_is_said_why_a_task_is_late_and_what_would_help(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, heard):
        action(window, "show_why_late").trigger()
        panel = window.docks.optimizer.why.panel
        await until(lambda: len(panel.gains.entries) > 0)
        assert panel.chain.sentence.text().startswith("“shipped, Order 2 · Drive shaft” is 3.5 h late")
        assert panel.chain.entries[2].texts[1] == "machine"
        assert panel.gains.entries[0].texts == (
            "another order, nothing else",
            "on time (\N{MINUS SIGN}3.5 h)",
            "on time",
        )
        window.resize(900, 700)
        settle(qapp)
        rows = [panel.chain.table.rowHeight(row) for row in range(len(panel.chain.entries))]
        assert max(rows) > 1.5 * METRICS.row_px  # what is longer than its column is told in lines
        panel.chain.table.selectRow(3)
        assert window.gantt.selection == (panel.chain.entries[3].task,)
        assert panel.chain.sentence.text().startswith("“shipped, Order 2")
        assert heard.failures == []


async def test_that_a_plan_on_time_says_so(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        action(window, "take_offer").trigger()
        action(window, "show_why_late").trigger()
        panel = window.docks.optimizer.why.panel
        await until(lambda: panel.chain.sentence.text() == "Every task meets its date.")
        assert not panel.chain.entries


async def test_that_places_are_tinted_while_a_bar_is_held_over_the_board(qapp: QApplication, tmp_path: Path) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        action(window, "show_board").trigger()
        settle(qapp)
        board = window.pages.board
        layout = board._layout()
        held = next(bar for bar in layout.bars(1000.0) if bar.slot.task.id == 11)
        press = QPoint(int((held.left + held.right) / 2), METRICS.header_px + int(held.top) + 8)
        view = board.chart.viewport()
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=press)
        assert board.holding.drops is None
        QTest.mouseMove(view, press - QPoint(60, 0))
        await until(lambda: board.holding.drops is not None)
        drops = board.holding.drops
        assert (drops.task, drops.resources) == (11, (3,))
        assert drops.best is not None
        assert drops.gain < 0
        before = window.bridge.state
        QTest.keyClick(board.chart, Qt.Key.Key_Escape)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=press - QPoint(60, 0))
        assert board.holding.drops is None
        assert window.bridge.state is before


async def test_that_the_first_plan_is_shown_at_once(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(optimizing, "TELL_MS", 60_000)
    async with assembly_line(qapp, tmp_path) as (window, _):
        panel, search = window.docks.optimizer.panel, window.bridge.optimizing
        action(window, "optimize").trigger()
        await until(lambda: panel.curve.course is not None and bool(panel.curve.course.steps))
        await asyncio.sleep(optimizing.WAIT_MS / 1000)
        first = search.job
        window.bridge.execute(RenameTask(2, "cut"))
        assert search.job is not first  # it begins at once
        before = panel.curve.course
        await until(lambda: panel.curve.course not in (None, before) and bool(panel.curve.course.steps))


async def test_that_what_searches_has_a_plan_after_an_edit_before_any_view_has(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        await asyncio.sleep(optimizing.WAIT_MS / 1000)
        asked: list[tuple[str, bool]] = []
        send = Solver.send

        def spied(self: Solver, request: Any) -> None:
            if isinstance(request, SolveRequest):
                asked.append((request.plan.task(2).name, window.gantt.state is window.bridge.state))
            send(self, request)

        monkeypatch.setattr(Solver, "send", spied)
        window.bridge.execute(RenameTask(2, "cut"))
        assert asked == [("cut", False)]
        await over(window)
        assert len(asked) == 1


async def test_that_what_the_plan_comes_to_is_found_once_for_all_offers_of_it(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with assembly_line(qapp, tmp_path) as (window, _):
        await searched(window)
        job, offer = window.bridge.optimizing.job, window.bridge.optimizing.offer
        again = make_offer(job.state, job.case, job.best, offer)
        assert again.before is offer.before
        assert (again.after, again.shifts) == (offer.after, offer.shifts)
        other = make_offer(replace(job.state), job.case, job.best, offer)
        assert other.before == offer.before
        assert other.before is not offer.before
