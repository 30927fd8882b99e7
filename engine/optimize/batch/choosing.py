"""Where a problem's batches are decoded fastest, found by trying. It never guesses, and has no clock of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

_LEAST_NS = 10_000_000  # what a trial has to take before its rate says anything
_FIRST = 32


@dataclass(frozen=True, slots=True)
class Rate:
    """Candidates a second, and how many at once gave that: no more are worth waiting for."""

    per_second: float
    size: int


def rate_of(decode: Callable[[int], object], most: int, clock: Callable[[], int]) -> Rate:
    """How many candidates a second, with ever more at once until a trial takes 10 ms or `most` is reached.

    `decode` works on as many candidates as it is told; `clock` gives nanoseconds. What the first call compiles is not
    counted.
    """
    decode(1)
    size, best = min(_FIRST, most), Rate(0.0, 1)
    while True:
        began = clock()
        decode(size)
        took_ns = max(1, clock() - began)
        if size * 1e9 / took_ns > best.per_second:
            best = Rate(size * 1e9 / took_ns, size)
        if took_ns >= _LEAST_NS or size >= most:
            return best
        size = min(2 * size, most)


def fastest(ways: Mapping[str, Callable[[int], object]], most: int, clock: Callable[[], int]) -> tuple[str, Rate]:
    """The way, by name, that decodes the most candidates a second; the first of equals."""
    rates = {name: rate_of(decode, most, clock) for name, decode in ways.items()}
    name = max(rates, key=lambda each: rates[each].per_second)
    return name, rates[name]
