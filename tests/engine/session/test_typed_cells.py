"""What a person typed into a cell, as the edit that it means."""

from dataclasses import replace
from datetime import datetime

import pytest

from engine.errors import PlanError
from engine.formats.table import DateOrder
from engine.model import (
    Alternative,
    Assignment,
    Calendar,
    Changeover,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    OperationKind,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    Task,
)
from engine.schedule.cpm import schedule
from engine.session.state import State
from engine.session.typed_cells import Cell, Typed, cell_text, typed
from engine.session.typed_times import Habits

DAY = 8 * 3600


def at(*when: int) -> int:
    return int((datetime(*when) - datetime(1970, 1, 1)).total_seconds())


def state_of(plan: Plan) -> State:
    return State(plan, schedule(plan))


def office() -> State:
    tasks = (Task(10, "Phase"), Task(11, "Design", 3 * DAY, 10), Task(12, "Build", 2 * DAY, 10), Task(13, "Paint", DAY))
    night = Calendar.standard()
    return state_of(
        Plan(
            "office",
            Clock.CALENDAR,
            at(2026, 3, 2, 8),
            tasks,
            (Dependency(11, 12),),
            night,
            (Resource(1, "Ann"), Resource(2, "Bob")),
            (Assignment(11, 1, work=5 * DAY),),
            next_task_id=14,
        )
    )


def device() -> State:
    tasks = tuple(Task(n, f"op {n}", 1000, operation=OperationSpec(OperationKind.HOST)) for n in (1, 2))
    streams = (Resource(1, "Stream 1", ResourceKind.STREAM), Resource(2, "Stream 2", ResourceKind.STREAM))
    assigned = (Assignment(1, 1), Assignment(2, 1))
    return state_of(Plan("d", Clock.DEVICE, 0, tasks, resources=streams, assignments=assigned, next_task_id=3))


def enter(state: State, task: int, cell: Cell, text: str) -> tuple[Plan, Typed]:
    found = typed(state, task, cell, text, Habits(DateOrder.DAY_FIRST, at(2026, 3, 2, 8)))
    return found.edit.apply(state.plan, state.schedule), found


def test_that_a_typed_start_and_a_typed_finish_are_constraints_and_say_so() -> None:
    plan, found = enter(office(), 13, Cell.START, "5/3")
    assert (plan.task(13).constraint, plan.task(13).constraint_at) == (
        ConstraintKind.START_NO_EARLIER_THAN,
        at(2026, 3, 5, 8),
    )
    assert found.note == "“Paint” starts no earlier than Thu 5 Mar 2026 08:00 from now on."
    plan, found = enter(state_of(plan), 13, Cell.FINISH, "fri")
    assert (plan.task(13).constraint, plan.task(13).constraint_at) == (
        ConstraintKind.FINISH_NO_EARLIER_THAN,
        at(2026, 3, 6, 17),
    )
    assert "finishes no earlier than Fri 6 Mar 2026 17:00" in found.note
    plan, found = enter(state_of(plan), 13, Cell.START, "2/3")
    assert found.note.endswith("It no longer is held by an earliest finish.")
    plan, _ = enter(state_of(plan), 13, Cell.START, "")
    assert plan.task(13).constraint is ConstraintKind.AS_SOON_AS_POSSIBLE


def test_that_a_summary_is_moved_by_its_start_and_not_by_its_finish() -> None:
    plan, found = enter(office(), 10, Cell.START, "4/3")
    assert plan.task(11).pin == at(2026, 3, 4, 8)
    assert found.note.startswith("“4/3” is 4 March 2026")
    with pytest.raises(PlanError, match="“Phase” is a summary"):
        enter(office(), 10, Cell.FINISH, "4/3")


def test_that_a_duration_is_elapsed_or_not_and_of_no_time_is_a_milestone() -> None:
    plan, _ = enter(office(), 13, Cell.DURATION, "5ed")
    assert (plan.task(13).duration, plan.task(13).is_elapsed) == (5 * 86_400, True)
    plan, _ = enter(state_of(plan), 13, Cell.DURATION, "1.5d")
    assert (plan.task(13).duration, plan.task(13).is_elapsed) == (12 * 3600, False)
    plan, _ = enter(office(), 13, Cell.DURATION, "0")
    assert plan.task(13).is_milestone
    plan, _ = enter(state_of(plan), 13, Cell.DURATION, "2d")
    assert not plan.task(13).is_milestone


