"""Serial schedule generation with everything mixed: each operation of a list at the first instant that breaks no rule.

It never measures what came out (measure.py does). Imported late, since this module loads numba.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.board import FAR, UNPLACED, Board, blocked_until, clear, put, row_place, set_up_by
from engine.optimize.links import floor_of_most, floors_of, is_over
from engine.optimize.tables import (
    BEGIN,
    BREAKABLE,
    CALENDAR,
    DURATION,
    FIRST_USE,
    FROM,
    MATRIX,
    MOST,
    PIN,
    RELEASE,
    RESOURCE,
    UNITS,
    Column,
    Tables,
)
from engine.optimize.working import finish_of, next_whole, next_work, start_by

_ROUNDS = 12  # tries to pull operations of a maximum lag together
_TRIES = 1 << 20  # a bound no placement comes near: each try passes a block of a resource


@njit_bare
def decode(tables: Tables, board: Board, mode: Column, order: Column) -> None:
    """Place every operation; board.starts and finishes hold the dates.

    A maximum lag that the first placement leaves too long lifts its predecessor, and all is placed again, up to twelve
    times; what is still too long then is a violation.
    """
    for operation in range(len(board.starts)):
        board.floors[0, operation] = UNPLACED
        board.floors[1, operation] = UNPLACED
    for _ in range(_ROUNDS):
        _place_all(tables, board, mode, order)
        if not _lift(tables, board):
            return


@njit_bare
def _place_all(tables: Tables, board: Board, mode: Column, order: Column) -> None:
    clear(tables, board)
    for operation in range(len(order)):
        if tables.operations[operation, PIN] >= 0:
            put(tables, board, operation, mode[operation], tables.operations[operation, PIN])
    for place in range(len(order)):
        operation = order[place]
        if tables.operations[operation, PIN] < 0:
            put(tables, board, operation, mode[operation], _first_start(tables, board, mode, operation))


@njit_bare
def _lift(tables: Tables, board: Board) -> bool:
    """Lift the floors of operations whose successors came too late after them; whether there was any."""
    is_lifted = False
    for link in range(len(tables.links)):
        before = tables.links[link, FROM]
        if tables.links[link, MOST] and tables.operations[before, PIN] < 0 and is_over(tables, board, link):
            side, floor = floor_of_most(tables, board, link)
            if floor > board.floors[side, before]:
                board.floors[side, before] = floor
                is_lifted = True
    return is_lifted


@njit_bare
def _first_start(tables: Tables, board: Board, mode: Column, operation: int) -> int:
    """The first start at which links, calendar, resources and changeovers let an operation go."""
    chosen = mode[operation]
    calendar, duration = tables.modes[chosen, CALENDAR], tables.modes[chosen, DURATION]
    low = tables.first_segment[calendar] if calendar >= 0 else 0
    high = tables.first_segment[calendar + 1] if calendar >= 0 else 0
    is_breakable = tables.operations[operation, BREAKABLE] != 0
    starts_after, ends_after = floors_of(tables, board, mode, operation)
    start: int = max(starts_after, tables.rules[BEGIN], tables.operations[operation, RELEASE])
    if is_breakable:
        start = max(start, start_by(tables.segments, low, high, ends_after, duration))
    else:
        start = max(start, ends_after - duration)
    if duration == 0:
        return start
    earliest = start
    for _ in range(_TRIES):
        if is_breakable:
            start = next_work(tables.segments, low, high, start)
        else:
            start = next_whole(tables.segments, low, high, start, duration)
        finish = finish_of(tables.segments, low, high, start, duration)
        later = _in_the_way(tables, board, operation, chosen, start, finish)
        if later == start:
            return start
        if later >= FAR:
            break
        start = later
    return earliest  # this mode can never be worked: the plan says so where it breaks a rule


@njit_bare
def _in_the_way(tables: Tables, board: Board, operation: int, mode: int, start: int, finish: int) -> int:
    """`start`, or a later one before which no start is free."""
    for use in range(tables.modes[mode, FIRST_USE], tables.modes[mode + 1, FIRST_USE]):
        resource, units = tables.uses[use, RESOURCE], tables.uses[use, UNITS]
        if units == 0:
            continue
        later = blocked_until(board, resource, units, start, finish)
        if later == start and tables.resources[resource, MATRIX] >= 0:
            later = _set_up(tables, board, resource, operation, start, finish)
        if later > start:
            return later
    return start


@njit_bare
def _set_up(tables: Tables, board: Board, resource: int, operation: int, start: int, finish: int) -> int:
    """The same for the changeovers of one machine: before the operation, and after it to the next one."""
    place, base = row_place(board, resource, start), board.row_base[resource]
    before = board.row[base + place - 1] if place > 0 else -1
    ready = set_up_by(tables, board, resource, before, operation)
    if ready > start:
        return ready
    if place < board.rows[resource]:
        after = board.row[base + place]
        board.finishes[operation] = finish  # asked as if it stood there
        ready = set_up_by(tables, board, resource, operation, after)
        board.finishes[operation] = UNPLACED
        if ready > board.starts[after]:
            found: int = max(start + 1, board.finishes[after])
            return found
    return start
