"""RiskJob: how sure one state of a plan is, from the first coarse answer to the last. It never changes a plan.

Its answers are of the state it was made with. A newer job of the same client ends it: that is how a drag is followed.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.model import Plan, SpreadKind, TaskId, Ticks
from engine.process.risk_client import SMALL, RiskClient
from engine.process.risk_messages import RiskEnded, RiskFound, RiskReply, RiskRequest, RiskTaken
from engine.risk.answers import PERCENTS, Answers, Bounded, DeadlineAnswer, FinishAnswer, Spot, share
from engine.risk.changes import Take, TakeKind, Taken
from engine.risk.costs import CostAnswers
from engine.risk.outlook import Outlook, outlook_of
from engine.risk.sensitivity import Swing, SwingKind
from engine.session.state import State
from engine.session.work_log import WorkLog

__all__ = [
    "PERCENTS",
    "Answers",
    "Bounded",
    "CostAnswers",
    "DeadlineAnswer",
    "FinishAnswer",
    "Outlook",
    "RiskClient",
    "RiskEnded",
    "RiskJob",
    "RiskOptions",
    "Spot",
    "Swing",
    "SwingKind",
    "Take",
    "TakeKind",
    "Taken",
    "estimated_durations",
    "is_uncertain",
    "outlook_of",
    "share",
]

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class RiskOptions:
    """How many samples, from which seed on, and the date of which is asked what it takes, as a RiskRequest says.

    So is the device.
    """

    samples: int = 10_000
    seed: int = 0
    wanted: Ticks | None = None
    confidence: float = 0.8
    device: str = "cpu"


class RiskJob:
    """One simulation. `listener()` hears that there is something new, a few times.

    `answers` are None until the first; `taken` until it is known what the wanted date takes. `ended` says how it went.
    """

    def __init__(
        self,
        state: State,
        client: RiskClient,
        options: RiskOptions,
        listener: Callable[[], None] = lambda: None,
        work: WorkLog | None = None,
    ) -> None:
        """`work` takes note of when samples are drawn."""
        self.number = next(_numbers)
        self.state = state
        self.options = options
        self.answers: Answers | None = None
        self.seconds = 0.0
        self.taken: Taken | None = None
        self.ended: RiskEnded | None = None
        self._client = client
        self._listener = listener
        self._work = WorkLog() if work is None else work

    async def run(self) -> RiskEnded:
        """Simulates to the end, whatever that is. Raises SolverError where there is no process to do so."""
        options = self.options
        request = RiskRequest(
            self.number,
            self.state.plan,
            options.samples,
            options.seed,
            options.wanted,
            options.confidence,
            await self._durations(),
            options.device,
        )
        self.ended = await self._client.ask(request, self._hear)
        self._listener()
        return self.ended

    def cancel(self) -> None:
        """End it soon, unless it has ended."""
        if self.ended is None:
            self._client.cancel(self.number)

    async def _durations(self) -> dict[TaskId, Ticks]:
        if len(self.state.plan.tasks) <= SMALL:
            return estimated_durations(self.state)
        return await asyncio.to_thread(estimated_durations, self.state)

    def _hear(self, reply: RiskReply) -> None:
        match reply:
            case RiskFound():
                self.answers, self.seconds = reply.answers, reply.seconds
                self._work.add(reply.slices)
            case RiskTaken():
                self.taken = reply.taken
        self._listener()


def estimated_durations(state: State) -> dict[TaskId, Ticks]:
    """The durations that no person typed, as the schedule has them."""
    rows = np.flatnonzero(state.schedule.is_estimated).tolist()
    duration = state.schedule.basis.network.nodes.duration
    return {state.plan.tasks[row].id: int(duration[row]) for row in rows}


def is_uncertain(plan: Plan) -> bool:
    """Whether anything of a plan may come otherwise than planned: it then has more than one end."""
    risks = plan.risks
    if risks.presets or any(event.chance and event.impacts for event in risks.events):
        return True
    return any(link.spread is not None for link in plan.dependencies) or any(
        risk.chance < 1 or (risk.spread is not None and risk.spread.kind is not SpreadKind.FIXED)
        for task in plan.tasks
        if (risk := task.risk) is not None
    )
