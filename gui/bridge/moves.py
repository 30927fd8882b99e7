"""Moves: which tasks a person put somewhere while a better plan was looked for. It never moves a task itself."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass

from engine.model import Plan, TaskId

_MOST = 256  # of how many moves it is known what they put where


class Moves:
    """The moves of the open plan, so that what is taken back is known again, however much was done in between."""

    def __init__(self) -> None:
        self._made: deque[_Move] = deque(maxlen=_MOST)

    def forget(self) -> None:
        """Another plan is open."""
        self._made.clear()

    def kept(self, before: Plan, after: Plan, kept: frozenset[TaskId], *, is_on: bool) -> frozenset[TaskId]:
        """What is kept after a step from one plan to another, of what was kept before it.

        What is moved by hand is kept while `is_on`; what is taken back is let go, and kept again when it is redone.
        """
        kept &= after.rows.keys()
        for move in self._made:
            if move.after is before and move.before is after:
                return kept - move.tasks
            if move.before is before and move.after is after:
                return kept | (move.tasks & after.rows.keys())
        moved = moved_by_hand(before, after) - kept if is_on else frozenset()
        if moved:
            self._made.append(_Move(before, after, moved))
        return kept | moved


@dataclass(frozen=True, slots=True, eq=False)
class _Move:
    """An edit that put tasks somewhere by hand, and with that kept them."""

    before: Plan
    after: Plan
    tasks: frozenset[TaskId]


def moved_by_hand(before: Plan, after: Plan) -> frozenset[TaskId]:
    """The tasks that an edit asked another date of, or gave to another resource."""
    if before.tasks is after.tasks and before.assignments is after.assignments:
        return frozenset()
    known = before.rows
    asked = {
        task.id
        for task in after.tasks
        if task.id in known
        and (old := before.tasks[known[task.id]]) is not task
        and (old.constraint, old.constraint_at) != (task.constraint, task.constraint_at)
    }
    return frozenset(asked) | (_given_to_others(before, after) & known.keys())


def _given_to_others(before: Plan, after: Plan) -> frozenset[TaskId]:
    """The tasks that somebody else does now, in the place of who did it before; not those that more or fewer do."""
    if before.assignments is after.assignments:
        return frozenset()
    went: defaultdict[TaskId, set[int]] = defaultdict(set)
    came: defaultdict[TaskId, set[int]] = defaultdict(set)
    was, now = ({(each.task, each.resource) for each in plan.assignments} for plan in (before, after))
    for pairs, changed in ((was - now, went), (now - was, came)):
        for task, resource in pairs:
            changed[task].add(resource)
    return frozenset(went.keys() & came.keys())
