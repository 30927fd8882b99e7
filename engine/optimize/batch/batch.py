"""Batch: candidates of one problem decoded at once, wherever that is done. It never chooses candidates."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from engine.optimize.problem import Longs

Candidates = NDArray[Any]


class Batch(Protocol):
    """Decodes candidates: the same ones to the same numbers on every device."""

    def decode(self, candidates: Candidates) -> Longs:
        """What each candidate, uint16[b, n], is worth, int64[b], the least the best."""
