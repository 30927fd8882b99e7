"""Serial schedule generation with everything mixed: each operation of a list at the first instant that breaks no rule.

It never measures what came out (measure.py does). Imported late, since this module loads numba.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.board import FAR, UNPLACED, Board, blocked_until, clear, put, row_place, set_up_by, take_off
from engine.optimize.lifting import lift, start_for, tie
from engine.optimize.links import floors_of
from engine.optimize.tables import (
    BEGIN,
    BREAKABLE,
    CALENDAR,
    DURATION,
    FIRST_USE,
    MATRIX,
    PIN,
    RELEASE,
    RESOURCE,
    UNITS,
    Column,
    Tables,
)
from engine.optimize.working import finish_of, next_whole, next_work, range_of

# Placements of each operation, on average, until an order is given up that a maximum lag forbids; of large problems
# fewer: a search is asked to stop between decodes.
_PATIENCE, _MOST = 24, 20_000
_TRIES = 1 << 20  # a bound no placement comes near: each try passes a block of a resource


@njit_bare
def decode(tables: Tables, board: Board, mode: Column, order: Column) -> None:
    """Place every operation; board.starts and finishes hold the dates.

    An operation that comes too late for a maximum lag lifts what it follows, and placing goes on from there (Franck,
    Neumann and Schwindt 2001). Where that comes to no end in this order, all that maximum lags tie together is placed
    at once; where that does not either, lags are left too long, which is a violation.
    """
    patience = min(_PATIENCE * len(order), _MOST + 2 * len(order))
    if not _place_all(tables, board, mode, order, patience, False):
        tie(tables, board, order)
        if not _place_all(tables, board, mode, board.tied, patience, False):
            _place_all(tables, board, mode, order, FAR, True)


@njit_bare
def _place_all(tables: Tables, board: Board, mode: Column, order: Column, patience: int, once: bool) -> bool:
    """Place every operation; False where that takes more placements. `once`: each is lifted once alone, then stays."""
    _begin(tables, board, mode, order)
    place, left = 0, patience
    while place < len(order):
        operation = order[place]
        if tables.operations[operation, PIN] < 0:
            put(tables, board, operation, mode[operation], _first_start(tables, board, mode, operation))
            left -= 1
            back = lift(tables, board, mode, operation, once)
            if back < FAR and left <= 0:
                return False
            while place >= back:
                if tables.operations[order[place], PIN] < 0:
                    take_off(tables, board, order[place], mode[order[place]])
                place -= 1
        place += 1
    return True


@njit_bare
def _begin(tables: Tables, board: Board, mode: Column, order: Column) -> None:
    """An empty board but for what is pinned."""
    clear(tables, board)
    for place in range(len(order)):
        operation = order[place]
        board.spot[operation] = place
        board.floors[0, operation] = UNPLACED
        board.floors[1, operation] = UNPLACED
        if tables.operations[operation, PIN] >= 0:
            put(tables, board, operation, mode[operation], tables.operations[operation, PIN])


@njit_bare
def _first_start(tables: Tables, board: Board, mode: Column, operation: int) -> int:
    """The first start at which links, calendar, resources and changeovers let an operation go."""
    chosen = mode[operation]
    calendar, duration = tables.modes[chosen, CALENDAR], tables.modes[chosen, DURATION]
    low, high = range_of(tables, calendar)
    is_breakable = tables.operations[operation, BREAKABLE] != 0
    starts_after, ends_after = floors_of(tables, board, mode, operation)
    start: int = max(starts_after, tables.rules[BEGIN], tables.operations[operation, RELEASE])
    start = max(start, start_for(tables, chosen, is_breakable, ends_after))
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
