"""Schedule generation from the finish: every task at the last instant at which its links and its resources let it.

As leveling_schemes.py, the other way round; the most urgent task is placed first, and none pauses.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

from engine.model import Ticks
from engine.schedule.leveling_options import LevelOptions, Watch
from engine.schedule.leveling_profile import Profile
from engine.schedule.leveling_reasons import Stay
from engine.schedule.leveling_schemes import Jobs, Placed
from engine.schedule.leveling_search import Search
from engine.schedule.network import Network
from engine.schedule.plain import Passes

_WATCHED = 64


def place_back(
    network: Network,
    jobs: Jobs,
    profiles: Mapping[int, Profile],
    options: LevelOptions,
    counted: tuple[Ticks, Sequence[tuple[Ticks, Ticks]]],
    watch: Watch,
) -> Placed:
    """Places every node once, by delays of zero or less; see place_all().

    `counted` is the instant that the plan is counted back from, and the earliest start and finish of each node that
    move nothing of what stays and break no constraint.
    """
    return _Board(network, jobs, profiles, options, counted).run(watch)


class _Board:
    def __init__(
        self,
        network: Network,
        jobs: Jobs,
        profiles: Mapping[int, Profile],
        options: LevelOptions,
        counted: tuple[Ticks, Sequence[tuple[Ticks, Ticks]]],
    ) -> None:
        self._passes = Passes(network)
        self._jobs = jobs
        self._finish, self._earliest = counted
        self._search = Search(profiles)
        self._placed = Placed()
        self._too_early = Stay.SLACK if options.is_within_slack else Stay.LATEST
        first = self._passes.links.out_first
        self._waiting = [first[node + 1] - first[node] for node in range(len(first) - 1)]
        self._ready: list[tuple[int, int]] = []

    def run(self, watch: Watch) -> Placed:
        self._passes.run(self._finish)
        for node in [node for node in self._passes.order if self._waiting[node] == 0]:
            self._arrive(node)
        placed = 0
        while self._ready:
            if placed % _WATCHED == 0:
                watch(placed / len(self._jobs.pieces))
            placed += 1
            _, node = heapq.heappop(self._ready)
            self._place(node)
        return self._placed

    def _arrive(self, node: int) -> None:
        """All successors are placed: so is what uses nothing, and what that lets go."""
        stack = [node]
        while stack:
            node = stack.pop()
            self._passes.set_late(node, self._finish)
            if node in self._jobs.pieces:
                heapq.heappush(self._ready, (self._jobs.rank[node], node))
                continue
            if node in self._jobs.fixed:
                self._bring(node, self._jobs.fixed[node][0])
            stack += self._released(node)

    def _released(self, node: int) -> list[int]:
        links = self._passes.links
        found = []
        for link in range(links.first[node], links.first[node + 1]):
            before = links.predecessor[link]
            self._waiting[before] -= 1
            if self._waiting[before] == 0:
                found.append(before)
        return found

    def _bring(self, node: int, start: Ticks) -> None:
        """Have a node start by an instant."""
        delay = start - self._passes.late_start[node]
        if delay < 0:
            self._placed.delay[node] = delay
            self._passes.nodes.delay[node] = delay
            self._passes.set_late(node, self._finish)

    def _place(self, node: int) -> None:
        self._bring(node, self._fit(node))
        for piece in self._jobs.pieces[node]:
            self._search.book(piece, self._passes.late_start[node])
        for before in self._released(node):
            self._arrive(before)

    def _fit(self, node: int) -> Ticks:
        """The last start by its bound at which all pieces fit; the bound where there is none."""
        pieces, tasks = self._jobs.pieces[node], self._passes.tasks
        possible = tuple(piece for piece in pieces if self._search.could_fit(piece))
        if len(possible) < len(pieces):
            self._placed.stays[node] = Stay.TOO_MUCH
        bound = start = self._passes.late_start[node]
        while (sooner := self._search.before_conflict(possible, start)) is not None:
            start, finish = tasks.place_late(node, min(sooner, start - 1), bound + self._passes.nodes.length[node])
            first, done = self._earliest[node]
            # No work lies between two ends of a shift, but what is linked to the end may be worked then.
            if tasks.time(node).between(start, first) > 0 or finish < done:
                self._placed.stays.setdefault(node, self._too_early)
                return bound
        return start
