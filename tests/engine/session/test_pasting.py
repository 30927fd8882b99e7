"""Blocks of texts as spreadsheets write them, as edits of cells and of new tasks."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import CycleError, PlanError
from engine.model import Calendar, Clock, ConstraintKind, Dependency, Plan, Progress, Task
from engine.schedule.cpm import schedule
from engine.session.duplicating import DuplicateTasks, place_below
from engine.session.linking import relinked
from engine.session.pasting import Slot, paste_cells, paste_rows, read_grid, write_grid
from engine.session.row_edits import MoveRows
from engine.session.state import State
from engine.session.typed_cells import Cell
from engine.session.typed_times import Habits
from tests.engine.session.test_typed_cells import DAY, at, office, state_of

NAME, DURATION, LINKS = (
    Slot("Task", Cell.TASK),
    Slot("Duration", Cell.DURATION),
    Slot("Predecessors", Cell.PREDECESSORS),
)
FLOAT, NUMBER = Slot("Float", None), Slot("No.", None, is_number=True)
START, FINISH = Slot("Start", Cell.START), Slot("Finish", Cell.FINISH)
HABITS = Habits(now=at(2026, 3, 2, 8))


def rows(state: State, grid: tuple[tuple[str, ...], ...], slots: list[Slot], after: int | None = None) -> Plan:
    def trial(edit: object) -> State:
        return state_of(edit.apply(state.plan, state.schedule))

    made = paste_rows(state, trial, after, slots, grid, HABITS)
    return made.edit.apply(state.plan, state.schedule)


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("a\tb\r\nc\td\r\n", (("a", "b"), ("c", "d"))),
        ("a", (("a",),)),
        ("", ()),
        ("a\t\nb", (("a", ""), ("b",))),
        ('"two\nlines"\tx', (("two\nlines", "x"),)),
        ('"a ""b"""\tc', (('a "b"', "c"),)),
        ('"broken\tx', (('"broken', "x"),)),
        ("'=1+1\t+2d", (("=1+1", "+2d"),)),
    ],
)
def test_that_a_grid_is_read_as_spreadsheets_write_it(text: str, grid: tuple[tuple[str, ...], ...]) -> None:
    assert read_grid(text) == grid


CELLS = st.text(st.sampled_from('ab"\t\n =+'), max_size=6).map(str.strip).filter(lambda text: text[:1] != "'")


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=4))
def test_that_what_is_written_is_read_again(grid: list[list[str]]) -> None:
    assert [list(row) for row in read_grid(write_grid(grid))] == grid


def test_that_a_cell_is_no_formula_for_a_spreadsheet() -> None:
    assert write_grid([["=cmd()", "+x"]]) == "'=cmd()\t'+x"


def test_that_a_block_goes_into_cells_as_one_step_and_leaves_what_is_said_already() -> None:
    state = office()
    found = paste_cells(state, [11, 12], [NAME, DURATION], (("Draw", "4d"), ("Build", "2d")), HABITS)
    plan = found.edit.apply(state.plan, state.schedule)
    assert [(task.name, task.duration) for task in plan.tasks[1:3]] == [("Draw", 4 * DAY), ("Build", 2 * DAY)]
    assert found.left_out == ()
    same = paste_cells(state, [13], [START], (("2026-03-02 08:00",),), HABITS)
    assert same.edit.apply(state.plan, state.schedule) is state.plan


def test_that_a_wrong_text_names_its_cell_and_computed_columns_are_left_out() -> None:
    with pytest.raises(PlanError) as caught:
        paste_cells(office(), [11, 12], [NAME, DURATION], (("Draw", "4d"), ("Build", "long")), HABITS)
    assert caught.value.sentence.startswith("Row 3 (“Build”), Duration: “long” is no length of time")
    assert caught.value.ids == (12,)
    assert paste_cells(office(), [11], [FLOAT, DURATION], (("9 d", "4d"),), HABITS).left_out == ("Float",)


