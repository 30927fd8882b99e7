"""Preview of leveling: what would move, why, and what stays overloaded. It never changes the plan it is asked about."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.model import Plan, ResourceKind, TaskId, Ticks
from engine.schedule.leveling import LevelOptions, LevelResult, level, loads
from engine.schedule.leveling_options import Watch
from engine.schedule.leveling_reasons import Reason
from engine.schedule.schedule import Schedule
from engine.session.date_edits import ApplyDelays
from engine.session.state import State


@dataclass(frozen=True, slots=True)
class Move:
    """A task that would start or finish at another instant, from `before` to `after` as (start, finish), and why."""

    task: TaskId
    before: tuple[Ticks, Ticks]
    after: tuple[Ticks, Ticks]
    why: str


@dataclass(frozen=True, eq=False)
class Preview:
    """What leveling the plan of `state` would lead to: `leveled`, by one `edit`, None where nothing is to be done.

    `moves` has the leaves whose dates change, in row order, `reasons` one entry for each overload that stays.
    """

    state: State
    leveled: State
    edit: ApplyDelays | None
    moves: tuple[Move, ...]
    overloads: int
    reasons: tuple[Reason, ...]


def preview(state: State, options: LevelOptions, watch: Watch = lambda _: None) -> Preview:
    """Level the plan of a state. May take seconds; any thread may ask. Raises PlanError, and what `watch` raises."""
    result = level(state.plan, options, watch=watch)
    edit = ApplyDelays(tuple(result.delays.items()), tuple(result.splits.items()))
    overloads = sum(len(load.overloads) for load in loads(state.plan, state.schedule).values())
    leveled = replace(state, plan=result.plan, schedule=result.schedule)
    is_any = bool(result.delays or result.splits)
    return Preview(state, leveled, edit if is_any else None, _moves(state, result), overloads, result.reasons)


def _moves(state: State, result: LevelResult) -> tuple[Move, ...]:
    old, new, plan = state.schedule, result.schedule, state.plan
    rows = ((old.start != new.start) | (old.finish != new.finish)).nonzero()[0].tolist()
    moved = [plan.tasks[row].id for row in rows if plan.tasks[row].id not in plan.children]
    why = _Why(state, result, frozenset(moved))
    return tuple(
        Move(task, (old.start_of(task), old.finish_of(task)), (new.start_of(task), new.finish_of(task)), why.of(task))
        for task in moved
    )


class _Why:
    """Says of each moved task what moved it: what it waits for, or what it follows."""

    def __init__(self, state: State, result: LevelResult, moved: frozenset[TaskId]) -> None:
        self._state = state
        self._result = result
        self._moved = moved
        self._names = {resource.id: resource.name for resource in state.plan.resources}
        held = {r.id for r in state.plan.resources if r.kind not in (ResourceKind.MATERIAL, ResourceKind.STREAM)}
        self._resources: dict[TaskId, list[int]] = defaultdict(list)
        for assignment in state.plan.assignments:
            if assignment.resource in held:
                self._resources[assignment.task].append(assignment.resource)
        self._ends = _ends(state.plan, result.schedule, self._resources)

    def of(self, task: TaskId) -> str:
        """One sentence, without its subject."""
        delay, new = self._result.plan.task(task).delay, self._result.schedule
        if task in self._result.splits:
            return f"pauses while {self._named(self._resources[task])} is busy elsewhere"
        if delay and new.start_of(task) > self._state.schedule.start_of(task):
            return self._waits(task, new.start_of(task), delay)
        if delay < 0 and new.start_of(task) < self._state.schedule.start_of(task):
            return f"leaves {self._named(self._resources[task])} to what comes after it"
        before = [each for each in new.driven_by.get(task, ()) if each in self._moved]
        if before:
            return f"follows “{self._state.plan.title_of(before[0])}”"
        if new.start_of(task) < self._state.schedule.start_of(task):
            return "needs no delay any more" if self._state.plan.task(task).delay else "what it waited for is earlier"
        return "moves with other dates of the plan"

    def _waits(self, task: TaskId, start: Ticks, delay: Ticks) -> str:
        """The last to leave one of its resources before it starts."""
        found = []
        for resource in self._resources[task]:
            ends = self._ends.get(resource, [])
            place = bisect_right(ends, (start, 1 << 62)) - 1
            while place >= 0 and ends[place][1] == task:
                place -= 1
            if place >= 0 and ends[place][0] > start - delay:
                found.append((*ends[place], resource))
        if not found:
            return f"waits until {self._named(self._resources[task])} is free for all of it"
        _, other, resource = max(found)
        return f"waits for “{self._names[resource]}”, busy with “{self._state.plan.title_of(other)}”"

    def _named(self, resources: Sequence[int]) -> str:
        return " and ".join(f"“{self._names[each]}”" for each in resources)


def _ends(plan: Plan, schedule: Schedule, used: dict[TaskId, list[int]]) -> dict[int, list[tuple[Ticks, TaskId]]]:
    """When tasks leave each resource, the earliest first."""
    found: dict[int, list[tuple[Ticks, TaskId]]] = defaultdict(list)
    for task, resources in used.items():
        for resource in resources if plan.task(task).is_active else ():
            found[resource].append((schedule.finish_of(task), task))
    return {resource: sorted(ends) for resource, ends in found.items()}
