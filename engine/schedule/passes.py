"""The forward and backward pass, compiled. Imported late, since this module loads numba.

It never states a rule of its own: each function is the twin of the method of the same name in plain.py, its oracle.
A pass over part of a network redoes nodes that are `due`, and marks the neighbors of those that have `changed` so:
bit 1 says that early dates did, bit 2 late ones, bit 4 the slot.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.compiled import inlined, njit_bare
from engine.schedule.columns import (
    CALENDAR,
    CAP,
    DELAY,
    ENDS_AFTER,
    FINISH_AT,
    FINISHED,
    FLAGS,
    FROM_FINISH,
    FS,
    HARD,
    HARD_AT,
    HOLDS_FINISH,
    HOLDS_START,
    INACTIVE,
    LEAF,
    LENGTH,
    MANUAL,
    MFO,
    MIN,
    MSO,
    NEVER,
    NONE,
    PIN,
    PINNED,
    REMAINING,
    ROLE,
    SNLT,
    SS,
    START,
    START_AT,
    STARTED,
    SUMMARY,
    TO_START,
    Bits,
    Column,
)
from engine.schedule.passes_tasks import (
    REST,
    WHOLE,
    Job,
    between,
    finish_of,
    next_start,
    place,
    place_late,
    previous_finish,
    shift,
    shift_back,
    start_of,
)

# Columns of the links' table and of Work.dates; places in rules.
PREDECESSOR, SUCCESSOR, KIND, LAG, CLOCK = range(5)
BEGINS, ENDS, LOGIC, LATE_BEGINS, LATE_ENDS = range(5)
PROJECT_START, STATUS, HONORS, RETAINED, MOVES = range(5)
_ONLY_FS = 1 << FS  # kinds of links as bits: leads of these alone pass the project's start


class Net(NamedTuple):
    """A network as compiled functions take it: the array of clock_tables.py, tables of nodes and links, and rules."""

    table: Column
    nodes: Column
    parts_at: Column
    link_first: Column
    links: Column
    out_first: Column
    out: Column
    rules: Column


class Work(NamedTuple):
    """What passes write: `dates` and `floats` one row a node, `gap` and `is_driving` one entry a link."""

    dates: Column
    floats: Column
    slot: Column
    gap: Column
    is_driving: Bits
    changed: Bits


@inlined
def job_of(net: Net, node: int) -> Job:
    """What a node asks for."""
    nodes = net.nodes
    return nodes[node, CALENDAR], nodes[node, LENGTH], nodes[node, REMAINING], net.parts_at[node]


@inlined
def bound_of(net: Net, dates: Column, link: int) -> int:
    """The instant that a link allows its successor."""
    before, kind = net.links[link, PREDECESSOR], net.links[link, KIND]
    anchor = dates[before, ENDS] if FROM_FINISH >> kind & 1 else dates[before, BEGINS]
    return shift(net.table, net.links[link, CLOCK], anchor, net.links[link, LAG])


@inlined
def conducts(net: Net, dates: Column, link: int) -> bool:
    """Whether a link comes from what is active and has a date."""
    before = net.links[link, PREDECESSOR]
    return not net.nodes[before, FLAGS] & INACTIVE and abs(dates[before, BEGINS]) != NEVER


@inlined
def bounds_of(net: Net, dates: Column, node: int) -> tuple[int, int]:
    """Start >= the first, finish >= the second, by the links."""
    starts_after, ends_after, kinds = NONE, NONE, 0
    for link in range(net.link_first[node], net.link_first[node + 1]):
        if conducts(net, dates, link):
            kind = net.links[link, KIND]
            kinds |= 1 << kind
            bound = bound_of(net, dates, link)
            if TO_START >> kind & 1:
                starts_after = max(starts_after, bound)
            else:
                ends_after = max(ends_after, bound)
    is_free = kinds == _ONLY_FS or (kinds == 0 and net.nodes[node, FLAGS] & PINNED != 0)
    if not is_free:
        starts_after = max(starts_after, net.rules[PROJECT_START])
    return max(starts_after, net.rules[STATUS]), ends_after


@inlined
def stand_in(net: Net, work: Work, node: int) -> int:
    """The latest finish of leaves, their earliest start, or what links into a summary allow its leaves."""
    is_start = net.nodes[node, ROLE] == START
    best = NEVER if is_start else NONE
    for link in range(net.link_first[node], net.link_first[node + 1]):
        if conducts(net, work.dates, link):
            bound = bound_of(net, work.dates, link)
            if net.links[link, KIND] == SS:
                bound = max(bound, net.rules[PROJECT_START])
            best = min(best, bound) if is_start else max(best, bound)
    return best


@njit_bare
def at_hard_date(table: Column, job: Job, hard: int, at: int, start: int) -> tuple[int, int]:
    """A task pulled to its hard constraint's date from where it would start."""
    finish = finish_of(table, job, start, WHOLE)
    if hard == MSO:
        return at, finish_of(table, job, at, WHOLE)
    if hard == MFO:
        return start_of(table, job, at, WHOLE), at
    if hard == SNLT:
        latest, end = place(table, job, at, NONE)
        return (latest, end) if between(table, job[0], latest, start) > 0 else (start, finish)
    if between(table, job[0], at, finish) > 0:
        start = start_of(table, job, at, WHOLE)
        return start, finish_of(table, job, start, WHOLE)
    return start, finish


