"""What dropping a task somewhere does, as shares of the largest change."""

import numpy as np

from engine.optimize.problem import Objective
from engine.process.questions import Places
from engine.session.dropping import drops_of


def places(changes: dict[tuple[int, int], dict[Objective, int]], begins: tuple[int, ...] = (0, 10, 20)) -> Places:
    """Two resources, three slots, a task that starts at 12; what is not named is as now."""
    now = np.array([0, 100, 1000, 50, 0, 0], np.int64)
    values = np.tile(now, (2, 3, 1))
    for (row, slot), change in changes.items():
        for objective, by in change.items():
            values[row, slot, objective] += by
    return Places(7, (1, 2), (0, 10, 20), values, np.array([begins, begins], np.int64), now, 12)


def test_that_the_first_objective_that_any_place_changes_decides() -> None:
    found = drops_of(
        places({(0, 1): {Objective.MAKESPAN: 40}, (1, 2): {Objective.MAKESPAN: -20}}), "tardiness,makespan"
    )
    assert found.objective is Objective.MAKESPAN
    assert (found.best, found.gain) == ((1, 2), -20)
    assert found.shares == ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0))


def test_that_lateness_decides_before_the_finish_where_it_counts_first() -> None:
    changed = places({(0, 0): {Objective.TARDINESS: 10}, (1, 1): {Objective.MAKESPAN: -500}})
    found = drops_of(changed, "tardiness,makespan")
    assert (found.objective, found.best) == (Objective.TARDINESS, None)
    assert drops_of(changed, "makespan,tardiness").best == (1, 1)


def test_that_a_place_that_breaks_more_rules_than_now_has_no_share_and_is_never_the_best() -> None:
    broken = {Objective.VIOLATIONS: 5, Objective.TARDINESS: -100}
    found = drops_of(places({(0, 0): broken, (0, 1): {Objective.TARDINESS: -30}}), "tardiness")
    assert found.shares[0][0] is None
    assert found.best == (0, 1)


def test_that_where_nothing_changes_there_is_nothing_to_say() -> None:
    found = drops_of(places({}), "tardiness,makespan")
    assert (found.objective, found.best, found.gain) == (None, None, 0)
    assert found.shares == ((0.0,) * 3,) * 2


def test_that_a_slot_in_which_the_task_would_wait_for_a_later_one_is_not_tinted_and_never_the_best() -> None:
    less = {Objective.TARDINESS: -30}
    found = drops_of(places({(0, 0): less, (0, 1): less, (0, 2): less}, begins=(20, 20, 29)), "tardiness")
    assert (found.shares[0], found.best) == ((0.0, 0.0, -1.0), (0, 2))
    nowhere = drops_of(places({(0, 0): less, (0, 1): less, (0, 2): less}, begins=(30, 30, 30)), "tardiness")
    assert (nowhere.objective, nowhere.best, nowhere.shares) == (None, None, ((0.0,) * 3,) * 2)


def test_that_of_places_that_gain_as_much_what_counts_next_decides_and_then_which_is_nearest() -> None:
    less = {Objective.TARDINESS: -30}
    equal = {(0, 0): less, (1, 1): less, (1, 2): less}
    assert drops_of(places(equal), "tardiness,makespan").best == (1, 1)
    equal[0, 0] = {**less, Objective.MAKESPAN: -1}
    assert drops_of(places(equal), "tardiness,makespan").best == (0, 0)
    assert drops_of(places(equal), "tardiness").best == (1, 1)
