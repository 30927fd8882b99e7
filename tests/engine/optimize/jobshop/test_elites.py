"""How far schedules are apart, and that what is kept of it stays true while they come and go."""

from __future__ import annotations

import itertools

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.jobshop.columns import ON, Column, Shop
from engine.optimize.jobshop.elites import Elite, Elites
from engine.optimize.jobshop.shop import shop_of
from engine.optimize.problem import Objective, Problem

JOBS, STEPS, MACHINES = 6, 4, 3


def flexible() -> Problem:
    """Jobs whose operations have two machines each, the last one of each job none at all."""
    draft = Draft(resources=[ResourceDraft() for _ in range(MACHINES)])
    for job in range(JOBS):
        for step in range(STEPS):
            ways = tuple(ModeDraft(3, uses=(((job + step + way) % MACHINES, 1),)) for way in range(2))
            draft.operations.append(OperationDraft(modes=ways if step < STEPS - 1 else (ModeDraft(2),)))
            if step:
                draft.links.append(LinkDraft(before=len(draft.operations) - 2, after=len(draft.operations) - 1))
    return draft.build()


def elite(problem: Problem, shop: Shop, seed: int) -> Elite:
    chance = np.random.default_rng(seed)
    order = problem.list_by(chance.integers(0, 1 << 30, problem.operation_count)).astype(np.int64)
    mode = np.array([chance.integers(first, last) for first, last in itertools.pairwise(shop.first_mode)])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    lanes = order[np.argsort(shop.modes[mode[order], ON], kind="stable")]
    return Elite(int(chance.integers(10, 20)), order, place, mode, lanes)


def pairs_apart(shop: Shop, one: Elite, other: Elite) -> int:
    """By looking at each pair of operations."""
    machine, there = (shop.modes[each.mode, ON] for each in (one, other))
    apart = int(np.count_nonzero(machine != there))
    for at, node in enumerate(one.order):
        for later in one.order[at + 1 :]:
            on_one = len({machine[node], machine[later], there[node], there[later]}) == 1
            apart += on_one and machine[node] < MACHINES and other.place[later] < other.place[node]
    return apart


def test_that_how_far_elites_are_apart_stays_true_while_they_come_and_go() -> None:
    problem = flexible()
    shop, _ = shop_of(problem, Aim.lexicographic(Objective.MAKESPAN))
    elites = Elites(shop)
    for seed in range(60):
        elites.offer(elite(problem, shop, seed))
    kept = elites.kept
    assert len(kept) == 16
    between: list[Column] = [np.array([pairs_apart(shop, one, other) for other in kept]) for one in kept]
    assert [[elites.between(one, other) for other in kept] for one in kept] == np.array(between).tolist()
    assert elites.spread == np.sum(between) / (16 * 15)
    elites.restart()
    assert len(elites.kept) == 1
