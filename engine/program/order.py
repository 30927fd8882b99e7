"""In which order a plan's operations run, and whether that order leaves no two of them racing. It never costs anything.

Sets of operations are Python integers: bit i stands for operation i of the order.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import CompileError, MissingLinkError
from engine.model import Buffer, DependencyKind, FillKind, OperationSpec, Plan, Side, Task, TaskId
from engine.schedule.network import leaf_links
from engine.schedule.schedule import Schedule

Location = tuple[str, Side]


@dataclass(frozen=True, slots=True)
class Ordered:
    """An operation in the order of a program: its task, spec and stream, and what comes directly and surely before.

    `waits` are tasks on other streams; those that follow from another wait or from the stream are left out.
    `before` is the set of operations that have ended when this one starts in the first iteration, `again` those of the
    same iteration in a later one. What runs once orders nothing then: it holds up nobody.
    """

    task: Task
    spec: OperationSpec
    stream: int
    waits: tuple[TaskId, ...]
    before: int
    again: int


def order_operations(plan: Plan, schedule: Schedule) -> list[Ordered]:
    """Operations by planned start, then row, as far as links and the order on streams allow.

    Tasks without an operation pass order on: what waits for one waits for all that it waits for. Raises CompileError
    for a link that a run cannot keep.
    """
    links = _links(plan)
    predecessors: dict[TaskId, list[TaskId]] = defaultdict(list)
    for before, after in links:
        predecessors[after].append(before)
    stream_index = {stream.id: index for index, stream in enumerate(plan.streams)}
    found: list[Ordered] = []
    number: dict[TaskId, int] = {}
    first, later = _Iteration(), _Iteration()
    direct: dict[TaskId, int] = {}
    for task_id in _sorted(plan, schedule, links):
        task = plan.task(task_id)
        near = 0
        for before in predecessors[task_id]:
            near |= 1 << number[before] if before in number else direct[before]
        if task.operation is None:
            direct[task_id] = near
            continue
        stream = stream_index[plan.stream_of[task_id]]
        place = number[task_id] = len(found)
        waits, before = first.add(place, stream, near)
        again = 0
        if not task.operation.is_once:
            kept, again = later.add(place, stream, near)
            waits |= kept
        tasks = tuple(found[index].task.id for index in sorted(waits))
        found.append(Ordered(task, task.operation, stream, tasks, before, again))
    return found


def check_buffers(operations: Sequence[Ordered], buffers: Mapping[str, Buffer]) -> None:
    """Refuse two operations that race on a buffer (MissingLinkError), and one that reads what nothing has written.

    Operations i < j race when one of them writes what the other touches and i is not in before(j), nor in again(j)
    where both run again.
    """
    _check_races(operations)
    written: set[Location] = {(b.id, Side.HOST) for b in buffers.values() if b.fill.kind is not FillKind.NONE}
    for operation in operations:
        reads, writes = operation.spec.accesses()
        for buffer, side in sorted(reads - written, key=str):
            sentence = (
                f"“{operation.task.name}” reads the {side.value} side of “{buffer}” before anything was written there."
            )
            raise CompileError(sentence, ids=(operation.task.id,))
        written |= writes


def _links(plan: Plan) -> list[tuple[TaskId, TaskId]]:
    found = []
    for before, after, link in leaf_links(plan):
        if link.kind is not DependencyKind.FS or link.lag.amount != 0:
            first, second = plan.task(before), plan.task(after)
            what = "with a lag" if link.kind is DependencyKind.FS else f"as {link.kind.value}"
            sentence = (
                f"“{first.name}” and “{second.name}” are linked {what}; a run can only let one start when the other has"
                f" finished (FS without lag). Change the link."
            )
            raise CompileError(sentence, ids=(before, after))
        found.append((before, after))
    return found


def _sorted(plan: Plan, schedule: Schedule, links: Iterable[tuple[TaskId, TaskId]]) -> list[TaskId]:
    """Leaves in an order that respects links and streams; among those that may come next the earliest planned one."""
    leaves = [task.id for task in plan.tasks if not plan.is_summary(task.id)]
    successors: dict[TaskId, list[TaskId]] = {leaf: [] for leaf in leaves}
    waiting = dict.fromkeys(leaves, 0)
    for before, after in (*links, *schedule.stream_links):
        successors[before].append(after)
        waiting[after] += 1
    heap = [(schedule.start_of(leaf), plan.rows[leaf], leaf) for leaf in leaves if not waiting[leaf]]
    heapq.heapify(heap)
    found: list[TaskId] = []
    while heap:
        leaf = heapq.heappop(heap)[2]
        found.append(leaf)
        for after in successors[leaf]:
            waiting[after] -= 1
            if not waiting[after]:
                heapq.heappush(heap, (schedule.start_of(after), plan.rows[after], after))
    if len(found) < len(leaves):
        stuck = tuple(leaf for leaf in leaves if waiting[leaf])
        names = ", ".join(f"“{plan.title_of(leaf)}”" for leaf in stuck[:3])
        raise CompileError(f"Links and the order on streams contradict each other: {names}.", ids=stuck)
    return found


@dataclass(slots=True)
class _Iteration:
    """What runs in one iteration: the set of it, the latest on each stream, and what is past when each starts."""

    known: int = 0
    latest: dict[int, int] = field(default_factory=dict)
    past: dict[int, int] = field(default_factory=dict)

    def add(self, place: int, stream: int, near: int) -> tuple[set[int], int]:
        """An operation that comes after those in `near`: the waits that do not follow from others, and all that is
        past. Latest first, so that each covers the earlier."""
        own = self.latest.get(stream)
        past = 0 if own is None else 1 << own | self.past[own]
        waits: set[int] = set()
        left = near & self.known & ~past
        while left:
            latest = left.bit_length() - 1
            waits.add(latest)
            past |= 1 << latest | self.past[latest]
            left &= ~past
        self.known |= 1 << place
        self.latest[stream], self.past[place] = place, past
        return waits, past


def _check_races(operations: Sequence[Ordered]) -> None:
    """In the first iteration, and among what runs again in a later one."""
    touching: dict[Location, int] = defaultdict(int)
    writing: dict[Location, int] = defaultdict(int)
    recurring = 0
    for number, operation in enumerate(operations):
        reads, writes = operation.spec.accesses()
        unordered = ~operation.before
        if not operation.spec.is_once:
            unordered |= recurring & ~operation.again
            recurring |= 1 << number
        for location in sorted(reads | writes, key=str):
            others = (touching if location in writes else writing)[location] & unordered
            if others:
                latest = others.bit_length() - 1
                is_later = bool(operation.before >> latest & 1)
                raise _race(operations[latest].task, operation.task, location, is_later=is_later)
        for location in reads | writes:
            touching[location] |= 1 << number
        for location in writes:
            writing[location] |= 1 << number


def _race(first: Task, second: Task, location: Location, *, is_later: bool) -> MissingLinkError:
    """`is_later`: what orders them in the first pass runs once."""
    when = " in the passes after the first" if is_later else ""
    sentence = (
        f"“{first.name}” and “{second.name}” both use the {location[1].value} side of the buffer “{location[0]}”, and"
        f" nothing says which comes first{when}. Link “{first.name}” to “{second.name}”."
    )
    return MissingLinkError(sentence, ids=(first.id, second.id))
