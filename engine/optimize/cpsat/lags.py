"""How long a maximum lag in working time can last at the most, breaks included. It never says when that is so."""

from __future__ import annotations

from engine.optimize.problem import NONE, Problem
from engine.optimize.working import earliest_with, limit_of


def longest_span(problem: Problem, link: int) -> int:
    """Ticks, breaks included, that no maximum lag is longer than, wherever in the problem's time it begins."""
    calendar, lag = int(problem.link_calendar[link]), int(problem.link_lag[link])
    low, high = problem.first_segment[calendar : calendar + 2].tolist()
    if calendar == NONE or lag <= 0 or low == high:
        return lag
    pinned = problem.pinned_start[problem.pinned_start != NONE]
    first = min(problem.start, int(pinned.min(initial=problem.start)))
    # A lag is longest where it begins as work ends, or where it ends as work begins.
    table, works = problem.tables.segments, problem.segment_work[low:high].tolist()
    anchors = [first, *problem.segment_finish[low:high].tolist()]
    anchors += [int(earliest_with(table, low, high, work - lag)) for work in works if work > lag]
    found: int = max(int(limit_of(table, low, high, anchor, lag)) - anchor for anchor in anchors if anchor >= first)
    return found
