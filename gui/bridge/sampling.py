"""Sampling: the half of the bridge that reads what others took, from tables and finished plans. It changes nothing.

What it reads is asked for by a dialog, which hears of it and decides.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.model import Plan
from engine.session.experience import read_experience, read_sample, sample_columns

Begin = Callable[[], Awaitable[object]]
Ask = Callable[[Callable[[], object]], Awaitable[object]]


class Sampling(QObject):
    """`columns_found` carries a path and the names of a table's columns, `sample_found` a path and a ColumnSample,
    `experience_found` a path and a TakeExperience, `refused` a path and a sentence that says why there is none.
    """

    columns_found = Signal(str, object)
    sample_found = Signal(str, object)
    experience_found = Signal(str, object)
    refused = Signal(str, str)

    def __init__(self, spawn: Callable[[Begin, str], object], ask: Ask, parent: QObject) -> None:
        super().__init__(parent)
        self._spawn, self._ask = spawn, ask

    def read_columns(self, path: str) -> None:
        """Which columns a table has."""
        self._spawn(partial(self._read, path, partial(sample_columns, path), self.columns_found.emit), "read columns")

    def read_sample(self, path: str, plan: Plan, column: str) -> None:
        """What the values of a column are as a range."""
        read = partial(read_sample, path, plan, column)
        self._spawn(partial(self._read, path, read, self.sample_found.emit), "read a sample")

    def read_experience(self, path: str, plan: Plan) -> None:
        """What the finished tasks of a plan took."""
        read = partial(read_experience, path, plan)
        self._spawn(partial(self._read, path, read, self.experience_found.emit), "read experience")

    async def _read(self, path: str, read: Callable[[], object], tell: Callable[[str, object], object]) -> None:
        try:
            found = await self._ask(read)
        except EngineError as error:
            self.refused.emit(path, error.sentence)
        else:
            tell(path, found)
