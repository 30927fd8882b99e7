"""Floats, gaps, driving links and the latest dates that move nothing, compiled. Imported late: it loads numba.

It never states a rule of its own: each function is the twin of the method of the same name in plain_floats.py.
"""

from __future__ import annotations

from engine.compiled import inlined, njit_bare
from engine.schedule.columns import (
    CALENDAR,
    FINISHED,
    FLAGS,
    FLOAT_CALENDAR,
    FROM_FINISH,
    INACTIVE,
    LATE,
    LEAF,
    MANUAL,
    MIN,
    NEVER,
    REMAINING,
    ROLE,
    STARTED,
    SUMMARY,
    TO_START,
    Bits,
    Column,
)
from engine.schedule.passes import (
    BEGINS,
    CLOCK,
    ENDS,
    KIND,
    LAG,
    LATE_BEGINS,
    LATE_ENDS,
    LOGIC,
    MOVES,
    PREDECESSOR,
    RETAINED,
    SUCCESSOR,
    Net,
    Work,
    binds,
    bound_of,
    job_of,
    later_name,
    stand_in,
    without_delay,
)
from engine.schedule.passes_tasks import REST, between, next_start, place_late, shift_back, start_of


@inlined
def date_of(net: Net, work: Work, link: int) -> int:
    """The end of its successor that a link bounds; of a stand-in, the latest that moves nothing."""
    after, kind = net.links[link, SUCCESSOR], net.links[link, KIND]
    date = work.slot[after]
    if net.nodes[after, ROLE] == LEAF:
        date = without_delay(net, after, not TO_START >> kind & 1, work.dates[after, BEGINS], work.dates[after, ENDS])
        if TO_START >> kind & 1 and net.nodes[after, FLAGS] & STARTED:
            date = start_of(net.table, job_of(net, after), work.dates[after, ENDS], REST)
    return int(date)


@inlined
def latest_of(net: Net, work: Work, link: int) -> int:
    """The latest date of its predecessor that leaves what a link bounds where it is."""
    date = date_of(net, work, link)
    if date != NEVER:
        date = later_name(net, net.links[link, SUCCESSOR], not TO_START >> net.links[link, KIND] & 1, date)
        date = shift_back(net.table, net.links[link, CLOCK], date, net.links[link, LAG])
    return date


@inlined
def room(net: Net, work: Work, node: int) -> tuple[int, int]:
    """The latest start and finish that leave every successor where it is."""
    starts_by, ends_by = NEVER, NEVER
    for place_out in range(net.out_first[node], net.out_first[node + 1]):
        link = net.out[place_out]
        if binds(net, work, link):
            if FROM_FINISH >> net.links[link, KIND] & 1:
                ends_by = min(ends_by, latest_of(net, work, link))
            else:
                starts_by = min(starts_by, latest_of(net, work, link))
    return starts_by, ends_by


@njit_bare
def delay_late_ones(net: Net, work: Work, order: Column) -> None:
    """Those that are to be as late as possible start as late as moves nothing."""
    for place_in_order in range(len(order) - 1, -1, -1):
        node = order[place_in_order]
        role, flags = net.nodes[node, ROLE], net.nodes[node, FLAGS]
        starts_by, ends_by = room(net, work, node)
        if role not in (LEAF, SUMMARY):
            work.slot[node] = min(starts_by, ends_by)
        if flags & LATE and not flags & INACTIVE:
            starts_by = min(starts_by, work.dates[node, LATE_BEGINS])
            ends_by = min(ends_by, work.dates[node, LATE_ENDS])
            start, finish = place_late(net.table, job_of(net, node), starts_by, ends_by)
            if between(net.table, net.nodes[node, CALENDAR], work.dates[node, BEGINS], start) > 0:
                work.dates[node, BEGINS], work.dates[node, ENDS] = start, finish
    for node in order:
        if net.nodes[node, ROLE] not in (LEAF, SUMMARY):
            at = stand_in(net, work, node)
            work.dates[node, BEGINS], work.dates[node, ENDS] = at, at


@njit_bare
def set_slots(net: Net, work: Work, order: Column) -> None:
    """The latest instant of each stand-in that moves nothing behind it."""
    for place_in_order in range(len(order) - 1, -1, -1):
        node = order[place_in_order]
        if net.nodes[node, ROLE] not in (LEAF, SUMMARY):
            starts_by, ends_by = room(net, work, node)
            if min(starts_by, ends_by) != work.slot[node]:
                work.changed[node] |= 4
            work.slot[node] = min(starts_by, ends_by)


