"""Ticks of a device plan's axis: steps of 1, 2 and 5 in nanoseconds to seconds, and instants in words.

It never knows where on the window they stand.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

_LABEL_PX = 72.0
_MARK_PX = 7.0
# How many steps of the lower tier one step of the middle one is, by the lower step's first figure.
_UPPER = {1: 5, 2: 5, 5: 4}
_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))
_GROUP = "\u202f"
_MINUS = "\u2212"
# From this many of its unit on, a label takes the next larger one.
_MOST_IN_UNIT = 10_000
# A lower label that would need more figures after its point counts from the middle one instead.
_MOST_DECIMALS = 3

Unit: TypeAlias = tuple[int, str]
Tier: TypeAlias = tuple[tuple[int, str], ...]


def tiers(start: int, end: int, ticks_per_px: float) -> tuple[Tier, Tier, Tier]:
    """Upper, middle and lower tier over start to end.

    The upper counts whole units larger than the middle's: its label names the time to the next. Labels of the others
    are instants; a lower one may say "+3 µs" after the middle one.
    """
    step = _step(_LABEL_PX * ticks_per_px)
    middle_step = step * _UPPER[int(str(step)[0])]
    farthest = max(abs(start), abs(end))
    unit = _unit(middle_step, farthest)
    middle = tuple((tick, _label(tick, middle_step, unit)) for tick in _multiples(start, end, middle_step))
    return _upper_tier(start, end, middle_step), middle, _lower_tier(start, end, step, middle_step)


def _upper_tier(start: int, end: int, middle_step: int) -> Tier:
    whole = next((size for size, _ in reversed(_UNITS) if size > middle_step), middle_step * 10)
    unit = _unit(whole, max(abs(start), abs(end)))
    # Before the run began there is nothing to name.
    return tuple((tick, _label(tick, whole, unit) if tick >= 0 else "") for tick in _multiples(start, end, whole))


def _lower_tier(start: int, end: int, step: int, middle_step: int) -> Tier:
    unit = _unit(step, max(abs(start), abs(end)))
    is_relative = _decimals(step, unit) > _MOST_DECIMALS
    lower = []
    for tick in _multiples(start, end, step):
        past = tick % middle_step
        label = f"+{_label(past, step, _unit(step, past))}" if is_relative else _label(tick, step, unit)
        lower.append((tick, label if past else ""))
    return tuple(lower)


def marks(start: int, end: int, ticks_per_px: float) -> tuple[int, ...]:
    """The smallest visible ticks over start to end."""
    return tuple(_multiples(start, end, _mark_step(ticks_per_px)))


def snapped(tick: int, ticks_per_px: float) -> int:
    """The mark nearest to an instant."""
    step = _mark_step(ticks_per_px)
    return (2 * tick + step) // (2 * step) * step


def stepped(tick: int, steps: int, ticks_per_px: float) -> int:
    """The mark so many marks after an instant; before it, when negative."""
    step = _mark_step(ticks_per_px)
    first = tick // step if steps > 0 else -(-tick // step)
    return (first + steps) * step


def duration_text(ticks: int) -> str:
    """A duration to four figures at most, two of them after the point: "1.6 ms", "13.21 ms", "410 µs"."""
    return _rounded(ticks, 4, 2) if ticks else "0"


def instant_text(tick: int) -> str:
    """An instant as a time since the run began, to five figures at most: "4.1 ms", "20.412 s"."""
    return _rounded(tick, 5, 3) if tick else "0 ms"


def _rounded(ticks: int, figures: int, decimals: int) -> str:
    """So many figures, so many of them after the point; noughts at the end are left out."""
    least = 10 ** max(len(str(abs(ticks))) - figures, 0)
    ticks = (2 * ticks + least) // (2 * least) * least
    size, unit = next((u for u in _UNITS if abs(ticks) >= u[0]), _UNITS[-1])
    whole = f"{abs(ticks) / size:.{decimals}f}"
    whole, _, fraction = whole.partition(".")
    fraction = fraction.rstrip("0")
    sign = _MINUS if ticks < 0 else ""
    return f"{sign}{_grouped(int(whole))}{'.' if fraction else ''}{fraction} {unit}"


def _mark_step(ticks_per_px: float) -> int:
    return min(_step(_MARK_PX * ticks_per_px), _step(_LABEL_PX * ticks_per_px))


def _step(least: float) -> int:
    power = 1
    while True:
        for figure in (1, 2, 5):
            if figure * power >= least:
                return figure * power
        power *= 10


def _unit(step: int, farthest: int) -> Unit:
    """The step's own unit, or a larger one where its numbers would get long."""
    own = next(place for place in range(len(_UNITS) - 1, -1, -1) if place == 0 or step < _UNITS[place - 1][0])
    while own > 0 and farthest >= _MOST_IN_UNIT * _UNITS[own][0]:
        own -= 1
    return _UNITS[own]


def _decimals(step: int, unit: Unit) -> int:
    """How many figures after the point the marks of a step need in a unit."""
    return max(len(str(unit[0])) - len(str(step)), 0)


def _multiples(start: int, end: int, step: int) -> range:
    return range(start // step * step, end + 1, step)


@lru_cache(maxsize=8192)
def _label(tick: int, step: int, unit: Unit) -> str:
    size, name = unit
    decimals = _decimals(step, unit)
    whole, rest = divmod(abs(tick), size)
    fraction = f".{rest * 10**decimals // size:0{decimals}d}" if decimals else ""
    return f"{_MINUS if tick < 0 else ''}{_grouped(whole)}{fraction} {name}"


def _grouped(number: int) -> str:
    """12345678 as "12 345 678"; four figures stay together."""
    text = f"{number:,}" if abs(number) >= 10_000 else str(number)
    return text.replace(",", _GROUP).replace("-", _MINUS)
