"""An independent judge of dates, and an independent placement: plain Python, tick by tick, for problems of a few ticks.

It shares nothing with the product but the words of Problem's docstring.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.optimize.problem import LinkKind, Problem

END = 400  # nothing in a small problem happens later
STARTS, FINISHES = ("SS", "SF"), ("FF", "SF")


class Judge:
    """What one problem, with the modes of one solution, makes of dates."""

    def __init__(self, problem: Problem, mode: Sequence[int]) -> None:
        self.problem = problem
        self.mode = [int(each) for each in mode]
        self.operations = range(len(self.mode))

    # Calendars

    def segments(self, calendar: int) -> list[tuple[int, int]]:
        p = self.problem
        return [
            (int(p.segment_start[at]), int(p.segment_finish[at]))
            for at in range(p.first_segment[calendar], p.first_segment[calendar + 1])
        ]

    def works(self, calendar: int, tick: int) -> bool:
        if calendar < 0 or not (segments := self.segments(calendar)):
            return True
        return tick >= segments[-1][1] or any(since <= tick < until for since, until in segments)

    def after(self, calendar: int, instant: int, ticks: int) -> int:
        """Where the last of so many ticks of work ends; `instant` for none."""
        while ticks > 0:
            ticks -= self.works(calendar, instant)
            instant += 1
        return instant

    def before(self, calendar: int, instant: int, ticks: int) -> int:
        """The latest instant from which on so many ticks of work are done by `instant`."""
        segments = self.segments(calendar) if calendar >= 0 else []
        while ticks > 0:
            instant -= 1
            ticks -= self.works(calendar, instant) or instant < segments[0][0]
        return instant

    def no_later(self, calendar: int, instant: int, ticks: int) -> int:
        """The latest instant that so many ticks of work, and no more, are done before."""
        while ticks > 0 or not self.works(calendar, instant):
            ticks -= self.works(calendar, instant)
            instant += 1
        return instant

    # Operations

    def duration(self, operation: int) -> int:
        return int(self.problem.duration[self.mode[operation]])

    def calendar(self, operation: int) -> int:
        return int(self.problem.mode_calendar[self.mode[operation]])

    def finish(self, operation: int, start: int) -> int:
        return self.after(self.calendar(operation), start, self.duration(operation))

    def uses(self, operation: int) -> list[tuple[int, int]]:
        if self.duration(operation) == 0:
            return []
        p, mode = self.problem, self.mode[operation]
        held = [
            (int(p.use_resource[at]), int(p.use_units[at])) for at in range(p.first_use[mode], p.first_use[mode + 1])
        ]
        return [(resource, units) for resource, units in held if units]

    def is_pinned(self, operation: int) -> bool:
        return int(self.problem.pinned_start[operation]) >= 0

    def own_breach(self, operation: int, start: int) -> int:
        p, calendar, duration = self.problem, self.calendar(operation), self.duration(operation)
        finish = self.finish(operation, start)
        breach = max(0, finish - p.horizon)
        if self.is_pinned(operation):
            breach += abs(start - int(p.pinned_start[operation]))
        else:
            breach += max(0, p.start - start, int(p.release[operation]) - start)
        if calendar >= 0 and duration:
            segments = self.segments(calendar)
            breach += sum(tick >= segments[-1][1] for tick in range(start, finish)) if segments else duration
            if not self.is_pinned(operation):
                breach += self.pause(operation, start, finish)
        return breach

    def pause(self, operation: int, start: int, finish: int) -> int:
        idle = [tick for tick in range(start, finish) if not self.works(self.calendar(operation), tick)]
        if not self.problem.is_breakable[operation]:
            return len(idle)
        return next(at for at in range(END) if start + at not in idle)

    # Links

    def breach_of_link(self, link: int, starts: Sequence[int], finishes: Sequence[int]) -> int:
        p = self.problem
        kind = LinkKind(int(p.link_kind[link])).name
        before, after = int(p.link_from[link]), int(p.link_to[link])
        anchor = starts[before] if kind in STARTS else finishes[before]
        target = finishes[after] if kind in FINISHES else starts[after]
        lag, calendar = int(p.link_lag[link]), int(p.link_calendar[link])
        if lag < 0:
            bound = self.before(calendar, anchor, -lag)
        elif p.link_is_most[link]:
            bound = self.no_later(calendar, anchor, lag)
        else:
            bound = self.after(calendar, anchor, lag)
        if p.link_is_most[link]:
            return max(0, target - bound)
        if p.link_is_transported[link]:
            one, other = self.machine(before), self.machine(after)
            if one is not None and other is not None:
                bound += int(p.transport[one][other])
        if kind in FINISHES and self.duration(after):
            bound = self.ended(self.calendar(after), bound)
        return max(0, bound - target)

    def ended(self, calendar: int, instant: int) -> int:
        """Back over what is not worked, as far as something was worked before."""
        segments = self.segments(calendar) if calendar >= 0 else []
        if segments and instant > segments[0][0]:
            while not self.works(calendar, instant - 1):
                instant -= 1
        return instant

    def machine(self, operation: int) -> int | None:
        p, mode = self.problem, self.mode[operation]
        held = [
            (int(p.use_resource[at]), int(p.use_units[at])) for at in range(p.first_use[mode], p.first_use[mode + 1])
        ]
        return next((resource for resource, units in held if units and int(p.capacity[resource]) == 1), None)

    # Resources

    def capacity(self, resource: int, tick: int) -> int:
        p = self.problem
        for at in range(p.first_step[resource], p.first_step[resource + 1]):
            if p.step_from[at] <= tick < p.step_until[at]:
                return int(p.step_units[at])
        return int(p.capacity[resource])

    def overuse(self, resource: int, held: Sequence[tuple[int, int, int]]) -> int:
        """Ticks at which (start, finish, units) sum up to more than there is."""
        edges = [edge for start, finish, _ in held for edge in (start, finish)]
        return sum(
            sum(units for start, finish, units in held if start <= tick < finish) > self.capacity(resource, tick)
            for tick in range(min(edges, default=0), max(edges, default=0))
        )

    def ready(self, resource: int, before: int | None, free: int, after: int) -> tuple[int, int]:
        """When a machine that was `free` after `before` is set up for `after`, and ticks of work for that."""
        p = self.problem
        one = int(p.resource_family[resource] if before is None else p.family[before])
        other = int(p.family[after])
        if one < 0 or other < 0:
            return (-END if before is None else free), 0
        ticks = int(p.changeover[p.resource_matrix[resource]][one][other])
        if ticks == 0 and before is None:
            return -END, 0
        return self.after(int(p.resource_calendar[resource]), free, ticks), ticks

    # All of it

    def objectives(self, starts: Sequence[int]) -> list[int]:
        p, everyone = self.problem, self.operations
        starts = [int(start) for start in starts]
        finishes = [self.finish(each, starts[each]) for each in everyone]
        broken = sum(self.own_breach(each, starts[each]) for each in everyone)
        broken += sum(self.breach_of_link(link, starts, finishes) for link in range(len(p.link_from)))
        changed = 0
        for resource in range(len(p.capacity)):
            users = [(each, units) for each in everyone for user, units in self.uses(each) if user == resource]
            broken += self.overuse(resource, [(starts[each], finishes[each], units) for each, units in users])
            if p.resource_matrix[resource] >= 0:
                before, free = None, p.start
                for each in sorted({each for each, _ in users}, key=lambda each: (starts[each], each)):
                    ready, ticks = self.ready(resource, before, free, each)
                    is_kept = self.is_pinned(each) and (before is None or self.is_pinned(before))
                    broken += 0 if is_kept else max(0, ready - starts[each])
                    changed += ticks
                    before, free = each, finishes[each]
        late = sum(int(p.weight[each]) * max(0, finishes[each] - int(p.due[each])) for each in everyone)
        span = max([0, *(finish - p.start for finish in finishes)])
        cost = sum(int(p.mode_cost[mode]) for mode in self.mode)
        return [broken, late, span, changed, cost, sum(self.moved(each, starts[each]) for each in everyone)]

    def moved(self, operation: int, start: int) -> int:
        now, mode = int(self.problem.current_start[operation]), int(self.problem.current_mode[operation])
        shift = abs(start - now) if now >= 0 else 0
        return shift + (self.duration(operation) if mode not in (-1, self.mode[operation]) else 0)

    def place(self, order: Sequence[int]) -> list[int]:
        """Starts by trying every tick for one operation after the other; no maximum lags."""
        placed = {each: int(self.problem.pinned_start[each]) for each in self.operations if self.is_pinned(each)}
        for each in order:
            if int(each) not in placed:
                placed[int(each)] = next(tick for tick in range(END) if self.is_free(int(each), tick, placed))
        return [placed[each] for each in self.operations]

    def is_free(self, operation: int, tick: int, placed: dict[int, int]) -> bool:
        p, finish = self.problem, self.finish(operation, tick)
        starts = {**placed, operation: tick}
        finishes = {each: self.finish(each, start) for each, start in starts.items()}
        if tick < p.start or tick < p.release[operation]:
            return False
        for link in range(len(p.link_from)):
            into_it = p.link_to[link] == operation and int(p.link_from[link]) in placed
            if into_it and self.breach_of_link(link, starts, finishes):  # type: ignore[arg-type]
                return False
        if self.duration(operation) == 0:
            return True
        segments = self.segments(self.calendar(operation)) if self.calendar(operation) >= 0 else []
        crosses_the_end = bool(segments) and tick < segments[-1][1] < finish
        if self.pause(operation, tick, finish) or (crosses_the_end and not p.is_breakable[operation]):
            return False
        return all(self.has_room(resource, operation, starts, finishes) for resource, _ in self.uses(operation))

    def has_room(self, resource: int, operation: int, starts: dict[int, int], finishes: dict[int, int]) -> bool:
        users = [(each, units) for each in starts for user, units in self.uses(each) if user == resource]
        begin, end = starts[operation], finishes[operation]
        clipped = [(max(begin, starts[each]), min(end, finishes[each]), units) for each, units in users]
        if self.overuse(resource, [piece for piece in clipped if piece[0] < piece[1]]):
            return False
        if self.problem.resource_matrix[resource] < 0:
            return True
        row = sorted({each for each, _ in users} - {operation}, key=lambda each: (starts[each], each))
        before = [each for each in row if starts[each] <= begin]
        after = [each for each in row if starts[each] > begin]
        last = before[-1] if before else None
        free = self.problem.start if last is None else finishes[last]
        if self.ready(resource, last, free, operation)[0] > begin:
            return False
        return not after or self.ready(resource, operation, end, after[0])[0] <= starts[after[0]]
