"""Set-ups in the chart and on the board: hatched before their bars, and told in words."""

from __future__ import annotations

from engine.model import Dependency
from engine.schedule.cpm import schedule
from engine.session.state import State
from gui.canvas.shapes import Box, Line
from gui.canvas.time_scale import TimeScale
from gui.gantt.setup_words import setup_words
from gui.gantt.setups import setup_shapes
from tests.engine.model.strategies import HOUR, MONDAY
from tests.engine.schedule.test_setups import CHAIN, painted

SCALE = TimeScale(MONDAY, HOUR / 10, 600.0)  # ten pixels an hour


def state(*links: Dependency) -> State:
    plan = painted(*links)
    return State(plan, schedule(plan))


def test_that_a_set_up_is_a_hatched_box_that_ends_where_its_bar_starts() -> None:
    box, *lines = setup_shapes(state(*CHAIN), 2, SCALE, 40.0, 12.0)
    assert box == Box(30.0, 40.0, 30.0, 12.0, "muted:15", "muted")
    assert lines
    for line in lines:
        assert isinstance(line, Line)
        assert all(30.0 <= x <= 60.0 and 40.0 <= y <= 52.0 for x, y in line.points)


def test_that_one_without_time_for_it_is_of_another_color_and_a_bar_without_one_has_none() -> None:
    close = state(Dependency(1, 2), Dependency(2, 3))
    box = setup_shapes(close, 2, SCALE, 40.0, 12.0)[0]
    assert isinstance(box, Box)
    assert box.outline == "critical"
    assert setup_shapes(close, 3, SCALE, 40.0, 12.0) == []
    assert setup_shapes(state(*CHAIN), 2, TimeScale(MONDAY, 48.0 * HOUR, 600.0), 40.0, 12.0) == []


def test_that_a_set_up_is_told_from_what_to_what_and_how_long_it_takes() -> None:
    far, close = state(*CHAIN), state(Dependency(1, 2), Dependency(2, 3))
    assert setup_words(far.plan, far.schedule.setups[2]) == "Set-up from “blue” to “red”, 2 h"
    assert setup_words(close.plan, close.schedule.setups[2]).endswith("there is no time for it between the two")
