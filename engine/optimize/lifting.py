"""What maximum lags ask of operations that were placed too early for what follows them. Loads numba.

It never places anything: it raises floors, and says from where in the list placing is to go on.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.board import FAR, UNPLACED, Board
from engine.optimize.links import FF, SF, SS, floor_of_most, is_over
from engine.optimize.tables import (
    BREAKABLE,
    CALENDAR,
    DURATION,
    FIRST_IN,
    FROM,
    HORIZON,
    KIND,
    LAG,
    LAG_CALENDAR,
    MOST,
    PIN,
    Column,
    Tables,
)
from engine.optimize.working import anchor_for, finish_of, range_of, start_by


@njit_bare
def start_for(tables: Tables, mode: int, is_breakable: bool, finish: int) -> int:
    """The first start whose finish is not before `finish`; at the latest that, for what may not pause."""
    calendar, duration = tables.modes[mode, CALENDAR], tables.modes[mode, DURATION]
    if not is_breakable or calendar < 0:
        found: int = finish - duration
        return found
    low, high = range_of(tables, calendar)
    return start_by(tables.segments, low, high, finish, duration)


@njit_bare
def lift(tables: Tables, board: Board, mode: Column, operation: int, once: bool) -> int:
    """Raise what an operation follows too late, and what that would then follow too late.

    Gives the first place in the list of what was lifted, FAR where there is nothing. What is pinned stays, nothing is
    lifted past the horizon, and with `once` nothing that was lifted before.
    """
    count, back = 0, FAR
    for entry in range(tables.operations[operation, FIRST_IN], tables.operations[operation + 1, FIRST_IN]):
        link = tables.into[entry]
        before = tables.links[link, FROM]
        if tables.links[link, MOST] and board.starts[before] != UNPLACED and is_over(tables, board, link):
            side, floor = floor_of_most(tables, board, link)
            if _raise(tables, board, side, before, floor, once):
                back = min(back, board.spot[before])
                board.lifted[count] = before
                count += 1
                if count == len(board.lifted):
                    break
    done = 0
    while done < count < len(board.lifted):
        after, done = board.lifted[done], done + 1
        for entry in range(tables.operations[after, FIRST_IN], tables.operations[after + 1, FIRST_IN]):
            link = tables.into[entry]
            before = tables.links[link, FROM]
            if tables.links[link, MOST] and count < len(board.lifted):
                side, floor = _floor_before(tables, board, mode, link, after)
                if _raise(tables, board, side, before, floor, once):
                    if board.starts[before] != UNPLACED:
                        back = min(back, board.spot[before])
                    board.lifted[count] = before
                    count += 1
    return back


@njit_bare
def _raise(tables: Tables, board: Board, side: int, operation: int, floor: int, once: bool) -> bool:
    """Raise a floor; whether that was anything new."""
    now = board.floors[side, operation]
    if tables.operations[operation, PIN] >= 0 or floor >= tables.rules[HORIZON] or floor <= now:
        return False
    if once and now > UNPLACED:
        return False
    board.floors[side, operation] = floor
    return True


@njit_bare
def _floor_before(tables: Tables, board: Board, mode: Column, link: int, after: int) -> tuple[int, int]:
    """What a maximum lag asks of its predecessor where the floors are all that is known of its successor."""
    chosen, kind, calendar = mode[after], tables.links[link, KIND], tables.links[link, LAG_CALENDAR]
    ends_after = board.floors[1, after]
    start = max(board.floors[0, after], start_for(tables, chosen, tables.operations[after, BREAKABLE] != 0, ends_after))
    target = start
    if kind in (FF, SF):
        low, high = range_of(tables, tables.modes[chosen, CALENDAR])
        target = max(ends_after, finish_of(tables.segments, low, high, start, tables.modes[chosen, DURATION]))
    low, high = range_of(tables, calendar)
    floor = anchor_for(tables.segments, low, high, target, tables.links[link, LAG])
    return (0 if kind in (SS, SF) else 1), floor


@njit_bare
def tie(tables: Tables, board: Board, order: Column) -> None:
    """Fill board.tied: a list that has what maximum lags tie together side by side, as far as other links let it."""
    for operation in range(len(order)):
        board.spot[operation] = -1
    count = 0
    for place in range(len(order)):
        if board.spot[order[place]] < 0:
            for later in range(place, len(order)):
                if tables.ties[order[later]] == tables.ties[order[place]]:
                    count = _append(tables, board, order[later], count)


@njit_bare
def _append(tables: Tables, board: Board, operation: int, count: int) -> int:
    """Add an operation to board.tied, after all that must come before it; gives how many there are then."""
    stack, depth = board.lifted, 1
    stack[0] = operation
    while depth > 0:
        top, waits_for = stack[depth - 1], -1
        for entry in range(tables.operations[top, FIRST_IN], tables.operations[top + 1, FIRST_IN]):
            link = tables.into[entry]
            if not tables.links[link, MOST] and board.spot[tables.links[link, FROM]] < 0:
                waits_for = tables.links[link, FROM]
                break
        if waits_for >= 0:
            stack[depth] = waits_for
            depth += 1
            continue
        depth -= 1
        if board.spot[top] < 0:
            board.tied[count] = top
            board.spot[top] = count
            count += 1
    return count
