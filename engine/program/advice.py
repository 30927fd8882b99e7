"""Advice: what would let a device plan run faster, and by how much. It never changes the plan, and never runs it.

Each change is tried: the changed plan is compiled and predicted, and what its span is shorter is the gain. A change is
looked for where the plan has an inefficiency of a kind:

    memory    copies from or to pageable memory
    buffer    operations that wait for a buffer to be free that a second one would spare them
    barrier   an operation that others wait for, or that waits for others, though no buffer asks for it
    copies    copies that wait for each other in a chain, or on one stream, while their engines stand idle
    order     operations of a stream that wait for later data than those behind them
    streams   work on one stream that could lie on several
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.errors import EngineError
from engine.model import Dependency, Memory, OperationKind, OperationSpec, Plan, TaskId, Ticks
from engine.program.changes import (
    Change,
    Order,
    PinMemory,
    Reorder,
    Restream,
    SecondBuffer,
    Unlink,
    conflicts,
    turns,
    with_pins,
)
from engine.program.compiler import compile_plan
from engine.program.operation import Nanoseconds, Program
from engine.program.predict import predict
from engine.program.profile import DeviceProfile, estimate_durations
from engine.schedule.cpm import schedule

COPIES = (OperationKind.COPY_IN, OperationKind.COPY_OUT)
# A gain below this share of the span is not worth a word: the estimates are not that good.
LEAST_SHARE = 0.01
MOST_STREAMS = 4
# Of more operations nobody is advised: to try one change would take too long.
MOST_OPERATIONS = 400


@dataclass(frozen=True, slots=True)
class Advice:
    """A change, its kind as said above, and the predicted span of one iteration before and after it.

    `order` is that of the plan's operations when they run, which a change asks for.
    `tasks` are those that it concerns most, `buffers` likewise. `pins` are the starts that tasks which are pinned then
    have: earlier pins would hold them where they are, and the plan would not become shorter.
    """

    kind: str
    change: Change
    order: Order
    before_ns: Nanoseconds
    after_ns: Nanoseconds
    tasks: tuple[TaskId, ...] = ()
    buffers: tuple[str, ...] = ()
    pins: tuple[tuple[TaskId, Ticks], ...] = ()

    @property
    def gain_ns(self) -> Nanoseconds:
        """What the span would be shorter."""
        return self.before_ns - self.after_ns


@dataclass(frozen=True, slots=True)
class _Candidate:
    kind: str
    change: Change
    tasks: tuple[TaskId, ...] = ()
    buffers: tuple[str, ...] = ()


def advise(
    plan: Plan, profile: DeviceProfile, folder: str = "", is_wanted: Callable[[], bool] = lambda: True
) -> tuple[Advice, ...]:
    """The best change of each kind that is worth it, by gain. It ends early where it is no longer wanted.

    Raises CompileError for a plan that cannot run.
    """
    program = _compiled(plan, profile, folder)
    if len(program.operations) > MOST_OPERATIONS:
        return ()
    order = tuple(op.task for op in program.operations)
    before_ns = predict(program, profile).end_ns_max
    best: dict[str, Advice] = {}
    for each in _candidates(plan, program):
        if not is_wanted():
            break
        try:
            changed = each.change.apply(plan, order).check()
            after = _compiled(changed, profile, folder)
        except EngineError:
            continue  # such as a cycle: this plan cannot be changed so
        after_ns = predict(after, profile).end_ns_max
        found = Advice(each.kind, each.change, order, before_ns, after_ns, each.tasks, each.buffers)
        if found.gain_ns >= max(1, LEAST_SHARE * before_ns) and (
            each.kind not in best or found.gain_ns > best[each.kind].gain_ns
        ):
            pins = _new_pins(changed, after, profile)
            is_kept = predict(_compiled(with_pins(changed, pins), profile, folder), profile).end_ns_max <= after_ns
            best[each.kind] = replace(found, pins=pins) if is_kept else found
    return tuple(sorted(best.values(), key=lambda found: -found.gain_ns))


def _compiled(plan: Plan, profile: DeviceProfile, folder: str) -> Program:
    return compile_plan(plan, schedule(plan, estimate_durations(plan, profile)), profile, folder)


def _new_pins(plan: Plan, program: Program, profile: DeviceProfile) -> tuple[tuple[TaskId, Ticks], ...]:
    """Where the pinned tasks of a plan would start if nothing but the order on their streams held them."""
    pinned = [task.id for task in plan.tasks if task.pin is not None]
    known = {(link.predecessor, link.successor) for link in plan.dependencies}
    in_turn = [(first.task, then.task) for stream in program.by_stream() for first, then in pairwise(stream)]
    links = (*plan.dependencies, *(Dependency(*pair) for pair in in_turn if pair not in known))
    free = with_pins(replace(plan, dependencies=links), tuple((task, plan.start) for task in pinned))
    dates = schedule(free, estimate_durations(free, profile))
    return tuple((task, dates.start_of(task)) for task in pinned)


def _candidates(plan: Plan, program: Program) -> Iterator[_Candidate]:
    yield from _memory(program)
    yield from _buffers(plan, program)
    yield from _links(plan, program)
    yield from _copies(plan, program)
    yield from _orders(plan, program)
    yield from _streams(plan, program)


def _memory(program: Program) -> Iterator[_Candidate]:
    copied = {name for op in program.operations if op.kind in COPIES for name in (*op.reads, *op.writes)}
    slow = tuple(b.id for b in program.buffers if b.id in copied and b.memory is Memory.PAGEABLE)
    if slow:
        yield _Candidate("memory", PinMemory(slow), buffers=slow)


def _buffers(plan: Plan, program: Program) -> Iterator[_Candidate]:
    order = tuple(op.task for op in program.operations)
    reused = {b.id: found for b in program.buffers if len(found := turns(plan, order, b.id)) > 1}
    for names in dict.fromkeys((*((name,) for name in reused), tuple(reused))):
        if names:
            waiting = reused[names[0]][1][0]
            yield _Candidate("buffer", SecondBuffer(names), (waiting,), names)


def _links(plan: Plan, program: Program) -> Iterator[_Candidate]:
    """Links that no buffer asks for: all of a barrier, and all between copies."""
    kinds = {op.task: op.kind for op in program.operations}
    spare = [
        (link.predecessor, link.successor)
        for link in plan.dependencies
        if not conflicts(plan, link.predecessor, link.successor)
        and not (plan.is_summary(link.predecessor) or plan.is_summary(link.successor))
    ]
    by_task: dict[TaskId, list[tuple[TaskId, TaskId]]] = {}
    by_stream: dict[int, dict[tuple[TaskId, TaskId], TaskId]] = {}
    for pair in spare:
        for task in pair:
            by_task.setdefault(task, []).append(pair)
            by_stream.setdefault(plan.stream_of.get(task, -task), {}).setdefault(pair, task)
    for task, pairs in by_task.items():
        if len(pairs) > 2:
            yield _Candidate("barrier", Unlink(tuple(pairs)), (task,))
    for found in by_stream.values():
        if len(found) > 2:
            yield _Candidate("barrier", Unlink(tuple(found)), (next(iter(found.values())),))
    chain = tuple(pair for pair in spare if all(kinds.get(task) in COPIES for task in pair))
    if chain:
        yield _Candidate("copies", Unlink(chain), (chain[0][1],))


def _copies(plan: Plan, program: Program) -> Iterator[_Candidate]:
    """Copies to the stream of the work they serve, or in one direction to a stream of their own."""
    streams = {op.task: program.streams[op.stream] for op in program.operations}
    served: list[tuple[TaskId, str]] = []
    for place, op in enumerate(program.operations):
        if op.kind in COPIES:
            near = program.operations[place + 1 :] if op.kind is OperationKind.COPY_IN else program.operations[:place]
            near = near if op.kind is OperationKind.COPY_IN else tuple(reversed(near))
            users = (o for o in near if o.kind not in COPIES and set(op.writes) & {*o.reads, *o.writes})
            user = next(users, None)
            if user is not None and streams[user.task] != streams[op.task]:
                served.append((op.task, streams[user.task]))
    if served:
        yield _Candidate("copies", Restream(tuple(served)), (served[0][0],))
    for kind in COPIES:
        moved = tuple(op.task for op in program.operations if op.kind is kind)
        if moved:
            name = _new_stream(plan, 1)
            yield _Candidate("copies", Restream(tuple((task, name) for task in moved)), (moved[0],))


def _streams(plan: Plan, program: Program) -> Iterator[_Candidate]:
    """What shares no buffer that is filled more than once, or used by a few alone, onto streams in turn."""
    groups = _groups(program)
    names = [*program.streams, *(_new_stream(plan, number) for number in range(1, MOST_STREAMS))]
    for count in range(2, min(MOST_STREAMS, len(groups)) + 1):
        moved = tuple((task, names[at % count]) for at, group in enumerate(groups) for task in group)
        yield _Candidate("streams", Restream(moved), (groups[1][0],))


def _groups(program: Program) -> list[list[TaskId]]:
    """Operations that belong together, such as those of a frame, in the order of the first of each."""
    users: dict[str, list[TaskId]] = {}
    for op in program.operations:
        for name in dict.fromkeys((*op.reads, *op.writes)):
            users.setdefault(name, []).append(op.task)
    group = {op.task: op.task for op in program.operations}

    def root(task: TaskId) -> TaskId:
        while group[task] != task:
            task = group[task]
        return task

    for tasks in users.values():
        if len(tasks) <= max(3, len(program.operations) // 4):  # else it is what all share, such as weights
            for task in tasks[1:]:
                group[root(task)] = root(tasks[0])
    found: dict[TaskId, list[TaskId]] = {}
    for op in program.operations:
        found.setdefault(root(op.task), []).append(op.task)
    return list(found.values())


def _orders(plan: Plan, program: Program) -> Iterator[_Candidate]:
    """Every stream takes what can start first, and of equals what most depends on."""
    wanted = _eager(plan, program)
    changed = []
    for stream, operations in enumerate(program.by_stream()):
        now, then = tuple(op.task for op in operations), tuple(wanted[stream])
        if now != then:
            pins = tuple((task, plan.start + wanted[stream][task]) for task in then)
            first = next(task for task, other in zip(then, now, strict=True) if task != other)
            changed.append((first, pins))
            yield _Candidate("order", Reorder(pins), (first,))
    if len(changed) > 1:
        yield _Candidate("order", Reorder(tuple(pin for _, pins in changed for pin in pins)), (changed[0][0],))


def _eager(plan: Plan, program: Program) -> list[dict[TaskId, Nanoseconds]]:
    """By stream: when each of its operations would start, in that order."""
    operations = program.operations
    place = {op.task: at for at, op in enumerate(operations)}
    linked = {(link.predecessor, link.successor) for link in plan.dependencies}
    accesses = [OperationSpec(op.kind, reads=op.reads, writes=op.writes).accesses() for op in operations]
    before: list[list[int]] = []
    for number, op in enumerate(operations):
        reads, writes = accesses[number]
        before.append(
            [
                at
                for at, (other_reads, other_writes) in enumerate(accesses[:number])
                if (operations[at].task, op.task) in linked
                or not writes.isdisjoint(other_reads | other_writes)
                or not reads.isdisjoint(other_writes)
            ]
        )
    for number, op in enumerate(operations):
        before[number] += [place[task] for task in op.waits if place[task] not in before[number]]
    tails = [0] * len(operations)
    for number in reversed(range(len(operations))):
        for at in before[number]:
            tails[at] = max(tails[at], tails[number] + operations[number].cost_ns)
    return _listed(program, before, tails)


def _listed(program: Program, before: list[list[int]], tails: list[Nanoseconds]) -> list[dict[TaskId, Nanoseconds]]:
    """Starts by stream, of a list schedule: engines with lanes, what can start first, longest tail first."""
    operations = program.operations
    lanes = {engine: [0] * count for engine, count in program.engines}
    streams = [0] * len(program.streams)
    after: dict[int, list[int]] = {}
    waiting = [len(found) for found in before]
    for number, found in enumerate(before):
        for at in found:
            after.setdefault(at, []).append(number)
    ready = [0] * len(operations)
    heap = [(0, -tails[number], number) for number, count in enumerate(waiting) if not count]
    heapq.heapify(heap)
    wanted: list[dict[TaskId, Nanoseconds]] = [{} for _ in program.streams]
    while heap:
        at, tail, number = heapq.heappop(heap)
        op = operations[number]
        engine = lanes.setdefault(op.engine, [0])
        taken = min(op.lanes, len(engine))
        start = max(ready[number], streams[op.stream], engine[taken - 1])
        if start > at:
            heapq.heappush(heap, (start, tail, number))
            continue
        end = streams[op.stream] = start + op.cost_ns
        engine[:taken] = [end] * taken
        engine.sort()
        wanted[op.stream][op.task] = start
        for next_one in after.get(number, ()):
            waiting[next_one] -= 1
            ready[next_one] = max(ready[next_one], end)
            if not waiting[next_one]:
                heapq.heappush(heap, (ready[next_one], -tails[next_one], next_one))
    return wanted


def _new_stream(plan: Plan, number: int) -> str:
    names = {stream.name for stream in plan.streams}
    free = (f"Stream {at}" for at in range(len(names) + 1, len(names) + MOST_STREAMS + len(names) + 2))
    return [name for name in free if name not in names][number - 1]
