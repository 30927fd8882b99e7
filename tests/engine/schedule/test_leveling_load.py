"""How much of each resource a schedule uses: by work, not by duration."""

from dataclasses import replace

import numpy as np
import pytest

from engine.model import (
    Assignment,
    Calendar,
    Capacity,
    Contour,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    Plan,
    PlanSettings,
    Progress,
    Resource,
    ResourceKind,
    Shift,
    Split,
    Task,
)
from engine.schedule import cpm
from engine.schedule.leveling import loads
from engine.schedule.leveling_load import ResourceLoad, User, users
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan, said

MONDAY = "2026-06-01 08:00"
R = Resource(1, "R")


def plan_of(tasks, assignments, resources=(R,), links=(), **more) -> Plan:
    plan = calendar_plan(tasks, links, MONDAY)
    return replace(plan, resources=tuple(resources), assignments=tuple(assignments), **more).check()


def load_of(plan: Plan, resource: int = 1) -> ResourceLoad:
    return loads(plan, cpm.schedule(plan))[resource]


def steps(load: ResourceLoad) -> list[tuple[str, float]]:
    return [(said(first), used) for first, used in zip(load.at[:-1], load.used, strict=True)]


def test_that_a_day_of_work_is_used_in_both_halves_of_a_day() -> None:
    load = load_of(plan_of([Task(1, "A", WORKDAY)], [Assignment(1, 1)]))
    assert steps(load) == [("2026-06-01 08:00", 1), ("2026-06-01 12:00", 0), ("2026-06-01 13:00", 1)]
    assert said(load.at[-1]) == "2026-06-01 17:00"
    assert load.overloads == ()


def test_that_an_unused_resource_has_no_steps() -> None:
    load = load_of(plan_of([Task(1, "A", WORKDAY)], []))
    assert load.work == 0
    assert load.used_at(at(MONDAY)) == 0


def test_that_a_load_is_counted_once_for_all_who_ask() -> None:
    plan = plan_of([Task(1, "A", WORKDAY)], [Assignment(1, 1)])
    dates = cpm.schedule(plan)
    assert loads(plan, dates) is loads(plan, dates)
    half = replace(plan, assignments=(Assignment(1, 1, 0.5),))
    assert loads(half, dates)[1].work == loads(plan, dates)[1].work / 2  # never that of another plan


def test_that_load_follows_the_work_and_not_the_duration() -> None:
    # Two people do 2 h of work each; the task lasts as long as the slower one, not twice 8 h.
    other = Resource(2, "S")
    plan = plan_of(
        [Task(1, "A", WORKDAY)], [Assignment(1, 1, 1.0, 2 * HOUR), Assignment(1, 2, 0.5, 2 * HOUR)], (R, other)
    )
    found = loads(plan, cpm.schedule(plan))
    assert [load.work for load in found.values()] == [2 * HOUR, 2 * HOUR]
    assert steps(found[1]) == [("2026-06-01 08:00", 1)]
    assert steps(found[2]) == [("2026-06-01 08:00", 0.5)]
    assert said(found[2].at[-1]) == "2026-06-01 12:00"


@pytest.mark.parametrize("done", [None, Progress(50, at(MONDAY))])
def test_that_work_is_spread_as_its_contour_has_it(done: Progress | None) -> None:
    # Ten hours, 10 to 100 % of a unit in each of them.
    task = Task(1, "A", 10 * HOUR, progress=done)
    load = load_of(plan_of([task], [Assignment(1, 1, contour=Contour.BACK_LOADED)]))
    hours = [8, 9, 10, 11, 13, 14, 15, 16, 32, 33]
    used = [load.used_at(at("2026-06-01 00:00") + hour * HOUR) for hour in hours]
    assert used == pytest.approx([0.1, 0.15, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1])
    assert load.work == pytest.approx(6 * HOUR)


