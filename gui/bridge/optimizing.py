"""Optimizing: looks for better plans than the open one, in another process, and tells what was found as offers.

It never changes a plan by itself. What was found of an earlier plan is dropped; while a run goes on, it waits.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.model import TaskId
from engine.session.aims import aim_of
from engine.session.edits import Edit
from engine.session.offers import Offer, make_offer
from engine.session.solution_edits import Taking
from engine.session.solving import Ending, Question, SolveJob, SolveOptions, SolverClient
from engine.session.state import State
from engine.session.work_log import WorkLog
from gui.bridge.inquiry import Ask, Begin
from gui.bridge.making import Making
from gui.bridge.moves import Moves

# News are told, a search begins anew after an edit, and an offer is made of a better plan no more often than this; the
# first of several at once.
TELL_MS = 50
WAIT_MS = 150
OFFER_MS = 250
# It waits so many times as long as the last one took: what the window computes has its turns between.
OFFER_APART = 5


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for: an aim as `aim_of` reads it, for so many seconds (0: until it is stopped).

    `goes_on`: anew after each edit. `keeps_moves`: tasks that a person moves meanwhile stay where they were put.
    """

    aim: str = "tardiness,makespan,stability"
    seconds: float = 30.0
    goes_on: bool = True
    keeps_moves: bool = True


class AnyRun(Protocol):
    """What is asked of a run."""

    @property
    def outcome(self) -> str | None:
        """How it ended, None while it goes on."""


