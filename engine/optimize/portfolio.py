"""Portfolio: engines around one pool of incumbents, which they feed and are fed from. Never a clock or a thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.optimize.aim import Aim
from engine.optimize.bounds import bounds_of
from engine.optimize.jobshop.shop import is_pure, is_shop
from engine.optimize.pool import Engine, Incumbent, Pool
from engine.optimize.problem import Evaluation, Longs, Objective, Problem, Solution
from engine.optimize.rules import best_modes, current_plan, first_solutions

_FEW = 10  # maximum lags are few where there is none for so many operations
_SHARING = 8  # after so many slices an engine gets an elite of the others


@dataclass(slots=True)
class Member:
    """An engine at work: its name for people, how many slices and iterations it had, and what it handed over last."""

    name: str
    engine: Engine
    slices: int = 0
    iterations: int = 0
    handed_over: Solution | None = None


class Portfolio:
    """The search for one problem: `advance` slice by slice, `best` at any time.

    Who has threads advances the engines of `members` on them, each on one at a time, and calls `collect` on one thread
    after each slice; the same seed finds the same plans only where slices follow one another as in `advance`.
    """

    def __init__(self, problem: Problem, aim: Aim, seed: int = 0, *, copies: int = 1) -> None:
        """The planner's own plan is in the pool at once; rules, engines and bounds come when they are first looked at.

        So many copies of each engine, with seeds of their own, are for as many threads.
        """
        self.problem = problem
        self.aim = aim
        self.pool = Pool(problem, aim)
        self._seeds = range(seed, seed + copies)
        self._turn = 0
        self.pool.offer(current_plan(problem, best_modes(problem, problem.duration)), "current plan")

    @cached_property
    def bounds(self) -> Longs:
        """What no plan can beat: int64[6]."""
        return bounds_of(self.problem)

    @cached_property
    def members(self) -> list[Member]:
        """The engines that suit the problem, with what the rules make of it to begin with."""
        if not self.problem.operation_count:
            return []
        starts = first_solutions(self.problem)
        for solution in starts[1:]:
            self.pool.offer(solution, "priority rules")
        starts.insert(0, self.best.solution)
        return [member for seed in self._seeds for member in self._searches(seed, starts)]

    @property
    def elites(self) -> list[Incumbent]:
        """Good plans that differ, with what the rules make of the problem among them."""
        _ = self.members
        return self.pool.elites

    def join(self, name: str, engine: Engine) -> None:
        """One more engine, of a device that only its caller knows."""
        self.members.append(Member(name, engine))

    @property
    def best(self) -> Evaluation:
        """The best plan so far."""
        best = self.pool.best
        assert best is not None  # the rules' plans are there from the start
        return best

    @property
    def is_optimal(self) -> bool:
        """Whether nothing can be better: no plan is below the bounds."""
        return self.pool.key(self.best) <= self.aim.key(self.bounds)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.is_optimal or all(member.engine.is_done for member in self.members)

    def stop(self) -> None:
        """End the slices that go on, from any thread; nothing more is asked of the engines."""
        for member in self.members:
            member.engine.stop()

    def advance(self, iterations: int) -> bool:
        """One slice of the next engine; whether it found a better plan."""
        if self.is_done:
            return False
        member = self.members[self._turn % len(self.members)]
        self._turn += 1
        member.iterations += member.engine.advance(iterations)
        return self.collect(member)

    def collect(self, member: Member) -> bool:
        """Take what a member found into the pool, and give it an elite now and then; whether there is a better plan."""
        member.slices += 1
        found, is_better = member.engine.solution, False
        if found is not None and found is not member.handed_over:
            member.handed_over = found
            is_better = self.pool.offer(found, member.name)
        if len(self.members) > 1 and member.slices % _SHARING == 0:
            self._share(member)
        return is_better

    def _share(self, member: Member) -> None:
        others = [each for each in self.pool.elites if each.evaluation.solution is not member.handed_over]
        if others:
            member.engine.adopt(others[member.slices // _SHARING % len(others)].evaluation.solution)

    def _searches(self, seed: int, starts: list[Solution]) -> list[Member]:
        """A shop has walks; what is more than a shop has activity lists too, and what is none has these alone.

        Walks do not lift what maximum lags tie: with more than a few of them their plans are far behind.
        """
        tied = int(self.problem.link_is_most.sum())
        if not is_shop(self.problem) or tied * _FEW > self.problem.operation_count:
            return [self._activity_lists(seed, starts)]
        if is_pure(self.problem):
            return [self._walks(seed, starts)]
        return [self._walks(seed, starts), self._activity_lists(seed, starts)]

    def _activity_lists(self, seed: int, starts: list[Solution]) -> Member:
        from engine.optimize.activity import ActivitySearch  # loads numba

        return Member("activity lists", ActivitySearch(self.problem, self.aim, seed, starts))

    def _walks(self, seed: int, starts: list[Solution]) -> Member:
        from engine.optimize.jobshop.search import JobShopSearch  # loads numba

        search = JobShopSearch(self.problem, self.aim, seed, starts)
        search.stop_at(int(self.bounds[Objective.MAKESPAN]))
        return Member("tabu search", search)
