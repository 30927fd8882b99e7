"""Draws of a block of samples, compiled. Imported late, since it loads numba.

It never keeps a state: each number is a hash of its key and the number of the sample, and plain.py and the CUDA source
give the same one. Steps of a hash are cast back to 32 bits at once: NumPy's rules would make them 64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
_NUMBERS = np.arange(LANES, dtype=np.uint32)  # of 32 bits: a loop over them takes vectors of one width
Flags = NDArray[np.uint8]
Least = np.signedinteger[Any]
Key = tuple[np.uint32, np.uint32, np.uint32]
"""The two halves of a draw's key, and the first sample of the block."""


class Dice(NamedTuple):
    """What draws of a block keep: a row of `factors` a driver's independent part. The rest is for the moment.

    `ends` are the two numbers of each `knot`: the same memory.
    """

    factors: Floats
    part: Floats
    knot: Column
    ends: Floats


def dice_of(factors: int) -> Dice:
    """Room for the draws of a block."""
    knot = np.zeros(LANES, dtype=np.int64)
    ends = knot.view(np.float32).reshape(LANES, 2)
    return Dice(np.zeros((factors, LANES), np.float32), np.zeros(LANES, np.float32), knot, ends)


_M1, _M2, _M3 = np.uint32(0xED5AD4BB), np.uint32(0xAC4C1B51), np.uint32(0x31848BAB)
_S17, _S11, _S15, _S14, _S9 = np.uint32(17), np.uint32(11), np.uint32(15), np.uint32(14), np.uint32(9)
_S8, _U1, _MOST_M = np.uint32(8), np.uint32(1), np.int32((1 << 23) - 1)
_HALF_STEP = np.float32(2.0**-24)
_ONE, _HALF = np.float32(1), np.float32(0.5)
_WIDE, _NARROW, _EDGE = np.float32(INTERVALS), np.float32(TAIL), np.float32(1 / INTERVALS)
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
    """0 < u < 1, one of 2^23, each in the middle of its share: exact, as a number of 24 bits."""
    return np.float32(np.float32(np.int32(np.uint32(mixed >> _S8) | _U1)) * _HALF_STEP)


@inlined
def place_of(mixed: np.uint32) -> tuple[np.int32, np.float32]:
    """The knot below u in a table, and the part of the way to the next: as from_table finds them, in whole numbers."""
    m = np.int32(np.uint32(mixed >> _S9))
    whole = np.int32(m >> 15)
    low, high = np.int32(whole == 0), np.int32(whole == INTERVALS - 1)
    is_edge = np.int32(-(low | high))  # all bits, or none
    k = np.int32(m ^ np.int32(np.int32(-high) & _MOST_M))  # counted from the end where that is near
    at = np.int32(whole + np.int32(is_edge & np.int32(np.int32(k >> 7) - whole)))
    near, far = np.int32((k & 127) * 512 + 256), np.int32((m & 32767) * 2 + 1)
    part = np.int32(far + np.int32(is_edge & np.int32(near - far)))
    knot = np.int32(at + (INTERVALS + 1) * low + 2 * (INTERVALS + 1) * high)
    return knot, np.float32(np.float32(part) / _NARROW)


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


@inlined
def draw_lanes(draws: Draws, row: int, first: int, dice: Dice, found: Column) -> None:
    """One draw of each sample of a block, in ticks. What it calls takes few arrays: a call with all costs as much."""
    whole, span, mode = draws.whole[row], draws.real[row, SPAN], draws.real[row, MODE]
    kind, shift = whole[KIND], whole[SHIFT]
    key = np.uint32(whole[KEY_1]), np.uint32(whole[KEY_2]), np.uint32(first)
    least = found.dtype.type(0 if shift else whole[LEAST])
    if whole[LOAD_FIRST] != whole[LOAD_LAST]:
        draw_driven(draws, row, first, dice, least, found)
    elif kind == TRIANGULAR:
        draw_triangular(key, span, mode, least, found)
    elif kind == TABLE:
        draw_table(key, span, draws.pairs[whole[TABLE_AT]], dice, least, found)
    elif kind == UNIFORM:
        draw_uniform(key, span, least, found)
    else:
        found[:] = least
    if shift:
        for lane in range(LANES):
            found[lane] = whole[LEAST] + (np.int64(found[lane]) << shift)


@njit_bare
def draw_triangular(key: Key, span: np.float32, mode: np.float32, least: Least, found: Column) -> None:
    """`least` and the steps above it."""
    one, two, begin = key
    rest = np.float32(_ONE - mode)
    for lane in range(LANES):
        u = uniform(bits(np.uint32(begin + _NUMBERS[lane]), one, two))
        is_low = u < mode
        root = np.sqrt(np.float32((u if is_low else np.float32(_ONE - u)) * (mode if is_low else rest)))
        found[lane] = least + steps_of(root if is_low else np.float32(_ONE - root), span)


