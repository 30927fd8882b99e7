"""News: who is told of each new State, and in which order. They never make one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from engine.session.state import State

Listener = Callable[[State], object]


class News:
    """Listeners and what they are still to be told, all of one thread."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._waiting: deque[tuple[Listener, State]] = deque()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener of each State from now on; the returned call ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def tell(self, state: State) -> None:
        """Tell all of a State; one that a listener makes is told after it. Whatever one raises, all are told."""
        self._waiting.extend((listener, state) for listener in self._listeners)
        self._go_on()

    def _go_on(self) -> None:
        try:
            while self._waiting:
                listener, state = self._waiting.popleft()
                if listener in self._listeners:
                    listener(state)
        finally:
            if self._waiting:
                self._go_on()
