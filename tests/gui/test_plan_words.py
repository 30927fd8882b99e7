from __future__ import annotations

import pytest

from engine.model import Clock, Plan, Task
from gui.plan_words import float_text


@pytest.mark.parametrize(
    ("length", "ticks", "said"),
    [
        (3600, 0, "0"),
        (3600, -1, "0"),
        (3600, 59, "0"),
        (3600, -60, "\N{MINUS SIGN}1 min"),
        (90, -1, "\N{MINUS SIGN}1 s"),
    ],
)
def test_that_a_float_is_told_to_the_minute_as_its_task_is(length: int, ticks: int, said: str) -> None:
    plan = Plan("Shop", Clock.CALENDAR, 0, tasks=(Task(1, "turn", length),))
    assert float_text(plan, plan.task(1), ticks) == said


def test_that_every_tick_of_a_device_plan_is_told() -> None:
    plan = Plan("Run", Clock.DEVICE, tasks=(Task(1, "copy", 3600),))
    assert float_text(plan, plan.task(1), 0) == "0"
    assert float_text(plan, plan.task(1), 500) != "0"
