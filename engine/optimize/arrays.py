"""Arrays as a Problem has them, made of lists. It never checks them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


def longs(values: ArrayLike) -> NDArray[np.int64]:
    """Ticks."""
    return np.asarray(values, np.int64)


def ints(values: ArrayLike) -> NDArray[np.int32]:
    """Indices and units."""
    return np.asarray(values, np.int32)


def firsts(counts: Sequence[int]) -> NDArray[np.int32]:
    """Where the entries of each begin, and where those of the last end."""
    found = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=found[1:])
    return found
