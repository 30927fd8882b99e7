"""How long tasks take, compiled: the twin of plain_tasks.py and of WorkingTime. Imported late, since it loads numba.

It never states a rule of its own: each function is the twin of the method of the same name. `table` is the array of
clock_tables.py; a `job` is what a node asks for: (clock, length, what remains of it, place of its parts or 0).
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.schedule.clock_tables import (
    FIRST,
    LAST,
    ORIGIN,
    ROW,
    TIME_BITS,
    TIME_FIRST,
    TIME_LAST,
    WORK_BITS,
    WORK_FIRST,
    WORK_LAST,
)
from engine.schedule.columns import NEVER, NONE, Column

WHOLE, REST = 1, 2  # of a job: all of it, or what remains

Job = tuple[int, int, int, int]


@njit_bare
def work_before(table: Column, clock: int, instant: int) -> int:
    """Work from the beginning of a clock to an instant."""
    row = ROW * clock
    origin = table[row + ORIGIN]
    if instant <= origin:
        return 0
    bucket = min(table[row + TIME_FIRST] + ((instant - origin) >> table[row + TIME_BITS]), table[row + TIME_LAST])
    at, last = table[bucket], table[row + LAST]
    while at < last and table[at + 3] <= instant:
        at += 3
    return int(table[at + 2] + min(instant, table[at + 1]) - table[at])


@njit_bare
def start_at(table: Column, clock: int, done: int) -> int:
    """The later name of the instant before which so much was done."""
    row = ROW * clock
    done = max(done, 0)
    at = table[min(table[row + WORK_FIRST] + (done >> table[row + WORK_BITS]), table[row + WORK_LAST])]
    last = table[row + LAST]
    while at < last and table[at + 5] <= done:
        at += 3
    return int(min(table[at] + done - table[at + 2], table[at + 1]))


@njit_bare
def finish_at(table: Column, clock: int, done: int) -> int:
    """The earlier name of the instant before which so much was done."""
    row = ROW * clock
    if done <= 0:
        return int(table[table[row + FIRST]])
    at = table[min(table[row + WORK_FIRST] + ((done - 1) >> table[row + WORK_BITS]), table[row + WORK_LAST])]
    last = table[row + LAST]
    while at < last and table[at + 5] < done:
        at += 3
    return int(min(table[at] + done - table[at + 2], table[at + 1]))


@njit_bare
def between(table: Column, clock: int, first: int, second: int) -> int:
    """Signed work from one instant to another."""
    return work_before(table, clock, second) - work_before(table, clock, first)


@njit_bare
def shift(table: Column, clock: int, instant: int, work: int) -> int:
    """The instant so much work later."""
    if work == 0:
        return instant
    done = work_before(table, clock, instant) + work
    return finish_at(table, clock, done) if work > 0 else start_at(table, clock, done)


@njit_bare
def shift_back(table: Column, clock: int, instant: int, lag: int) -> int:
    """The last instant from which a lag leads to this one."""
    if lag == 0:
        return instant
    return start_at(table, clock, work_before(table, clock, instant) - lag)


@njit_bare
def next_start(table: Column, job: Job, instant: int) -> int:
    """The first instant at which anybody works on it."""
    if job[3] == 0:
        return start_at(table, job[0], work_before(table, job[0], instant))
    best = NEVER
    for part in range(table[job[3]]):
        clock = table[job[3] + 1 + 3 * part]
        best = min(best, start_at(table, clock, work_before(table, clock, instant)))
    return best


@njit_bare
def previous_finish(table: Column, job: Job, instant: int) -> int:
    """The last instant at which anybody could end working on it."""
    if job[3] == 0:
        return finish_at(table, job[0], work_before(table, job[0], instant))
    best = NONE
    for part in range(table[job[3]]):
        clock = table[job[3] + 1 + 3 * part]
        best = max(best, finish_at(table, clock, work_before(table, clock, instant)))
    return best


@njit_bare
def finish_of(table: Column, job: Job, start: int, of: int) -> int:
    """When it, or what remains of it, is done, begun at `start`."""
    if job[3] == 0:
        return shift(table, job[0], start, job[of])
    best = NONE
    for part in range(table[job[3]]):
        at = job[3] + 1 + 3 * part
        best = max(best, shift(table, table[at], start, table[at + of]))
    return best


@njit_bare
def start_of(table: Column, job: Job, finish: int, of: int) -> int:
    """When it, or what remains of it, must begin to be done by `finish`."""
    if job[3] == 0:
        return shift(table, job[0], finish, -job[of])
    best = NEVER
    for part in range(table[job[3]]):
        at = job[3] + 1 + 3 * part
        best = min(best, shift(table, table[at], finish, -table[at + of]))
    return best


@njit_bare
def place(table: Column, job: Job, starts_after: int, ends_after: int) -> tuple[int, int]:
    """The earliest start and finish with start >= starts_after and finish >= ends_after."""
    clock, length = job[0], job[1]
    if length == 0:
        at = max(starts_after, ends_after)
        done = work_before(table, clock, at)
        if at not in (finish_at(table, clock, done), start_at(table, clock, done)):
            at = start_at(table, clock, done)
        return at, at
    if ends_after == NONE and job[3] == 0:
        done = work_before(table, clock, starts_after)
        return start_at(table, clock, done), finish_at(table, clock, done + length)
    start = next_start(table, job, starts_after)
    if ends_after != NONE:
        start = max(start, start_of(table, job, ends_after, WHOLE))
    return start, finish_of(table, job, start, WHOLE)


@njit_bare
def place_late(table: Column, job: Job, starts_by: int, ends_by: int) -> tuple[int, int]:
    """The latest start of what remains, and its finish, with start <= starts_by and finish <= ends_by."""
    clock, length = job[0], job[2]
    if length == 0:
        at = min(starts_by, ends_by)
        done = work_before(table, clock, at)
        if at not in (finish_at(table, clock, done), start_at(table, clock, done)):
            at = finish_at(table, clock, done)
        return at, at
    if starts_by == NEVER and job[3] == 0:
        done = max(work_before(table, clock, ends_by) - length, 0)
        return start_at(table, clock, done), finish_at(table, clock, done + length)
    start = start_of(table, job, previous_finish(table, job, ends_by), REST)
    if starts_by != NEVER:
        latest = next_start(table, job, starts_by)
        if latest != starts_by:
            latest = previous_finish(table, job, starts_by)
        start = min(start, latest)
    return start, finish_of(table, job, start, REST)
