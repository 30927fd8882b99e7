"""The network of a plan that gained or lost rows, made of the one before: all others stay, some under another number.

It never computes a date, and gives up where summaries are linked or a task becomes one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.model import Dependency, Plan, Task
from engine.schedule.arranging import Arrange
from engine.schedule.columns import Column
from engine.schedule.network import Network
from engine.schedule.nodes import RowMaker, as_parts, held_by_summaries

_MOST_ROWS = 64
_SAME = ("calendar", "calendars", "resources", "settings", "start")


def reshaped(network: Network, plan: Plan, by: Arrange) -> Network | None:
    """The network of `plan`, equal to Network.of it but for the numbers of clocks; None where rows only moved, or many
    came.
    """
    before = network.plan
    first = same_ahead(before.tasks, plan.tasks)
    behind = same_behind(before.tasks[first:], plan.tasks[first:])
    gone, come = before.tasks[first : len(before.tasks) - behind], plan.tasks[first : len(plan.tasks) - behind]
    ids = {task.id for task in gone}
    if len(come) > _MOST_ROWS or ids & {task.id for task in come} or not _is_alike(network, plan, ids):
        return None
    end, shift = first + len(gone), len(come) - len(gone)
    wires, cut = _without(network.wires, first, end)
    if _less(before.dependencies, cut) != plan.dependencies:
        return None
    wires[:2] = _moved(wires[:2], end, shift)
    clocks, held = network.clocks, held_by_summaries(plan)
    known = len(clocks.times)
    table, parts = RowMaker(plan, clocks, {}, held).table(come)
    if len(clocks.times) != known:
        return None
    table = np.concatenate((network.table[:first], table, network.table[end:]))
    shared = {row if row < first else row + shift: of for row, of in network.shared.items() if not first <= row < end}
    shared |= {first + row: of for row, of in parts.items()}
    above = np.array([_row_above(plan, task) for task in come], dtype=np.int64)
    parent = (_moved(network.parent[:first], end, shift), above, _moved(network.parent[end:], end, shift))
    return replace(
        network,
        plan=plan,
        held=held,
        table=table,
        shared=shared,
        parts=as_parts(shared, len(table)),
        wires=wires,
        parent=np.concatenate(parent),
    ).linked(by)


def _is_alike(network: Network, plan: Plan, gone: set[int]) -> bool:
    """Whether nothing but rows differs, and the others stay what they are."""
    before = network.plan
    return (
        len(network.table) == len(before.tasks)
        and all(getattr(before, name) is getattr(plan, name) for name in _SAME)
        and before.children.keys() - gone == plan.children.keys()
        and tuple(each for each in before.assignments if each.task not in gone) == plan.assignments
    )


def _without(wires: Column, first: int, end: int) -> tuple[Column, Column]:
    """The wires but those of nodes `first <= node < end`, and the places of the links that go with these."""
    is_cut = ((wires[:2] >= first) & (wires[:2] < end)).any(axis=0)
    cut = np.sort(wires[5, is_cut])
    left = wires[:, ~is_cut]
    left[5] -= np.searchsorted(cut, left[5])
    return left, cut


def _less(links: tuple[Dependency, ...], cut: Column) -> tuple[Dependency, ...]:
    left = list(links)
    for place in reversed(cut.tolist()):
        del left[place]
    return tuple(left)


def _moved(rows: Column, end: int, shift: int) -> Column:
    moved: Column = rows + np.where(rows >= end, shift, 0)
    return moved


def _row_above(plan: Plan, task: Task) -> int:
    return -1 if task.parent is None else plan.rows[task.parent]


def same_ahead(old: tuple[object, ...], new: tuple[object, ...]) -> int:
    """How many entries are the same at the beginning."""
    low, high = 0, min(len(old), len(new))
    while low < high:  # a comparison of slices takes no time: the entries are the same objects
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def same_behind(old: tuple[object, ...], new: tuple[object, ...]) -> int:
    """How many entries are the same at the end."""
    return same_ahead(old[::-1], new[::-1])
