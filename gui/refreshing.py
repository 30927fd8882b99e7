"""Refreshing: what an edit leads to in the window beside the chart, a piece a turn of the loop.

None of it holds the window up, and what a person edits is painted before. It never knows what a piece shows, nor of
which plan: each asks for that, as it is then, when its turn comes.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

# Pieces follow each other in one turn for at most this long before paint and input have theirs.
SLICE_S = 0.002

Piece = Callable[[], object]


class Refreshing(QObject):
    """The pieces that wait, in the order in which they were asked for; one that waits already is done once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[Piece, None] = {}
        self._is_painting = False
        # A timer of no length comes after what is posted, as a paint is, and after input.
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._go_on)

    @property
    def is_settled(self) -> bool:
        """Whether nothing waits."""
        return not self._waiting

    def soon(self, piece: Piece) -> None:
        """Do a piece in one of the next turns."""
        self._waiting.setdefault(piece)
        if not self._turn.isActive():
            self._is_painting = True
            self._turn.start()

    def settle(self) -> None:
        """Do all at once that waits, and what that asks for: somebody looks at the window as it is now."""
        while self._waiting:
            self._next()

    def drop(self) -> None:
        """Do nothing of what waits: it is of a plan that is no longer open, or of a window that is closed."""
        self._waiting.clear()
        self._turn.stop()

    def _go_on(self) -> None:
        if self._is_painting:  # the first turn is full of that
            self._is_painting = False
            self._turn.start()
            return
        end = time.monotonic() + SLICE_S
        try:
            while self._waiting:
                self._next()
                if time.monotonic() >= end:
                    break
        finally:  # whatever one raises, the others follow
            if self._waiting:
                self._turn.start()

    def _next(self) -> None:
        piece = next(iter(self._waiting))
        del self._waiting[piece]
        piece()
