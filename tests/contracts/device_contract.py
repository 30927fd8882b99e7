"""The contract of a device: what a run of a program must yield and show, whoever runs it.

Plain functions, so that tests/device_check.py can ask a GPU where there is no pytest.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.model import Buffer, Fill, FillKind, Memory
from engine.program.operation import Operation, Program
from engine.program.reference import expected_outputs, is_equal
from engine.runtime.backend import Completion, Device, DeviceInfo, Launch, Rehearsing
from engine.runtime.executor import RunControl, RunOutcome, run_program
from engine.trace.timeline import ENGINES, PARTS, Timeline
from tests.programs import (
    Mix,
    copy_in,
    copy_out,
    host,
    is_conflict,
    kernel,
    memset,
    program,
    race_free,
    random_program,
    seeded,
    short_program,
    unrolled,
)

SEED = 5
STAMPS = {"cpu": ("wall",), "simulated": ("simulated",), "cuda": ("measured", "inferred")}
RANDOM_PROGRAMS = 10


@dataclass
class Watched:
    """A device, and what passed between it and the executor."""

    inner: Device
    launched: list[Launch] = field(default_factory=list)
    ended: list[Completion] = field(default_factory=list)

    def begin(self) -> None:
        self.inner.begin()

    def launch(self, launch: Launch) -> None:
        self.launched.append(launch)
        self.inner.launch(launch)

    async def completions(self) -> Sequence[Completion]:
        batch = await self.inner.completions()
        self.ended.extend(batch)
        return batch


def run(device: Device, one: Program, repeat: int = 1) -> tuple[RunOutcome, NDArray[np.int64]]:
    """Prepare and run; the outcome and the rows of all parts."""
    device.prepare(one, SEED)
    batches: list[NDArray[np.int64]] = [np.empty((0, len(PARTS)), np.int64)]
    at_once = device.rehearse(repeat) if isinstance(device, Rehearsing) else 0
    outcome = asyncio.run(run_program(device, one, repeat, RunControl(), batches.append, at_once))
    return outcome, np.concatenate(batches)


def check_results(device: Device, one: Program, repeat: int = 1) -> None:
    """The host side of every buffer equals the plain run."""
    everything = replace(unrolled(one, repeat), outputs=tuple(buffer.id for buffer in one.buffers))
    for name, (expected, tolerance) in expected_outputs(everything, SEED).items():
        actual = device.read(name)
        assert is_equal(actual, expected, tolerance), f"{name}: {actual} instead of {expected}"


def check_stamps(one: Program, repeat: int, rows: NDArray[np.int64], info: DeviceInfo) -> None:
    """One span an operation and iteration; streams, waits, buffers and engines keep their order in the stamps."""
    by_task = {op.task: op for op in one.operations}
    order = [(op, turn) for turn in range(repeat) for op in one.operations if not (turn and op.is_once)]
    wanted = {(op.task, turn, part) for op, turn in order for part in range(op.parts)}
    assert len(rows) == len(wanted)
    assert {(task, turn, part) for task, turn, part, *_ in rows.tolist()} == wanted
    for task, _, _, parts, stream, engine, start, end, launch in rows.tolist():
        op = by_task[task]
        assert (parts, stream, ENGINES[engine]) == (op.parts, op.stream, op.engine)
        assert 0 <= launch <= start <= end
    timeline = Timeline(one.streams, {op.task: op.name for op in one.operations})
    timeline.extend(rows)
    spans = {(span.task, span.iteration): span for span in timeline.spans() if span.is_done}
    assert len(spans) == timeline.count == len(order)
    for (first, earlier), (second, later) in combinations(order, 2):
        if first.stream == second.stream or is_conflict(first, second):
            assert spans[first.task, earlier].end_ns <= spans[second.task, later].start_ns
    for stream in range(len(one.streams)):
        parts = sorted(rows[rows[:, 4] == stream].tolist(), key=lambda row: (row[6], row[7]))
        assert all(before[7] <= after[6] for before, after in pairwise(parts))
    for engine, lanes in info.engines:
        assert most_at_once(rows[rows[:, 5] == ENGINES.index(engine)]) <= lanes


def most_at_once(rows: NDArray[np.int64]) -> int:
    """The largest number of parts that go on at one instant."""
    edges = [(end, -1) for end in rows[:, 7].tolist()] + [(start, 1) for start in rows[:, 6].tolist()]
    count = most = 0
    for _, change in sorted(edges):
        count += change
        most = max(most, count)
    return most


def a_device_says_what_it_is(device: Device, _: Mix) -> None:
    info = device.describe()
    assert info.stamps in STAMPS[info.kind]
    assert info.name
    assert [engine for engine, _ in info.engines] == list(ENGINES)
    assert all(lanes > 0 for _, lanes in info.engines)
    assert info.memory_bytes > 0


def results_and_stamps_of_random_programs_are_right(device: Device, _: Mix) -> None:
    random = Random(SEED)
    for _ in range(RANDOM_PROGRAMS):
        check_run(device, random_program(random.choice), random.choice((1, 2, 3)))


def results_and_stamps_of_short_programs_that_repeat_are_right(device: Device, _: Mix) -> None:
    random = Random(SEED)
    for _ in range(RANDOM_PROGRAMS):
        check_run(device, short_program(random.choice), random.choice((1, 2, 5)))


def check_run(device: Device, one: Program, repeat: int) -> None:
    """It finishes, its results are the reference's, its stamps keep every order."""
    outcome, rows = run(device, one, repeat)
    assert outcome == RunOutcome("finished")
    check_results(device, one, repeat)
    check_stamps(one, repeat, rows, device.describe())


