"""A Problem of a plan and its schedule: the schedule's own working times, lags and pins as arrays. It never searches.

An operation is an active leaf. What has begun, is dated by hand, lies before the fence, or cannot be said in a Problem
is pinned where the schedule has it (staying.py says why). Leveling delays are forgotten: the optimizer begins anew.
A task holds all of its resources from start to finish, whatever its contours, as leveling does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from engine.errors import PlanError, SolverError
from engine.model import DAY, Clock, Plan, Task, TaskId, Ticks, Way
from engine.optimize.arrays import firsts, ints, longs
from engine.optimize.plan_links import PlanLinks
from engine.optimize.plan_shop import PlanShop, place_of
from engine.optimize.plan_ways import PlanWays
from engine.optimize.problem import NEVER, NONE, Bytes, Flags, Ints, LinkKind, Longs, Problem
from engine.optimize.room import Held, Steps, with_room
from engine.optimize.staying import Stays, find_staying, sentences
from engine.schedule import columns
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import LAST_DAY

_USUAL_WEIGHT = 100  # of priorities: 500 is 5
_BEHIND = 400 * DAY  # segments so long before the start are there too, for mirrored problems
_MOST_WORK = float(1 << 60)
_ALWAYS = Way(None, 1.0, 0)


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """What a problem was made of that often holds still from one edit to the next."""

    ways: PlanWays
    shop: PlanShop


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
    known: Known = field(repr=False)


def problem_of(
    plan: Plan, schedule: Schedule, kept: Iterable[TaskId] = (), previous: PlanProblem | None = None
) -> PlanProblem:
    """The problem of a plan that is dated from its start; tasks in `kept`, summaries with what they hold, stay.

    `previous` is that of the plan before an edit: the result is the same, only sooner. Raises PlanError where the plan
    is of a device or dated from its finish, SolverError where no plan can exist.
    """
    if plan.clock is Clock.DEVICE:
        raise PlanError("A device plan has no resources to share: its streams are in order. Ask for advice instead.")
    if plan.settings.is_from_finish:
        raise PlanError("The plan is scheduled from its finish: schedule it from its start to optimize it.")
    if schedule.cycle:
        names = " and ".join(f"“{plan.title_of(task)}”" for task in schedule.cycle[:2])
        raise PlanError(f"{names} wait for each other: remove one of the links first.", ids=schedule.cycle)
    return _Builder(plan, schedule, frozenset(leaf for task in kept for leaf in plan.leaves(task)), previous).build()


class _ModeColumns(NamedTuple):
    """Columns of a Problem's modes and of what they use."""

    first: Ints
    duration: Longs
    calendar: Ints
    cost: Longs
    first_use: Ints
    resource: Ints
    units: Ints


class _OperationColumns(NamedTuple):
    """Columns of a Problem's operations."""

    release: Longs
    due: Longs
    weight: Longs
    family: Ints
    is_breakable: Flags
    pinned_start: Longs
    pinned_mode: Ints
    current_start: Longs
    current_mode: Ints
    priority: Ints
    job: Ints


class _LinkColumns(NamedTuple):
    """Columns of a Problem's links."""

    before: Ints
    after: Ints
    kind: Bytes
    lag: Longs
    calendar: Ints
    is_most: Flags
    is_transported: Flags


class _Bound(NamedTuple):
    """A date that an operation's start or finish must not come before, or after."""

    place: int
    at: int
    kind: LinkKind
    is_most: bool


