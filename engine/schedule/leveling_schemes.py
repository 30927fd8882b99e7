"""Schedule generation: every task at the first instant at which its links and its resources let it start.

It never decides what a date means: links, calendars and constraints are those of the readable pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from engine.model import DAY, Split, Ticks
from engine.schedule.leveling_demand import Piece
from engine.schedule.leveling_options import LevelOptions, Scheme, Watch
from engine.schedule.leveling_profile import Profile
from engine.schedule.leveling_queues import ParallelQueue, Ready, SerialQueue
from engine.schedule.leveling_reasons import Stay
from engine.schedule.leveling_search import Search
from engine.schedule.network import Network
from engine.schedule.plain import Passes
from engine.schedule.working_time import FIRST_DAY, LAST_DAY, WorkingTime

# So many tasks are placed between two looks of who watches.
_WATCHED = 64
BEGIN_OF_TIME = (FIRST_DAY + 366) * DAY
END_OF_TIME = (LAST_DAY - 366) * DAY


@dataclass(frozen=True, eq=False)
class Jobs:
    """What is to be placed, by node: `pieces` of the tasks that may move, dates of those `fixed`, `rank` of all.

    No task starts after `latest[node][0]` or finishes after `latest[node][1]`.
    """

    pieces: Mapping[int, tuple[Piece, ...]]
    fixed: Mapping[int, tuple[Ticks, Ticks]]
    rank: Sequence[int]
    latest: Sequence[tuple[Ticks, Ticks]]


@dataclass(slots=True)
class Placed:
    """The elapsed delay of each node, the splits of those that pause, and why a task stays where it does not fit."""

    delay: dict[int, Ticks] = field(default_factory=dict)
    splits: dict[int, tuple[Split, ...]] = field(default_factory=dict)
    stays: dict[int, Stay] = field(default_factory=dict)


def place_all(
    network: Network, jobs: Jobs, profiles: Mapping[int, Profile], options: LevelOptions, watch: Watch
) -> Placed:
    """Places every node once: start >= every bound, and used(t) <= capacity(t) at every t, where that can be.

    `profiles` hold what fixed tasks use, and in the end what all do. A task for which there is no such start by its
    latest one stays at its bound, and later ones make way for it.
    """
    return _Board(network, jobs, profiles, options).run(watch)


class _Board:
    def __init__(self, network: Network, jobs: Jobs, profiles: Mapping[int, Profile], options: LevelOptions) -> None:
        self._passes = Passes(network)
        self._tasks = self._passes.tasks
        self._jobs = jobs
        self._options = options
        self._search = Search(profiles)
        self._placed = Placed()
        self._too_late = Stay.SLACK if options.is_within_slack else Stay.LATEST
        first = self._passes.links.first
        self._waiting = [after - before for before, after in pairwise(first)]
        is_serial = options.scheme is Scheme.SERIAL
        self._queue = SerialQueue(self._fit) if is_serial else ParallelQueue(self._fit, self._search.first_instant)

    def run(self, watch: Watch) -> Placed:
        for node in [node for node in self._passes.order if self._waiting[node] == 0]:
            self._arrive(node)
        placed = 0
        while (found := self._queue.take()) is not None:
            node, start = found
            if placed % _WATCHED == 0:
                watch(placed / len(self._jobs.pieces))
            placed += 1
            self._place(node, self._passes.start[node] if start is None else start)
        return self._placed

    def _arrive(self, node: int) -> None:
        """All predecessors are placed: so is what uses nothing, and what that lets go."""
        stack = [node]
        while stack:
            node = stack.pop()
            self._passes.set_early(node)
            if node in self._jobs.pieces:
                self._queue.add(Ready(self._passes.start[node], self._jobs.rank[node], node, self._jobs.pieces[node]))
                continue
            if node in self._jobs.fixed:
                self._fix(node)
            stack += self._released(node)

    def _released(self, node: int) -> list[int]:
        links = self._passes.links
        found = []
        for place in range(links.out_first[node], links.out_first[node + 1]):
            after = links.successor[links.out[place]]
            self._waiting[after] -= 1
            if self._waiting[after] == 0:
                found.append(after)
        return found

    def _fix(self, node: int) -> None:
        """A task that keeps its dates is delayed by what those it waits for are early."""
        start, finish = self._jobs.fixed[node]
        self._delay(node, start)
        self._passes.start[node], self._passes.finish[node] = start, finish

    def _delay(self, node: int, start: Ticks) -> None:
        delay = start - self._passes.start[node]
        if delay > 0:
            self._placed.delay[node] = delay
            self._passes.nodes.delay[node] = delay
            self._passes.set_early(node)

    def _fit(self, node: int, after: Ticks) -> Ticks | None:
        """The first start at or after an instant, not before its bound, at which all pieces fit, or None."""
        self._placed.stays.pop(node, None)
        pieces, time = self._jobs.pieces[node], self._tasks.time(node)
        possible = tuple(piece for piece in pieces if self._search.could_fit(piece))
        if len(possible) < len(pieces):
            self._placed.stays[node] = Stay.TOO_MUCH
        latest, bound = min(self._jobs.latest[node][0], END_OF_TIME), self._passes.start[node]
        patience = self._search.patience(possible, bound)
        start = max(bound, after)
        while (later := self._search.after_conflict(possible, start)) is not None:
            start = self._tasks.next_start(node, later)
            if start > patience:
                self._placed.stays[node] = Stay.HOURS
                return None
        if start > bound and time.between(latest, start) > 0:
            self._placed.stays.setdefault(node, self._too_late)
            return None
        return start

    def _place(self, node: int, start: Ticks) -> None:
        pieces = self._jobs.pieces[node]
        if not (self._options.splits_tasks and self._place_split(node, start)):
            self._delay(node, start)
            for piece in pieces:
                self._search.book(piece, self._passes.start[node])
        for after in self._released(node):
            self._arrive(after)

    def _place_split(self, node: int, whole: Ticks) -> bool:
        """Place a task in parts where that ends it sooner than to wait for room for the whole of it."""
        pieces, length = self._jobs.pieces[node], self._passes.nodes.length[node]
        bound, time = self._passes.start[node], self._tasks.time(node)
        stay = self._placed.stays.get(node)
        if stay not in (None, self._too_late) or not self._may_split(pieces, length, time):
            return False
        parts = self._search.parts(pieces, bound, length, self._options.shortest_part)
        if not parts or len(parts) == 1:
            return False
        is_late = time.between(self._jobs.latest[node][1], parts[-1][1]) > 0
        is_late = is_late or time.between(self._jobs.latest[node][0], parts[0][0]) > 0
        is_sooner = stay is not None or time.between(parts[-1][1], time.add(whole, length)) > 0
        if is_late or not is_sooner:
            return False
        self._placed.stays.pop(node, None)
        self._placed.splits[node] = _splits(parts, time)
        self._passes.nodes.length[node] += sum(split.gap for split in self._placed.splits[node])
        self._passes.set_early(node)
        self._delay(node, parts[0][0])
        for first, last in parts:
            for piece in pieces:
                self._search.book_stretch(piece, first, last)
        return True

    def _may_split(self, pieces: Sequence[Piece], length: Ticks, time: WorkingTime) -> bool:
        """Whether all of a task is the same from its first tick to its last."""
        return all((p.first, p.last, p.time, p.hours) == (0, length, time, None) for p in pieces)


def _splits(parts: Sequence[tuple[Ticks, Ticks]], time: WorkingTime) -> tuple[Split, ...]:
    found, done = [], 0
    for (first, last), (again, _) in pairwise(parts):
        done += time.between(first, last)
        found.append(Split(done, time.between(last, again)))
    return tuple(found)
