"""Rehearsing: edits of a large plan tried in a worker, so that no frame of a drag waits for dates.

It never changes the plan. The newest edit that waits wins; one under way is answered too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from engine.errors import EngineError
from engine.session.document import Document
from engine.session.edits import Edit
from engine.session.state import State

# Smaller plans are dated within a frame: what they would be is shown at once.
LARGE = 2_000
_REST_S, _MOST_RESTS = 0.03, 6
_LOOK_S = 0.002

Begin = Callable[[], Awaitable[object]]
Ask = Callable[[Callable[[], object]], Awaitable[object]]
# What an edit would lead to, or why it is refused.
Tell: TypeAlias = Callable[[Edit, State | EngineError], object]


def is_large(state: State) -> bool:
    """Whether a plan has so many tasks that no frame is to wait for its dates."""
    return len(state.plan.tasks) >= LARGE


class Rehearsing:
    """The trials of whatever document is open."""

    def __init__(
        self, document: Callable[[], Document | None], spawn: Callable[[Begin, str], object], ask: Ask
    ) -> None:
        self._document = document
        self._spawn = spawn
        self._ask = ask
        self._next: tuple[Edit, Tell] | None = None
        self._now: Edit | None = None
        self._is_busy = self._is_sketched = False

    def ask(self, edit: Edit, tell: Tell) -> bool:
        """Have what an edit would lead to told later; False where the plan is small enough to be asked at once."""
        document = self._document()
        if document is None or not is_large(document.state):
            return False
        self._next, self._is_sketched = (edit, tell), False
        if not self._is_busy:
            self._is_busy = True
            self._spawn(self._go, "rehearse")
        return True

    def sketch(self, edit: Edit, rows: Sequence[int]) -> State | None:
        """What an edit would lead to, at once, as far as the dates of some rows of the plan tell it; None where that is
        not simply told, or refused."""
        document = self._document()
        try:
            found = None if document is None else document.ahead(edit, rows)
        except EngineError:
            found = None
        self._is_sketched = found is not None
        return found

    async def leave(self, edit: Edit) -> None:
        """Somebody else finds out what an edit leads to: only what a worker has begun of it is waited for."""
        if self._next is not None and self._next[0] == edit:
            self._next = None
        while self._now == edit:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)

    async def _go(self) -> None:
        try:
            while (asked := await self._rested()) is not None:
                if (document := self._document()) is None:
                    return
                edit, tell = asked
                self._now = edit
                found = await self._ask(partial(_tried, document, edit))
                self._now = None
                if isinstance(found, State | EngineError):
                    tell(edit, found)
        finally:
            self._now, self._is_busy = None, False

    async def _rested(self) -> tuple[Edit, Tell] | None:
        """What is asked next. While what is in sight is told at once, a trial waits until the mouse does, or until it
        would be missed: the interpreter is the frames' own."""
        for _ in range(_MOST_RESTS):
            newest = self._next
            if newest is None or not self._is_sketched:
                break
            await asyncio.sleep(_REST_S)
            if self._next is newest:
                break
        asked, self._next = self._next, None
        return asked


def _tried(document: Document, edit: Edit) -> State | EngineError:
    """In the worker: with what a picture asks of it besides dates."""
    try:
        found = document.trial(edit)
    except EngineError as error:
        return error
    _ = found.schedule.done
    return found
