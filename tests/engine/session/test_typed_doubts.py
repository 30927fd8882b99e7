"""Dates that a person typed and should know more of: no such day, a far year, two ways to read one, no effect."""

from dataclasses import replace
from datetime import datetime

import pytest

from engine.errors import PlanError
from engine.formats.table import DateOrder
from engine.model import Calendar, Clock, ConstraintKind, Dependency, Plan, Task
from engine.schedule.cpm import schedule
from engine.session.state import State
from engine.session.typed_cells import Cell, typed
from engine.session.typed_doubts import all_the_same, check_finish
from engine.session.typed_times import Habits, read_goal

DAY = 8 * 3600
DAY_FIRST, MONTH_FIRST, YEAR_FIRST = DateOrder.DAY_FIRST, DateOrder.MONTH_FIRST, DateOrder.YEAR_FIRST


def at(*when: int) -> int:
    return int((datetime(*when) - datetime(1970, 1, 1)).total_seconds())


def state_of(*tasks: Task, links: tuple[Dependency, ...] = ()) -> State:
    plan = Plan("office", Clock.CALENDAR, at(2026, 3, 2, 8), tasks, links, Calendar.standard(), next_task_id=9)
    return State(plan, schedule(plan))


DESIGN, BUILD = Task(1, "Design", 3 * DAY), Task(2, "Build", 2 * DAY)
ROW = state_of(DESIGN, BUILD, links=(Dependency(1, 2),))


def enter(text: str, order: DateOrder = DAY_FIRST, cell: Cell = Cell.DEADLINE, state: State = ROW) -> tuple[int, str]:
    """The deadline that a text makes, or another date, and what is said of it."""
    found = typed(state, 2, cell, text, Habits(order, at(2026, 3, 2, 9)))
    task = found.edit.apply(state.plan).task(2)
    return (task.deadline if cell is Cell.DEADLINE else task.constraint_at), found.note


@pytest.mark.parametrize(
    ("text", "order", "day", "said"),
    [
        ("3/4/2026", DAY_FIRST, (2026, 4, 3), "“3/4/2026” is 3 April 2026, with the day first as this system writes"),
        ("3/4/2026", MONTH_FIRST, (2026, 3, 4), "“3/4/2026” is 4 March 2026, with the month first as this system"),
        ("3/4", MONTH_FIRST, (2026, 3, 4), "“3/4” is 4 March 2026, with the month first"),
        ("3-4-26", DAY_FIRST, (2026, 4, 3), "“3-4-26” is 3 April 2026, with the day first"),
        ("13/4/2026", DAY_FIRST, (2026, 4, 13), ""),
        ("4/4/2026", MONTH_FIRST, (2026, 4, 4), ""),
        ("3.4.2026", MONTH_FIRST, (2026, 4, 3), ""),
        ("2026-04-03", MONTH_FIRST, (2026, 4, 3), ""),
        ("3 apr", MONTH_FIRST, (2026, 4, 3), ""),
    ],
)
def test_that_a_date_that_can_be_read_in_two_ways_is_read_as_the_locale_does_and_that_is_said(
    text: str, order: DateOrder, day: tuple[int, ...], said: str
) -> None:
    found, note = enter(text, order)
    assert found == at(*day, 17)
    assert note.startswith(said)
    assert bool(note) == bool(said)


def test_that_a_constraint_says_how_its_date_was_read() -> None:
    found, note = enter("snet 3/4/2026", MONTH_FIRST, Cell.CONSTRAINT)
    assert found == at(2026, 3, 4, 8)
    assert note.startswith("“3/4/2026” is 4 March 2026")


def test_that_a_start_says_the_day_with_the_name_of_its_month() -> None:
    _, note = enter("6/4/2026", MONTH_FIRST, Cell.START)
    assert note == "“Build” starts no earlier than Thu 4 Jun 2026 08:00 from now on."


@pytest.mark.parametrize(
    ("text", "order", "why"),
    [
        ("31.2.2026", DAY_FIRST, "“31.2.2026” is no date: February 2026 has 28 days."),
        ("2/30/2028", MONTH_FIRST, "“2/30/2028” is no date: February 2028 has 29 days."),
        ("2026-02-29", DAY_FIRST, "“2026-02-29” is no date: February 2026 has 28 days."),
        (
            "13/25/2026",
            MONTH_FIRST,
            "“13/25/2026” is no date: a year has 12 months, and the month first means month 13.",
        ),
    ],
)
def test_that_a_day_that_is_nowhere_is_refused_in_a_cell_and_as_a_goal_with_the_reason(
    text: str, order: DateOrder, why: str
) -> None:
    habits = Habits(order, at(2026, 3, 2, 9))
    with pytest.raises(PlanError) as in_a_cell:
        enter(text, order)
    with pytest.raises(PlanError) as as_a_goal:
        read_goal(ROW.plan, text, 0, habits)
    assert in_a_cell.value.sentence == as_a_goal.value.sentence == why


@pytest.mark.parametrize("cell", [Cell.START, Cell.FINISH, Cell.DEADLINE])
@pytest.mark.parametrize("text", ["1.1.1500", "1 Jan 2226", "+99999d"])
def test_that_a_date_a_hundred_years_from_the_plan_is_refused(cell: Cell, text: str) -> None:
    with pytest.raises(PlanError, match="more than 100 years from the plan's start in 2026"):
        enter(text, cell=cell)


def finish(text: str, state: State = ROW) -> None:
    edit = typed(state, 2, Cell.FINISH, text, Habits(DAY_FIRST, at(2026, 3, 2, 9))).edit
    check_finish(state, edit, text)


def test_that_a_finish_that_would_change_nothing_is_refused_with_what_would() -> None:
    with pytest.raises(PlanError, match="“3 mar” is before “Build” starts, Thu 5 Mar 2026 08:00: type an earlier"):
        finish("3 mar")
    with pytest.raises(PlanError, match="“Build” starts Thu 5 Mar 2026 08:00 and takes 2d: to finish earlier, type a"):
        finish("5 mar")
    finish("9 mar")


@pytest.mark.parametrize(
    "held",
    [{"constraint": ConstraintKind.FINISH_NO_EARLIER_THAN, "constraint_at": at(2026, 3, 12, 17)}, {"delay": DAY}],
)
def test_that_a_finish_is_taken_where_the_task_gives_way_to_it(held: dict[str, object]) -> None:
    finish("4 mar", state_of(DESIGN, replace(BUILD, **held)))


def test_that_a_date_before_a_task_can_be_there_is_told_with_the_one_that_holds() -> None:
    edit = typed(ROW, 2, Cell.START, "3 mar", Habits(DAY_FIRST, at(2026, 3, 2, 9))).edit
    plan = edit.apply(ROW.plan)
    assert all_the_same(State(plan, schedule(plan)), edit) == (
        "It starts Thu 5 Mar 2026 08:00 all the same, for that is when it can."
    )
    later = typed(ROW, 2, Cell.START, "10 mar", Habits(DAY_FIRST, at(2026, 3, 2, 9))).edit
    plan = later.apply(ROW.plan)
    assert all_the_same(State(plan, schedule(plan)), later) == ""
