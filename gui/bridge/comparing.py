"""Comparing: asks a worker how far the open plan is from a baseline, or from the plan of a file. It changes neither."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from engine.session.comparing import against_baseline, against_plan, read_state
from engine.session.state import State
from gui.bridge.inquiry import Ask, Begin, Inquiry, Watched

# A baseline's number, the path of a file, or nothing to compare with.
Other = int | str | None


class Comparing(QObject):
    """`answer` answers with a Comparison; `chosen` carries what the plan is compared with from now on, an Other."""

    chosen = Signal(object)

    def __init__(self, spawn: Callable[[Begin, str], object], ask: Ask, parent: QObject) -> None:
        super().__init__(parent)
        self._other: Other = None
        self._read: tuple[str, State] | None = None
        self.answer = Inquiry(self._compare, spawn, ask, self)

    @property
    def other(self) -> Other:
        """What the plan is compared with."""
        return self._other

    def show_document(self, state: State | None) -> None:
        """Another plan is open: it is compared with its first baseline, if it has one."""
        self._read = None
        numbers = () if state is None else tuple(each.number for each in state.plan.baselines)
        self._set(min(numbers, default=None))
        self.show_state(state)

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now; a baseline that is gone makes room for the first there is."""
        if state is not None and not isinstance(self._other, str):
            numbers = tuple(each.number for each in state.plan.baselines)
            if self._other is not None and self._other not in numbers:
                self._set(min(numbers, default=None))
        self.answer.show_state(state)

    def choose(self, other: Other) -> None:
        """Compare with something else; a file is read once more."""
        self._read = None
        self._set(other)
        self.answer.ask_again()

    def _set(self, other: Other) -> None:
        self._other = other
        self.chosen.emit(other)

    def _compare(self, state: State, _: Watched) -> object:
        other = self._other
        if other is None:
            return None
        if isinstance(other, int):
            return against_baseline(state, other)
        read = self._read if self._read is not None and self._read[0] == other else (other, read_state(other))
        self._read = read
        return against_plan(state, read[1], read[0].replace("\\", "/").rpartition("/")[2])
