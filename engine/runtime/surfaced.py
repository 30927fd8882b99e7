"""Surfaced: what a thread that must live on does with a mistake. It never hides one."""

from __future__ import annotations

import threading
from types import TracebackType


class Surfaced:
    """Hands an exception to threading.excepthook, as a dying thread would, and lets the thread live on."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if kind is not None:
            threading.excepthook(threading.ExceptHookArgs((kind, problem, trace, threading.current_thread())))
        return True
