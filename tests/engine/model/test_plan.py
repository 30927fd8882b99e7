"""The plan as a value: what it can tell of itself, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.errors import CycleError, PlanError
from engine.model import (
    DAY,
    MOST_TICKS,
    Assignment,
    Buffer,
    Calendar,
    CalendarException,
    Dependency,
    DependencyKind,
    Fill,
    FillKind,
    Lag,
    LagKind,
    OperationKind,
    OperationSpec,
    Plan,
    PlanSettings,
    Resource,
    ResourceKind,
    Shift,
    Side,
    Task,
)
from tests.engine.model.strategies import office, pipeline


def with_calendar(**changes: object) -> Plan:
    return replace(office(), calendar=replace(Calendar.standard(), **changes))


def with_task(task_id: int, **changes: object) -> Plan:
    return office().with_task(replace(office().task(task_id), **changes))


def with_links(*links: Dependency) -> Plan:
    return replace(office(), dependencies=links)


def with_buffer(**changes: object) -> Plan:
    return replace(pipeline(), buffers=(replace(pipeline().buffers[0], **changes),))


def nested(depth: int) -> Plan:
    tasks = tuple(Task(n, f"level {n}", parent=n - 1 if n > 1 else None) for n in range(1, depth + 1))
    return replace(office(), tasks=tasks, dependencies=(), next_task_id=depth + 1)


BROKEN: dict[str, tuple[Callable[[], Plan], str]] = {
    "no calendar": (lambda: replace(office(), calendar=None), "no working time"),
    "a week without work": (lambda: with_calendar(week=((),) * 7), "no working time"),
    "a week of six days": (lambda: with_calendar(week=((Shift(0, 9),),) * 6), "6 days"),
    "a shift that ends before it starts": (lambda: with_calendar(week=((Shift(9, 8),),) * 7), "shift"),
    "a shift past midnight": (lambda: with_calendar(week=((Shift(9, DAY + 1),),) * 7), "shift"),
    "a night of an exception longer than a day": (
        lambda: with_calendar(exceptions=(CalendarException(9, 9, (Shift(9, DAY + 10),)),)),
        "shift",
    ),
    "an exception that ends first": (lambda: with_calendar(exceptions=(CalendarException(9, 8),)), "ends before"),
    "an exception of ages": (lambda: with_calendar(exceptions=(CalendarException(0, 1 << 70),)), "Exception"),
    "a start at no time": (lambda: replace(office(), start=MOST_TICKS + 1), "starts at"),
    "a day of 25 hours": (lambda: replace(office(), settings=PlanSettings(hours_per_day=25.0)), "hours"),
    "a day of no number": (lambda: replace(office(), settings=PlanSettings(hours_per_day=math.nan)), "hours"),
    "two tasks of one id": (lambda: replace(office(), tasks=(*office().tasks, Task(5, "Twin"))), "Paint"),
    "a negative duration": (lambda: with_task(2, duration=-1), "Design.*negative"),
    "an endless duration": (lambda: with_task(2, duration=MOST_TICKS + 1), "Design"),
    "a pin at no time": (lambda: with_task(2, constraint_at=-MOST_TICKS - 1), "Design"),
    "a summary that is missing": (lambda: with_task(2, parent=77), "Design.*77"),
    "a summary below its task": (lambda: with_task(2, parent=5), "Design.*above"),
    "a task in itself": (lambda: with_task(2, parent=2), "Design.*above"),
    "an id to be given again": (lambda: replace(office(), next_task_id=5), "Paint"),
    "summaries without end": (lambda: nested(70), "more than 64"),
    "a link to itself": (lambda: with_links(Dependency(5, 5)), "Paint.*itself"),
    "a link to nowhere": (lambda: with_links(Dependency(5, 77)), "Paint.*77"),
    "a link from nowhere": (lambda: with_links(Dependency(77, 5)), "Paint.*77"),
    "a link into its own summary": (lambda: with_links(Dependency(2, 1)), "Design.*Phase"),
    "the same link twice": (lambda: with_links(Dependency(2, 5), Dependency(2, 5)), "Design.*Paint.*twice"),
    "an endless lag": (lambda: with_links(Dependency(2, 5, lag=Lag(MOST_TICKS + 1))), "Paint.*Design.*lag"),
    "a lag of too many percent": (lambda: with_links(Dependency(2, 5, lag=Lag(1 << 40, LagKind.PERCENT))), "lag"),
    "an assignment of no task": (lambda: replace(pipeline(), assignments=(Assignment(77, 1),)), "77"),
    "an assignment to nobody": (lambda: replace(pipeline(), assignments=(Assignment(1, 77),)), "in.*77"),
    "a task on two streams": (lambda: replace(pipeline(), assignments=(Assignment(1, 1), Assignment(1, 2))), "in.*two"),
    "no units": (lambda: replace(pipeline(), assignments=(Assignment(1, 1, 0.0),)), "in.*0.0"),
    "two resources of one id": (lambda: replace(pipeline(), resources=pipeline().resources * 2), "Two resources"),
    "no capacity": (lambda: replace(office(), resources=(Resource(1, "Ann", capacity=math.nan),)), "Ann"),
    "two buffers of one name": (lambda: replace(pipeline(), buffers=pipeline().buffers * 2), "Two buffers"),
    "a missing buffer": (lambda: replace(pipeline(), buffers=()), "in.*frame"),
    "a flat buffer": (lambda: with_buffer(shape=(4, 0)), "frame.*shape 4 \N{MULTIPLICATION SIGN} 0: .*at least 1"),
    "a buffer larger than memory": (
        lambda: with_buffer(shape=(99999999999999,)),
        "frame.*shape 99999999999999: .*at most 1,099,511,627,776 elements",
    ),
    "a buffer of words": (lambda: with_buffer(dtype="object"), "frame.*object"),
    "a seed below zero": (lambda: with_buffer(fill=Fill(FillKind.SEED, -1)), "frame"),
    "a fill from elsewhere": (lambda: with_buffer(fill=Fill(FillKind.FILE, file="../../etc/passwd")), "frame"),
    "a fill from the root": (lambda: with_buffer(fill=Fill(FillKind.FILE, file="/etc/passwd")), "frame"),
    "a summary that does an operation": (
        lambda: with_task(1, operation=OperationSpec(OperationKind.HOST)),
        "Phase",
    ),
    "a parameter that is no number": (
        lambda: with_task(2, operation=OperationSpec(OperationKind.HOST, parameters=(("x", math.inf),))),
        "Design.*x",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_that_a_broken_rule_is_named_with_the_task_or_thing_it_concerns(case: str) -> None:
    build, words = BROKEN[case]
    with pytest.raises(PlanError, match=words):
        build().check()


def test_that_a_self_link_and_a_link_into_a_summary_are_cycles() -> None:
    for link in (Dependency(5, 5), Dependency(1, 3)):
        with pytest.raises(CycleError) as caught:
            with_links(link).check()
        assert set(caught.value.ids) == {link.predecessor, link.successor}


def test_that_two_links_of_one_pair_are_legal_when_their_kinds_differ() -> None:
    plan = with_links(Dependency(2, 5, DependencyKind.SS), Dependency(2, 5, DependencyKind.FF))
    assert plan.check() is plan


def test_that_a_task_may_use_a_machine_besides_its_stream() -> None:
    plan = pipeline()
    press = Resource(9, "press", ResourceKind.MACHINE)
    plan = replace(plan, resources=(*plan.resources, press), assignments=(*plan.assignments, Assignment(1, 9)))
    assert plan.check().stream_of == {1: 1, 2: 1, 3: 2}


def test_that_a_summary_knows_its_leaves_and_its_depth() -> None:
    plan = office()
    assert plan.leaves(1) == (2, 3)
    assert plan.leaves(5) == (5,)
    assert [plan.depth(task.id) for task in plan.tasks] == [0, 1, 1, 0, 0]
    assert [plan.is_summary(task.id) for task in plan.tasks] == [True, False, False, False, False]


def test_that_a_task_is_told_with_its_summary_where_others_have_its_name() -> None:
    plan = office()
    assert plan.title_of(2) == plan.task(2).name
    same = replace(plan, tasks=tuple(replace(task, name="mill" if task.id > 2 else task.name) for task in plan.tasks))
    assert same.title_of(3) == f"mill, {plan.task(1).name}"
    assert (same.title_of(2), same.title_of(5)) == (plan.task(2).name, "mill")


def test_that_asking_for_a_task_that_is_not_there_says_so() -> None:
    with pytest.raises(PlanError, match="no task 77"):
        office().task(77)


def test_that_a_replaced_task_leaves_the_first_plan_as_it_was() -> None:
    plan = pipeline()
    changed = plan.with_task(replace(plan.task(2), name="sharpen"))
    fresh = replace(changed)
    assert (plan.task(2).name, changed.task(2).name) == ("blur", "sharpen")
    assert changed.rows == fresh.rows
    assert changed.children == fresh.children
    assert changed.stream_of == fresh.stream_of


def test_that_copies_read_one_side_of_a_buffer_and_write_the_other() -> None:
    into = OperationSpec(OperationKind.COPY_IN, reads=("a",), writes=("a",))
    kernel = OperationSpec(OperationKind.KERNEL, reads=("a",), writes=("b",))
    host = OperationSpec(OperationKind.HOST, reads=("a",), writes=("a",))
    assert into.accesses() == ({("a", Side.HOST)}, {("a", Side.DEVICE)})
    assert kernel.accesses() == ({("a", Side.DEVICE)}, {("b", Side.DEVICE)})
    assert host.accesses() == ({("a", Side.HOST)}, {("a", Side.HOST)})


def test_that_a_buffer_counts_its_elements() -> None:
    assert Buffer("a", (3, 4, 5)).items == 60
    assert Buffer("a", ()).items == 1
