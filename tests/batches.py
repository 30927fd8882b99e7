"""Small batches for each source of engine.optimize.batch, and what plain Python makes of them, without Numba."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.batch.lists import DeviceLists
from engine.optimize.batch.relinks import DeviceRelinks, order_by
from engine.optimize.batch.sequences import MOST_EXCHANGES, DeviceSequences, Jobs, jobs_of
from engine.optimize.batch.walks import BEST, ITERATION, DeviceWalks, Rules, sequence_by
from engine.optimize.batch.worth import worth_of
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.problem import Objective, Problem
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


def small_shop() -> Problem:
    """Four jobs of one to four operations on three machines, with release and due dates."""
    random, draft = np.random.Generator(np.random.PCG64(10)), Draft(start=3)
    draft.resources = [ResourceDraft()] * 3
    for job in range(4):
        for place in range(job + 1):
            mode = ModeDraft(int(random.integers(0, 9)), uses=((int(random.integers(0, 3)), 1),))
            draft.operations.append(OperationDraft(modes=(mode,), release=4 * job, due=20, weight=job))
            if place:
                here = len(draft.operations) - 1
                draft.links.append(LinkDraft(before=here - 1, after=here))
    return draft.build()


def plain_sequence(problem: Problem, sequence: list[int]) -> int:
    """What AIM makes of a sequence of jobs."""
    jobs: dict[int, list[int]] = {}
    for each in range(problem.operation_count):
        first = jobs.get(each - 1) if each in problem.link_to else None
        jobs[each] = [*first, each] if first else [each]
    chains = [chain for each, chain in jobs.items() if each not in problem.link_from]
    ready, free, done, finish = [0] * len(chains), [0] * 99, [0] * len(chains), dict[int, int]()
    for job in sequence:
        each = chains[job][done[job]]
        done[job] += 1
        machine = int(problem.use_resource[each])
        since = max(ready[job], free[machine], int(problem.release[each]) - problem.start)
        ready[job] = free[machine] = finish[each] = since + int(problem.duration[each])
    late = sum(
        max(0, problem.start + end - int(problem.due[each])) * int(problem.weight[each]) for each, end in finish.items()
    )
    return 2 * max(finish.values()) + 3 * late


def sequences_are_right(launcher: Launcher) -> bool:
    """Sequences of a small shop."""
    random = np.random.Generator(np.random.PCG64(11))
    sequences = np.array([random.permutation([0, 1, 1, 2, 2, 2, 3, 3, 3, 3]) for _ in range(70)], np.uint16)
    problem = small_shop()
    worths = DeviceSequences(problem, AIM, launcher, 75).decode(sequences)
    return bool(worths.tolist() == [plain_sequence(problem, each) for each in sequences.tolist()])


def children_are_right(launcher: Launcher) -> bool:
    """Children of sequences: each has the jobs of its parent, few of them elsewhere, and what it is worth."""
    parents = np.array([[3, 3, 3, 3, 2, 2, 2, 1, 1, 0], [0, 1, 2, 3, 1, 2, 3, 2, 3, 3]], np.uint16)
    problem = small_shop()
    batch = DeviceSequences(problem, AIM, launcher, 80)
    worths = batch.vary(parents, 5, 100, 70).tolist()
    children = launcher.get(batch.sequences)[:, :70].T
    moved = [np.count_nonzero(child != parents[number // 35]) for number, child in enumerate(children)]
    return bool(
        worths == [plain_sequence(problem, each) for each in children.tolist()]
        and (np.sort(children, axis=1) == np.sort(parents[0])).all()
        and max(moved) <= 2 * MOST_EXCHANGES
        and len({tuple(child) for child in children.tolist()}) > 50
    )


def walkable_shop() -> Problem:
    """Six jobs, each once on each of three machines, none in no time."""
    random = np.random.Generator(np.random.PCG64(12))
    draft = Draft(resources=[ResourceDraft()] * 3)
    for job in range(6):
        for place, machine in enumerate(random.permutation(3).tolist()):
            mode = ModeDraft(int(random.integers(1, 9)), uses=((machine, 1),))
            draft.operations.append(OperationDraft(modes=(mode,), release=job if place == 0 else 0))
            if place:
                draft.links.append(LinkDraft(before=3 * job + place - 1, after=3 * job + place))
    return draft.build()


def plain_makespan(jobs: Jobs, sequence: list[int]) -> int:
    """When the last operation ends, in slots, if each waits for its job and for the one before it on its machine.

    AssertionError where they wait for one another.
    """
    finish, width = dict[int, int](), int(jobs.sizes[3])
    for _ in sequence:  # each pass finishes one operation at the least
        for place, step in enumerate(sequence):
            before = sequence[place - 1] if place and jobs.machine[sequence[place - 1]] == jobs.machine[step] else None
            by_job = step - 1 if step % width else None
            if all(each is None or each in finish for each in (before, by_job)):
                ready = finish[by_job] if by_job is not None else int(jobs.release[step // width])
                finish[step] = max(ready, finish.get(before, 0) if before is not None else 0) + int(jobs.slots[step])
    assert len(finish) == len(sequence)
    return max(finish.values())


def walks_are_right(launcher: Launcher) -> bool:
    """Walks of a small shop: what they found is worth what they say, and none gets worse than where it began."""
    problem = walkable_shop()
    jobs = jobs_of(problem, worth_of(problem, Aim.lexicographic(Objective.MAKESPAN)))
    begun = np.array([sequence_by(jobs, each) for each in random_lists(problem, 3, seed=13)])
    walks = DeviceWalks(jobs, launcher, 3, Rules(seed=4))
    walks.begin(begun)
    tally, best = walks.go_on(15), walks.best()
    values = [plain_makespan(jobs, each) for each in best.tolist()]
    return bool(
        tally[:, BEST].tolist() == values
        and tally[:, ITERATION].max() == 15
        and all(value <= plain_makespan(jobs, each) for value, each in zip(values, begun.tolist(), strict=True))
        and sum(values) < sum(plain_makespan(jobs, each) for each in begun.tolist())
    )


def relinks_are_right(launcher: Launcher) -> bool:
    """Children of two orders: one like its parent, one like the other parent, one between that can be carried out."""
    problem = walkable_shop()
    jobs = jobs_of(problem, worth_of(problem, AIM))
    lists = random_lists(problem, 2, seed=14)
    elites = np.array([order_by(jobs, each) for each in lists])
    children = launcher.room((3, problem.operation_count), np.uint16)
    pairs = np.array([(0, 1, 0), (0, 1, 1000), (0, 1, 5)], np.int32)
    DeviceRelinks(jobs, launcher).approach(elites, pairs, 6, 0, children)
    start, goal, between = launcher.get(children).tolist()
    parents = [sequence_by(jobs, each).tolist() for each in lists]
    return [start, goal] == parents and between not in parents and plain_makespan(jobs, between) > 0


BATCHES: dict[str, Callable[[Launcher], bool]] = {
    "sgs": lists_are_right,
    "decode": sequences_are_right,
    "vary": children_are_right,
    "walk": walks_are_right,
    "relink": relinks_are_right,
}