def test_that_predecessors_are_named_by_row_with_kinds_and_lags() -> None:
    plan, _ = enter(office(), 13, Cell.PREDECESSORS, "2FS+3ed, 3SS-1d;3FF+50%")
    links = [link for link in plan.dependencies if link.successor == 13]
    assert links == [
        Dependency(11, 13, DependencyKind.FS, Lag(3 * 86_400, LagKind.ELAPSED)),
        Dependency(12, 13, DependencyKind.SS, Lag(-DAY)),
        Dependency(12, 13, DependencyKind.FF, Lag(50, LagKind.PERCENT)),
    ]
    assert cell_text(state_of(plan), 13, Cell.PREDECESSORS) == "2FS+3ed,3SS-1d,3FF+50%"
    plan, _ = enter(state_of(plan), 13, Cell.PREDECESSORS, "")
    assert all(link.successor != 13 for link in plan.dependencies)


def test_that_staff_keep_their_work_and_new_names_are_new_resources() -> None:
    plan, found = enter(office(), 11, Cell.RESOURCES, "ann[50%];Cleo")
    assert [(a.resource, a.units, a.work) for a in plan.assignments] == [(1, 0.5, 5 * DAY), (3, 1.0, None)]
    assert [resource.name for resource in plan.resources] == ["Ann", "Bob", "Cleo"]
    assert found.note == "New in the plan's resources: “Cleo”."
    plan, found = enter(state_of(plan), 11, Cell.RESOURCES, "")
    assert (plan.assignments, found.note) == ((), "")


@pytest.mark.parametrize(
    ("text", "kind", "when"),
    [
        ("snet 4/3", ConstraintKind.START_NO_EARLIER_THAN, (2026, 3, 4, 8)),
        ("Must finish on 2026-03-04", ConstraintKind.MUST_FINISH_ON, (2026, 3, 4, 17)),
        ("fnlt", ConstraintKind.FINISH_NO_LATER_THAN, (2026, 3, 2, 17)),
    ],
)
def test_that_a_constraint_is_a_kind_and_a_date(text: str, kind: ConstraintKind, when: tuple[int]) -> None:
    plan, _ = enter(office(), 13, Cell.CONSTRAINT, text)
    assert (plan.task(13).constraint, plan.task(13).constraint_at) == (kind, at(*when))
    again, _ = enter(state_of(plan), 13, Cell.CONSTRAINT, cell_text(state_of(plan), 13, Cell.CONSTRAINT))
    assert again == plan


def test_that_the_other_cells_are_read() -> None:
    assert enter(office(), 13, Cell.TASK, " Varnish ")[0].task(13).name == "Varnish"
    assert enter(office(), 13, Cell.PERCENT, "40 %")[0].task(13).progress.percent == 40
    assert enter(office(), 13, Cell.DEADLINE, "5/3")[0].task(13).deadline == at(2026, 3, 5, 17)
    assert enter(office(), 13, Cell.PRIORITY, "700")[0].task(13).priority == 700
    assert enter(office(), 13, Cell.CONSTRAINT, "alap")[0].task(13).constraint is ConstraintKind.AS_LATE_AS_POSSIBLE
    name = office().plan.calendar.name
    assert enter(office(), 13, Cell.CALENDAR, name.upper())[0].task(13).calendar == office().plan.calendar.id
    plan = office().plan
    dated = state_of(plan.with_task(replace(plan.task(13), deadline=at(2026, 3, 5, 17))))
    assert enter(dated, 13, Cell.DEADLINE, "")[0].task(13).deadline is None
    assert enter(dated, 13, Cell.DEADLINE, "+2d")[0].task(13).deadline == at(2026, 3, 9, 17)


