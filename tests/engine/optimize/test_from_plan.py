"""Problems of plans: what is asked of dates comes over, what cannot be moved is pinned, what cannot be is refused."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, PlanError, SolverError
from engine.model import (
    DAY,
    Alternative,
    Assignment,
    Calendar,
    Capacity,
    Changeover,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    Plan,
    PlanSettings,
    Progress,
    Resource,
    ResourceKind,
    Shift,
    Task,
    Transport,
)
from engine.optimize.evaluate import Evaluator, evaluate
from engine.optimize.from_plan import PlanProblem, problem_of
from engine.optimize.problem import NEVER, NONE, LinkKind, Problem
from engine.optimize.rules import best_modes, current_plan, first_solutions
from engine.optimize.staying import Stays
from engine.schedule.cpm import schedule
from engine.schedule.shop_conflicts import find_shop_conflicts
from engine.schedule.working_time import LAST_DAY
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline
from tests.engine.schedule.plans import at
from tests.engine.schedule.strategies import plans
from tests.engine.schedule.test_passes import edits

MACHINE = ResourceKind.MACHINE
LATER = ConstraintKind.START_NO_EARLIER_THAN
NIGHT = Calendar(2, "Night", ((Shift(0, 6 * HOUR),),) * 7)
COLORS = Changeover(7, "Colors", ("blue", "red"), ((0, 600), (900, 0)))


def shop(*tasks: Task, **changes: object) -> Plan:
    """Tasks on a saw (1), a press that works at night (2) and a crew of two (3); changes are of the plan."""
    resources = (
        Resource(1, "Saw", MACHINE, changeover=7, setup="red", cost_per_hour=60.0),
        Resource(2, "Press", MACHINE, calendar=2),
        Resource(3, "Crew", capacity=2.0),
    )
    plan = replace(
        office(),
        tasks=tasks,
        dependencies=(),
        resources=resources,
        calendars=(NIGHT,),
        changeovers=(COLORS,),
        next_task_id=99,
    )
    return replace(plan, **changes).check()  # type: ignore[arg-type]


def case_of(plan: Plan) -> PlanProblem:
    return problem_of(plan, schedule(plan))


def test_that_each_way_of_doing_a_task_is_a_mode_with_its_own_clock_duration_and_cost() -> None:
    plan = shop(
        Task(1, "Cut", 2 * HOUR, family="blue"),
        assignments=(Assignment(1, 1), Assignment(1, 3, 0.5)),
        alternatives=(Alternative(1, 2, duration=HOUR, cost=5.0),),
    )
    case = case_of(replace(plan, resources=(*plan.resources[:2], replace(plan.resources[2], calendar=2))).check())
    assert case.stays == {1: Stays.SHARED}  # saw by day, crew by night
    problem = case_of(replace(plan, assignments=(Assignment(1, 1),))).problem
    assert problem.duration.tolist() == [2 * HOUR, HOUR]
    assert problem.mode_cost.tolist() == [12_000, 500]
    assert len(set(problem.mode_calendar.tolist())) == 2
    assert problem.use_resource.tolist() == [0, 1]
    assert (problem.resource_matrix.tolist(), problem.resource_family.tolist()) == ([0, NONE, NONE], [1, NONE, NONE])
    assert problem.changeover.tolist() == [[[0, 600], [900, 0]]]
    assert problem.family.tolist() == [0]


def test_that_units_become_whole_numbers_that_leave_out_nobody() -> None:
    plan = shop(
        Task(1, "Carry", HOUR), Task(2, "Lift", HOUR), assignments=(Assignment(1, 3, 0.3334), Assignment(2, 3, 2.0))
    )
    problem = case_of(plan).problem
    assert problem.capacity.tolist() == [1, 1, 2000]
    assert problem.use_units.tolist() == [333, 2000]


def test_that_nothing_waits_for_a_machine_that_is_gone_for_good() -> None:
    gone = Capacity(MONDAY, LAST_DAY * DAY, 0.0)
    for step, never in ((gone, True), (replace(gone, first=MONDAY + DAY), False), (replace(gone, units=1.0), False)):
        saw = Resource(1, "Saw", MACHINE, steps=(step,))
        case = case_of(shop(Task(1, "Cut", HOUR), resources=(saw,), assignments=(Assignment(1, 1),)))
        assert (case.stays.get(1) is Stays.TOO_MUCH) == never
        assert len(case.notes) == never


def test_that_a_skill_that_nobody_has_is_told() -> None:
    tasks = (Task(1, "Weld", HOUR, skill="welding"), Task(2, "Mend", HOUR, skill="welding"), Task(3, "Cut", HOUR))
    assert case_of(shop(*tasks)).notes == ("Nobody has the skill “welding” that “Weld” and 1 more ask for.",)
    alone, welder = tasks[:1], Resource(1, "Ann", skills=("welding",))
    assert case_of(shop(*alone)).notes == ("Nobody has the skill “welding” that “Weld” asks for.",)
    assert case_of(shop(*alone, resources=(welder,))).notes == ()


def test_that_what_a_plan_asks_of_dates_is_a_release_a_due_date_or_a_link() -> None:
    kinds = ConstraintKind
    plan = shop(
        Task(1, "a", HOUR, constraint=kinds.START_NO_EARLIER_THAN, constraint_at=MONDAY + 3 * HOUR, priority=900),
        Task(2, "b", HOUR, deadline=MONDAY + 5 * HOUR),
        Task(3, "c", HOUR, constraint=kinds.FINISH_NO_EARLIER_THAN, constraint_at=MONDAY + 6 * HOUR),
        Task(4, "d", HOUR, constraint=kinds.START_NO_LATER_THAN, constraint_at=MONDAY + 7 * HOUR),
    )
    case = case_of(plan)
    problem = case.problem
    assert case.tasks == (1, 2, 3, 4)
    assert problem.release[:4].tolist() == [MONDAY + 3 * HOUR, MONDAY, MONDAY, MONDAY]
    assert problem.due[:4].tolist() == [NEVER, MONDAY + 5 * HOUR, NEVER, NEVER]
    assert problem.weight[:4].tolist() == [9, 5, 5, 5]
    assert problem.pinned_start[4:].tolist() == [MONDAY + 6 * HOUR, MONDAY + 7 * HOUR]
    links = zip(problem.link_from, problem.link_to, problem.link_kind, problem.link_is_most, strict=True)
    assert list(links) == [(4, 2, LinkKind.FF, False), (5, 3, LinkKind.SS, True)]


def test_that_lags_are_counted_as_the_schedule_counts_them_and_a_longest_one_is_a_second_link() -> None:
    tasks = [Task(n, f"T{n}", 4 * HOUR) for n in (1, 2, 3)]
    links = (
        Dependency(1, 2, lag=Lag(HOUR), longest=3 * HOUR),
        Dependency(1, 3, DependencyKind.SS, Lag(50, LagKind.ELAPSED_PERCENT)),
    )
    problem = case_of(shop(*tasks, dependencies=links, transports=(Transport(1, 2, 60),))).problem
    assert problem.link_lag.tolist() == [HOUR, 3 * HOUR, 2 * HOUR]
    assert problem.link_is_most.tolist() == [False, True, False]
    assert problem.link_is_transported.tolist() == [True, False, False]
    assert [calendar == NONE for calendar in problem.link_calendar] == [False, False, True]
    assert problem.transport.tolist() == [[0, 60, 0], [0, 0, 0], [0, 0, 0]]


def test_that_a_longest_lag_of_nothing_lasts_a_night() -> None:
    tuesday = {"constraint": ConstraintKind.MUST_START_ON, "constraint_at": at("2025-03-04 08:00")}
    for link, is_kept in (
        (Dependency(1, 2, longest=0), True),
        (Dependency(1, 2, lag=Lag(0, LagKind.ELAPSED), longest=0), False),
    ):
        case = case_of(shop(Task(1, "Prime", 8 * HOUR), Task(2, "Paint", HOUR, **tuesday), dependencies=(link,)))
        solution = first_solutions(case.problem)[0]
        found = Evaluator(case.problem).measure(solution, case.problem.current_start)
        assert found.is_feasible == is_kept
        assert len(find_shop_conflicts(case.schedule)) == (not is_kept)


def test_that_links_of_a_summary_are_those_of_its_leaves_and_inactive_tasks_are_left_out() -> None:
    plan = office()
    tasks = (*plan.tasks[:2], replace(plan.task(3), is_active=False), *plan.tasks[3:])
    plan = replace(plan, dependencies=(Dependency(5, 1),), tasks=tasks)
    case = case_of(plan.check())
    assert case.tasks == (2, 4, 5)
    assert (case.problem.link_from.tolist(), case.problem.link_to.tolist()) == ([2], [0])


def test_that_what_is_done_dated_frozen_or_asked_to_stay_is_pinned_where_it_is() -> None:
    day = 24 * HOUR
    plan = shop(
        Task(1, "done", HOUR, progress=Progress(100, MONDAY, MONDAY + 2 * HOUR)),
        Task(2, "by hand", HOUR, is_manual=True, manual_start=MONDAY + 60, manual_finish=MONDAY + 2 * HOUR),
        Task(3, "soon", HOUR),
        Task(4, "later", HOUR, constraint=LATER, constraint_at=MONDAY + day),
        Task(5, "promised", HOUR, constraint=ConstraintKind.MUST_START_ON, constraint_at=MONDAY + day),
        Task(6, "first", HOUR, constraint=LATER, constraint_at=MONDAY + day, priority=1000),
        Task(7, "kept", HOUR, constraint=LATER, constraint_at=MONDAY + day),
        Task(8, "too much", HOUR, constraint=LATER, constraint_at=MONDAY + day),
        assignments=(Assignment(8, 3, 3.0),),
        settings=PlanSettings(frozen_until=MONDAY + HOUR),
    )
    case = problem_of(plan, schedule(plan), kept=(7,))
    whys = (Stays.BEGUN, Stays.MANUAL, Stays.FENCE, None, Stays.DATED, Stays.PRIORITY, Stays.KEPT, Stays.TOO_MUCH)
    assert [case.stays.get(task.id) for task in plan.tasks] == list(whys)
    pins = case.problem.pinned_start.tolist()
    assert pins[:4] == [MONDAY, MONDAY + 60, MONDAY, NONE]
    assert case.problem.duration.tolist()[:2] == [2 * HOUR, 2 * HOUR - 60]
    assert case.notes == ("“too much” needs more of a resource than there ever is: it stays where it is.",)


def test_that_what_cannot_be_optimized_is_refused_in_a_sentence() -> None:
    with pytest.raises(PlanError, match="A device plan has no resources to share"):
        case_of(pipeline())
    with pytest.raises(PlanError, match="scheduled from its finish"):
        case_of(replace(office(), settings=PlanSettings(is_from_finish=True)))
    cyclic = replace(office(), dependencies=(Dependency(2, 3), Dependency(3, 2)))
    with pytest.raises(PlanError, match="wait for each other"):
        case_of(cyclic)
    with pytest.raises(SolverError, match="“Cast” is to be done in one piece, and no working time is long enough"):
        case_of(shop(Task(1, "Cast", 9 * HOUR, is_unbreakable=True)))


def test_that_an_empty_plan_is_an_empty_problem() -> None:
    case = case_of(replace(office(), tasks=(), dependencies=()))
    assert (case.problem.operation_count, case.tasks, case.notes) == (0, (), ())


def test_that_working_times_are_those_of_the_schedule_wherever_an_operation_could_lie() -> None:
    plan = shop(Task(1, "Cut", 30 * HOUR), assignments=(Assignment(1, 2),))
    problem = case_of(plan).problem
    calendar = int(problem.mode_calendar[0])
    first, last = problem.first_segment[calendar : calendar + 2]
    spans = set(
        zip(problem.segment_start[first:last].tolist(), problem.segment_finish[first:last].tolist(), strict=True)
    )
    assert (at("2025-03-04 00:00"), at("2025-03-04 06:00")) in spans
    assert max(finish for _, finish in spans) >= problem.start + 5 * 24 * HOUR


def test_that_a_plan_that_always_works_has_no_calendar() -> None:
    always = Calendar(1, "Always", ((Shift(0, 24 * HOUR),),) * 7)
    lag = Dependency(1, 2, lag=Lag(HOUR))
    plan = replace(shop(Task(1, "Cut", HOUR), Task(2, "Bend", HOUR), dependencies=(lag,)), calendar=always)
    problem = case_of(replace(plan, resources=(), calendars=())).problem
    assert problem.mode_calendar.tolist() == [NONE, NONE]
    assert problem.link_calendar.tolist() == [NONE]
    assert len(problem.segment_start) == 0


def outcome(plan: Plan, previous: PlanProblem | None) -> PlanProblem | str:
    try:
        return problem_of(plan, schedule(plan), (), previous)
    except EngineError as error:
        return error.sentence


def assert_equal_cases(one: PlanProblem | str, two: PlanProblem | str) -> None:
    if isinstance(one, str) or isinstance(two, str):
        assert one == two
        return
    for each in fields(Problem):
        assert np.array_equal(getattr(one.problem, each.name), getattr(two.problem, each.name)), each.name
    assert (one.tasks, one.ways, one.stays, one.notes) == (two.tasks, two.ways, two.stays, two.notes)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_that_the_problem_before_an_edit_makes_that_after_it_no_other_one(data: st.DataObject) -> None:
    plan, known = data.draw(plans()), None
    for _ in range(3):
        found = outcome(plan, known)
        assert_equal_cases(found, outcome(plan, None))
        known = known if isinstance(found, str) else found
        plan = data.draw(edits(plan))


def test_that_who_does_a_task_and_what_a_resource_is_are_seen_in_the_problem_after_the_edit() -> None:
    plan = shop(Task(1, "Cut", HOUR), Task(2, "Bend", HOUR), assignments=(Assignment(1, 1), Assignment(2, 2)))
    known = case_of(plan)
    moved = replace(plan, assignments=(Assignment(1, 3), Assignment(2, 2)))
    bent = replace(plan, assignments=(Assignment(1, 1, 0.5), Assignment(2, 2)))
    dear = replace(plan, resources=(replace(plan.resources[0], cost_per_hour=90.0), *plan.resources[1:]))
    other = replace(plan, alternatives=(Alternative(2, 1, duration=2 * HOUR),))
    for edited in (moved, bent, dear, other, replace(plan, calendar=NIGHT, calendars=(office().calendar or NIGHT,))):
        assert_equal_cases(outcome(edited, known), outcome(edited, None))
    assert problem_of(moved, schedule(moved), (), known).problem.use_resource.tolist() == [2, 1]


@pytest.mark.parametrize("hour", [3, 9, 10, 24 + 3])  # at work, at the end of the day, after it, the day after
def test_that_what_takes_no_time_begins_when_the_schedule_says(hour: int) -> None:
    date = Task(1, "permit", 0, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=MONDAY + hour * HOUR)
    work = Task(2, "work", HOUR)
    plan = replace(office(), tasks=(date, work), dependencies=(), calendar=Calendar.standard(), next_task_id=3).check()
    dates = schedule(plan)
    assert problem_of(plan, dates).problem.release[0] == dates.start_of(1)
    ended = plan.with_task(replace(date, constraint=ConstraintKind.FINISH_NO_EARLIER_THAN))
    dates, problem = schedule(ended), case_of(ended).problem
    first = Evaluator(problem).evaluate(first_solutions(problem)[0])
    assert (first.is_feasible, first.starts[0]) == (True, dates.start_of(1))


@pytest.mark.parametrize(
    ("lag", "task"),
    [
        (Lag(-4 * HOUR), Task(2, "Late", 8 * HOUR)),  # finishes at noon, or after lunch: the same to who works
        (Lag(30 * 60, LagKind.ELAPSED), Task(2, "Late", 8 * HOUR)),  # in the evening, when nobody works
        (
            Lag(),
            Task(
                2, "Late", HOUR, constraint=ConstraintKind.FINISH_NO_EARLIER_THAN, constraint_at=MONDAY + 9 * HOUR // 2
            ),
        ),
    ],
)
def test_that_a_finish_bounded_within_a_break_is_the_end_of_the_work_before_it(lag: Lag, task: Task) -> None:
    tasks = (Task(1, "Early", 8 * HOUR), task)
    links = (Dependency(1, 2, DependencyKind.FF, lag),) if lag.amount else ()
    case = case_of(replace(office(), tasks=tasks, dependencies=links).check())
    problem = case.problem
    found = evaluate(problem, current_plan(problem, best_modes(problem, problem.duration)))
    assert found.starts[:2].tolist() == [case.schedule.start_of(task) for task in case.tasks]
    assert found.finishes[:2].tolist() == [case.schedule.finish_of(task) for task in case.tasks]
    assert found.is_feasible


def test_that_what_stays_has_the_room_that_it_takes_and_leaves_none_of_it_to_others() -> None:
    begun = Progress(25, MONDAY)
    tasks = (
        Task(1, "Begun", 4 * HOUR, progress=begun),
        Task(2, "Begun too", 8 * HOUR, progress=begun),
        Task(3, "Free", HOUR),
        Task(4, "Too much", 2 * HOUR),
    )
    plan = shop(*tasks, assignments=(Assignment(1, 1), Assignment(2, 1), Assignment(3, 1), Assignment(4, 3, 5.0)))
    case = case_of(plan)
    problem = case.problem
    assert case.stays == {1: Stays.BEGUN, 2: Stays.BEGUN, 4: Stays.TOO_MUCH}
    found = evaluate(problem, current_plan(problem, best_modes(problem, problem.duration)))
    assert found.is_feasible
    assert found.starts.tolist() == [MONDAY, MONDAY, MONDAY + 24 * HOUR, MONDAY]
    assert problem.capacity.tolist() == [1, 1, 2]
    steps = zip(problem.step_from.tolist(), problem.step_until.tolist(), problem.step_units.tolist(), strict=True)
    assert list(steps) == [(MONDAY, MONDAY + 4 * HOUR, 2), (MONDAY, MONDAY + 2 * HOUR, 5)]
