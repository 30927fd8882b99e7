"""Tests of dates and floats by hand-computed values, and of the compiled pass against the readable one."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import CycleError, PlanError
from engine.model import ConstraintKind, Dependency, DependencyKind, Lag, LagKind, Plan, Task
from engine.schedule import cpm
from engine.schedule.network import leaf_links, topological_order
from engine.schedule.schedule import Schedule
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan, device_plan, said

KINDS = FS, SS, FF, SF = DependencyKind.FS, DependencyKind.SS, DependencyKind.FF, DependencyKind.SF


def days(number: int, count: float, **more: object) -> Task:
    return Task(number, f"t{number}", int(count * WORKDAY), **more)  # type: ignore[arg-type]


def dates(schedule: Schedule, task_id: int) -> tuple[str, str]:
    return said(schedule.start_of(task_id)), said(schedule.finish_of(task_id))


@pytest.mark.parametrize(
    ("kind", "lag", "expected"),
    [
        (FS, Lag(), ("2025-03-10 08:00", "2025-03-11 17:00")),
        (FS, Lag(-2 * WORKDAY), ("2025-03-06 08:00", "2025-03-07 17:00")),
        (FS, Lag(2 * 86_400, LagKind.ELAPSED), ("2025-03-10 08:00", "2025-03-11 17:00")),
        (FS, Lag(60, LagKind.PERCENT), ("2025-03-13 08:00", "2025-03-14 17:00")),
        (FS, Lag(60, LagKind.ELAPSED_PERCENT), ("2025-03-10 08:00", "2025-03-11 17:00")),
        (FS, Lag(250, LagKind.ELAPSED_PERCENT), ("2025-03-12 08:00", "2025-03-13 17:00")),
        (SS, Lag(WORKDAY), ("2025-03-04 08:00", "2025-03-05 17:00")),
        (FF, Lag(WORKDAY), ("2025-03-07 08:00", "2025-03-10 17:00")),
        (SF, Lag(3 * WORKDAY), ("2025-03-04 08:00", "2025-03-05 17:00")),
    ],
)
def test_that_each_link_bounds_the_end_it_names(kind: DependencyKind, lag: Lag, expected: tuple[str, str]) -> None:
    plan = calendar_plan([days(1, 5), days(2, 2)], [Dependency(1, 2, kind, lag)])
    assert dates(cpm.schedule(plan), 2) == expected


def test_that_a_lead_may_pass_the_project_start_and_other_links_may_not() -> None:
    tasks = [days(1, 2), days(2, 3)]
    lead = Lag(-5 * WORKDAY)
    starts = {kind: dates(cpm.schedule(calendar_plan(tasks, [Dependency(1, 2, kind, lead)])), 2)[0] for kind in KINDS}
    assert starts == {FS: "2025-02-26 08:00", **dict.fromkeys((SS, FF, SF), "2025-03-03 08:00")}


def test_that_floats_are_working_time_and_the_longest_chain_is_critical() -> None:
    plan = calendar_plan([days(1, 5), days(2, 2), days(3, 1)], [Dependency(1, 3), Dependency(2, 3)])
    schedule = cpm.schedule(plan)
    assert schedule.total_float.tolist() == [0, 3 * WORKDAY, 0]
    assert schedule.free_float.tolist() == [0, 3 * WORKDAY, 0]
    assert schedule.is_critical.tolist() == [True, False, True]
    assert schedule.driving == ((1, 3),)


def test_that_a_milestone_keeps_the_name_its_predecessor_gave_the_instant() -> None:
    plan = calendar_plan([days(1, 5), days(2, 0, is_milestone=True), days(3, 1)], [Dependency(1, 2), Dependency(2, 3)])
    schedule = cpm.schedule(plan)
    assert dates(schedule, 2) == ("2025-03-07 17:00", "2025-03-07 17:00")
    assert dates(schedule, 3)[0] == "2025-03-10 08:00"


def test_that_a_pin_holds_a_start_back_and_a_link_may_still_push_it() -> None:
    pin = {"constraint": ConstraintKind.START_NO_EARLIER_THAN, "constraint_at": at("2025-03-08 08:00")}
    assert dates(cpm.schedule(calendar_plan([days(1, 2, **pin)])), 1)[0] == "2025-03-10 08:00"
    pushed = calendar_plan([days(1, 9), days(2, 1, **pin)], [Dependency(1, 2)])
    assert dates(cpm.schedule(pushed), 2)[0] == "2025-03-14 08:00"


def test_that_a_summary_spans_its_leaves_and_its_links_stand_for_theirs() -> None:
    tasks = [Task(1, "S"), days(2, 2, parent=1), days(3, 3, parent=1), days(4, 1)]
    schedule = cpm.schedule(calendar_plan(tasks, [Dependency(2, 3), Dependency(1, 4)]))
    assert dates(schedule, 1) == ("2025-03-03 08:00", "2025-03-07 17:00")
    assert dates(schedule, 4)[0] == "2025-03-10 08:00"
    assert schedule.is_critical.all()


def test_that_a_plan_with_a_cycle_is_dated_without_its_links_and_says_so() -> None:
    links = [Dependency(1, 2), Dependency(2, 3), Dependency(3, 1), Dependency(3, 4)]
    plan = calendar_plan([days(1, 1), days(2, 1), days(3, 1), days(4, 1)], links)
    schedule = cpm.schedule(plan)
    assert schedule.cycle == (1, 2, 3)
    assert dates(schedule, 3)[0] == "2025-03-03 08:00"
    assert dates(schedule, 4)[0] == "2025-03-04 08:00"
    with pytest.raises(CycleError, match="“t1” → “t2” → “t3” → “t1”") as caught:
        topological_order(plan, leaf_links(plan))
    assert caught.value.ids == (1, 2, 3)


def test_that_a_cycle_through_a_summary_is_found() -> None:
    tasks = [Task(1, "S"), days(2, 2, parent=1), days(3, 1)]
    plan = calendar_plan(tasks, [Dependency(1, 3), Dependency(3, 2)])
    assert cpm.schedule(plan).cycle == (2, 3)
    with pytest.raises(CycleError, match="“t2” → “t3” → “t2”"):
        topological_order(plan, leaf_links(plan))


def test_that_a_device_plan_with_a_cycle_is_refused() -> None:
    with pytest.raises(CycleError, match="“a” → “b” → “a”"):
        cpm.schedule(device_plan([Task(1, "a", 1), Task(2, "b", 1)], [1, 1], [Dependency(1, 2), Dependency(2, 1)]))


def test_that_a_plan_beyond_the_calendar_is_refused_by_name() -> None:
    with pytest.raises(PlanError, match=r"“t1” would lie outside the years 1984 to 2149"):
        cpm.schedule(calendar_plan([days(1, 60_000)]))


def test_that_an_empty_plan_has_an_empty_schedule() -> None:
    schedule = cpm.schedule(calendar_plan([]))
    assert schedule.project_start == schedule.project_finish == at("2025-03-03 08:00")


def test_that_durations_from_costs_count_only_where_nobody_typed_one() -> None:
    tasks = [Task(1, "typed", 50), Task(2, "costed", is_duration_typed=False)]
    schedule = cpm.schedule(device_plan(tasks, [1, 1]), {1: 999, 2: 70})
    assert schedule.finish.tolist() == [50, 120]
    assert schedule.is_estimated.tolist() == [False, True]


def test_that_tasks_of_one_stream_never_overlap_and_keep_row_order() -> None:
    schedule = cpm.schedule(device_plan([Task(i, f"o{i}", 10) for i in (1, 2, 3)], [1, 1, 2]))
    assert schedule.start.tolist() == [0, 10, 0]
    assert schedule.stream_links == ((1, 2),)


def test_that_a_stream_takes_first_what_can_start_first() -> None:
    tasks = [Task(1, "in", 10), Task(2, "late", 5), Task(3, "ready", 7)]
    schedule = cpm.schedule(device_plan(tasks, [1, 2, 2], [Dependency(1, 2)]))
    assert schedule.stream_links == ((3, 2),)
    assert schedule.start.tolist() == [0, 10, 0]


def test_that_a_pin_dropped_before_a_neighbor_takes_its_place_on_the_stream() -> None:
    pin = {"constraint": ConstraintKind.START_NO_EARLIER_THAN, "constraint_at": 10}
    tasks = [Task(1, "a", 10), Task(2, "b", 10), Task(3, "c", 10, **pin)]  # type: ignore[arg-type]
    schedule = cpm.schedule(device_plan(tasks, [1, 1, 1]))
    assert schedule.start.tolist() == [0, 20, 10]


def test_that_a_small_drag_keeps_the_order_on_a_stream() -> None:
    tasks = [Task(1, "a", 10), Task(2, "b", 10, **pinned(3)), Task(3, "c", 10)]
    links = [Dependency(1, 2)]
    schedule = cpm.schedule(device_plan(tasks, [1, 2, 2], links))
    assert schedule.stream_links == ((3, 2),)
    late = [Task(1, "a", 10), Task(2, "b", 10, **pinned(12)), Task(3, "c", 10, **pinned(15))]
    schedule = cpm.schedule(device_plan(late, [1, 2, 2], links))
    assert schedule.stream_links == ((2, 3),)
    assert schedule.start.tolist() == [0, 12, 22]


def test_that_among_equals_row_order_holds_however_late_one_becomes_ready() -> None:
    tasks = [Task(1, "first", 5), Task(2, "in", 3), Task(3, "work", 4), Task(4, "next", 4), Task(5, "gate", 4)]
    links = [Dependency(2, 3), Dependency(5, 3)]
    schedule = cpm.schedule(device_plan(tasks, [1, 2, 1, 1, 3], links))
    assert schedule.stream_links == ((1, 3), (3, 4))


def pinned(at_tick: int) -> dict[str, Any]:
    return {"constraint": ConstraintKind.START_NO_EARLIER_THAN, "constraint_at": at_tick}


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 2), st.integers(0, 40) | st.none()), max_size=25))
def test_that_streams_never_overlap_and_pins_hold(rows: list[tuple[int, int, int | None]]) -> None:
    tasks = [
        Task(n, f"o{n}", length, **({} if pin is None else pinned(pin))) for n, (length, _, pin) in enumerate(rows, 1)
    ]
    links = [Dependency(n, n + 3) for n in range(1, len(rows) - 2, 2)]
    schedule = cpm.schedule(device_plan(tasks, [stream for _, stream, _ in rows], links))
    for stream in (1, 2):
        spans = sorted(
            (schedule.start_of(n), schedule.finish_of(n))
            for n, (_, at_stream, _) in enumerate(rows, 1)
            if at_stream == stream
        )
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
        count = sum(at_stream == stream for _, at_stream, _ in rows)
        assert sum(rows[after - 1][1] == stream for _, after in schedule.stream_links) == max(count - 1, 0)
    assert all(pin is None or schedule.start_of(n) >= pin for n, (_, _, pin) in enumerate(rows, 1))


@st.composite
def networks(draw: st.DrawFn) -> Plan:
    """Plans of up to twelve tasks with links of every kind, lags, pins and one summary."""
    count = draw(st.integers(1, 12))
    tasks = [Task(100, "S")]
    for number in range(1, count + 1):
        pin = draw(st.none() | st.integers(-5, 30))
        tasks.append(
            Task(
                number,
                f"t{number}",
                draw(st.integers(0, 40)) * HOUR // 2,
                parent=100 if draw(st.booleans()) or number == 1 else None,
                constraint=ConstraintKind.AS_SOON_AS_POSSIBLE if pin is None else ConstraintKind.START_NO_EARLIER_THAN,
                constraint_at=at("2025-03-03 08:00") + (pin or 0) * 7 * HOUR,
            )
        )
    pairs = st.tuples(st.integers(1, count), st.integers(1, count)).filter(lambda pair: pair[0] < pair[1])
    lag = st.builds(Lag, st.integers(-20, 60).map(lambda hours: hours * HOUR), st.sampled_from(list(LagKind)[:2]))
    links: dict[object, Dependency] = {}
    if count > 1:
        for (before, after), kind, lags in draw(st.lists(st.tuples(pairs, st.sampled_from(DependencyKind), lag))):
            link = Dependency(before, after, kind, lags)
            links[link.key] = link
    return calendar_plan(tasks, links.values())


@given(networks())
@settings(deadline=None)
def test_that_every_link_holds_and_every_date_is_worked(plan: Plan) -> None:
    schedule, time = cpm.schedule(plan), cpm.working_time(plan)
    for link in plan.dependencies:
        anchor = schedule.start_of if link.kind in (SS, SF) else schedule.finish_of
        bounded = schedule.start_of if link.kind in (FS, SS) else schedule.finish_of
        bound, amount = anchor(link.predecessor), link.lag.amount
        bound = bound + amount if link.lag.kind is LagKind.ELAPSED or not amount else time.add(bound, amount)
        assert time.between(bound, bounded(link.successor)) >= 0
    for task in plan.tasks:
        start, finish = schedule.start_of(task.id), schedule.finish_of(task.id)
        if task.id != 100:
            assert time.between(start, finish) == task.duration
        if task.id != 100 and task.duration:
            assert (start, finish) == (time.next_start(start), time.previous_finish(finish))


@given(networks(), st.randoms())
@settings(deadline=None)
def test_that_task_order_never_changes_a_date(plan: Plan, random: object) -> None:
    summary, *leaves = plan.tasks
    random.shuffle(leaves)  # type: ignore[attr-defined]
    one, two = cpm.schedule(plan), cpm.schedule(dataclasses.replace(plan, tasks=(summary, *leaves)))
    for task in plan.tasks:
        assert one.start_of(task.id) == two.start_of(task.id)
        assert one.total_float[one.rows[task.id]] == two.total_float[two.rows[task.id]]


@given(networks())
@settings(deadline=None)
def test_that_without_pins_the_least_float_is_zero(plan: Plan) -> None:
    free = tuple(dataclasses.replace(t, constraint=ConstraintKind.AS_SOON_AS_POSSIBLE) for t in plan.tasks)
    links = tuple(link for link in plan.dependencies if link.lag.kind is LagKind.WORKING)
    schedule = cpm.schedule(dataclasses.replace(plan, tasks=free, dependencies=links))
    assert schedule.total_float.min() == 0


@pytest.fixture(autouse=True)
def _readable_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dates come from the readable pass unless a test asks otherwise."""
    monkeypatch.setattr(cpm, "_engines", cpm._engines[:1])
