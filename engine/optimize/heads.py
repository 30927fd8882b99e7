"""Heads and tails: how early each operation can be, and how much must come after it, without resources. It loads numba.

It never says what cannot be proved: of alternatives it takes the shortest, of maximum lags nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiled import njit_bare
from engine.optimize.board import FAR
from engine.optimize.links import FF, FS, SS, ended_by
from engine.optimize.problem import Flags, Problem
from engine.optimize.tables import (
    BEGIN,
    BREAKABLE,
    CALENDAR,
    DURATION,
    FIRST_IN,
    FIRST_MODE,
    FIRST_OUT,
    FROM,
    KIND,
    LAG,
    LAG_CALENDAR,
    MOST,
    PIN,
    RELEASE,
    TO,
    Column,
    Tables,
)
from engine.optimize.working import finish_of, next_whole, next_work, range_of, shifted


class Heads(NamedTuple):
    """Earliest starts and finishes, and the least time between a finish and the end of all; int64[n] each."""

    starts: Column
    finishes: Column
    tails: Column


def heads_of(problem: Problem) -> Heads:
    """The heads and tails of a problem."""
    heads = Heads(*(np.zeros(problem.operation_count, np.int64) for _ in range(3)))
    order = problem.topological.astype(np.int64)
    _fill_heads(problem.tables, problem.is_usable, order, heads)
    _fill_tails(problem.tables, shortest(problem), order, heads)
    return heads


def shortest(problem: Problem) -> Column:
    """The least duration of each operation among its usable modes: int64[n]."""
    least = np.full(problem.operation_count, FAR, np.int64)
    np.minimum.at(least, problem.owner[problem.is_usable], problem.duration[problem.is_usable])
    return least


@njit_bare
def _fill_heads(tables: Tables, is_usable: Flags, order: Column, heads: Heads) -> None:
    for place in range(len(order)):
        operation = order[place]
        starts_after, ends_after = _after_links(tables, heads, operation)
        starts_after = max(starts_after, tables.rules[BEGIN], tables.operations[operation, RELEASE])
        if tables.operations[operation, PIN] >= 0:
            starts_after, ends_after = tables.operations[operation, PIN], -FAR
        start, finish = FAR, FAR
        for mode in range(tables.operations[operation, FIRST_MODE], tables.operations[operation + 1, FIRST_MODE]):
            if is_usable[mode]:
                begun, done = _worked(tables, operation, mode, starts_after)
                start, finish = min(start, begun), min(finish, max(done, ended_by(tables, mode, ends_after)))
        heads.starts[operation] = start
        heads.finishes[operation] = finish


@njit_bare
def _worked(tables: Tables, operation: int, mode: int, instant: int) -> tuple[int, int]:
    """The first start from an instant on in one mode, and its finish."""
    calendar, duration = tables.modes[mode, CALENDAR], tables.modes[mode, DURATION]
    if calendar < 0 or duration == 0:
        return instant, instant + duration
    low, high = range_of(tables, calendar)
    start = instant
    if tables.operations[operation, PIN] < 0:
        if tables.operations[operation, BREAKABLE]:
            start = next_work(tables.segments, low, high, instant)
        else:
            start = next_whole(tables.segments, low, high, instant, duration)
    return start, finish_of(tables.segments, low, high, start, duration)


@njit_bare
def _after_links(tables: Tables, heads: Heads, operation: int) -> tuple[int, int]:
    starts_after, ends_after = -FAR, -FAR
    for entry in range(tables.operations[operation, FIRST_IN], tables.operations[operation + 1, FIRST_IN]):
        link = tables.into[entry]
        if tables.links[link, MOST]:
            continue
        kind, before, calendar = tables.links[link, KIND], tables.links[link, FROM], tables.links[link, LAG_CALENDAR]
        low, high = range_of(tables, calendar)
        anchor = heads.finishes[before] if kind in (FS, FF) else heads.starts[before]
        bound = shifted(tables.segments, low, high, anchor, tables.links[link, LAG])
        if kind in (FS, SS):
            starts_after = max(starts_after, bound)
        else:
            ends_after = max(ends_after, bound)
    return starts_after, ends_after


@njit_bare
def _fill_tails(tables: Tables, least: Column, order: Column, heads: Heads) -> None:
    for place in range(len(order) - 1, -1, -1):
        operation, tail = order[place], 0
        for entry in range(tables.operations[operation, FIRST_OUT], tables.operations[operation + 1, FIRST_OUT]):
            link = tables.out_of[entry]
            kind, lag, after = tables.links[link, KIND], tables.links[link, LAG], tables.links[link, TO]
            is_known = lag >= 0 or tables.links[link, LAG_CALENDAR] < 0  # work backward takes longer than it says
            if tables.links[link, MOST] or not is_known:
                continue
            if kind == FS:
                tail = max(tail, lag + least[after] + heads.tails[after])
            elif kind == FF:
                tail = max(tail, lag + heads.tails[after])
        heads.tails[operation] = tail
