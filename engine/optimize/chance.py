"""Random numbers by counter: a hash of seed and count, the same on every device. Imported late, since it loads numba.

It never keeps a state but the array that it is handed: uint64 [seed, count].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.compiled import njit_bare

Chance = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_ONE, _TWO = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S33 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(33)
_NEXT = np.uint64(1)


def chance_for(seed: int, stream: int) -> Chance:
    """A state for one stream of a seed."""
    return np.array([(seed * 0x2545F4914F6CDD1D + stream * 0x632BE59BD9B4E019) % (1 << 64), 0], np.uint64)


@njit_bare
def below(chance: Chance, limit: int) -> int:
    """An integer 0 <= it < limit (splitmix64, Steele et al. 2014); limit < 2^31."""
    chance[1] += _NEXT
    mixed = chance[0] + chance[1] * _STEP
    mixed = (mixed ^ (mixed >> _S30)) * _ONE
    mixed = (mixed ^ (mixed >> _S27)) * _TWO
    mixed = mixed ^ (mixed >> _S31)
    return np.int64((mixed >> _S33) * np.uint64(limit) >> _S31)  # type: ignore[return-value]  # int() stays unsigned there
