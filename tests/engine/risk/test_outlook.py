"""When one thing may be done, asked either way."""

import numpy as np
import pytest

from engine.risk.answers import answers_of
from engine.risk.outlook import Outlook, outlook_of
from engine.risk.program import compile_risk
from engine.risk.simulate import Simulation
from engine.schedule.cpm import schedule
from tests.engine.process.test_sampler import uncertain

COUNT = 10_000


def of_samples() -> Outlook:
    return Outlook(None, 0, COUNT, np.arange(COUNT, dtype=np.int64) * 10, is_whole=True, mean=0)


def of_percents() -> Outlook:
    return Outlook(7, 0, COUNT, np.arange(1, 100, dtype=np.int64) * 1000, is_whole=False, mean=0)


@pytest.mark.parametrize("outlook", [of_samples(), of_percents()])
def test_that_a_date_and_its_chance_say_the_same(outlook: Outlook) -> None:
    for percent in range(5, 100, 5):
        spot = outlook.at(percent / 100)
        chance = outlook.chance_by(spot.value)
        assert spot.low <= spot.value <= spot.high
        assert chance.low <= percent / 100 <= chance.high
        assert chance.value == pytest.approx(percent / 100, abs=0.001)


@pytest.mark.parametrize("outlook", [of_samples(), of_percents()])
def test_that_the_shares_of_stretches_sum_to_all(outlook: Outlook) -> None:
    edges = np.linspace(-1000, 101_000, 103).astype(np.int64)
    shares = np.diff(outlook.shares_by(edges))
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()


def test_that_percents_are_straight_between_their_neighbors() -> None:
    assert of_percents().shares_by(np.array([50_500]))[0] == pytest.approx(0.505)


def test_that_instants_that_many_samples_share_count_with_all_of_them() -> None:
    outlook = Outlook(None, 0, 4, np.array([5, 5, 5, 9]), is_whole=True, mean=6)
    assert outlook.chance_by(4).value == 0
    assert outlook.chance_by(5).value == 0.75
    assert outlook.at(0.75).value == 5


def test_that_it_is_that_of_the_answers() -> None:
    plan = uncertain()
    dates = schedule(plan)
    simulation = Simulation(compile_risk(plan, dates, 0))
    simulation.advance(256)
    answers = answers_of(simulation.samples(), dates.project_finish)
    whole = outlook_of(answers, None, dates.project_finish)
    assert whole is not None
    assert whole.at(0.8) == answers.project.p80
    item = answers.items[0]
    part = outlook_of(answers, item.task, dates.finish_of(item.task or 0))
    assert part is not None
    assert part.at(0.8).value == item.p80.value
    assert outlook_of(answers, 999, 0) is None
