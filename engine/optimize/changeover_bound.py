"""How much changing over no plan gets by with: families that machines must meet, in their cheapest order. No search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.optimize.problem import NONE, Flags, Longs, Problem, open_modes

_MOST_ORDERED = 10  # families of a machine whose every order is weighed
_FAR = 1 << 40


@dataclass(frozen=True, slots=True)
class _Machine:
    """A machine with a matrix: arcs int64[f, f], the family it begins with, and bool[f] which families may, must come.

    `blanks`: how many operations without a family may stand between two others, which then need nothing.
    """

    arcs: Longs
    first: int
    may: Flags
    must: Flags
    blanks: int


def changeover_bound(problem: Problem) -> int:
    """Ticks of changeovers, on all machines, that no plan is without.

    The greater of two sums: of what each machine needs for families that nobody else can do (the shortest path through
    them, Held and Karp 1962), and of the cheapest way into each family, on whichever machine.
    """
    names = np.flatnonzero(problem.resource_matrix != NONE).tolist()
    if not names:
        return 0
    on = {name: _modes_on(problem, name) for name in names}
    machines = {name: _machine(problem, on[name], name) for name in names}
    return max(sum(_path(each) for each in machines.values()), _entries(problem, on, machines))


def _modes_on(problem: Problem, name: int) -> Flags:
    """Which modes hold a machine for a while: bool[k]."""
    user = np.repeat(np.arange(len(problem.duration)), np.diff(problem.first_use))
    found = np.zeros(len(problem.duration), np.bool_)
    found[user[(problem.use_resource == name) & (problem.use_units > 0)]] = True
    return found & (problem.duration > 0)


def _machine(problem: Problem, on: Flags, name: int) -> _Machine:
    is_open = open_modes(problem)
    comes = np.unique(problem.owner[on & is_open])
    family = problem.family[comes]
    sure = problem.family[np.setdiff1d(comes, problem.owner[~on & is_open])]
    may, must = (np.isin(np.arange(problem.changeover.shape[1]), each) for each in (family, sure))
    arcs = problem.changeover[problem.resource_matrix[name]].astype(np.int64)
    return _Machine(arcs, int(problem.resource_family[name]), may, must, int((family == NONE).sum()))


def _path(machine: _Machine) -> int:
    """What a machine needs for the families that must come."""
    must = np.flatnonzero(machine.must)
    ways = np.sort(np.array([_way_into(machine, family) for family in must.tolist()], np.int64))
    free = machine.blanks + (machine.first == NONE)
    least = int(ways[: max(0, len(ways) - free)].sum())
    if machine.blanks or len(must) < 2:
        return least
    if len(must) > _MOST_ORDERED:  # a path through some of them is no longer than one through all
        hardest = sorted(must.tolist(), key=lambda family: -_way_into(machine, family))
        must = np.array(hardest[:_MOST_ORDERED])
    arcs = _closed(machine)
    begin = np.zeros(len(must), np.int64) if machine.first == NONE else arcs[machine.first, must]
    return max(least, shortest_path(arcs[np.ix_(must, must)], begin))


def _way_into(machine: _Machine, family: int) -> int:
    """The cheapest changeover to a family from another one, or from what the machine is set up for."""
    before = np.array(machine.may)
    before[family] = False
    if machine.first != NONE:
        before[machine.first] = True
    return int(machine.arcs[before, family].min(initial=_FAR)) if before.any() else 0


def _closed(machine: _Machine) -> Longs:
    """The least between any two families by way of those that may come between: int64[f, f]."""
    arcs = machine.arcs.copy()
    for between in np.flatnonzero(machine.may).tolist():
        arcs = np.minimum(arcs, arcs[:, between, None] + arcs[None, between, :])
    return arcs


def shortest_path(arcs: Longs, begin: Longs) -> int:
    """The length of the shortest path through all nodes: arcs int64[n, n], and what it takes to begin at each."""
    count, every = len(begin), np.arange(1 << len(begin))
    sizes = sum((every >> node & 1 for node in range(count)), np.zeros(len(every), np.int64))
    best = np.full((len(every), count), _FAR, np.int64)  # through the nodes of a set, ending at one of them
    best[1 << np.arange(count), np.arange(count)] = begin
    for size in range(1, count):
        seen = every[sizes == size]
        further = (best[seen][:, :, None] + arcs).min(axis=1)
        for node in range(count):
            is_new = seen >> node & 1 == 0
            best[seen[is_new] | 1 << node, node] = further[is_new, node]
    return int(best[-1].min())


def _entries(problem: Problem, on: dict[int, Flags], machines: dict[int, _Machine]) -> int:
    """The cheapest way into each family that must come somewhere; a machine without a first one takes one for free."""
    somewhere, is_open = np.logical_or.reduce([*on.values()]), open_modes(problem)
    sure = np.setdiff1d(np.flatnonzero(problem.family != NONE), problem.owner[~somewhere & is_open])
    into = {name: {f: _way_into(each, f) for f in np.flatnonzero(each.may).tolist()} for name, each in machines.items()}
    ways: dict[int, int] = {}
    for operation in sure.tolist():
        family, modes = int(problem.family[operation]), slice(*problem.first_mode[operation : operation + 2].tolist())
        least = min(into[name][family] for name in machines if (on[name][modes] & is_open[modes]).any())
        ways[family] = max(ways.get(family, 0), least)
    free = sum(each.blanks + (each.first == NONE) for each in machines.values())
    return sum(sorted(ways.values())[: max(0, len(ways) - free)])
