"""Why a date is what it is: the links that decide it, through the stand-ins of summaries, and the chain behind it.

It never changes a date.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.model import Dependency, TaskId, Ticks
from engine.schedule.columns import FF, FS, LEAF, SS, Dates
from engine.schedule.network import Network

_LONGEST = 200


class Cause(NamedTuple):
    """A link into a task: the task before it, the link (the plan's own or a stream's), and the instant it allows."""

    before: int
    link: Dependency
    bound: Ticks
    is_of_stream: bool = False


def driving_pairs(network: Network, dates: Dates) -> tuple[tuple[TaskId, TaskId], ...]:
    """(predecessor, successor) ids of leaves; of many that drive through one summary, the first stands for all."""
    count, ids = len(network.plan.tasks), [task.id for task in network.plan.tasks]
    before = network.links.predecessor[dates.is_driving].tolist()
    after = network.links.successor[dates.is_driving].tolist()
    behind: dict[int, int] = {}  # a stand-in: what drives it
    for first, second in zip(before, after, strict=True):
        if second >= count:
            behind.setdefault(second, first)
    pairs = []
    for first, second in zip(before, after, strict=True):
        while first >= count and first in behind:
            first = behind[first]
        if first < count and second < count:
            pairs.append((ids[first], ids[second]))
    return tuple(dict.fromkeys(pairs))


def causes(network: Network, dates: Dates, node: int) -> list[Cause]:
    """The links that decide a task's date."""
    links = range(int(network.links.first[node]), int(network.links.first[node + 1]))
    return [cause for link in links if dates.is_driving[link] for cause in _seen_through(network, dates, link)]


def all_links(network: Network, dates: Dates, node: int) -> list[tuple[int, Cause]]:
    """Every link into a task as (its kind in numbers, the cause it would be)."""
    links = range(int(network.links.first[node]), int(network.links.first[node + 1]))
    found = ((int(network.links.kind[link]), _seen_through(network, dates, link)) for link in links)
    return [(kind, cause[0]) for kind, cause in found if cause]


def chain(network: Network, dates: Dates, node: int) -> tuple[TaskId, ...]:
    """The ids of the tasks that drive each other up to this one, it included, the first cause first."""
    path = [node]
    while len(path) < _LONGEST and (found := causes(network, dates, path[-1])):
        path.append(found[0].before)
    return tuple(network.plan.tasks[at].id for at in reversed(path))


def _seen_through(network: Network, dates: Dates, link: int) -> list[Cause]:
    """A link as a cause: the leaf behind it and the plan's own link on the way there."""
    bound = _bound(network, dates, link)
    source = int(network.wires[5][link])
    before = int(network.links.predecessor[link])
    while network.nodes.role[before] != LEAF:
        inner = _first_driving(network, dates, before)
        if inner < 0:
            return []
        source = int(network.wires[5][inner]) if source < 0 else source
        before = int(network.links.predecessor[inner])
    return [Cause(before, network.source(source), bound, source >= len(network.plan.dependencies))]


def _first_driving(network: Network, dates: Dates, node: int) -> int:
    first, last = int(network.links.first[node]), int(network.links.first[node + 1])
    return next((link for link in range(first, last) if dates.is_driving[link]), -1)


def _bound(network: Network, dates: Dates, link: int) -> Ticks:
    links = network.links
    before, kind = int(links.predecessor[link]), int(links.kind[link])
    anchor = int((dates.finish if kind in (FS, FF) else dates.start)[before])
    lag = int(links.lag[link])
    return network.times[links.calendar[link]].add(anchor, lag) if lag else anchor


def is_start_kind(kind: int) -> bool:
    """Whether a link of this kind bounds a start."""
    return kind in (FS, SS)