def test_that_lines_are_new_tasks_below_the_chosen_one() -> None:
    plan = rows(office(), (("One", "2d"), ("Two", "")), [NAME, DURATION], after=11)
    assert [task.name for task in plan.tasks] == ["Phase", "Design", "One", "Two", "Build", "Paint"]
    assert [(task.duration, task.parent) for task in plan.tasks[2:4]] == [(2 * DAY, 10), (DAY, 10)]


def test_that_a_line_of_titles_says_what_the_columns_are() -> None:
    grid = (("Duration", "Notes", "Task name", "Predecessors"), ("3d", "x", "One", ""), ("1d", "", "Two", "2"))
    plan = rows(office(), grid, [NAME, DURATION, LINKS])
    assert [(task.name, task.duration) for task in plan.tasks[-2:]] == [("One", 3 * DAY), ("Two", DAY)]
    assert Dependency(11, 15) in plan.dependencies


def test_that_numbers_of_lines_name_lines() -> None:
    grid = (("No.", "Task", "Predecessors"), ("1", "One", ""), ("2", "Two", "1FS+1d"))
    plan = rows(office(), grid, [NUMBER, NAME, LINKS])
    assert [(link.predecessor, link.successor) for link in plan.dependencies] == [(11, 12), (14, 15)]


def test_that_rows_beyond_the_last_are_those_that_the_lines_come_to_be() -> None:
    grid = (("Task", "Predecessors"), ("One", "2"), ("Two", "5FS+1d"), ("Three", "6"))
    plan = rows(office(), grid, [NAME, LINKS])
    found = [(link.predecessor, link.successor) for link in plan.dependencies]
    assert found == [(11, 12), (11, 14), (14, 15), (15, 16)]
    with pytest.raises(PlanError, match="There is no row “8”: rows go from 1 to 7"):
        rows(office(), (("Task", "Predecessors"), ("One", ""), ("Two", ""), ("Three", "8")), [NAME, LINKS])


def test_that_numbers_beyond_the_last_row_name_lines_wherever_they_are_put() -> None:
    plan = rows(
        office(), (("Task", "Predecessors"), ("One", ""), ("Two", "5"), ("Three", "6")), [NAME, LINKS], after=11
    )
    assert [task.name for task in plan.tasks[2:5]] == ["One", "Two", "Three"]
    assert [(link.predecessor, link.successor) for link in plan.dependencies] == [(11, 12), (14, 15), (15, 16)]


def test_that_a_finish_beside_a_start_is_a_duration() -> None:
    grid = (("Task", "Start", "Finish"), ("One", "2026-03-04", "2026-03-05"), ("Two", "", "2026-03-06"))
    plan = rows(office(), grid, [NAME, START, FINISH])
    one, two = plan.tasks[-2:]
    assert (one.pin, one.duration) == (at(2026, 3, 4, 8), 2 * DAY)
    assert (two.constraint, two.constraint_at) == (ConstraintKind.FINISH_NO_EARLIER_THAN, at(2026, 3, 6, 17))


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ((), "There are no names"),
        ((("Task", "Duration"),), "There are no names"),
        ((("", "3d"),), "Line 1 has no name"),
        ((("One", "long"),), "Row 5 (“One”), Duration: “long”"),
    ],
)
def test_that_lines_that_cannot_be_tasks_are_refused(grid: tuple[tuple[str, ...], ...], sentence: str) -> None:
    with pytest.raises(PlanError) as caught:
        rows(office(), grid, [NAME, DURATION])
    assert caught.value.sentence.startswith(sentence)


def test_that_copies_keep_what_lies_in_and_between_them() -> None:
    state = office()
    plan = state.plan.with_task(replace(state.plan.task(11), progress=Progress(50.0, at(2026, 3, 2, 8))))
    made = DuplicateTasks((10, 11), 13).apply(plan)
    assert [(task.name, task.parent) for task in made.tasks[4:]] == [("Phase", None), ("Design", 14), ("Build", 14)]
    assert made.dependencies == (Dependency(11, 12), Dependency(15, 16))
    assert [(each.task, each.resource, each.work) for each in made.assignments] == [(11, 1, 5 * DAY), (15, 1, 5 * DAY)]
    assert made.task(15).progress is None
    assert made.next_task_id == 17
    assert DuplicateTasks((10, 11)).label(plan) == "Paste 3 tasks"
    assert schedule(made).finish_of(16) > schedule(made).start_of(15)


