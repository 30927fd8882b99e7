"""Leading: which task a link leads to from another. It never chooses it."""

from __future__ import annotations

from engine.model import TaskId
from engine.session.state import State


def predecessor(state: State, task: TaskId) -> TaskId | None:
    """What a task waits for: what decides its date first, else what stands highest."""
    links = [(first, second) for first, second in _links(state) if second == task]
    return _first(state, [first for first, _ in links], set(state.schedule.driven_by.get(task, ())))


def successor(state: State, task: TaskId) -> TaskId | None:
    """What waits for a task: that whose date it decides first, else what stands highest."""
    after = [second for first, second in _links(state) if first == task]
    driven = {each for each in after if task in state.schedule.driven_by.get(each, ())}
    return _first(state, after, driven)


def _links(state: State) -> list[tuple[TaskId, TaskId]]:
    links = [(link.predecessor, link.successor) for link in state.plan.dependencies]
    return [*links, *state.schedule.stream_links]


def _first(state: State, found: list[TaskId], wanted: set[TaskId]) -> TaskId | None:
    return min(found, key=lambda each: (each not in wanted, state.plan.rows[each]), default=None)
