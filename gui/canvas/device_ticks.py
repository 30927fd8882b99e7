"""Ticks of a device plan's axis: steps of 1, 2 and 5 in nanoseconds to seconds, and instants in words.

It never knows where on the window they stand.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

_LABEL_PX = 72.0
_MARK_PX = 7.0
# How many steps of the lower tier one step of the upper is, by the lower step's first figure.
_UPPER = {1: 5, 2: 5, 5: 4}
_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))
_GROUP = "\u202f"
_MINUS = "\u2212"
# Above this many of its unit a lower label counts from the upper one instead.
_MOST_ABSOLUTE = 100_000

Tier: TypeAlias = tuple[tuple[int, str], ...]


def tiers(start: int, end: int, ticks_per_px: float) -> tuple[Tier, Tier]:
    """Upper and lower tier over start to end. Lower labels are instants too, or "+3 µs" after the upper one."""
    step = _step(_LABEL_PX * ticks_per_px)
    upper_step = step * _UPPER[int(str(step)[0])]
    upper = tuple((tick, _in_unit(tick, upper_step)) for tick in _multiples(start, end, upper_step))
    is_relative = max(abs(start), abs(end)) // _unit(step)[0] >= _MOST_ABSOLUTE
    lower = []
    for tick in _multiples(start, end, step):
        past = tick % upper_step
        label = _in_unit(past if is_relative else tick, step)
        lower.append((tick, "" if past == 0 else f"+{label}" if is_relative else label))
    return upper, tuple(lower)


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
    """A duration in the unit that leaves it shortest and exact to four figures: "1600 µs", "13.2 ms", "400 ns"."""
    if ticks == 0:
        return "0"
    size, unit = next((u for u in _UNITS if abs(ticks) >= 10 * u[0]), _UNITS[-1])
    if abs(ticks) >= 10_000 * size or ticks % size == 0:
        return f"{_grouped(round(ticks / size))} {unit}"
    return f"{ticks / size:.1f}".removesuffix(".0") + f" {unit}"


def instant_text(tick: int) -> str:
    """An instant as a time since the run began."""
    return duration_text(tick) if tick else "0 ms"


def _mark_step(ticks_per_px: float) -> int:
    return min(_step(_MARK_PX * ticks_per_px), _step(_LABEL_PX * ticks_per_px))


def _step(least: float) -> int:
    power = 1
    while True:
        for figure in (1, 2, 5):
            if figure * power >= least:
                return figure * power
        power *= 10


def _unit(step: int) -> tuple[int, str]:
    return next(u for u in _UNITS if step >= u[0])


def _multiples(start: int, end: int, step: int) -> range:
    return range(start // step * step, end + 1, step)


@lru_cache(maxsize=8192)
def _in_unit(tick: int, step: int) -> str:
    size, unit = _unit(step)
    return f"{_grouped(tick // size)} {unit}"


def _grouped(number: int) -> str:
    """12345678 as "12 345 678"; four figures stay together."""
    text = f"{number:,}" if abs(number) >= 10_000 else str(number)
    return text.replace(",", _GROUP).replace("-", _MINUS)
