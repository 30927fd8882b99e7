"""The plan as int64 columns, as the readable and the compiled passes take them. It never computes a date.

A node is a row of the plan, or, after all rows, a stand-in for the leaves of a summary that is linked: its END (the
latest finish of its leaves), its START (the earliest start), or a GATE that bounds all of its leaves.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64]
Flags = NDArray[np.bool_]
Bits = NDArray[np.uint8]

# No instant; later than any instant.
NONE = -(1 << 62)
NEVER = 1 << 62

# Kinds of links: the four, and MIN, from a leaf to the START of its summary.
FS, SS, FF, SF, MIN = range(5)
# Sets of them, as bits: those that count from a finish, and those that bound a start.
FROM_FINISH, TO_START = 1 << FS | 1 << FF, 1 << FS | 1 << SS
# Roles of nodes.
LEAF, SUMMARY, END, START, START_GATE, FINISH_GATE = range(6)
# Hard constraints.
SOFT, SNLT, FNLT, MSO, MFO = range(5)
HOLDS_START, HOLDS_FINISH = 1 << SNLT | 1 << MSO, 1 << FNLT | 1 << MFO
# Flags of nodes.
STARTED, FINISHED, MANUAL, INACTIVE, LATE, PINNED = (1 << bit for bit in range(6))
# How the amount of a lag is counted.
WORKING, ELAPSED, PERCENT, ELAPSED_PERCENT = range(4)


class Nodes(NamedTuple):
    """One entry a node. Instants are ticks, NONE where there is none; lengths are working ticks of `calendar`.

    `length` holds the pauses of splits; `remaining` is what a started task still has to do. `start_at` and `finish_at`
    are facts (actual or manual). `pin` and `ends_after` bound from below, `cap` bounds the late finish. Percent lags
    are of `duration`; lags after or before a task may be counted on its `lag_calendar`. Floats are working ticks of
    `float_calendar`: the task's own or the plan's, whoever works on it.
    """

    role: Column
    calendar: Column
    lag_calendar: Column
    float_calendar: Column
    duration: Column
    length: Column
    remaining: Column
    start_at: Column
    finish_at: Column
    pin: Column
    ends_after: Column
    hard: Column
    hard_at: Column
    cap: Column
    delay: Column
    flags: Column


# The places of Nodes' columns, as compiled passes index the table.
(
    ROLE,
    CALENDAR,
    LAG_CALENDAR,
    FLOAT_CALENDAR,
    DURATION,
    LENGTH,
    REMAINING,
    START_AT,
    FINISH_AT,
    PIN,
    ENDS_AFTER,
    HARD,
    HARD_AT,
    CAP,
    DELAY,
    FLAGS,
) = range(len(Nodes._fields))


class Parts(NamedTuple):
    """What several resources do of one node: `first[i]:first[i + 1]` are those of node i, none where one calendar does.

    The node lasts until the last part is done.
    """

    first: Column
    calendar: Column
    length: Column
    remaining: Column


class Links(NamedTuple):
    """Links sorted by successor: those into node i are `first[i]:first[i + 1]`. `lag` is in ticks of `calendar`.

    The places of those out of node i stand in `out[out_first[i]:out_first[i + 1]]`.
    """

    first: Column
    predecessor: Column
    successor: Column
    kind: Column
    lag: Column
    calendar: Column
    out_first: Column
    out: Column


class Rules(NamedTuple):
    """The plan's settings as numbers: `start` is the project's, `status` NONE unless what remains moves to it."""

    start: int
    status: int
    honors_dates: int
    is_retained: int
    moves_remaining: int


class Dates(NamedTuple):
    """One entry a node, and one a link in `gap` (how far the predecessor can slip and move nothing) and `is_driving`.

    `start` and `finish` are the early dates, or later ones of a task that asks for that; `logic_start` is where links
    and pins alone would put a start. `late_start` of a started task is that of what remains. Of a stand-in, `slot` is
    the latest instant that moves nothing behind it; `last` is the last early finish.
    """

    start: Column
    finish: Column
    logic_start: Column
    late_start: Column
    late_finish: Column
    start_float: Column
    finish_float: Column
    total_float: Column
    free_float: Column
    gap: Column
    is_driving: Flags
    slot: Column
    last: int


_Group = TypeVar("_Group", bound=tuple[Any, ...])


def listed(group: _Group) -> _Group:
    """A group of columns as lists of ints, which plain Python reads many times faster."""
    return type(group)(*(column.tolist() for column in group))
