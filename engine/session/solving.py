"""SolveJob: one search for a better plan, from its start to its end. It never applies a plan: that is an edit's.

What it found is of the plan it was made with; whoever shows it drops it when the plan is another one.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.model import TaskId
from engine.optimize.aim import Aim
from engine.optimize.from_plan import PlanProblem, problem_of
from engine.optimize.problem import Evaluation, Objective
from engine.optimize.to_plan import Decision, decisions_of
from engine.process.questions import Question
from engine.process.solve_messages import Bounded, Ending, Found, Hindered, Share, SolveReply, SolveRequest, Working
from engine.process.solver_client import SolverClient
from engine.session.aims import aim_of
from engine.session.state import State
from engine.session.work_log import WorkLog

__all__ = ["Ending", "Question", "Share", "SolveJob", "SolveOptions", "SolverClient", "Step"]

_MOST_NAMES, _DEADLINE = 3, "deadline"
_UNNAMED = "Links, resources and calendars together leave no plan that breaks no rule."
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """How to search, as a SolveRequest says; `seconds` 0: until it is canceled."""

    aim: Aim = field(default_factory=lambda: aim_of("tardiness,makespan"))
    seconds: float = 0.0
    seed: int = 0
    cores: int = 2
    slices: int = 0
    kept: tuple[TaskId, ...] = ()
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class Step:
    """A plan that was better than all before: what it is worth, as the first level after broken rules, or None."""

    seconds: float
    engine: str
    value: int | None
    objectives: tuple[int, ...]


class SolveJob:
    """One search. `listener()` hears that there is something new, at most some twenty times a second.

    `best` is measured again by the one evaluator in the process that searched; `aim` is what is asked, once a plan was
    found without the levels that cannot count in it, and `bound` is of its first after broken rules. `ending` is None
    while the search goes on, and `sentence` says why there is no better one.
    """

    def __init__(
        self,
        state: State,
        client: SolverClient,
        options: SolveOptions,
        listener: Callable[[], None] = lambda: None,
        previous: PlanProblem | None = None,
        work: WorkLog | None = None,
    ) -> None:
        """`previous` is the case of the search before, which makes this one's sooner; `work` notes who worked when."""
        self.number = next(_numbers)
        self.state = state
        self.options = options
        self.aim = options.aim
        self.case: PlanProblem | None = None
        self.first: Evaluation | None = None
        self.best: Evaluation | None = None
        self.steps: list[Step] = []
        self.bound: int | None = None
        self.schedules = 0
        self.shares: tuple[Share, ...] = ()
        self.ending: Ending | None = None
        self.sentence = ""
        self.ids: tuple[TaskId, ...] = ()
        self.hindrance = ""
        numbers = (options.seconds, options.seed, options.cores, options.slices, options.kept, options.device)
        self._request = SolveRequest(self.number, state.plan, options.aim, *numbers)
        self._client = client
        self._listener = listener
        self._previous = previous
        self._work = WorkLog() if work is None else work
        self._making: asyncio.Future[None] | None = None
        self._is_canceled = self._is_posted = False

    def post(self) -> None:
        """Begin now, where that takes no time to speak of; `run` goes on from there."""
        self._is_posted = self._client.post(self._request)

    async def run(self) -> Ending:
        """Searches to the end, whatever that is."""
        try:
            if self._is_canceled and not self._is_posted:
                return self._end(Ending.CANCELED)
            ended = await self._client.solve(self._request, self._hear)
            self.shares = ended.shares
            if self._making is not None:
                await self._making
            if self.is_broken and self.hindrance in ("", _UNNAMED):
                known = await asyncio.to_thread(_known_conflicts, self.state)
                self.hindrance = " ".join(filter(None, (self.hindrance, known)))
        except EngineError as error:
            return self._end(Ending.FAILED, error.sentence, error.ids)
        except asyncio.CancelledError:
            self._end(Ending.CANCELED)
            raise
        finally:
            if self._making is not None:
                self._making.cancel()
        return self._end(ended.ending, ended.sentence, ended.ids)

    def cancel(self) -> None:
        """End it; what was found is kept."""
        self._is_canceled = True
        self._client.cancel()

    async def close(self) -> None:
        """Ends the process that searches."""
        await self._client.close()

    @property
    def gap(self) -> float | None:
        """How far the best plan is above the bound, as a share of the best; None where either is not known, or zero."""
        value = self.steps[-1].value if self.steps else None
        if value is None or self.bound is None:
            return None
        return 0.0 if value <= self.bound else (value - self.bound) / value

    @property
    def is_broken(self) -> bool:
        """Whether the best plan so far does not keep all that links, dates, resources and calendars ask."""
        return bool(self.steps) and self.steps[-1].objectives[Objective.VIOLATIONS] > 0

    def decisions(self) -> tuple[Decision, ...]:
        """What the best plan so far says of each task; empty while there is none."""
        if self.case is None or self.best is None:
            return ()
        return decisions_of(self.case, self.best)

    async def _make_case(self) -> None:
        """What decisions are said of. It is begun when a plan was found: the request has gone out by then."""
        state, previous = self.state, self._previous
        self._previous = None
        self.case = await asyncio.to_thread(problem_of, state.plan, state.schedule, self.options.kept, previous)
        self._listener()

    def _hear(self, reply: SolveReply) -> None:
        match reply:
            case Found():
                self._making = self._making or asyncio.ensure_future(self._make_case())
                self.best, self.schedules = reply.evaluation, reply.schedules
                self.first = self.first or reply.evaluation
                objectives = tuple(reply.evaluation.objectives.tolist())
                self.aim = reply.aim
                key = self.aim.key(reply.evaluation.objectives)
                value = key[1] if len(key) > 1 and objectives[Objective.VIOLATIONS] == 0 else None
                self.steps.append(Step(reply.seconds, reply.engine, value, objectives))
            case Bounded():
                self.bound = reply.bound
            case Working():
                self.schedules, self.shares = reply.schedules, reply.shares
                self._work.add(reply.slices)
            case Hindered():
                self.hindrance = self._said(reply)
        self._listener()

    def _said(self, reply: Hindered) -> str:
        """Why no plan breaks no rule, in a sentence."""
        if self.case is None:
            return ""
        tasks, plan = self.case.tasks, self.state.plan
        at = [tasks[each] for each in reply.pinned if each < len(tasks)]
        ends = [tasks[each] for pair in reply.longest for each in pair if each < len(tasks)]
        names = [f"“{plan.title_of(task)}”" for task in dict.fromkeys((*at, *ends))]
        if not names:
            return _UNNAMED
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        what = "the dates and longest lags" if at and ends else "the dates" if at else "the longest lags"
        return f"No plan can keep {what} of {', '.join(names[:_MOST_NAMES])}{more} together: let one of them go."

    def _end(self, ending: Ending, sentence: str = "", ids: tuple[TaskId, ...] = ()) -> Ending:
        self.ending, self.sentence, self.ids = ending, sentence, ids
        self._listener()
        return ending


def _known_conflicts(state: State) -> str:
    """What the dates of the plan as it is break, the first of it; a deadline is no rule."""
    found = [each.sentence for each in state.schedule.conflicts if each.kind != _DEADLINE]
    more = [f"{len(found) - _MOST_NAMES} more stand in the list of conflicts."] if len(found) > _MOST_NAMES else []
    return " ".join((*found[:_MOST_NAMES], *more))
