"""Places for a task, as they are tried: what gives way there, and when the task would really start."""

from dataclasses import replace

from engine.model import Assignment, Calendar, Clock, Dependency, Plan, Resource, ResourceKind, Task
from engine.optimize.from_plan import PlanProblem, problem_of
from engine.optimize.problem import Objective
from engine.process.questions import Places, TryPlaces
from engine.schedule.cpm import schedule
from engine.session.edits import MoveTask
from tests.gui.board.plans import MONDAY
from tests.gui.gantt.plans import HOUR

CUT, TRIM, TURN, PACK = 1, 2, 3, 4


def at(hour: int) -> int:
    """Of Monday; work is from 8 to 12 and from 13 to 17."""
    return MONDAY + (hour - 8) * HOUR


def saw() -> Plan:
    """A saw that cuts at 8 for four hours and, as was asked, trims at 13 and packs, after turning until 12, at 15."""
    lengths = {"cut": 4, "trim": 2, "turn": 4, "pack": 2}
    plan = Plan(
        "saw",
        Clock.CALENDAR,
        MONDAY,
        tuple(Task(number, name, hours * HOUR) for number, (name, hours) in enumerate(lengths.items(), 1)),
        (Dependency(TURN, PACK),),
        Calendar.standard(),
        (Resource(1, "Saw", ResourceKind.MACHINE),),
        (Assignment(CUT, 1), Assignment(TRIM, 1), Assignment(PACK, 1)),
        next_task_id=5,
    )
    return MoveTask(PACK, at(15)).apply(MoveTask(TRIM, at(13)).apply(plan))


def case_of(plan: Plan) -> PlanProblem:
    return problem_of(plan, schedule(plan))


def tried(plan: Plan, task: int, *starts: int) -> Places:
    places = TryPlaces(plan, task, starts).answer(case_of)
    assert places is not None
    assert not places.broken().any()
    return places


def test_that_what_is_in_the_way_of_a_dropped_task_gives_way_and_no_date_that_was_asked_holds_it() -> None:
    places = tried(saw(), TRIM, at(8), at(9), at(13))
    assert places.begins.tolist() == [[at(8), at(9), at(13)]]
    # Trimmed at 9, it cuts until 16, and packs until Tuesday at 9; trimmed at 8, it packs from 15.
    changes = places.values[0, :, Objective.MAKESPAN] - places.now[Objective.MAKESPAN]
    assert changes.tolist() == [0, 16 * HOUR, 0]


def test_that_a_task_starts_neither_before_the_plan_nor_before_what_it_follows_is_done_nor_in_time_off() -> None:
    assert tried(saw(), TRIM, at(2), at(4)).begins.tolist() == [[at(8), at(8)]]
    places = tried(saw(), PACK, at(2), at(9), at(12), at(14), at(20))
    assert places.begins.tolist() == [[at(13), at(13), at(13), at(15), at(24 + 8)]]


def test_that_a_task_starts_no_earlier_than_the_status_line() -> None:
    plan = saw()
    settings = replace(plan.settings, status=at(10), moves_remaining_to_status=True)
    assert tried(replace(plan, settings=settings), TRIM, at(8), at(11)).begins.tolist() == [[at(10), at(11)]]


def test_that_in_the_slot_in_which_a_task_starts_it_is_tried_just_where_it_is() -> None:
    places = tried(saw(), PACK, at(14), at(16))
    assert (places.start, places.begins.tolist()) == (at(15), [[at(15), at(16)]])
    assert places.values[0, 0].tolist() == places.now.tolist()
