"""Standing: how one search stands, and what of it is news: best plan, bound, who did what. It never searches."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.optimize.pool import Incumbent
from engine.optimize.portfolio import Portfolio
from engine.process.solve_messages import Bounded, Found, Share, Slice, SolveReply, Working

_WORK_S = 0.25  # who did how much is told no more often than this


class Standing:
    """Of the search `number` by a portfolio; `tell` takes what is new. `exact`: what the exact solver did, if any."""

    def __init__(self, number: int, portfolio: Portfolio, tell: Callable[[SolveReply], object]) -> None:
        self.portfolio = portfolio
        self.exact: Share | None = None
        self._number, self._tell = number, tell
        self._began: float | None = None
        self._bound: int | None = None
        self._told: Incumbent | None = None
        self._told_bound: int | None = None
        self._told_work = 0.0
        self._slices: list[Slice] = []

    @property
    def is_optimal(self) -> bool:
        """Whether nothing can be better: no rule is broken, and each level is at its bound.

        The exact solver raises that of the first level; those of later ones are what links and loads alone say.
        """
        portfolio = self.portfolio
        if portfolio.is_optimal:
            return True
        key, bounds = portfolio.pool.key(portfolio.best), portfolio.aim.key(portfolio.bounds)
        return self._bound is not None and key <= (0, self._bound, *bounds[2:])

    @property
    def seconds(self) -> float:
        """Since the engines were ready: what is there before took no search."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def begin(self) -> None:
        """The engines are ready."""
        self._began = time.monotonic()
        self.raise_bound(self.portfolio.aim.key(self.portfolio.bounds)[1])
        self.say()

    def raise_bound(self, bound: int) -> None:
        """No plan that breaks no rule is below this."""
        self._bound = bound if self._bound is None else max(bound, self._bound)

    def worked(self, engine: str, start_ns: int) -> None:
        """An engine worked from then until now."""
        self._slices.append(Slice(engine, start_ns, time.monotonic_ns()))

    def say(self) -> None:
        """Tell what is new."""
        best = self.portfolio.pool.incumbents[-1]
        if best is not self._told:
            self._told = best
            news = (self.seconds, best.engine, best.evaluation, self._schedules, self.portfolio.aim)
            self._tell(Found(self._number, *news))
        if self._bound is not None and self._bound != self._told_bound:
            self._told_bound = self._bound
            self._tell(Bounded(self._number, self.seconds, self._bound))
        if self.seconds - self._told_work >= _WORK_S:
            self._told_work = self.seconds
            slices, self._slices = tuple(self._slices), []
            self._tell(Working(self._number, self._schedules, self.shares(), slices))

    def shares(self) -> tuple[Share, ...]:
        """What each engine did, all its copies together; nothing before they began."""
        if self._began is None:
            return ()
        found = [incumbent.engine for incumbent in self.portfolio.pool.incumbents]
        names = dict.fromkeys(member.name for member in self.portfolio.members)
        own = tuple(self._share_of(name, found.count(name)) for name in names)
        return own if self.exact is None else (*own, self.exact)

    def _share_of(self, name: str, found: int) -> Share:
        own = [member for member in self.portfolio.members if member.name == name]
        return Share(name, sum(m.slices for m in own), sum(m.iterations for m in own), found)

    @property
    def _schedules(self) -> int:
        began = self._began is not None
        made = sum(member.iterations for member in self.portfolio.members) if began else 0
        return self.portfolio.pool.measured + made
