"""Risking: how sure the open plan is, or the one a drag would lead to, asked of another process after each change.

It never changes a plan. Nothing is asked while it is off, and there is no process then.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.model import Ticks
from engine.session.risking import Answers, RiskClient, RiskJob, RiskOptions, Taken, is_uncertain
from engine.session.state import State
from engine.session.work_log import WorkLog

SAMPLES = 10_000

Begin = Callable[[], Awaitable[object]]
Ask = Callable[[Callable[[], object]], Awaitable[object]]


@dataclass(frozen=True, slots=True, eq=False)
class Risk:
    """How sure a plan is, as far as that is known by now.

    `answers` are of the plan of `state`, None while nothing is known or where `sentence` says why not. `is_trial`: that
    plan is what a drag would lead to, else it is the open one, and `revision` that of its state. `before` are the
    answers of the plan before the drag or the last edit, to compare with. `wanted` samples are asked for; `is_over`
    once no more come. `is_certain`: nothing in the plan has a range, so there is nothing to simulate.
    """

    state: State
    answers: Answers | None = None
    before: Answers | None = None
    is_trial: bool = False
    wanted: int = SAMPLES
    is_over: bool = False
    is_certain: bool = False
    sentence: str = ""

    @property
    def samples(self) -> int:
        """How many samples the answers rest on."""
        return 0 if self.answers is None else self.answers.count

    @property
    def revision(self) -> int:
        """The state's; that of a trial is the revision it starts from."""
        return self.state.revision


