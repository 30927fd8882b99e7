"""Board: what compiled functions write while they place operations: dates, free units over time, rows of machines.

It never chooses a date; it says what is in the way of one. Imported late, since this module loads numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiled import njit_bare
from engine.optimize.problem import Problem
from engine.optimize.tables import (
    BEGIN,
    CALENDAR,
    CAPACITY,
    DURATION,
    FAMILY,
    FIRST_STEP,
    FIRST_USE,
    LEVEL,
    MATRIX,
    RESOURCE,
    SETUP,
    SETUP_CALENDAR,
    SINCE,
    UNITS,
    UNTIL,
    Column,
    Tables,
)
from engine.optimize.working import finish_of, range_of

FAR = 1 << 60
UNPLACED = -FAR


class Board(NamedTuple):
    """Dates of operations, and of each resource: when its free units change, and who stands on it.

    starts, finishes: UNPLACED until placed. floors [2, n]: what starts and finishes must not be before besides.
    at, free: of resource i the entries base[i] .. base[i] + held[i] - 1; free[e] units from at[e] to the next entry.
    row: of a machine with a matrix the operations by start, row_base[i] .. row_base[i] + rows[i] - 1.
    spot: where operations stand in the list that is decoded; lifted: those whose floors were raised last; tied: the
    list with what maximum lags tie together side by side.
    """

    starts: Column
    finishes: Column
    floors: Column
    base: Column
    held: Column
    at: Column
    free: Column
    row_base: Column
    rows: Column
    row: Column
    spot: Column
    lifted: Column
    tied: Column


def board_for(problem: Problem) -> Board:
    """An empty board that has room for any solution of a problem."""
    count, resources = problem.operation_count, problem.resource_count
    users = np.bincount(problem.use_resource, minlength=resources)
    room = 2 + 2 * users + 2 * np.diff(problem.first_step)
    on_row = np.where(problem.resource_matrix >= 0, users, 0)
    return Board(
        starts=np.full(count, UNPLACED, np.int64),
        finishes=np.full(count, UNPLACED, np.int64),
        floors=np.full((2, count), UNPLACED, np.int64),
        base=np.concatenate(([0], np.cumsum(room))).astype(np.int64),
        held=np.zeros(resources, np.int64),
        at=np.zeros(int(room.sum()), np.int64),
        free=np.zeros(int(room.sum()), np.int64),
        row_base=np.concatenate(([0], np.cumsum(on_row))).astype(np.int64),
        rows=np.zeros(resources, np.int64),
        row=np.zeros(int(on_row.sum()), np.int64),
        spot=np.zeros(count, np.int64),
        lifted=np.zeros(count, np.int64),
        tied=np.zeros(count, np.int64),
    )


@njit_bare
def clear(tables: Tables, board: Board) -> None:
    """Take every operation off; resources are as free as their steps say."""
    for operation in range(len(board.starts)):
        board.starts[operation] = UNPLACED
        board.finishes[operation] = UNPLACED
    for resource in range(len(board.held)):
        base, capacity = board.base[resource], tables.resources[resource, CAPACITY]
        board.at[base] = -FAR
        board.free[base] = capacity
        held = 1
        for step in range(tables.resources[resource, FIRST_STEP], tables.resources[resource + 1, FIRST_STEP]):
            if board.at[base + held - 1] == tables.steps[step, SINCE]:
                held -= 1  # it begins where another one ends
            board.at[base + held] = tables.steps[step, SINCE]
            board.free[base + held] = tables.steps[step, LEVEL]
            board.at[base + held + 1] = tables.steps[step, UNTIL]
            board.free[base + held + 1] = capacity
            held += 2
        board.held[resource] = held
        board.rows[resource] = 0


@njit_bare
def entry_at(board: Board, resource: int, instant: int) -> int:
    """The entry of a resource that holds at an instant."""
    low = board.base[resource]
    high = low + board.held[resource]
    while high - low > 1:
        middle = (low + high) // 2
        if board.at[middle] <= instant:
            low = middle
        else:
            high = middle
    found: int = low
    return found


@njit_bare
def blocked_until(board: Board, resource: int, units: int, start: int, finish: int) -> int:
    """When the last lack of units in [start, finish) ends; `start` where there is none, FAR where it never does."""
    entry, end = entry_at(board, resource, start), board.base[resource] + board.held[resource]
    later = start
    while entry < end and board.at[entry] < finish:
        if board.free[entry] < units:
            later = board.at[entry + 1] if entry + 1 < end else FAR
        entry += 1
    return later


@njit_bare
def _entry_from(board: Board, resource: int, instant: int) -> int:
    """The entry that begins at an instant, made where there is none."""
    entry = entry_at(board, resource, instant)
    if board.at[entry] == instant:
        return entry
    last = board.base[resource] + board.held[resource]
    for place in range(last, entry + 1, -1):
        board.at[place] = board.at[place - 1]
        board.free[place] = board.free[place - 1]
    board.at[entry + 1] = instant
    board.free[entry + 1] = board.free[entry]
    board.held[resource] += 1
    return entry + 1


@njit_bare
def _hold(board: Board, resource: int, units: int, start: int, finish: int) -> None:
    entry = _entry_from(board, resource, start)
    end = _entry_from(board, resource, finish)
    for place in range(entry, end):
        board.free[place] -= units


@njit_bare
def _release(board: Board, resource: int, units: int, start: int, finish: int) -> None:
    """Give back what was held; an entry that says nothing new is dropped, so that there is room for the next."""
    entry = _entry_from(board, resource, start)
    end = _entry_from(board, resource, finish)
    for place in range(entry, end):
        board.free[place] += units
    _drop_if_same(board, resource, end)
    _drop_if_same(board, resource, entry)


@njit_bare
def _drop_if_same(board: Board, resource: int, entry: int) -> None:
    if entry == board.base[resource] or board.free[entry] != board.free[entry - 1]:
        return
    for place in range(entry + 1, board.base[resource] + board.held[resource]):
        board.at[place - 1] = board.at[place]
        board.free[place - 1] = board.free[place]
    board.held[resource] -= 1


@njit_bare
def row_place(board: Board, resource: int, start: int) -> int:
    """How many operations of a machine's row start by an instant."""
    low, high = 0, board.rows[resource]
    base = board.row_base[resource]
    while low < high:
        middle = (low + high) // 2
        if board.starts[board.row[base + middle]] <= start:
            low = middle + 1
        else:
            high = middle
    return low


