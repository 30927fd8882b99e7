"""Typed doubts: what a person should know of a date that they typed, such as that it is read one of two ways.

It never reads a date itself.
"""

from __future__ import annotations

import calendar
import re
from datetime import datetime, timedelta

from engine.errors import PlanError
from engine.formats.table.dates import DateOrder
from engine.model import Clock, ConstraintKind, Plan, Ticks
from engine.schedule import words
from engine.session.cell_edits import SetFinish
from engine.session.cell_words import duration_text
from engine.session.edits import Edit, MoveTask
from engine.session.state import State

_EPOCH = datetime(1970, 1, 1)
_MOST_YEARS = 100
_NUMBERS = re.compile(r"(\d{1,4})\s*([-/.])\s*(\d{1,2})(?:\s*\2\s*(\d{1,4}))?(?!\d)")
_MONTHS = tuple(calendar.month_name)
# What holds no task back that is dated from its start.
_FREE = frozenset(
    {ConstraintKind.AS_SOON_AS_POSSIBLE, ConstraintKind.START_NO_LATER_THAN, ConstraintKind.FINISH_NO_LATER_THAN}
)
_ORDERS = {
    DateOrder.DAY_FIRST: "the day first",
    DateOrder.MONTH_FIRST: "the month first",
    DateOrder.YEAR_FIRST: "the year first",
}


def no_such_day(text: str, order: DateOrder) -> str:
    """Why a date that is whole is none: “February 2026 has 28 days”; empty where that is not why."""
    matched = _NUMBERS.match(text.strip())
    if matched is None or matched[4] is None:
        return ""
    first, second, third = matched[1], int(matched[3]), matched[4]
    if len(first) > 2 or order is DateOrder.YEAR_FIRST:
        year, month, day = int(first), second, int(third)
    else:
        year, (day, month) = int(third), _day_month(int(first), second, matched[2], order)
    if not 1 <= month <= 12:
        return f"a year has 12 months, and {_ORDERS[order]} means month {month}"
    if not 1000 <= year <= 9999:
        return ""
    days = calendar.monthrange(year, month)[1]
    return "" if 1 <= day <= days else f"{_MONTHS[month]} {year} has {days} days"


def said_of(text: str, order: DateOrder, at: Ticks) -> str:
    """How a date was read that could mean two days, 3/4/2026 in some places April and in others March; else empty."""
    matched = _NUMBERS.match(text.strip())
    if matched is None or len(matched[1]) > 2 or matched[2] == ".":
        return ""
    first, second = int(matched[1]), int(matched[3])
    if first == second or max(first, second) > 12:
        return ""
    day = _EPOCH + timedelta(seconds=int(at))
    read = "the month first" if order is not DateOrder.DAY_FIRST else "the day first"
    return f"“{text.strip()}” is {day.day} {_MONTHS[day.month]} {day.year}, with {read} as this system writes dates."


def check_near(plan: Plan, text: str, at: Ticks) -> None:
    """Refuses a date that nobody means: a hundred years and more from where the plan starts. Raises PlanError."""
    if plan.clock is Clock.DEVICE:
        return
    start = (_EPOCH + timedelta(seconds=int(plan.start))).year
    year = (_EPOCH + timedelta(seconds=int(at))).year
    if abs(year - start) > _MOST_YEARS:
        raise PlanError(
            f"“{text}” is in the year {year}, more than {_MOST_YEARS} years from the plan's start in {start}."
        )


def check_finish(state: State, edit: Edit, text: str) -> None:
    """Refuses a finish that would change nothing: nothing of its own holds the task later. Raises PlanError."""
    if not isinstance(edit, SetFinish):
        return
    plan, dates, task = state.plan, state.schedule, state.plan.task(edit.task)
    start, finish = dates.start_of(task.id), dates.finish_of(task.id)
    is_held = task.constraint not in _FREE or task.delay or task.is_manual or plan.settings.is_from_finish
    if is_held or edit.at >= finish or plan.is_summary(task.id):
        return
    begins = words.instant(plan, start)
    if edit.at <= start:
        sentence = f"“{text}” is before “{task.name}” starts, {begins}: type an earlier start first."
    else:
        length = duration_text(plan, task.duration, is_elapsed=task.is_elapsed)
        sentence = (
            f"“{task.name}” starts {begins} and takes {length}: to finish earlier, type a shorter duration or an "
            "earlier start."
        )
    raise PlanError(sentence, ids=(task.id,))


def all_the_same(state: State, edit: Edit) -> str:
    """What is to be said of a typed date once it is taken and the task stays elsewhere; else empty."""
    plan, dates = state.plan, state.schedule
    if isinstance(edit, MoveTask) and edit.task in plan.rows and dates.start_of(edit.task) > edit.start:
        return f"It starts {words.instant(plan, dates.start_of(edit.task))} all the same, for that is when it can."
    if isinstance(edit, SetFinish) and edit.task in plan.rows and dates.finish_of(edit.task) > edit.at:
        return f"It finishes {words.instant(plan, dates.finish_of(edit.task))} all the same, for that is when it can."
    return ""


def _day_month(first: int, second: int, between: str, order: DateOrder) -> tuple[int, int]:
    return (second, first) if order is DateOrder.MONTH_FIRST and between != "." else (first, second)