@inlined
def planned(net: Net, dates: Column, node: int) -> tuple[int, int, int]:
    """Start, finish, and the start that links and pins alone would give."""
    starts_after, ends_after = bounds_of(net, dates, node)
    hard, at = net.nodes[node, HARD], net.nodes[node, HARD_AT]
    starts_after = max(starts_after, net.nodes[node, PIN])
    ends_after = max(ends_after, net.nodes[node, ENDS_AFTER])
    honors = net.rules[HONORS]
    if not honors:
        starts_after = max(starts_after, at) if hard == MSO else starts_after
        ends_after = max(ends_after, at) if hard == MFO else ends_after
    job = job_of(net, node)
    start, finish = place(net.table, job, starts_after, ends_after)
    if net.nodes[node, DELAY] > 0:
        start, finish = place(net.table, job, start + net.nodes[node, DELAY], NONE)
    logic = start
    if honors and hard:
        start, finish = at_hard_date(net.table, job, hard, at, start)
    return start, finish, logic


@inlined
def finish_in_progress(net: Net, dates: Column, node: int) -> int:
    """When a started task is done."""
    begun, job = net.nodes[node, START_AT], job_of(net, node)
    finish = finish_of(net.table, job, begun, WHOLE)
    if net.rules[MOVES]:
        resume = start_of(net.table, job, finish, REST)
        if net.rules[STATUS] != NONE:
            resume = max(net.rules[STATUS], begun)
        starts_after, ends_after = bounds_of(net, dates, node)
        if net.rules[RETAINED]:
            resume = max(resume, starts_after)
        if job[2] == 0 and net.rules[STATUS] != NONE:
            resume = next_start(net.table, job, resume)
        finish = finish_of(net.table, job, resume, REST)
        if net.rules[RETAINED] and ends_after != NONE:
            latest = start_of(net.table, job, ends_after, REST)
            finish = max(finish, finish_of(net.table, job, latest, REST))
    return finish


@inlined
def set_early(net: Net, work: Work, node: int) -> None:
    """Date a node as early as what it waits for lets it."""
    role, flags = net.nodes[node, ROLE], net.nodes[node, FLAGS]
    if role != LEAF:
        start = stand_in(net, work, node)
        finish = logic = start
    elif flags & (FINISHED | MANUAL):
        start = logic = net.nodes[node, START_AT]
        finish = net.nodes[node, FINISH_AT]
    elif flags & STARTED:
        start = logic = net.nodes[node, START_AT]
        finish = finish_in_progress(net, work.dates, node)
    else:
        start, finish, logic = planned(net, work.dates, node)
    dates = work.dates
    if start != dates[node, BEGINS] or finish != dates[node, ENDS] or logic != dates[node, LOGIC]:
        work.changed[node] |= 1
        dates[node, BEGINS], dates[node, ENDS], dates[node, LOGIC] = start, finish, logic
    if role == START:  # other leaves may be the first to start
        work.changed[node] |= 3


@njit_bare
def forward(net: Net, work: Work, order: Column, due: Bits) -> int:
    """Date every node early; returns the last finish, the project's start where there is none."""
    last, is_any, is_part = net.rules[PROJECT_START], False, not due.all()
    for node in order:
        role = net.nodes[node, ROLE]
        if role == SUMMARY:
            continue
        if due[node]:
            set_early(net, work, node)
            if is_part and work.changed[node]:
                for place_out in range(net.out_first[node], net.out_first[node + 1]):
                    due[net.links[net.out[place_out], SUCCESSOR]] = 1
        if role == LEAF and not net.nodes[node, FLAGS] & INACTIVE:
            finish = work.dates[node, ENDS]
            last = max(last, finish) if is_any else finish
            is_any = True
    return int(last)


@inlined
def binds(net: Net, work: Work, link: int) -> bool:
    """Whether a link holds its predecessor back."""
    before, after, kind = net.links[link, PREDECESSOR], net.links[link, SUCCESSOR], net.links[link, KIND]
    flags, waits = net.nodes[after, FLAGS], net.rules[MOVES] and net.rules[RETAINED]
    is_off = net.nodes[before, FLAGS] & INACTIVE != 0 or flags & (FINISHED | INACTIVE) != 0
    if kind == MIN:
        is_off |= work.dates[after, BEGINS] != work.dates[before, BEGINS]
    return not (is_off or (flags & STARTED != 0 and not waits))


