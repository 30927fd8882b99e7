"""Floats, driving links and tasks that are to be as late as possible, readable. It never moves any other task."""

from __future__ import annotations

from engine.model import Ticks
from engine.schedule.columns import FF, FINISHED, FS, INACTIVE, LATE, LEAF, MANUAL, MIN, NEVER, SS, STARTED, SUMMARY
from engine.schedule.network import Network
from engine.schedule.plain import Pair, Passes


class Floats(Passes):
    """What lies between the dates of the passes. A stand-in's `slot` is the latest instant that moves nothing."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.slot = [NEVER] * len(self.start)

    def delay_late_ones(self) -> None:
        """As late as possible: start = the latest that moves no successor, and none at all beyond its late date."""
        if not any(flags & LATE for flags in self.nodes.flags):
            return
        for node in reversed(self.order):
            starts_by, ends_by = self._room(node)
            if self.nodes.role[node] not in (LEAF, SUMMARY):
                self.slot[node] = min(starts_by, ends_by)
            if self.nodes.flags[node] & LATE and not self.nodes.flags[node] & INACTIVE:
                limits = min(starts_by, self.late_start[node]), min(ends_by, self.late_finish[node])
                start, finish = self.tasks.place_late(node, *limits)
                if self.tasks.time(node).between(self.start[node], start) > 0:
                    self.start[node], self.finish[node] = start, finish
        for node in self.order:
            if self.nodes.role[node] not in (LEAF, SUMMARY):
                self.start[node] = self.finish[node] = self.stand_in(node)

    def _room(self, node: int) -> Pair:
        """The latest start and finish that leave every successor where it is."""
        starts_by, ends_by = NEVER, NEVER
        for link in self.out(node):
            if self.links.kind[link] in (FS, FF):
                ends_by = min(ends_by, self._latest(link))
            else:
                starts_by = min(starts_by, self._latest(link))
        return starts_by, ends_by

    def _latest(self, link: int) -> Ticks:
        """The latest date of its predecessor that leaves what a link bounds where it is; NEVER where it bounds nothing.

        Of a lag that begins outside working time, that is where work begins again: it counts nothing before.
        """
        date = self._date(link)
        if date == NEVER:
            return NEVER
        date = self.later_name(self.links.successor[link], self.links.kind[link], date)
        return self.tasks.shift_back(self.links.calendar[link], date, self.links.lag[link])

    def _date(self, link: int) -> Ticks:
        """The end of its successor that a link bounds; of a stand-in, the latest that moves nothing."""
        after: int = self.links.successor[link]
        if self.nodes.role[after] != LEAF:
            return self.slot[after]
        if self.nodes.flags[after] & STARTED and self.links.kind[link] in (FS, SS):
            return self.tasks.start_of_rest(after, self.finish[after])
        return self.without_delay(after, self.links.kind[link], (self.start[after], self.finish[after]))

    def set_slots(self) -> None:
        """The slots of all stand-ins."""
        for node in reversed(self.order):
            if self.nodes.role[node] not in (LEAF, SUMMARY):
                self.slot[node] = min(self._room(node))

    def floats(self, node: int) -> tuple[Ticks, Ticks, Ticks, Ticks]:
        """Start, finish, total and free float in ticks of the node's calendar for floats."""
        flags, time = self.nodes.flags[node], self.tasks.float_time(node)
        if self.nodes.role[node] != LEAF or flags & FINISHED:
            return 0, 0, 0, 0
        at_finish = time.between(self.finish[node], self.late_finish[node])
        at_start = time.between(max(self.start[node], self.logic_start[node]), self.late_start[node])
        at_start = at_finish if flags & STARTED else at_start
        total = min(at_start, at_finish, 0) if flags & LATE else min(at_start, at_finish)
        free = min((self.gap(link) for link in self.out(node)), default=NEVER)
        return at_start, at_finish, total, min(free, max(total, 0))

    def gap(self, link: int) -> Ticks:
        """How far the predecessor of a link can slip and move nothing; NEVER where the link holds nothing back."""
        latest = self._latest(link)
        if not self.binds(link) or latest == NEVER:
            return NEVER
        before = self.links.predecessor[link]
        anchor = self.finish[before] if self.links.kind[link] in (FS, FF) else self.start[before]
        return max(self.tasks.float_time(before).between(anchor, latest), 0)

    def drives(self, link: int) -> bool:
        """Whether a link decides its successor's date: no work lies between what it allows and that date."""
        before, after, kind = self.links.predecessor[link], self.links.successor[link], self.links.kind[link]
        flags = self.nodes.flags[after]
        if self.nodes.flags[before] & INACTIVE or flags & (FINISHED | MANUAL):
            return False
        if kind == MIN:
            return bool(self.start[before] == self.start[after])
        bound = self.bound(link)
        if self.nodes.role[after] != LEAF:
            return bool(bound == self.finish[after])
        date: Ticks = self.start[after] if kind in (FS, SS) else self.finish[after]
        if flags & STARTED:
            if not (self.rules.moves_remaining and self.rules.is_retained and self.nodes.remaining[after]):
                return False
            date = self.tasks.start_of_rest(after, self.finish[after]) if kind in (FS, SS) else date
        if self.tasks.time(after).between(bound, date) == 0:
            return True
        return self.tasks.is_shared(after) and kind in (FS, SS) and self.tasks.next_start(after, bound) == date
