"""How far a run is, for a person who waits: in place on a terminal, a line now and then elsewhere. It never runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

_TERMINAL_S, _LINE_S = 0.2, 10.0
_ERASE = "\r\x1b[K"


class Progress:
    """Writes the pass that a run of several is at. `clock` gives seconds."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._is_terminal = self._stream.isatty()
        self._said = clock()
        self._is_shown = False

    def show(self, number: int, count: int) -> None:
        """The run is at pass `number` of `count`; nothing is written of a single pass, nor too often."""
        now = self._clock()
        if count < 2 or now - self._said < (_TERMINAL_S if self._is_terminal else _LINE_S):
            return
        self._said, self._is_shown = now, True
        words = f"pass {number:,} of {count:,}"
        self._stream.write(f"{_ERASE}{words}" if self._is_terminal else f"{words}\n")
        self._stream.flush()

    def end(self) -> None:
        """Make room on a terminal for what is said next."""
        if self._is_terminal and self._is_shown:
            self._stream.write(_ERASE)
            self._stream.flush()
