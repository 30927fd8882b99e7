"""Answers: quantiles and their intervals, chances, what decides the end, what would bring a date."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.model import (
    Assignment,
    Dependency,
    Impact,
    Plan,
    PlanRisks,
    Resource,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    Task,
    TaskRisk,
)
from engine.risk.answers import Answers, answers_of, quantile, rank_of, share
from engine.risk.program import compile_risk
from engine.risk.sensitivity import SwingKind
from engine.risk.simulate import Simulation
from engine.risk.takes import TakeKind, Taken, changed, what_it_takes
from engine.schedule.cpm import schedule
from engine.session.take_edits import MakeTakes
from tests.engine.model.strategies import HOUR, MONDAY, office
from tests.engine.risk.plans import spread
from tests.engine.risk.test_simulation import LONG, in_row, parallel

EVEN = spread(SpreadKind.UNIFORM, 0, 0, 100)


def asked(plan: Plan, count: int = 4096) -> Answers:
    dates = schedule(plan)
    simulation = Simulation(compile_risk(plan, dates, 3))
    simulation.advance(count)
    return answers_of(simulation.samples(count), dates.project_finish)


def test_that_a_quantile_is_the_sample_that_so_many_are_no_later_than() -> None:
    values = np.arange(1, 101, dtype=np.int64)
    assert [quantile(values, p / 100).value for p in (10, 50, 80, 90)] == [10, 50, 80, 90]
    assert [rank_of(5, p) for p in (0.0, 0.2, 0.21, 1.0)] == [0, 0, 1, 4]


def test_that_the_interval_of_a_quantile_holds_the_true_one_as_often_as_it_says() -> None:
    chance = np.random.default_rng(4)
    held = 0
    for _ in range(1000):
        spot = quantile(np.sort(chance.integers(0, 1_000_000, 200)), 0.8)
        held += spot.low <= 800_000 <= spot.high
    assert 0.93 < held / 1000 <= 0.98


def test_that_a_share_has_an_interval_even_where_it_is_all_or_none() -> None:
    assert share(0, 100).low == 0
    assert 0 < share(0, 100).high < 0.05
    assert share(100, 100).low > 0.95


def test_that_quantiles_of_the_project_are_those_of_its_distribution() -> None:
    found = asked(parallel(1, EVEN))
    for percent, spot in ((0.1, found.project.p10), (0.5, found.project.p50), (0.8, found.project.p80)):
        assert spot.low <= MONDAY + percent * LONG <= spot.high
    assert found.project.mean == pytest.approx(MONDAY + LONG / 2, abs=4 * LONG / math.sqrt(12 * found.count))
    assert found.finish_at(0.9) == found.project.p90.value
    assert found.chance_by(MONDAY + LONG // 4).value == pytest.approx(0.25, abs=0.03)


def test_that_figures_converge_and_their_intervals_narrow() -> None:
    steps = asked(in_row(3, EVEN)).convergence
    widths = [spot.high - spot.low for _, spot in steps]
    assert [count for count, _ in steps] == [64, 128, 256, 512, 1024, 2048, 4096]
    assert widths[-1] < widths[0] / 4


def test_that_milestones_and_summaries_have_their_own_finish_and_deadlines_their_chance() -> None:
    plan = office()
    tasks = [
        replace(plan.task(2), risk=TaskRisk(EVEN)),
        replace(plan.task(3), deadline=MONDAY + 52 * HOUR),
    ]
    found = asked(plan.with_tasks(tasks))
    assert [item.task for item in found.items] == [1, 3, 4]
    assert [each.task for each in found.deadlines] == [3]
    assert 0.05 < found.deadlines[0].chance.value < 0.95
    assert found.row_finish[0].tolist() == found.row_finish[2].tolist()


def test_that_the_longest_path_is_critical_and_crucial_and_a_short_one_is_not() -> None:
    plan = parallel(2, spread(SpreadKind.UNIFORM, 90, 0, 110))
    plan = plan.with_task(replace(plan.task(2), duration=LONG // 10))
    found = asked(plan)
    assert found.criticality.tolist() == [1.0, 0.0, 1.0]
    assert found.cruciality[0] == pytest.approx(1.0, abs=1e-6)
    assert found.cruciality[1] < 0.1
    assert found.swings[0].id == 1
    assert (found.swings[0].low, found.swings[0].high) == (
        pytest.approx(-0.095 * LONG, rel=0.1),
        pytest.approx(0.095 * LONG, rel=0.1),
    )


def test_that_drivers_and_events_are_ranked_with_what_they_move() -> None:
    plan = parallel(2, spread(SpreadKind.NORMAL, 0, 100, 200, deviation=10))
    plan = replace(plan, dependencies=(Dependency(1, 2), Dependency(2, 3)))
    tasks = [
        replace(plan.task(number), risk=TaskRisk(plan.task(number).risk.spread, loadings=((1, 0.9), (2, 0.1))))  # type: ignore[union-attr]
        for number in (1, 2)
    ]
    late = spread(SpreadKind.UNIFORM, 60, 0, 60)
    risks = PlanRisks(
        (RiskDriver(1, "Weather"), RiskDriver(2, "Crew")), events=(RiskEvent(5, "Strike", 0.25, (Impact(1, late),)),)
    )
    found = asked(replace(plan.with_tasks(tasks), risks=risks))
    assert [each.name for each in found.drivers] == ["Weather", "Crew"]
    assert found.drivers[0].correlation > found.drivers[1].correlation
    event = next(each for each in found.swings if each.kind is SwingKind.EVENT)
    assert event.width == pytest.approx(0.6 * LONG, rel=0.1)


def test_that_a_lag_that_is_not_certain_swings_the_end_as_a_task_does() -> None:
    plan = in_row(2, Spread(SpreadKind.FIXED))
    sure, wide = plan.dependencies[0], spread(SpreadKind.UNIFORM, 0, 0, LONG, is_percent=False)
    summary = Task(9, "Both")
    inside = tuple(replace(task, parent=9) for task in plan.tasks)
    others = (Task(10, "Review", LONG), Task(11, "Aside", LONG // 10))
    plan = replace(plan, tasks=(summary, *inside, *others), next_task_id=12)
    aside = Dependency(11, 10, spread=replace(wide, high=LONG // 10))
    plan = replace(plan, dependencies=(sure, Dependency(9, 10, spread=wide), aside)).check()
    found = [each for each in asked(plan).swings if each.kind is SwingKind.LAG]
    assert [(each.before, each.id, each.name) for each in found] == [
        (9, 10, "Both → Review"),
        (11, 10, "Aside → Review"),
    ]
    assert found[0].correlation == pytest.approx(1.0, abs=1e-6)
    assert found[0].width == pytest.approx(0.9 * LONG, rel=0.05)
    assert found[1].width < 0.05 * LONG


def test_that_a_task_with_a_deadline_is_done_at_one_date_wherever_it_is_told() -> None:
    plan = in_row(3, spread(SpreadKind.PERT, 80, 100, 150))
    plan = replace(plan, tasks=(*plan.tasks[:-1], replace(plan.tasks[-1], deadline=MONDAY + 4 * LONG)))
    found = asked(plan, 10_000)
    assert found.row_count < found.count
    (last_,) = found.items
    row = found.tasks.index(last_.task)
    told = [spot.value for spot in (last_.p10, last_.p50, last_.p80, last_.p90)]
    assert found.row_finish[row].tolist() == told
    assert told[2] == found.finish_at(0.8)


def test_that_a_plan_with_costs_tells_them_beside_the_date() -> None:
    plan = parallel(1, EVEN)
    assert asked(plan, 64).costs is None
    staffed = replace(plan, resources=(Resource(1, "Ann", cost_per_hour=50.0),), assignments=(Assignment(1, 1),))
    costs = asked(staffed).costs
    assert costs is not None
    assert costs.at(0.5) == pytest.approx(25_000, rel=0.05)
    assert costs.chance_of(25_000, MONDAY + LONG) == pytest.approx(0.5, abs=0.04)
    assert costs.chance_of(25_000, MONDAY + LONG // 4) == pytest.approx(0.25, abs=0.04)


def last(steps: list[Taken]) -> Taken:
    return steps[-1]


def test_that_a_date_takes_no_change_where_it_is_met_already() -> None:
    found = list(what_it_takes(in_row(3, EVEN), MONDAY + 4 * LONG))
    assert [(step.changes, step.is_enough) for step in found] == [((), True)]


def test_that_the_changes_bring_the_confidence_to_the_date() -> None:
    plan = in_row(4, spread(SpreadKind.PERT, 80, 100, 150))
    plan = replace(plan, tasks=(*plan.tasks, Task(8, "Aside", LONG // 2)), next_task_id=9)
    now = last(list(what_it_takes(plan, MONDAY + 100 * LONG))).finish
    wanted = now - LONG // 4
    found = last(list(what_it_takes(plan, wanted)))
    assert found.is_enough
    assert found.finish <= wanted
    assert {each.kind for each in found.changes} == {TakeKind.SHORTEN}
    assert 8 not in {each.id for each in found.changes}
    assert last(list(what_it_takes(changed(plan, found.changes), wanted))).changes == ()


def test_that_what_is_told_of_the_changes_holds_once_they_are_made() -> None:
    plan = in_row(4, spread(SpreadKind.PERT, 80, 100, 150))
    late = spread(SpreadKind.UNIFORM, 20, 0, 60)
    plan = replace(plan, risks=PlanRisks(events=(RiskEvent(1, "Strike", 0.3, (Impact(1, late),)),)))
    found = last(list(what_it_takes(plan, asked(plan, 10_000).finish_at(0.8) - LONG // 2, seed=3)))
    assert found.is_enough
    assert asked(MakeTakes(found.changes).apply(plan), 10_000).finish_at(0.8) == found.finish


def test_that_an_event_is_averted_where_that_is_cheapest() -> None:
    plan = in_row(2, Spread(SpreadKind.FIXED))
    late = spread(SpreadKind.UNIFORM, 200, 0, 200)
    plan = replace(plan, risks=PlanRisks(events=(RiskEvent(1, "Strike", 0.3, (Impact(1, late),)),)))
    found = last(list(what_it_takes(plan, MONDAY + 2 * LONG)))
    assert [(each.kind, each.name) for each in found.changes] == [(TakeKind.AVERT, "Strike")]
    assert found.is_enough


def test_that_what_cannot_be_reached_is_said_to_be_out_of_reach() -> None:
    found = last(list(what_it_takes(in_row(3, EVEN), MONDAY + HOUR, most=2)))
    assert not found.is_enough
