"""What dates are worth: broken rules and objectives, counted in ticks. Imported late, since this module loads numba.

It never trusts who made the dates: it places every operation again and looks at every rule.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.board import FAR, Board, changeover, clear, put, set_up_by
from engine.optimize.links import bound_of, target_of
from engine.optimize.tables import (
    BEGIN,
    BREAKABLE,
    CALENDAR,
    COST,
    DUE,
    DURATION,
    HORIZON,
    MATRIX,
    MOST,
    NOW,
    NOW_MODE,
    PIN,
    RELEASE,
    UNTIL,
    WEIGHT,
    Column,
    Tables,
)
from engine.optimize.working import next_work

VIOLATIONS, TARDINESS, MAKESPAN, CHANGEOVER, COSTS, STABILITY = range(6)


@njit_bare
def measure(tables: Tables, board: Board, mode: Column, starts: Column, objectives: Column) -> None:
    """Fill int64[6] for these starts, and board.finishes.

    Violations are ticks: what links lack or exceed; what an operation that is not pinned starts too early, outside
    working time, or pauses though it may not; what finishes past the horizon or the end of its calendar; how long a
    resource is used beyond its capacity; what changeovers lack. Tardiness is by weight, makespan from `start`,
    changeover in ticks of work. Stability is |start - current start|, and the duration of each operation whose mode is
    another one than the current.
    """
    clear(tables, board)
    for operation in range(len(starts)):
        put(tables, board, operation, mode[operation], starts[operation])
    for place in range(len(objectives)):
        objectives[place] = 0
    for operation in range(len(starts)):
        objectives[VIOLATIONS] += _broken_by(tables, board, mode, operation)
        _add_wishes(tables, board, mode, operation, objectives)
    for link in range(len(tables.links)):
        lack = bound_of(tables, board, mode, link) - target_of(tables, board, link)
        objectives[VIOLATIONS] += max(0, -lack if tables.links[link, MOST] else lack)
    for resource in range(len(board.held)):
        objectives[VIOLATIONS] += _overused(board, resource)
        if tables.resources[resource, MATRIX] >= 0:
            _add_changeovers(tables, board, resource, objectives)


@njit_bare
def _broken_by(tables: Tables, board: Board, mode: Column, operation: int) -> int:
    """Ticks by which one operation breaks a rule of its own."""
    start, finish = board.starts[operation], board.finishes[operation]
    calendar, duration = tables.modes[mode[operation], CALENDAR], tables.modes[mode[operation], DURATION]
    broken: int = max(0, finish - tables.rules[HORIZON])
    is_pinned = tables.operations[operation, PIN] >= 0
    if is_pinned:
        broken += abs(start - tables.operations[operation, PIN])
    else:
        broken += max(0, max(tables.rules[BEGIN], tables.operations[operation, RELEASE]) - start)
    if calendar < 0 or duration == 0:
        return broken
    low, high = tables.first_segment[calendar], tables.first_segment[calendar + 1]
    broken += duration if low == high else min(duration, max(0, finish - tables.segments[high - 1, UNTIL]))
    if not is_pinned and tables.operations[operation, BREAKABLE]:
        broken += next_work(tables.segments, low, high, start) - start
    elif not is_pinned:
        broken += finish - start - duration
    return broken


@njit_bare
def _add_wishes(tables: Tables, board: Board, mode: Column, operation: int, objectives: Column) -> None:
    start, finish, chosen = board.starts[operation], board.finishes[operation], mode[operation]
    objectives[TARDINESS] += tables.operations[operation, WEIGHT] * max(0, finish - tables.operations[operation, DUE])
    objectives[MAKESPAN] = max(objectives[MAKESPAN], finish - tables.rules[BEGIN])
    objectives[COSTS] += tables.modes[chosen, COST]
    if tables.operations[operation, NOW] >= 0:
        objectives[STABILITY] += abs(start - tables.operations[operation, NOW])
    if tables.operations[operation, NOW_MODE] >= 0 and tables.operations[operation, NOW_MODE] != chosen:
        objectives[STABILITY] += tables.modes[chosen, DURATION]


@njit_bare
def _overused(board: Board, resource: int) -> int:
    """Ticks in which a resource is used beyond its capacity."""
    first, last = board.base[resource], board.base[resource] + board.held[resource] - 1
    ticks = 0
    for entry in range(first, last):
        if board.free[entry] < 0:
            ticks += board.at[entry + 1] - board.at[entry]
    return ticks


@njit_bare
def _add_changeovers(tables: Tables, board: Board, resource: int, objectives: Column) -> None:
    before = -1
    for place in range(board.row_base[resource], board.row_base[resource] + board.rows[resource]):
        after = board.row[place]
        objectives[CHANGEOVER] += changeover(tables, resource, before, after)
        ready = set_up_by(tables, board, resource, before, after)
        is_kept = tables.operations[after, PIN] >= 0 and (before < 0 or tables.operations[before, PIN] >= 0)
        if ready > -FAR and not is_kept:
            objectives[VIOLATIONS] += max(0, ready - board.starts[after])
        before = after