@inlined
def later_name(net: Net, node: int, is_end: bool, instant: int) -> int:
    """The last instant that is no work later than a late date."""
    if is_end and net.nodes[node, ROLE] == LEAF and net.nodes[node, LENGTH]:
        instant = next_start(net.table, job_of(net, node), instant)
    return instant


@inlined
def without_delay(net: Net, node: int, is_end: bool, start: int, finish: int) -> int:
    """The date of a node that a link bounds, so that it starts by an instant with its leveling delay."""
    date, delay, flags = finish if is_end else start, net.nodes[node, DELAY], net.nodes[node, FLAGS]
    is_kept = flags & (FINISHED | MANUAL | STARTED) != 0 or (net.rules[HONORS] and net.nodes[node, HARD] >= MSO)
    if net.nodes[node, ROLE] == LEAF and delay > 0 and not is_kept:
        date, job = start - delay, job_of(net, node)
        if next_start(net.table, job, date) != date:  # nobody works then: the delay is counted from before that
            date = previous_finish(net.table, job, date) - (1 if net.nodes[node, LENGTH] else 0)
        if is_end:
            date = finish_of(net.table, job, date, WHOLE)
    return date


@inlined
def is_typed(net: Net, link: int) -> bool:
    """Whether a link counts from a typed start to typed dates."""
    before, after = net.links[link, PREDECESSOR], net.links[link, SUCCESSOR]
    is_both = net.nodes[before, FLAGS] & net.nodes[after, FLAGS] & MANUAL != 0
    return bool(is_both and not FROM_FINISH >> net.links[link, KIND] & 1)


@inlined
def late_bounds(net: Net, work: Work, node: int, finish: int) -> tuple[int, int]:
    """Start <= the first, finish <= the second, by the links."""
    starts_by, ends_by = NEVER, finish if net.nodes[node, ROLE] == LEAF else NEVER
    for place_out in range(net.out_first[node], net.out_first[node + 1]):
        link = net.out[place_out]
        if binds(net, work, link) and not is_typed(net, link):
            after, kind = net.links[link, SUCCESSOR], net.links[link, KIND]
            is_end = not TO_START >> kind & 1
            anchor = without_delay(net, after, is_end, work.dates[after, LATE_BEGINS], work.dates[after, LATE_ENDS])
            anchor = later_name(net, after, is_end, anchor)
            bound = shift_back(net.table, net.links[link, CLOCK], anchor, net.links[link, LAG])
            if FROM_FINISH >> kind & 1:
                ends_by = min(ends_by, bound)
            else:
                starts_by = min(starts_by, bound)
    return starts_by, ends_by


@inlined
def late(net: Net, work: Work, node: int, finish: int) -> tuple[int, int]:
    """The late dates of a node."""
    hard, at, honors = net.nodes[node, HARD], net.nodes[node, HARD_AT], net.rules[HONORS]
    starts_by, ends_by = late_bounds(net, work, node, finish)
    if net.nodes[node, ROLE] != LEAF:
        start = starts_by if net.nodes[node, ROLE] == START else ends_by
        end = start
    else:
        job = job_of(net, node)
        if net.nodes[node, FLAGS] & STARTED or (honors and hard >= MSO):
            starts_by = NEVER
        elif HOLDS_START >> hard & 1:
            starts_by = min(starts_by, at)
        if honors and hard == MSO:
            ends_by = finish_of(net.table, job, at, WHOLE)
        elif honors and hard == MFO:
            ends_by = at
        elif HOLDS_FINISH >> hard & 1:
            ends_by = min(ends_by, at)
        ends_by = min(ends_by, net.nodes[node, CAP])
        start, end = place_late(net.table, job, starts_by, ends_by)
        if net.nodes[node, DELAY] < 0:
            start, end = place_late(net.table, job, start + net.nodes[node, DELAY], ends_by)
        if net.nodes[node, FLAGS] & MANUAL and between(net.table, job[0], end, ends_by) == 0:
            end = ends_by
        if honors and hard == MSO and between(net.table, job[0], start, at) == 0:
            start = at
        if honors and hard == MFO and between(net.table, job[0], end, at) == 0:
            end = at
    return start, end


@njit_bare
def backward(net: Net, work: Work, order: Column, due: Bits, finish: int) -> None:
    """Date every node late, back from an instant."""
    is_part = not due.all()
    for place_in_order in range(len(order) - 1, -1, -1):
        node = order[place_in_order]
        if due[node] and net.nodes[node, ROLE] != SUMMARY:
            if net.nodes[node, FLAGS] & FINISHED:
                start, end = work.dates[node, BEGINS], work.dates[node, ENDS]
            else:
                start, end = late(net, work, node, finish)
            if start != work.dates[node, LATE_BEGINS] or end != work.dates[node, LATE_ENDS]:
                work.changed[node] |= 2
                work.dates[node, LATE_BEGINS], work.dates[node, LATE_ENDS] = start, end
        if is_part and work.changed[node] & 2:
            for link in range(net.link_first[node], net.link_first[node + 1]):
                due[net.links[link, PREDECESSOR]] = 1
