"""Inquiry: a question about the open plan that a worker answers, a little after each change of plan or question.

It never holds the window up. The newest question wins: the answer to an earlier one is given up and never told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.session.state import State

WAIT_MS = 100
# An answer that takes longer than this is worth telling how far it is.
PROGRESS_MS = 300

Begin = Callable[[], Awaitable[object]]
Ask = Callable[[Callable[[], object]], Awaitable[object]]


class GivenUpError(Exception):
    """Nobody waits for this answer any more."""


@dataclass(slots=True)
class Watched:
    """What a worker and the window share of one answer: how much of it is made, and whether it is given up."""

    share: float = 0.0
    is_given_up: bool = False

    def __call__(self, share: float) -> None:
        """Called in the worker."""
        if self.is_given_up:
            raise GivenUpError
        self.share = share


Work = Callable[[State, Watched], object]


class Inquiry(QObject):
    """Asks nothing until it is `wanted`.

    `answered` carries what `work` made of the state, or None at once when what was told last is no longer true;
    `failed` the sentence of an EngineError; `progressed` a share from 0 to 1 while an answer takes long.
    """

    answered = Signal(object)
    failed = Signal(str)
    progressed = Signal(float)

    def __init__(self, work: Work, spawn: Callable[[Begin, str], object], ask: Ask, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._spawn = spawn
        self._ask = ask
        self._state: State | None = None
        self._is_wanted = self._has_told = False
        self._watched: Watched | None = None
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._begin)
        self._progress = QTimer(self, interval=PROGRESS_MS)
        self._progress.timeout.connect(self._tell_progress)

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now."""
        is_same = state is not None and self._state is not None and state.plan is self._state.plan
        self._state = state
        if not is_same:
            self.ask_again()

    def want(self, is_wanted: bool) -> None:
        """Whether anybody looks at the answers."""
        if is_wanted is not self._is_wanted:
            self._is_wanted = is_wanted
            self.ask_again()

    def ask_again(self) -> None:
        """The question is another one: what was answered is no longer true."""
        self.give_up()
        if self._has_told:
            self._has_told = False
            self.answered.emit(None)
        if self._is_wanted and self._state is not None:
            self._wait.start()

    def give_up(self) -> None:
        """Wait for no answer any more."""
        self._wait.stop()
        self._progress.stop()
        if self._watched is not None:
            self._watched.is_given_up = True

    def _begin(self) -> None:
        if self._state is None:
            return
        if self._watched is None:
            self._watched = Watched()
            self._progress.start()
            self._spawn(self._answer, "inquiry")
        else:
            self._wait.start()  # the one before has not noticed yet

    async def _answer(self) -> None:
        state, watched = self._state, self._watched
        if state is None or watched is None:
            return
        found: object = None
        sentence = ""
        try:
            found = await self._ask(lambda: self._work(state, watched))
        except GivenUpError:
            pass
        except EngineError as error:
            sentence = error.sentence
        finally:
            self._watched = None
        if watched.is_given_up:
            return
        self._progress.stop()
        self._has_told = bool(sentence) or found is not None
        if sentence:
            self.failed.emit(sentence)
        elif found is not None:
            self.answered.emit(found)

    def _tell_progress(self) -> None:
        if self._watched is not None:
            self.progressed.emit(self._watched.share)
