"""Leveling in cases that were computed by hand."""

from dataclasses import replace

import pytest

from engine.model import (
    Assignment,
    Calendar,
    Capacity,
    ConstraintKind,
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
from engine.schedule.leveling import LevelOptions, LevelResult, level, loads, with_delays
from engine.schedule.leveling_options import Rule, Scheme
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan, device_plan, said

MONDAY = "2026-06-01 08:00"
R, S = Resource(1, "R"), Resource(2, "S")


def plan_of(tasks, assignments, resources=(R, S), links=(), **more) -> Plan:
    plan = calendar_plan(tasks, links, MONDAY)
    return replace(plan, resources=tuple(resources), assignments=tuple(assignments), **more).check()


def days(result: LevelResult) -> dict[str, tuple[str, str]]:
    """First and last day of each task, as days of the month."""
    rows = result.plan.rows
    return {
        task.name: (said(result.schedule.start[rows[task.id]])[8:10], said(result.schedule.finish[rows[task.id]])[8:10])
        for task in result.plan.tasks
    }


def two_days(count: int, **more) -> list[Task]:
    return [Task(number, chr(64 + number), 2 * WORKDAY, **more) for number in range(1, count + 1)]


def on_r(*tasks: int) -> list[Assignment]:
    return [Assignment(task, 1) for task in tasks]


def test_that_tasks_on_one_resource_come_one_after_the_other() -> None:
    result = level(plan_of(two_days(3), on_r(1, 2, 3)))
    assert days(result) == {"A": ("01", "02"), "B": ("03", "04"), "C": ("05", "08")}
    assert result.reasons == ()


def test_that_a_delay_is_counted_in_elapsed_time() -> None:
    result = level(plan_of(two_days(3), on_r(1, 2, 3)))
    assert result.delays == {2: 2 * 24 * HOUR, 3: 4 * 24 * HOUR}
    assert with_delays(plan_of(two_days(3), on_r(1, 2, 3)), result.delays) == result.plan


def test_that_leveling_begins_anew() -> None:
    plan = level(plan_of(two_days(2), on_r(1, 2))).plan
    assert level(plan).delays == {}
    freed = replace(plan, assignments=())
    assert level(freed).delays == {2: 0}


def test_that_a_task_takes_all_of_its_resources_at_once() -> None:
    # A has R until Tuesday, B has S until Wednesday: C needs both, and neither is half booked before that.
    tasks = [Task(1, "A", 2 * WORKDAY), Task(2, "B", 3 * WORKDAY), Task(3, "C", WORKDAY)]
    plan = plan_of(tasks, [*on_r(1), Assignment(2, 2), Assignment(3, 1), Assignment(3, 2)])
    result = level(plan)
    assert days(result)["C"] == ("04", "04")
    found = loads(result.plan, result.schedule)
    assert found[1].used_at(at("2026-06-03 09:00")) == 0
    assert max(found[1].used.max(), found[2].used.max()) == 1


def test_that_two_halves_of_a_person_are_never_three() -> None:
    plan = plan_of(two_days(3), [Assignment(n, 1, 0.5) for n in (1, 2, 3)])
    assert days(level(plan)) == {"A": ("01", "02"), "B": ("01", "02"), "C": ("03", "04")}


def test_that_links_lags_and_successors_follow() -> None:
    tasks = [*two_days(2), Task(3, "C", WORKDAY), Task(4, "D", 0)]
    links = [Dependency(2, 3, DependencyKind.SS, Lag(WORKDAY)), Dependency(3, 4)]
    result = level(plan_of(tasks, on_r(1, 2), links=links))
    assert days(result) == {"A": ("01", "02"), "B": ("03", "04"), "C": ("04", "04"), "D": ("04", "04")}


def test_that_a_resource_that_comes_later_makes_the_plan_late_and_never_short() -> None:
    late = replace(R, steps=(Capacity(at("2020-01-01 00:00"), at("2026-06-10 00:00"), 0),))
    result = level(plan_of(two_days(1), on_r(1), (late,)))
    assert days(result) == {"A": ("10", "11")}
    assert result.reasons == ()


def test_that_a_task_waits_for_a_hole_that_is_long_enough() -> None:
    busy = replace(R, steps=(Capacity(at("2026-06-02 00:00"), at("2026-06-03 00:00"), 0),))
    result = level(plan_of([Task(1, "A", 2 * WORKDAY), Task(2, "B", WORKDAY)], on_r(1, 2), (busy,)))
    assert days(result) == {"A": ("03", "04"), "B": ("01", "01")}


def test_that_a_split_task_goes_on_where_the_resource_is_free() -> None:
    busy = replace(R, steps=(Capacity(at("2026-06-02 00:00"), at("2026-06-03 00:00"), 0),))
    result = level(plan_of([Task(1, "A", 2 * WORKDAY)], on_r(1), (busy,)), LevelOptions(splits_tasks=True))
    assert result.splits == {1: (Split(WORKDAY, WORKDAY),)}
    assert days(result) == {"A": ("01", "03")}
    assert (result.delays, result.reasons) == ({}, ())


def test_that_a_part_is_never_shorter_than_asked_for() -> None:
    busy = replace(R, steps=(Capacity(at("2026-06-01 10:00"), at("2026-06-03 00:00"), 0),))
    plan = plan_of([Task(1, "A", 2 * WORKDAY)], on_r(1), (busy,))
    shorter = level(plan, LevelOptions(splits_tasks=True, shortest_part=2 * HOUR))
    assert shorter.splits == {1: (Split(2 * HOUR, 6 * HOUR + WORKDAY),)}
    longer = level(plan, LevelOptions(splits_tasks=True, shortest_part=3 * HOUR))
    assert (longer.splits, days(longer)) == ({}, {"A": ("03", "04")})


def test_that_a_split_that_was_there_leaves_room_for_others() -> None:
    tasks = [Task(1, "A", 2 * WORKDAY, splits=(Split(WORKDAY, WORKDAY),)), Task(2, "B", WORKDAY)]
    assert days(level(plan_of(tasks, on_r(1, 2)))) == {"A": ("01", "03"), "B": ("02", "02")}


def test_that_work_that_ends_before_its_task_frees_the_resource() -> None:
    # S works on A for two days, R for the first of them only.
    tasks = [Task(1, "A", 2 * WORKDAY), Task(2, "B", WORKDAY)]
    assignments = [Assignment(1, 1, 1.0, WORKDAY), Assignment(1, 2), Assignment(2, 1)]
    assert days(level(plan_of(tasks, assignments))) == {"A": ("01", "02"), "B": ("02", "02")}


@pytest.mark.parametrize("why", ["frozen", "priority", "manual", "begun", "dated"])
def test_that_a_task_that_stays_is_never_moved_and_others_make_way(why: str) -> None:
    first, second = two_days(2)
    start = at(MONDAY)
    stays = {
        "frozen": second,
        "priority": replace(second, priority=1000),
        "manual": replace(second, is_manual=True, manual_start=start),
        "begun": replace(second, progress=Progress(10, start)),
        "dated": replace(second, constraint=ConstraintKind.MUST_START_ON, constraint_at=start),
    }[why]
    options = LevelOptions(frozen=frozenset({2} if why == "frozen" else ()))
    result = level(plan_of([first, stays], on_r(1, 2)), options)
    assert days(result) == {"A": ("03", "04"), "B": ("01", "02")}


def test_that_a_predecessor_of_a_frozen_task_is_not_delayed_into_it() -> None:
    # B may move by the day that its link to the frozen C leaves, no further; so A makes way although it comes first.
    tasks = [*two_days(2), Task(3, "C", WORKDAY)]
    pin = {"constraint": ConstraintKind.START_NO_EARLIER_THAN, "constraint_at": at("2026-06-04 08:00")}
    tasks[2] = replace(tasks[2], priority=1000, **pin)
    plan = plan_of(tasks, on_r(1, 2), links=[Dependency(2, 3)])
    result = level(plan, LevelOptions(rule=Rule.ID))
    assert days(result)["C"] == ("04", "04")
    assert days(result)["B"] == ("01", "02")
    assert "before its constraint, or a task that stays, needs it" in result.reasons[0].sentence
    assert days(level(plan, LevelOptions(rule=Rule.MIN_SLACK))) == {
        "A": ("03", "04"),
        "B": ("01", "02"),
        "C": ("04", "04"),
    }


def test_that_a_constraint_that_ends_a_task_is_kept() -> None:
    first, second = two_days(2)
    second = replace(second, constraint=ConstraintKind.FINISH_NO_LATER_THAN, constraint_at=at("2026-06-03 17:00"))
    result = level(plan_of([first, second], on_r(1, 2)), LevelOptions(rule=Rule.ID))
    assert days(result)["B"] == ("01", "02")
    assert result.reasons[0].sentence.startswith("“R” stays overloaded, 2 of 1: “B” fits nowhere before its constraint")


def test_that_a_deadline_holds_nothing_back() -> None:
    first, second = two_days(2)
    result = level(plan_of([first, replace(second, deadline=at("2026-06-02 17:00"))], on_r(1, 2)), by_id())
    assert days(result)["B"] == ("03", "04")
    assert result.schedule.total_float[1] == -2 * WORKDAY


def by_id() -> LevelOptions:
    return LevelOptions(rule=Rule.ID)


def test_that_a_task_as_late_as_possible_keeps_its_place() -> None:
    tasks = [Task(1, "A", WORKDAY), Task(2, "B", WORKDAY), Task(3, "L", WORKDAY), Task(4, "C", 3 * WORKDAY)]
    tasks[2] = replace(tasks[2], constraint=ConstraintKind.AS_LATE_AS_POSSIBLE)
    result = level(plan_of(tasks, on_r(1, 2, 3)))
    assert days(result) == {"A": ("01", "01"), "B": ("02", "02"), "L": ("03", "03"), "C": ("01", "03")}
    assert result.reasons == ()


def test_that_leveling_goes_on_when_a_task_as_late_as_possible_moves_with_the_finish() -> None:
    tasks = [*two_days(2), Task(3, "L", WORKDAY, constraint=ConstraintKind.AS_LATE_AS_POSSIBLE)]
    result = level(plan_of(tasks, on_r(1, 2, 3)))
    assert all(len(reason.overload.tasks) > 1 and "“L”" in reason.sentence for reason in result.reasons)


@pytest.mark.parametrize(
    ("rule", "order"),
    [
        (Rule.PRIORITY_STANDARD, "CBDA"),
        (Rule.STANDARD, "BDCA"),
        (Rule.LATEST_FINISH, "BDAC"),
        (Rule.MIN_SLACK, "BDAC"),
        (Rule.POSITIONAL_WEIGHT, "BDAC"),
        (Rule.ID, "ABCD"),
    ],
)
def test_that_the_rule_decides_who_comes_first(rule: Rule, order: str) -> None:
    # B is followed by E of two days, D by F of one: B has no float, D one day, A and C two.
    tasks = [Task(number, name, WORKDAY) for number, name in enumerate("ABCDEF", 1)]
    tasks[2] = replace(tasks[2], priority=600)
    tasks[4] = replace(tasks[4], duration=2 * WORKDAY)
    plan = plan_of(tasks, on_r(1, 2, 3, 4), links=[Dependency(2, 5), Dependency(4, 6)])
    result = level(plan, LevelOptions(rule=rule))
    starts = {task.name: result.schedule.start_of(task.id) for task in tasks[:4]}
    assert "".join(sorted(starts, key=starts.__getitem__)) == order


def test_that_the_serial_scheme_may_leave_a_hole_that_the_parallel_one_fills() -> None:
    # P ends Monday and lets A (urgent, two days) go on Tuesday; B (three days) would fit from Monday on.
    tasks = [Task(1, "P", WORKDAY), Task(2, "A", 2 * WORKDAY, priority=900), Task(3, "B", 3 * WORKDAY)]
    plan = plan_of(tasks, on_r(2, 3), links=[Dependency(1, 2)])
    assert days(level(plan)) == {"P": ("01", "01"), "A": ("02", "03"), "B": ("04", "08")}
    parallel = level(plan, LevelOptions(scheme=Scheme.PARALLEL))
    assert days(parallel) == {"P": ("01", "01"), "A": ("04", "05"), "B": ("01", "03")}


def test_that_within_slack_a_task_moves_as_far_as_its_float() -> None:
    tasks = [*two_days(2), Task(3, "C", 4 * WORKDAY)]
    within = LevelOptions(is_within_slack=True)
    result = level(plan_of(tasks, on_r(1, 2)), within)
    assert days(result) == {"A": ("01", "02"), "B": ("03", "04"), "C": ("01", "04")}
    tight = level(plan_of([*two_days(2), Task(3, "C", 3 * WORKDAY)], on_r(1, 2)), within)
    assert tight.delays == {}
    assert tight.reasons[0].sentence == "“R” stays overloaded, 2 of 1: “B” fits nowhere within its float."


def test_that_more_than_there_ever_is_moves_nothing_and_is_said() -> None:
    result = level(plan_of(two_days(1), [Assignment(1, 1, 2.0)]))
    assert result.delays == {}
    (reason,) = result.reasons
    assert reason.sentence == "“R” stays overloaded, 2 of 1: “A” needs more than there ever is."


def test_that_what_stays_in_each_other_s_way_is_named() -> None:
    result = level(plan_of(two_days(3, priority=1000), on_r(1, 2, 3)))
    assert [reason.sentence for reason in result.reasons] == [
        "“R” stays overloaded, 3 of 1: “A”, “B” and “C” have priority 1000."
    ]


def test_that_resources_work_by_their_own_calendars() -> None:
    night = Calendar(7, "nights", ((Shift(0, 6 * HOUR), Shift(22 * HOUR, 24 * HOUR)),) * 7)
    tasks = [Task(1, "A", WORKDAY), Task(2, "B", WORKDAY), Task(3, "C", WORKDAY, ignores_resource_calendars=True)]
    plan = plan_of(tasks, on_r(1, 2, 3), (replace(R, calendar=7),), calendars=(night,))
    result = level(plan, by_id())
    starts = {task.name: said(result.schedule.start_of(task.id)) for task in tasks}
    # Nights of eight hours for A and B, and C by day, when R is told to be there.
    assert starts == {"A": "2026-06-01 22:00", "B": "2026-06-02 22:00", "C": "2026-06-01 08:00"}
    assert result.reasons == ()


def test_that_a_fixed_duration_waits_for_the_hours_of_its_resource() -> None:
    day = Calendar.standard().week[0]
    calendar = Calendar(7, "Monday to Wednesday", (day, day, day, (), (), (), ()))
    tasks = two_days(2, effort=EffortKind.FIXED_DURATION)
    result = level(plan_of(tasks, on_r(1, 2), (replace(R, calendar=7),), calendars=(calendar,)))
    assert days(result) == {"A": ("01", "02"), "B": ("08", "09")}
    assert result.reasons == ()


def test_that_a_material_moves_nobody() -> None:
    result = level(plan_of(two_days(2), on_r(1, 2), (replace(R, kind=ResourceKind.MATERIAL),)))
    assert result.delays == {}
    assert "it is a material" in result.reasons[0].sentence


def from_finish(tasks, assignments, links=()) -> Plan:
    settings = PlanSettings(is_from_finish=True, finish=at("2026-06-12 17:00"))
    return plan_of(tasks, assignments, links=links, settings=settings)


def test_that_a_plan_from_its_finish_is_leveled_toward_its_start() -> None:
    result = level(from_finish(two_days(3), on_r(1, 2, 3)))
    assert days(result) == {"A": ("05", "08"), "B": ("09", "10"), "C": ("11", "12")}
    assert result.delays == {1: -6 * 24 * HOUR, 2: -2 * 24 * HOUR}
    assert result.reasons == ()


def test_that_the_more_urgent_task_of_a_plan_from_its_finish_stays_last() -> None:
    tasks = two_days(2)
    result = level(from_finish([replace(tasks[0], priority=900), tasks[1]], on_r(1, 2)))
    assert days(result) == {"A": ("11", "12"), "B": ("09", "10")}


def test_that_predecessors_in_a_plan_from_its_finish_make_way() -> None:
    tasks = [*two_days(2), Task(3, "P", WORKDAY)]
    result = level(from_finish(tasks, on_r(1, 2), links=[Dependency(3, 1)]), by_id())
    assert days(result) == {"A": ("09", "10"), "B": ("11", "12"), "P": ("08", "08")}


def test_that_a_task_of_a_plan_from_its_finish_starts_no_earlier_than_its_pin() -> None:
    first, second = two_days(2)
    pin = {"constraint": ConstraintKind.START_NO_EARLIER_THAN, "constraint_at": at("2026-06-10 08:00")}
    result = level(from_finish([replace(first, **pin), second], on_r(1, 2)))
    assert days(result) == {"A": ("11", "12"), "B": ("11", "12")}
    assert "“A” fits nowhere before its constraint" in result.reasons[0].sentence


def test_that_a_device_plan_needs_no_leveling() -> None:
    result = level(device_plan([Task(1, "A", 5), Task(2, "B", 5)], [1, 1]))
    assert (result.delays, result.reasons) == ({}, ())
    assert result.schedule.start.tolist() == [0, 5]


def test_that_an_empty_plan_is_level() -> None:
    assert level(plan_of([], [])).delays == {}


def test_that_the_plan_itself_is_never_changed() -> None:
    plan = plan_of(two_days(2), on_r(1, 2))
    before = cpm.schedule(plan)
    level(plan)
    assert plan == plan_of(two_days(2), on_r(1, 2))
    assert cpm.schedule(plan).start.tolist() == before.start.tolist()
