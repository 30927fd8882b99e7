"""Making: what is asked of the plan, done in the order in which it was asked; edits of a large one by a worker.

No turn of the window's loop waits for dates. Each is done upon what the one before left; nothing that waits is lost
but what a person takes back. It never shows a plan.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.session.document import Document
from engine.session.edits import Edit
from engine.session.state import State
from gui.bridge.inquiry import Ask, Begin
from gui.bridge.rehearsing import is_large

# What waits for longer than this is worth a word.
SAID_MS = 100
_LOOK_S = 0.015

# An edit, or what makes one of the state that it is to change, or none; that may raise an EngineError, and of a large
# plan it runs in a worker.
Wish: TypeAlias = Edit | Callable[[State], Edit | None]


# What an edit leads to, or why it is refused; None where a person took it back.
Tell: TypeAlias = Callable[[Edit, State | EngineError | None], object]


@dataclass(eq=False, slots=True)
class _Turn:
    """Something that is asked of a document: `act` is handed what `work` found in a worker, or None where none did.

    Without work there is nothing to find; `is_needless` tells whether that is known already.
    """

    document: Document | None
    act: Callable[[object], object]
    work: Callable[[_Turn], object] | None = None
    is_needless: Callable[[], bool] = lambda: False
    taken_back: Callable[[], object] = lambda: None
    edit: Edit | None = None
    label: str = ""


class Making(QObject):
    """`changed` says that something waits now or nothing does, or that there is something to say of it.

    `fail` is told why an edit is refused. `clear` waits until nobody else finds out what an edit leads to. `is_held`:
    whether the mouse holds something of the plan, which would be lost if another state came.
    """

    changed = Signal()

    def __init__(
        self,
        document: Callable[[], Document | None],
        fail: Callable[[EngineError], object],
        spawn: Callable[[Begin, str], object],
        ask: Ask,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.is_held: Callable[[], bool] = lambda: False
        self.is_making = False
        self.clear: Callable[[Edit], Awaitable[object]] = _nothing
        self._document, self._fail, self._spawn, self._ask = document, fail, spawn, ask
        self._waiting: deque[_Turn] = deque()
        self._nested: deque[_Turn] = deque()
        self._now: _Turn | None = None
        self._depth = 0
        self._told = (False, "")
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._next)
        self._late = QTimer(self, singleShot=True, interval=SAID_MS)
        self._late.timeout.connect(self._tell)

    @property
    def is_pending(self) -> bool:
        """Whether something waits, or a worker is at it."""
        return self._now is not None or bool(self._waiting)

    @property
    def label(self) -> str:
        """What is being made, once that has taken a while; else empty."""
        return "" if self._now is None or self._late.isActive() else self._now.label

    def execute(self, wish: Wish) -> None:
        """Change the plan in its turn, or say why not."""
        document = self._document()
        if document is not None:
            self._put(_edit_turn(document, wish, partial(self._take, document, wish)))

    def settle(self, edit: Edit, tell: Tell) -> bool:
        """Have told in its turn what an edit would lead to; False where it is to be found out at once.

        What is done to the plan when that is told comes before all that waits.
        """
        document = self._document()
        if document is None or self._depth:
            return False

        def act(found: object) -> None:
            found = found or _foreseen(document, edit)
            tell(edit, found if isinstance(found, State | EngineError) else None)

        turn = _edit_turn(document, edit, act)
        turn.taken_back = partial(tell, edit, None)
        if not self.is_pending and not _is_costly(turn):
            return False
        self._put(turn)
        return True

    def step(self, *, is_back: bool) -> None:
        """Take the last edit back, or make it again, in its turn."""
        document = self._document()
        if document is not None:
            step = document.undo if is_back else document.redo
            work = partial(_date_step, document, is_back)
            self._put(_Turn(document, lambda _: step(), lambda _: work(), lambda: _is_step_dated(document, is_back)))

    def change(self, change: Callable[[Document], object]) -> None:
        """Change the document in its turn, or say why not."""
        document = self._document()
        if document is not None:
            self._put(_Turn(document, lambda _: change(document)))

    def do(self, act: Callable[[], object]) -> None:
        """Do something once all is made that was asked before; nothing, where another plan is open then."""
        document = self._document()
        self._put(_Turn(document, lambda _: act() if self._document() is document else None))

    def take_back(self) -> bool:
        """Make nothing of what is not made yet; False where nothing is."""
        turns = [turn for turn in (self._now, *self._waiting) if turn is not None and turn.work is not None]
        self._waiting = deque(turn for turn in self._waiting if turn.work is None)
        if self._now in turns:
            self._now = None
        for turn in turns:
            turn.taken_back()
        self._go_on()
        return bool(turns)

    async def finish(self) -> None:
        """Wait until all is made."""
        self.is_held = lambda: False
        while self.is_pending:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)

    def _put(self, turn: _Turn) -> None:
        """Now where its turn has come; what asks within a turn comes before what waits."""
        if self._depth:
            if self._nested or _is_costly(turn):
                self._nested.append(turn)
            else:
                self._perform(turn, None)
        elif self.is_pending:
            self._waiting.append(turn)
        else:
            self._begin(turn)

    def _begin(self, turn: _Turn) -> None:
        if not _is_costly(turn):
            self._perform(turn, None)
            return
        self._now = turn
        self._late.start()
        self._spawn(partial(self._work, turn), "make an edit")
        self._tell()

    async def _work(self, turn: _Turn) -> None:
        assert turn.work is not None
        is_found, found = False, None
        try:
            if turn.edit is not None:
                await self.clear(turn.edit)
            found = await self._ask(partial(turn.work, turn))
            while self.is_held() and turn is self._now:  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_S)
            is_found = True
        finally:
            if turn is self._now:  # else it was taken back
                self._now = None
                if is_found:
                    self._perform(turn, found)
                else:
                    self._go_on()

    def _perform(self, turn: _Turn, found: object) -> None:
        self._depth += 1
        self.is_making = True
        try:
            turn.act(found)
        except EngineError as error:
            self._fail(error)
        finally:
            self._depth -= 1
            self.is_making = self._depth > 0
            if not self._depth:
                self._waiting.extendleft(reversed(self._nested))
                self._nested.clear()
                self._go_on()

    def _take(self, document: Document, wish: Wish, found: object) -> None:
        if isinstance(found, EngineError):
            raise found
        if not isinstance(found, State):
            edit = wish(document.state) if callable(wish) else wish
        else:
            edit = None if found.plan is document.state.plan else found.edit
        if edit is not None:
            document.execute(edit)

    def _go_on(self) -> None:
        """With what waits, in a turn of the loop of its own: paint and input have theirs between."""
        if self._waiting and self._now is None and not self._soon.isActive():
            self._soon.start()
        self._tell()

    def _next(self) -> None:
        if self._waiting and self._now is None and not self._depth:
            turn = self._waiting.popleft()
            self._begin(turn)

    def _tell(self) -> None:
        if (now := (self.is_pending, self.label)) != self._told:
            self._told = now
            self.changed.emit()


async def _nothing(_edit: Edit) -> None:
    """Nobody else does."""


def _edit_turn(document: Document, wish: Wish, act: Callable[[object], object]) -> _Turn:
    def is_known() -> bool:
        return not callable(wish) and document.dating.recent.tried(document.state.plan, wish) is not None

    def work(turn: _Turn) -> object:
        return _foreseen(document, wish, turn)

    return _Turn(document, act, work, is_known, edit=None if callable(wish) else wish)


def _is_costly(turn: _Turn) -> bool:
    """Whether it would hold the window up."""
    document = turn.document
    return document is not None and turn.work is not None and is_large(document.state) and not turn.is_needless()


def _foreseen(document: Document, wish: Wish, turn: _Turn | None = None) -> State | EngineError:
    """In the worker, or at once: with what the window asks of a state besides dates."""
    before = document.state
    try:
        edit = wish(before) if callable(wish) else wish
        if edit is None:
            return before
        if turn is not None:
            with suppress(EngineError):
                turn.label = edit.label(before.plan)
        after = document.trial(edit)
    except EngineError as error:
        return error
    if turn is not None:
        _ = after.schedule.done, after.plan.rows, after.plan.children
    return after


def _date_step(document: Document, is_back: bool) -> None:
    active = document.scenarios.active
    if steps := active.past if is_back else active.future:
        document.dating.keep(steps[-1].plan, active.schedule)


def _is_step_dated(document: Document, is_back: bool) -> bool:
    active = document.scenarios.active
    steps = active.past if is_back else active.future
    return not steps or document.dating.recent.dates_of(steps[-1].plan) is not None
