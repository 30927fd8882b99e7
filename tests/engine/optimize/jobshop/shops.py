"""Random shops of a few jobs, and what is true of a graph, computed the slow way."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from engine.optimize.aim import Aim
from engine.optimize.chance import below
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.jobshop.columns import AT, END, LENGTH, MACHINE, MODE, NEAR, WHERE, Shop, Walk
from engine.optimize.jobshop.shop import shop_of, walk_of
from engine.optimize.problem import NONE, LinkKind, Objective, Problem

FAMILIES = 2


@st.composite
def shops(draw: st.DrawFn, is_mixed: bool = False) -> Problem:
    """Jobs of operations that follow one another; mixed: with releases, dues, pins, gaps and changeovers too."""
    machines = draw(st.integers(2, 3))
    draft = Draft()
    matrix = is_mixed and draw(st.booleans())
    draft.changeover = [[[draw(st.integers(0, 4)) for _ in range(FAMILIES)] for _ in range(FAMILIES)]] if matrix else []
    family = st.integers(-1, FAMILIES - 1)
    draft.resources = [
        ResourceDraft(matrix=0 if matrix else NONE, family=draw(family) if matrix else NONE) for _ in range(machines)
    ]
    for job in range(draw(st.integers(2, 4))):
        for place in range(draw(st.integers(1, 3))):
            draft.operations.append(operation(draw, machines, job, is_mixed))
            here = len(draft.operations) - 1
            if place:
                kind = draw(st.sampled_from(list(LinkKind))) if is_mixed else LinkKind.FS
                draft.links.append(LinkDraft(before=here - 1, after=here, kind=kind, lag=draw(lags(is_mixed))))
    return draft.build()


def lags(is_mixed: bool) -> st.SearchStrategy[int]:
    return st.integers(-2, 4) if is_mixed else st.just(0)


def operation(draw: st.DrawFn, machines: int, job: int, is_mixed: bool) -> OperationDraft:
    choices = draw(st.sets(st.integers(0, machines - 1), min_size=1, max_size=2))
    pin = draw(st.sampled_from([NONE, NONE, NONE, 4])) if is_mixed else NONE
    return OperationDraft(
        modes=tuple(
            ModeDraft(draw(st.integers(0 if is_mixed else 1, 9)), uses=((each, 1),)) for each in sorted(choices)
        ),
        release=draw(st.integers(0, 5)) if is_mixed else 0,
        due=draw(st.integers(5, 30)) if is_mixed else 1 << 60,
        family=draw(st.integers(-1, FAMILIES - 1)) if is_mixed else NONE,
        pinned_start=pin,
        job=job,
    )


def scattered(problem: Problem, aim: Aim, seed: int) -> tuple[Shop, Walk]:
    """A shop and a walk in it, with a random order and random modes that nothing has been made of yet."""
    shop, _ = shop_of(problem, aim)
    walk = walk_of(problem, seed)
    count = problem.operation_count
    walk.order[:] = problem.list_by(np.array([below(walk.chance, 100) for _ in range(count)], np.int64))
    for node in range(count):
        choices = int(shop.first_mode[node + 1] - shop.first_mode[node])
        walk.places[node, MODE] = shop.first_mode[node] + below(walk.chance, choices)
    return shop, walk


def sequences(walk: Walk) -> dict[int, list[int]]:
    """The operations of each machine, as its boundary leads to them."""
    count, rows = len(walk.order), len(walk.places)
    found = {}
    for machine in range(rows - count - 1):
        boundary = count + machine
        found[machine], node = [], int(walk.nodes[rows + boundary, NEAR])
        while node != boundary:
            found[machine].append(node)
            node = int(walk.nodes[rows + node, NEAR])
    return found


def waits(problem: Problem, shop: Shop, walk: Walk) -> list[tuple[int, int, int]]:
    """Every (before, after, gap): head of after >= end of before + gap; from the problem and the sequences alone."""
    length = [int(shop.modes[walk.places[node, MODE], 1]) for node in range(len(walk.order))]
    found = []
    for link in range(len(problem.link_from)):
        before, after, kind = int(problem.link_from[link]), int(problem.link_to[link]), problem.link_kind[link]
        gap = int(problem.link_lag[link])
        gap -= length[before] if kind in (LinkKind.SS, LinkKind.SF) else 0
        gap -= length[after] if kind in (LinkKind.FF, LinkKind.SF) else 0
        found.append((before, after, gap))
    for machine, nodes in sequences(walk).items():
        for before, after in itertools.pairwise(nodes):
            found.append((before, after, setup_of(problem, machine, problem.family[before], problem.family[after])))
    return found


def setup_of(problem: Problem, machine: int, before: int, after: int) -> int:
    matrix = problem.resource_matrix[machine]
    return 0 if NONE in (matrix, before, after) else int(problem.changeover[matrix, before, after])


def plain_heads(problem: Problem, shop: Shop, walk: Walk) -> list[int]:
    """Heads by going round until nothing changes; fails where that never happens, on a circle."""
    count = len(walk.order)
    heads = [int(walk.nodes[node, 0]) for node in range(count)]
    for machine, nodes in sequences(walk).items():
        if nodes:
            first = setup_of(problem, machine, problem.resource_family[machine], problem.family[nodes[0]])
            heads[nodes[0]] = max(heads[nodes[0]], first)
    return settled(heads, waits(problem, shop, walk), lengths(walk))


def plain_tails(problem: Problem, shop: Shop, walk: Walk) -> list[int]:
    """The same from the other end."""
    turned = [(after, before, gap) for before, after, gap in waits(problem, shop, walk)]
    return settled([0] * len(walk.order), turned, lengths(walk))


def lengths(walk: Walk) -> list[int]:
    return walk.nodes[: len(walk.order), LENGTH].tolist()


def settled(heads: list[int], arcs: list[tuple[int, int, int]], length: list[int]) -> list[int]:
    for _ in range(len(heads) + 1):
        before = list(heads)
        for one, other, gap in arcs:
            heads[other] = max(heads[other], heads[one] + length[one] + gap)
        if heads == before:
            return heads
    raise AssertionError("there is a circle")


def assert_sound(problem: Problem, shop: Shop, walk: Walk) -> None:
    """The order is topological, machines hold those whose mode is theirs, heads and tails are the plain ones."""
    count, rows = len(walk.order), len(walk.places)
    assert sorted(walk.order.tolist()) == list(range(count))
    assert walk.places[walk.order, WHERE].tolist() == list(range(count))
    for before, after, _ in waits(problem, shop, walk):
        assert walk.places[before, WHERE] < walk.places[after, WHERE]
    held = {node: machine for machine, nodes in sequences(walk).items() for node in nodes}
    none = rows - count - 1
    assert [held.get(node, none) for node in range(count)] == walk.places[:count, MACHINE].tolist()
    assert walk.nodes[:count, AT].tolist() == plain_heads(problem, shop, walk)
    assert walk.nodes[rows : rows + count, AT].tolist() == plain_tails(problem, shop, walk)
    assert (walk.nodes[:count, END] == walk.nodes[:count, AT] + walk.nodes[:count, LENGTH]).all()


MAKESPAN = Aim.lexicographic(Objective.MAKESPAN)
SEEDS = st.integers(0, 1 << 20)
