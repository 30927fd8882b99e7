"""Which rows the table shows, in which order, with numbers."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from engine.model import Assignment, Progress, Resource, Split, Task
from engine.session.state import State
from gui.gantt.arranging import Arranged, Arrangement, Filter, Marks, Trait, arrange, passing, traits_of
from gui.gantt.columns import Column
from gui.gantt.figures import Figures, figures_of
from gui.gantt.finding import find_rows
from gui.gantt.grouping import Grouping
from gui.gantt.headings import heading_id
from gui.gantt.outline import Outline
from gui.gantt.sought import Sought
from tests.gui.gantt.plans import WORKDAY, frames, state_of, week


def names(state: State, arrangement: Arrangement, folded: frozenset[int] = frozenset(), marks: Marks | None = None):
    found = arrange(figures_of(state), Outline(state.plan), arrangement, marks or Marks(), folded)
    return [state.plan.tasks[row].name for row in found.plan_rows], found


def with_staff() -> State:
    plan = week().plan
    people = (Resource(1, "Bob"), Resource(2, "ann"))
    return state_of(replace(plan, resources=people, assignments=(Assignment(2, 1), Assignment(3, 2))))


def test_that_rows_are_sorted_within_their_summary() -> None:
    shown, _ = names(week(), Arrangement(Column.TASK))
    assert shown == ["Build", "Built", "Frame", "Roof", "Paint"]
    shown, _ = names(week(), Arrangement(Column.TASK, is_falling=True))
    assert shown == ["Paint", "Build", "Roof", "Frame", "Built"]
    shown, _ = names(week(), Arrangement(Column.DURATION))
    assert shown == ["Paint", "Build", "Built", "Roof", "Frame"]


def test_that_equal_ones_stay_as_in_the_plan_up_and_down() -> None:
    plan = week().plan
    tasks = tuple(Task(number, "same", WORKDAY) for number in range(1, 6))
    state = state_of(replace(plan, tasks=tasks, dependencies=()))
    for is_falling in (False, True):
        _, found = names(state, Arrangement(Column.TASK, is_falling))
        assert found.plan_rows.tolist() == [0, 1, 2, 3, 4]


def test_that_an_order_is_a_whole_outline_whatever_the_keys() -> None:
    """Against plain recursion, on outlines of three levels."""
    rng = np.random.default_rng(7)
    for _ in range(40):
        parents = [int(rng.integers(0, row)) + 1 if row and rng.random() < 0.7 else None for row in range(30)]
        tasks, left = [], {number: parents[number - 1] for number in range(1, 31)}

        def add(parent: int | None, tasks: list[Task] = tasks, left: dict[int, int | None] = left) -> None:
            for number in [each for each, above in left.items() if above == parent]:
                tasks.append(Task(number, str(number), WORKDAY, parent))
                add(number)

        add(None)
        plan = replace(week().plan, tasks=tuple(tasks), dependencies=(), next_task_id=40)
        keys = rng.integers(0, 5, len(tasks))
        wanted: list[int] = []

        def walk(parent: int | None, plan=plan, keys=keys, wanted: list[int] = wanted) -> None:
            inside = [row for row, task in enumerate(plan.tasks) if task.parent == parent]
            for row in sorted(inside, key=lambda row: (keys[row], row)):
                wanted.append(row)
                walk(plan.tasks[row].id)

        walk(None)
        assert Outline(plan).order(keys).tolist() == wanted


@pytest.mark.parametrize(
    ("wanted", "passed"),
    [
        (Filter("OO"), ["Roof"]),
        (Filter(" b "), ["Build", "Built"]),
        (Filter(traits=frozenset({Trait.CRITICAL})), ["Frame", "Roof", "Built"]),
        (Filter(traits=frozenset({Trait.MILESTONE})), ["Built"]),
        (Filter("r", frozenset({Trait.CRITICAL}), 2), ["Roof"]),
        (Filter(resource=1), ["Frame"]),
        (Filter(), ["Build", "Frame", "Roof", "Built", "Paint"]),
    ],
)
def test_that_a_filter_lets_pass_what_it_says(wanted: Filter, passed: list[str]) -> None:
    state = with_staff()
    flags = passing(figures_of(state), wanted, Marks())
    assert [task.name for task, is_in in zip(state.plan.tasks, flags, strict=True) if is_in] == passed


def test_that_late_is_after_the_deadline_or_with_float_below_zero() -> None:
    plan = week().plan
    late = plan.tasks[4]
    state = state_of(plan.with_task(replace(late, deadline=plan.start + 3600)))
    assert passing(figures_of(state), Filter(traits=frozenset({Trait.LATE})), Marks()).tolist() == [False] * 4 + [True]


def test_that_the_summaries_around_what_passes_are_shown_and_not_counted() -> None:
    shown, found = names(week(), Arrangement(filter=Filter("roof")))
    assert (shown, found.matched, found.depths.tolist()) == (["Build", "Roof"], 1, [0, 1])


def test_that_what_is_folded_stays_so() -> None:
    for arrangement in (Arrangement(Column.TASK), Arrangement(filter=Filter("b"))):
        shown, _ = names(week(), arrangement, frozenset({1}))
        assert shown[0] == "Build"
        assert "Built" not in shown


def titles(found: Arranged) -> dict[int, tuple[str, int]]:
    return {at: (each.title, len(each.plan_rows)) for at, each in found.headings.items()}


def test_that_groups_leave_the_outline_and_say_what_they_hold() -> None:
    shown, found = names(with_staff(), Arrangement(grouping=Grouping.RESOURCE))
    assert shown == ["Roof", "Roof", "Frame", "Frame", "Built", "Built", "Paint"]
    assert titles(found) == {0: ("ann", 1), 2: ("Bob", 1), 4: ("Without a resource", 2)}
    assert found.depths.tolist() == [0, 1, 0, 1, 0, 1, 1]
    shown, found = names(week(), Arrangement(Column.TASK, True, grouping=Grouping.CRITICALITY))
    assert shown == ["Roof", "Roof", "Frame", "Built", "Paint", "Paint"]
    assert titles(found) == {0: ("Critical", 3), 4: ("With float", 1)}
    assert [week().plan.tasks[row].name for row in found.task_rows] == ["Roof", "Frame", "Built", "Paint"]


def test_that_a_folded_group_leaves_its_heading() -> None:
    closed = frozenset({heading_id(0)})
    shown, found = names(week(), Arrangement(grouping=Grouping.CRITICALITY), closed)
    assert shown == ["Frame", "Paint", "Paint"]
    assert titles(found) == {0: ("Critical", 3), 1: ("With float", 1)}
    assert found.matched == 4


def test_that_status_is_what_was_done() -> None:
    plan = week().plan
    frame = replace(plan.tasks[1], progress=Progress(100.0, plan.start, plan.start + 3 * 86_400))
    roof = replace(plan.tasks[2], progress=Progress(20.0, plan.start + 3 * 86_400))
    _, found = names(state_of(plan.with_tasks((frame, roof))), Arrangement(grouping=Grouping.STATUS))
    assert [each.title for each in found.headings.values()] == ["Under way", "Not begun", "Done"]


def test_that_changed_and_overloaded_are_what_was_told() -> None:
    state = week()
    marks = Marks(np.array([False, False, True, False, False]), frozenset({5}))
    for trait, passed in ((Trait.CHANGED, 2), (Trait.OVERLOADED, 4)):
        flags = passing(figures_of(state), Filter(traits=frozenset({trait})), marks)
        assert np.flatnonzero(flags).tolist() == [passed]
        assert not passing(figures_of(state), Filter(traits=frozenset({trait})), Marks()).any()


@pytest.mark.parametrize("column", Column)
@pytest.mark.parametrize("make", [week, with_staff, frames])
def test_that_every_column_has_words_and_sorts(column: Column, make) -> None:
    state = make()
    shown, found = names(state, Arrangement(column))
    assert sorted(shown) == sorted(task.name for task in state.plan.tasks)
    assert all(isinstance(figures_of(state).text(row, column), str) for row in found.plan_rows)


def test_that_a_device_plan_offers_no_traits_of_calendars() -> None:
    assert Trait.OVERLOADED not in traits_of(frames().plan.clock)


@pytest.mark.parametrize(
    ("text", "rows"), [("roof", [2]), ("3", [2]), ("ann", [2]), ("b", [0, 1, 3]), ("", []), ("zz", []), ("99", [])]
)
def test_that_a_text_is_found_by_name_number_and_resource(text: str, rows: list[int]) -> None:
    assert find_rows(figures_of(with_staff()), text).tolist() == rows


def test_that_sorts_of_every_kind_agree_with_python() -> None:
    state = week()
    figures = figures_of(state)
    for column, is_falling in itertools.product((Column.START, Column.FINISH, Column.FLOAT), (False, True)):
        keys = figures.keys(column)
        order = sorted(range(1, 4), key=lambda row: (-keys[row] if is_falling else keys[row], row))
        _, found = names(state, Arrangement(column, is_falling))
        assert [row for row in found.plan_rows.tolist() if 1 <= row <= 3] == order


def test_that_durations_are_those_told_one_by_one() -> None:
    plan = week().plan
    elapsed = replace(plan.tasks[1], is_elapsed=True, duration=3 * 86_400)
    paused = replace(plan.tasks[2], splits=(Split(4 * 3600, WORKDAY),))
    for state in (state_of(plan.with_tasks((elapsed, paused))), frames()):
        figures = figures_of(state)
        told = [figures.duration(row) for row in range(len(state.plan.tasks))]
        assert figures.keys(Column.DURATION).tolist() == told
    assert figures_of(state_of(plan.with_tasks((paused,)))).duration(2) == 2 * WORKDAY


def test_that_a_summary_is_as_far_as_its_tasks_weighed_by_their_durations() -> None:
    plan = week().plan
    frame = replace(plan.tasks[1], progress=Progress(100.0, plan.start, plan.start + 3 * 86_400))
    assert figures_of(state_of(plan.with_task(frame))).percent.round(1).tolist() == [60.0, 100.0, 0.0, 0.0, 0.0]


def test_that_a_text_that_is_typed_letter_by_letter_finds_what_it_finds_at_once() -> None:
    state = week()
    figures = Figures(state)
    for typed in ("r", "Ro", "roo", "ro", "f", "Fra", "", "x", "xy", "roof"):
        assert figures.named(typed).tolist() == [typed.casefold() in task.name.casefold() for task in state.plan.tasks]


@pytest.mark.parametrize("typed", ["", "a", "AB", "ß", "é", "日", "b\0", "ss c", "x y", "x\0y", "."])
def test_that_a_text_is_found_in_every_name_that_has_it(typed: str) -> None:
    names = ["Abba", "", "Straße C", "STRASSE c", "CAFÉ", "日本 abc", "x\0y", ".", "abab"]
    for some in (names, names[:1], [name for name in names if "\0" not in name], []):
        plain = [typed.casefold() in name.casefold().replace("\0", " ") for name in some]
        assert Sought(some).holding(typed).tolist() == plain