class Optimizing(QObject):
    """`changed` says that there is something new of the search, at most twenty times a second, `availability_changed`
    that one begins or ends, or that there is an offer or none any more; `offered` carries the
    best plan so far as an Offer, or None at once when it is no longer of the open plan; `taken` a sentence about what
    was taken and differs from it, empty where nothing does. `spawn` runs a coroutine, `ask` blocking work in a worker.
    """

    changed = Signal()
    availability_changed = Signal()
    offered = Signal(object)
    taken = Signal(str)

    def __init__(
        self,
        making: Making,
        fail: Callable[[EngineError], None],
        spawn: Callable[[Begin, str], asyncio.Task[None]],
        ask: Ask,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.client, self.work, self.wish = SolverClient(), WorkLog(), Wish()
        self.job: SolveJob | None = None
        self.offer: Offer | None = None
        self._moves = Moves()
        self.slices = 0  # above 0: so many slices one after the other, as SolveOptions says
        self.is_wanted = self._is_running = self._is_offering = self._has_case = False
        self._making, self._fail, self._spawn, self._ask = making, fail, spawn, ask
        self._state: State | None = None
        self._available = (False, False)
        self._begun = self._told = self._looked = -math.inf
        self._seen: object = None
        self._began: float | None = None
        self._ended: float | None = None
        self._steps = 0
        self.changed.connect(self._tell_availability)
        self.offered.connect(self._tell_availability)
        self._searching: asyncio.Task[None] | None = None
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._begin)
        self._telling = QTimer(self, singleShot=True, interval=TELL_MS)
        self._telling.timeout.connect(self._tell)
        self._looking = QTimer(self, singleShot=True)
        self._looking.timeout.connect(self._look_again)

    @property
    def is_on(self) -> bool:
        """Whether a search goes on, or is about to."""
        return self._wait.isActive() or (self.job is not None and self.job.ending is None)

    @property
    def seconds(self) -> float:
        """How long the search has gone on, once its engines were ready."""
        passed = 0.0 if self._began is None else (self._ended or time.monotonic()) - self._began
        return min(passed, self.wish.seconds or passed)

    def start(self) -> None:
        """Look for a better plan from now on."""
        self.is_wanted = True
        if self._state is not None and not self._is_running:
            self._begin()

    def stop(self) -> None:
        """Look no more; what was found stays on offer."""
        self.is_wanted = False
        self._give_up()
        self.changed.emit()

    async def ask(self, question: Question) -> object:
        """The answer of the process that searches, beside the search; None where a newer question came. Raises
        SolverError.
        """
        return await self.client.ask(question)

    def set_wish(self, wish: Wish) -> None:
        """Look for something else, or otherwise, from now on."""
        is_other = (wish.aim, wish.seconds) != (self.wish.aim, self.wish.seconds)
        self.wish = wish
        if is_other and self.is_wanted:
            self._begin_again()

    @property
    def kept(self) -> frozenset[TaskId]:
        """The tasks that stay where they are."""
        return frozenset() if self._state is None else self._moves.kept(self._state.plan)

    def keep(self, tasks: Collection[TaskId]) -> None:
        """Leave these tasks too where they are from the next search on; none: move any."""
        if self._state is not None:
            self._moves.keep(tasks, self._state.plan)
        if self.is_wanted:
            self._begin_again()
        self.changed.emit()

    def take(self, tasks: Collection[TaskId] | None = None) -> None:
        """Change the plan as is offered, of all tasks or of some, as one step."""
        if self.offer is not None:
            self._spawn(partial(self._take, self.offer, tasks), "take a better plan")

    def show_document(self, state: State | None) -> None:
        """Another plan is open, or none: it is not looked at until somebody asks."""
        self.is_wanted, self._state = False, state
        self._moves.open(state)
        self._drop()
        self.work.clear()
        self.job = None
        self.changed.emit()

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now: what was found of the one before is not, and is looked for anew."""
        before, self._state = self._state, state
        if state is None or before is None or state.plan is before.plan:
            return
        self._moves.follow(before.plan, state, is_on=self.is_wanted and self.wish.keeps_moves)
        self._drop()
        if self.is_wanted and self.wish.goes_on:
            self._begin_again()
        self.job = self.job if self.is_on else None  # what another found is of the plan before
        self.changed.emit()

    def show_run(self, run: AnyRun | None) -> None:
        """A run goes on or has ended: the processor is its own."""
        is_running = run is not None and run.outcome is None
        if is_running is self._is_running:
            return
        self._is_running = is_running
        if is_running:
            self._give_up()
        elif self.is_wanted:
            self._begin_again()
        self.changed.emit()

    async def leave(self) -> None:
        """Ends the search and its process."""
        self.is_wanted = False
        self._drop()
        if self._searching is not None:
            await asyncio.wait([self._searching])
        self._telling.stop()
        self._looking.stop()
        self.job = None
        await self.client.close()

    def _begin_again(self) -> None:
        self._give_up()
        if self._state is not None and not self._is_running:
            if left := _left(self._begun, WAIT_MS):
                self._wait.start(left)
            else:
                self._begin()

    def _drop(self) -> None:
        self._give_up()
        if self.offer is not None:
            self.offer = None
            self.offered.emit(None)

    def _give_up(self) -> None:
        self._wait.stop()
        if self.job is not None and self.job.ending is None:
            self.job.cancel()

    def _begin(self) -> None:
        if self._state is None:
            return
        self._drop()
        self._begun, self._looked, self._seen = time.monotonic(), -math.inf, None
        self._began, self._ended, self._steps, self._has_case = None, None, 0, False
        try:
            aim = aim_of(self.wish.aim)
        except EngineError as error:
            self._fail(error)
            return
        options = SolveOptions(aim, self.wish.seconds, 0, os.cpu_count() or 1, self.slices, tuple(sorted(self.kept)))
        known = None if self.job is None else self.job.case
        job = self.job = SolveJob(self._state, self.client, options, self._heard, known, self.work)
        job.post()
        self._searching = self._spawn(partial(self._search, job), "look for a better plan")
        self.changed.emit()

    async def _search(self, job: SolveJob) -> None:
        ending = await job.run()
        if job is self.job:
            self._ended = time.monotonic()
            self.is_wanted &= ending is not Ending.FAILED or job.best is not None

    def _tell_availability(self) -> None:
        if (now := (self.is_on, self.offer is not None)) != self._available:
            self._available = now
            self.availability_changed.emit()

    def _heard(self) -> None:
        steps = () if self.job is None else self.job.steps
        has_case = self.job is not None and self.job.case is not None
        is_first = (not self._steps and bool(steps)) or (has_case and not self._has_case)
        self._has_case = has_case
        if len(steps) != self._steps:  # the search's own clock starts with its engines, after the plan as it is
            self._steps, self._began = len(steps), time.monotonic() - (steps[-1].seconds if steps else 0.0)
        if is_first:  # there is a plan, or an offer can be made of it
            self._telling.stop()
            self._tell()
        elif not self._telling.isActive():
            self._telling.start(_left(self._told, TELL_MS))

    def _tell(self) -> None:
        self._told = time.monotonic()
        self.changed.emit()
        self._look_again()

    def _look_again(self) -> None:
        """Make an offer of a plan that is better than what was seen, now or when it is time."""
        job = self.job
        if job is None or job.best is None or job.case is None or job.best is self._seen or self._is_offering:
            return
        if left := _left(self._looked, OFFER_MS):
            self._looking.start(left)
            return
        self._is_offering, self._seen = True, job.best
        self._spawn(partial(self._look, job), "a better plan as an offer")

    async def _look(self, job: SolveJob) -> None:
        best, case = job.best, job.case
        if best is None or case is None:
            return
        known, began = self.offer, time.monotonic()
        try:
            found = await self._ask(partial(make_offer, job.state, case, best, known))
        finally:
            took = time.monotonic() - began
            self._is_offering, self._looked = False, began + max(took, OFFER_APART * took - OFFER_MS / 1000)
        if job is not self.job or self._state is None or self._state.plan is not job.state.plan:
            self._look_again()
            return
        if isinstance(found, Offer) and self.offer is known:
            self.offer = found
            self.offered.emit(found)
        if job.best is not best:
            self._heard()

    async def _take(self, offer: Offer, tasks: Collection[TaskId] | None) -> None:
        taking = offer.taking if tasks is None else await self._ask(partial(offer.of, tasks))
        assert isinstance(taking, Taking)
        if (edit := taking.edit) is not None:
            self._making.execute(lambda state: edit if state.plan is offer.state.plan else None)
            self._making.do(lambda: self._tell_taken(edit, taking.sentence))

    def _tell_taken(self, edit: Edit, sentence: str) -> None:
        if self._state is not None and self._state.edit is edit:
            self.taken.emit(sentence)


def _left(since: float, wait_ms: int) -> int:
    """Milliseconds of a wait that are left."""
    passed_ms = (time.monotonic() - since) * 1000
    return max(0, math.ceil(wait_ms - passed_ms)) if passed_ms < wait_ms else 0
