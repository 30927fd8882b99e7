"""Holding: which task is held over the board, and what is known of dropping it. It never asks or draws that itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from engine.model import TaskId
from engine.session.dropping import Drops
from gui.board.drop_map import Words, slots_of
from gui.board.drop_words import words_of
from gui.canvas.time_scale import TimeScale


class Holding(QObject):
    """`held` carries (task, starts of the slots in sight) when a task is taken up, or other time comes in sight below
    it, and None when it is let go; `changed` says that there is something else to be drawn.
    """

    held = Signal(object)
    changed = Signal()

    def __init__(self, task: Callable[[], TaskId | None], scale: Callable[[], TimeScale], parent: QObject) -> None:
        super().__init__(parent)
        self.drops: Drops | None = None
        self.words: Words | None = None
        self._task, self._scale = task, scale
        self._known: TaskId | None = None

    def look(self) -> None:
        """The mouse may hold another task, or none."""
        task = self._task()
        if task != self._known:
            self._known, self.drops = task, None
            self.scroll()

    def scroll(self) -> None:
        """Other time is in sight."""
        if self._known is None:
            self.held.emit(None)
        else:
            self.held.emit((self._known, slots_of(self._scale())))

    def show(self, drops: Drops) -> None:
        """What was found out of a task: shown if it is the one that is held."""
        if drops.task == self._known:
            self.drops, self.words = drops, words_of(drops)
            self.changed.emit()
