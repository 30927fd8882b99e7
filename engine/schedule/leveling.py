"""Leveling: a plan's tasks delayed until no resource has more to do than it can. It never changes the plan itself.

For every instant t and resource r: the sum of units of r that tasks use at t <= capacity of r at t, or a reason says
why not. A task uses all of its resources at once or none: start(i) >= every bound of its links, constraints and
calendars, as ever, and start(i) + delay(i) is the first instant at which each of them is free for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.model import Clock, ConstraintKind, Plan, Progress, ResourceKind, Split, Task, TaskId, Ticks
from engine.schedule import cpm
from engine.schedule.columns import FF, FINISHED, NEVER, STARTED, Nodes
from engine.schedule.leveling_backward import place_back
from engine.schedule.leveling_demand import Demands, Piece
from engine.schedule.leveling_load import loads
from engine.schedule.leveling_options import LevelOptions, Watch
from engine.schedule.leveling_profile import Profile
from engine.schedule.leveling_rank import ranks
from engine.schedule.leveling_reasons import Reason, Stay, reasons
from engine.schedule.leveling_schemes import BEGIN_OF_TIME, END_OF_TIME, Jobs, Placed, place_all
from engine.schedule.network import Network
from engine.schedule.plain_passes import compute_dates
from engine.schedule.schedule import Schedule

__all__ = ["LevelOptions", "LevelResult", "level", "loads", "with_delays"]

NEVER_MOVED = 1000
# A task that is as late as possible moves with the plan's finish, which leveling moves: so many times it is asked.
_MOST_ROUNDS = 3
_FIXED_BY = {
    ConstraintKind.MUST_START_ON: Stay.DATED,
    ConstraintKind.MUST_FINISH_ON: Stay.DATED,
    ConstraintKind.AS_LATE_AS_POSSIBLE: Stay.LATE,
}


@dataclass(frozen=True, eq=False)
class LevelResult:
    """What leveling would do: `delays` in elapsed ticks and `splits` of the tasks for which they are to be others.

    `plan` is the plan with them, `schedule` its schedule. `reasons` has one entry for each overload that stays;
    `stays` says of tasks why they were not moved, or not far enough.
    """

    delays: Mapping[TaskId, Ticks]
    splits: Mapping[TaskId, tuple[Split, ...]]
    plan: Plan
    schedule: Schedule
    reasons: tuple[Reason, ...]
    stays: Mapping[TaskId, Stay]


def level(
    plan: Plan,
    options: LevelOptions | None = None,
    durations: Mapping[TaskId, Ticks] | None = None,
    watch: Watch = lambda _: None,
) -> LevelResult:
    """Level a plan. The streams of a device plan need none: its schedule has put their tasks in a row.

    `durations` in ticks are those that no person typed. Raises PlanError as cpm.schedule does, and what `watch` raises.
    """
    return _Leveling(plan, options or LevelOptions(), durations or {}, watch).run()


def with_delays(
    plan: Plan, delays: Mapping[TaskId, Ticks], splits: Mapping[TaskId, tuple[Split, ...]] | None = None
) -> Plan:
    """The plan with delays in elapsed ticks, and splits, of some of its tasks."""
    splits = splits or {}
    tasks = (plan.task(task_id) for task_id in sorted({*delays, *splits}))
    return plan.with_tasks(
        replace(task, delay=delays.get(task.id, task.delay), splits=splits.get(task.id, task.splits)) for task in tasks
    )


class _Leveling:
    """One plan being leveled."""

    def __init__(self, plan: Plan, options: LevelOptions, durations: Mapping[TaskId, Ticks], watch: Watch) -> None:
        self._plan = plan
        self._watch = watch
        self._options = options
        self._durations = durations
        self._demands = Demands(plan)
        self._frozen = {leaf for task_id in options.frozen if task_id in plan.rows for leaf in plan.leaves(task_id)}
        self._stays = {task.id: stay for task in plan.tasks if (stay := self._why_fixed(task)) is not None}
        # Leveling begins anew: what it once delayed is not.
        delayed = [t.id for t in plan.tasks if t.delay and self._stays.get(t.id) not in (Stay.BEGUN, Stay.MANUAL)]
        self._cleared = with_delays(plan, dict.fromkeys(delayed, 0)) if delayed else plan

    def run(self) -> LevelResult:
        before = cpm.schedule(self._plan, self._durations)
        if self._plan.clock is Clock.DEVICE:
            return self._result(self._plan, before, {})
        base = before if self._cleared is self._plan else cpm.schedule(self._cleared, self._durations)
        network = self._network(base)
        rank = ranks(network, base, self._options.rule)
        late = [task_id for task_id, stay in self._stays.items() if stay is Stay.LATE]
        leveled, schedule, placed = self._cleared, before, Placed()
        for _ in range(_MOST_ROUNDS):
            dates = schedule
            placed = self._place(network, rank, before, dates)
            leveled = self._applied(placed)
            schedule = cpm.schedule(leveled, self._durations)
            if all(schedule.start_of(task_id) == dates.start_of(task_id) for task_id in late):
                break
        return self._result(leveled, schedule, placed.stays)

    def _network(self, base: Schedule) -> Network:
        """The network to place tasks in. A deadline is float and no limit, so there it is none.

        Only where all dates are late ones it is one.
        """
        dated = [task for task in self._cleared.tasks if task.deadline is not None]
        if not dated or self._plan.settings.is_from_finish:
            return base.basis.network
        free = self._cleared.with_tasks(replace(task, deadline=None) for task in dated)
        return Network.of(free, self._durations)

    def _result(self, leveled: Plan, schedule: Schedule, stays: Mapping[int, Stay]) -> LevelResult:
        found = {**self._stays, **{self._plan.tasks[node].id: stay for node, stay in stays.items()}}
        pairs = list(zip(self._plan.tasks, leveled.tasks, strict=True))
        return LevelResult(
            {new.id: new.delay for old, new in pairs if new.delay != old.delay},
            {new.id: new.splits for old, new in pairs if new.splits != old.splits},
            leveled,
            schedule,
            reasons(leveled, loads(leveled, schedule), found),
            found,
        )

    def _why_fixed(self, task: Task) -> Stay | None:
        """Why a task may not be moved at all, or None."""
        if task.id in self._plan.children or not task.is_active:
            return None
        if task.progress not in (None, Progress()):
            return Stay.BEGUN
        if task.is_manual:
            return Stay.MANUAL
        if task.id in self._frozen:
            return Stay.FROZEN
        if task.constraint is ConstraintKind.AS_LATE_AS_POSSIBLE and self._plan.settings.is_from_finish:
            return Stay.PRIORITY if task.priority >= NEVER_MOVED else None  # there, all tasks are
        return Stay.PRIORITY if task.priority >= NEVER_MOVED else _FIXED_BY.get(task.constraint)

    def _place(self, network: Network, rank: Sequence[int], before: Schedule, dates: Schedule) -> Placed:
        """Place all that may move; `before` has the dates of what stays, `dates` of what is as late as possible."""
        pieces = self._pieces(network)
        profiles = {number: Profile(resource) for number, resource in self._demands.resources.items()}
        times: dict[int, set[int]] = defaultdict(set)
        for piece in (piece for each in pieces.values() for piece in each):
            times[piece.resource].add(id(piece.time))
            profiles[piece.resource].is_shared = len(times[piece.resource]) > 1
        spans = {}
        for task_id, stay in self._stays.items():
            source = dates if stay is Stay.LATE else before
            spans[self._plan.rows[task_id]] = span = (source.start_of(task_id), source.finish_of(task_id))
            worked = source.segments[self._plan.rows[task_id]] or (span,)
            for use in self._demands.uses(self._plan.task(task_id), span[0], worked):
                for first, last in zip(use.starts.tolist(), use.ends.tolist(), strict=True):
                    profiles[use.resource].book(first, last, use.units)
        if self._plan.settings.is_from_finish:
            known = (Stay.BEGUN, Stay.MANUAL)  # their dates are facts, and no delay is needed to keep them
            fixed = {row: span for row, span in spans.items() if self._stays[self._plan.tasks[row].id] not in known}
            counted = cpm.counted_from(self._cleared), self._earliest(network, spans, before)
            return place_back(network, Jobs(pieces, fixed, rank, ()), profiles, self._options, counted, self._watch)
        latest = self._latest(network, spans)
        if self._options.is_within_slack:
            slack = zip(before.late_start.tolist(), before.late_finish.tolist(), strict=True)
            latest[: len(before.rows)] = [(min(a, b), min(c, d)) for (a, c), (b, d) in zip(latest, slack, strict=False)]
        fixed = {row: span for row, span in spans.items() if self._stays[self._plan.tasks[row].id] is not Stay.LATE}
        return place_all(network, Jobs(pieces, fixed, rank, latest), profiles, self._options, self._watch)

    def _pieces(self, network: Network) -> dict[int, tuple[Piece, ...]]:
        """What the tasks that may move use, by row; materials keep nobody waiting."""
        found = {}
        for task_id in self._demands.assigned:
            if task_id not in self._stays:
                pieces = self._demands.pieces(self._cleared.task(task_id))
                kinds = self._demands.resources
                held = tuple(piece for piece in pieces if kinds[piece.resource].kind is not ResourceKind.MATERIAL)
                if held:
                    found[self._plan.rows[task_id]] = held
        return found

    def _latest(self, network: Network, spans: Mapping[int, tuple[Ticks, Ticks]]) -> list[tuple[Ticks, Ticks]]:
        """The latest start and finish of each node that move nothing of what stays and break no constraint."""
        table = network.table.copy()
        nodes, rules = Nodes(*table.T), network.rules
        for row, (start, finish) in spans.items():
            nodes.cap[row] = min(nodes.cap[row], finish)
            if nodes.flags[row] & STARTED and not (rules.moves_remaining and rules.is_retained):
                nodes.flags[row] |= FINISHED  # no link moves it
                nodes.start_at[row], nodes.finish_at[row] = start, finish
        if not nodes.hard.any() and (nodes.cap == NEVER).all():
            return [(END_OF_TIME, END_OF_TIME)] * len(table)
        late = compute_dates(replace(network, table=table), END_OF_TIME)
        return list(zip(late.late_start.tolist(), late.late_finish.tolist(), strict=True))

    def _earliest(
        self, network: Network, spans: Mapping[int, tuple[Ticks, Ticks]], before: Schedule
    ) -> list[tuple[Ticks, Ticks]]:
        """The earliest start and finish of each node that move nothing of what stays and break no constraint."""
        table = network.table.copy()
        nodes = Nodes(*table.T)
        for row, (start, finish) in spans.items():
            nodes.flags[row] |= STARTED | FINISHED
            nodes.start_at[row], nodes.finish_at[row] = start, finish
        free = replace(network, table=table, rules=network.rules._replace(start=BEGIN_OF_TIME))
        early = compute_dates(free, END_OF_TIME)
        starts, finishes = early.start, early.finish.copy()
        if self._options.is_within_slack:
            starts[: len(before.rows)] = np.maximum(starts[: len(before.rows)], before.early_start)
        # What has to be done by the end of a task may be worked when the task is not: then its shifts say nothing.
        links = network.links
        for link in np.flatnonzero(links.kind == FF).tolist():
            done, lag = int(early.finish[links.predecessor[link]]), int(links.lag[link])
            bound = network.times[int(links.calendar[link])].add(done, lag) if lag else done
            finishes[links.successor[link]] = max(int(finishes[links.successor[link]]), bound)
        return list(zip(starts.tolist(), finishes.tolist(), strict=True))

    def _applied(self, placed: Placed) -> Plan:
        ids = [task.id for task in self._plan.tasks]
        splits = {ids[node]: splits for node, splits in placed.splits.items()}
        return with_delays(self._cleared, {ids[node]: delay for node, delay in placed.delay.items()}, splits)