class _Builder:
    def __init__(
        self, plan: Plan, schedule: Schedule, kept: frozenset[TaskId], previous: PlanProblem | None = None
    ) -> None:
        self._plan, self._schedule = plan, schedule
        self._network = schedule.basis.network
        self._rows = self._active_leaves()
        self._nodes = columns.Nodes(*(column[self._rows] for column in self._network.nodes))
        self._tasks = [plan.tasks[row] for row in self._rows.tolist()]
        self._leaves = tuple(task.id for task in self._tasks)
        self._starts = schedule.start[self._rows]
        self._stays = find_staying(plan, schedule, kept, self._rows)
        self._known = self._know(previous)
        self._shop = self._known.shop
        self._calendars = {time: place for place, time in enumerate(self._shop.times)}
        self._is_fixed = np.array([leaf in self._stays for leaf in self._leaves], np.bool_)
        self._bounds = list(self._date_bounds())
        self._overloaded: tuple[int, ...] = ()

    def build(self) -> PlanProblem:
        plan = self._plan
        modes, links = self._mode_columns(), self._link_columns()
        start = min([plan.start, *self._starts.tolist()])
        horizon = self._horizon(start, modes, links)
        try:
            problem = self._problem(modes, links, start, horizon)
        except SolverError as error:
            raise self._named(error) from error
        ways = tuple(chain.from_iterable(each.ways for each in self._modes)) + (_ALWAYS,) * len(self._bounds)
        notes = (*self._shop.notes, *_lacking(plan, self._tasks), *sentences(plan, self._stays), *self._overloads())
        return PlanProblem(plan, self._schedule, problem, self._leaves, ways, self._stays, notes, self._known)

    def _overloads(self) -> Iterator[str]:
        """A sentence a resource that what stays overloads; none where one task alone is too much for it."""
        told = {use.resource for use in self._plan.assignments if self._stays.get(use.task) is Stays.TOO_MUCH}
        resources = list(self._known.ways.resources.values())
        for each in (resources[place] for place in self._overloaded):
            if each.id not in told:
                yield f"“{each.name}” is overloaded by what stays where it is: no plan can change that."

    def _active_leaves(self) -> Longs:
        """Rows."""
        is_leaf = self._network.nodes.flags[: len(self._plan.tasks)] & columns.INACTIVE == 0
        is_leaf[[self._plan.rows[summary] for summary in self._plan.children]] = False
        return np.flatnonzero(is_leaf)

    def _know(self, previous: PlanProblem | None) -> Known:
        """Ways, links and resources, what holds of those before taken as it is; modes and links of the leaves too."""
        plan, known = self._plan, None if previous is None else previous.known
        links = PlanLinks.of(plan)
        self._place = np.full(len(plan.tasks), NONE, np.int64)
        self._place[self._rows] = np.arange(len(self._rows))
        self._links = links.only((self._place[links.before] != NONE) & (self._place[links.after] != NONE))
        ways = PlanWays(plan, self._network, self._links, self._stays)
        self._modes = ways.modes(self._leaves, None if known is None else known.ways)
        return Known(ways, PlanShop.of(plan, self._network, ways, None if known is None else known.shop))

    def _problem(self, modes: _ModeColumns, links: _LinkColumns, start: Ticks, horizon: Ticks) -> Problem:
        shop, done = self._shop, self._operation_columns(modes)
        first_segment, segments = self._segments(start, horizon)
        steps = Steps(shop.first_step, shop.step_from, shop.step_until, shop.step_units)
        steps, self._overloaded = with_room(steps, shop.capacity.tolist(), self._held(modes))
        return Problem(
            first_mode=modes.first,
            duration=modes.duration,
            mode_calendar=modes.calendar,
            mode_cost=modes.cost,
            first_use=modes.first_use,
            use_resource=modes.resource,
            use_units=modes.units,
            release=done.release,
            due=done.due,
            weight=done.weight,
            family=done.family,
            is_breakable=done.is_breakable,
            pinned_start=done.pinned_start,
            pinned_mode=done.pinned_mode,
            current_start=done.current_start,
            current_mode=done.current_mode,
            priority=done.priority,
            job=done.job,
            capacity=shop.capacity,
            **steps._asdict(),
            resource_matrix=shop.resource_matrix,
            resource_family=shop.resource_family,
            resource_calendar=shop.resource_calendar,
            first_segment=first_segment,
            segment_start=segments[0],
            segment_finish=segments[1],
            segment_work=segments[2],
            link_from=links.before,
            link_to=links.after,
            link_kind=links.kind,
            link_lag=links.lag,
            link_calendar=links.calendar,
            link_is_most=links.is_most,
            link_is_transported=links.is_transported,
            transport=shop.transport,
            changeover=shop.changeover,
            start=start,
            horizon=horizon,
        )

    def _mode_columns(self) -> _ModeColumns:
        """A mode a way; what stays lasts as it does now, and an operation that stands for a date no time at all."""
        made, more = self._modes, len(self._bounds)
        first = firsts([len(each.ways) for each in made] + [1] * more)
        lengths = longs([*_flat(each.lengths for each in made), *[0] * more])
        calendars = ints([place_of(time, self._calendars) for each in made for time in each.clocks] + [NONE] * more)
        fixed = first[: len(made)][self._is_fixed]
        lengths[fixed] = (self._schedule.finish[self._rows] - self._starts)[self._is_fixed]
        calendars[fixed] = NONE
        return _ModeColumns(
            first=first,
            duration=lengths,
            calendar=calendars,
            cost=longs([*_flat(each.costs for each in made), *[0] * more]),
            first_use=firsts([*_flat(each.counts for each in made), *[0] * more]),
            resource=ints([*_flat(each.resources for each in made)]),
            units=ints([*_flat(each.units for each in made)]),
        )

    def _held(self, modes: _ModeColumns) -> Iterator[Held]:
        """What the tasks that stay use, as long as they last."""
        for place in np.flatnonzero(self._is_fixed).tolist():
            start, mode = int(self._starts[place]), int(modes.first[place])
            for use in range(int(modes.first_use[mode]), int(modes.first_use[mode + 1])):
                yield Held(int(modes.resource[use]), start, start + int(modes.duration[mode]), int(modes.units[use]))

    def _operation_columns(self, modes: _ModeColumns) -> _OperationColumns:
        tasks, families, rows, first = self._tasks, self._shop.families, self._plan.rows, modes.first[:-1].astype(int)
        leaves, more = len(tasks), len(self._bounds)
        now = longs([each.now for each in self._modes])
        none = np.full(more, NONE)
        job = [NONE if task.parent is None else rows[task.parent] for task in tasks]
        family = [families.get(task.family, NONE) for task in tasks]
        priority = longs([task.priority for task in tasks])
        pins = np.where(self._is_fixed, self._starts, NONE)
        return _OperationColumns(
            release=np.concatenate((self._releases, np.zeros(more, np.int64))),
            due=np.concatenate((np.minimum(NEVER, self._nodes.cap), np.full(more, NEVER))),
            weight=np.concatenate((np.maximum(1, priority // _USUAL_WEIGHT), np.ones(more, np.int64))),
            family=ints([*family, *none]),
            is_breakable=np.array([*(not task.is_unbreakable for task in tasks), *[False] * more], np.bool_),
            pinned_start=np.concatenate((pins, longs([bound.at for bound in self._bounds]))),
            pinned_mode=ints(np.concatenate((np.where(self._is_fixed, first[:leaves], NONE), first[leaves:]))),
            current_start=np.concatenate((self._starts, none)),
            current_mode=ints(np.concatenate((np.where(now == NONE, NONE, now + first[:leaves]), none))),
            priority=ints([*priority, *[0] * more]),
            job=ints([*job, *none]),
        )

    @cached_property
    def _releases(self) -> Longs:
        """start >= pin, the status date and, unless only finish-to-start links lead to it, the plan's start."""
        after, count = self._place[self._links.after], len(self._rows)
        into = np.bincount(after, minlength=count)
        of_finish = np.bincount(after[self._links.kind == columns.FS], minlength=count)
        is_pinned = self._nodes.flags & columns.PINNED != 0
        is_free = np.where(into == 0, is_pinned, into == of_finish)
        least = np.where(is_free, 0, max(self._plan.start, 0))
        releases: Longs = np.maximum(least, np.maximum(self._nodes.pin, self._network.rules.status))
        # What takes no time is kept out of time off by nothing but this; the end of a shift is a time for it too.
        for place in np.flatnonzero(is_pinned & (self._nodes.duration == 0)).tolist():
            releases[place] = self._worked(place, int(releases[place]))
        return releases

    def _worked(self, place: int, at: int) -> int:
        """When something that takes no time can be that is to be no earlier than an instant."""
        time = self._schedule.working_time_of(self._tasks[place].id)
        return at if time.is_empty or time.previous_finish(at) == at else time.next_start(at)

    def _link_columns(self) -> _LinkColumns:
        """Links and longest lags in the plan's order, then those from operations that stand for dates."""
        begun = self._network.nodes.flags[self._links.after] & (columns.STARTED | columns.FINISHED) != 0
        ends = self._place[self._links.before], self._place[self._links.after]
        links = self._links.only(~(begun | (self._is_fixed[ends[0]] & self._is_fixed[ends[1]])))
        most = links.only(links.has_most)
        lag, clock = links.lags(links.amount, self._network)
        longest, longest_clock = most.lags(most.most, self._network, is_most=True)
        order = np.argsort(np.concatenate((np.arange(len(lag)) * 2, np.flatnonzero(links.has_most) * 2 + 1)))
        is_most = (np.arange(len(order)) >= len(lag))[order]
        kind = np.concatenate((links.kind, most.kind))[order]
        bounds = self._bounds
        clocks = np.concatenate((clock, longest_clock))[order].tolist()
        times = {number: self._network.times[number] for number in dict.fromkeys(clocks)}
        calendars = {number: place_of(time, self._calendars) for number, time in times.items()}
        stands = np.arange(len(self._leaves), len(self._leaves) + len(bounds))
        is_carried = ~is_most & (kind == columns.FS) & bool(self._plan.transports)
        return _LinkColumns(
            before=ints([*self._place[np.concatenate((links.before, most.before))[order]], *stands]),
            after=ints([*self._place[np.concatenate((links.after, most.after))[order]], *(b.place for b in bounds)]),
            kind=np.array([*kind, *(b.kind for b in bounds)], np.int8),
            lag=np.concatenate((np.concatenate((lag, longest))[order], np.zeros(len(bounds), np.int64))),
            calendar=ints([*(calendars[number] for number in clocks), *[NONE] * len(bounds)]),
            is_most=np.array([*is_most, *(b.is_most for b in bounds)], np.bool_),
            is_transported=np.array([*is_carried, *[False] * len(bounds)], np.bool_),
        )

    def _date_bounds(self) -> Iterator[_Bound]:
        """finish >= at, start <= at, finish <= at, by links from operations that stand for the date."""
        nodes = self._nodes
        is_late = (nodes.hard == columns.SNLT) | (nodes.hard == columns.FNLT)
        for place in np.flatnonzero(~self._is_fixed & (is_late | (nodes.ends_after != columns.NONE))).tolist():
            if (at := int(nodes.ends_after[place])) != columns.NONE:
                at = at if nodes.duration[place] else self._worked(place, at)
                yield _Bound(place, at, LinkKind.FF, is_most=False)
            if is_late[place]:
                kind = LinkKind.SS if nodes.hard[place] == columns.SNLT else LinkKind.FF
                yield _Bound(place, int(nodes.hard_at[place]), kind, is_most=True)

    def _horizon(self, start: Ticks, modes: _ModeColumns, links: _LinkColumns) -> Ticks:
        """An instant by which all could be done one after the other on each of the calendars."""
        shop, leaves = self._shop, len(self._leaves)
        longest = np.maximum.reduceat(modes.duration, modes.first[:-1]) if len(modes.duration) else modes.duration
        between = sum(int(matrix.max(initial=0)) for matrix in shop.changeover) + int(shop.transport.max(initial=0))
        work = int(min(_MOST_WORK, float(longest.sum(dtype=float)) + float(np.abs(links.lag).sum(dtype=float))))
        work += between * leaves
        last = max(start, self._schedule.project_finish, int(self._releases.max(initial=start)))
        ends = [last + work, *(time.add(last, work) for time in self._calendars)]
        return min(max(ends), LAST_DAY * DAY)

    def _segments(self, start: Ticks, horizon: Ticks) -> tuple[Ints, tuple[Longs, Longs, Longs]]:
        """Where the segments of each calendar begin, and their starts, finishes, and the work before each."""
        empty = np.zeros(0, np.int64)
        parts: list[tuple[Longs, Longs, Longs]] = []
        for time in self._calendars:
            low = max(0, int(np.searchsorted(time.ends, start - _BEHIND)))
            high = int(np.searchsorted(time.starts, horizon))
            since, until = time.starts[low:high], time.ends[low:high]
            parts.append((since, until, np.cumsum(until - since) - (until - since)))
        since, until, work = (np.concatenate((empty, *(part[column] for part in parts))) for column in range(3))
        return firsts([len(part[0]) for part in parts]), (since, until, work)

    def _named(self, error: SolverError) -> SolverError:
        """What cannot be solved, with the name of the task instead of a number."""
        place = next(iter(error.ids), None)
        if place is None or place >= len(self._leaves):
            return error
        task = self._tasks[place]
        if task.is_unbreakable:
            sentence = f"“{task.name}” is to be done in one piece, and no working time is long enough for that"
            return SolverError(f"{sentence}: shorten it, or let it be interrupted.", ids=(task.id,))
        return SolverError(f"“{task.name}” can be done by nobody, whenever that may be.", ids=(task.id,))


def _flat(parts: Iterable[tuple[int, ...]]) -> Iterator[int]:
    return chain.from_iterable(parts)


def _lacking(plan: Plan, tasks: Iterable[Task]) -> Iterator[str]:
    """A sentence a skill that tasks ask for and nobody has: who is assigned does them, or nobody."""
    there = {skill for each in plan.resources for skill in each.skills}
    asked: dict[str, list[TaskId]] = {}
    for task in tasks:
        if task.skill and task.skill not in there:
            asked.setdefault(task.skill, []).append(task.id)
    for skill, lacking in asked.items():
        who = f"“{plan.title_of(lacking[0])}” asks"
        if len(lacking) > 1:
            who = f"“{plan.title_of(lacking[0])}” and {len(lacking) - 1} more ask"
        yield f"Nobody has the skill “{skill}” that {who} for."