def video(frames: int, streams: int, size: int = 48) -> Program:
    """Frames through a filter: copy in, convolve in parts, copy out, on streams in turn."""
    operations: list[Operation] = [copy_in(1, 0, "weights")]
    buffers = [Buffer("weights", (3, 3), fill=Fill(FillKind.SEED, 1))]
    for frame in range(frames):
        task, stream, source, target = 10 * (frame + 1), frame % streams, f"in {frame}", f"out {frame}"
        operations += [
            copy_in(task, stream, source, parts=2),
            kernel(task + 1, stream, "convolve", reads=(source, "weights"), writes=(target,), parts=3),
            copy_out(task + 2, stream, target),
        ]
        memory = Memory.PAGEABLE if frame % 2 else Memory.PINNED
        buffers.append(Buffer(source, (size, size), memory=memory, fill=Fill(FillKind.SEED, frame)))
        buffers.append(Buffer(target, (size, size), memory=memory))
    return program(race_free(operations), buffers)


def frames_on_three_streams_equal_the_reference(device: Device, _: Mix) -> None:
    one = video(frames=6, streams=3)
    outcome, rows = run(device, one, repeat=2)
    assert outcome == RunOutcome("finished")
    assert len(one.outputs) == 6
    check_results(device, one, repeat=2)
    check_stamps(one, 2, rows, device.describe())


def what_runs_once_runs_in_the_first_iteration_alone(device: Device, _: Mix) -> None:
    """x gets its start once and is worked on by every iteration, on a stream that does nothing else later."""
    operations = [
        replace(copy_in(1, 1, "a"), is_once=True),
        replace(copy_in(2, 1, "bb"), is_once=True),
        kernel(3, 0, "mix", reads=("a", "bb"), writes=("bb",), parts=2),
        copy_out(4, 2, "bb"),
    ]
    check_run(device, program(race_free(operations), [seeded("a", 8, "int64"), seeded("bb", 8, "int64")]), 4)


def outputs_are_poisoned_before_a_run(device: Device, _: Mix) -> None:
    device.prepare(
        program([copy_out(1, 0, "x"), copy_out(2, 0, "n")], [Buffer("x", (4,)), Buffer("n", (4,), "int32")]), SEED
    )
    assert np.isnan(device.read("x")).all()
    assert (device.read("n").view(np.uint8) == 0xA5).all()


def what_is_read_is_a_copy(device: Device, _: Mix) -> None:
    device.prepare(program([copy_in(1, 0, "x")], [seeded("x")]), SEED)
    before = device.read("x").copy()
    device.read("x")[:] = 0
    assert (device.read("x") == before).all()


