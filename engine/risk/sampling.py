"""Draws of a block of samples, compiled. Imported late, since it loads numba.

It never keeps a state: each number is a hash of its key and the number of the sample, and plain.py and the CUDA source
give the same one. Steps of a hash are cast back to 32 bits at once: NumPy's rules would make them 64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.compiled import inlined, njit_bare
from engine.risk.distributions import INTERVALS, PHI_REACH, PHI_STEPS, TABLE, TAIL, TRIANGULAR, UNIFORM
from engine.risk.sources import (
    CHANCE_KEY_1,
    CHANCE_KEY_2,
    KEY_1,
    KEY_2,
    KIND,
    LEAST,
    LOAD_FIRST,
    LOAD_LAST,
    MODE,
    OWN,
    SHIFT,
    SPAN,
    TABLE_AT,
    THRESHOLD,
    Column,
    Draws,
    Floats,
)

LANES = 64  # samples of a block
Flags = NDArray[np.uint8]

_M1, _M2, _M3 = np.uint32(0xED5AD4BB), np.uint32(0xAC4C1B51), np.uint32(0x31848BAB)
_S17, _S11, _S15, _S14, _S9 = np.uint32(17), np.uint32(11), np.uint32(15), np.uint32(14), np.uint32(9)
_STEP, _HALF_STEP = np.float32(2.0**-23), np.float32(2.0**-24)
_ONE, _HALF = np.float32(1), np.float32(0.5)
_WIDE, _NARROW = np.float32(INTERVALS), np.float32(TAIL)
_REACH, _STEPS, _LAST_PLACE = np.float32(PHI_REACH), np.float32(PHI_STEPS), 2 * PHI_REACH * PHI_STEPS - 1
_LEAST_U, _MOST_U = np.float32(2.0**-24), np.float32(1 - 2.0**-24)


@inlined
def bits(sample: np.uint32, first: np.uint32, second: np.uint32) -> np.uint32:
    """32 random bits of a sample: two keyed rounds of mixing (constants of C. Wellons' triple32)."""
    x = np.uint32(sample ^ first)
    x = np.uint32(np.uint32(x ^ np.uint32(x >> _S17)) * _M1)
    x = np.uint32(np.uint32(x ^ np.uint32(x >> _S11)) + second)
    x = np.uint32(x * _M2)
    x = np.uint32(np.uint32(x ^ np.uint32(x >> _S15)) * _M3)
    return np.uint32(x ^ np.uint32(x >> _S14))


@inlined
def uniform(mixed: np.uint32) -> np.float32:
    """0 < u < 1, one of 2^23."""
    return np.float32(np.float32(np.int32(mixed >> _S9)) * _STEP + _HALF_STEP)


@inlined
def from_table(table: Floats, u: np.float32) -> np.float32:
    """x of u, linear between knots."""
    place, base = u * _WIDE, 0
    if u < _ONE / _WIDE:
        place, base = u * _NARROW, INTERVALS + 1
    elif u >= _ONE - _ONE / _WIDE:
        place, base = (_ONE - u) * _NARROW, 2 * (INTERVALS + 1)
    at = min(np.int32(place), np.int32(INTERVALS - 1))
    left = table[base + at]
    return np.float32(left + np.float32(np.float32(table[base + at + 1] - left) * np.float32(place - np.float32(at))))


@inlined
def chance_below(phi: Floats, z: np.float32) -> np.float32:
    """The chance that a standard normal is below z."""
    place = max(np.float32(np.float32(z + _REACH) * _STEPS), np.float32(0))
    at = min(np.int32(place), np.int32(_LAST_PLACE))
    part = min(np.float32(place - np.float32(at)), _ONE)
    u = np.float32(phi[at] + np.float32(np.float32(phi[at + 1] - phi[at]) * part))
    return min(max(u, _LEAST_U), _MOST_U)


@njit_bare
def draw_factors(draws: Draws, first: int, factors: Floats) -> None:
    """The drivers' independent parts: a row a factor, a column a sample from `first` on."""
    for factor in range(len(draws.factors)):
        one, two = np.uint32(draws.factors[factor, 0]), np.uint32(draws.factors[factor, 1])
        for lane in range(LANES):
            u = uniform(bits(np.uint32(first + lane), one, two))
            factors[factor, lane] = from_table(draws.tables[0], u)


@njit_bare
def draw_chances(draws: Draws, first: int, happens: Flags) -> None:
    """Whether each thing happens: a row each, a column a sample."""
    for row in range(len(draws.chances)):
        one, two = np.uint32(draws.chances[row, CHANCE_KEY_1]), np.uint32(draws.chances[row, CHANCE_KEY_2])
        threshold = draws.chances[row, THRESHOLD]
        for lane in range(LANES):
            happens[row, lane] = np.int64(bits(np.uint32(first + lane), one, two)) < threshold


@njit_bare
def draw_lanes(draws: Draws, row: int, first: int, factors: Floats, found: Column) -> None:
    """One draw of each sample of a block, in ticks."""
    kind, least, shift = draws.whole[row, KIND], draws.whole[row, LEAST], draws.whole[row, SHIFT]
    one, two = np.uint32(draws.whole[row, KEY_1]), np.uint32(draws.whole[row, KEY_2])
    span, mode = draws.real[row, SPAN], draws.real[row, MODE]
    is_alone = draws.whole[row, LOAD_FIRST] == draws.whole[row, LOAD_LAST]
    if kind == TRIANGULAR and is_alone:
        rest = np.float32(_ONE - mode)
        for lane in range(LANES):
            u = uniform(bits(np.uint32(first + lane), one, two))
            is_low = u < mode
            root = np.sqrt(u * mode if is_low else np.float32(_ONE - u) * rest)
            x = root if is_low else np.float32(_ONE - root)
            found[lane] = np.int64(np.int32(np.float32(np.float32(x * span) + _HALF)))
    elif kind == UNIFORM and is_alone:
        for lane in range(LANES):
            x = uniform(bits(np.uint32(first + lane), one, two))
            found[lane] = np.int64(np.int32(np.float32(np.float32(x * span) + _HALF)))
    else:
        for lane in range(LANES):
            u = uniform(bits(np.uint32(first + lane), one, two))
            u = u if is_alone else driven(draws, row, u, factors, lane)
            x = of_kind(draws, row, kind, mode, u)
            found[lane] = np.int64(np.int32(np.float32(np.float32(x * span) + _HALF)))
    for lane in range(LANES):
        found[lane] = least + (found[lane] << shift)


@njit_bare
def driven(draws: Draws, row: int, u: np.float32, factors: Floats, lane: int) -> np.float32:
    """The u of a draw that goes along with drivers: of the weighted sum of normals (a Gaussian copula)."""
    z = np.float32(draws.real[row, OWN] * from_table(draws.tables[0], u))
    for load in range(draws.whole[row, LOAD_FIRST], draws.whole[row, LOAD_LAST]):
        z = np.float32(z + np.float32(draws.load_weight[load] * factors[draws.load_factor[load], lane]))
    return chance_below(draws.phi, z)


@njit_bare
def of_kind(draws: Draws, row: int, kind: int, mode: np.float32, u: np.float32) -> np.float32:
    """x of u."""
    x = u
    if kind == TRIANGULAR:
        is_low = u < mode
        root = np.sqrt(u * mode if is_low else np.float32(_ONE - u) * np.float32(_ONE - mode))
        x = root if is_low else np.float32(_ONE - root)
    elif kind == TABLE:
        x = from_table(draws.tables[draws.whole[row, TABLE_AT]], u)
    elif kind != UNIFORM:
        x = np.float32(0)
    return x
