"""Fans: how sure it is when things are done, as answers of samples and as places in the chart. They never draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.model import DAY, Clock, Plan, TaskId, Ticks
from engine.session.risking import Answers, FinishAnswer
from gui.canvas import calendar_ticks
from gui.canvas.time_scale import TimeScale
from gui.gantt.shares import Shares
from gui.gantt.words import instant_text

_SAME_PX = 0.5
# Dates that lie closer to each other than this are told with the time of day.
_CLOSE = 3 * DAY


@dataclass(frozen=True, slots=True)
class Fan:
    """Where percents of a finish lie, in pixels from the left edge of the chart."""

    p10: float
    p20: float
    p50: float
    p80: float
    p90: float

    @staticmethod
    def of(found: FinishAnswer, scale: TimeScale) -> Fan:
        """Where the percents of an answer lie."""
        p20 = scale.x(int(found.quantiles[19]))
        return Fan(
            *(scale.x(found.p10.value), p20), *(scale.x(spot.value) for spot in (found.p50, found.p80, found.p90))
        )

    def is_near(self, other: Fan) -> bool:
        """Whether nobody would see a difference."""
        pairs = ((self.p10, other.p10), (self.p80, other.p80), (self.p90, other.p90))
        return all(abs(one - two) < _SAME_PX for one, two in pairs)

    def is_seen(self, width_px: float) -> bool:
        """Whether a part of it stands in sight."""
        return self.p90 >= 0 and self.p10 <= width_px


@dataclass(frozen=True, eq=False)
class Fans:
    """What samples say of when things are done; `before`: what they said before something was moved that is held."""

    answers: Answers
    before: Answers | None = None

    @cached_property
    def items(self) -> Mapping[TaskId, FinishAnswer]:
        """The answers of tasks by their ids, of those alone that are not certain."""
        return {each.task: each for each in self.answers.items if each.task is not None and is_open(each)}

    @cached_property
    def items_before(self) -> Mapping[TaskId, FinishAnswer]:
        """The same of what was said before."""
        before = () if self.before is None else self.before.items
        return {each.task: each for each in before if each.task is not None and is_open(each)}

    @cached_property
    def shares(self) -> Shares:
        """How critical tasks are."""
        return Shares(self.answers)


def is_open(found: FinishAnswer) -> bool:
    """Whether something may be done at one time or another."""
    return int(found.quantiles[0]) < int(found.quantiles[-1])


def post_text(plan: Plan, found: FinishAnswer) -> str:
    """What stands at the post: "P80 14 Mar", with the time of day where a day says too little."""
    return f"P80 {_short(plan, found.p80.value, found)}"


def half_text(plan: Plan, found: FinishAnswer) -> str:
    """The same of the half."""
    return f"P50 {_short(plan, found.p50.value, found)}"


def _short(plan: Plan, tick: Ticks, found: FinishAnswer) -> str:
    if plan.clock is not Clock.CALENDAR:
        return instant_text(plan, tick)
    is_close = found.p90.value - found.p10.value < _CLOSE
    return calendar_ticks.day_text(tick, has_time=is_close)