def a_memset_writes_its_value_into_every_part(device: Device, _: Mix) -> None:
    buffers = [Buffer("x", (1000,)), Buffer("n", (7,), "int32")]
    memsets = [memset(1, 0, "x", 2.5, parts=3), memset(2, 0, "n", -3, parts=2)]
    run(device, program([*memsets, copy_out(3, 0, "x"), copy_out(4, 0, "n")], buffers))
    assert (device.read("x") == 2.5).all()
    assert (device.read("n") == -3).all()


def host_work_uses_host_sides(device: Device, _: Mix) -> None:
    operations = [host(1, 0, "mix", reads=("a", "bb"), writes=("bb",)), copy_in(2, 1, "bb"), copy_out(3, 1, "bb")]
    one = program(race_free(operations), [seeded("a", 8, "int64"), seeded("bb", 8, "int64")])
    run(device, one)
    check_results(device, one)


def a_device_runs_one_program_after_another(device: Device, _: Mix) -> None:
    for one in (video(2, 2), video(3, 1), video(2, 2)):
        outcome, _ = run(device, one)
        assert outcome == RunOutcome("finished")
        check_results(device, one)


def mixing(count: int, streams: int, parts: int = 1) -> Program:
    """Kernels on streams in turn, each stream on a buffer of its own that is copied in first and out at the end."""
    buffers = [seeded("source", 8, "int64"), *(seeded(f"target {s}", 8, "int64") for s in range(streams))]
    operations = [copy_in(1, 0, "source"), *(copy_in(2 + s, s, f"target {s}") for s in range(streams))]
    for task in range(100, 100 + count):
        target = f"target {task % streams}"
        place = (task, task % streams)
        operations.append(kernel(*place, "mix", reads=("source", target), writes=(target,), parts=parts))
    operations += [copy_out(1000 + s, s, f"target {s}") for s in range(streams)]
    return program(race_free(operations), buffers)


def raise_in_part(part: int) -> Callable[[int], object]:
    def during(current: int) -> None:
        if current == part:
            raise ValueError("the data make no sense")

    return during


def a_kernel_that_raises_names_its_operation(device: Device, mix: Mix) -> None:
    one = mixing(count=4, streams=2, parts=3)
    mix.during = raise_in_part(1)
    watched = Watched(device)
    device.prepare(one, SEED)
    rows: list[NDArray[np.int64]] = []
    outcome = asyncio.run(run_program(watched, one, 1, RunControl(), rows.append))  # type: ignore[arg-type]
    assert outcome.outcome == "failed"
    assert outcome.failed_task in (100, 101)
    assert outcome.error == f"“kernel {outcome.failed_task}” failed: the data make no sense."
    assert len(watched.ended) == len(watched.launched), "every part that was launched came back"
    done = {tuple(row[:3]) for row in np.concatenate(rows).tolist()}
    assert (outcome.failed_task, 0, 0) in done, "the partial timeline is kept"
    assert not any(part for task, _, part in done if task >= 100)
    mix.during = lambda part: None
    device.close()
    assert run(device, one)[0] == RunOutcome("finished")
    check_results(device, one)


def parts_behind_a_failed_one_end_with_an_error(device: Device, mix: Mix) -> None:
    mix.during = raise_in_part(0)
    first = kernel(1, 0, "mix", reads=("a", "bb"), writes=("bb",))
    behind = [copy_out(2, 1, "bb", waits=(1,)), copy_out(3, 0, "bb")]
    one = program([first, *behind], [seeded("a", 8, "int64"), seeded("bb", 8, "int64")])

    async def scenario() -> list[Completion]:
        device.begin()
        for op in one.operations:
            device.launch(Launch(op, 0, 0))
        ended: list[Completion] = []
        while len(ended) < 3:
            ended += await device.completions()
        device.launch(Launch(replace(first, task=1), 1, 0))
        return [*ended, *await device.completions()]

    device.prepare(one, SEED)
    ended = asyncio.run(scenario())
    assert ended[0].task == 1
    assert sorted(completion.task for completion in ended) == [1, 1, 2, 3]
    assert all(completion.error for completion in ended)
    assert (device.read("bb") == seeded_content(one, "bb")).all(), "nothing was copied"


def seeded_content(one: Program, name: str) -> NDArray[Any]:
    nothing = replace(one, operations=(), outputs=(name,))
    return expected_outputs(nothing, SEED)[name][0]


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110  what is waited for happens on other threads too
        await asyncio.sleep(0)