@dataclass(frozen=True, slots=True)
class Takes:
    """What a wanted date takes, as far as that is known; `is_over` once nothing better comes."""

    taken: Taken
    is_over: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What is being simulated, and whether a drag would lead there."""

    job: RiskJob
    is_trial: bool


class Risking(QObject):
    """`changed` carries a Risk, or None where it is off or no plan is open: the first some ten milliseconds after a
    change of plan, then better ones; until then the one before stays true to its own state. `turned` says whether it is
    on. `takes_found` carries Takes of the wanted date, better and better, and None once they are no longer of the plan.
    """

    changed = Signal(object)
    turned = Signal(bool)
    takes_found = Signal(object)

    def __init__(self, spawn: Callable[[Begin, str], object], ask: Ask, work: WorkLog, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self.client = RiskClient()
        self.is_on = False
        self.samples = SAMPLES
        self.risk: Risk | None = None
        self._spawn, self._ask = spawn, ask
        self._state: State | None = None
        self._trial: State | None = None
        self._planned: Risk | None = None  # the last of the plan itself
        self._before: Answers | None = None
        self._asked: _Asked | None = None
        self._takes: RiskOptions | None = None  # what is asked of a date, until that is known
        self._has_answered, self._is_due = True, False

    def turn(self, is_on: bool) -> None:
        """Simulate the plan from now on, or no more."""
        if is_on is self.is_on:
            return
        self.is_on = is_on
        self._forget()
        self.turned.emit(is_on)
        if is_on:
            self._start_anew()
        else:
            self._tell(None)
            self._spawn(self.client.close, "end the simulation")

    def show_document(self, state: State | None) -> None:
        """Another plan is open, or none."""
        self._state = state
        self._forget()
        self._start_anew()

    def show_state(self, state: State) -> None:
        """The plan may be another one now."""
        before, self._state = self._state, state
        if before is not None and state.plan is before.plan:
            return
        self._trial = None
        if self._planned is not None:
            self._before = self._planned.answers
        self._drop_takes()
        self._want()

    def try_out(self, trial: State | None) -> None:
        """A drag would lead to this; None: to nothing, or there is none any more."""
        if trial is not None and self._state is not None and trial.plan is self._state.plan:
            trial = None
        if trial is self._trial:
            return
        self._trial = trial
        if trial is None and self._planned is not None and self._planned.is_over and self._takes is None:
            self._give_up()
            self._tell(self._planned)
        else:
            self._want()

    def ask_takes(self, wanted: Ticks, confidence: float) -> None:
        """Find out what it takes to be done by an instant with a confidence, 0 to 1."""
        if self._state is not None and self.is_on:
            self._drop_takes()
            self._takes = RiskOptions(self.samples, wanted=wanted, confidence=confidence)
            self._want()

    def cancel(self) -> None:
        """Simulate the plan no further until it changes; what is known stays."""
        self._give_up()
        self._drop_takes()
        if self.risk is not None:
            self._tell(replace(self.risk, is_over=True))

    async def leave(self) -> None:
        """Ends the simulation and its process."""
        self.is_on = False
        self._forget()
        await self.client.close()

    def _start_anew(self) -> None:
        """Nothing is known of the plan that is open."""
        if self.is_on:
            self._tell(None if self._state is None else Risk(self._state, wanted=self.samples))
            self._want()

    def _forget(self) -> None:
        self._give_up()
        self._trial = self._planned = self._before = None
        self._drop_takes()

    def _drop_takes(self) -> None:
        self._takes = None
        self.takes_found.emit(None)

    def _give_up(self) -> None:
        asked, self._asked = self._asked, None
        self._has_answered, self._is_due = True, False
        if asked is not None:
            asked.job.cancel()

    def _want(self) -> None:
        """Other answers are wanted: at once, or after the first of what is asked, so that a long drag sees some."""
        if self.is_on and self._state is not None:
            self._is_due = not self._has_answered
            if self._has_answered:
                self._begin(self._state)

    def _begin(self, plan: State) -> None:
        trial = self._trial
        if trial is not None and self._planned is not None and self._planned.is_certain:
            return
        self._has_answered = False
        options = RiskOptions(self.samples) if trial is not None or self._takes is None else self._takes
        job = RiskJob(trial or plan, self.client, options, lambda: self._heard(asked), self._work)
        asked = self._asked = _Asked(job, trial is not None)
        self._spawn(partial(self._simulate, asked), "simulate the plan")

    async def _simulate(self, asked: _Asked) -> None:
        job, sentence, is_canceled = asked.job, "", False
        plan = job.state.plan
        is_certain = not asked.is_trial and not await self._ask(partial(is_uncertain, plan))
        try:
            if not is_certain:
                ended = await job.run()
                sentence, is_canceled = ended.sentence, ended.is_canceled
        except EngineError as error:
            sentence = error.sentence
        if asked is not self._asked or is_canceled:
            return
        if job.options.wanted is not None:
            self._takes = None
            self.takes_found.emit(None if job.taken is None else Takes(job.taken, is_over=True))
        self._take(asked, replace(self._risk_of(asked), is_over=True, is_certain=is_certain, sentence=sentence))

    def _heard(self, asked: _Asked) -> None:
        job = asked.job
        if asked is not self._asked or job.ended is not None:
            return
        if job.taken is not None:
            self.takes_found.emit(Takes(job.taken))
        else:
            self._take(asked, self._risk_of(asked))

    def _take(self, asked: _Asked, risk: Risk) -> None:
        """Tell what is known of what was asked, unless it is of an earlier plan; then on to what is wanted by now."""
        self._has_answered = True
        plan = None if self._state is None else self._state.plan
        if self._trial is not None if asked.is_trial else asked.job.state.plan is plan:
            self._tell(risk)
        if self._is_due:
            self._want()

    def _risk_of(self, asked: _Asked) -> Risk:
        planned = self._planned
        before = planned.answers if asked.is_trial and planned is not None else self._before
        options = asked.job.options
        return Risk(asked.job.state, asked.job.answers, before, asked.is_trial, options.samples)

    def _tell(self, risk: Risk | None) -> None:
        self.risk = risk
        if risk is not None and not risk.is_trial:
            self._planned = risk
        self.changed.emit(risk)
