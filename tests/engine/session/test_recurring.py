"""Tasks that take place again and again: when, on which calendar, as rows of a plan."""

from dataclasses import replace
from datetime import date, datetime

import pytest

from engine.errors import PlanError
from engine.model import (
    DAY,
    Calendar,
    CalendarException,
    ConstraintKind,
    Plan,
    Recurrence,
    RecurrenceKind,
    Shift,
    Ticks,
)
from engine.schedule.cpm import schedule, working_time
from engine.session.document import Document
from engine.session.recurring import MOST_TIMES, InsertRecurring, occurrences
from tests.engine.model.strategies import HOUR, office, pipeline

EPOCH = datetime(1970, 1, 1)
WEEKLY = Recurrence(RecurrenceKind.WEEKLY, weekdays=(0,))


def at(year: int, month: int, day: int, hour: int = 9) -> Ticks:
    return round((datetime(year, month, day, hour) - EPOCH).total_seconds())


def said(ticks: Ticks) -> str:
    """Such as: Mon 03 Mar 09:00."""
    moment = datetime.fromordinal(date(1970, 1, 1).toordinal() + ticks // DAY)
    return f"{moment:%a %d %b} {ticks % DAY // HOUR:02}:00"


def with_days_off(*off: date) -> Plan:
    """The office, where these days are not worked."""
    plan = office()
    numbers = [day.toordinal() - date(1970, 1, 1).toordinal() for day in off]
    exceptions = tuple(CalendarException(number, number) for number in numbers)
    return replace(plan, calendar=replace(plan.calendar, exceptions=exceptions))


def starts(plan: Plan, rule: Recurrence, first: Ticks, until: Ticks | None = None) -> list[str]:
    return [said(each.start) for each in occurrences(rule, first, until, working_time(plan)).kept]


def test_that_a_weekly_meeting_takes_place_on_its_weekdays_to_the_last_day() -> None:
    rule = replace(WEEKLY, weekdays=(0, 3))
    found = starts(office(), rule, at(2025, 3, 4), at(2025, 3, 17, 0))
    assert found == ["Thu 06 Mar 09:00", "Mon 10 Mar 09:00", "Thu 13 Mar 09:00", "Mon 17 Mar 09:00"]


def test_that_every_second_week_leaves_one_out() -> None:
    found = starts(office(), replace(WEEKLY, period=2, occurrences=3), at(2025, 3, 3))
    assert found == ["Mon 03 Mar 09:00", "Mon 17 Mar 09:00", "Mon 31 Mar 09:00"]


def test_that_a_maintenance_window_is_on_each_second_monday() -> None:
    rule = Recurrence(RecurrenceKind.MONTHLY_POSITION, weekdays=(0,), position=2, occurrences=4)
    found = starts(office(), rule, at(2025, 3, 3, 14))
    assert found == ["Mon 10 Mar 14:00", "Mon 14 Apr 14:00", "Mon 12 May 14:00", "Mon 09 Jun 14:00"]


def test_that_the_31st_of_a_shorter_month_is_its_last_day() -> None:
    """On a calendar that works every day: January, February, March, April and May of a year without a leap day."""
    time = working_time(replace(office(), calendar=every_day()))
    rule = Recurrence(RecurrenceKind.MONTHLY_DAY, month_day=31, occurrences=5)
    found = [said(each.start) for each in occurrences(rule, at(2026, 1, 31), None, time).kept]
    assert found == ["Sat 31 Jan 09:00", "Sat 28 Feb 09:00", "Tue 31 Mar 09:00", "Thu 30 Apr 09:00", "Sun 31 May 09:00"]


def test_that_the_last_friday_of_each_month_is_found() -> None:
    rule = Recurrence(RecurrenceKind.MONTHLY_POSITION, weekdays=(4,), position=5, occurrences=3)
    assert starts(office(), rule, at(2025, 2, 3)) == ["Fri 28 Feb 09:00", "Fri 28 Mar 09:00", "Fri 25 Apr 09:00"]


@pytest.mark.parametrize("first", [at(2026, 3, 23), at(2026, 10, 19)])
def test_that_nine_o_clock_stays_nine_o_clock_where_summer_time_begins_and_ends(first: Ticks) -> None:
    """In Europe clocks change on 29 March and on 25 October 2026: a week is seven days all the same."""
    found = occurrences(replace(WEEKLY, occurrences=3), first, None, working_time(office())).kept
    assert [each.start - first for each in found] == [0, 7 * DAY, 14 * DAY]


def test_that_one_on_a_holiday_moves_to_the_next_day_at_the_same_time_and_says_so() -> None:
    plan = with_days_off(date(2025, 4, 21))  # Easter Monday
    found = occurrences(replace(WEEKLY, occurrences=3), at(2025, 4, 14), None, working_time(plan))
    assert [said(each.start) for each in found.kept] == ["Mon 14 Apr 09:00", "Tue 22 Apr 09:00", "Mon 28 Apr 09:00"]
    assert [said(each.wanted) for each in found.kept if each.is_moved] == ["Mon 21 Apr 09:00"]
    assert found.left_out == ()


def test_that_one_outside_of_the_hours_of_work_waits_for_them() -> None:
    found = starts(office(), replace(WEEKLY, occurrences=2), at(2025, 3, 3, 19))
    assert found == ["Tue 04 Mar 08:00", "Tue 11 Mar 08:00"]


def test_that_days_off_onto_which_others_would_move_are_left_out_and_the_number_is_kept() -> None:
    """Each day from Friday: Saturday and Sunday would move to Monday, which has its own."""
    rule = Recurrence(RecurrenceKind.DAILY, occurrences=3)
    found = occurrences(rule, at(2025, 3, 7), None, working_time(office()))
    assert [said(each.start) for each in found.kept] == ["Fri 07 Mar 09:00", "Mon 10 Mar 09:00", "Tue 11 Mar 09:00"]
    assert [said(each) for each in found.left_out] == ["Sat 08 Mar 09:00", "Sun 09 Mar 09:00"]


def test_that_every_third_day_moves_off_a_weekend_once() -> None:
    found = starts(office(), Recurrence(RecurrenceKind.DAILY, 3, occurrences=3), at(2025, 3, 6))
    assert found == ["Thu 06 Mar 09:00", "Mon 10 Mar 09:00", "Wed 12 Mar 09:00"]


def test_that_all_of_it_is_one_summary_with_pinned_tasks_and_one_step() -> None:
    document = Document(office())
    edit = InsertRecurring("Meeting", HOUR, at(2025, 3, 3), replace(WEEKLY, occurrences=3), after=2)
    assert edit.label(document.state.plan) == "Insert recurring “Meeting”"
    document.execute(edit)
    state = document.state
    rows = [(task.id, task.name, task.parent) for task in state.plan.tasks[1:7]]
    assert rows[:5] == [
        (2, "Design", 1),
        (6, "Meeting", 1),
        (7, "Meeting 1", 6),
        (8, "Meeting 2", 6),
        (9, "Meeting 3", 6),
    ]
    assert rows[5][1] == "Build"
    assert state.plan.next_task_id == 10
    dates = [(state.schedule.start_of(task), state.schedule.finish_of(task)) for task in (7, 8, 9)]
    assert dates == [(at(2025, 3, day), at(2025, 3, day, 10)) for day in (3, 10, 17)]
    assert {state.plan.task(task).constraint for task in (7, 8, 9)} == {ConstraintKind.START_NO_EARLIER_THAN}
    document.undo()
    assert document.state.plan == office()


def test_that_it_stays_where_it_is_in_a_plan_that_is_dated_from_its_finish() -> None:
    plan = office()
    plan = replace(plan, settings=replace(plan.settings, is_from_finish=True, finish=at(2025, 6, 2, 17)))
    changed = InsertRecurring("Meeting", HOUR, at(2025, 3, 3), replace(WEEKLY, occurrences=3)).apply(plan).check()
    dates = schedule(changed)
    assert [dates.start_of(task) for task in (7, 8, 9)] == [at(2025, 3, day) for day in (3, 10, 17)]


def test_that_it_goes_by_the_calendar_that_is_chosen() -> None:
    plan = replace(office(), calendars=(every_day(),))
    rule = replace(WEEKLY, weekdays=(6,), occurrences=2)
    changed = InsertRecurring("Backup", 2 * HOUR, at(2025, 3, 3, 22), rule, calendar=9).apply(plan).check()
    dates = schedule(changed)
    assert [said(dates.start_of(task)) for task in (7, 8)] == ["Sun 09 Mar 22:00", "Sun 16 Mar 22:00"]
    assert changed.task(7).calendar == 9


def test_that_one_without_a_length_is_a_milestone_each_time() -> None:
    changed = InsertRecurring("Report", 0, at(2025, 3, 3), replace(WEEKLY, occurrences=2)).apply(office()).check()
    assert changed.task(7).is_milestone


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": " "}, "needs a name"),
        ({"until": at(2025, 2, 3), "rule": WEEKLY}, "would never take place"),
        ({"first": at(2025, 2, 3)}, "before the plan starts"),
        ({"until": at(2045, 1, 1), "rule": WEEKLY}, f"at most {MOST_TIMES:,}"),
        ({"rule": replace(WEEKLY, occurrences=MOST_TIMES + 1)}, "1,001 times"),
        ({"calendar": 77}, "not in the plan any more"),
    ],
)
def test_that_what_cannot_be_is_refused_with_a_sentence(change: dict[str, object], words: str) -> None:
    edit = InsertRecurring("Meeting", HOUR, at(2025, 3, 3), replace(WEEKLY, occurrences=3))
    with pytest.raises(PlanError, match=words):
        replace(edit, **change).apply(office())


def test_that_a_plan_for_a_device_has_no_days() -> None:
    with pytest.raises(PlanError, match="no days"):
        InsertRecurring("Meeting", HOUR, 0, replace(WEEKLY, occurrences=3)).apply(pipeline())


def every_day() -> Calendar:
    return Calendar(9, "Every day", ((Shift(0, DAY),),) * 7)
