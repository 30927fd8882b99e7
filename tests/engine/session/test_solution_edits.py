"""A better plan taken: the schedule then says what the solution said, whole or in part, and one undo takes it back."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import SolverError
from engine.model import (
    Alternative,
    Assignment,
    Calendar,
    ConstraintKind,
    Dependency,
    Plan,
    Resource,
    ResourceKind,
    Task,
)
from engine.optimize.evaluate import evaluate
from engine.optimize.from_plan import PlanProblem, problem_of
from engine.optimize.problem import Evaluation, Problem, Solution
from engine.optimize.to_plan import decisions_of
from engine.schedule.cpm import delays_to, schedule
from engine.session.document import Document
from engine.session.solution_edits import take, tasks_on
from tests.engine.model.strategies import HOUR, MONDAY, office
from tests.engine.schedule.strategies import plans

MACHINE = ResourceKind.MACHINE


def any_solution(problem: Problem, numbers: random.Random) -> Solution:
    """Any modes, and any order that links allow."""
    count = problem.operation_count
    firsts, pins = problem.first_mode.tolist(), problem.pinned_mode.tolist()
    mode = [numbers.randrange(firsts[i], firsts[i + 1]) if pins[i] < 0 else pins[i] for i in range(count)]
    kept = ~problem.link_is_most
    waits = [set() for _ in range(count)]
    for before, after in zip(problem.link_from[kept].tolist(), problem.link_to[kept].tolist(), strict=True):
        waits[after].add(before)
    order: list[int] = []
    while len(order) < count:
        ready = [i for i in range(count) if i not in order and waits[i] <= set(order)]
        order.append(numbers.choice(ready))
    return Solution(np.array(mode, np.int32), np.array(order, np.int32))


def with_alternatives(plan: Plan, numbers: random.Random) -> Plan:
    """The plan in which half of the tasks may be done elsewhere too, some of them sooner or later."""
    held = [r.id for r in plan.resources if r.kind in (ResourceKind.WORK, MACHINE)]
    leaves = [task.id for task in plan.tasks if task.id not in plan.children and numbers.random() < 0.5]
    lengths = (None, HOUR, 7 * HOUR)
    found = (Alternative(leaf, numbers.choice(held), duration=numbers.choice(lengths)) for leaf in leaves if held)
    return replace(plan, alternatives=tuple(found)).check()


def solved(plan: Plan, seed: int) -> tuple[PlanProblem, Evaluation]:
    case = problem_of(plan, schedule(plan))
    return case, evaluate(case.problem, any_solution(case.problem, random.Random(seed)))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(plan=plans(), seed=st.integers(0, 10_000))
def test_that_the_schedule_says_what_a_solution_that_breaks_no_rule_said(plan: Plan, seed: int) -> None:
    plan = with_alternatives(plan, random.Random(seed))
    try:
        case, found = solved(plan, seed)
    except SolverError:
        return  # nobody could ever do one of the tasks
    decisions = decisions_of(case, found)
    taking = take(case, decisions)
    # One that is as late as possible goes with the plan's finish, and others may wait for it.
    is_late = any(task.constraint is ConstraintKind.AS_LATE_AS_POSSIBLE for task in plan.tasks)
    if found.is_feasible and not is_late:
        assert taking.misses == ()
    assert bool(taking.sentence) == bool(taking.misses)
    if taking.edit is not None:
        again = taking.edit.apply(plan, case.schedule)
        assert again == taking.plan
        assert schedule(again).start.tolist() == taking.schedule.start.tolist()
        ways = {way.resource for way in taking.plan.ways.of(taking.plan.tasks[-1])}
        assert {way.resource for way in plan.ways.of(plan.tasks[-1])} - {None} <= ways


def two_machines() -> Plan:
    """Three tasks on one machine, at once, each of which another machine does in half the time; one is pinned."""
    pin = ConstraintKind.START_NO_EARLIER_THAN
    tasks = (
        Task(1, "a", 4 * HOUR),
        Task(2, "b", 4 * HOUR),
        Task(3, "c", 4 * HOUR, constraint=pin, constraint_at=MONDAY + HOUR),
        Task(4, "d", HOUR),
    )
    resources = (Resource(1, "Old", MACHINE), Resource(2, "New", MACHINE))
    return replace(
        office(),
        tasks=tasks,
        dependencies=(Dependency(1, 4),),
        calendar=Calendar.standard(),
        resources=resources,
        assignments=tuple(Assignment(n, 1) for n in (1, 2, 3)),
        alternatives=tuple(Alternative(n, 2, duration=2 * HOUR) for n in (1, 2, 3)),
    ).check()


def moved_to_new() -> tuple[PlanProblem, Evaluation]:
    """The solution that does b on the new machine, and c after a on the old one."""
    case = problem_of(two_machines(), schedule(two_machines()))
    first = case.problem.first_mode
    mode = np.array([first[0], first[1] + 1, first[2], first[3]], np.int32)
    return case, evaluate(case.problem, Solution(mode, np.array([0, 1, 2, 3], np.int32)))


def test_that_a_solution_is_taken_whole_in_one_step_that_can_be_undone() -> None:
    case, found = moved_to_new()
    decisions = decisions_of(case, found)
    assert [each.is_moved for each in decisions] == [False, True, True, False]
    taking = take(case, decisions)
    assert taking.edit is not None
    assert taking.edit.label(case.plan) == "Take a better plan (2 tasks)"
    document = Document(case.plan)
    document.execute(taking.edit)
    plan, dates = document.state.plan, document.state.schedule
    assert plan.task(2).duration == 2 * HOUR
    assert plan.assignments == (Assignment(1, 1), Assignment(2, 2), Assignment(3, 1))
    # c waits for a: from Monday 13:00, after lunch, though its pin allows nine.
    assert (dates.start_of(3), plan.task(3).pin) == (MONDAY + 5 * HOUR, MONDAY + HOUR)
    assert plan.task(3).delay == 4 * HOUR
    document.undo()
    assert document.state.plan == case.plan


def test_that_of_a_solution_some_tasks_or_those_of_a_machine_are_taken_and_the_rest_stays() -> None:
    case, found = moved_to_new()
    decisions = decisions_of(case, found)
    only_c = take(case, decisions, only={3})
    assert only_c.plan.assignments == case.plan.assignments
    assert [only_c.schedule.start_of(n) for n in (1, 2, 3)] == [MONDAY, MONDAY, MONDAY + 5 * HOUR]
    on_new = tasks_on(case, decisions, {2})
    assert on_new == {2}
    only_new = take(case, decisions, only=on_new)
    assert only_new.schedule.start_of(3) == case.schedule.start_of(3)
    assert only_new.plan.task(2).duration == 2 * HOUR
    assert "proposed" not in only_new.sentence
    assert take(case, decisions, only=()).edit is None


def test_that_a_task_that_a_constraint_pulls_forward_is_named() -> None:
    plan = two_machines()
    late = replace(plan.task(2), constraint=ConstraintKind.START_NO_LATER_THAN, constraint_at=MONDAY)
    case, found = solved(plan.with_task(late), 1)
    assert not found.is_feasible or take(case, decisions_of(case, found)).misses == ()
    delays = delays_to(case.schedule, {2: MONDAY + 2 * HOUR})
    assert delays == {2: 2 * HOUR}
    decision = replace(decisions_of(case, found)[1], start=MONDAY + 2 * HOUR, is_moved=True)
    taking = take(case, [decision])
    assert taking.misses == (2,)
    assert taking.sentence.startswith("“b” starts at another instant than the optimizer proposed")


def test_that_a_task_that_is_not_taken_but_follows_one_that_is_moves_along() -> None:
    case, found = moved_to_new()
    first = decisions_of(case, found)[0]
    later = replace(first, start=MONDAY + 2 * HOUR, is_moved=True)
    rest = [replace(each, is_moved=False) for each in decisions_of(case, found)[1:]]
    taking = take(case, [later, *rest])
    assert taking.schedule.start_of(first.task) == later.start
    assert taking.sentence == "“d” moves along, as links and constraints ask."