@njit_bare
def draw_uniform(key: Key, span: np.float32, least: Least, found: Column) -> None:
    """`least` and the steps above it."""
    one, two, begin = key
    for lane in range(LANES):
        found[lane] = least + steps_of(uniform(bits(np.uint32(begin + _NUMBERS[lane]), one, two)), span)


@njit_bare
def draw_table(key: Key, span: np.float32, knots: Column, dice: Dice, least: Least, found: Column) -> None:
    """`least` and steps above it: places of all samples, then their knots, which no vector looks up, then the rest."""
    look_up(key, knots, dice, found)
    for lane in range(LANES):
        found[lane] = least + steps_of(between(dice, lane), span)


@njit_bare
def draw_driven(draws: Draws, row: int, first: int, dice: Dice, least: Least, found: Column) -> None:
    """`least` and the steps above it of a draw that goes along with drivers: u of the weighted sum of normals."""
    key = np.uint32(draws.whole[row, KEY_1]), np.uint32(draws.whole[row, KEY_2]), np.uint32(first)
    kind, span, mode, own = draws.whole[row, KIND], draws.real[row, SPAN], draws.real[row, MODE], draws.real[row, OWN]
    look_up(key, draws.pairs[0], dice, found)
    u = dice.part
    for lane in range(LANES):
        u[lane] = np.float32(own * between(dice, lane))
    for load in range(draws.whole[row, LOAD_FIRST], draws.whole[row, LOAD_LAST]):
        weight, factor = draws.load_weight[load], dice.factors[draws.load_factor[load]]
        for lane in range(LANES):
            u[lane] = np.float32(u[lane] + np.float32(weight * factor[lane]))
    chances_below(draws.phi_pairs, dice, found)
    if kind == TABLE:
        look_up_u(draws.pairs[draws.whole[row, TABLE_AT]], dice, found)
        for lane in range(LANES):
            u[lane] = between(dice, lane)
    elif kind == TRIANGULAR:
        rest = np.float32(_ONE - mode)
        for lane in range(LANES):
            is_low = u[lane] < mode
            root = np.sqrt(np.float32((u[lane] if is_low else np.float32(_ONE - u[lane])) * (mode if is_low else rest)))
            u[lane] = root if is_low else np.float32(_ONE - root)
    elif kind != UNIFORM:
        u[:] = 0
    for lane in range(LANES):
        found[lane] = least + steps_of(u[lane], span)


@inlined
def between(dice: Dice, lane: int) -> np.float32:
    """What a table has where a sample looked, linear between knots."""
    return np.float32(dice.ends[lane, 0] + np.float32(dice.ends[lane, 1] * dice.part[lane]))


@inlined
def look_up(key: Key, knots: Column, dice: Dice, found: Column) -> None:
    """Finds u of each sample in a table; `found` is for the moment."""
    one, two, begin = key
    for lane in range(LANES):
        knot, part = place_of(bits(np.uint32(begin + _NUMBERS[lane]), one, two))
        dice.part[lane] = part
        found[lane] = knot
    for lane in range(LANES):
        dice.knot[lane] = knots[np.uint32(found[lane])]


@inlined
def look_up_u(knots: Column, dice: Dice, found: Column) -> None:
    """As look_up, for any u, which stand in the place of parts."""
    for lane in range(LANES):
        u = dice.part[lane]
        low, high = u < _EDGE, u >= np.float32(_ONE - _EDGE)
        place = np.float32((np.float32(_ONE - u) if high else u) * (_NARROW if low | high else _WIDE))
        at = min(np.int32(place), np.int32(INTERVALS - 1))
        dice.part[lane] = np.float32(place - np.float32(at))
        found[lane] = at + (INTERVALS + 1) * np.int32(low) + 2 * (INTERVALS + 1) * np.int32(high)
    for lane in range(LANES):
        dice.knot[lane] = knots[np.uint32(found[lane])]


@inlined
def chances_below(phi: Column, dice: Dice, found: Column) -> None:
    """The chance that a standard normal is below each z, which stand in the place of parts, as the u do then."""
    for lane in range(LANES):
        place = max(np.float32(np.float32(dice.part[lane] + _REACH) * _STEPS), np.float32(0))
        at = min(np.int32(place), np.int32(_LAST_PLACE))
        dice.part[lane] = min(np.float32(place - np.float32(at)), _ONE)
        found[lane] = at
    for lane in range(LANES):
        dice.knot[lane] = phi[np.uint32(found[lane])]
    for lane in range(LANES):
        dice.part[lane] = min(max(between(dice, lane), _LEAST_U), _MOST_U)


@inlined
def steps_of(x: np.float32, span: np.float32) -> np.int32:
    """The nearest whole number of steps."""
    return np.int32(np.float32(np.float32(x * span) + _HALF))