@njit_bare
def put(tables: Tables, board: Board, operation: int, mode: int, start: int) -> None:
    """Place an operation, whatever is in the way."""
    calendar = tables.modes[mode, CALENDAR]
    low, high = range_of(tables, calendar)
    duration = tables.modes[mode, DURATION]
    finish = finish_of(tables.segments, low, high, start, duration)
    if duration > 0:
        for use in range(tables.modes[mode, FIRST_USE], tables.modes[mode + 1, FIRST_USE]):
            resource, units = tables.uses[use, RESOURCE], tables.uses[use, UNITS]
            if units == 0:
                continue
            _hold(board, resource, units, start, finish)
            if tables.resources[resource, MATRIX] >= 0:
                place, base = row_place(board, resource, start), board.row_base[resource]
                for later in range(board.rows[resource], place, -1):
                    board.row[base + later] = board.row[base + later - 1]
                board.row[base + place] = operation
                board.rows[resource] += 1
    board.starts[operation] = start
    board.finishes[operation] = finish


@njit_bare
def take_off(tables: Tables, board: Board, operation: int, mode: int) -> None:
    """Undo `put`."""
    start, finish = board.starts[operation], board.finishes[operation]
    if tables.modes[mode, DURATION] > 0:
        for use in range(tables.modes[mode, FIRST_USE], tables.modes[mode + 1, FIRST_USE]):
            resource, units = tables.uses[use, RESOURCE], tables.uses[use, UNITS]
            if units == 0:
                continue
            _release(board, resource, units, start, finish)
            if tables.resources[resource, MATRIX] >= 0:
                base, kept = board.row_base[resource], 0
                for place in range(board.rows[resource]):
                    board.row[base + kept] = board.row[base + place]
                    kept += board.row[base + place] != operation
                board.rows[resource] = kept
    board.starts[operation] = UNPLACED
    board.finishes[operation] = UNPLACED


@njit_bare
def changeover(tables: Tables, resource: int, before: int, after: int) -> int:
    """Ticks of work between two operations on a machine; `before` -1: what it is set up for at the start."""
    one = tables.operations[before, FAMILY] if before >= 0 else tables.resources[resource, SETUP]
    other = tables.operations[after, FAMILY]
    if one < 0 or other < 0:
        return 0
    found: int = tables.changeover[tables.resources[resource, MATRIX], one, other]
    return found


@njit_bare
def set_up_by(tables: Tables, board: Board, resource: int, before: int, after: int) -> int:
    """When a machine that did `before` (-1: nothing yet) is set up for `after`."""
    free = board.finishes[before] if before >= 0 else tables.rules[BEGIN]
    ticks = changeover(tables, resource, before, after)
    if ticks == 0:
        return free if before >= 0 else -FAR
    calendar = tables.resources[resource, SETUP_CALENDAR]
    low, high = range_of(tables, calendar)
    return finish_of(tables.segments, low, high, free, ticks)
