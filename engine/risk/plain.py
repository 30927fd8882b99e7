"""The simulation again, readable and slow: one sample at a time, every date by the schedule's readable passes.

The oracle of blocks.py and of the CUDA source, which give the same numbers. It never loads numba.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.model import Ticks
from engine.risk.distributions import INTERVALS, PHI_REACH, PHI_STEPS, TABLE, TAIL, TRIANGULAR, UNIFORM
from engine.risk.program import NO_LINK, SOURCE, WAY, RiskProgram
from engine.risk.sources import Draws, Floats
from engine.schedule.columns import FF, FINISHED, INACTIVE, LEAF, MANUAL, SF, STARTED, SUMMARY
from engine.schedule.plain import Passes

_MASK = (1 << 32) - 1
_ONE, _STEP, _HALF_STEP = np.float32(1), np.float32(2.0**-23), np.float32(2.0**-24)


class PlainSample(NamedTuple):
    """One sample: start and finish of each node, durations of those that vary, and the path to the end, as rows."""

    start: list[Ticks]
    finish: list[Ticks]
    durations: Mapping[int, Ticks]
    path: tuple[int, ...]
    last: Ticks


def bits(sample: int, first: int, second: int) -> int:
    """32 random bits of a sample."""
    x = (sample & _MASK) ^ first
    x = (x ^ x >> 17) * 0xED5AD4BB & _MASK
    x = (x ^ x >> 11) + second & _MASK
    x = x * 0xAC4C1B51 & _MASK
    x = (x ^ x >> 15) * 0x31848BAB & _MASK
    return x ^ x >> 14


def uniform(sample: int, first: int, second: int) -> np.float32:
    """0 < u < 1."""
    return np.float32(np.float32(bits(sample, first, second) >> 9) * _STEP + _HALF_STEP)


def from_table(table: Floats, u: np.float32) -> np.float32:
    """x of u, linear between knots."""
    edge = _ONE / np.float32(INTERVALS)
    place, base = u * np.float32(INTERVALS), 0
    if u < edge:
        place, base = u * np.float32(TAIL), INTERVALS + 1
    elif u >= _ONE - edge:
        place, base = (_ONE - u) * np.float32(TAIL), 2 * (INTERVALS + 1)
    at = min(int(place), INTERVALS - 1)
    left, right = table[base + at], table[base + at + 1]
    return np.float32(left + (right - left) * (place - np.float32(at)))


def chance_below(phi: Floats, z: np.float32) -> np.float32:
    """The chance that a standard normal is below z."""
    place = max((z + np.float32(PHI_REACH)) * np.float32(PHI_STEPS), np.float32(0))
    at = min(int(place), 2 * PHI_REACH * PHI_STEPS - 1)
    u = phi[at] + (phi[at + 1] - phi[at]) * min(place - np.float32(at), _ONE)
    return np.float32(min(max(u, np.float32(2.0**-24)), np.float32(1 - 2.0**-24)))


def draw(draws: Draws, row: int, sample: int) -> Ticks:
    """One draw in ticks."""
    kind, least, shift, table, one, two, first, last = draws.whole[row].tolist()
    span, mode, own = draws.real[row]
    x = uniform(sample, one, two)
    if first < last:
        z = np.float32(own * from_table(draws.tables[0], x))
        for load in range(first, last):
            key = draws.factors[draws.load_factor[load]].tolist()
            z = np.float32(z + draws.load_weight[load] * from_table(draws.tables[0], uniform(sample, *key)))
        x = chance_below(draws.phi, z)
    if kind == TRIANGULAR:
        is_low = x < mode
        root = np.sqrt(x * mode if is_low else (_ONE - x) * (_ONE - mode))
        x = root if is_low else _ONE - root
    elif kind == TABLE:
        x = from_table(draws.tables[table], x)
    elif kind != UNIFORM:
        x = np.float32(0)
    steps = int(np.float32(x * span) + np.float32(0.5))
    return int(least + (steps << shift))


class PlainSimulation:
    """One program, sampled by the readable passes. Their lists are changed from sample to sample."""

    def __init__(self, program: RiskProgram) -> None:
        self._program = program
        self._passes = Passes(program.network)
        self._planned = Passes(program.network)
        self._links = [row.tolist() for row in program.steps.links]
        self._first = program.steps.first.tolist()

    def sample(self, sample: int) -> PlainSample:
        """One sample, by its number."""
        passes, program = self._passes, self._program
        uncertain, count = program.uncertain, len(program.plan.tasks)
        happens = [bits(sample, one, two) < limit for one, two, limit in program.draws.chances.tolist()]
        durations = {}
        for node in np.flatnonzero(uncertain.slot >= 0).tolist():
            durations[node] = self._duration(node, sample, happens)
            self._set_work(node, durations[node], self._is_off(node, happens))
        self._set_lags(sample, durations)
        for node in self._order():
            before = [row[0] for row in self._into(node) if row[SOURCE] == NO_LINK]
            passes.nodes.pin[node] = max([self._planned.nodes.pin[node], *(passes.finish[each] for each in before)])
            passes.set_early(node)
        places = program.steps.item_nodes[: program.steps.item_first[1]].tolist()
        last = max((passes.finish[node] for node in places), default=program.network.rules.start)
        path = self._path(next(node for node in places if passes.finish[node] == last)) if places else ()
        return PlainSample(passes.start[:count], passes.finish[:count], durations, path, last)

    def _order(self) -> list[int]:
        """Nodes in an order of links and machines, those with known dates first."""
        nodes, steps = self._program.network.nodes, self._program.steps
        is_known = (nodes.role == LEAF) & (nodes.flags & (FINISHED | MANUAL) != 0) & (nodes.flags & INACTIVE == 0)
        return [*np.flatnonzero(is_known).tolist(), *steps.order.tolist()]

    def _into(self, node: int) -> list[list[int]]:
        return self._links[self._first[node] : self._first[node + 1]]

    def _duration(self, node: int, sample: int, happens: list[bool]) -> Ticks:
        uncertain, draws = self._program.uncertain, self._program.draws
        number, base = int(uncertain.draw[node]), int(uncertain.base[node])
        found = draw(draws, number, sample) if number >= 0 else base
        for place in range(uncertain.impact_first[node], uncertain.impact_first[node + 1]):
            event, each = uncertain.impacts[place].tolist()
            found += draw(draws, each, sample) if happens[event] else 0
        return 0 if self._is_off(node, happens) else max(found, 0)

    def _is_off(self, node: int, happens: list[bool]) -> bool:
        uncertain = self._program.uncertain
        span = slice(int(uncertain.chance_first[node]), int(uncertain.chance_first[node + 1]))
        return not all(happens[chance] for chance in uncertain.chance[span].tolist())

    def _set_work(self, node: int, duration: Ticks, is_off: bool) -> None:
        """What is to be done, and of each part of it."""
        nodes, planned = self._passes.nodes, self._planned.nodes
        parts, known = self._passes.tasks.parts, self._planned.tasks.parts
        for part in range(parts.first[node], parts.first[node + 1]):
            each = known.length[part], known.remaining[part]
            parts.length[part], parts.remaining[part] = self._changed(node, duration, each, is_off)
        whole = planned.length[node], planned.remaining[node]
        nodes.length[node], nodes.remaining[node] = self._changed(node, duration, whole, is_off)

    def _changed(self, node: int, duration: Ticks, planned: tuple[Ticks, Ticks], is_off: bool) -> tuple[Ticks, Ticks]:
        """Length and rest: longer by what the duration is longer, in proportion where they are not all of it."""
        length, left = planned
        base, has_begun = int(self._program.uncertain.base[node]), self._planned.nodes.flags[node] & STARTED
        work = (left if has_begun else length) - int(self._program.uncertain.pauses[node])
        more = duration - base
        if work != base:
            more = int(work * (duration / base) + 0.5) - work if base else 0
        return (0, 0) if is_off else (length + more, left + more)

    def _set_lags(self, sample: int, durations: Mapping[int, Ticks]) -> None:
        uncertain, links = self._program.uncertain, self._passes.links
        for link in np.flatnonzero(uncertain.lag_draw >= 0).tolist():
            links.lag[link] = draw(self._program.draws, int(uncertain.lag_draw[link]), sample)
        for link in np.flatnonzero(uncertain.lag_percent).tolist():
            links.lag[link] = durations[links.predecessor[link]] * int(uncertain.lag_percent[link]) // 100

    def _path(self, node: int) -> tuple[int, ...]:
        """Back from a node along the first link that lets it begin or end no earlier."""
        found = [node]
        while (before := self._driver(node)) is not None:
            node = before
            found.append(node)
        return tuple(each for each in found if each < len(self._program.plan.tasks))

    def _driver(self, node: int) -> int | None:
        passes = self._passes
        role, flags = passes.nodes.role[node], passes.nodes.flags[node]
        if role == SUMMARY or flags & (STARTED | FINISHED | MANUAL) or not self._program.steps.nodes[node, WAY]:
            return None
        time, start, finish = passes.tasks.time(node), passes.start[node], passes.finish[node]
        for before, kind, *_, source, _plain in self._into(node):
            bound = passes.finish[before] if source == NO_LINK else passes.bound(source)
            if role != LEAF and bound == start:
                return before
            done = finish if source != NO_LINK and kind in (FF, SF) else start
            if role == LEAF and time.between(bound, done) <= 0:
                return before
        return None
