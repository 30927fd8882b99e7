"""The process that simulates: one request at a time, the newest at once, coarse answers first.

It never sees a document. A simulation runs in a worker thread, in slices, so that a newer request waits for one slice.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from functools import cache, partial

from engine.errors import EngineError
from engine.model import Ticks
from engine.process.launching import OpenLauncher, launcher_for
from engine.process.risk_messages import RiskEnded, RiskFound, RiskReply, RiskRequest, RiskTaken
from engine.process.serving import NewestFirst, serve
from engine.process.solve_messages import Slice
from engine.risk.answers import answers_of
from engine.risk.program import compile_risk
from engine.risk.simulate import BLOCK, Simulation
from engine.risk.takes import what_it_takes
from engine.risk.warming import warm
from engine.schedule.cpm import schedule

log = logging.getLogger(__name__)

# A person who drags waits for it, and it computes for moments: it must not stand behind a search that goes on.
NICENESS = 0
SAMPLES = "samples"
_COARSE, _GROWTH = 256, 4
_SLICE_S = 0.02

Tell = Callable[[RiskReply], object]


class Sampling:
    """One request, served to its end in one worker thread; `cancel` may come from another."""

    def __init__(self, open_launcher: OpenLauncher, request: RiskRequest, tell: Tell) -> None:
        self._open_launcher = open_launcher
        self._setback = ""
        self._request, self._tell = request, tell
        self._slices: list[Slice] = []
        self._canceled = threading.Event()
        self._began = time.monotonic()

    @property
    def is_alone(self) -> bool:
        """Always: it takes all that there is."""
        return True

    def cancel(self) -> None:
        """End it after the slice that goes on."""
        self._canceled.set()

    async def begin(self) -> None:
        """Nothing: the coarse answer is made in a slice or two."""

    async def run(self) -> RiskEnded:
        """To the end, whatever that is."""
        number, loop = self._request.risk, asyncio.get_running_loop()
        try:
            await asyncio.to_thread(self._answer, lambda reply: loop.call_soon_threadsafe(self._tell, reply))
        except EngineError as error:
            return RiskEnded(number, sentence=error.sentence, ids=error.ids)
        except Exception as error:
            log.exception("risk %d", number)
            return RiskEnded(number, sentence=f"The simulation failed: {type(error).__name__}: {error}.")
        return RiskEnded(number, is_canceled=self._canceled.is_set(), setback=self._setback)

    def _answer(self, tell: Tell) -> None:
        request = self._request
        if self._canceled.is_set():
            return
        dates = schedule(request.plan, request.durations)
        launcher = self._open_launcher(request.device)
        simulation = Simulation(compile_risk(request.plan, dates, request.seed), launcher=launcher)
        simulation.reserve(request.samples)
        wanted = min(_COARSE, request.samples)
        while self._advance(simulation, wanted):
            self._tell_answers(simulation, wanted, dates.project_finish, tell)
            if wanted >= request.samples:
                break
            wanted = min(wanted * _GROWTH, request.samples)
        if request.wanted is not None and not self._canceled.is_set():
            for taken in what_it_takes(
                request.plan, request.wanted, request.confidence, seed=request.seed, durations=request.durations
            ):
                tell(RiskTaken(request.risk, taken))
                if self._canceled.is_set():
                    return

    def _advance(self, simulation: Simulation, wanted: int) -> bool:
        """Up to so many samples, a slice at a time; false where it was canceled."""
        slice_ = BLOCK
        while simulation.count < wanted and not self._canceled.is_set():
            begun = time.monotonic_ns()
            simulation.advance(min(slice_, wanted - simulation.count))
            ended = time.monotonic_ns()
            self._slices.append(Slice(SAMPLES, begun, ended))
            spent = max(1e-6, (ended - begun) / 1e9)
            slice_ = max(BLOCK, min(4 * slice_, int(slice_ * _SLICE_S / spent)))
        return not self._canceled.is_set()

    def _tell_answers(self, simulation: Simulation, count: int, planned: Ticks, tell: Tell) -> None:
        self._setback = simulation.setback
        answers = answers_of(simulation.samples(count), planned)
        slices, self._slices = tuple(self._slices), []
        tell(RiskFound(self._request.risk, time.monotonic() - self._began, answers, slices))


class Sampler(NewestFirst):
    """Risk requests in, the newest first; replies out. It is a RiskConnection."""

    def __init__(self, open_launcher: OpenLauncher = launcher_for) -> None:
        super().__init__(partial(Sampling, cache(open_launcher)))  # a device is opened once

    @classmethod
    async def start(cls) -> Sampler:
        """A sampler in this process."""
        return cls()


def main() -> None:
    """The process, from its start until the window has gone."""
    warm()
    serve(Sampler, NICENESS)
