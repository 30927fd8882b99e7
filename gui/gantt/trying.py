"""Trying: tells which plan a drag that is drawn would lead to. It never computes one."""

from __future__ import annotations

from typing import Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from engine.session.state import State


class Held(Protocol):
    """A drag as it is shown."""

    @property
    def trial(self) -> State | None:
        """The plan that it would lead to; None while that is not known or nothing would change."""


D = TypeVar("D", bound=Held | None)


class Trying(QObject):
    """`changed` carries the State that what is dragged would lead to, and None once nothing is.

    It is told with the picture in which it is drawn: who hears it must not draw at once.
    """

    changed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._trial: State | None = None

    def seen(self, drag: D) -> D:
        """A drag, or none, is drawn now; it is given back."""
        trial = None if drag is None else drag.trial
        if trial is not self._trial:
            self._trial = trial
            self.changed.emit(trial)
        return drag
