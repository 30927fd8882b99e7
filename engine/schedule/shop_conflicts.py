"""Shop conflicts: longest lags, tasks in one piece, set-ups and transport that the dates leave no room for.

The critical path method keeps to none of these, so a plan that was dated by it alone may break them. It moves no task.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from engine.model import Clock, Dependency, DependencyKind, LagCalendar, LagKind, ResourceKind, Task, TaskId, Ticks
from engine.schedule import words
from engine.schedule.clocks import EVER
from engine.schedule.columns import FINISHED, INACTIVE, STARTED
from engine.schedule.conflicts import Conflict
from engine.schedule.schedule import Schedule
from engine.schedule.setups import Setup
from engine.schedule.working_time import WorkingTime

LONGEST, UNBROKEN, SETUP, TRANSPORT = "longest lag", "in one piece", "set-up", "transport"
_FROM_FINISH = (DependencyKind.FS, DependencyKind.FF)
_TO_START = (DependencyKind.FS, DependencyKind.SS)


def find_shop_conflicts(schedule: Schedule) -> tuple[Conflict, ...]:
    """Every one of a plan, in row order; none on a device."""
    if schedule.basis.network.plan.clock is Clock.DEVICE:
        return ()
    finder = _Finder(schedule)
    found = [*finder.lags(), *finder.pieces(), *finder.setups(), *finder.transports()]
    return tuple(sorted(found, key=lambda conflict: schedule.rows[conflict.task]))


class _Finder:
    """Looks at one kind after another."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._network = schedule.basis.network
        self._plan, self._nodes = self._network.plan, self._network.nodes

    def lags(self) -> Iterator[Conflict]:
        """FS: start(s) <= finish(p) + longest, by the calendar that counts the lag; other kinds alike."""
        for link in self._plan.dependencies:
            if link.longest is None or self._is_past(link.predecessor, INACTIVE):
                continue
            bounds_start = link.kind in _TO_START
            if self._is_past(link.successor, INACTIVE | FINISHED | (STARTED if bounds_start else 0)):
                continue
            time, most, is_elapsed = self._counted(link, link.longest)
            anchor = self._date(link.predecessor, is_finish=link.kind in _FROM_FINISH)
            target = self._date(link.successor, is_finish=not bounds_start)
            if (between := time.between(anchor, target)) > most:
                yield self._lag_conflict(link, (anchor, target), (between, most), is_elapsed)

    def _lag_conflict(
        self, link: Dependency, dates: tuple[Ticks, Ticks], lengths: tuple[Ticks, Ticks], is_elapsed: bool
    ) -> Conflict:
        plan, before, after = self._plan, self._plan.task(link.predecessor), self._plan.task(link.successor)
        tell = words.elapsed if is_elapsed else lambda ticks: words.length(plan, ticks)
        between, most = (tell(ticks) if ticks else "0" for ticks in lengths)
        ends = "starts" if link.kind in _TO_START else "finishes"
        other = "finishes" if link.kind in _FROM_FINISH else "starts"
        sentence = (
            f"“{plan.title_of(after.id)}” {ends} {words.instant(plan, dates[1])}, {between} after "
            f"“{plan.title_of(before.id)}” {other}: "
            f"at most {most} may lie between them."
        )
        return Conflict(after.id, LONGEST, (before.id, after.id), sentence)

    def _counted(self, link: Dependency, amount: int) -> tuple[WorkingTime, Ticks, bool]:
        """The working time that counts a lag, the lag in its ticks, and whether every hour counts."""
        rows, nodes, network = self._plan.rows, self._nodes, self._network
        before, after = rows[link.predecessor], rows[link.successor]
        if link.lag.kind.is_percent:
            amount = int(nodes.duration[before]) * amount // 100
        always = link.lag.kind is LagKind.PERCENT and int(nodes.calendar[before]) == EVER
        if link.lag.kind.is_elapsed or always:
            return network.times[EVER], amount, True
        kind = self._plan.settings.lag_calendar
        number = network.clocks.lag_number(kind)
        if number is None:
            number = int(nodes.lag_calendar[after if kind is LagCalendar.SUCCESSOR else before])
        return network.times[number], amount, number == EVER

    def pieces(self) -> Iterator[Conflict]:
        """finish - start = the work between them, of a task that nothing may interrupt."""
        for task in self._plan.tasks:
            if not task.is_unbreakable or task.is_elapsed or self._is_past(task.id, INACTIVE | FINISHED):
                continue
            start, finish = self._date(task.id, is_finish=False), self._date(task.id, is_finish=True)
            time = self._schedule.working_time_of(task.id)
            if task.splits or finish - start > time.between(start, finish):
                yield Conflict(task.id, UNBROKEN, (task.id,), self._piece_words(task, time, (start, finish)))

    def _piece_words(self, task: Task, time: WorkingTime, dates: tuple[Ticks, Ticks]) -> str:
        wanted = f"“{self._plan.title_of(task.id)}” is to be done in one piece"
        if task.splits:
            return f"{wanted}, but it pauses: join its parts."
        starts, ends = time.intervals(*dates)
        if len(ends) < 2:
            return f"{wanted}, but it lasts beyond one working interval."
        longest = int((time.ends - time.starts).max())
        stops, goes = words.instant(self._plan, int(ends[0])), words.instant(self._plan, int(starts[1]), int(ends[0]))
        too_long = ""
        if task.duration > longest:
            too_long = f"; no working interval is longer than {words.length(self._plan, longest)}"
        return f"{wanted}, but it stops {stops} and goes on {goes}{too_long}."

    def setups(self) -> Iterator[Conflict]:
        """start(j) >= finish(i) + changeover, of tasks that follow one another on a machine."""
        for task, setup in self._schedule.setups.items():
            if setup.is_short and not self._is_past(task, STARTED | FINISHED):
                yield self._setup_conflict(task, setup)

    def _setup_conflict(self, task: TaskId, setup: Setup) -> Conflict:
        plan, begins = self._plan, setup.finish
        machine = next(each.name for each in plan.resources if each.id == setup.resource)
        because = f"the plan starts {words.instant(plan, plan.start, begins)}"
        if setup.before is not None:
            free = self._date(setup.before, is_finish=True)
            because = f"“{plan.title_of(setup.before)}” is done there {words.instant(plan, free, begins)}"
        sentence = (
            f"“{plan.title_of(task)}” starts {words.instant(plan, begins)}, but {because}, and to set up “{machine}” "
            f"from “{setup.family}” to “{setup.to_family}” takes {words.length(plan, setup.ticks)}."
        )
        return Conflict(task, SETUP, (task,) if setup.before is None else (setup.before, task), sentence)

    def transports(self) -> Iterator[Conflict]:
        """FS: start(s) >= finish(p) + lag + transport, by the clock, of tasks that take time."""
        if not self._plan.transports:
            return
        ways = {(each.origin, each.target): each.ticks for each in self._plan.transports}
        used = self._used()
        for link in self._plan.dependencies:
            if link.kind is not DependencyKind.FS or self._is_past(link.predecessor, INACTIVE):
                continue
            if self._is_past(link.successor, INACTIVE | STARTED | FINISHED):
                continue
            pairs = [(a, b) for a in used.get(link.predecessor, ()) for b in used.get(link.successor, ())]
            pair = max(pairs, key=lambda each: ways.get(each, 0), default=None)
            if pair is not None and (ticks := ways.get(pair, 0)):
                time, lag, _ = self._counted(link, link.lag.amount)
                done = time.add(self._date(link.predecessor, is_finish=True), lag)
                if self._date(link.successor, is_finish=False) < done + ticks:
                    yield self._transport_conflict(link, pair, ticks)

    def _transport_conflict(self, link: Dependency, pair: tuple[int, int], ticks: Ticks) -> Conflict:
        plan, names = self._plan, {each.id: each.name for each in self._plan.resources}
        before, after = plan.task(link.predecessor), plan.task(link.successor)
        begins, done = self._date(after.id, is_finish=False), self._date(before.id, is_finish=True)
        sentence = (
            f"“{plan.title_of(after.id)}” starts {words.instant(plan, begins)}, but "
            f"“{plan.title_of(before.id)}” is done "
            f"{words.instant(plan, done, begins)}, and from “{names[pair[0]]}” to “{names[pair[1]]}” it takes "
            f"{words.by_the_clock(ticks)}."
        )
        return Conflict(after.id, TRANSPORT, (before.id, after.id), sentence)

    def _used(self) -> dict[TaskId, list[int]]:
        """The machines and people of each task that takes time."""
        kinds = {each.id: each.kind for each in self._plan.resources}
        found: dict[TaskId, list[int]] = defaultdict(list)
        for each in self._plan.assignments:
            holds = kinds[each.resource] in (ResourceKind.MACHINE, ResourceKind.WORK)
            if holds and self._plan.task(each.task).duration:
                found[each.task].append(each.resource)
        return found

    def _is_past(self, task: TaskId, flags: int) -> bool:
        return bool(int(self._nodes.flags[self._plan.rows[task]]) & flags)

    def _date(self, task: TaskId, *, is_finish: bool) -> Ticks:
        return self._schedule.finish_of(task) if is_finish else self._schedule.start_of(task)