@inlined
def gap_of(net: Net, work: Work, link: int) -> int:
    """How far the predecessor of a link can slip and move nothing."""
    latest, gap = latest_of(net, work, link), NEVER
    if binds(net, work, link) and latest != NEVER:
        before = net.links[link, PREDECESSOR]
        anchor = work.dates[before, ENDS] if FROM_FINISH >> net.links[link, KIND] & 1 else work.dates[before, BEGINS]
        gap = max(between(net.table, net.nodes[before, FLOAT_CALENDAR], anchor, latest), 0)
    return gap


@inlined
def reaches(net: Net, work: Work, link: int, is_start: bool) -> bool:
    """Whether no work lies between what a link allows a leaf and the leaf's date."""
    after, bound = net.links[link, SUCCESSOR], bound_of(net, work.dates, link)
    job = job_of(net, after)
    date = work.dates[after, BEGINS] if is_start else work.dates[after, ENDS]
    may_drive = True
    if net.nodes[after, FLAGS] & STARTED:
        may_drive = net.rules[MOVES] and net.rules[RETAINED] and net.nodes[after, REMAINING]
        date = start_of(net.table, job, work.dates[after, ENDS], REST) if is_start else date
    is_near = between(net.table, job[0], bound, date) == 0
    if not is_near and job[3] and is_start:
        is_near = next_start(net.table, job, bound) == date
    return may_drive and is_near


@inlined
def drives(net: Net, work: Work, link: int) -> bool:
    """Whether a link decides its successor's date."""
    before, after, kind = net.links[link, PREDECESSOR], net.links[link, SUCCESSOR], net.links[link, KIND]
    if net.nodes[before, FLAGS] & INACTIVE or net.nodes[after, FLAGS] & (FINISHED | MANUAL):
        found = False
    elif kind == MIN:
        found = work.dates[before, BEGINS] == work.dates[after, BEGINS]
    elif net.nodes[after, ROLE] != LEAF:
        found = bound_of(net, work.dates, link) == work.dates[after, ENDS]
    else:
        found = reaches(net, work, link, TO_START >> kind & 1 != 0)
    return found


@njit_bare
def set_links(net: Net, work: Work, touched: Bits) -> None:
    """Gaps, and which links drive, of links between nodes one of which is touched."""
    due = work.changed
    for node in range(len(net.nodes)):
        due[node] = touched[node]
    for node in range(len(net.nodes)):
        if touched[node]:
            for place_out in range(net.out_first[node], net.out_first[node + 1]):
                due[net.links[net.out[place_out], SUCCESSOR]] = 1
    for node in range(len(net.nodes)):
        if due[node]:
            for link in range(net.link_first[node], net.link_first[node + 1]):
                if touched[node] or touched[net.links[link, PREDECESSOR]]:
                    work.gap[link] = gap_of(net, work, link)
                    work.is_driving[link] = drives(net, work, link)


@njit_bare
def set_floats(net: Net, work: Work, touched: Bits) -> None:
    """Floats of the nodes that are touched, or whose successors are."""
    due = work.changed
    for node in range(len(net.nodes)):
        due[node] = touched[node]
    for node in range(len(net.nodes)):
        if touched[node]:
            for link in range(net.link_first[node], net.link_first[node + 1]):
                due[net.links[link, PREDECESSOR]] = 1
    for node in range(len(net.nodes)):
        if due[node]:
            free = NEVER
            for place_out in range(net.out_first[node], net.out_first[node + 1]):
                free = min(free, work.gap[net.out[place_out]])
            floats_of(net, work, node, free)


@inlined
def floats_of(net: Net, work: Work, node: int, free: int) -> None:
    """Start, finish, total and free float of a node."""
    flags, clock, dates = net.nodes[node, FLAGS], net.nodes[node, FLOAT_CALENDAR], work.dates
    if net.nodes[node, ROLE] != LEAF or flags & FINISHED:
        work.floats[node, 0] = work.floats[node, 1] = work.floats[node, 2] = work.floats[node, 3] = 0
    else:
        at_finish = between(net.table, clock, dates[node, ENDS], dates[node, LATE_ENDS])
        begins = max(dates[node, BEGINS], dates[node, LOGIC])
        at_start = between(net.table, clock, begins, dates[node, LATE_BEGINS])
        if flags & STARTED:
            at_start = at_finish
        total = min(at_start, at_finish)
        if flags & LATE:
            total = min(total, 0)
        work.floats[node, 0], work.floats[node, 1], work.floats[node, 2] = at_start, at_finish, total
        work.floats[node, 3] = min(free, max(total, 0))
