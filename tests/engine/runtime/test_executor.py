"""The executor's state machine needs no clock: a test ends parts in any order that a device could."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.program.operation import Operation, Program
from engine.runtime.backend import Completion, Launch
from engine.runtime.executor import (
    BATCH_ROWS,
    ExecutorState,
    RunControl,
    RunOutcome,
    Verb,
    run_program,
    step,
)
from engine.trace.timeline import NOT_KNOWN, PARTS
from tests.drawn_programs import programs
from tests.programs import copy_in, copy_out, is_conflict, kernel, seeded
from tests.programs import program as program_of

Instance = tuple[int, int, int]


def instance(of: Launch | Completion) -> Instance:
    task = of.operation.task if isinstance(of, Launch) else of.task
    return (task, of.iteration, of.part)


@dataclass
class Machine:
    """A device of no substance: holds what was launched, and ends what a test picks."""

    program: Program
    state: ExecutorState
    launched: list[Launch] = field(default_factory=list)
    ended: list[Launch] = field(default_factory=list)

    def feed(self, event: Completion | Verb) -> list[Launch]:
        launches = step(self.state, event)
        for launch in launches:
            self.check_launch(launch)
            self.launched.append(launch)
        return launches

    def check_launch(self, launch: Launch) -> None:
        if launch.part == 0:
            seen = {instance(earlier) for earlier in self.launched}
            for op in self.program.operations:
                if op.task in launch.operation.waits and not (launch.iteration and op.is_once):
                    assert {(op.task, launch.iteration, part) for part in range(op.parts)} <= seen
        assert len(self.in_flight(launch.operation.stream)) < self.state.depth

    def in_flight(self, stream: int) -> list[Launch]:
        return [e for e in self.launched if e.operation.stream == stream and e not in self.ended]

    def can_end(self) -> list[Launch]:
        """The oldest part of each stream, unless it waits for an event."""
        heads = [parts[0] for stream in range(len(self.program.streams)) if (parts := self.in_flight(stream))]
        done = Counter((e.operation.task, e.iteration) for e in self.ended)
        by_task = {op.task: op for op in self.program.operations}
        return [
            head
            for head in heads
            if head.part
            or all(
                done[wait, 0 if by_task[wait].is_once else head.iteration] == by_task[wait].parts
                for wait in head.operation.waits
            )
        ]

    def end(self, launch: Launch, error: str = "") -> list[Launch]:
        self.ended.append(launch)
        return self.feed(Completion(launch.operation.task, launch.iteration, launch.part, 0, 1, error))


def machine(program: Program, repeat: int = 1, depth: int = 2) -> Machine:
    return Machine(program, ExecutorState(program, repeat, depth))


def run_to_end(one: Machine, pick: Callable[[Sequence[Launch]], Launch]) -> RunOutcome:
    while one.state.result is None:
        assert one.can_end(), "nothing can end: the run is stuck"
        one.end(pick(one.can_end()))
    return one.state.result


@settings(deadline=None)
@given(programs(), st.integers(1, 3), st.integers(1, 3), st.data())
def test_that_any_order_of_ends_keeps_every_order_that_data_needs(
    program: Program, repeat: int, depth: int, data: st.DataObject
) -> None:
    one = machine(program, repeat, depth)
    one.feed(Verb.RESUME)
    assert run_to_end(one, lambda heads: data.draw(st.sampled_from(heads))) == RunOutcome("finished")

    spans = [(op, turn) for turn in range(repeat) for op in program.operations if not (turn and op.is_once)]
    wanted = [(op, turn, part) for op, turn in spans for part in range(op.parts)]
    assert Counter(map(instance, one.launched)) == Counter((op.task, turn, part) for op, turn, part in wanted)
    for stream in range(len(program.streams)):
        on_stream = [instance(launch) for launch in one.launched if launch.operation.stream == stream]
        assert on_stream == [(op.task, turn, part) for op, turn, part in wanted if op.stream == stream]
    place = {instance(launch): order for order, launch in enumerate(one.ended)}
    for row, (first, earlier) in enumerate(spans):
        for second, later in spans[row + 1 :]:
            if is_conflict(first, second):
                last_part = place[first.task, earlier, first.parts - 1]
                assert last_part < place[second.task, later, 0]


@settings(deadline=None)
@given(programs(), st.integers(1, 2), st.data())
def test_that_nothing_is_launched_while_paused_and_all_of_it_after(
    program: Program, repeat: int, data: st.DataObject
) -> None:
    one = machine(program, repeat)
    one.feed(Verb.RESUME)
    while one.state.result is None:
        if data.draw(st.booleans()):
            assert one.feed(Verb.PAUSE) == []
            while heads := one.can_end():
                assert one.end(data.draw(st.sampled_from(heads))) == []
            assert one.state.in_flight == 0
            one.feed(Verb.RESUME)
        if heads := one.can_end():
            one.end(data.draw(st.sampled_from(heads)))
    assert len(one.launched) == sum(op.parts * (1 if op.is_once else repeat) for op in program.operations)


@settings(deadline=None)
@given(programs(), st.data())
def test_that_a_canceled_run_drains_and_launches_no_more(program: Program, data: st.DataObject) -> None:
    one = machine(program, repeat=100)
    one.feed(Verb.RESUME)
    for _ in range(data.draw(st.integers(0, 20))):
        one.end(data.draw(st.sampled_from(one.can_end())))
    assert one.feed(Verb.CANCEL) == []
    count = len(one.launched)
    assert run_to_end(one, lambda heads: data.draw(st.sampled_from(heads))) == RunOutcome("canceled")
    assert len(one.launched) == len(one.ended) == count


@settings(deadline=None)
@given(programs(), st.data())
def test_that_the_first_error_names_the_outcome(program: Program, data: st.DataObject) -> None:
    one = machine(program, repeat=100)
    one.feed(Verb.RESUME)
    for _ in range(data.draw(st.integers(0, 20))):
        one.end(data.draw(st.sampled_from(one.can_end())))
    failed = data.draw(st.sampled_from(one.can_end()))
    assert one.end(failed, "It broke.") == []
    while not one.state.result:
        stream = next(op.stream for op in program.operations if one.in_flight(op.stream))
        assert one.end(one.in_flight(stream)[0], "It was not run.") == []
    assert one.state.result == RunOutcome("failed", "It broke.", failed.operation.task)


def pipeline(frames: int, streams: int) -> Program:
    """Copy in, kernel, copy out of a buffer of its own a frame, frames dealt to streams in turn."""
    operations: list[Operation] = []
    for frame in range(frames):
        name, stream, task = f"frame {frame}", frame % streams, 3 * frame + 1
        operations += [
            copy_in(task, stream, name),
            kernel(task + 1, stream, "mix", reads=(name,), writes=(name,)),
            copy_out(task + 2, stream, name),
        ]
    return program_of(operations, [seeded(f"frame {frame}") for frame in range(frames)])


def test_that_iterations_overlap_where_no_buffer_is_shared() -> None:
    one = machine(pipeline(frames=2, streams=2), repeat=3)
    one.feed(Verb.RESUME)
    while any(launch.operation.stream == 0 for launch in one.can_end()):
        one.end(next(launch for launch in one.can_end() if launch.operation.stream == 0))
    assert {launch.iteration for launch in one.launched if launch.operation.stream == 0} == {0, 1, 2}
    assert {launch.iteration for launch in one.launched if launch.operation.stream == 1} == {0}


def test_that_the_next_iteration_waits_for_the_last_reader_of_a_buffer() -> None:
    shared = program_of(
        [copy_in(1, 0, "x"), replace(kernel(2, 1, "mix", reads=("x",), writes=("yy",)), waits=(1,))],
        [seeded("x"), seeded("yy")],
    )
    one = machine(shared, repeat=2)
    assert list(map(instance, one.feed(Verb.RESUME))) == [(1, 0, 0), (2, 0, 0)]
    assert one.end(one.launched[0]) == []
    assert [instance(launch) for launch in one.end(one.launched[1])] == [(1, 1, 0), (2, 1, 0)]


def test_that_a_later_iteration_does_not_wait_for_what_runs_once() -> None:
    """Nor does a stream on which nothing is left to do hold up the end of the run."""
    weights, frame = replace(copy_in(1, 0, "x"), is_once=True), replace(copy_in(2, 1, "yy"), waits=(1,))
    one = machine(program_of([weights, frame], [seeded("x"), seeded("yy")]), repeat=3)
    assert list(map(instance, one.feed(Verb.RESUME))) == [(1, 0, 0), (2, 0, 0), (2, 1, 0)]
    assert run_to_end(one, lambda heads: heads[0]) == RunOutcome("finished")
    assert list(map(instance, one.launched)) == [(1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 2, 0)]


def test_that_a_program_of_what_runs_once_is_finished_after_it() -> None:
    one = machine(program_of([replace(copy_in(1, 0, "x"), is_once=True)], [seeded("x")]), repeat=5)
    one.feed(Verb.RESUME)
    assert run_to_end(one, lambda heads: heads[0]) == RunOutcome("finished")
    assert list(map(instance, one.launched)) == [(1, 0, 0)]


def test_that_the_first_iteration_ends_before_the_first_round_where_something_runs_once() -> None:
    first, *others = pipeline(frames=2, streams=2).operations
    one = replace(pipeline(frames=2, streams=2), operations=(replace(first, is_once=True), *others))
    state = ExecutorState(one, repeat=6, at_once=2)
    launched = step(state, Verb.RESUME)
    seen: list[Launch] = []
    while not state.in_rounds:
        assert not any(launch.is_in_round for launch in launched)
        seen += launched
        launched = end_all(state, launched)
    assert {instance(launch) for launch in seen} == set(rounds_of(one, 0, 1))
    assert [instance(launch) for launch in launched] == rounds_of(one.again(), 1, 4)
    rest = end_all(state, launched)
    assert [launch.iteration for launch in rest] == [5] * len(rest)
    assert not any(launch.is_in_round for launch in rest)


def test_that_a_program_of_nothing_is_finished_at_once() -> None:
    assert machine(program_of([], [])).state.result == RunOutcome("finished")


def test_that_a_wait_for_what_comes_later_is_refused() -> None:
    wrong = program_of([copy_in(1, 0, "x", waits=(2,)), copy_in(2, 1, "yy")], [seeded("x"), seeded("yy")])
    with pytest.raises(DeviceError, match=r"copy_in 1.*does not come before"):
        machine(wrong)


def rounds_of(one: Program, first: int, count: int) -> list[Instance]:
    turns = range(first, first + count)
    return [(op.task, turn, part) for turn in turns for op in one.operations for part in range(op.parts)]


def end_all(state: ExecutorState, launches: list[Launch]) -> list[Launch]:
    """Ends parts in the order they were launched; what is launched meanwhile."""
    ends = (Completion(launch.operation.task, launch.iteration, launch.part, 0, 1) for launch in launches)
    return [launch for end in ends for launch in step(state, end)]


@given(programs())
def test_that_rounds_go_in_the_order_of_the_program_and_what_is_left_follows_once_they_ended(one: Program) -> None:
    one = one.again()
    state = ExecutorState(one, repeat=7, at_once=2)
    launches = step(state, Verb.RESUME)
    assert [instance(launch) for launch in launches] == rounds_of(one, 0, 4), "one goes on, one follows it"
    size = len(launches) // 2
    third = end_all(state, launches[:size])
    assert [instance(launch) for launch in third] == rounds_of(one, 4, 2)
    assert all(launch.is_in_round for launch in launches + third)
    assert end_all(state, (launches[size:] + third)[:-1]) == []
    rest = end_all(state, third[-1:])
    seen: list[Launch] = []
    while rest:
        seen += rest
        rest = end_all(state, rest)
    assert not any(launch.is_in_round for launch in seen)
    assert {instance(launch) for launch in seen} == set(rounds_of(one, 6, 1))
    assert state.result == RunOutcome("finished")


def test_that_a_paused_run_launches_no_round_and_a_resumed_one_goes_on_with_the_next() -> None:
    one = pipeline(frames=3, streams=2)
    state = ExecutorState(one, repeat=100, at_once=2)
    launches = step(state, Verb.RESUME)
    assert step(state, Verb.PAUSE) == []
    assert end_all(state, launches) == []
    resumed = step(state, Verb.RESUME)
    assert [instance(launch) for launch in resumed] == rounds_of(one, 4, 4)
    assert step(state, Verb.CANCEL) == []
    assert end_all(state, resumed) == []
    assert state.result == RunOutcome("canceled")


class FakeDevice:
    """Ends parts in the order they were launched, one a call, when `gate` is open."""

    def __init__(self) -> None:
        self.launched: list[Launch] = []
        self.ended = 0
        self.gate = asyncio.Event()
        self.gate.set()

    def begin(self) -> None:
        self.ended = 0

    def launch(self, launch: Launch) -> None:
        self.launched.append(launch)

    async def completions(self) -> Sequence[Completion]:
        await self.gate.wait()
        assert self.ended < len(self.launched), "asked while nothing was in flight"
        launch, at = self.launched[self.ended], self.ended
        self.ended += 1
        return [Completion(launch.operation.task, launch.iteration, launch.part, at, at + 1)]


def run(
    device: object, program: Program, repeat: int, control: RunControl
) -> tuple[RunOutcome, list[NDArray[np.int64]]]:
    batches: list[NDArray[np.int64]] = []
    outcome = asyncio.run(run_program(device, program, repeat, control, batches.append))  # type: ignore[arg-type]
    return outcome, batches


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110  the fake device lives on this loop: a turn is all it needs
        await asyncio.sleep(0)


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_that_rows_arrive_in_batches_and_none_is_lost() -> None:
    program = pipeline(frames=3, streams=2)
    repeat = BATCH_ROWS // 3
    outcome, batches = run(FakeDevice(), program, repeat, RunControl())
    rows = np.concatenate(batches)
    assert outcome == RunOutcome("finished")
    assert rows.dtype == np.int64
    assert rows.shape == (9 * repeat, len(PARTS))
    assert len(batches) < len(rows) / 4
    assert len({tuple(row) for row in rows[:, :3].tolist()}) == len(rows)
    assert rows[0].tolist() == [1, 0, 0, 1, 0, 0, 0, 1, NOT_KNOWN]
    assert set(rows[rows[:, 0] == 2][:, 5]) == {1}
    assert set(rows[rows[:, 0] == 3][:, 5]) == {2}


def test_that_a_run_canceled_before_it_starts_launches_what_one_turn_allows_at_most() -> None:
    control = RunControl()
    control.cancel()
    device = FakeDevice()
    outcome, _ = run(device, pipeline(frames=3, streams=2), 1000, control)
    assert outcome == RunOutcome("canceled")
    assert len(device.launched) <= 6


def test_that_a_paused_run_waits_and_ends_when_canceled() -> None:
    async def scenario() -> tuple[RunOutcome, int]:
        device, control = FakeDevice(), RunControl()
        device.gate.clear()
        running = asyncio.create_task(run_program(device, pipeline(3, 2), 1000, control, lambda rows: None))  # type: ignore[arg-type]
        await until(lambda: device.launched)
        control.pause()
        await turns(20)
        device.gate.set()
        await until(lambda: device.ended == len(device.launched))
        await turns(20)
        assert device.ended == len(device.launched) == 4
        assert not running.done()
        control.resume()
        await until(lambda: device.ended >= 10)
        control.cancel()
        return await running, len(device.launched)

    outcome, count = asyncio.run(scenario())
    assert outcome == RunOutcome("canceled")
    assert 10 <= count < 9000


def test_that_rows_held_back_are_handed_on_when_the_run_is_torn_down() -> None:
    async def scenario() -> int:
        device, seen = FakeDevice(), []
        running = asyncio.create_task(run_program(device, pipeline(3, 2), 10**6, RunControl(), seen.extend))  # type: ignore[arg-type]
        await until(lambda: device.ended >= 5)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return len(seen)

    assert asyncio.run(scenario()) >= 4