@pytest.mark.parametrize(
    ("cell", "text", "sentence"),
    [
        (Cell.TASK, " ", "needs a name"),
        (Cell.DURATION, "long", "“long” is no length of time: write 3d, 2w"),
        (Cell.START, "soon", "“soon” is no date: write 2026-03-03"),
        (Cell.PERCENT, "140", "is not between 0 and 100 %"),
        (Cell.PERCENT, "much", "is no number"),
        (Cell.PREDECESSORS, "99", "There is no row “99”: rows go from 1 to 4."),
        (Cell.PREDECESSORS, "2XX+d", "cannot be read: write 2FS"),
        (Cell.PREDECESSORS, "4", "cannot wait for itself"),
        (Cell.RESOURCES, "Ann[", "cannot be read: write Ann"),
        (Cell.CONSTRAINT, "maybe", "is no constraint"),
        (Cell.CONSTRAINT, "asap 3/3", "has no date"),
        (Cell.CALENDAR, "moon", "is no calendar of the plan, which has “Standard”"),
        (Cell.PRIORITY, "1.5", "is no priority"),
        (Cell.STREAM, "1", "is no stream of the plan, which has none"),
    ],
)
def test_that_what_cannot_be_is_refused_with_a_sentence(cell: Cell, text: str, sentence: str) -> None:
    with pytest.raises(PlanError) as caught:
        enter(office(), 13, cell, text)
    assert sentence in caught.value.sentence


def test_that_a_cycle_is_refused() -> None:
    with pytest.raises(PlanError, match="Design"):
        enter(office(), 11, Cell.PREDECESSORS, "3")


def test_that_a_device_plan_is_typed_in_its_own_units() -> None:
    assert enter(device(), 1, Cell.DURATION, "1.25 ms")[0].task(1).duration == 1_250_000
    assert enter(device(), 2, Cell.START, "250 us")[0].task(2).pin == 250_000
    assert enter(device(), 2, Cell.STREAM, "stream 2")[0].stream_of[2] == 2
    assert enter(device(), 2, Cell.STREAM, "2")[0].stream_of[2] == 2
    assert enter(device(), 2, Cell.PREDECESSORS, "1")[0].dependencies == (Dependency(1, 2),)
    plan, found = enter(device(), 1, Cell.DURATION, "")
    assert not plan.task(1).is_duration_typed
    assert "as its profile says" in found.note
    for cell, text, sentence in (
        (Cell.PREDECESSORS, "1SS", "more than a device knows"),
        (Cell.FINISH, "3 ms", "type its start or its duration"),
        (Cell.DURATION, "3d", "write it with its unit"),
        (Cell.STREAM, "7", "“Stream 1”, “Stream 2”"),
    ):
        with pytest.raises(PlanError, match=sentence):
            enter(device(), 2, cell, text)


@pytest.mark.parametrize("make", [office, device])
@pytest.mark.parametrize("cell", Cell)
def test_that_what_a_cell_says_is_read_back_as_it_is(make, cell: Cell) -> None:
    state = make()
    for task in state.plan.tasks:
        text = cell_text(state, task.id, cell)
        if state.plan.is_summary(task.id) or cell in {Cell.START, Cell.FINISH} or not text:
            continue
        if make is device and cell not in {Cell.DURATION, Cell.STREAM, Cell.PREDECESSORS, Cell.TASK}:
            continue
        assert enter(state, task.id, cell, text)[0] == state.plan


def lathes() -> State:
    plan = office().plan
    machines = (Resource(3, "Lathe 2", ResourceKind.MACHINE, skills=("turning",)), Resource(4, "Lathe (old)"))
    paint = Changeover(1, "Paint", ("red", "blue"), ((0, 60), (60, 0)))
    return state_of(replace(plan, resources=(*plan.resources, *machines), changeovers=(paint,)))


def test_that_alternatives_are_typed_as_names_with_what_they_take_there_and_found_so_again() -> None:
    text = "lathe 2[50%] (3h, cost 20); Lathe (old);Bob (cost 4,5); Ann (1.5d)"
    plan, _ = enter(lathes(), 13, Cell.ALTERNATIVES, text)
    found = (
        Alternative(13, 3, 0.5, 3 * 3600, 20.0),
        Alternative(13, 4),
        Alternative(13, 2, cost=4.5),
        Alternative(13, 1, duration=12 * 3600),
    )
    assert plan.alternatives == found
    written = cell_text(state_of(plan), 13, Cell.ALTERNATIVES)
    assert written == "Lathe 2[50%] (3h, cost 20); Lathe (old); Bob (cost 4.5); Ann (12h)"
    assert enter(state_of(plan), 13, Cell.ALTERNATIVES, written)[0] is plan
    assert enter(state_of(plan), 13, Cell.ALTERNATIVES, "")[0].alternatives == ()