def a_canceled_run_returns_every_slot(device: Device, _: Mix) -> None:
    one = mixing(count=6, streams=2, parts=2)
    watched, control = Watched(device), RunControl()

    async def scenario() -> RunOutcome:
        running = asyncio.create_task(run_program(watched, one, 10**6, control, lambda rows: None))  # type: ignore[arg-type]
        await until(lambda: len(watched.ended) > 20)
        control.cancel()
        return await running

    device.prepare(one, SEED)
    assert asyncio.run(scenario()) == RunOutcome("canceled")
    assert len(watched.ended) == len(watched.launched)


def a_paused_run_stands_still_and_goes_on_where_it_was(device: Device, _: Mix) -> None:
    one, repeat = mixing(count=6, streams=2, parts=2), 30
    watched, control = Watched(device), RunControl()
    rows: list[NDArray[np.int64]] = []

    async def scenario() -> RunOutcome:
        running = asyncio.create_task(run_program(watched, one, repeat, control, rows.append))  # type: ignore[arg-type]
        await until(lambda: len(watched.ended) > 20)
        control.pause()
        quiet_turns = 0
        while quiet_turns < 50:
            quiet_turns = quiet_turns + 1 if len(watched.ended) == len(watched.launched) else 0
            await asyncio.sleep(0)
        assert len(watched.launched) < repeat * sum(op.parts for op in one.operations)
        assert not running.done()
        control.resume()
        return await running

    device.prepare(one, SEED)
    assert asyncio.run(scenario()) == RunOutcome("finished")
    check_stamps(one, repeat, np.concatenate(rows), device.describe())
    check_results(device, one, repeat)


def a_run_torn_down_leaves_a_device_that_closes_and_runs_again(device: Device, _: Mix) -> None:
    one = mixing(count=6, streams=2, parts=2)
    watched = Watched(device)

    async def scenario() -> None:
        running = asyncio.create_task(run_program(watched, one, 10**6, RunControl(), lambda rows: None))  # type: ignore[arg-type]
        await until(lambda: len(watched.ended) > 20)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    device.prepare(one, SEED)
    asyncio.run(scenario())
    assert run(device, one)[0] == RunOutcome("finished")
    check_results(device, one)


def buffers_that_do_not_fit_are_refused_before_anything_is_allocated(device: Device, _: Mix) -> None:
    huge = program([copy_in(1, 0, "x")], [Buffer("x", (1 << 40,))])
    said = refusal(lambda: device.prepare(huge, SEED))
    wanted = r"The buffers of “test” need [48],[0-9]{3},[0-9]{3} MiB, but .* has [\d,]+ MiB\."
    assert re.fullmatch(wanted, said), said
    assert run(device, video(1, 1))[0] == RunOutcome("finished")


def closing_twice_and_without_a_program_is_safe(device: Device, _: Mix) -> None:
    device.close()
    device.prepare(video(1, 1), SEED)
    device.close()
    device.close()
    assert "no program" in refusal(device.begin)


def refusal(call: Callable[[], object]) -> str:
    """The sentence of the DeviceError that a call raises; nothing when it raises none."""
    try:
        call()
    except DeviceError as error:
        return error.sentence
    return ""


CHECKS: tuple[Callable[[Device, Mix], None], ...] = (
    what_runs_once_runs_in_the_first_iteration_alone,
    a_device_says_what_it_is,
    results_and_stamps_of_random_programs_are_right,
    results_and_stamps_of_short_programs_that_repeat_are_right,
    frames_on_three_streams_equal_the_reference,
    outputs_are_poisoned_before_a_run,
    what_is_read_is_a_copy,
    a_memset_writes_its_value_into_every_part,
    host_work_uses_host_sides,
    a_device_runs_one_program_after_another,
    a_kernel_that_raises_names_its_operation,
    parts_behind_a_failed_one_end_with_an_error,
    a_canceled_run_returns_every_slot,
    a_paused_run_stands_still_and_goes_on_where_it_was,
    a_run_torn_down_leaves_a_device_that_closes_and_runs_again,
    buffers_that_do_not_fit_are_refused_before_anything_is_allocated,
    closing_twice_and_without_a_program_is_safe,
)
"""Each takes a device and the kernel “mix”, which must be found while it runs, and raises AssertionError."""
