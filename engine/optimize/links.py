"""What links ask of dates, one link at a time and all of an operation. Imported late, since this module loads numba.

It never looks at resources or calendars of operations.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.board import UNPLACED, Board
from engine.optimize.tables import (
    CALENDAR,
    DURATION,
    FIRST_IN,
    FIRST_OUT,
    FROM,
    KIND,
    LAG,
    LAG_CALENDAR,
    MACHINE,
    MOST,
    TO,
    TRANSPORTED,
    Column,
    Tables,
)
from engine.optimize.working import anchor_for, finish_by, limit_of, range_of, shifted

FS, SS, FF, SF = range(4)


@njit_bare
def anchor_of(tables: Tables, board: Board, link: int) -> int:
    """The date of the predecessor that a link starts from."""
    kind, before = tables.links[link, KIND], tables.links[link, FROM]
    found: int = board.starts[before] if kind in (SS, SF) else board.finishes[before]
    return found


@njit_bare
def target_of(tables: Tables, board: Board, link: int) -> int:
    """The date of the successor that a link bounds."""
    kind, after = tables.links[link, KIND], tables.links[link, TO]
    found: int = board.starts[after] if kind in (FS, SS) else board.finishes[after]
    return found


@njit_bare
def bound_of(tables: Tables, board: Board, mode: Column, link: int) -> int:
    """What the successor's date must not be before (with a maximum lag: after); the predecessor is placed."""
    calendar, lag = tables.links[link, LAG_CALENDAR], tables.links[link, LAG]
    low, high = range_of(tables, calendar)
    anchor = anchor_of(tables, board, link)
    if tables.links[link, MOST]:
        return limit_of(tables.segments, low, high, anchor, lag)
    bound = shifted(tables.segments, low, high, anchor, lag)
    if tables.links[link, TRANSPORTED]:
        one = tables.modes[mode[tables.links[link, FROM]], MACHINE]
        other = tables.modes[mode[tables.links[link, TO]], MACHINE]
        if one >= 0 and other >= 0:
            bound += tables.transport[one, other]
    if tables.links[link, KIND] in (FF, SF):
        return ended_by(tables, mode[tables.links[link, TO]], bound)
    return bound


@njit_bare
def ended_by(tables: Tables, mode: int, instant: int) -> int:
    """When a mode's work is done that is all the work to be done by an instant: a finish bears the earlier name."""
    if tables.modes[mode, DURATION] == 0:
        return instant
    low, high = range_of(tables, tables.modes[mode, CALENDAR])
    return finish_by(tables.segments, low, high, instant)


@njit_bare
def is_over(tables: Tables, board: Board, link: int) -> bool:
    """Whether a maximum lag is longer than it may be."""
    side, floor = floor_of_most(tables, board, link)
    before = tables.links[link, FROM]
    found: bool = floor > (board.starts[before] if side == 0 else board.finishes[before])
    return found


@njit_bare
def floor_of_most(tables: Tables, board: Board, link: int) -> tuple[int, int]:
    """What a maximum lag asks of its predecessor once the successor is placed: a start (0) or finish (1), and when."""
    calendar, lag = tables.links[link, LAG_CALENDAR], tables.links[link, LAG]
    low, high = range_of(tables, calendar)
    floor = anchor_for(tables.segments, low, high, target_of(tables, board, link), lag)
    return (0 if tables.links[link, KIND] in (SS, SF) else 1), floor


@njit_bare
def floors_of(tables: Tables, board: Board, mode: Column, operation: int) -> tuple[int, int]:
    """Start >= the first, finish >= the second, by links to what is placed and by the board's floors."""
    starts_after, ends_after = board.floors[0, operation], board.floors[1, operation]
    for entry in range(tables.operations[operation, FIRST_IN], tables.operations[operation + 1, FIRST_IN]):
        link = tables.into[entry]
        if not tables.links[link, MOST] and board.starts[tables.links[link, FROM]] != UNPLACED:
            bound = bound_of(tables, board, mode, link)
            if tables.links[link, KIND] in (FS, SS):
                starts_after = max(starts_after, bound)
            else:
                ends_after = max(ends_after, bound)
    for entry in range(tables.operations[operation, FIRST_OUT], tables.operations[operation + 1, FIRST_OUT]):
        link = tables.out_of[entry]
        if tables.links[link, MOST] and board.starts[tables.links[link, TO]] != UNPLACED:
            side, floor = floor_of_most(tables, board, link)
            if side == 0:
                starts_after = max(starts_after, floor)
            else:
                ends_after = max(ends_after, floor)
    return starts_after, ends_after
