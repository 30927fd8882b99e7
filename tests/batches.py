"""Small batches for each source of engine.optimize.batch, and what plain Python makes of them, without Numba."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.batch.lists import DeviceLists
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.problem import Problem
from engine.program.launcher import Launcher

AIM = Aim.weighted([1, 3, 2, 0, 0, 5])


def random_lists(problem: Problem, size: int, seed: int) -> np.ndarray:
    """Activity lists, uint16[size, n]."""
    random = np.random.Generator(np.random.PCG64(seed))
    keys = random.integers(0, 1 << 30, (size, problem.operation_count))
    return np.array([problem.list_by(key) for key in keys], np.uint16)


def small_project() -> Problem:
    """Fifteen activities on two resources, with release and due dates."""
    random, draft = np.random.Generator(np.random.PCG64(8)), Draft(start=7)
    draft.resources = [ResourceDraft(capacity=5), ResourceDraft(capacity=3)]
    for number in range(15):
        uses = ((0, 1 + number % 5), (1, 1 + number % 3))[: number % 3]
        mode = ModeDraft(int(random.integers(0, 40)), uses=uses)
        draft.operations.append(OperationDraft(modes=(mode,), release=number % 4 * 9, due=60, weight=number % 3))
        draft.links += [LinkDraft(before=each, after=number, lag=each) for each in range(max(0, number - 4), number, 3)]
    return draft.build()


def plain_worth(problem: Problem, order: np.ndarray) -> tuple[int, list[int]]:
    """What AIM makes of an activity list, and its starts: tick by tick, nothing packed."""
    start = [0] * problem.operation_count
    load: dict[tuple[int, int], int] = {}
    for each in order.tolist():
        found = max(0, int(problem.release[each]) - problem.start)
        for link in np.flatnonzero(problem.link_to == each).tolist():
            before = int(problem.link_from[link])
            found = max(found, start[before] + int(problem.duration[before] + problem.link_lag[link]))
        uses = range(problem.first_use[each], problem.first_use[each + 1])
        held = [(int(problem.use_resource[use]), int(problem.use_units[use])) for use in uses]
        length = int(problem.duration[each])
        while any(
            load.get((resource, tick), 0) + units > problem.capacity[resource]
            for resource, units in held
            for tick in range(found, found + length)
        ):
            found += 1
        for resource, units in held:
            for tick in range(found, found + length):
                load[resource, tick] = load.get((resource, tick), 0) + units
        start[each] = found
    finish = [begin + int(length) for begin, length in zip(start, problem.duration, strict=True)]
    late = sum(
        max(0, problem.start + end - int(due)) * int(weight)
        for end, due, weight in zip(finish, problem.due, problem.weight, strict=True)
    )
    return 2 * max(finish) + 3 * late, start


def lists_are_right(launcher: Launcher) -> bool:
    """A few activity lists of a small project."""
    problem = small_project()
    lists = random_lists(problem, 3, seed=9)
    batch = DeviceLists(problem, AIM, launcher, 3)
    worths, wanted = batch.decode(lists).tolist(), [plain_worth(problem, order) for order in lists]
    starts = [batch.starts(each).tolist() for each in range(3)]
    return worths == [worth for worth, _ in wanted] and starts == [dates for _, dates in wanted]


BATCHES: dict[str, Callable[[Launcher], bool]] = {"sgs": lists_are_right}
