"""The bar that scrolls time: as long as what there is, and in step with the chart."""

import pytest
from pytestqt.qtbot import QtBot

from gui.canvas.time_bar import TimeBar
from gui.canvas.time_chart import TimeChart
from gui.canvas.time_scale import TimeScale


@pytest.fixture
def pair(qtbot: QtBot) -> tuple[TimeChart, TimeBar]:
    """A chart of 800 px, and its bar."""
    chart = TimeChart(list)
    qtbot.addWidget(chart)
    chart.resize(800, 200)
    chart.show()
    bar = TimeBar(chart, chart)
    return chart, bar


def test_that_it_is_as_long_as_the_plan_and_stands_where_the_chart_does(pair: tuple[TimeChart, TimeBar]) -> None:
    chart, bar = pair
    chart.bounds = (1000, 11_000)
    chart.set_time_scale(TimeScale(3000, 2.0))
    assert (bar.minimum(), bar.maximum(), bar.pageStep(), bar.value()) == (0, 10_000 - 1600, 1600, 2000)


def test_that_there_is_nothing_to_scroll_where_all_is_seen(pair: tuple[TimeChart, TimeBar]) -> None:
    chart, bar = pair
    chart.bounds = (1000, 2000)
    chart.set_time_scale(TimeScale(900, 2.0))
    assert (bar.minimum(), bar.maximum()) == (0, 0)


def test_that_it_reaches_as_far_as_a_person_panned_past_the_plan(pair: tuple[TimeChart, TimeBar]) -> None:
    chart, bar = pair
    chart.bounds = (0, 10_000)
    chart.set_time_scale(TimeScale(-500, 2.0))
    assert (bar.value(), bar.maximum()) == (0, 10_500 - 1600)


def test_that_moving_it_scrolls_the_chart_and_tells(pair: tuple[TimeChart, TimeBar], qtbot: QtBot) -> None:
    chart, bar = pair
    chart.bounds = (0, 100_000)
    chart.set_time_scale(TimeScale(0, 2.0))
    with qtbot.waitSignal(chart.scale_changed, timeout=1000):
        bar.setValue(40_000)
    assert chart.time_scale.origin_ticks == 40_000
    bar.triggerAction(TimeBar.SliderAction.SliderPageStepAdd)
    assert chart.time_scale.origin_ticks == 41_600


def test_that_days_in_nanoseconds_are_scrolled_too(pair: tuple[TimeChart, TimeBar]) -> None:
    chart, bar = pair
    end = 3 * 86_400 * 10**9
    chart.bounds = (0, end)
    chart.set_time_scale(TimeScale(0, 1000.0))
    bar.setValue(bar.maximum())
    assert abs(chart.time_scale.end_ticks - end) <= 10**6
