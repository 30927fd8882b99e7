"""A Problem of a plan and its schedule: the schedule's own working times, lags and pins as arrays. It never searches.

An operation is an active leaf. What has begun, is dated by hand, lies before the fence, or cannot be said in a Problem
is pinned where the schedule has it (staying.py says why). Leveling delays are forgotten: the optimizer begins anew.
A task holds all of its resources from start to finish, whatever its contours, as leveling does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import PlanError, SolverError
from engine.model import (
    DAY,
    Clock,
    Dependency,
    LagCalendar,
    LagKind,
    Plan,
    Resource,
    Task,
    TaskId,
    Ticks,
    Way,
)
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.plan_ways import PlanWays
from engine.optimize.problem import NEVER, NONE, LinkKind, Problem
from engine.optimize.staying import Stays, find_staying, sentences
from engine.schedule import columns
from engine.schedule.clocks import EVER
from engine.schedule.network import leaf_links
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import LAST_DAY

_CENTS = 100
_HOUR = 3600
_USUAL_WEIGHT = 100  # of priorities: 500 is 5


@dataclass(frozen=True, eq=False, slots=True)
class PlanProblem:
    """The problem of a plan: `tasks` are those of its first operations, `ways` of all of its modes.

    Operations behind them stand for dates that a finish must not come before, or after. `stays` says of tasks why they
    are pinned, `notes` in sentences what a planner may want to know.
    """

    plan: Plan
    schedule: Schedule
    problem: Problem
    tasks: tuple[TaskId, ...]
    ways: tuple[Way, ...]
    stays: dict[TaskId, Stays]
    notes: tuple[str, ...]


def problem_of(plan: Plan, schedule: Schedule, kept: Iterable[TaskId] = ()) -> PlanProblem:
    """The problem of a plan that is dated from its start; tasks in `kept`, summaries with what they hold, stay.

    Raises PlanError where the plan is of a device or dated from its finish, SolverError where no plan can exist.
    """
    if plan.clock is Clock.DEVICE:
        raise PlanError("A device plan has no resources to share: its streams are in order. Ask for advice instead.")
    if plan.settings.is_from_finish:
        raise PlanError("The plan is scheduled from its finish: schedule it from its start to optimize it.")
    if schedule.cycle:
        names = " and ".join(f"“{plan.task(task).name}”" for task in schedule.cycle[:2])
        raise PlanError(f"{names} wait for each other: remove one of the links first.", ids=schedule.cycle)
    return _Builder(plan, schedule, frozenset(leaf for task in kept for leaf in plan.leaves(task))).build()


class _Builder:
    def __init__(self, plan: Plan, schedule: Schedule, kept: frozenset[TaskId]) -> None:
        self._plan, self._schedule = plan, schedule
        self._network = schedule.basis.network
        self._nodes = self._network.nodes
        is_off = self._nodes.flags & columns.INACTIVE != 0
        self._leaves = tuple(t.id for row, t in enumerate(plan.tasks) if t.id not in plan.children and not is_off[row])
        self._place = {leaf: place for place, leaf in enumerate(self._leaves)}
        self._stays = find_staying(plan, schedule, kept, self._leaves)
        self._links = [link for link in leaf_links(plan) if link[0] in self._place and link[1] in self._place]
        self._kinds_into: dict[TaskId, set[str]] = defaultdict(set)
        for _, after, link in self._links:
            self._kinds_into[after].add(link.kind.value)
        self._ways = PlanWays(plan, self._network, self._links, self._stays)
        self._of = {leaf: self._ways.of(plan.task(leaf)) for leaf in self._leaves}
        self._row = {number: row for row, number in enumerate(self._ways.resources)}
        self._clocks: dict[int, int] = {}  # number of a working time -> calendar of the problem
        self._draft = Draft()
        self._notes: list[str] = []

    def build(self) -> PlanProblem:
        plan, draft = self._plan, self._draft
        families = sorted({family for each in plan.changeovers for family in each.families})
        self._family = {family: place for place, family in enumerate(families)}
        draft.resources = [self._resource(each) for each in self._ways.resources.values()]
        draft.changeover = [[[c.between(a, b) for b in families] for a in families] for c in plan.changeovers]
        draft.transport = self._transport()
        draft.operations = [self._operation(leaf) for leaf in self._leaves]
        draft.links = list(self._plan_links())
        for leaf in self._leaves:
            self._add_date_bounds(leaf)
        starts = [self._schedule.start_of(leaf) for leaf in self._leaves]
        draft.start = min([plan.start, *starts])
        draft.horizon = self._horizon(draft.start)
        draft.calendars = [self._segments(number, draft) for number in self._clocks]
        try:
            problem = draft.build()
        except SolverError as error:
            raise self._named(error) from error
        ways = tuple(way for leaf in self._leaves for way in self._of[leaf])
        ways += (Way(None, 1.0, 0),) * (len(problem.release) - len(self._leaves))
        notes = (*self._notes, *sentences(plan, self._stays))
        return PlanProblem(plan, self._schedule, problem, self._leaves, ways, self._stays, notes)

    def _resource(self, resource: Resource) -> ResourceDraft:
        capacity = self._ways.capacity(resource.id, resource.capacity)
        matrices = [each.id for each in self._plan.changeovers]
        matrix = NONE if resource.changeover is None else matrices.index(resource.changeover)
        if matrix != NONE and capacity != 1:
            self._notes.append(f"“{resource.name}” does several things at once: it is not set up between them.")
            matrix = NONE
        steps: list[tuple[int, int, int]] = []
        for step in resource.steps:  # a later one wins
            if step.first < step.last:
                steps = _overlaid(steps, (step.first, step.last, self._ways.capacity(resource.id, step.units)))
        clock = self._calendar(self._network.clocks.of(resource.calendar))
        return ResourceDraft(
            capacity=capacity,
            steps=tuple(steps),
            matrix=matrix,
            family=self._family.get(resource.setup, NONE),
            calendar=clock,
        )

    def _transport(self) -> list[list[int]]:
        if not self._plan.transports:
            return []
        table = [[0] * len(self._row) for _ in self._row]
        for each in self._plan.transports:
            if each.origin in self._row and each.target in self._row:
                table[self._row[each.origin]][self._row[each.target]] = each.ticks
        return table

    def _calendar(self, number: int) -> int:
        """The place of a working time among the problem's calendars."""
        if number == EVER or self._network.times[number].is_always:
            return NONE
        return self._clocks.setdefault(number, len(self._clocks))

    def _operation(self, leaf: TaskId) -> OperationDraft:
        task, row = self._plan.task(leaf), self._plan.rows[leaf]
        start, nodes = self._schedule.start_of(leaf), self._nodes
        due = int(nodes.cap[row])
        now = self._ways.now(task)
        about = OperationDraft(
            modes=tuple(self._mode(task, row, way, is_now=way == now) for way in self._of[leaf]),
            release=self._release(leaf, row),
            due=min(NEVER, due),
            weight=max(1, task.priority // _USUAL_WEIGHT),
            family=self._family.get(task.family, NONE),
            is_breakable=not task.is_unbreakable,
            current_start=start,
            current_mode=self._of[leaf].index(now) if now in self._of[leaf] else NONE,
            priority=task.priority,
            job=NONE if task.parent is None else self._plan.rows[task.parent],
        )
        if leaf not in self._stays:
            return about
        span = self._schedule.finish_of(leaf) - start
        return replace(
            about, modes=(replace(about.modes[0], duration=span, calendar=NONE),), pinned_start=start, pinned_mode=0
        )

    def _mode(self, task: Task, row: int, way: Way, *, is_now: bool) -> ModeDraft:
        pauses = sum(split.gap for split in task.splits if split.work < task.duration)
        length = int(self._nodes.length[row]) if is_now else way.duration + pauses
        used = self._ways.uses(task, way)
        hours = sum(self._ways.resources[use.resource].cost_per_hour * use.units for use in used)
        uses = [(self._row[use.resource], self._ways.units(task, use)) for use in used] if length else []
        clock = self._ways.clock(task, way)
        calendar = NONE if clock is None else self._calendar(clock)
        return ModeDraft(length, tuple(uses), calendar, round(_CENTS * (way.cost + hours * way.duration / _HOUR)))

    def _release(self, leaf: TaskId, row: int) -> Ticks:
        """start >= pin, the status date and, unless only finish-to-start links lead to it, the plan's start."""
        kinds = self._kinds_into[leaf]
        is_free = kinds == {"FS"} or (not kinds and int(self._nodes.flags[row]) & columns.PINNED)
        least = [] if is_free else [self._plan.start]
        bounds = (int(self._nodes.pin[row]), self._network.rules.status)
        return max([*least, *(bound for bound in bounds if bound != columns.NONE), 0])

    def _plan_links(self) -> Iterator[LinkDraft]:
        has_transport = bool(self._plan.transports)
        for before, after, link in self._links:
            flags = int(self._nodes.flags[self._plan.rows[after]])
            both = before in self._stays and after in self._stays
            if both or flags & (columns.STARTED | columns.FINISHED):
                continue
            lag, clock = self._lag(link, before, after)
            ends = (self._place[before], self._place[after])
            kind = LinkKind[link.kind.value]
            is_carried = has_transport and kind is LinkKind.FS
            yield LinkDraft(
                before=ends[0], after=ends[1], kind=kind, lag=lag, calendar=clock, is_transported=is_carried
            )
            if link.longest is not None:
                most, clock = self._lag(replace(link, lag=replace(link.lag, amount=link.longest)), before, after)
                yield LinkDraft(before=ends[0], after=ends[1], kind=kind, lag=most, calendar=clock, is_most=True)

    def _lag(self, link: Dependency, before: TaskId, after: TaskId) -> tuple[Ticks, int]:
        """A lag in ticks and the calendar it is counted in, as the network counts it."""
        rows, nodes, amount = self._plan.rows, self._nodes, link.lag.amount
        is_always = int(nodes.calendar[rows[before]]) == EVER
        if link.lag.kind.is_percent:
            amount = int(nodes.duration[rows[before]]) * amount // 100
        if link.lag.kind.is_elapsed or (link.lag.kind is LagKind.PERCENT and is_always):
            return amount, NONE
        kind = self._plan.settings.lag_calendar
        number = self._network.clocks.lag_number(kind)
        if number is None:
            number = int(nodes.lag_calendar[rows[after if kind is LagCalendar.SUCCESSOR else before]])
        return amount, self._calendar(number) if amount else NONE

    def _add_date_bounds(self, leaf: TaskId) -> None:
        """finish >= at, start <= at, finish <= at, by links from operations that stand for the date."""
        row = self._plan.rows[leaf]
        if leaf in self._stays:
            return
        if (at := int(self._nodes.ends_after[row])) != columns.NONE:
            self._bound(leaf, at, LinkKind.FF, is_most=False)
        hard = int(self._nodes.hard[row])
        if hard in (columns.SNLT, columns.FNLT):
            kind = LinkKind.SS if hard == columns.SNLT else LinkKind.FF
            self._bound(leaf, int(self._nodes.hard_at[row]), kind, is_most=True)

    def _bound(self, leaf: TaskId, at: Ticks, kind: LinkKind, *, is_most: bool) -> None:
        draft = self._draft
        draft.links.append(LinkDraft(before=len(draft.operations), after=self._place[leaf], kind=kind, is_most=is_most))
        draft.operations.append(OperationDraft(modes=(ModeDraft(0),), pinned_start=at, pinned_mode=0))

    def _horizon(self, start: Ticks) -> Ticks:
        """An instant by which all could be done one after the other on each of the calendars."""
        work = sum(max(mode.duration for mode in each.modes) for each in self._draft.operations)
        work += sum(abs(link.lag) for link in self._draft.links)
        work += sum(max(map(max, matrix), default=0) for matrix in self._draft.changeover if matrix) * len(self._leaves)
        work += max(map(max, self._draft.transport), default=0) * len(self._leaves)
        last = max([start, self._schedule.project_finish, *(int(each.release) for each in self._draft.operations)])
        times = [self._network.times[number] for number in self._clocks]
        ends = [last + work, *(time.add(last, work) for time in times)]
        return min(max(ends), LAST_DAY * DAY)

    def _segments(self, number: int, draft: Draft) -> list[tuple[int, int]]:
        time = self._network.times[number]
        low = max(0, int(np.searchsorted(time.ends, draft.start - 400 * DAY)))
        high = int(np.searchsorted(time.starts, draft.horizon))
        return list(zip(time.starts[low:high].tolist(), time.ends[low:high].tolist(), strict=True))

    def _named(self, error: SolverError) -> SolverError:
        """What cannot be solved, with the name of the task instead of a number."""
        place = next(iter(error.ids), None)
        if place is None or place >= len(self._leaves):
            return error
        task = self._plan.task(self._leaves[place])
        if task.is_unbreakable:
            sentence = f"“{task.name}” is to be done in one piece, and no working time is long enough for that"
            return SolverError(f"{sentence}: shorten it, or let it be interrupted.", ids=(task.id,))
        return SolverError(f"“{task.name}” can be done by nobody, whenever that may be.", ids=(task.id,))


def _overlaid(steps: list[tuple[int, int, int]], new: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Disjoint steps with one more laid over them, sorted."""
    first, last, _ = new
    kept = [
        part
        for a, b, units in steps
        for part in ((a, min(b, first), units), (max(a, last), b, units))
        if part[0] < part[1]
    ]
    return sorted((*kept, new))
