"""What people complain about in planners, each as the right behavior; and the classical traps of scheduling."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model import (
    DAY,
    Calendar,
    CalendarException,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagCalendar,
    LagKind,
    Plan,
    PlanSettings,
    Progress,
    Shift,
    Split,
    Task,
)
from engine.schedule import cpm
from engine.schedule.reasons import reason
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime
from tests.engine.schedule.golden import CALENDARS
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan, said

FS, SS, FF, SF = DependencyKind.FS, DependencyKind.SS, DependencyKind.FF, DependencyKind.SF
Kind = ConstraintKind
WEDNESDAYS = Calendar(7, "Wednesdays", ((), (), CALENDARS["sixday"].week[0], (), (), (), ()))


def days(number: int, count: float, **more: object) -> Task:
    return Task(number, f"t{number}", int(count * WORKDAY), **more)  # type: ignore[arg-type]


def asks(kind: ConstraintKind, text: str) -> dict[str, object]:
    return {"constraint": kind, "constraint_at": at(text)}


def scheduled(tasks: list[Task], links: list[Dependency] = [], **more: object) -> Schedule:  # noqa: B006
    return cpm.schedule(calendar_plan(tasks, links, **more))  # type: ignore[arg-type]


def span(schedule: Schedule, task: int) -> tuple[str, str]:
    return said(schedule.start_of(task))[5:], said(schedule.finish_of(task))[5:]


def total(schedule: Schedule, task: int) -> float:
    return float(schedule.total_float[schedule.rows[task]]) / WORKDAY


def test_that_a_longer_successor_of_a_finish_to_finish_link_gets_no_lag() -> None:
    schedule = scheduled([days(1, 5), days(2, 8)], [Dependency(1, 2, FF)])
    assert span(schedule, 2) == ("03-03 08:00", "03-12 17:00")


def test_that_a_pin_on_a_sunday_gives_the_same_monday_each_time() -> None:
    plan = calendar_plan([days(1, 2, **asks(Kind.START_NO_EARLIER_THAN, "2025-03-09 08:00"))])
    found = set()
    for _ in range(10):
        schedule = cpm.schedule(plan)
        found.add(span(schedule, 1))
        plan = plan.with_task(replace(plan.tasks[0], constraint_at=schedule.start_of(1)))
    assert found == {("03-10 08:00", "03-11 17:00")}


def test_that_a_new_holiday_moves_the_task_and_its_successors_at_once() -> None:
    plan = calendar_plan([days(1, 2), days(2, 1)], [Dependency(1, 2)])
    tuesday = at("2025-03-04 00:00") // DAY
    off = replace(Calendar.standard(), exceptions=(CalendarException(tuesday, tuesday),))
    schedule = cpm.schedule(replace(plan, calendar=off), previous=cpm.schedule(plan))
    assert span(schedule, 1)[1] == "03-05 17:00"
    assert span(schedule, 2) == ("03-06 08:00", "03-06 17:00")


def test_that_moving_the_project_keeps_gaps_in_working_time() -> None:
    plan = calendar_plan([days(1, 3), days(2, 2)], [Dependency(1, 2, FS, Lag(2 * WORKDAY))])
    later = replace(plan, start=at("2025-04-03 08:00"))
    time = WorkingTime.of(plan.calendar)
    gaps = [time.between(s.finish_of(1), s.start_of(2)) for s in map(cpm.schedule, (plan, later))]
    assert gaps == [2 * WORKDAY, 2 * WORKDAY]


def test_that_a_pin_on_a_summary_constrains_every_leaf_in_it() -> None:
    tasks = [
        Task(1, "S", **asks(Kind.START_NO_EARLIER_THAN, "2025-03-10 08:00")),  # type: ignore[arg-type]
        Task(2, "inner", parent=1),
        days(3, 1, parent=2),
        days(4, 1, parent=1),
        days(5, 1),
    ]
    schedule = scheduled(tasks)
    assert [span(schedule, task)[0] for task in (1, 3, 4, 5)] == ["03-10 08:00"] * 3 + ["03-03 08:00"]


def test_that_late_dates_under_leads_are_capped_by_the_project_finish() -> None:
    lead = Lag(-2 * WORKDAY)
    links = [Dependency(n, n + 1, FS, lead) for n in (1, 2, 3)]
    schedule = scheduled([days(n, 4) for n in (1, 2, 3, 4)], links)
    time = WorkingTime.of(Calendar.standard())
    last = schedule.project_finish
    for task in (1, 2, 3):
        wanted = min(time.add(int(schedule.late_start[task]), 2 * WORKDAY), last)
        assert schedule.late_finish[task - 1] == wanted
    assert schedule.total_float.tolist() == [0, 0, 0, 0]


def test_that_a_lead_moves_the_successor_earlier() -> None:
    schedule = scheduled([days(1, 10), days(2, 2)], [Dependency(1, 2, FS, Lag(-5 * WORKDAY))])
    assert span(schedule, 2)[0] == "03-10 08:00"


def test_that_scheduling_from_the_finish_leaves_early_and_late_dates_as_they_are() -> None:
    tasks = [days(1, 3), days(2, 5), days(3, 2), days(4, 1)]
    links = [Dependency(1, 3), Dependency(2, 3), Dependency(1, 4, SS, Lag(WORKDAY))]
    plan = calendar_plan(tasks, links)
    forward = cpm.schedule(plan)
    settings = PlanSettings(is_from_finish=True, finish=forward.project_finish)
    back = cpm.schedule(replace(plan, settings=settings, start=at("2025-01-01 08:00")))
    for name in ("early_start", "early_finish", "late_start", "late_finish", "total_float", "free_float"):
        assert getattr(forward, name).tolist() == getattr(back, name).tolist(), name
    assert back.start.tolist() == forward.late_start.tolist()


def test_that_a_start_is_always_at_a_working_instant() -> None:
    links = [Dependency(1, 2)]
    task = days(2, 1, **asks(Kind.FINISH_NO_LATER_THAN, "2025-03-06 20:00"))
    schedule = scheduled([days(1, 3), task], links)
    assert span(schedule, 2) == ("03-06 08:00", "03-06 17:00")


def test_that_a_start_to_finish_link_leaves_the_end_at_the_evening() -> None:
    pin = asks(Kind.START_NO_EARLIER_THAN, "2025-03-10 08:00")
    schedule = scheduled([days(1, 3, **pin), days(2, 1)], [Dependency(1, 2, SF)])
    assert span(schedule, 2) == ("03-07 08:00", "03-07 17:00")


def test_that_as_late_as_possible_moves_no_successor() -> None:
    late = {"constraint": Kind.AS_LATE_AS_POSSIBLE}
    tasks = [days(1, 1), days(2, 2, **late), Task(3, "S"), days(4, 1, parent=3), days(5, 6), days(6, 1)]
    links = [Dependency(1, 2), Dependency(2, 3), Dependency(1, 5), Dependency(5, 6)]
    asap = scheduled([replace(task, constraint=Kind.AS_SOON_AS_POSSIBLE) for task in tasks], links)
    alap = scheduled(tasks, links)
    assert [span(alap, task) for task in (4, 5, 6)] == [span(asap, task) for task in (4, 5, 6)]
    assert total(alap, 2) == 0
    assert span(alap, 2) == span(asap, 2)  # nothing between it and its successor


def test_that_as_late_as_possible_uses_the_room_before_the_successor_and_gives_it_to_the_predecessor() -> None:
    late = {"constraint": Kind.AS_LATE_AS_POSSIBLE}
    tasks = [days(1, 1), days(2, 2, **late), days(3, 6), days(4, 1)]
    schedule = scheduled(tasks, [Dependency(1, 2), Dependency(2, 4), Dependency(3, 4)])
    assert span(schedule, 2) == ("03-07 08:00", "03-10 17:00")
    assert total(schedule, 2) == 0
    assert schedule.free_float.tolist() == [3 * WORKDAY, 0, 0, 0]


def test_that_a_task_as_late_as_possible_before_one_that_must_finish_on_a_date_still_leads_it() -> None:
    late = {"constraint": Kind.AS_LATE_AS_POSSIBLE}
    last = days(2, 1, **asks(Kind.MUST_FINISH_ON, "2025-03-12 17:00"))
    schedule = scheduled([days(1, 2, **late), last, days(3, 20)], [Dependency(1, 2)])
    assert span(schedule, 1) == ("03-10 08:00", "03-11 17:00")
    assert span(schedule, 2) == ("03-12 08:00", "03-12 17:00")


def test_that_a_missed_deadline_is_listed_and_said_of_its_task_until_that_is_done() -> None:
    late = days(2, 2, deadline=at("2025-03-05 17:00"))
    plan = calendar_plan([days(1, 2), late, days(3, 1, deadline=at("2025-03-03 17:00"))], [Dependency(1, 2)])
    schedule = cpm.schedule(plan)
    assert [(each.task, each.kind, each.chain, each.sentence) for each in schedule.conflicts] == [
        (
            2,
            "deadline",
            (1, 2),
            "“t2” misses its deadline Wed 5 Mar 2025 17:00 by 1 d: it finishes Thu 6 Mar 2025 17:00.",
        )
    ]
    assert reason(plan, schedule, 2)[-1] == "misses its deadline Wed 5 Mar 2025 17:00 by 1 d"
    finished = Progress(100, at("2025-03-05 08:00"), at("2025-03-06 17:00"))
    assert cpm.schedule(plan.with_task(replace(late, progress=finished))).conflicts == ()


def test_that_summaries_and_elapsed_tasks_miss_their_deadlines_too() -> None:
    tasks = [Task(1, "S", deadline=at("2025-03-03 17:00")), days(2, 1, parent=1), days(3, 2, parent=1)]
    elapsed = Task(4, "Copy", 2 * DAY, is_elapsed=True, deadline=at("2025-03-04 08:00"))
    found = scheduled([*tasks, elapsed]).conflicts
    assert [(each.task, each.kind, each.chain) for each in found] == [(1, "deadline", (3, 1)), (4, "deadline", (4,))]
    assert "by 1 ed" in found[1].sentence


def test_that_a_deadline_changes_float_but_never_dates() -> None:
    links = [Dependency(1, 2)]
    missed = scheduled([days(1, 5), days(2, 2, deadline=at("2025-03-08 12:00"))], links)
    assert span(missed, 2) == ("03-10 08:00", "03-11 17:00")
    assert [total(missed, task) for task in (1, 2)] == [-2, -2]
    assert said(missed.late_finish[1]) == "2025-03-07 17:00"  # a Saturday is the Friday before
    before_start = scheduled([days(1, 5, deadline=at("2025-02-03 17:00"))])
    assert span(before_start, 1)[0] == "03-03 08:00"
    assert total(before_start, 1) < -5


@pytest.mark.parametrize("honors_dates", [True, False])
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.START_NO_LATER_THAN, "2025-03-06 08:00"),
        (Kind.FINISH_NO_LATER_THAN, "2025-03-07 17:00"),
        (Kind.MUST_START_ON, "2025-03-06 08:00"),
        (Kind.MUST_FINISH_ON, "2025-03-07 17:00"),
    ],
)
def test_that_each_broken_hard_constraint_is_listed_once_with_its_chain(
    kind: Kind, text: str, honors_dates: bool
) -> None:
    tasks = [days(1, 2), days(2, 3), days(3, 2, **asks(kind, text))]
    links = [Dependency(1, 2), Dependency(2, 3)]
    schedule = scheduled(tasks, links, settings=PlanSettings(honors_dates=honors_dates))
    (conflict,) = schedule.conflicts
    assert (conflict.task, conflict.kind, conflict.chain) == (3, kind.value, (1, 2, 3))
    assert "“t2” finishes Fri 7 Mar 2025 17:00, FS + 0" in conflict.sentence
    assert span(schedule, 3)[0] == ("03-06 08:00" if honors_dates else "03-10 08:00")
    assert [total(schedule, task) for task in (1, 2, 3)] == [-2, -2, -2]


def test_that_a_constraint_that_is_kept_is_no_conflict() -> None:
    for kind, text in ((Kind.MUST_START_ON, "2025-03-10 08:00"), (Kind.FINISH_NO_LATER_THAN, "2025-03-11 17:00")):
        assert scheduled([days(1, 5), days(2, 2, **asks(kind, text))], [Dependency(1, 2)]).conflicts == ()


def test_that_a_successor_with_a_fixed_start_is_the_conflict_where_its_predecessor_is_fixed_too() -> None:
    first = days(1, 2, **asks(Kind.MUST_START_ON, "2025-03-10 08:00"))
    second = days(2, 1, **asks(Kind.MUST_START_ON, "2025-03-10 08:00"))
    schedule = scheduled([first, second], [Dependency(1, 2)])
    assert [(conflict.task, conflict.chain) for conflict in schedule.conflicts] == [(2, (1, 2))]


def test_that_a_manual_summary_with_a_child_that_must_finish_later_is_a_conflict_and_no_error() -> None:
    hand = {"is_manual": True, "manual_start": at("2025-03-03 08:00"), "manual_finish": at("2025-03-05 17:00")}
    child = days(2, 2, parent=1, **asks(Kind.MUST_FINISH_ON, "2025-03-07 17:00"))
    schedule = scheduled([Task(1, "S", **hand), child])  # type: ignore[arg-type]
    assert [(conflict.task, conflict.kind) for conflict in schedule.conflicts] == [(1, "manual")]


def test_that_a_split_task_has_its_pauses_between_its_segments() -> None:
    splits = (Split(WORKDAY, WORKDAY), Split(2 * WORKDAY, 2 * WORKDAY))
    schedule = scheduled([days(1, 3, splits=splits), days(2, 1)], [Dependency(1, 2)])
    (pieces, none) = schedule.segments
    shown = [(said(start)[5:], said(finish)[5:]) for start, finish in pieces]
    assert shown == [
        ("03-03 08:00", "03-03 17:00"),
        ("03-05 08:00", "03-05 17:00"),
        ("03-10 08:00", "03-10 17:00"),
    ]
    assert none == ()
    assert span(schedule, 2)[0] == "03-11 08:00"
    assert schedule.is_critical.all()


def test_that_two_predecessors_bound_a_start_by_the_later_of_them() -> None:
    schedule = scheduled([days(1, 1), days(2, 4), days(3, 1)], [Dependency(1, 3), Dependency(2, 3)])
    assert span(schedule, 3)[0] == "03-07 08:00"
    assert schedule.driven_by == {3: (2,)}


def test_that_a_task_across_a_weekend_keeps_its_duration_wherever_it_is_put() -> None:
    time = WorkingTime.of(Calendar.standard())
    for offset in range(14):
        pin = {"constraint": Kind.START_NO_EARLIER_THAN, "constraint_at": at("2025-03-03 10:30") + offset * DAY}
        schedule = scheduled([days(1, 3, **pin)])
        assert time.between(schedule.start_of(1), schedule.finish_of(1)) == 3 * WORKDAY


def test_that_an_elapsed_task_starts_when_its_predecessor_ends_and_takes_no_float_from_it() -> None:
    tasks = [days(1, 4), Task(2, "cure", 3 * DAY, is_elapsed=True), days(3, 1)]
    schedule = scheduled(tasks, [Dependency(1, 2), Dependency(2, 3)])
    assert span(schedule, 2) == ("03-06 17:00", "03-09 17:00")
    assert span(schedule, 3)[0] == "03-10 08:00"
    assert schedule.total_float.min() == 0
    assert schedule.driving == ((1, 2), (2, 3))


def test_that_a_week_across_the_change_of_clocks_still_has_forty_hours() -> None:
    schedule = scheduled([days(1, 10)], start="2025-03-24 08:00")
    assert span(schedule, 1) == ("03-24 08:00", "04-04 17:00")


@pytest.mark.parametrize("pattern", range(1, 128))
def test_that_any_week_pattern_is_worked(pattern: int) -> None:
    day = (Shift(8 * HOUR, 12 * HOUR), Shift(13 * HOUR, 17 * HOUR))
    week = tuple(day if pattern >> weekday & 1 else () for weekday in range(7))
    schedule = scheduled([days(1, 3), days(2, 2)], [Dependency(1, 2)], calendar=Calendar(1, "odd", week))
    time = WorkingTime.of(Calendar(1, "odd", week))
    assert time.between(schedule.start_of(1), schedule.finish_of(2)) == 5 * WORKDAY


def test_that_a_milestone_on_a_weekend_moves_to_monday_and_one_after_friday_stays() -> None:
    pinned = Task(1, "M", **asks(Kind.START_NO_EARLIER_THAN, "2025-03-08 12:00"))  # type: ignore[arg-type]
    schedule = scheduled([pinned, days(2, 5), Task(3, "end")], [Dependency(2, 3)])
    assert span(schedule, 1)[0] == "03-10 08:00"
    assert span(schedule, 3)[0] == "03-07 17:00"


def test_that_a_lag_is_counted_on_the_calendar_that_the_plan_says() -> None:
    tasks = [days(1, 5), replace(days(2, 1), calendar=2)]
    links = [Dependency(1, 2, FS, Lag(WORKDAY))]
    starts = {
        kind: span(scheduled(tasks, links, calendars=(CALENDARS["24h"],), settings=PlanSettings(lag_calendar=kind)), 2)[
            0
        ]
        for kind in LagCalendar
    }
    assert starts == {
        LagCalendar.SUCCESSOR: "03-08 01:00",
        LagCalendar.ALWAYS: "03-08 01:00",
        LagCalendar.PREDECESSOR: "03-10 17:00",
        LagCalendar.PROJECT: "03-10 17:00",
    }


def test_that_start_and_finish_links_between_one_pair_push_a_short_task_rather_than_stretch_it() -> None:
    ladder = [Dependency(1, 2, SS, Lag(WORKDAY)), Dependency(1, 2, FF, Lag(WORKDAY))]
    schedule = scheduled([days(1, 8), days(2, 3)], ladder)
    assert span(schedule, 2) == ("03-11 08:00", "03-13 17:00")


def test_that_the_longest_path_is_found_where_float_does_not_show_it() -> None:
    tasks = [days(1, 1), replace(days(2, 1), calendar=7), days(3, 1)]
    links = [Dependency(1, 2), Dependency(2, 3)]
    settings = PlanSettings(is_longest_path=True, near_critical_float=2 * WORKDAY)
    plain = scheduled(tasks, links, calendars=(WEDNESDAYS,))
    longest = scheduled(tasks, links, calendars=(WEDNESDAYS,), settings=settings)
    assert total(plain, 1) == 1
    assert plain.is_critical.tolist() == [False, True, True]
    assert longest.is_critical.tolist() == [True, True, True]
    assert not longest.is_near_critical.any()


def test_that_near_critical_tasks_are_told_apart() -> None:
    tasks = [days(1, 5), days(2, 4), days(3, 2)]
    schedule = scheduled(tasks, settings=PlanSettings(near_critical_float=WORKDAY))
    assert schedule.is_critical.tolist() == [True, False, False]
    assert schedule.is_near_critical.tolist() == [False, True, False]


def test_that_an_elapsed_lag_into_the_weekend_leaves_float_to_the_one_that_drives() -> None:
    schedule = scheduled([days(1, 4), days(2, 1)], [Dependency(1, 2, FS, Lag(2 * DAY, LagKind.ELAPSED))])
    assert span(schedule, 2)[0] == "03-10 08:00"
    assert total(schedule, 1) == 1
    assert schedule.driving == ((1, 2),)


def test_that_a_duration_is_counted_in_hours_of_work_on_any_calendar() -> None:
    task = replace(days(1, 3), calendar=2)
    assert span(scheduled([task], calendars=(CALENDARS["24h"],)), 1) == ("03-03 08:00", "03-04 08:00")


def test_that_an_inactive_task_conducts_nothing() -> None:
    plan = calendar_plan([days(1, 2), days(2, 5, is_active=False), days(3, 1)], [Dependency(1, 2), Dependency(2, 3)])
    schedule = cpm.schedule(plan)
    assert span(schedule, 2) == ("03-05 08:00", "03-11 17:00")
    assert span(schedule, 3)[0] == "03-03 08:00"
    assert said(schedule.project_finish) == "2025-03-04 17:00"
    assert not schedule.is_critical[1]
    summary = calendar_plan([Task(1, "S", is_active=False), days(2, 2, parent=1), days(3, 1)], [Dependency(1, 3, SS)])
    assert span(cpm.schedule(summary), 3)[0] == "03-03 08:00"


def test_that_a_link_from_a_summary_counts_from_its_first_start_or_last_finish() -> None:
    tasks = [Task(1, "S"), days(2, 2, parent=1), days(3, 3, parent=1), days(4, 1), days(5, 1)]
    links = [Dependency(2, 3), Dependency(1, 4, SS, Lag(WORKDAY)), Dependency(1, 5)]
    schedule = scheduled(tasks, links)
    assert span(schedule, 4)[0] == "03-04 08:00"
    assert span(schedule, 5)[0] == "03-10 08:00"
    assert set(schedule.driving) == {(2, 3), (2, 4), (3, 5)}


def test_that_a_link_into_a_summary_bounds_all_its_leaves_each_on_its_own_calendar() -> None:
    tasks = [days(1, 5), Task(2, "S"), days(3, 1, parent=2), replace(days(4, 1, parent=2), calendar=2)]
    schedule = scheduled(tasks, [Dependency(1, 2, FS, Lag(WORKDAY))], calendars=(CALENDARS["24h"],))
    assert span(schedule, 3)[0] == "03-11 08:00"
    assert span(schedule, 4)[0] == "03-08 01:00"


def test_that_links_between_large_summaries_cost_no_more_than_their_leaves() -> None:
    half = 3_000
    rows = [Task(1, "A"), *(days(n, 1, parent=1) for n in range(10, 10 + half))]
    rows += [Task(2, "B"), *(days(n, 1, parent=2) for n in range(10_000, 10_000 + half))]
    schedule = cpm.schedule(calendar_plan(rows, [Dependency(1, 2), Dependency(1, 2, FF)]))
    assert span(schedule, 2)[0] == "03-04 08:00"
    assert len(schedule.basis.network.links.kind) < 4 * half


def plan_with_everything() -> Plan:
    """One plan with a bit of all: calendars, lags, splits, elapsed, a night shift, a summary."""
    tasks = [
        Task(1, "S"),
        days(2, 3, parent=1, splits=(Split(WORKDAY, WORKDAY),)),
        replace(days(3, 2, parent=1), calendar=3),
        Task(4, "cure", 3 * DAY, is_elapsed=True),
        days(5, 10, deadline=at("2025-04-01 17:00"), calendar=4),
        days(6, 1, **asks(Kind.MUST_START_ON, "2025-03-30 08:00")),
    ]
    links = [
        Dependency(2, 3),
        Dependency(1, 4, FS, Lag(5 * DAY, LagKind.ELAPSED)),
        Dependency(4, 5, SS, Lag(50, LagKind.PERCENT)),
    ]
    return calendar_plan(tasks, links, start="2025-03-24 08:00", calendars=tuple(CALENDARS.values()))
