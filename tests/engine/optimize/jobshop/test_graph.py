"""Heads, tails and moves against plain recomputation."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.optimize.aim import Aim
from engine.optimize.evaluate import evaluate
from engine.optimize.jobshop.columns import AHEAD, AT, END, ESTIMATE, HIGH, LENGTH, LOW, MODE, MOVES, NEAR, PATH
from engine.optimize.jobshop.graph import lay_out, makespan, sweep
from engine.optimize.jobshop.moves import collect, trace
from engine.optimize.jobshop.shop import shop_of
from engine.optimize.jobshop.tabu import last_of, make
from engine.optimize.problem import Objective, Problem, Solution
from tests.engine.optimize.jobshop.shops import MAKESPAN, SEEDS, assert_sound, plain_heads, scattered, sequences, shops


@given(shops(is_mixed=True), SEEDS)
def test_that_heads_and_tails_are_longest_paths(problem: Problem, seed: int) -> None:
    shop, walk = scattered(problem, MAKESPAN, seed)
    lay_out(shop, walk)
    assert_sound(problem, shop, walk)


@given(shops(), SEEDS)
def test_that_the_makespan_of_heads_is_the_evaluators(problem: Problem, seed: int) -> None:
    shop, walk = scattered(problem, MAKESPAN, seed)
    span = lay_out(shop, walk)
    _, source = shop_of(problem, MAKESPAN)
    heads = np.array(plain_heads(problem, shop, walk), np.int64)
    solution = Solution(source[walk.places[: len(heads), MODE]], problem.list_by(heads))
    assert evaluate(problem, solution).objectives[Objective.MAKESPAN] <= span
    assert span == max(heads + walk.nodes[: len(heads), LENGTH])


@given(shops(is_mixed=True), SEEDS, st.booleans())
def test_that_every_move_keeps_the_graph_sound_or_leaves_it_alone(problem: Problem, seed: int, keeps_all: bool) -> None:
    shop, walk = scattered(problem, MAKESPAN, seed)
    span = lay_out(shop, walk)
    for turn in range(6):
        walk.tally[MOVES] = 0
        trace(shop, walk, last_of(shop, walk, span))
        collect(shop, walk, keeps_all)
        if not walk.tally[MOVES]:
            break
        before = sequences(walk)
        if make(shop, walk, (seed + turn) % int(walk.tally[MOVES])):
            sweep(shop, walk, 0, walk.tally[LOW])
            sweep(shop, walk, len(walk.places), walk.tally[HIGH])
        else:
            assert sequences(walk) == before
        assert_sound(problem, shop, walk)
        span = makespan(shop, walk)


@given(shops(), SEEDS)
def test_that_the_estimate_of_an_exchange_of_neighbors_is_the_longest_path_through_them(
    problem: Problem, seed: int
) -> None:
    shop, walk = scattered(problem, MAKESPAN, seed)
    span = lay_out(shop, walk)
    trace(shop, walk, last_of(shop, walk, span))
    collect(shop, walk, False)
    for row in range(walk.tally[MOVES]):
        node, past, how, promised, _ = walk.moves[row].tolist()
        if how == AHEAD and walk.nodes[past, NEAR] == node and make(shop, walk, row):
            lay_out(shop, walk)
            late = len(walk.places)
            through = [walk.nodes[each, AT] + walk.nodes[late + each, END] for each in (node, past)]
            assert promised == max(through) or promised > walk.moves[: walk.tally[MOVES], ESTIMATE].min()
            break


@given(shops(), SEEDS)
def test_that_a_critical_path_has_no_gaps_and_is_as_long_as_the_plan(problem: Problem, seed: int) -> None:
    shop, walk = scattered(problem, MAKESPAN, seed)
    span = lay_out(shop, walk)
    trace(shop, walk, last_of(shop, walk, span))
    path = walk.path[: walk.tally[PATH]]
    assert walk.nodes[path, LENGTH].sum() == span


@given(shops(is_mixed=True), SEEDS)
def test_that_aims_and_pins_do_not_change_what_heads_are(problem: Problem, seed: int) -> None:
    shop, walk = scattered(problem, Aim.weighted((0, 3, 1, 2, 1, 1)), seed)
    lay_out(shop, walk)
    assert_sound(problem, shop, walk)
