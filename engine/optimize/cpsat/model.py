"""A Problem as a model of CP-SAT, all or around one plan. It never solves.

What it cannot say exactly it says more weakly, never more strongly: each feasible plan satisfies it, so its bounds hold
for the problem, and its answers are decoded and measured like everybody's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.sat.python import cp_model

from engine.optimize.aim import Aim
from engine.optimize.cpsat.frame import Choice, Frame
from engine.optimize.cpsat.goals import level_of
from engine.optimize.cpsat.instants import clipped, in_units
from engine.optimize.cpsat.lags import longest_break, longest_span
from engine.optimize.cpsat.neighborhood import Kept
from engine.optimize.cpsat.resources import add_resources
from engine.optimize.problem import NONE, Evaluation, LinkKind, Longs, Problem, Solution

# Beyond so many literals a kind of rule is said more weakly: the model would take longer to write than to solve.
MOST_SEGMENTS = 60_000


class Model(Frame):
    """The problem as the solver takes it."""

    @classmethod
    def of(
        cls,
        problem: Problem,
        aim: Aim,
        best: Evaluation | None,
        kept: Kept | None = None,
        *,
        is_explaining: bool = False,
    ) -> Model:
        """The whole model; with `kept` only what that leaves free may change against the best plan."""
        latest = (
            int(best.finishes.max(initial=problem.start)) if best is not None and best.is_feasible else problem.start
        )
        model = cls(problem, aim, in_units(problem, latest), kept, is_explaining)
        model._write()
        if best is not None and best.is_feasible:
            model._hint(best)
        return model

    def solution(self, value: Sequence[int]) -> Solution:
        """The solution of the solver's values, which are those of starts() and then of chosen()."""
        count = self.problem.operation_count
        starts = np.array(value[:count], np.int64)
        mode = self.problem.first_mode[:-1].copy()
        place = count
        for choices in self.choices:
            for choice in choices if len(choices) > 1 else ():
                if value[place]:
                    mode[choice.operation] = choice.mode
                place += 1
            if len(choices) == 1:
                mode[choices[0].operation] = choices[0].mode
        return Solution(mode, self.problem.list_by(starts))

    @property
    def asked(self) -> list[cp_model.IntVar]:
        """What solution() wants the values of."""
        several = [choice.is_chosen for choices in self.choices if len(choices) > 1 for choice in choices]
        return [*self.starts, *several]

    def _write(self) -> None:
        segments = 2 * self._segments_of_breakables()
        for operation in range(self.problem.operation_count):
            self._add_operation(operation, says_breaks=segments <= MOST_SEGMENTS)
        for link in range(len(self.problem.link_from)):
            self._add_link(link)
        for before, after in self.kept.links if self.kept is not None else ():
            self.cp.add(self.starts[after] >= self.finishes[before])
        self.arcs = add_resources(self)
        self.goal = level_of(self)
        if not self.is_explaining:
            self.cp.minimize(self.goal)

    # Operations

    def _segments_of_breakables(self) -> int:
        problem = self.problem
        counts = np.diff(problem.first_segment)
        calendar = problem.mode_calendar[problem.is_breakable[problem.owner] & (problem.mode_calendar != NONE)]
        return int(counts[calendar].sum()) if len(counts) else 0

    def _add_operation(self, operation: int, *, says_breaks: bool) -> None:
        problem, cp, unit = self.problem, self.cp, self.unit
        pin = int(problem.pinned_start[operation])
        first = 0 if pin != NONE else max(0, unit.at(int(problem.release[operation])))
        low = min(0, unit.at(pin)) if pin != NONE else first
        self.starts.append(cp.new_int_var(low, unit.last, f"start {operation}"))
        self.finishes.append(cp.new_int_var(low, unit.last, f"finish {operation}"))
        if pin != NONE:
            self._rule("pin", operation, self.starts[operation] == unit.at(pin))
        modes = [mode for mode in self._modes(operation) if problem.is_usable[mode]]
        chosen = [cp.new_bool_var(f"mode {mode}") for mode in modes]
        cp.add_exactly_one(chosen)
        self.choices.append(
            [self._choice(operation, m, c, says_breaks=says_breaks) for m, c in zip(modes, chosen, strict=True)]
        )

    def _modes(self, operation: int) -> range | tuple[int, ...]:
        problem = self.problem
        if problem.pinned_mode[operation] != NONE:
            return (int(problem.pinned_mode[operation]),)
        if self.kept is not None and not self.kept.is_free[operation]:
            return (int(self.kept.mode[operation]),)
        return range(int(problem.first_mode[operation]), int(problem.first_mode[operation + 1]))

    def _choice(self, operation: int, mode: int, chosen: cp_model.IntVar, *, says_breaks: bool) -> Choice:
        problem, cp, unit = self.problem, self.cp, self.unit
        start, finish = self.starts[operation], self.finishes[operation]
        length, calendar = unit.of(int(problem.duration[mode])), int(problem.mode_calendar[mode])
        works_always = calendar == NONE or length == 0
        if works_always or (not problem.is_breakable[operation] and problem.pinned_start[operation] == NONE):
            size: cp_model.LinearExprT = length
            cp.add(finish == start + length).only_enforce_if(chosen)
        else:
            size = cp.new_int_var(length, max(length, unit.last), f"elapsed {mode}")
            cp.add(finish == start + size).only_enforce_if(chosen)
        if not works_always and problem.pinned_start[operation] == NONE:
            self._work_in(operation, mode, chosen, says_breaks=says_breaks)
        interval = cp.new_optional_interval_var(start, size, finish, chosen, f"held {mode}")
        return Choice(operation, mode, chosen, interval)

    def _work_in(self, operation: int, mode: int, chosen: cp_model.IntVar, *, says_breaks: bool) -> None:
        """The mode's calendar: it starts where there is work, and is done after as much of it as it takes."""
        problem, cp = self.problem, self.cp
        start, finish = self.starts[operation], self.finishes[operation]
        length = self.unit.of(int(problem.duration[mode]))
        since, until = self._segments(int(problem.mode_calendar[mode]))
        low, high = 0, self.unit.last
        if not problem.is_breakable[operation]:
            whole = clipped(since, until - length, low, high)
            cp.add_linear_expression_in_domain(start, cp_model.Domain.from_intervals(whole)).only_enforce_if(chosen)
            return
        works = cp_model.Domain.from_intervals(clipped(since, until - 1, low, high))
        cp.add_linear_expression_in_domain(start, works).only_enforce_if(chosen)
        if not says_breaks:
            return
        before = np.concatenate(([0], np.cumsum(until - since)[:-1]))
        gaps = (since - before).tolist()
        begun = self._one_of(since, until - 1, start, chosen, f"begun {mode}")
        ended = self._one_of(since + 1, until, finish, chosen, f"ended {mode}")
        paused = cp_model.LinearExpr.weighted_sum(begun, gaps) - cp_model.LinearExpr.weighted_sum(ended, gaps)
        # Work before the finish = work before the start + duration; both are instants less the breaks before them.
        cp.add(finish - start + paused == length).only_enforce_if(chosen)

    def _one_of(
        self, low: Longs, high: Longs, instant: cp_model.IntVar, chosen: cp_model.IntVar, name: str
    ) -> list[cp_model.IntVar]:
        """One literal a segment, of which one holds: that of the segment in which an instant lies."""
        cp = self.cp
        literals = [cp.new_bool_var(f"{name} {place}") for place in range(len(low))]
        cp.add(sum(literals) == 1).only_enforce_if(chosen)
        cp.add(sum(literals) == 0).only_enforce_if(~chosen)
        cp.add(instant >= cp_model.LinearExpr.weighted_sum(literals, low.tolist())).only_enforce_if(chosen)
        cp.add(instant <= cp_model.LinearExpr.weighted_sum(literals, high.tolist())).only_enforce_if(chosen)
        return literals

    def _segments(self, calendar: int) -> tuple[Longs, Longs]:
        problem, unit = self.problem, self.unit
        own = slice(int(problem.first_segment[calendar]), int(problem.first_segment[calendar + 1]))
        since = (problem.segment_start[own] - unit.origin) // unit.ticks
        until = (problem.segment_finish[own] - unit.origin) // unit.ticks
        return since, until

    # Links

    def _add_link(self, link: int) -> None:
        problem = self.problem
        before, after = int(problem.link_from[link]), int(problem.link_to[link])
        kind, lag = int(problem.link_kind[link]), self.unit.of(int(problem.link_lag[link]))
        anchor = self.starts[before] if kind in (LinkKind.SS, LinkKind.SF) else self.finishes[before]
        target = self.finishes[after] if kind in (LinkKind.FF, LinkKind.SF) else self.starts[after]
        is_worked = int(problem.link_calendar[link]) != NONE
        if problem.link_is_most[link]:
            # A maximum of working time is said as that of all time it can come to.
            longest = self.unit.of(longest_span(problem, link)) if is_worked else lag
            self._rule("most", link, target <= anchor + longest)
            return
        if is_worked and lag < 0:
            return
        least = lag - self.unit.of(longest_break(problem, link))
        self._rule("link", link, target >= anchor + least)
        if problem.link_is_transported[link]:
            self._add_transports(before, after, target - anchor - least)

    def _add_transports(self, before: int, after: int, gap: cp_model.LinearExprT) -> None:
        problem = self.problem
        for one in self.choices[before]:
            for other in self.choices[after]:
                ends = int(problem.machine[one.mode]), int(problem.machine[other.mode])
                time = self.unit.of(int(problem.transport[ends])) if NONE not in ends and problem.transport.size else 0
                if time > 0:
                    self.cp.add(gap >= time).only_enforce_if(one.is_chosen, other.is_chosen)

    # Rules that an explanation may set aside, and where to begin

    def _rule(self, name: str, of: int, bounded: cp_model.BoundedLinearExpression | bool) -> None:
        if not self.is_explaining or name == "link":
            self.cp.add(bounded)
            return
        holds = self.cp.new_bool_var(f"{name} {of}")
        self.cp.add(bounded).only_enforce_if(holds)
        self.cp.add_assumption(holds)
        self.why[holds.index] = (name, of)

    def _hint(self, best: Evaluation) -> None:
        for operation, choices in enumerate(self.choices):
            self.cp.add_hint(self.starts[operation], self.unit.at(int(best.starts[operation])))
            self.cp.add_hint(self.finishes[operation], self.unit.at(int(best.finishes[operation])))
            for choice in choices:
                self.cp.add_hint(choice.is_chosen, int(best.solution.mode[operation] == choice.mode))
