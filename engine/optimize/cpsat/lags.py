"""How long lags in working time last at the most, and how much sooner in a break a finish may be.

What the exact solver is told must never be too strong: it knows no breaks within a lag.
"""

from __future__ import annotations

from engine.optimize.problem import NONE, LinkKind, Problem
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


def longest_break(problem: Problem, link: int) -> int:
    """Ticks by which a link's finish may be before what the link asks: no work is done in between."""
    kind, after = int(problem.link_kind[link]), int(problem.link_to[link])
    if kind not in (LinkKind.FF, LinkKind.SF):
        return 0
    found = 0
    for mode in range(int(problem.first_mode[after]), int(problem.first_mode[after + 1])):
        calendar = int(problem.mode_calendar[mode])
        if calendar == NONE or not problem.duration[mode] or _ends_work(problem, link, calendar):
            continue
        own = slice(int(problem.first_segment[calendar]), int(problem.first_segment[calendar + 1]))
        breaks = problem.segment_start[own][1:] - problem.segment_finish[own][:-1]
        found = max(found, int(breaks.max(initial=0)))
    return found


def _ends_work(problem: Problem, link: int, calendar: int) -> bool:
    """Whether what the link asks is always an instant at which work of a calendar ends."""
    if problem.link_lag[link]:
        return bool(problem.link_lag[link] > 0 and problem.link_calendar[link] == calendar)
    before = int(problem.link_from[link])
    modes = slice(int(problem.first_mode[before]), int(problem.first_mode[before + 1]))
    is_worked = (problem.mode_calendar[modes] == calendar) & (problem.duration[modes] > 0)
    return int(problem.link_kind[link]) == LinkKind.FF and bool(is_worked.all())
