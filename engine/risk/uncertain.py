"""Which nodes and links of a network are not certain, and by which draws. It never draws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.model import Dependency, Plan, RiskEvent, Spread, Task, TaskId, TaskRisk
from engine.risk.distributions import Shape
from engine.risk.sources import DrawMaker
from engine.schedule.columns import FINISHED, INACTIVE, LEAF, MANUAL, NEVER, NONE, PERCENT, STARTED, Bits, Column, Flags
from engine.schedule.network import Network
from engine.schedule.schedule import Schedule

_CERTAIN = TaskRisk()


class Uncertain(NamedTuple):
    """Numbers of draws and chances by node, and by link of the network; -1 where there is none.

    `base` is the planned duration, `pauses` what of a length is none of it. Impacts of node i are
    `impact_first[i]:impact_first[i + 1]`: (chance, draw) each; likewise its chances, all of which must come true for it
    to happen at all. `is_whole`: one length that is the duration and pauses. `slot` numbers the nodes that vary.
    `lag_percent` is of a sampled duration, 0 where the lag is not.
    """

    base: Column
    pauses: Column
    draw: Column
    impact_first: Column
    impacts: Column
    chance_first: Column
    chance: Column
    is_whole: Bits
    may_vanish: Bits
    slot: Column
    lag_draw: Column
    lag_percent: Column


class Excess(NamedTuple):
    """How much longer nodes and links of the network can be than planned, in ticks, and the ends of what is planned."""

    nodes: Column
    links: Column
    first: int
    last: int


def find_excess(uncertain: Uncertain, shapes: list[Shape], schedule: Schedule) -> Excess:
    """What is drawn at its greatest."""
    greatest = np.array([shape.greatest for shape in shapes], dtype=np.int64)
    nodes = np.zeros(len(uncertain.base), dtype=np.int64)
    drawn = uncertain.draw >= 0
    nodes[drawn] = np.maximum(greatest[uncertain.draw[drawn]] - uncertain.base[drawn], 0)
    owner = np.repeat(np.arange(len(nodes)), np.diff(uncertain.impact_first))
    np.add.at(nodes, owner, np.maximum(greatest[uncertain.impacts[:, 1]], 0))
    lags = schedule.basis.network.links
    links = np.maximum(uncertain.lag_percent, 0) * nodes[lags.predecessor] // 100
    drawn = uncertain.lag_draw >= 0
    links[drawn] = np.maximum(greatest[uncertain.lag_draw[drawn]] - lags.lag[drawn], 0)
    dates = schedule.basis.dates
    known = np.abs(dates.start) < NEVER
    first, last = dates.start[known].min(initial=NEVER), dates.finish[known].max(initial=NONE)
    return Excess(nodes, links, int(first), int(last))


def find_uncertain(plan: Plan, network: Network, maker: DrawMaker) -> Uncertain:
    """What is drawn of the network of a plan, which goes into `maker`."""
    count = len(network.table)
    of_nodes = _Nodes(plan, network, maker)
    rows = [of_nodes.row(node) for node in range(len(plan.tasks))]
    rows += [_NOTHING] * (count - len(rows))
    base = network.nodes.duration.copy()
    pauses = np.array([row.pauses for row in rows], dtype=np.int64)
    length, parts = network.nodes.length, np.diff(network.parts.first)
    is_whole = (length - pauses == base) & (parts == 0)
    varies = np.array([row.varies for row in rows], dtype=np.bool_)
    lag_draw, lag_percent = _lags(network, maker, varies)
    return Uncertain(
        base,
        pauses,
        np.array([row.draw for row in rows], dtype=np.int64),
        _first([len(row.impacts) for row in rows]),
        np.array([each for row in rows for each in row.impacts], dtype=np.int64).reshape(-1, 2),
        _first([len(row.chances) for row in rows]),
        np.array([each for row in rows for each in row.chances], dtype=np.int64),
        is_whole.astype(np.uint8),
        ((length <= 0) | np.array([row.may_vanish for row in rows], dtype=np.bool_)).astype(np.uint8),
        np.where(varies, np.cumsum(varies) - 1, -1),
        lag_draw,
        lag_percent,
    )


def find_lags(network: Network, uncertain: Uncertain) -> tuple[tuple[int, Dependency], ...]:
    """The draws of lags, each with its link: one of a summary stands in the network several times, and varies once."""
    found: dict[Dependency, int] = {}
    for place in np.flatnonzero(uncertain.lag_draw >= 0).tolist():
        found.setdefault(network.source(int(network.wires[5, place])), int(uncertain.lag_draw[place]))
    return tuple((draw, link) for link, draw in found.items())


class _Row(NamedTuple):
    draw: int = -1
    impacts: tuple[tuple[int, int], ...] = ()
    chances: tuple[int, ...] = ()
    pauses: int = 0
    may_vanish: bool = False

    @property
    def varies(self) -> bool:
        return bool(self.draw >= 0 or self.impacts or self.chances)


_NOTHING = _Row()


class _Nodes:
    def __init__(self, plan: Plan, network: Network, maker: DrawMaker) -> None:
        self._plan, self._network, self._maker = plan, network, maker
        self._presets = {preset.family: preset.spread for preset in plan.risks.presets}
        self._hit: dict[TaskId, list[tuple[RiskEvent, Spread]]] = {}
        for event in plan.risks.events:
            for impact in event.impacts:
                for leaf in plan.leaves(impact.task):
                    self._hit.setdefault(leaf, []).append((event, impact.spread))

    def row(self, node: int) -> _Row:
        """What is not certain of a row of the plan; facts are."""
        nodes, task = self._network.nodes, self._plan.tasks[node]
        if nodes.role[node] != LEAF or nodes.flags[node] & (INACTIVE | FINISHED | MANUAL):
            return _NOTHING
        has_begun = bool(nodes.flags[node] & STARTED)
        duration, maker = int(nodes.duration[node]), self._maker
        spread, risk = self._spread(task), task.risk or _CERTAIN
        draw, least = -1, duration
        if spread is not None and duration > 0 and not (has_begun and nodes.remaining[node] <= 0):
            draw = maker.draw(("task", task.id), spread, duration, risk if risk.loadings else None)
            least = maker.shapes[draw].least
        impacts = []
        for event, each in self._hit.get(task.id, ()):
            number = maker.draw(("impact", event.id, task.id), each, duration)
            impacts.append((maker.chance(("event", event.id), event.chance), number))
            least += min(0, maker.shapes[number].least)
        chances = () if has_begun else tuple(self._chances(task))
        pauses = self._pauses(task, node, has_begun=has_begun)
        return _Row(draw, tuple(impacts), chances, pauses, least <= 0 or bool(chances))

    def _spread(self, task: Task) -> Spread | None:
        own = task.risk.spread if task.risk is not None else None
        return own or self._presets.get(task.family) or self._presets.get("")

    def _chances(self, task: Task) -> list[int]:
        """Its own, and those of all summaries that it lies in."""
        found, at = [], task
        while True:
            if at.risk is not None and at.risk.chance < 1:
                found.append(self._maker.chance(("task", at.id), at.risk.chance))
            if at.parent is None:
                return found
            at = self._plan.task(at.parent)

    def _pauses(self, task: Task, node: int, *, has_begun: bool) -> int:
        """What of the length, or of what remains of it, are pauses."""
        duration = int(self._network.nodes.duration[node])
        ahead = [split for split in task.splits if split.work < duration]
        if not has_begun or task.progress is None:
            return sum(split.gap for split in ahead)
        done = task.progress
        rest = round(duration * (100 - done.percent) / 100) if done.remaining is None else done.remaining
        return sum(split.gap for split in ahead if split.work >= max(duration, rest) - rest)


def _first(sizes: list[int]) -> Column:
    return np.concatenate(([0], np.cumsum(np.array(sizes, dtype=np.int64)))).astype(np.int64)


def _lags(network: Network, maker: DrawMaker, varies: Flags) -> tuple[Column, Column]:
    """Draws of lags that are not certain, and percentages of durations that are not."""
    wires = network.wires
    draw = np.full(len(network.links.kind), -1, dtype=np.int64)
    percent = np.where((wires[4] >= PERCENT) & varies[wires[1]], wires[3], 0)
    for place, source in enumerate(wires[5].tolist()):
        link = network.source(source) if source >= 0 else None
        if link is not None and link.spread is not None:
            key = ("lag", link.predecessor, link.successor, link.kind.value)
            draw[place] = maker.draw(key, link.spread, int(network.links.lag[place]))
            percent[place] = 0
    return draw, percent