def test_that_copies_stand_in_the_summary_of_the_one_above() -> None:
    made = DuplicateTasks((13,), 11).apply(office().plan)
    assert [(task.name, task.parent) for task in made.tasks[1:4]] == [("Design", 10), ("Paint", 10), ("Build", 10)]


def test_that_a_place_below_is_that_of_the_next_sibling() -> None:
    plan = office().plan
    assert [place_below(plan, task) for task in (11, 12, 10)] == [(10, 12), (10, None), (None, 13)]
    moved = MoveRows((13,), *place_below(plan, 11)).apply(plan)
    assert [task.name for task in moved.tasks] == ["Phase", "Design", "Paint", "Build"]


def test_that_a_summary_does_not_go_into_itself() -> None:
    plan = office().plan
    with pytest.raises((PlanError, CycleError)):
        MoveRows((10,), *place_below(plan, 11)).apply(plan)


def test_that_an_empty_plan_takes_lines() -> None:
    plan = Plan("new", Clock.CALENDAR, at(2026, 3, 2), calendar=Calendar.standard())
    made = rows(state_of(plan), (("One",), ("Two",)), [NAME])
    assert made.tasks == (Task(1, "One", DAY), Task(2, "Two", DAY))


def test_that_links_and_staff_of_many_are_pasted_at_once_and_a_cycle_names_its_cell() -> None:
    state = office()
    links, staff = Slot("Predecessors", Cell.PREDECESSORS), Slot("Resources", Cell.RESOURCES)
    found = paste_cells(state, [11, 12, 13], [links, staff], (("4", "Bob"), ("2", "Cleo"), ("", "Cleo;Ann")), HABITS)
    plan = found.edit.apply(state.plan, state.schedule)
    assert plan.dependencies == (Dependency(11, 12), Dependency(13, 11))
    names = {resource.id: resource.name for resource in plan.resources}
    assert [(each.task, names[each.resource]) for each in plan.assignments] == [
        (11, "Bob"),
        (12, "Cleo"),
        (13, "Cleo"),
        (13, "Ann"),
    ]
    around = paste_cells(state, [11, 12, 13], [links], (("4",), ("2",), ("3",)), HABITS)
    with pytest.raises(CycleError) as caught:
        around.edit.apply(state.plan, state.schedule)
    assert "would make a cycle: “" in caught.value.sentence
    assert caught.value.ids[0] in {11, 13}
    twice = paste_cells(state, [13, 12], [links], (("2,2",), ("",)), HABITS)
    with pytest.raises(PlanError, match="linked twice"):
        twice.edit.apply(state.plan, state.schedule)


def test_that_links_that_stay_keep_their_places() -> None:
    plan = replace(office().plan, dependencies=(Dependency(11, 13), Dependency(11, 12), Dependency(12, 13)))
    assert relinked(plan, {13: (Dependency(12, 13), Dependency(11, 13))}) is plan
    assert relinked(plan, {13: (Dependency(12, 13),)}).dependencies == (Dependency(11, 12), Dependency(12, 13))
    with pytest.raises(CycleError, match="cannot wait for itself"):
        relinked(plan, {13: (Dependency(13, 13),)})


def test_that_a_hundred_lines_at_once_are_what_they_are_one_after_the_other() -> None:
    """Duration and start of each, some without either: a hundred lines are taken kind by kind, a single one is not."""
    grid = tuple(
        (f"task {n}", f"{1 + n % 5}d" if n % 7 else "", f"2026-03-{2 + n % 20:02} 08:00" if n % 3 else "")
        for n in range(100)
    )
    slots, plan = [NAME, DURATION, START], office().plan
    for line in grid:
        plan = rows(state_of(plan), (line,), slots)
    assert rows(office(), grid, slots) == plan
