"""How long nodes take: every rule of working time that the readable passes need. It never looks at a link."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Ticks
from engine.schedule.columns import NEVER, NONE, Column, Nodes, Parts
from engine.schedule.working_time import WorkingTime

Work = list[tuple[WorkingTime, Ticks]]


class Tasks:
    """Nodes and parts as lists. A node of several parts starts with the first of them and ends with the last."""

    def __init__(self, nodes: Nodes, parts: Parts, times: Sequence[WorkingTime]) -> None:
        self._nodes = nodes
        self.parts = parts
        self._times = times

    def time(self, node: int) -> WorkingTime:
        """The working time of a node: that of whoever works on it, where one calendar is all there is."""
        return self._times[int(self._nodes.calendar[node])]

    def float_time(self, node: int) -> WorkingTime:
        """The working time that floats of a node are counted in."""
        return self._times[int(self._nodes.float_calendar[node])]

    def is_shared(self, node: int) -> bool:
        """Whether several calendars share it."""
        return bool(self.parts.first[node] < self.parts.first[node + 1])

    def shift(self, calendar: int, instant: Ticks, lag: Ticks) -> Ticks:
        """The instant a lag later."""
        return self._times[calendar].add(instant, lag) if lag else instant

    def shift_back(self, calendar: int, instant: Ticks, lag: Ticks) -> Ticks:
        """The last instant from which a lag leads to this one."""
        time = self._times[calendar]
        return time.start_at(time.work_before(instant) - lag) if lag else instant

    def next_start(self, node: int, instant: Ticks) -> Ticks:
        """The first instant at which anybody works on it."""
        return min(time.next_start(instant) for time, _ in self._work(node))

    def previous_finish(self, node: int, instant: Ticks) -> Ticks:
        """The last instant at which anybody could end working on it."""
        return max(time.previous_finish(instant) for time, _ in self._work(node))

    def finish(self, node: int, start: Ticks) -> Ticks:
        """finish = max over parts of start + length."""
        return _finish(self._work(node), start)

    def start(self, node: int, finish: Ticks) -> Ticks:
        """The last start that ends by then: min over parts of finish - length."""
        return _start(self._work(node), finish)

    def finish_of_rest(self, node: int, start: Ticks) -> Ticks:
        """When what remains is done, gone on with at `start`."""
        return _finish(self._rest(node), start)

    def start_of_rest(self, node: int, finish: Ticks) -> Ticks:
        """When what remains must go on to be done by `finish`."""
        return _start(self._rest(node), finish)

    def place(self, node: int, starts_after: Ticks, ends_after: Ticks) -> tuple[Ticks, Ticks]:
        """The earliest start and finish with start >= starts_after and finish >= ends_after."""
        if self._nodes.length[node] == 0:
            at, time = max(starts_after, ends_after), self.time(node)
            at = at if at in (time.previous_finish(at), time.next_start(at)) else time.next_start(at)
            return at, at
        start = self.next_start(node, starts_after)
        if ends_after != NONE:
            start = max(start, self.start(node, ends_after))
        return start, self.finish(node, start)

    def place_late(self, node: int, starts_by: Ticks, ends_by: Ticks) -> tuple[Ticks, Ticks]:
        """The latest start of what remains, and its finish, with start <= starts_by and finish <= ends_by."""
        if self._nodes.remaining[node] == 0:
            at, time = min(starts_by, ends_by), self.time(node)
            at = at if at in (time.previous_finish(at), time.next_start(at)) else time.previous_finish(at)
            return at, at
        start = self.start_of_rest(node, self.previous_finish(node, ends_by))
        if starts_by != NEVER:
            latest = self.next_start(node, starts_by)
            # Where nobody works at that instant, the earlier name of it: the later one would be too late.
            start = min(start, latest if latest == starts_by else self.previous_finish(node, starts_by))
        return start, self.finish_of_rest(node, start)

    def _work(self, node: int) -> Work:
        return self._each(node, self._nodes.length[node], self.parts.length)

    def _rest(self, node: int) -> Work:
        return self._each(node, self._nodes.remaining[node], self.parts.remaining)

    def _each(self, node: int, alone: Ticks, shared: Column) -> Work:
        """Working time and ticks of each part."""
        parts = range(self.parts.first[node], self.parts.first[node + 1])
        if not parts:
            return [(self.time(node), alone)]
        return [(self._times[self.parts.calendar[part]], shared[part]) for part in parts]


def _finish(work: Work, start: Ticks) -> Ticks:
    return max(time.add(start, length) if length else start for time, length in work)


def _start(work: Work, finish: Ticks) -> Ticks:
    return min(time.add(finish, -length) if length else finish for time, length in work)
