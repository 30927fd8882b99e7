"""Trials: what the edit that a drag would make now leads to, at once or when a worker has found out.

They never make an edit, nor know which gesture asks. A trial is computed when it is shown, so that a mouse that moves
faster than the window draws costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.errors import EngineError
from engine.session.edits import Edit
from engine.session.state import State

Trial = Callable[[Edit], State]
Tell: TypeAlias = Callable[[Edit, State | EngineError], object]
# The same, or None where a person took the edit back meanwhile.
Settled: TypeAlias = Callable[[Edit, State | EngineError | None], object]
# Has told what a last edit leads to before anything else is made of the plan; False where it is to be made at once.
Settle: TypeAlias = Callable[[Edit, Settled], bool]
# Does something once all is made that was handed on before.
Afterwards: TypeAlias = Callable[[Callable[[], object]], object]
# Has a trial told later; False where it is to be made at once.
Rehearse = Callable[[Edit, Tell], bool]
# What an edit would lead to as far as the dates in sight tell it; None where that is not known at once.
Sketch: TypeAlias = Callable[[Edit], State | None]
# The same of some rows of the plan.
Sketches: TypeAlias = Callable[[Edit, Sequence[int]], State | None]


def unsketched(_edit: Edit) -> State | None:
    """Nothing is known at once."""
    return None


def no_rows(_edit: Edit, _rows: Sequence[int]) -> State | None:
    """Nothing is known at once of any row."""
    return None


def at_once(_edit: Edit, _tell: Tell) -> bool:
    """Every trial is made at once."""
    return False


def settled_at_once(_edit: Edit, _tell: Settled) -> bool:
    """So is the last."""
    return False


def now(act: Callable[[], object]) -> object:
    """All is made at once."""
    return act()


class Trials:
    """Those of one drag. `compute` makes the State that an edit would lead to, or raises an EngineError; `rehearse`
    may have it told later instead.

    `edit` is the present one, None while nothing would change; `found` and `refusal` are of the last that is known.
    """

    def __init__(self, compute: Trial, rehearse: Rehearse = at_once) -> None:
        self.edit: Edit | None = None
        self.found: State | None = None
        self.refusal = ""
        self._compute, self._rehearse = compute, rehearse
        self._asked: Edit | None = None
        self._known: Edit | None = None

    def is_late(self) -> bool:
        """Whether the trial of the present edit is not there yet. It is asked for once."""
        if self.edit == self._known:
            return False
        if self.edit is not None and (self.edit == self._asked or self._rehearse(self.edit, self._arrive)):
            self._asked = self.edit
            return True
        self.settle()
        return False

    @property
    def is_known(self) -> bool:
        """Whether there is nothing to find out."""
        return self.edit is None or self.edit == self._known

    def learn(self, found: State | EngineError) -> None:
        """What the present edit leads to was found out elsewhere."""
        if self.edit is not None:
            self._take(self.edit, found)

    def settle(self) -> State | None:
        """The trial of the present edit, computed now where it is not there yet."""
        if self.edit != self._known:
            self._take(self.edit, None)
            if self.edit is not None:
                try:
                    self.found = self._compute(self.edit)
                except EngineError as error:
                    self.refusal = error.sentence
        return self.found

    def _arrive(self, edit: Edit, found: State | EngineError) -> None:
        """A trial is there, perhaps of where the mouse was a moment ago; nothing newer was until now."""
        if self.edit is not None and self.edit != self._known:
            self._take(edit, found)

    def _take(self, edit: Edit | None, found: State | EngineError | None) -> None:
        self._known = edit
        self.found = found if isinstance(found, State) else None
        self.refusal = found.sentence if isinstance(found, EngineError) else ""
