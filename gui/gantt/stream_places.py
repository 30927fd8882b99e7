"""Stream places: how a drag changes the order of operations on the streams, in words. It never decides that order."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QCoreApplication

from engine.model import Plan, TaskId
from engine.schedule.schedule import Schedule
from engine.session.state import State
from gui.gantt.words import full_name

_Place = tuple[int | None, int]


def order_change(before: State, after: State, held: TaskId) -> str:
    """What changes its place on a stream, first of all what is held: "before denoise, Frame 4 on Stream 2".

    Empty when every stream keeps its order.
    """
    plan, places = after.plan, _places(before)
    swapped = [pair for pair in after.schedule.stream_links if _is_swapped(places, *pair)]
    leaves = set(plan.leaves(held))
    first = min(swapped, key=leaves.isdisjoint, default=None)
    if first is None:
        return ""
    if first[0] in leaves:
        words, other = _tr("before {other} on {stream}"), first[1]
    elif first[1] in leaves:
        words, other = _tr("after {other} on {stream}"), first[0]
    else:
        words, other = _tr("{task} before {other} on {stream}"), first[1]
    return words.format(task=full_name(plan, first[0]), other=full_name(plan, other), stream=_stream(plan, other))


def _places(state: State) -> dict[TaskId, _Place]:
    """Stream and place on it of each operation."""
    number = count()
    return {task: (state.plan.stream_of.get(task), next(number)) for task in _in_order(state.schedule)}


def _in_order(schedule: Schedule) -> list[TaskId]:
    """The operations of each stream in their order, one stream after another."""
    following = dict(schedule.stream_links)
    found: list[TaskId] = []
    for head in following.keys() - set(following.values()):
        task: TaskId | None = head
        while task is not None:
            found.append(task)
            task = following.get(task)
    return found


def _is_swapped(places: dict[TaskId, _Place], first: TaskId, second: TaskId) -> bool:
    one, two = places.get(first), places.get(second)
    return one is not None and two is not None and one[0] == two[0] and one[1] > two[1]


def _stream(plan: Plan, task: TaskId) -> str:
    return next((stream.name for stream in plan.streams if stream.id == plan.stream_of.get(task)), "")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dragging", text)
