"""What a simulation gives is what is known of it without one: means, variances, maxima, correlations."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import PlanError
from engine.model import (
    Assignment,
    Calendar,
    Clock,
    Dependency,
    DriverCorrelation,
    Impact,
    Plan,
    PlanRisks,
    Resource,
    ResourceKind,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    SpreadPreset,
    Task,
    TaskRisk,
)
from engine.risk.distributions import shape_of
from engine.risk.program import compile_risk
from engine.risk.simulate import Samples, Simulation
from engine.schedule.cpm import schedule
from tests.engine.model.strategies import HOUR, MONDAY, office
from tests.engine.risk.plans import ALL_DAY, spread, with_spread

COUNT = 20_032  # whole blocks
LONG = 1000 * HOUR


def parallel(count: int, found: Spread, *, length: int = LONG) -> Plan:
    """As many tasks side by side, each as long, in a plan that always works, with a milestone after them."""
    tasks = tuple(Task(number, f"t{number}", length, risk=TaskRisk(found)) for number in range(1, count + 1))
    end = Task(count + 1, "End", is_milestone=True)
    links = tuple(Dependency(task.id, end.id) for task in tasks)
    return Plan("p", Clock.CALENDAR, MONDAY, (*tasks, end), links, replace(ALL_DAY, id=1), next_task_id=count + 2)


def in_row(count: int, found: Spread) -> Plan:
    plan = parallel(count, found)
    return replace(plan, dependencies=tuple(Dependency(n, n + 1) for n in range(1, count + 1)))


def simulated(plan: Plan, count: int = COUNT, seed: int = 1) -> Samples:
    simulation = Simulation(compile_risk(plan, schedule(plan), seed))
    simulation.advance(count)
    return simulation.samples()


def in_lengths(samples: Samples) -> NDArray[np.float64]:
    """From the start of the plan to its end, in lengths of a task."""
    return (samples.finishes[0] - MONDAY) / LONG


def assert_mean(values: NDArray[np.float64], mean: float, deviation: float) -> None:
    """To within 4 standard errors of what theory says."""
    assert abs(values.mean() - mean) < 4 * deviation / math.sqrt(len(values))
    fourth = ((values - values.mean()) ** 4).mean()
    error = math.sqrt(max(fourth - deviation**4, 1e-18) / len(values))
    assert abs(values.var() - deviation**2) < 4 * error


def pert(low: float, likely: float, high: float) -> tuple[float, float]:
    a, b = 1 + 4 * (likely - low) / (high - low), 1 + 4 * (high - likely) / (high - low)
    return (low + 4 * likely + high) / 6, (high - low) * math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))


def triangular(low: float, likely: float, high: float) -> tuple[float, float]:
    square = low**2 + likely**2 + high**2 - low * likely - low * high - likely * high
    return (low + likely + high) / 3, math.sqrt(square / 18)


SIGMA = math.log(0.8 / 0.3) / NormalDist().inv_cdf(0.9)
MOMENTS = {
    SpreadKind.UNIFORM: (1.15, 0.7 / math.sqrt(12)),
    SpreadKind.TRIANGULAR: triangular(0.8, 1.1, 1.5),
    SpreadKind.PERT: pert(0.8, 1.1, 1.5),
    SpreadKind.LOGNORMAL: (
        0.8 + 0.3 * math.exp(SIGMA**2 / 2),
        0.3 * math.exp(SIGMA**2 / 2) * math.sqrt(math.exp(SIGMA**2) - 1),
    ),
}
NUMBERS = {
    SpreadKind.UNIFORM: (80, 110, 150),
    SpreadKind.TRIANGULAR: (80, 110, 150),
    SpreadKind.PERT: (80, 110, 150),
    SpreadKind.LOGNORMAL: (80, 110, 160),
}


@pytest.mark.parametrize(
    "kind", [kind for kind in MOMENTS if kind is not SpreadKind.UNIFORM], ids=lambda kind: kind.value
)
def test_that_each_distribution_has_its_mean_and_variance(kind: SpreadKind) -> None:
    assert_mean(in_lengths(simulated(parallel(1, spread(kind, *NUMBERS[kind])))), *MOMENTS[kind])


def test_that_a_uniform_distribution_has_its_mean_and_variance() -> None:
    assert_mean(in_lengths(simulated(parallel(1, spread(SpreadKind.UNIFORM, 80, 0, 150)))), 1.15, 0.7 / math.sqrt(12))


def test_that_a_normal_distribution_is_cut_off_where_it_says() -> None:
    found = in_lengths(simulated(parallel(1, spread(SpreadKind.NORMAL, 90, 100, 120, deviation=10))))
    normal = NormalDist()
    a, b = -1.0, 2.0
    mass = normal.cdf(b) - normal.cdf(a)
    shift = (normal.pdf(a) - normal.pdf(b)) / mass
    variance = 1 + (a * normal.pdf(a) - b * normal.pdf(b)) / mass - shift**2
    assert_mean(found, 1 + 0.1 * shift, 0.1 * math.sqrt(variance))
    assert found.min() >= 0.9
    assert found.max() <= 1.2


def test_that_samples_are_drawn_as_often_as_they_were_seen() -> None:
    values = (90.0, 100.0, 100.0, 110.0, 300.0)
    found = in_lengths(simulated(parallel(1, Spread(SpreadKind.EMPIRICAL, values=values))))
    assert (found.min(), found.max()) == (pytest.approx(0.9, abs=1e-3), pytest.approx(3, abs=1e-2))
    assert np.quantile(found, 0.5) == pytest.approx(1.0, abs=0.003)
    assert np.mean(found <= 1.1) == pytest.approx(0.75, abs=4 * math.sqrt(0.75 * 0.25 / COUNT))


def test_that_lengths_in_a_row_add_up() -> None:
    mean, deviation = pert(0.8, 1.1, 1.5)
    found = in_lengths(simulated(in_row(12, spread(SpreadKind.PERT, 80, 110, 150))))
    assert_mean(found, 12 * mean, math.sqrt(12) * deviation)


@pytest.mark.parametrize("count", [2, 5, 20])
def test_that_equal_paths_that_merge_are_later_than_each(count: int) -> None:
    found = in_lengths(simulated(parallel(count, spread(SpreadKind.UNIFORM, 0, 0, 100))))
    variance = count / ((count + 1) ** 2 * (count + 2))
    assert_mean(found, count / (count + 1), math.sqrt(variance))


def test_that_each_of_equal_paths_is_as_often_the_longest() -> None:
    found = simulated(parallel(5, spread(SpreadKind.PERT, 50, 100, 200)))
    shares = found.on_path[:5] / COUNT
    assert np.abs(shares - 0.2).max() < 4 * math.sqrt(0.2 * 0.8 / COUNT)
    assert found.on_path[:5].sum() == found.on_path[5] == COUNT


@pytest.mark.parametrize(
    ("one", "two", "between", "expected"), [(0.8, 0.8, 1.0, 0.64), (0.6, -0.6, 1.0, -0.36), (1, 1, 0.5, 0.5)]
)
def test_that_tasks_go_together_as_their_drivers_say(one: float, two: float, between: float, expected: float) -> None:
    plan = parallel(2, spread(SpreadKind.NORMAL, 0, 100, 200, deviation=12))
    drivers, link = (RiskDriver(1, "Weather"), RiskDriver(2, "Crew")), DriverCorrelation(1, 2, between)
    tasks = [
        replace(plan.task(number), risk=TaskRisk(plan.tasks[0].risk.spread, loadings=((driver, by),)))  # type: ignore[union-attr]
        for number, driver, by in ((1, 1, one), (2, 1 if between == 1 else 2, two))
    ]
    found = simulated(replace(plan.with_tasks(tasks), risks=PlanRisks(drivers, (link,) if between < 1 else ())).check())
    kept = found.durations.shape[1]
    measured = float(np.corrcoef(found.durations)[0, 1])
    assert abs(measured - expected) < 4 * (1 - expected**2) / math.sqrt(kept)
    assert_mean(found.durations[0] / LONG, 1.0, 0.12)


def test_that_unrelated_tasks_have_nothing_in_common() -> None:
    found = simulated(parallel(40, spread(SpreadKind.UNIFORM, 50, 0, 150)))
    correlations = np.corrcoef(found.durations)[np.triu_indices(40, 1)]
    assert np.abs(correlations).max() < 5 / math.sqrt(found.durations.shape[1])
    assert abs(float((correlations**2).mean()) * found.durations.shape[1] - 1) < 0.2


def test_that_an_event_adds_what_it_says_as_often_as_it_says() -> None:
    add = spread(SpreadKind.UNIFORM, 50, 0, 50)
    plan = replace(
        parallel(1, Spread(SpreadKind.FIXED)), risks=PlanRisks(events=(RiskEvent(1, "Strike", 0.3, (Impact(1, add),)),))
    )
    found = in_lengths(simulated(plan))
    assert set(found.tolist()) == {1.0, 1.5}
    assert_mean(found, 1.15, 0.5 * math.sqrt(0.3 * 0.7))


def test_that_an_event_hits_all_its_tasks_at_once() -> None:
    add = spread(SpreadKind.UNIFORM, 100, 0, 100)
    event = RiskEvent(1, "Strike", 0.5, (Impact(1, add), Impact(2, add)))
    found = simulated(replace(parallel(2, Spread(SpreadKind.FIXED)), risks=PlanRisks(events=(event,))))
    assert (found.durations[0] == found.durations[1]).all()


def test_that_a_summary_that_does_not_happen_takes_no_time_with_all_in_it() -> None:
    plan = office()
    plan = plan.with_task(replace(plan.task(1), risk=TaskRisk(chance=0.4))).check()
    found = simulated(plan)
    dates = schedule(plan)
    late = found.finishes[0] == dates.project_finish
    assert late.mean() == pytest.approx(0.4, abs=4 * math.sqrt(0.24 / COUNT))
    assert set(found.finishes[0, ~late].tolist()) == {dates.finish_of(5)}
    assert (found.durations[0] > 0).tolist() == (found.durations[1] > 0).tolist()


def test_that_work_on_one_machine_stays_one_after_the_other() -> None:
    plan = parallel(2, spread(SpreadKind.UNIFORM, 0, 0, 200))
    plan = replace(plan, tasks=(plan.tasks[0], replace(plan.tasks[1], delay=LONG), plan.tasks[2]))
    saw = replace(
        plan, resources=(Resource(1, "Saw", ResourceKind.MACHINE),), assignments=(Assignment(1, 1), Assignment(2, 1))
    )
    assert_mean(in_lengths(simulated(saw)), 2.0, math.sqrt(2 / 3))


def test_that_presets_hold_for_tasks_of_a_family_that_say_nothing() -> None:
    plan = parallel(3, Spread(SpreadKind.FIXED))
    tasks = [replace(plan.task(1), risk=None), replace(plan.task(2), risk=None, family="weld")]
    presets = tuple(
        SpreadPreset(family, spread(SpreadKind.UNIFORM, by, 0, by)) for family, by in (("", 120), ("weld", 150))
    )
    found = simulated(replace(plan.with_tasks(tasks), risks=PlanRisks(presets=presets)), 64)
    lengths = [(found.row_finishes()[row, 0] - MONDAY) / LONG for row in range(3)]
    assert lengths == [1.2, 1.5, 1.0]


def test_that_a_sample_is_the_same_whatever_was_drawn_before_it_and_another_in_another_seed() -> None:
    plan = in_row(3, spread(SpreadKind.PERT, 80, 100, 150))
    whole, coarse = simulated(plan, 512), simulated(plan, 64)
    assert whole.finishes[:, :64].tolist() == coarse.finishes.tolist()
    assert simulated(plan, 64, seed=2).finishes.tolist() != coarse.finishes.tolist()


def test_that_two_plans_are_compared_without_noise() -> None:
    plan = in_row(3, spread(SpreadKind.PERT, 80, 100, 150))
    longer = replace(plan, tasks=(*plan.tasks, Task(9, "Other", HOUR)), next_task_id=10)
    assert simulated(plan, 64).durations.tolist() == simulated(longer, 64).durations.tolist()


def test_that_tasks_that_wait_for_each_other_are_refused_by_name() -> None:
    plan = replace(office(), dependencies=(Dependency(2, 3), Dependency(3, 2)))
    with pytest.raises(PlanError, match="“Design” and “Build” wait for each other"):
        compile_risk(plan, schedule(plan))


def test_that_a_range_on_a_calendar_is_worked_in_its_hours() -> None:
    found = simulated(with_spread(office(), 5, spread(SpreadKind.UNIFORM, 300, 0, 500)), 640)
    time = Calendar.standard()
    finishes = found.row_finishes()[4] % 86_400
    assert time.week
    assert ((finishes > 8 * HOUR) & (finishes <= 17 * HOUR)).all()


def test_that_a_very_long_range_is_drawn_in_steps_that_fit() -> None:
    shape = shape_of(Spread(SpreadKind.UNIFORM, 0, 0, float(1 << 45), is_percent=False), 1)
    assert shape.span < 1 << 30
    assert shape.greatest <= 1 << 45