def test_that_a_contour_goes_on_after_a_pause() -> None:
    task = Task(1, "A", 10 * HOUR, splits=(Split(4 * HOUR, HOUR),))
    load = load_of(plan_of([task], [Assignment(1, 1, contour=Contour.BACK_LOADED)]))
    assert [load.used_at(at(f"2026-06-01 {hour}:00")) for hour in (11, 13, 14, 15)] == pytest.approx(
        [0.5, 0, 0.5, 0.75]
    )
    assert load.work == pytest.approx(6 * HOUR)


def test_that_work_is_spread_over_a_fixed_duration() -> None:
    task = Task(1, "A", WORKDAY, effort=EffortKind.FIXED_DURATION)
    load = load_of(plan_of([task], [Assignment(1, 1, 1.0, 2 * HOUR)]))
    assert load.used_at(at("2026-06-01 16:00")) == 0.25
    assert load.work == 2 * HOUR


def test_that_the_sum_of_the_load_is_all_work() -> None:
    tasks = [
        Task(1, "A", 3 * WORKDAY + 1234),
        Task(2, "B", 2 * WORKDAY, splits=(Split(WORKDAY, WORKDAY // 2), Split(WORKDAY + HOUR, HOUR))),
        Task(3, "C", WORKDAY, is_elapsed=True),
        Task(4, "D", WORKDAY, effort=EffortKind.FIXED_DURATION),
        Task(5, "E", WORKDAY, is_manual=True, manual_start=at("2026-06-03 10:00")),
        Task(6, "F", 2 * WORKDAY, progress=Progress(50, at("2026-06-01 08:00"))),
    ]
    assignments = [Assignment(number, 1, 1.0) for number in range(1, 7)]
    assignments[0] = Assignment(1, 1, 0.75, 5 * HOUR)
    assignments[3] = Assignment(4, 1, 1.0, 3 * HOUR)
    load = load_of(plan_of(tasks, assignments))
    assert load.work == pytest.approx(5 * HOUR + 2 * WORKDAY + WORKDAY + 3 * HOUR + WORKDAY + 2 * WORKDAY, rel=1e-6)


def test_that_a_split_uses_nothing_in_its_pause() -> None:
    load = load_of(plan_of([Task(1, "A", WORKDAY, splits=(Split(4 * HOUR, WORKDAY),))], [Assignment(1, 1)]))
    assert [said(first) for first, used in zip(load.at[:-1], load.used, strict=True) if used] == [
        "2026-06-01 08:00",
        "2026-06-02 13:00",
    ]
    assert load.work == WORKDAY


def test_that_what_remains_of_a_moved_task_is_used_where_it_is() -> None:
    settings = PlanSettings(moves_remaining_to_status=True, status=at("2026-06-04 08:00"))
    task = Task(1, "A", 2 * WORKDAY, progress=Progress(50, at("2026-06-01 08:00"), remaining=WORKDAY))
    load = load_of(plan_of([task], [Assignment(1, 1)], settings=settings))
    assert [day for day in range(1, 6) if load.used_at(at(f"2026-06-0{day} 09:00"))] == [1, 4]


def test_that_two_tasks_at_once_are_one_overload_over_the_night() -> None:
    plan = plan_of([Task(1, "A", 2 * WORKDAY), Task(2, "B", 2 * WORKDAY)], [Assignment(1, 1), Assignment(2, 1)])
    (overload,) = load_of(plan).overloads
    assert (said(overload.first), said(overload.last)) == ("2026-06-01 08:00", "2026-06-02 17:00")
    assert (overload.used, overload.capacity, overload.tasks) == (2, 1, (1, 2))


def test_that_thirds_of_a_person_fit_together() -> None:
    plan = plan_of([Task(n, "T", WORKDAY) for n in (1, 2, 3)], [Assignment(n, 1, 0.3334) for n in (1, 2, 3)])
    assert load_of(plan).overloads == ()


def test_that_capacity_follows_its_steps() -> None:
    steps_ = (Capacity(at("2026-06-02 00:00"), at("2026-06-03 00:00"), 0.5),)
    plan = plan_of([Task(1, "A", 3 * WORKDAY)], [Assignment(1, 1)], (replace(R, steps=steps_),))
    (overload,) = load_of(plan).overloads
    assert (said(overload.first), said(overload.last)) == ("2026-06-02 08:00", "2026-06-02 17:00")


def test_that_a_resource_with_no_calendar_and_no_steps_is_always_there() -> None:
    tasks = [Task(1, "A", 400 * WORKDAY)]
    assert load_of(plan_of(tasks, [Assignment(1, 1)])).overloads == ()


def test_that_a_fixed_duration_over_a_day_off_is_too_much() -> None:
    day = Calendar.standard().week[0]
    calendar = Calendar(7, "Monday to Wednesday", (day, day, day, (), (), (), ()))
    task = Task(1, "A", 4 * WORKDAY, effort=EffortKind.FIXED_DURATION)
    plan = plan_of([task], [Assignment(1, 1)], (replace(R, calendar=7),), calendars=(calendar,))
    (overload,) = load_of(plan).overloads
    assert (said(overload.first), said(overload.last)) == ("2026-06-04 08:00", "2026-06-04 17:00")
    assert overload.capacity == 0


def test_that_a_task_may_be_told_to_ignore_the_hours_of_a_resource() -> None:
    night = Calendar(7, "nights", ((Shift(0, 6 * HOUR),),) * 7)
    task = Task(1, "A", WORKDAY, ignores_resource_calendars=True)
    plan = plan_of([task], [Assignment(1, 1)], (replace(R, calendar=7),), calendars=(night,))
    load = load_of(plan)
    assert steps(load)[0] == ("2026-06-01 08:00", 1)
    assert load.overloads == ()


def test_that_streams_and_inactive_tasks_use_nothing() -> None:
    tasks = [Task(1, "S", is_active=False), Task(2, "A", WORKDAY, parent=1), Task(3, "B", WORKDAY, is_active=False)]
    plan = plan_of(tasks, [Assignment(2, 1), Assignment(3, 1)], (R, Resource(2, "stream", ResourceKind.STREAM)))
    found = loads(plan, cpm.schedule(plan))
    assert list(found) == [1]
    assert found[1].work == 0


def test_that_a_task_that_ends_as_another_begins_is_no_overload() -> None:
    links = [Dependency(1, 2, DependencyKind.FS, Lag(0))]
    plan = plan_of([Task(1, "A", HOUR), Task(2, "B", HOUR)], [Assignment(1, 1), Assignment(2, 1)], links=links)
    load = load_of(plan)
    assert load.overloads == ()
    assert np.diff(load.at).tolist() == [HOUR, HOUR]


def test_that_those_at_work_at_an_instant_add_up_to_the_load_then() -> None:
    tasks = [Task(number, f"T{number}", WORKDAY) for number in (1, 2, 3)]
    plan = calendar_plan(tasks, [Dependency(1, 3)], "2026-06-01 08:00")
    uses = (Assignment(1, 1, 0.5), Assignment(2, 1, 2.0), Assignment(3, 1), Assignment(2, 2))
    plan = replace(plan, resources=(Resource(1, "R"), Resource(2, "S")), assignments=uses).check()
    dates = cpm.schedule(plan)
    noon, ten = at("2026-06-01 12:30"), at("2026-06-01 10:00")
    assert users(plan, dates, {1}, ten) == (User(1, 1, 0.5), User(2, 1, 2.0))
    assert users(plan, dates, {1, 2}, ten)[-1] == User(2, 2, 1.0)
    assert users(plan, dates, {1}, noon) == ()  # they eat
    assert sum(user.units for user in users(plan, dates, {1}, ten)) == loads(plan, dates)[1].used_at(ten)
