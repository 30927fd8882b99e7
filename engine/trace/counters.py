"""Counter samples of a run: what a figure of the machine was over a stretch of time. They never sample anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

# Of a longer run neighbors become one: so much is always enough for a screen.
MOST_SAMPLES = 4096


class Sample(NamedTuple):
    """A counter's value over [start_ns, end_ns) of the run: a mean where the counter is one, else what held there."""

    counter: str
    start_ns: int
    end_ns: int
    value: float


@dataclass(frozen=True, slots=True)
class Track:
    """All samples of one counter in the order of their starts; they do not overlap."""

    name: str
    unit: str
    samples: tuple[Sample, ...]

    @property
    def last(self) -> float | None:
        """The latest value, None where there is none."""
        return self.samples[-1].value if self.samples else None

    @property
    def top(self) -> float:
        """What the row's height stands for: 100 of a share, else the largest value."""
        return 100.0 if self.unit == "%" else max((sample.value for sample in self.samples), default=0.0)

    def between(self, start_ns: int, end_ns: int) -> list[Sample]:
        """The samples that touch [start_ns, end_ns)."""
        return [sample for sample in self.samples if sample.end_ns > start_ns and sample.start_ns < end_ns]


class Counters:
    """The tracks of one run, in bounded memory. `units` names each counter that the machine has, in order of rows."""

    def __init__(self, units: Iterable[tuple[str, str]] = ()) -> None:
        self.units: dict[str, str] = dict(units)
        self._samples: dict[str, list[Sample]] = {name: [] for name in self.units}
        self._tracks: tuple[Track, ...] | None = None

    def announce(self, units: Iterable[tuple[str, str]]) -> None:
        """Counters that the machine has; they have a row before their first sample."""
        for name, unit in units:
            self.units.setdefault(name, unit)
            self._samples.setdefault(name, [])
        self._tracks = None

    def add(self, samples: Iterable[Sample]) -> None:
        """More samples, each after those of its counter; one that reaches back is cut, one of no length left out."""
        for sample in samples:
            mine = self._samples.get(sample.counter)
            if mine is None:
                continue
            start = max(sample.start_ns, mine[-1].end_ns if mine else 0)
            if start < sample.end_ns:
                mine.append(sample._replace(start_ns=start))
            if len(mine) > MOST_SAMPLES:
                mine[:] = _thinned(mine)
        self._tracks = None

    @property
    def tracks(self) -> tuple[Track, ...]:
        """One a counter, also of those that have no sample."""
        if self._tracks is None:
            self._tracks = tuple(Track(name, unit, tuple(self._samples[name])) for name, unit in self.units.items())
        return self._tracks


def _thinned(samples: list[Sample]) -> list[Sample]:
    """Two neighbors become one: the mean by time. What lay between them counts as theirs."""
    found: list[Sample] = []
    for one, other in zip(samples[::2], samples[1::2], strict=False):
        long, more = one.end_ns - one.start_ns, other.end_ns - other.start_ns
        value = (one.value * long + other.value * more) / (long + more)
        found.append(Sample(one.counter, one.start_ns, other.end_ns, value))
    return found + samples[len(samples) // 2 * 2 :]
