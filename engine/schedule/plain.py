"""The forward and backward pass, readable: the oracle of the compiled one, and its stand-in until that is loaded.

Dates are instants in ticks; a start bears the later of two names for one instant, a finish the earlier one, and a
milestone keeps the name its predecessor gave it. It never imports numba.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.model import Ticks
from engine.schedule.columns import (
    FF,
    FINISHED,
    FNLT,
    FS,
    INACTIVE,
    LEAF,
    MANUAL,
    MFO,
    MIN,
    MSO,
    NEVER,
    NONE,
    PINNED,
    SF,
    SNLT,
    SS,
    START,
    STARTED,
    SUMMARY,
    listed,
)
from engine.schedule.network import Network
from engine.schedule.plain_tasks import Tasks

Pair = tuple[Ticks, Ticks]


class Passes:
    """The passes over one network; every date is a plain int in a list, one entry a node.

    Whoever places tasks otherwise calls `set_early` node by node, in any order in which predecessors come first, or
    then `set_late`, in any in which they come last.
    """

    def __init__(self, network: Network) -> None:
        self.nodes = listed(network.nodes)
        self.links = listed(network.links)
        self.order = network.order.tolist()
        self.rules = network.rules
        self.tasks = Tasks(self.nodes, listed(network.parts), network.times)
        count = len(self.nodes.role)
        self.start, self.finish, self.logic_start = [NONE] * count, [NONE] * count, [NONE] * count
        self.late_start, self.late_finish = [NEVER] * count, [NEVER] * count

    def run(self, finish: Ticks) -> Ticks:
        """Forward, then backward from an instant, or from the last early finish, which is returned."""
        for node in self.order:
            self.set_early(node)
        last = max((self.finish[node] for node in self.order if self._counts(node)), default=self.rules.start)
        for node in reversed(self.order):
            self.set_late(node, last if finish == NONE else finish)
        return last

    def _into(self, node: int) -> Iterator[int]:
        """Links into a node from what is active; a stand-in for what is not has no date."""
        for link in range(self.links.first[node], self.links.first[node + 1]):
            before = self.links.predecessor[link]
            if not self.nodes.flags[before] & INACTIVE and abs(self.start[before]) != NEVER:
                yield link

    def out(self, node: int) -> Iterator[int]:
        """Links out of a node that ask for something still to be done."""
        if self.nodes.flags[node] & INACTIVE:
            return
        for place in range(self.links.out_first[node], self.links.out_first[node + 1]):
            link = self.links.out[place]
            if self.binds(link):
                yield link

    def binds(self, link: int) -> bool:
        """Whether a link holds its predecessor back.

        Not one into what is done, nor into what has begun where the rest does not wait; of a summary's leaves only the
        earliest.
        """
        before, after = self.links.predecessor[link], self.links.successor[link]
        flags = self.nodes.flags[after]
        if self.nodes.flags[before] & INACTIVE or flags & (FINISHED | INACTIVE):
            return False
        if self.links.kind[link] == MIN:
            return bool(self.start[before] == self.start[after])
        return not flags & STARTED or bool(self.rules.moves_remaining and self.rules.is_retained)

    def later_name(self, node: int, kind: int, instant: Ticks) -> Ticks:
        """The last instant that is no work later than a date that a link bounds: a finish bears the earlier name."""
        if self.nodes.role[node] == LEAF and kind in (FF, SF) and self.nodes.length[node]:
            return self.tasks.next_start(node, instant)
        return instant

    def without_delay(self, node: int, kind: int, dates: Pair) -> Ticks:
        """The date of a node that a link bounds: start + delay <= the first of `dates`, with its leveling delay."""
        delay, flags = self.nodes.delay[node], self.nodes.flags[node]
        is_kept = flags & (FINISHED | MANUAL | STARTED) or (self.rules.honors_dates and self.nodes.hard[node] >= MSO)
        if self.nodes.role[node] != LEAF or delay <= 0 or is_kept:
            return dates[0] if kind in (FS, SS, MIN) else dates[1]
        start: Ticks = dates[0] - delay
        if self.tasks.next_start(node, start) != start:  # nobody works then: the delay is counted from before that
            start = self.tasks.previous_finish(node, start) - (1 if self.nodes.length[node] else 0)
        return start if kind in (FS, SS) else self.tasks.finish(node, start)

    def _counts(self, node: int) -> bool:
        return bool(self.nodes.role[node] == LEAF and not self.nodes.flags[node] & INACTIVE)

    def bound(self, link: int) -> Ticks:
        """The instant that a link allows its successor: its predecessor's end, and the lag."""
        before, kind = self.links.predecessor[link], self.links.kind[link]
        anchor = self.finish[before] if kind in (FS, FF) else self.start[before]
        return self.tasks.shift(self.links.calendar[link], anchor, self.links.lag[link])

    def _bounds(self, node: int) -> Pair:
        """Start >= the first, finish >= the second, by the links; the project's start holds all but leads of FS."""
        starts_after, ends_after = NONE, NONE
        kinds = set()
        for link in self._into(node):
            kinds.add(kind := self.links.kind[link])
            if kind in (FS, SS):
                starts_after = max(starts_after, self.bound(link))
            else:
                ends_after = max(ends_after, self.bound(link))
        is_free = kinds == {FS} or (not kinds and self.nodes.flags[node] & PINNED)
        return max(starts_after, self.rules.status, NONE if is_free else self.rules.start), ends_after

    def set_early(self, node: int) -> None:
        """Date a node as early as what it waits for, which is dated, lets it."""
        role, flags = self.nodes.role[node], self.nodes.flags[node]
        if role == SUMMARY:
            return
        if role != LEAF:
            self.start[node] = self.finish[node] = self.stand_in(node)
        elif flags & (FINISHED | MANUAL):
            self.start[node], self.finish[node] = self.nodes.start_at[node], self.nodes.finish_at[node]
        elif flags & STARTED:
            self.start[node] = self.nodes.start_at[node]
            self.finish[node] = self._finish_in_progress(node)
        else:
            self._set_planned(node)
            return
        self.logic_start[node] = self.start[node]

    def stand_in(self, node: int) -> Ticks:
        """The latest finish of leaves, their earliest start, or what links into a summary allow its leaves."""
        if self.nodes.role[node] == START:
            leaves = (self.links.predecessor[link] for link in self._into(node))
            return min((self.start[leaf] for leaf in leaves), default=NEVER)
        bounds = ((self.bound(link), self.links.kind[link]) for link in self._into(node))
        return max((max(bound, self.rules.start) if kind == SS else bound for bound, kind in bounds), default=NONE)

    def _set_planned(self, node: int) -> None:
        """start = max(bounds, pin), then the leveling delay; a hard constraint's date wins if the plan says so."""
        starts_after, ends_after = self._bounds(node)
        hard, at = self.nodes.hard[node], self.nodes.hard_at[node]
        starts_after, ends_after = max(starts_after, self.nodes.pin[node]), max(ends_after, self.nodes.ends_after[node])
        if not self.rules.honors_dates:
            starts_after = max(starts_after, at) if hard == MSO else starts_after
            ends_after = max(ends_after, at) if hard == MFO else ends_after
        start, finish = self.tasks.place(node, starts_after, ends_after)
        if self.nodes.delay[node] > 0:
            start, finish = self.tasks.place(node, start + self.nodes.delay[node], NONE)
        self.logic_start[node] = start
        if self.rules.honors_dates and hard:
            start, finish = self._at_hard_date(node, start, finish)
        self.start[node], self.finish[node] = start, finish

    def _at_hard_date(self, node: int, start: Ticks, finish: Ticks) -> Pair:
        """SNLT: start <= at; FNLT: finish <= at; MSO: start = at; MFO: finish = at."""
        hard, at = self.nodes.hard[node], self.nodes.hard_at[node]
        if hard == MSO:
            return at, self.tasks.finish(node, at)
        if hard == MFO:
            return self.tasks.start(node, at), at
        if hard == SNLT:
            latest = self.tasks.place(node, at, NONE)
            return latest if self.tasks.time(node).between(latest[0], start) > 0 else (start, finish)
        if self.tasks.time(node).between(at, finish) > 0:
            start = self.tasks.start(node, at)
            return start, self.tasks.finish(node, start)
        return start, finish

    def _finish_in_progress(self, node: int) -> Ticks:
        """What remains stays where it is, or goes on at the status instant and, with retained logic, after links."""
        begun, finish = self.nodes.start_at[node], self.tasks.finish(node, self.nodes.start_at[node])
        if not self.rules.moves_remaining:
            return finish
        in_place = self.tasks.start_of_rest(node, finish)
        resume = in_place if self.rules.status == NONE else max(self.rules.status, begun)
        starts_after, ends_after = self._bounds(node) if self.rules.is_retained else (NONE, NONE)
        resume = max(resume, starts_after)
        if not self.nodes.remaining[node] and self.rules.status != NONE:
            resume = self.tasks.next_start(node, resume)
        finish = self.tasks.finish_of_rest(node, resume)
        if ends_after != NONE:
            latest = self.tasks.start_of_rest(node, ends_after)
            finish = max(finish, self.tasks.finish_of_rest(node, latest))
        return finish

    def set_late(self, node: int, finish: Ticks) -> None:
        """Date a node as late as what waits for it, which is dated, lets it; `finish` holds what nothing waits for."""
        role, flags = self.nodes.role[node], self.nodes.flags[node]
        if role == SUMMARY:
            return
        if flags & FINISHED:
            self.late_start[node], self.late_finish[node] = self.start[node], self.finish[node]
            return
        starts_by, ends_by = NEVER, finish if role == LEAF else NEVER
        for link in self.out(node):
            after, kind = self.links.successor[link], self.links.kind[link]
            if self._is_typed(node, after, kind):
                continue
            dates = self.late_start[after], self.late_finish[after]
            anchor = self.later_name(after, kind, self.without_delay(after, kind, dates))
            bound = self.tasks.shift_back(self.links.calendar[link], anchor, self.links.lag[link])
            if kind in (FS, FF):
                ends_by = min(ends_by, bound)
            else:
                starts_by = min(starts_by, bound)
        if role != LEAF:
            self.late_start[node] = self.late_finish[node] = starts_by if role == START else ends_by
            return
        if flags & STARTED:
            starts_by = NEVER
        starts_by, ends_by = self._capped(node, starts_by, ends_by)
        start, end = self.tasks.place_late(node, starts_by, ends_by)
        if self.nodes.delay[node] < 0:
            start, end = self.tasks.place_late(node, start + self.nodes.delay[node], ends_by)
        is_bound = flags & MANUAL and self.tasks.time(node).between(end, ends_by) == 0
        end = ends_by if is_bound else end
        if self.rules.honors_dates and self.nodes.hard[node] in (MSO, MFO):
            start, end = self._named_alike(node, start, end)
        self.late_start[node], self.late_finish[node] = start, end

    def _named_alike(self, node: int, start: Ticks, end: Ticks) -> Pair:
        """Late dates where a date that is kept has its name, also one at which nobody works."""
        hard, at, time = self.nodes.hard[node], self.nodes.hard_at[node], self.tasks.time(node)
        is_start = hard == MSO and time.between(start, at) == 0
        is_end = hard == MFO and time.between(end, at) == 0
        return at if is_start else start, at if is_end else end

    def _is_typed(self, before: int, after: int, kind: int) -> bool:
        """Whether a link counts from a typed start to typed dates: it moves neither, whatever its predecessor does."""
        is_both = self.nodes.flags[before] & self.nodes.flags[after] & MANUAL
        return bool(is_both and kind in (SS, SF))

    def _capped(self, node: int, starts_by: Ticks, ends_by: Ticks) -> Pair:
        """What constraints and deadline leave of late dates."""
        hard, at, honors = self.nodes.hard[node], self.nodes.hard_at[node], self.rules.honors_dates
        if honors and hard == MSO:
            starts_by, ends_by = NEVER, self.tasks.finish(node, at)
        elif honors and hard == MFO:
            starts_by, ends_by = NEVER, at
        elif hard in (SNLT, MSO):
            starts_by = min(starts_by, at)
        elif hard in (FNLT, MFO):
            ends_by = min(ends_by, at)
        return starts_by, min(ends_by, self.nodes.cap[node])
