"""Rows: indented, outdented, and moved, with what they hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import CycleError, PlanError
from engine.model import Dependency, Plan, Task
from engine.session.edits import Edit
from engine.session.row_edits import IndentTasks, MoveRows, OutdentTasks
from tests.engine.model.strategies import office, pipeline


def outline(plan: Plan) -> list[tuple[int, int | None]]:
    return [(task.id, task.parent) for task in plan.tasks]


def flat(count: int = 5) -> Plan:
    tasks = tuple(Task(number, f"T{number}", 3600) for number in range(1, count + 1))
    return replace(office(), tasks=tasks, dependencies=(), assignments=(), next_task_id=count + 1).check()


def refused(edit: Edit, plan: Plan, kind: type[PlanError] = PlanError) -> PlanError:
    with pytest.raises(kind) as caught:
        edit.apply(plan)
    return caught.value


def test_that_an_indented_task_lies_in_the_one_above_it() -> None:
    plan = IndentTasks((2,)).apply(flat())
    assert outline(plan) == [(1, None), (2, 1), (3, None), (4, None), (5, None)]


def test_that_siblings_that_are_indented_together_lie_in_one_summary() -> None:
    plan = IndentTasks((4, 2, 3)).apply(flat())
    assert outline(plan) == [(1, None), (2, 1), (3, 1), (4, 1), (5, None)]


def test_that_what_is_indented_in_one_pass_stands_where_it_would_one_after_the_other() -> None:
    plan = IndentTasks((3,)).apply(IndentTasks((2, 4, 8)).apply(flat(9)))
    one_by_one = plan
    for task in (3, 6, 7, 9):  # the fourth lies in the third, and goes with it
        one_by_one = IndentTasks((task,)).apply(one_by_one)
    assert IndentTasks((9, 3, 4, 7, 6)).apply(plan) == one_by_one


def test_that_a_summary_is_indented_with_all_it_holds() -> None:
    plan = IndentTasks((2, 3)).apply(IndentTasks((3,)).apply(flat()))
    assert outline(plan) == [(1, None), (2, 1), (3, 2), (4, None), (5, None)]


def test_that_the_first_of_its_siblings_cannot_be_indented() -> None:
    assert refused(IndentTasks((1,)), flat()).sentence == "“T1” has no task above it to lie in."
    assert refused(IndentTasks((2, 1)), flat()).ids == (1,)


def test_that_an_outdented_task_lies_below_the_summary_it_left() -> None:
    inside = IndentTasks((2, 3, 4)).apply(flat())
    assert outline(OutdentTasks((3,)).apply(inside)) == [(1, None), (2, 1), (4, 1), (3, None), (5, None)]


def test_that_siblings_that_are_outdented_together_keep_their_order() -> None:
    inside = IndentTasks((2, 3, 4)).apply(flat())
    assert outline(OutdentTasks((2, 3)).apply(inside)) == [(1, None), (4, 1), (2, None), (3, None), (5, None)]


def test_that_indenting_and_outdenting_the_last_is_nothing() -> None:
    plan = flat()
    assert OutdentTasks((2,)).apply(IndentTasks((2,)).apply(plan)) == plan


def test_that_a_task_in_no_summary_cannot_be_outdented() -> None:
    assert refused(OutdentTasks((2,)), flat()).sentence == "“T2” lies in no summary."


def test_that_rows_are_moved_with_what_they_hold() -> None:
    plan = IndentTasks((2,)).apply(flat())
    assert [task for task, _ in outline(MoveRows((1,), None, 4).apply(plan))] == [3, 1, 2, 4, 5]
    assert [task for task, _ in outline(MoveRows((1,), None).apply(plan))] == [3, 4, 5, 1, 2]
    assert outline(MoveRows((4, 5), 1, 2).apply(plan)) == [(1, None), (4, 1), (5, 1), (2, 1), (3, None)]
    assert outline(MoveRows((5,), 1).apply(plan)) == [(1, None), (2, 1), (5, 1), (3, None), (4, None)]


def test_that_a_row_moved_to_where_it_is_changes_nothing() -> None:
    plan = flat()
    assert MoveRows((2,), None, 3).apply(plan) is plan


def test_that_a_task_cannot_lie_in_itself() -> None:
    plan = IndentTasks((2,)).apply(flat())
    assert refused(MoveRows((1,), 2), plan).sentence == "“T1” cannot lie in itself."
    assert refused(MoveRows((1,), 1, 2), plan).sentence == "“T1” cannot lie in itself."


def test_that_a_place_in_another_summary_is_refused() -> None:
    plan = IndentTasks((2,)).apply(flat())
    assert refused(MoveRows((3,), None, 2), plan).sentence == "“T2” does not lie there."


def test_that_a_task_is_not_put_into_one_that_it_is_linked_with() -> None:
    plan = replace(flat(), dependencies=(Dependency(1, 2),))
    assert "take their link away first" in refused(IndentTasks((2,)), plan, CycleError).sentence


def test_that_a_cycle_through_a_summary_is_named() -> None:
    plan = replace(flat(), dependencies=(Dependency(3, 4), Dependency(1, 3)))
    error = refused(MoveRows((4,), 1), plan, CycleError)
    assert error.sentence.startswith("Through a summary these tasks would wait for each other: ")
    assert set(error.ids) == {3, 4}


def test_that_an_operation_cannot_hold_tasks() -> None:
    plan = pipeline()
    tasks = [task.id for task in plan.tasks if task.operation is not None]
    assert "does an operation" in refused(MoveRows((tasks[1],), tasks[0]), plan).sentence
