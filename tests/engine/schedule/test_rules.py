"""Rules of dates by small plans worked out by hand: resources, progress, manual dates, delays, and why."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import PlanError
from engine.model import (
    DAY,
    Assignment,
    Calendar,
    CalendarException,
    Contour,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    LagKind,
    PlanSettings,
    Progress,
    ProgressRule,
    Resource,
    ResourceKind,
    Shift,
    Split,
    Task,
)
from engine.schedule import cpm
from engine.schedule.reasons import reason
from tests.engine.schedule.golden import CALENDARS
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan, device_plan, said
from tests.engine.schedule.test_complaints import Kind, asks, days, plan_with_everything, scheduled, span, total

FS, SS, FF, SF = DependencyKind.FS, DependencyKind.SS, DependencyKind.FF, DependencyKind.SF
HALF_DAYS = Calendar(8, "mornings", ((Shift(8 * HOUR, 12 * HOUR),),) * 5 + ((), ()))
TUESDAY_OFF = Calendar(
    9, "Tuesday off", (None,) * 7, (CalendarException(at("2025-03-04 00:00") // DAY, 20_151),), base=1
)
PEOPLE = (Resource(1, "Ann"), Resource(2, "Mo", calendar=8), Resource(3, "Tu", calendar=9))


def assigned(task: Task, *assignments: Assignment, **more: object) -> tuple[str, str]:
    calendars = (*CALENDARS.values(), HALF_DAYS, TUESDAY_OFF)
    return span(scheduled([task], calendars=calendars, resources=PEOPLE, assignments=assignments, **more), 1)


def test_that_a_resource_works_by_its_own_calendar() -> None:
    assert assigned(days(1, 2), Assignment(1, 2)) == ("03-03 08:00", "03-06 12:00")
    assert assigned(days(1, 2), Assignment(1, 1)) == ("03-03 08:00", "03-04 17:00")


def test_that_a_task_calendar_and_a_resource_calendar_hold_together() -> None:
    six_days = replace(days(1, 2), calendar=4)
    assert assigned(six_days, Assignment(1, 2), start="2025-03-07 08:00") == ("03-07 08:00", "03-12 12:00")
    alone = replace(six_days, ignores_resource_calendars=True)
    assert assigned(alone, Assignment(1, 2), start="2025-03-07 08:00") == ("03-07 08:00", "03-08 17:00")


def test_that_a_task_calendar_holds_alone_where_the_resource_never_works_in_it() -> None:
    night = replace(days(1, 1), calendar=3)
    evening = Resource(4, "Eve", calendar=10)
    calendars = (*CALENDARS.values(), Calendar(10, "evening", ((Shift(18 * HOUR, 20 * HOUR),),) * 7))
    plan = calendar_plan([night], calendars=calendars, resources=(evening,), assignments=(Assignment(1, 4),))
    assert span(cpm.schedule(plan), 1) == ("03-03 23:00", "03-04 08:00")


def test_that_a_task_of_several_is_done_when_the_last_of_them_is() -> None:
    both = (Assignment(1, 1), Assignment(1, 2))
    assert assigned(days(1, 2), *both) == ("03-03 08:00", "03-06 12:00")
    fixed = replace(days(1, 2), effort=EffortKind.FIXED_DURATION)
    assert assigned(fixed, *both) == ("03-03 08:00", "03-04 17:00")


def test_that_work_over_units_is_how_long_somebody_takes() -> None:
    assert assigned(days(1, 2), Assignment(1, 1, 0.5, 2 * WORKDAY)) == ("03-03 08:00", "03-06 17:00")
    assert assigned(days(1, 2), Assignment(1, 1, 2.0, 2 * WORKDAY)) == ("03-03 08:00", "03-03 17:00")
    shared = (Assignment(1, 1, 1.0, WORKDAY), Assignment(1, 3, 1.0, 3 * WORKDAY))
    assert assigned(days(1, 2), *shared)[1] == "03-06 17:00"


@pytest.mark.parametrize(
    ("contour", "finish"),
    [
        (Contour.FLAT, "03-05 17:00"),
        (Contour.BACK_LOADED, "03-07 17:00"),
        (Contour.FRONT_LOADED, "03-07 17:00"),
        (Contour.DOUBLE_PEAK, "03-10 17:00"),
        (Contour.EARLY_PEAK, "03-10 17:00"),
        (Contour.LATE_PEAK, "03-10 17:00"),
        (Contour.BELL, "03-10 17:00"),
        (Contour.TURTLE, "03-07 10:17"),
        (Contour.BY_HAND, "03-04 17:00"),
    ],
)
def test_that_a_contour_makes_work_last_longer(contour: Contour, finish: str) -> None:
    by_work = Assignment(1, 1, 1.0, 3 * WORKDAY, contour=contour)
    assert assigned(days(1, 2), by_work)[1] == finish
    # Work that follows from the duration never changes it.
    by_duration = Assignment(1, 1, 0.5, contour=contour)
    assert assigned(days(1, 2), by_duration)[1] == "03-04 17:00"
    assert by_duration.work_in(2 * WORKDAY) == pytest.approx(2 * WORKDAY * 0.5 * sum(contour.tenths) / 1000)


def test_that_a_duration_kept_to_the_minute_is_the_time_of_work_that_is_not() -> None:
    task = Task(1, "t1", 10 * HOUR + 40 * 60)
    assert assigned(task, Assignment(1, 1, 0.75, 8 * HOUR - 10))[1] == "03-04 10:40"


def test_that_material_has_no_calendar() -> None:
    sand = Resource(1, "sand", ResourceKind.MATERIAL, calendar=8)
    plan = calendar_plan([days(1, 2)], calendars=(HALF_DAYS,), resources=(sand,), assignments=(Assignment(1, 1, 40),))
    assert span(cpm.schedule(plan), 1)[1] == "03-04 17:00"


def test_that_floats_are_counted_on_the_calendar_of_the_task_or_the_plan_whoever_works_on_it() -> None:
    tasks = [days(1, 1), days(2, 4)]
    plan = calendar_plan(tasks, calendars=(HALF_DAYS,), resources=PEOPLE[:2], assignments=(Assignment(1, 2),))
    schedule = cpm.schedule(plan)
    # Two mornings of work, Monday and Tuesday, may as well be those of Wednesday and Thursday.
    assert schedule.start_float[0] == schedule.finish_float[0] == 2 * WORKDAY
    assert schedule.total_float.tolist() == schedule.free_float.tolist() == [2 * WORKDAY, 0]
    own = plan.with_task(replace(tasks[0], calendar=8))
    assert cpm.schedule(own).total_float.tolist() == [WORKDAY, 0]


def done(percent: float, start: str | None = None, finish: str | None = None, remaining: int | None = None) -> Progress:
    return Progress(percent, at(start) if start else None, at(finish) if finish else None, remaining)


def test_that_an_actual_start_is_a_fact_even_on_a_weekend() -> None:
    schedule = scheduled([days(1, 2, progress=done(50, "2025-03-08 10:00"))])
    assert span(schedule, 1) == ("03-08 10:00", "03-11 17:00")


def test_that_what_is_finished_has_no_float_and_is_never_critical() -> None:
    tasks = [days(1, 3, progress=done(100, "2025-03-03 08:00", "2025-03-11 17:00")), days(2, 2)]
    schedule = scheduled(tasks, [Dependency(1, 2)])
    assert span(schedule, 2)[0] == "03-12 08:00"
    assert schedule.is_critical.tolist() == [False, True]
    assert schedule.total_float.tolist() == [0, 0]


def test_that_a_percentage_without_a_start_moves_nothing() -> None:
    assert span(scheduled([days(1, 2, progress=done(50))]), 1) == ("03-03 08:00", "03-04 17:00")


def out_of_sequence(**settings: object) -> list[tuple[str, str]]:
    """The second task began before the first was done."""
    tasks = [days(1, 5, progress=done(40, "2025-03-03 08:00")), days(2, 4, progress=done(25, "2025-03-03 08:00"))]
    schedule = scheduled(tasks, [Dependency(1, 2)], settings=PlanSettings(**settings))  # type: ignore[arg-type]
    assert [(c.task, c.kind, c.chain) for c in schedule.conflicts] == [(2, "progress", (1, 2))]
    return [span(schedule, 1), span(schedule, 2)]


def test_that_what_began_too_early_stays_in_place_and_holds_nothing_before_it() -> None:
    assert out_of_sequence() == [("03-03 08:00", "03-07 17:00"), ("03-03 08:00", "03-06 17:00")]
    tasks = [days(1, 5), days(2, 4, progress=done(25, "2025-03-03 08:00"))]
    schedule = scheduled(tasks, [Dependency(1, 2)])
    assert [total(schedule, task) for task in (1, 2)] == [0, 1]
    assert schedule.free_float.tolist() == [0, WORKDAY]


def test_that_a_rest_that_waits_holds_what_it_waits_for() -> None:
    tasks = [days(1, 5), days(2, 4, progress=done(25, "2025-03-03 08:00")), days(3, 12)]
    for kind in (FS, SS):
        lag = Lag(0 if kind is FS else 5 * WORKDAY)
        schedule = scheduled(
            tasks, [Dependency(1, 2, kind, lag)], settings=PlanSettings(moves_remaining_to_status=True)
        )
        assert span(schedule, 2) == ("03-03 08:00", "03-12 17:00")
        assert [total(schedule, task) for task in (1, 2, 3)] == [4, 4, 0]
        assert schedule.free_float.tolist() == [0, 4 * WORKDAY, 0]


def test_that_retained_logic_lets_what_remains_wait() -> None:
    dates = out_of_sequence(moves_remaining_to_status=True, status=at("2025-03-05 08:00"))
    assert dates == [("03-03 08:00", "03-07 17:00"), ("03-03 08:00", "03-12 17:00")]


def test_that_progress_override_goes_on_at_the_status_date() -> None:
    override = {"progress_rule": ProgressRule.PROGRESS_OVERRIDE, "moves_remaining_to_status": True}
    dates = out_of_sequence(status=at("2025-03-06 08:00"), **override)
    assert dates == [("03-03 08:00", "03-10 17:00"), ("03-03 08:00", "03-10 17:00")]


def test_that_what_remains_may_be_another_amount_than_the_percentage_leaves() -> None:
    task = days(1, 4, progress=done(50, "2025-03-03 08:00", remaining=3 * WORKDAY))
    moved = PlanSettings(moves_remaining_to_status=True, status=at("2025-03-05 08:00"))
    schedule = scheduled([task], settings=moved)
    assert span(schedule, 1) == ("03-03 08:00", "03-07 17:00")


def test_that_nothing_left_to_do_ends_where_work_goes_on_after_the_status_date() -> None:
    task = days(1, 4, progress=done(100, "2025-03-04 08:00", remaining=0))
    for status, finish in (("2025-03-03 08:00", "03-04 08:00"), ("2025-03-07 17:00", "03-10 08:00")):
        settings = PlanSettings(moves_remaining_to_status=True, status=at(status))
        assert span(scheduled([task], settings=settings), 1) == ("03-04 08:00", finish)
    assert span(scheduled([task]), 1) == ("03-04 08:00", "03-07 17:00")  # left in place: all of its duration


def test_that_moved_work_leaves_a_pause_behind() -> None:
    task = days(1, 4, progress=done(25, "2025-03-03 08:00"))
    schedule = scheduled([task], settings=PlanSettings(moves_remaining_to_status=True, status=at("2025-03-06 08:00")))
    shown = [(said(start)[5:], said(finish)[5:]) for start, finish in schedule.segments[0]]
    assert shown == [("03-03 08:00", "03-03 17:00"), ("03-06 08:00", "03-10 17:00")]


def test_that_a_manual_task_keeps_its_dates_pushes_its_successor_and_is_listed() -> None:
    hand = {"is_manual": True, "manual_start": at("2025-03-04 08:00"), "manual_finish": at("2025-03-05 17:00")}
    schedule = scheduled([days(1, 5), days(2, 2, **hand), days(3, 1)], [Dependency(1, 2), Dependency(2, 3)])
    assert [span(schedule, task)[0] for task in (2, 3)] == ["03-04 08:00", "03-06 08:00"]
    assert [total(schedule, task) for task in (1, 2, 3)] == [-3, 1, 1]
    (conflict,) = schedule.conflicts
    assert (conflict.task, conflict.kind, conflict.chain) == (2, "manual", (1, 2))


def test_that_a_manual_task_with_one_date_has_the_other_by_its_duration_and_without_any_follows_its_links() -> None:
    first = days(1, 2, is_manual=True, manual_finish=at("2025-03-07 17:00"))
    second = days(2, 2, is_manual=True, manual_start=at("2025-03-12 08:00"))
    schedule = scheduled([first, second, days(3, 1, is_manual=True)], [Dependency(1, 3)])
    assert [span(schedule, task) for task in (1, 2, 3)] == [
        ("03-06 08:00", "03-07 17:00"),
        ("03-12 08:00", "03-13 17:00"),
        ("03-10 08:00", "03-10 17:00"),
    ]


def test_that_a_leveling_delay_is_counted_by_the_clock() -> None:
    schedule = scheduled([days(1, 5), days(2, 1, delay=2 * DAY)], [Dependency(1, 2)])
    assert span(schedule, 2)[0] == "03-12 08:00"  # Monday 08:00 and two days
    assert scheduled([days(1, 1, delay=5 * DAY)]).start_of(1) == at("2025-03-10 08:00")


def test_that_a_task_has_no_float_that_a_delay_behind_it_uses_up() -> None:
    tasks = [days(1, 1), days(2, 1, delay=2 * DAY), days(3, 10)]
    schedule = scheduled(tasks, [Dependency(1, 2)])
    assert span(schedule, 2) == ("03-06 08:00", "03-06 17:00")
    assert schedule.free_float.tolist() == [0, 6 * WORKDAY, 0]  # moved at all, it takes the second one along
    assert schedule.total_float.tolist() == [6 * WORKDAY, 6 * WORKDAY, 0]
    held = days(2, 1, delay=2 * DAY, **asks(Kind.MUST_START_ON, "2025-03-06 08:00"))
    assert scheduled([tasks[0], held, tasks[2]], [Dependency(1, 2)]).free_float.tolist() == [2 * WORKDAY, 0, 0]


def test_that_a_must_start_on_a_sunday_starts_there() -> None:
    schedule = scheduled([days(1, 1, **asks(Kind.MUST_START_ON, "2025-03-09 08:00"))])
    assert span(schedule, 1) == ("03-09 08:00", "03-10 17:00")
    assert total(schedule, 1) == 0


def test_that_a_pin_before_the_project_start_holds_where_nothing_else_does() -> None:
    pin = asks(Kind.START_NO_EARLIER_THAN, "2025-02-20 08:00")
    assert span(scheduled([days(1, 1, **pin)]), 1)[0] == "02-20 08:00"
    assert span(scheduled([days(1, 2), days(2, 1, **pin)], [Dependency(1, 2)]), 2)[0] == "03-05 08:00"
    ancient = Task(1, "old", WORKDAY, constraint=Kind.START_NO_EARLIER_THAN, constraint_at=-2_208_988_800)
    assert span(scheduled([ancient]), 1)[0] == "03-03 08:00"


def test_that_a_date_in_the_year_9999_is_refused_by_name_and_a_deadline_there_is_none() -> None:
    far = 253_402_214_400
    with pytest.raises(PlanError, match="“t1” would lie outside the years 1984 to 2149"):
        scheduled([Task(1, "t1", WORKDAY, constraint=Kind.START_NO_EARLIER_THAN, constraint_at=far)])
    assert total(scheduled([days(1, 1, deadline=far)]), 1) == 0


def test_that_a_calendar_that_runs_out_is_refused_by_the_name_of_its_task() -> None:
    gone = Calendar(2, "gone", (None,) * 7, (CalendarException(at("2025-03-06 00:00") // DAY, 65_744),), base=1)
    with pytest.raises(PlanError, match="“t1” would lie outside"):
        scheduled([replace(days(1, 5), calendar=2)], calendars=(gone,))


def test_that_percent_lags_are_of_the_predecessor_and_of_the_clock_where_it_is_elapsed() -> None:
    links = [Dependency(1, 2, FS, Lag(50, LagKind.PERCENT))]
    assert span(scheduled([days(1, 4), days(2, 1)], links), 2)[0] == "03-11 08:00"
    elapsed = Task(1, "cure", 2 * DAY, is_elapsed=True)
    assert span(scheduled([elapsed, days(2, 1)], links), 2)[0] == "03-06 08:00"


def test_that_floats_come_apart_where_only_one_end_is_bound() -> None:
    tasks = [days(1, 2), days(2, 10)]
    schedule = scheduled(tasks, [Dependency(1, 2, SS)])
    assert schedule.start_float.tolist() == schedule.finish_float.tolist() == [0, 0]
    broken = days(2, 1, **asks(Kind.MUST_START_ON, "2025-03-04 08:00"))
    pulled = scheduled([days(1, 2), broken], [Dependency(1, 2)])
    assert (pulled.start_float[1], pulled.finish_float[1]) == (-WORKDAY, 0)
    assert pulled.interfering_float.tolist() == [-WORKDAY, -WORKDAY]


def test_that_a_date_that_must_be_kept_has_one_name_early_and_late_though_nobody_works_then() -> None:
    begins, ends = asks(Kind.MUST_START_ON, "2025-03-09 08:00"), asks(Kind.MUST_FINISH_ON, "2025-03-09 17:00")
    schedule = scheduled([days(1, 2, **begins), days(2, 2, **ends), days(3, 10)])
    assert span(schedule, 1) == ("03-09 08:00", "03-11 17:00")
    assert span(schedule, 2) == ("03-06 08:00", "03-09 17:00")
    assert schedule.late_start[:2].tolist() == schedule.start[:2].tolist()
    assert schedule.late_finish[:2].tolist() == schedule.finish[:2].tolist()


def test_that_free_float_reaches_over_hours_that_a_lag_does_not_count() -> None:
    friday = asks(Kind.START_NO_EARLIER_THAN, "2025-03-07 17:00")
    ever = replace(Task(1, "Copy", 6 * HOUR), is_elapsed=True, **friday)  # type: ignore[arg-type]
    day = replace(ever, duration=DAY)
    for task, kind, lag, start, free in (
        (ever, FS, HOUR, "03-10 09:00", 57 * HOUR),  # from Friday 23:00 to Monday 8:00
        (ever, FS, WORKDAY, "03-11 08:00", 57 * HOUR),
        (day, FS, WORKDAY, "03-11 08:00", 39 * HOUR),
        (ever, SS, HOUR, "03-10 09:00", 63 * HOUR),
    ):
        schedule = scheduled([task, days(2, 1)], [Dependency(1, 2, kind, Lag(lag))])
        assert span(schedule, 2)[0] == start
        assert schedule.free_float.tolist() == schedule.total_float.tolist() == [free, 0]


def test_that_free_float_is_what_is_left_after_a_lag() -> None:
    pin = asks(Kind.START_NO_EARLIER_THAN, "2025-03-12 08:00")
    schedule = scheduled([days(1, 2), days(2, 1, **pin)], [Dependency(1, 2, FS, Lag(2 * WORKDAY))])
    assert schedule.free_float.tolist() == [3 * WORKDAY, 0]
    assert schedule.total_float.tolist() == [3 * WORKDAY, 0]


def test_that_a_summary_has_the_float_between_its_own_dates_and_frees_what_its_own_links_leave() -> None:
    tasks = [Task(1, "S"), days(2, 1, parent=1), days(3, 2, parent=1), days(4, 1), days(5, 9)]
    pin = asks(Kind.START_NO_EARLIER_THAN, "2025-03-10 08:00")
    tasks[3] = replace(tasks[3], **pin)  # type: ignore[arg-type]
    links = [Dependency(2, 3), Dependency(3, 4)]
    for more, free in (([], 5), ([Dependency(1, 4)], 2), ([Dependency(1, 4, FS, Lag(50, LagKind.PERCENT))], 1)):
        schedule = scheduled(tasks, links + more)
        assert total(schedule, 1) == min(5, 3 + free)
        assert schedule.free_float[0] == free * WORKDAY
        assert schedule.interfering_float[0] == (total(schedule, 1) - free) * WORKDAY


def test_that_a_summary_is_critical_by_its_own_float_whatever_its_leaves_are() -> None:
    tasks = [Task(1, "S"), days(2, 1, parent=1), days(3, 5, parent=1), days(4, 5), days(5, 5)]
    schedule = scheduled(tasks, [Dependency(4, 3), Dependency(3, 5)])
    # It may begin five days later and end five days later, though one of its leaves may not.
    assert [total(schedule, task) for task in (1, 2, 3)] == [5, 14, 0]
    assert [bool(schedule.is_critical[schedule.rows[task]]) for task in (1, 2, 3)] == [False, False, True]
    longest = scheduled(tasks, [Dependency(4, 3), Dependency(3, 5)], settings=PlanSettings(is_longest_path=True))
    assert longest.is_critical.tolist() == [True, False, True, True, True]


def test_that_float_of_manual_tasks_is_what_their_finish_links_leave() -> None:
    def hand(number: int, start: str, finish: str) -> Task:
        return Task(number, "m", WORKDAY, is_manual=True, manual_start=at(start), manual_finish=at(finish))

    first = hand(1, "2025-03-03 08:00", "2025-03-03 17:00")
    second = hand(2, "2025-03-05 08:00", "2025-03-05 17:00")
    tasks = [first, second, days(3, 10)]
    by_finish = scheduled(tasks, [Dependency(1, 2)])
    # The late finish bears the name that the successor's late start gives it.
    assert said(by_finish.late_finish[0]) == said(by_finish.late_start[1]) == "2025-03-14 08:00"
    assert [total(by_finish, task) for task in (1, 2)] == [8, 7]
    by_start = scheduled(tasks, [Dependency(1, 2, SS, Lag(2 * WORKDAY))])
    assert [total(by_start, task) for task in (1, 2)] == [9, 7]
    assert by_start.free_float.tolist() == [0, 7 * WORKDAY, 0]


def test_that_why_a_task_starts_is_said_in_a_sentence() -> None:
    tasks = [replace(days(1, 5), name="B"), replace(days(2, 2), name="C"), days(3, 1)]
    plan = calendar_plan(tasks, [Dependency(1, 2), Dependency(1, 3, FF, Lag(WORKDAY))])
    schedule = cpm.schedule(plan)
    assert reason(plan, schedule, 1) == ("starts Mon 08:00 because the project does",)
    assert reason(plan, schedule, 2) == ("starts Mon 08:00 because B finishes Fri 17:00, FS + 0",)
    assert reason(plan, schedule, 3) == ("finishes Mon 17:00 because B finishes Fri 17:00, FF + 1 d",)


@pytest.mark.parametrize(
    ("task", "wanted"),
    [
        (
            days(2, 1, **asks(Kind.START_NO_EARLIER_THAN, "2025-03-08 08:00")),
            "starts Mon 08:00 because it must not start before Sat 08:00",
        ),
        (
            days(2, 1, **asks(Kind.FINISH_NO_EARLIER_THAN, "2025-03-12 17:00")),
            "starts Wed 08:00 because it must not finish before Wed 17:00",
        ),
        (
            days(2, 1, **asks(Kind.MUST_START_ON, "2025-03-20 08:00")),
            "starts Thu 08:00 because it must start on Thu 08:00",
        ),
        (days(2, 1, delay=DAY), "starts Thu 08:00 because leveling delays it by 1 ed"),
        (days(2, 1, constraint=Kind.AS_LATE_AS_POSSIBLE), "starts Fri 08:00 because it is to be as late as possible"),
        (days(2, 1, progress=done(50, "2025-03-04 08:00")), "began Tue 08:00"),
        (
            days(2, 1, progress=done(100, "2025-03-04 08:00", "2025-03-04 17:00")),
            "began Tue 08:00 and was finished Tue 17:00",
        ),
        (
            days(2, 1, is_manual=True, manual_start=at("2025-03-04 08:00")),
            "starts Tue 08:00 because its dates are set by hand",
        ),
    ],
)
def test_that_what_is_no_link_is_said_too(task: Task, wanted: str) -> None:
    plan = calendar_plan([days(1, 2), task, days(3, 5)], [Dependency(1, 2)])
    assert wanted in reason(plan, cpm.schedule(plan), 2)


def test_that_what_a_summary_asks_is_said_too() -> None:
    pin = asks(Kind.START_NO_EARLIER_THAN, "2025-03-10 08:00")
    plan = calendar_plan([Task(1, "S", **pin), days(2, 1, parent=1)])  # type: ignore[arg-type]
    schedule = cpm.schedule(plan)
    assert reason(plan, schedule, 2) == (
        "starts Mon 08:00 because of S, which holds it: it must not start before Mon 08:00",
    )
    assert reason(plan, schedule, 1)[0] == "starts Mon 08:00 because t2, which it holds, does"


@pytest.mark.parametrize(
    ("ticks", "said_as"),
    [(0, "0 ms"), (10, "10 ns"), (1_500, "1.5 µs"), (12_345_678, "12.346 ms"), (20_000_000_000, "20 s")],
)
def test_that_why_an_operation_starts_is_said_in_units_a_person_reads(ticks: int, said_as: str) -> None:
    device = device_plan([Task(1, "a", ticks), Task(2, "b", 10), Task(3, "c", 10)], [1, 1, 2], [Dependency(1, 3)])
    schedule = cpm.schedule(device)
    assert reason(device, schedule, 2) == (f"starts {said_as} because a, before it on its stream, finishes then",)
    assert reason(device, schedule, 3) == (f"starts {said_as} because a finishes {said_as}, FS + 0",)
    lagged = device_plan([Task(1, "a", 10), Task(2, "b", 10)], [1, 2], [Dependency(1, 2, FS, Lag(1_500_000))])
    assert reason(lagged, cpm.schedule(lagged), 2) == ("starts 1.5 ms because a finishes 10 ns, FS + 1.5 ms",)


def test_that_the_dates_are_the_same_in_every_time_zone() -> None:
    code = (
        "from tests.engine.schedule.test_complaints import plan_with_everything as plan\n"
        "from engine.schedule.cpm import schedule\n"
        "from engine.schedule.reasons import reason\n"
        "plan = plan(); done = schedule(plan)\n"
        "print(done.start.tolist(), done.finish.tolist(), done.total_float.tolist(), reason(plan, done, 5))\n"
    )
    root = Path(__file__).parents[3]
    zones = ("UTC", "Europe/Amsterdam", "America/Santiago", "Asia/Kathmandu", "Australia/Lord_Howe")
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={**os.environ, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for zone in zones
    }
    assert len(shown) == 1
    assert str(cpm.schedule(plan_with_everything()).start.tolist()) in shown.pop()


def test_that_a_split_keeps_its_pause_wherever_it_is_moved() -> None:
    splits = (Split(WORKDAY, 2 * WORKDAY),)
    for start in ("2025-03-03 08:00", "2025-03-06 13:00"):
        schedule = scheduled([days(1, 2, splits=splits)], start=start)
        (first, second) = schedule.segments[0]
        assert cpm.working_time(calendar_plan([])).between(first[1], second[0]) == 2 * WORKDAY
