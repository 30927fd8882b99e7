"""The largest unit of time that every number of a problem is whole multiples of. It never rounds."""

from __future__ import annotations

import numpy as np

from engine.optimize.problem import NEVER, NONE, Problem


def unit_of(problem: Problem) -> int:
    """Ticks; with operations, links and calendars that have nothing but whole units, dates have nothing else either."""
    instants = [
        problem.release,
        problem.due[problem.due < NEVER],
        problem.pinned_start[problem.pinned_start != NONE],
        problem.current_start[problem.current_start != NONE],
        problem.segment_start,
        problem.segment_finish,
        problem.step_from,
        problem.step_until,
    ]
    lengths = [problem.duration, problem.link_lag, problem.transport.ravel(), problem.changeover.ravel()]
    every = np.concatenate([*(array - problem.start for array in instants), *lengths])
    return max(1, int(np.gcd.reduce(np.abs(every)))) if len(every) else 1
