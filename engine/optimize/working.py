"""Working time in compiled functions: instants and work of a calendar. Imported late, since this module loads numba.

It never lacks an answer: past the last segment of a calendar dates go on as if there were work, and measure.py counts
that as a violation. A calendar is its range `low` .. `high` of segments; an empty range works always.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.tables import LEVEL, SINCE, UNTIL, Column, Tables

_NO_BOUND = -(1 << 60)


@njit_bare
def range_of(tables: Tables, calendar: int) -> tuple[int, int]:
    """The range `low` .. `high` of a calendar; an empty one where it is -1, none."""
    if calendar < 0:
        return 0, 0
    return tables.first_segment[calendar], tables.first_segment[calendar + 1]


@njit_bare
def segment_at(segments: Column, low: int, high: int, instant: int) -> int:
    """The last segment that begins by `instant`, else low - 1."""
    before = low - 1
    while high - before > 1:
        middle = (before + high) // 2
        if segments[middle, SINCE] <= instant:
            before = middle
        else:
            high = middle
    return before


@njit_bare
def work_by(segments: Column, low: int, high: int, instant: int) -> int:
    """Ticks of work done before an instant."""
    if low == high:
        return instant
    at = segment_at(segments, low, high, instant)
    if at < low:
        return 0
    since, until = segments[at, SINCE], segments[at, UNTIL]
    if at < high - 1:
        instant = min(instant, until)
    found: int = segments[at, LEVEL] + instant - since
    return found


@njit_bare
def earliest_with(segments: Column, low: int, high: int, work: int) -> int:
    """The first instant by which so much work, more than none, is done: a finish."""
    if low == high:
        return work
    before = low  # the last segment with less work before it
    after = high
    while after - before > 1:
        middle = (before + after) // 2
        if segments[middle, LEVEL] < work:
            before = middle
        else:
            after = middle
    found: int = segments[before, SINCE] + work - segments[before, LEVEL]
    return found


@njit_bare
def latest_with(segments: Column, low: int, high: int, work: int) -> int:
    """The last instant by which no more work, perhaps none, is done: a start."""
    if low == high:
        return work
    before = low  # the last segment with no more work before it
    after = high
    while after - before > 1:
        middle = (before + after) // 2
        if segments[middle, LEVEL] <= work:
            before = middle
        else:
            after = middle
    found: int = segments[before, SINCE] + work - segments[before, LEVEL]
    return found


@njit_bare
def next_work(segments: Column, low: int, high: int, instant: int) -> int:
    """The first instant from `instant` on at which there is work."""
    if low == high:
        return instant
    at = segment_at(segments, low, high, instant)
    if at >= low and (instant < segments[at, UNTIL] or at == high - 1):
        return instant
    found: int = segments[at + 1, SINCE]
    return found


@njit_bare
def next_whole(segments: Column, low: int, high: int, instant: int, work: int) -> int:
    """The first instant from `instant` on at which so much work goes into one segment."""
    if low == high:
        return instant
    at = segment_at(segments, low, high, instant)
    at = max(at, low)
    start: int = max(instant, segments[at, SINCE])
    while start + work > segments[at, UNTIL]:
        at += 1
        if at == high:
            break  # past the last one
        start = segments[at, SINCE]
    return start if at < high else max(start, segments[high - 1, UNTIL])


@njit_bare
def finish_of(segments: Column, low: int, high: int, start: int, work: int) -> int:
    """When work that begins at `start` is done; at once where there is none."""
    if work == 0 or low == high:
        return start + work
    return earliest_with(segments, low, high, work_by(segments, low, high, start) + work)


@njit_bare
def start_by(segments: Column, low: int, high: int, finish: int, work: int) -> int:
    """The first start whose finish is not before `finish`, for work that may pause."""
    if work == 0 or low == high:
        return finish - work
    needed = work_by(segments, low, high, finish - 1) + 1 - work
    return earliest_with(segments, low, high, needed) if needed > 0 else _NO_BOUND


@njit_bare
def shifted(segments: Column, low: int, high: int, anchor: int, lag: int) -> int:
    """The instant of a minimum lag: a finish of the lag where it is positive, a start where it is negative."""
    if lag == 0 or low == high:
        return anchor + lag
    work = work_by(segments, low, high, anchor) + lag
    if work < 0:  # before the calendar begins, where lags pass as if there were work
        found: int = min(anchor, segments[low, SINCE]) + work
        return found
    return earliest_with(segments, low, high, work) if lag > 0 else latest_with(segments, low, high, work)


@njit_bare
def finish_by(segments: Column, low: int, high: int, instant: int) -> int:
    """The last instant at or before this one at which work could end; the instant itself where none was done before."""
    if low == high:
        return instant
    work = work_by(segments, low, high, instant)
    return earliest_with(segments, low, high, work) if work > 0 else instant


@njit_bare
def limit_of(segments: Column, low: int, high: int, anchor: int, lag: int) -> int:
    """The last instant that is no more than a maximum lag after `anchor`."""
    if low == high:
        return anchor + lag
    work = work_by(segments, low, high, anchor) + lag
    if work < 0:
        found: int = min(anchor, segments[low, SINCE]) + work
        return found
    return latest_with(segments, low, high, work)


@njit_bare
def anchor_for(segments: Column, low: int, high: int, instant: int, lag: int) -> int:
    """The first anchor of which `instant` is no more than a maximum lag away."""
    if low == high:
        return instant - lag
    needed = work_by(segments, low, high, instant) - lag
    return earliest_with(segments, low, high, needed) if needed > 0 else _NO_BOUND