@pytest.mark.parametrize(
    ("task", "text", "sentence"),
    [
        (13, "Lathe 9", "“Lathe 9” is no machine or person of the plan, which has “Lathe 2”"),
        (13, "Lathe 2 (3 q)", "“3 q” is no length of time: write Lathe 2 \\(3h\\); Lathe 3"),
        (13, "Lathe 2 (3ed)", "“Paint” is counted in working time"),
        (13, "Lathe 2; lathe 2 (3h)", "“Paint” names “Lathe 2” twice"),
        (10, "Lathe 2", "“Phase” is a summary"),
    ],
)
def test_that_alternatives_that_cannot_be_are_refused_with_a_sentence(task: int, text: str, sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        enter(lathes(), task, Cell.ALTERNATIVES, text)


def test_that_families_and_skills_are_spelled_as_the_plan_does_and_new_ones_are_told() -> None:
    plan, found = enter(lathes(), 13, Cell.FAMILY, " RED ")
    assert (plan.task(13).family, found.note) == ("red", "")
    assert cell_text(state_of(plan), 13, Cell.FAMILY) == "red"
    plan, found = enter(lathes(), 13, Cell.FAMILY, "green")
    assert plan.task(13).family == "green"
    assert found.note.endswith("knows “green”, so it needs no set-up: they know “red”, “blue”.")
    plan, found = enter(lathes(), 10, Cell.FAMILY, "blue")
    assert [task.family for task in plan.tasks] == ["", "blue", "blue", ""]
    assert found.note == "All tasks in “Phase” are of the family “blue” now."
    plan, found = enter(lathes(), 13, Cell.SKILL, "Turning")
    assert (plan.task(13).skill, found.note) == ("turning", "")
    plan, found = enter(lathes(), 13, Cell.SKILL, "weld")
    assert (plan.task(13).skill, found.note) == ("weld", "Nobody in the plan has the skill “weld” yet.")


def test_that_typed_predecessors_keep_the_longest_lag_that_a_cell_does_not_say() -> None:
    plan = office().plan
    state = state_of(replace(plan, dependencies=(Dependency(11, 12, longest=2 * DAY),)))
    assert enter(state, 12, Cell.PREDECESSORS, "2FS+1d")[0].dependencies == (
        Dependency(11, 12, lag=Lag(DAY), longest=2 * DAY),
    )
    assert enter(state, 12, Cell.PREDECESSORS, "2FS+3d")[0].dependencies == (Dependency(11, 12, lag=Lag(3 * DAY)),)
    assert enter(state, 12, Cell.PREDECESSORS, "2SS")[0].dependencies == (Dependency(11, 12, DependencyKind.SS),)


def test_that_a_resource_of_exactly_the_typed_name_is_meant_before_one_in_other_capitals() -> None:
    plan = office().plan
    state = state_of(replace(plan, resources=(Resource(1, "Saw"), Resource(2, "SAW"), Resource(3, "saw"))))
    plan, _ = enter(state, 13, Cell.ALTERNATIVES, "SAW; saw (2h); Saw")
    assert [each.resource for each in plan.alternatives] == [2, 3, 1]


def test_that_notes_of_several_lines_are_typed_over_in_one() -> None:
    plan, _ = enter(lathes(), 13, Cell.NOTES, " By crane ↵ ask Ann ")
    assert plan.task(13).notes == "By crane\nask Ann"
    text = cell_text(state_of(plan), 13, Cell.NOTES)
    assert text == "By crane ↵ ask Ann"
    again, found = enter(state_of(plan), 13, Cell.NOTES, text)
    assert again is plan
    assert found.edit.label(plan) == f"Set the notes of “{plan.task(13).name}”"
    assert enter(state_of(plan), 13, Cell.NOTES, "")[0].task(13).fields == lathes().plan.task(13).fields


def test_that_notes_keep_their_place_among_what_a_file_said() -> None:
    task = Task(1, "weld", fields=(("Cost code", "7"), ("Notes", "old"), ("Team", "B")))
    assert task.with_notes("new").fields == (("Cost code", "7"), ("Notes", "new"), ("Team", "B"))
    assert task.with_notes("").fields == (("Cost code", "7"), ("Team", "B"))
