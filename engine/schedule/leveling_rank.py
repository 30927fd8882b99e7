"""How urgent tasks are to each other by a priority rule. It never places one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.schedule.columns import Column
from engine.schedule.leveling_options import Rule
from engine.schedule.network import Network
from engine.schedule.schedule import Schedule


def ranks(network: Network, schedule: Schedule, rule: Rule) -> list[int]:
    """The rank of each row, 0 the most urgent; rows decide between equals.

    Of a plan that is scheduled from its finish, the one that is placed first is the last: late starts count for early
    finishes, predecessors for successors, and lower rows come first.
    """
    is_backward = network.plan.settings.is_from_finish
    keys = (_BACKWARD if is_backward else _KEYS)[rule](network, schedule)
    rows = np.arange(len(schedule.start))
    order = np.lexsort((-rows if is_backward else rows, *reversed(keys)))
    rank = np.empty(len(rows), dtype=np.int64)
    rank[order] = rows
    return rank.tolist()


def _standard(network: Network, schedule: Schedule) -> list[Column]:
    tasks = network.plan.tasks
    is_free = np.array([not task.constraint.has_date for task in tasks], dtype=np.int64)
    return [schedule.total_float, schedule.start, _priority(network), is_free]


def _priority(network: Network) -> Column:
    return -np.array([task.priority for task in network.plan.tasks], dtype=np.int64)


def _weight(network: Network, _: Schedule) -> list[Column]:
    nodes, links = network.nodes, network.links
    weight = nodes.length.copy()
    np.add.at(weight, links.predecessor, nodes.length[links.successor])
    return [-weight[: len(network.plan.tasks)]]


def _backward_standard(network: Network, schedule: Schedule) -> list[Column]:
    total, _, priority, is_free = _standard(network, schedule)
    return [total, -schedule.finish, priority, is_free]


def _backward_weight(network: Network, _: Schedule) -> list[Column]:
    nodes, links = network.nodes, network.links
    weight = nodes.length.copy()
    np.add.at(weight, links.successor, nodes.length[links.predecessor])
    return [-weight[: len(network.plan.tasks)]]


_KEYS: dict[Rule, Callable[[Network, Schedule], list[Column]]] = {
    Rule.PRIORITY_STANDARD: lambda network, schedule: [_priority(network), *_standard(network, schedule)],
    Rule.STANDARD: _standard,
    Rule.LATEST_FINISH: lambda _, schedule: [schedule.late_finish],
    Rule.MIN_SLACK: lambda _, schedule: [schedule.total_float],
    Rule.POSITIONAL_WEIGHT: _weight,
    Rule.ID: lambda _network, _schedule: [],
}
_BACKWARD: dict[Rule, Callable[[Network, Schedule], list[Column]]] = {
    Rule.PRIORITY_STANDARD: lambda network, schedule: [_priority(network), *_backward_standard(network, schedule)],
    Rule.STANDARD: _backward_standard,
    Rule.LATEST_FINISH: lambda _, schedule: [-schedule.early_start],
    Rule.MIN_SLACK: lambda _, schedule: [schedule.total_float],
    Rule.POSITIONAL_WEIGHT: _backward_weight,
    Rule.ID: lambda _network, _schedule: [],
}
