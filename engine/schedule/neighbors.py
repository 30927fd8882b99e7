"""The links of one task, found without a look at those of others. It never says which of them decide a date."""

from __future__ import annotations

from collections.abc import Iterable

from engine.model import Dependency, TaskId
from engine.schedule.schedule import Schedule

_SOURCE = 5  # the field of a wire that says which of the plan's links it was made of


def links_before(schedule: Schedule, task_id: TaskId) -> tuple[Dependency, ...]:
    """The plan's own links into a task, in the plan's order, then those that its stream adds."""
    network = schedule.basis.network
    if _needs_all(schedule, task_id):
        return tuple(link for link in network.plan.dependencies if link.successor == task_id)
    row = schedule.rows[task_id]
    found = _sources(schedule, range(int(network.links.first[row]), int(network.links.first[row + 1])))
    return tuple(link for link in found if link.successor == task_id)


def links_after(schedule: Schedule, task_id: TaskId) -> tuple[Dependency, ...]:
    """The plan's own links out of a task, in the plan's order, then those that its stream adds."""
    network = schedule.basis.network
    if _needs_all(schedule, task_id):
        return tuple(link for link in network.plan.dependencies if link.predecessor == task_id)
    row, links = schedule.rows[task_id], network.links
    places = links.out[int(links.out_first[row]) : int(links.out_first[row + 1])].tolist()
    return tuple(link for link in _sources(schedule, places) if link.predecessor == task_id)


def _needs_all(schedule: Schedule, task_id: TaskId) -> bool:
    """A summary's links go through what stands in for it, and those of a cycle were left out."""
    return bool(schedule.cycle) or task_id in schedule.basis.network.plan.children


def _sources(schedule: Schedule, places: Iterable[int]) -> tuple[Dependency, ...]:
    """The links that wires were made of, each once; none of a wire inside a summary."""
    network = schedule.basis.network
    sources = sorted({int(network.wires[_SOURCE][place]) for place in places})
    return tuple(network.source(source) for source in sources if source >= 0)
