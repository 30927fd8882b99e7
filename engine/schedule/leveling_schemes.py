"""Schedule generation: every task at the first instant at which its links and its resources let it start.

It never decides what a date means: links, calendars and constraints are those of the readable pass.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from engine.model import DAY, Split, Ticks
from engine.schedule.leveling_demand import Piece
from engine.schedule.leveling_options import LevelOptions, Scheme
from engine.schedule.leveling_profile import TOLERANCE, Profile
from engine.schedule.leveling_reasons import Stay
from engine.schedule.network import Network
from engine.schedule.plain import Passes
from engine.schedule.working_time import LAST_DAY, WorkingTime

# Where nothing fits in ten years after all that is known, nothing ever will.
_PATIENCE = 3_653 * DAY
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


def place_all(network: Network, jobs: Jobs, profiles: Mapping[int, Profile], options: LevelOptions) -> Placed:
    """Places every node once: start >= every bound, and used(t) <= capacity(t) at every t, where that can be.

    `profiles` hold what fixed tasks use, and in the end what all do. A task for which there is no such start by its
    latest one stays at its bound, and later ones make way for it.
    """
    return _Board(network, jobs, profiles, options).run()


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
        # Serial: (0, rank, node). Parallel: (an instant before which it does not fit, rank, node).
        self._ready: list[tuple[Ticks, int, int]] = []

    def run(self) -> Placed:
        for node in [node for node in self._passes.order if self._waiting[node] == 0]:
            self._arrive(node)
        while self._ready:
            known, rank, node = heapq.heappop(self._ready)
            bound = self._passes.start[node]
            start = self._fit(node, max(bound, known))
            if self._options.scheme is Scheme.PARALLEL and start > known:
                heapq.heappush(self._ready, (start, rank, node))
            else:
                self._place(node, start)
        return self._placed

    def _arrive(self, node: int) -> None:
        """All predecessors are placed: so is what uses nothing, and what that lets go."""
        stack = [node]
        while stack:
            node = stack.pop()
            self._passes.set_early(node)
            if node in self._jobs.pieces:
                known = self._passes.start[node] if self._options.scheme is Scheme.PARALLEL else 0
                heapq.heappush(self._ready, (known, self._jobs.rank[node], node))
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

    def _fit(self, node: int, bound: Ticks) -> Ticks:
        """The first start at or after the bound at which all pieces fit; the bound where there is none."""
        self._placed.stays.pop(node, None)
        pieces, time = self._jobs.pieces[node], self._tasks.time(node)
        never = [piece for piece in pieces if not self._search.could_fit(piece)]
        if never:
            self._placed.stays[node] = Stay.TOO_MUCH
            pieces = tuple(piece for piece in pieces if piece not in never)
        latest = min(self._jobs.latest[node][0], END_OF_TIME)
        patience = self._search.end(pieces, bound) + _PATIENCE
        start = bound
        while (later := self._search.after_conflict(pieces, start)) is not None:
            start = self._tasks.next_start(node, later)
            if start > patience:
                self._placed.stays[node] = Stay.HOURS
                return bound
            if time.between(latest, start) > 0:
                self._placed.stays.setdefault(node, self._too_late)
                return bound
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


class Search:
    """Looks for room in the profiles of resources. It never knows of links."""

    def __init__(self, profiles: Mapping[int, Profile]) -> None:
        self._profiles = profiles

    def could_fit(self, piece: Piece) -> bool:
        """Whether there ever is enough of the resource."""
        return piece.units <= self._profiles[piece.resource].most + TOLERANCE

    def end(self, pieces: Sequence[Piece], instant: Ticks) -> Ticks:
        """The last instant at which anything changes for these pieces, at least this one."""
        return max([instant, *(self._profiles[piece.resource].at[-1] for piece in pieces)])

    def after_conflict(self, pieces: Sequence[Piece], start: Ticks) -> Ticks | None:
        """The first start past something that is in the way of one that starts at `start`; None where nothing is.

        No start between the two fits either.
        """
        for piece in pieces:
            later = self._after(piece, start)
            if later is not None:
                return later
        return None

    def _after(self, piece: Piece, start: Ticks) -> Ticks | None:
        time = piece.time
        first, last = _span(piece, start)
        for busy, free in self._profiles[piece.resource].blocked(first, last, piece.units):
            if time.between(max(busy, first), min(free, last)) > 0:
                return time.start_at(time.work_before(free) - piece.first)
        if piece.hours is None:
            return None
        back = _back_from_break(time, piece.hours, first, last)
        return None if back is None else time.start_at(time.work_before(back) - piece.first)

    def book(self, piece: Piece, start: Ticks) -> None:
        """Use the resource from a start on."""
        self.book_stretch(piece, *_span(piece, start))

    def book_stretch(self, piece: Piece, first: Ticks, last: Ticks) -> None:
        """Use the resource in the working time of a stretch."""
        profile = self._profiles[piece.resource]
        if profile.is_shared:
            starts, ends = piece.time.intervals(first, last)
            for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
                profile.book(begin, end, piece.units)
        else:
            profile.book(first, last, piece.units)

    def parts(self, pieces: Sequence[Piece], bound: Ticks, length: Ticks, shortest: Ticks) -> list[tuple[Ticks, Ticks]]:
        """The stretches from the bound on in which `length` ticks are done wherever all pieces are free.

        Each is at least `shortest` working ticks long, or as long as what is left; none at all where that takes
        forever.
        """
        time, found, at, left = pieces[0].time, [], bound, length
        patience = self.end(pieces, bound) + _PATIENCE
        while left and at < patience:
            last = time.add(at, left)
            busy, free = min(self._first_busy(piece, at, last) for piece in pieces)
            room = min(max(time.between(at, busy), 0), left)
            if room and room >= min(shortest, left):
                found.append((at, time.add(at, room)))
                left -= room
            at = time.next_start(max(free, busy))
        return [] if left else found

    def _first_busy(self, piece: Piece, first: Ticks, last: Ticks) -> tuple[Ticks, Ticks]:
        """From when and until when the resource is busy first, within [first, last) or not at all."""
        for busy, free in self._profiles[piece.resource].blocked(first, last, piece.units):
            if piece.time.between(max(busy, first), min(free, last)) > 0:
                return max(busy, first), free
        return last, last


def _span(piece: Piece, start: Ticks) -> tuple[Ticks, Ticks]:
    begun = piece.time.work_before(start)
    return piece.time.start_at(begun + piece.first), piece.time.finish_at(begun + piece.last)


def _back_from_break(time: WorkingTime, hours: WorkingTime, first: Ticks, last: Ticks) -> Ticks | None:
    """When a resource is back from the first break of its hours in which the task would be worked on."""
    at = first
    while at < last:
        back = hours.next_start(at)
        if time.between(at, min(back, last)) > 0:
            return back
        ahead = hours.ends[np.searchsorted(hours.ends, back, side="right") :]
        if not len(ahead):
            return None
        at = int(ahead[0])
    return None
