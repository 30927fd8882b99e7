"""How far a run was from its prediction, by kind of operation. It never says why.

The error of a span is |actual - predicted| / predicted, of durations; a span that was not predicted, or in no time, has
none, nor has one of which parts are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.model import TaskId
from engine.trace.timeline import Timeline

Kind = tuple[str, str]
"""Kind of an operation, and its kernel; that is empty for a copy."""


@dataclass(frozen=True, slots=True)
class KindError:
    """The errors of the spans of one kind and kernel, in percent; `count` spans were compared.

    `bias_pct` is the median of (actual - predicted) / predicted: above zero where spans took longer than predicted.
    """

    kind: str
    kernel: str
    count: int
    median_pct: float
    p90_pct: float
    bias_pct: float


def errors_by_kind(actual: Timeline, predicted: Timeline, kinds: Mapping[TaskId, Kind]) -> tuple[KindError, ...]:
    """The errors of all spans that both timelines hold, ordered by kind and kernel."""
    found: dict[Kind, list[float]] = {}
    rows = predicted.rows_of(actual.task, actual.iteration)
    took = actual.end_ns - actual.start_ns
    expected = (predicted.end_ns - predicted.start_ns)[rows] if predicted.count else np.zeros_like(took)
    compared = np.flatnonzero((rows >= 0) & (expected > 0) & actual.is_done) if predicted.count else ()
    for row in compared:
        kind = kinds.get(int(actual.task[row]))
        if kind is not None:
            found.setdefault(kind, []).append((int(took[row]) - int(expected[row])) / int(expected[row]))
    return tuple(_summary(kind, np.array(errors)) for kind, errors in sorted(found.items()))


def _summary(kind: Kind, errors: np.ndarray[tuple[int], np.dtype[np.float64]]) -> KindError:
    sizes = np.abs(errors)
    median, p90, bias = np.median(sizes), np.quantile(sizes, 0.9), np.median(errors)
    return KindError(*kind, len(errors), *(100 * float(figure) for figure in (median, p90, bias)))
