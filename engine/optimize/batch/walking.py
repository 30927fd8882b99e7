"""Walks of tabu search through a job shop in batches, on the processor: the twin of walk.cu. It loads numba.

It never uses more than the thread that calls it, and lets the interpreter go on meanwhile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiled import inlined, njit_bare
from engine.optimize.batch.sequences import Jobs
from engine.optimize.batch.walks import (
    BEST,
    BEST_AT,
    ITERATION,
    MEMORY,
    NOTHING_YET,
    VALUE,
    Places,
    Rules,
    ends_of,
)
from engine.optimize.chance import Chance
from engine.optimize.problem import Longs

_STEP, _ONE, _TWO = (np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_S27, _S30, _S31, _S33 = (np.uint64(each) for each in (27, 30, 31, 33))
PER_WALK = 0x632BE59BD9B4E019
_SPREAD = 2654435761
_FAR = 1 << 62
# Columns of Floor.steps.
_MACHINE, _SLOTS, _FIRST, _LAST, _RELEASE = range(5)


class Floor(NamedTuple):
    """A walk at work: steps int64[table, 5]; sequence, place, head, tail, waits, order, path int64; memory int64."""

    steps: Longs
    sequence: Longs
    place: Longs
    head: Longs
    tail: Longs
    waits: Longs
    order: Longs
    path: Longs
    memory: Longs


class CpuWalks:
    """Walks one after another."""

    def __init__(self, jobs: Jobs, walks: int, rules: Rules) -> None:
        count, table = int(jobs.sizes[0]), len(jobs.operation)
        self.sequences = np.zeros((walks, count), np.int64)
        self._best = np.zeros((walks, count), np.int64)
        self._memory = np.zeros((walks, MEMORY), np.int64)
        self._tally = np.zeros((walks, 4), np.int64)
        goal, tenure, seed, first = rules.scalars()
        self._rules = np.array([0, goal, tenure], np.int64)
        self._seeds = np.array([(seed + (first + walk) * PER_WALK) % (1 << 64) for walk in range(walks)], np.uint64)
        self._floor = floor_for(jobs, count, table)

    def begin(self, sequences: Places) -> None:
        """Set walks to these sequences, with nothing remembered."""
        self.sequences[:] = sequences
        self.forget()

    def forget(self) -> None:
        """Walks begin where their sequences stand, with nothing remembered."""
        self._memory[:] = 0
        self._tally[:] = 0, 0, NOTHING_YET, 0

    def go_on(self, iterations: int) -> Longs:
        """Tallies after so many iterations of each: int64[w, 4]."""
        self._rules[0] = iterations
        for walk in range(len(self.sequences)):
            floor = self._floor._replace(sequence=self.sequences[walk], memory=self._memory[walk])
            _walk(floor, self._best[walk], self._tally[walk], self._seeds[walk : walk + 1], self._rules)
        return self._tally.copy()

    def best(self) -> Places:
        """The best sequence of each walk."""
        return self._best.astype(np.uint16)


def floor_for(jobs: Jobs, count: int, table: int) -> Floor:
    """Room for one walk."""
    is_first, is_last = ends_of(jobs)
    release = np.repeat(jobs.release, int(jobs.sizes[3]))
    steps = np.stack([jobs.machine, jobs.slots, is_first, is_last, release], axis=1).astype(np.int64)
    place, head, tail, waits = np.zeros((4, table), np.int64)
    sequence, order, path = np.zeros((3, count), np.int64)
    return Floor(steps, sequence, place, head, tail, waits, order, path, np.zeros(MEMORY, np.int64))


def starts_of(jobs: Jobs, sequence: Places) -> Longs:
    """When each operation starts, int64[n], in slots, as soon as its job and the sequence allow."""
    floor = floor_for(jobs, len(sequence), len(jobs.operation))
    floor.sequence[:] = sequence
    _stand(floor)
    _heads(floor)
    starts = np.zeros(len(sequence), np.int64)
    starts[jobs.operation[floor.sequence]] = floor.head[floor.sequence]
    return starts


@inlined
def mix(seed: np.uint64, counter: int) -> int:
    """31 random bits: a hash of the seed of a walk and a counter, as the sources have it."""
    mixed = seed + np.uint64(counter) * _STEP
    mixed = (mixed ^ (mixed >> _S30)) * _ONE
    mixed = (mixed ^ (mixed >> _S27)) * _TWO
    return np.int64((mixed ^ (mixed >> _S31)) >> _S33)  # type: ignore[return-value]  # int() stays unsigned there


@inlined
def _before(floor: Floor, node: int) -> int:
    place = floor.place[node]
    before = -1
    if place > 0 and floor.steps[floor.sequence[place - 1], _MACHINE] == floor.steps[node, _MACHINE]:
        before = floor.sequence[place - 1]
    return before


@inlined
def _after(floor: Floor, node: int) -> int:
    place = floor.place[node] + 1
    after = -1
    if place < len(floor.sequence) and floor.steps[floor.sequence[place], _MACHINE] == floor.steps[node, _MACHINE]:
        after = floor.sequence[place]
    return after


@inlined
def _ready(floor: Floor, node: int) -> int:
    ready = floor.steps[node, _RELEASE]
    if not floor.steps[node, _FIRST]:
        ready = floor.head[node - 1] + floor.steps[node - 1, _SLOTS]
    return int(ready)


@inlined
def _rest(floor: Floor, node: int) -> int:
    rest = 0
    if not floor.steps[node, _LAST]:
        rest = floor.tail[node + 1] + floor.steps[node + 1, _SLOTS]
    return int(rest)


@inlined
def _slot(before: int, after: int) -> int:
    return ((before * _SPREAD + after & 0xFFFFFFFF) * _SPREAD & 0xFFFFFFFF) >> 15 & (MEMORY - 1)


@njit_bare
def _stand(floor: Floor) -> None:
    for place in range(len(floor.sequence)):
        floor.place[floor.sequence[place]] = place


@njit_bare
def _heads(floor: Floor) -> int:
    order, waits, filled, end = floor.order, floor.waits, 0, 0
    for place in range(len(order)):
        node = floor.sequence[place]
        waits[node] = (0 if floor.steps[node, _FIRST] else 1) + (0 if _before(floor, node) < 0 else 1)
        if waits[node] == 0:
            order[filled] = node
            filled += 1
    for at in range(len(order)):
        node = order[at]
        before, after, head = _before(floor, node), _after(floor, node), _ready(floor, node)
        if before >= 0:
            head = max(head, floor.head[before] + floor.steps[before, _SLOTS])
        floor.head[node] = head
        end = max(end, head + floor.steps[node, _SLOTS])
        for following in (-1 if floor.steps[node, _LAST] else node + 1, after):
            if following >= 0:
                waits[following] -= 1
                if waits[following] == 0:
                    order[filled] = following
                    filled += 1
    return end


@njit_bare
def _tails(floor: Floor) -> None:
    for at in range(len(floor.order) - 1, -1, -1):
        node = floor.order[at]
        after, tail = _after(floor, node), _rest(floor, node)
        if after >= 0:
            tail = max(tail, floor.tail[after] + floor.steps[after, _SLOTS])
        floor.tail[node] = tail


@njit_bare
def _trace(floor: Floor, end: int, seed: np.uint64, counter: int) -> int:
    """A critical path, latest first, into floor.path; its length."""
    node, least, length = -1, _FAR, 0
    for place in range(len(floor.sequence)):
        each = floor.sequence[place]
        if floor.head[each] + floor.steps[each, _SLOTS] == end:
            key = mix(seed, counter + each) << 16 | each
            if key < least:
                least, node = key, each
    while node >= 0:
        floor.path[length] = node
        length += 1
        before, head = _before(floor, node), floor.head[node]
        by_machine = before >= 0 and floor.head[before] + floor.steps[before, _SLOTS] == head
        by_job = not floor.steps[node, _FIRST] and _ready(floor, node) == head
        if by_machine and (not by_job or mix(seed, counter + 0x10000 + node) & 1):
            node = before
        else:
            node = node - 1 if by_job else -1
    return length


@njit_bare
def _estimate(floor: Floor, node: int, past: int, now: int) -> int:
    """The longest path through the stretch after a move, less than 0 where it is forbidden; _FAR: maybe a circle."""
    steps, head, tail, sequence = floor.steps, floor.head, floor.tail, floor.sequence
    since, until = floor.place[node], floor.place[past]
    is_later, ready, rest = since < until, _ready(floor, node), _rest(floor, node)
    if is_later:
        if not steps[node, _LAST] and (past == node + 1 or tail[past] + steps[past, _SLOTS] < rest):
            return _FAR
        before, after, low, high = _before(floor, node), _after(floor, past), since + 1, until
    else:
        if not steps[node, _FIRST] and (past + 1 == node or head[past] + steps[past, _SLOTS] < ready):
            return _FAR
        before, after, low, high = _before(floor, past), _after(floor, node), until, since - 1
    level = 0 if before < 0 else head[before] + steps[before, _SLOTS]
    total, is_tabu = 0, True
    if not is_later:
        level = max(ready, level) + steps[node, _SLOTS]
        total = level + rest
    for place in range(low, high + 1):
        other = sequence[place]
        level = max(_ready(floor, other), level) + steps[other, _SLOTS]
        total = max(total, level + _rest(floor, other))
        slot = _slot(other, node) if is_later else _slot(node, other)
        is_tabu = is_tabu and floor.memory[slot] > now
    if is_later:
        level = max(ready, level) + steps[node, _SLOTS]
        total = max(total, level + rest)
    if after >= 0:
        total = max(total, level + tail[after] + steps[after, _SLOTS])
    return -total if is_tabu else total


@njit_bare
def _move(floor: Floor, length: int, slot: int) -> tuple[int, int]:
    """The slot-th move of the path: (node, past); (-1, -1) where there is none."""
    path, steps, at, kind = floor.path, floor.steps, slot >> 2, slot & 3
    machine, since, until = steps[path[at], _MACHINE], at, at
    while since > 0 and steps[path[since - 1], _MACHINE] == machine:
        since -= 1
    while until + 1 < length and steps[path[until + 1], _MACHINE] == machine:
        until += 1
    if kind in (0, 3):
        is_one = since > 0 and since < at
    else:
        is_one = until < length - 1 and at < until
    if kind >= 2:
        is_one = is_one and since < at < until
    if not is_one:
        return -1, -1
    if kind == 0:
        return path[at], path[since]
    if kind == 1:
        return path[at], path[until]
    return (path[until], path[at]) if kind == 2 else (path[since], path[at])


@njit_bare
def _choose(floor: Floor, length: int, best: int, seed: np.uint64, now: int) -> int:
    """The slot of the best move allowed, any one where all are forbidden; -1: there is none."""
    chosen, least_worth, least_luck = -1, _FAR, _FAR
    for slot in range(4 * length):
        node, past = _move(floor, length, slot)
        if node >= 0:
            worth = _estimate(floor, node, past, now)
            luck = (mix(seed, (now << 18) + 0x20000 + slot) & 0x7FFF) << 16 | slot
            if -worth >= best:
                worth = _FAR - 1
            worth = abs(worth)
            if worth < _FAR and (worth < least_worth or (worth == least_worth and luck < least_luck)):
                chosen, least_worth, least_luck = slot, worth, luck
    return chosen


@njit_bare
def _apply(floor: Floor, node: int, past: int, until: int) -> None:
    place, goal = floor.place[node], floor.place[past]
    step = 1 if place < goal else -1
    while place != goal:
        other = floor.sequence[place + step]
        floor.sequence[place], floor.place[other] = other, place
        floor.memory[_slot(node, other) if step > 0 else _slot(other, node)] = until
        place += step
    floor.sequence[goal], floor.place[node] = node, goal


@njit_bare
def _walk(floor: Floor, best: Longs, tally: Longs, seeds: Chance, rules: Longs) -> None:
    iterations, goal, tenure = rules
    seed, last = seeds[0], tally[ITERATION] + iterations
    _stand(floor)
    while True:
        tally[VALUE] = _heads(floor)
        if tally[VALUE] < tally[BEST]:
            tally[BEST], tally[BEST_AT] = tally[VALUE], tally[ITERATION]
            for place in range(len(best)):
                best[place] = floor.sequence[place]
        if tally[ITERATION] >= last or tally[BEST] <= goal:
            break
        _tails(floor)
        tally[ITERATION] += 1
        now = tally[ITERATION]
        length = _trace(floor, tally[VALUE], seed, now << 18)
        slot = _choose(floor, length, tally[BEST], seed, now)
        if slot < 0:
            break
        node, past = _move(floor, length, slot)
        spread = mix(seed, (now << 18) + 0x30000) * (tenure + 1) >> 31
        _apply(floor, node, past, now + tenure + spread)
