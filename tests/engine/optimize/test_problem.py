"""What a Problem refuses, and what it derives."""

import numpy as np
import pytest

from engine.errors import SolverError
from engine.optimize.aim import Aim
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.problem import NONE, Objective


def draft_of(*modes: ModeDraft, **more: object) -> Draft:
    draft = Draft(**more)  # type: ignore[arg-type]
    draft.operations += [OperationDraft(modes=(mode,)) for mode in modes]
    return draft


def test_that_a_problem_without_operations_is_a_problem() -> None:
    problem = Draft().build()
    assert problem.operation_count == 0
    assert problem.topological.tolist() == []


def test_that_arrays_of_a_problem_cannot_be_written() -> None:
    problem = draft_of(ModeDraft(3)).build()
    with pytest.raises(ValueError, match="read-only"):
        problem.duration[0] = 4


def test_that_a_circle_of_links_is_named() -> None:
    draft = draft_of(ModeDraft(1), ModeDraft(1), ModeDraft(1), ModeDraft(1))
    draft.links += [LinkDraft(before=a, after=b) for a, b in ((0, 1), (1, 2), (2, 1), (2, 3))]
    with pytest.raises(SolverError, match=r"wait for each other: (1 → 2 → 1|2 → 1 → 2)") as raised:
        draft.build()
    assert set(raised.value.ids) == {1, 2}


def test_that_a_maximum_lag_may_point_back() -> None:
    draft = draft_of(ModeDraft(1), ModeDraft(1))
    draft.links += [LinkDraft(before=0, after=1), LinkDraft(before=1, after=0, is_most=True)]
    assert draft.build().topological.tolist() == [0, 1]


def test_that_an_operation_nobody_can_do_is_named_with_its_reason() -> None:
    draft = draft_of(ModeDraft(1), ModeDraft(2, uses=((0, 3),)))
    draft.resources.append(ResourceDraft(capacity=2))
    with pytest.raises(SolverError, match="needs 3 of resource 0, of which there are 2"):
        draft.build()


def test_that_a_calendar_without_work_is_named() -> None:
    with pytest.raises(SolverError, match="calendar 0 has no work"):
        draft_of(ModeDraft(1, calendar=0), calendars=[()]).build()


def test_that_what_does_not_fit_into_a_shift_is_named_unless_it_may_pause() -> None:
    calendars = [[(0, 8), (10, 18)]]
    with pytest.raises(SolverError, match="takes 9 in one piece, and calendar 0 works 8"):
        draft_of(ModeDraft(9, calendar=0), calendars=calendars).build()
    draft = Draft(calendars=calendars)
    draft.operations.append(OperationDraft(modes=(ModeDraft(9, calendar=0),), is_breakable=True))
    assert draft.build().is_usable.tolist() == [True]


def test_that_another_mode_saves_an_operation() -> None:
    draft = Draft(resources=[ResourceDraft(), ResourceDraft(capacity=4)])
    draft.operations.append(OperationDraft(modes=(ModeDraft(1, uses=((0, 2),)), ModeDraft(5, uses=((1, 2), (0, 1))))))
    problem = draft.build()
    assert problem.is_usable.tolist() == [False, True]
    assert problem.machine.tolist() == [0, 0]
    assert problem.owner.tolist() == [0, 0]


def test_that_a_mode_without_a_unary_resource_has_no_machine() -> None:
    draft = draft_of(ModeDraft(1, uses=((0, 2),)), ModeDraft(1), resources=[ResourceDraft(capacity=2)])
    assert draft.build().machine.tolist() == [NONE, NONE]


def test_that_a_changeover_needs_a_machine() -> None:
    draft = draft_of(resources=[ResourceDraft(capacity=2, matrix=0)], changeover=[[[0]]])
    with pytest.raises(SolverError, match="capacity 1"):
        draft.build()


def test_that_steps_of_capacity_count_for_what_can_be_done() -> None:
    draft = draft_of(ModeDraft(1, uses=((0, 3),)), resources=[ResourceDraft(capacity=2, steps=((5, 9, 3),))])
    assert draft.build().is_usable.tolist() == [True]


def test_that_levels_in_which_all_plans_are_equal_do_not_count() -> None:
    aim = Aim.lexicographic(Objective.TARDINESS, Objective.COST, Objective.MAKESPAN, Objective.CHANGEOVER)
    plain = draft_of(ModeDraft(3, cost=2)).build()
    assert aim.counting(plain).levels.tolist() == Aim.lexicographic(Objective.MAKESPAN).levels.tolist()
    modes = (ModeDraft(3), ModeDraft(2, cost=2))
    due = Draft(operations=[OperationDraft(modes=modes, due=4)]).build()
    kept = Aim.lexicographic(Objective.TARDINESS, Objective.COST, Objective.MAKESPAN)
    assert aim.counting(due).levels.tolist() == kept.levels.tolist()
    late = Aim.lexicographic(Objective.TARDINESS)
    assert late.counting(plain) is late
    mixture = Aim.weighted((0, 5, 1, 0, 0, 0))
    assert mixture.counting(plain).levels.tolist() == mixture.levels.tolist()


def test_that_an_aim_puts_rules_before_wishes() -> None:
    broken, late, short = np.array([[1, 0, 5, 0, 0, 0], [0, 9, 7, 0, 0, 0], [0, 10, 6, 0, 0, 0]])
    shortest = Aim.lexicographic(Objective.MAKESPAN)
    assert shortest.is_better(short, late)
    assert shortest.is_better(late, broken)
    assert Aim.lexicographic(Objective.TARDINESS, Objective.MAKESPAN).is_better(late, short)
    both = Aim.weighted((0, 1, 2, 0, 0, 0))
    assert (both.key(late), both.key(short)) == ((0, 23), (0, 22))
