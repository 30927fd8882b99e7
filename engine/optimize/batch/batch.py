"""Batch: candidates of one problem decoded at once, wherever that is done. It never chooses candidates."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from engine.optimize.problem import Ints, Longs

Candidates = NDArray[Any]


class Batch(Protocol):
    """Decodes candidates: the same ones to the same dates on every device."""

    def decode(self, candidates: Candidates) -> Longs:
        """What each candidate is worth, int64[b], the least the best."""

    def starts(self, candidate: int) -> Ints:
        """When the operations of a candidate of the last call start: int32[n], in the unit of the batch."""
