"""What only a virtual clock can promise: identical stamps, and figures that a person can work out by hand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.kernels.kernel import Cost, Parameters, Shape
from engine.model import Memory, OperationSpec
from engine.program.hazards import waits_of
from engine.program.operation import Operation, Program
from engine.program.predict import bound_ns, predict
from engine.program.profile import DeviceProfile, KernelFigures, cost_ns, load_profile, work_ns
from engine.program.reference import expected_outputs, is_equal
from engine.program.simulation import FailPart, Fault, ShortMemory, Simulation, SlowCopies, WrongResult
from engine.runtime import simulated
from engine.runtime.executor import RunControl, RunOutcome, run_program
from engine.runtime.simulated import CATCH_UP_SECONDS, ENQUEUE_NS, JITTER, LEAST_SLEEP_SECONDS, SimulatedDevice
from engine.trace.intervals import concurrency
from engine.trace.overlap import measure_timeline
from engine.trace.timeline import ENGINES, PARTS, Timeline
from tests.drawn_programs import programs
from tests.programs import Mix, copy_in, copy_out, kernel, kernels, program, race_free, seeded

Rows = NDArray[np.int64]
LATENCY_NS, LAUNCH_NS = 1_000, 2_000
# A gigabyte a second is a byte a nanosecond; the kernel mix costs 1,000 operations, at half the peak, so 200,000 ns.
PROFILE = replace(
    load_profile("h200-like"),
    copy_in_bytes_per_second=1e9,
    copy_out_bytes_per_second=0.5e9,
    copy_latency_ns=LATENCY_NS,
    pageable_factor=0.25,
    launch_latency_ns=LAUNCH_NS,
    flops_per_second=1e7,
    host_flops_per_second=1e6,
    compute_lanes=8,
    memory_bytes=10_000_000,
    kernels=(),
)
FIRST_NS = ENQUEUE_NS + LAUNCH_NS


@pytest.fixture(autouse=True)
def mix() -> Iterator[Mix]:
    found = Mix()
    with kernels(found):
        yield found


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """No jitter: figures follow from the profile alone."""
    monkeypatch.setattr(simulated, "JITTER", 0.0)


def with_share(share: float) -> DeviceProfile:
    return replace(PROFILE, kernels=(("mix", KernelFigures(share=share)),))


def run(
    one: Program, profile: DeviceProfile = PROFILE, faults: Sequence[Fault] = (), seed: int = 0, repeat: int = 1
) -> tuple[RunOutcome, Rows, SimulatedDevice]:
    device = SimulatedDevice(profile, faults)
    device.prepare(one, seed)
    rows: list[Rows] = [np.empty((0, len(PARTS)), np.int64)]
    outcome = asyncio.run(run_program(device, one, repeat, RunControl(), rows.append))
    return outcome, np.concatenate(rows), device


class Long(Mix):
    """A kernel that a processor is expected to compute for seconds."""

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        return Cost(10**12, 0)


def stamps(one: Program, profile: DeviceProfile = PROFILE, faults: Sequence[Fault] = ()) -> dict[int, tuple[int, int]]:
    """Start and end by task; of the last part where there are several."""
    _, rows, _ = run(one, profile, faults)
    return {row[0]: (row[6], row[7]) for row in rows.tolist()}


def copy_kernel_copy(frames: int, streams: int, items: int = 12_500) -> Program:
    """Frames of 100,000 bytes, so that in, kernel and out take about 100, 200 and 200 microseconds."""
    operations: list[Operation] = []
    for frame in range(frames):
        task, stream, name = 10 * frame + 1, frame % streams, f"frame {frame:03}"
        operations += [
            copy_in(task, stream, name),
            kernel(task + 1, stream, "mix", reads=(name, name), writes=(name,)),
            copy_out(task + 2, stream, name),
        ]
    return program(race_free(operations), [seeded(f"frame {frame:03}", items, "int64") for frame in range(frames)])


def test_that_two_runs_give_the_identical_timeline_whatever_else_the_loop_does() -> None:
    one = copy_kernel_copy(9, 3)

    async def busy() -> Rows:
        async def noise() -> None:
            for _ in range(100_000):
                await asyncio.sleep(0)

        noises = [asyncio.create_task(noise()) for _ in range(3)]
        device, rows = SimulatedDevice(PROFILE), []
        device.prepare(one, 0)
        await run_program(device, one, 4, RunControl(), rows.append)
        for each in noises:
            each.cancel()
        await asyncio.gather(*noises, return_exceptions=True)
        return np.concatenate(rows)

    _, quiet, _ = run(one, repeat=4)
    assert np.array_equal(quiet, asyncio.run(busy()))


def test_that_another_seed_gives_other_stamps_within_the_jitter() -> None:
    one = program([copy_in(1, 0, "x")], [seeded("x", 100_000)])
    wanted = 400_000 + LATENCY_NS
    found = set()
    for seed in range(20):
        _, rows, _ = run(one, seed=seed)
        start, end = rows[0, 6:8].tolist()
        found.add(end - start)
        assert wanted <= end - start <= wanted * (1 + JITTER) + 1
    assert len(found) == 20


def test_that_jitter_depends_on_the_part_and_never_on_the_order_of_launches() -> None:
    one = copy_kernel_copy(2, 2)
    _, rows, _ = run(one)
    _, turned, _ = run(replace(one, operations=(*one.operations[3:], *one.operations[:3])))
    copies = {row[0]: row[7] - row[6] for row in rows.tolist() if row[5] != 1}
    assert copies == {row[0]: row[7] - row[6] for row in turned.tolist() if row[5] != 1}


@given(one=programs(), share=st.sampled_from([0.1, 0.75, 1.0]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_an_operation_keeps_its_lane_from_its_first_part_to_its_last(one: Program, share: float) -> None:
    _, rows, device = run(one, with_share(share), repeat=2)
    timeline = Timeline(one.streams, {})
    timeline.extend(rows)
    for engine, lanes in device.describe().engines:
        mine = timeline.engine == ENGINES.index(engine)
        most = concurrency(timeline.start_ns[mine], timeline.end_ns[mine])[1].max(initial=0)
        assert most <= (1 if engine == "compute" and share == 1.0 else lanes)


async def test_that_the_loop_is_free_while_a_long_kernel_is_computed() -> None:
    during = threading.Event()
    one = program([kernel(1, 0, "long", reads=("a", "bb"), writes=("bb",))], [seeded("a", 8), seeded("bb", 8)])
    with kernels(Long(lambda _: during.wait(20), "long")):
        device = SimulatedDevice(PROFILE)
        device.prepare(one, 0)
        running = asyncio.create_task(run_program(device, one, 1, RunControl(), lambda rows: None))
        await asyncio.sleep(0.02)
        assert not running.done()
        during.set()
        assert await running == RunOutcome("finished")


def costed(one: Program, profile: DeviceProfile) -> Program:
    """The program with what the profile says of its operations, as the compiler would put it."""
    buffers = {buffer.id: buffer for buffer in one.buffers}
    operations = []
    for op in one.operations:
        spec = OperationSpec(op.kind, op.kernel, op.parameters, op.reads, op.writes)
        work, lanes = work_ns(profile, spec, buffers), profile.lanes_taken(op.kind, op.kernel)
        operations.append(replace(op, work_ns=work, cost_ns=cost_ns(profile, spec, buffers), lanes=lanes))
    return replace(one, operations=tuple(operations), engines=profile.engines)


def on_streams(one: Program, count: int) -> Program:
    moved = [replace(op, stream=op.stream % count, waits=()) for op in one.operations]
    return replace(one, streams=one.streams[:count], operations=race_free(moved))


@given(
    one=programs(),
    repeat=st.integers(1, 3),
    seed=st.integers(0, 9),
    share=st.sampled_from([0.1, 0.5, 0.75, 1.0]),
    copy_lanes=st.integers(1, 2),
    jitter=st.sampled_from([0.0, JITTER]),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_no_run_on_any_number_of_streams_beats_the_bound_of_its_program(
    one: Program, repeat: int, seed: int, share: float, copy_lanes: int, jitter: float
) -> None:
    # Launches that cost nothing to hide and copies without a latency: the device is as fast as it can be.
    fast = replace(with_share(share), launch_latency_ns=0, copy_latency_ns=0, copy_in_lanes=copy_lanes)
    for profile, streams in product((with_share(share), fast), (1, 2, 3)):
        program = costed(on_streams(one, min(streams, len(one.streams))), profile)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(simulated, "JITTER", jitter)
            patch.setattr(simulated, "ENQUEUE_NS", 0)
            _, rows, _ = run(program, profile, seed=seed, repeat=repeat)
        span_ns = int(rows[:, 7].max() - rows[:, 6].min())
        assert bound_ns(program, repeat) <= span_ns
        assert bound_ns(program, repeat) <= predict(program, profile, repeat).end_ns_max


@pytest.mark.usefixtures("exact")
def test_that_a_copy_takes_its_latency_and_its_bytes_at_the_bandwidth_of_its_direction() -> None:
    buffers = [seeded("x", 1_000), seeded("y", 1_000, memory=Memory.PAGEABLE)]
    copies = [copy_in(1, 0, "x"), copy_out(2, 0, "x"), copy_in(3, 0, "y"), copy_out(4, 0, "y")]
    taken = {task: end - start for task, (start, end) in stamps(program(copies, buffers)).items()}
    assert taken == {1: LATENCY_NS + 4_000, 2: LATENCY_NS + 8_000, 3: LATENCY_NS + 16_000, 4: LATENCY_NS + 32_000}


@pytest.mark.usefixtures("exact")
def test_that_each_part_of_a_copy_pays_the_latency() -> None:
    _, rows, _ = run(program([copy_in(1, 0, "x", parts=4)], [seeded("x", 1_000)]))
    assert (rows[:, 7] - rows[:, 6]).tolist() == [LATENCY_NS + 1_000] * 4


@pytest.mark.usefixtures("exact")
def test_that_one_part_after_another_leaves_the_host_and_reaches_an_idle_device_after_the_latency() -> None:
    one = program([copy_in(1, 0, "x"), copy_out(2, 1, "y")], [seeded("x", 1), seeded("y", 1)])
    assert {task: start for task, (start, _) in stamps(one).items()} == {1: FIRST_NS, 2: FIRST_NS + ENQUEUE_NS}


@pytest.mark.usefixtures("exact")
def test_that_copies_of_one_direction_queue_and_of_two_directions_overlap() -> None:
    one = program(
        [copy_in(1, 0, "a"), copy_in(2, 1, "bb"), copy_out(3, 2, "ccc")],
        [seeded(name, 10_000) for name in ("a", "bb", "ccc")],
    )
    found = stamps(one)
    assert found[2][0] == found[1][1]
    assert found[3][0] < found[1][1]


def two_kernels() -> Program:
    names = ("a", "bb", "ccc", "dddd")
    both = [
        kernel(1, 0, "mix", reads=("a", "bb"), writes=("bb",)),
        kernel(2, 1, "mix", reads=("ccc", "dddd"), writes=("dddd",)),
    ]
    return program(both, [seeded(name, 8, "int64") for name in names])


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize(
    ("share", "first_ns", "second_start_ns", "second_end_ns"),
    [
        # Both fit: neither slows the other.
        (0.5, 200_000, 3_000, 203_000),
        # All lanes are taken: the second starts when the first has ended.
        (1.0, 200_000, 200_000, 400_000),
        # 6 of 8 lanes: the second runs on 2, a third of its speed, for 197,000 ns, then at full speed.
        (0.75, 200_000, 3_000, 200_000 + 200_000 - 197_000 // 3),
    ],
)
def test_that_a_later_kernel_takes_the_lanes_that_are_left(
    share: float, first_ns: int, second_start_ns: int, second_end_ns: int
) -> None:
    found = stamps(two_kernels(), with_share(share))
    assert found[1] == (FIRST_NS, FIRST_NS + first_ns)
    assert found[2][0] == FIRST_NS + second_start_ns
    assert abs(found[2][1] - FIRST_NS - second_end_ns) <= 1


def test_that_more_streams_overlap_more() -> None:
    spans, hidden = [], []
    for streams in (1, 2, 3):
        one = copy_kernel_copy(12, streams)
        _, rows, _ = run(one)
        timeline = Timeline(one.streams, {op.task: op.name for op in one.operations})
        timeline.extend(rows)
        metrics = measure_timeline(timeline, waits_of(one), None)
        spans.append(metrics.span_ns)
        hidden.append(metrics.hidden_copy_pct)
    assert spans[0] > 1.3 * spans[1] > 1.3 * 1.05 * spans[2]
    assert hidden[0] < hidden[1] < hidden[2]


def test_that_stamps_owe_nothing_to_the_predicted_costs() -> None:
    one = copy_kernel_copy(4, 2)
    guessed = replace(one, operations=tuple(replace(op, cost_ns=10**9 + op.task, lanes=7) for op in one.operations))
    assert stamps(one) == stamps(guessed)


def test_that_a_part_that_fails_keeps_what_ran_before_and_gives_up_what_had_not_started() -> None:
    one = copy_kernel_copy(6, 3)
    outcome, rows, device = run(one, faults=[FailPart(task=12, sentence="out of memory")])
    assert outcome == RunOutcome("failed", "“kernel 12” failed: out of memory.", 12)
    assert {1, 11} <= set(rows[:, 0].tolist())
    assert not {12, 13} & set(rows[:, 0].tolist())
    device.prepare(one, 0)


def test_that_a_fault_can_wait_for_its_iteration_and_part() -> None:
    one = program([copy_in(1, 0, "x", parts=3)], [seeded("x", 300)])
    outcome, rows, _ = run(one, faults=[FailPart(1, part=2, iteration=1)], repeat=3)
    assert outcome.outcome == "failed"
    assert [(iteration, part) for _, iteration, part, *_ in rows.tolist()] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]


def test_that_a_sticky_failure_takes_what_runs_along_and_loses_the_device() -> None:
    one = program([copy_in(1, 0, "x"), copy_out(2, 1, "yy")], [seeded("x", 100), seeded("yy", 100_000)])
    outcome, rows, device = run(one, faults=[FailPart(1, sentence="an illegal address", is_sticky=True)])
    assert outcome == RunOutcome("failed", "“copy_in 1” failed: an illegal address.", 1, is_device_lost=True)
    assert len(rows) == 0, "the copy out was running and died with the device"
    with pytest.raises(DeviceError, match="lost"):
        device.prepare(one, 0)
    device.close()
    device.prepare(one, 0)


def test_that_slow_copies_slow_copies_alone() -> None:
    one = copy_kernel_copy(1, 1)
    usual, slow = stamps(one), stamps(one, faults=[SlowCopies(3.0)])
    taken = {task: (slow[task][1] - slow[task][0]) / (usual[task][1] - usual[task][0]) for task in usual}
    assert taken == pytest.approx({1: 3.0, 2: 1.0, 3: 3.0}, rel=1e-3)


def test_that_a_planted_wrong_result_differs_from_the_reference() -> None:
    one = copy_kernel_copy(2, 2)
    outcome, _, device = run(one, faults=[WrongResult(task=2)])
    assert outcome == RunOutcome("finished")
    equal = {
        name: is_equal(device.read(name), expected, tolerance)
        for name, (expected, tolerance) in expected_outputs(one, 0).items()
    }
    assert equal == {"frame 000": False, "frame 001": True}


def test_that_it_is_labeled_as_simulated() -> None:
    info = SimulatedDevice(PROFILE).describe()
    assert (info.kind, info.stamps, info.name) == ("simulated", "simulated", "h200-like (simulated)")
    assert info.engines == PROFILE.engines
    assert SimulatedDevice(PROFILE, name="made up").describe().name == "made up"


def test_that_what_goes_on_at_once_slows_each_other_down_as_the_profile_says() -> None:
    operations = [copy_in(1, 0, "a"), copy_out(2, 1, "bb")]
    one = program(operations, [seeded("a", 1 << 20), seeded("bb", 1 << 20)])
    alone, crowded = stamps(one), stamps(one, replace(PROFILE, contention=((1.0, 1.0), (2.0, 1.5))))
    took = {task: (alone[task][1] - alone[task][0], crowded[task][1] - crowded[task][0]) for task in (1, 2)}
    # The copy in is the shorter one: it is never alone, and the copy out is beside it as long as that takes.
    assert took[1][1] == pytest.approx(1.5 * took[1][0], rel=0.01)
    assert took[2][1] == pytest.approx(took[2][0] + 0.5 * took[1][0], rel=0.01)


def test_that_two_that_wait_for_memory_share_it_and_one_beside_a_chain_does_not() -> None:
    given = (("microseconds", 50.0),)
    copies = [copy_in(1, 0, "a"), copy_out(2, 1, "bb")]
    beside = [copy_in(1, 0, "a"), kernel(3, 1, "spin", reads=("bb",), writes=("ccc",), parameters=given)]
    buffers = [seeded(name, 1 << 20) for name in ("a", "bb")]
    small = [seeded("a", 1 << 20), seeded("bb", 1 << 8), seeded("ccc", 1 << 8)]
    shared = replace(PROFILE, memory_contention=((1.0, 1.0), (2.0, 2.0)))
    alone, crowded = (stamps(program(copies, buffers), profile)[1] for profile in (PROFILE, shared))
    assert crowded[1] - crowded[0] == pytest.approx(2 * (alone[1] - alone[0]), rel=0.02)
    alone, crowded = (stamps(program(beside, small), profile)[1] for profile in (PROFILE, shared))
    assert crowded == alone


@given(one=programs(), most=st.integers(1, 3))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_no_more_operations_are_at_work_than_there_are_threads(one: Program, most: int) -> None:
    outcome, rows, _ = run(one, replace(PROFILE, most_at_once=most), repeat=2)
    assert outcome == RunOutcome("finished")
    timeline = Timeline(one.streams, {})
    timeline.extend(rows)
    assert concurrency(timeline.start_ns, timeline.end_ns)[1].max(initial=0) <= most


@pytest.mark.usefixtures("exact")
def test_that_a_stream_that_waited_for_another_or_for_a_lane_wakes_up_first() -> None:
    operations = [copy_in(1, 0, "a"), copy_out(2, 1, "a", waits=(1,)), copy_out(3, 1, "a"), copy_in(4, 2, "b")]
    one = program(operations, [seeded("a", 1 << 14), seeded("b", 1 << 14)])
    slow = stamps(one, replace(PROFILE, wake_latency_ns=30_000))
    assert slow[1][0] == FIRST_NS
    assert slow[2][0] == slow[1][1] + 30_000
    assert slow[3][0] == slow[2][1]
    assert slow[4][0] == slow[1][1] + 30_000  # the only lane of its engine was taken
    assert all(slow[task][1] - slow[task][0] == took[1] - took[0] for task, took in stamps(one).items())


def test_that_each_is_slowed_down_by_what_it_is_bound_by() -> None:
    given = (("microseconds", 50.0),)
    operations = [copy_in(1, 0, "a"), kernel(2, 1, "spin", reads=("bb",), writes=("ccc",), parameters=given)]
    one = program(operations, [seeded("a", 1 << 20), seeded("bb", 1 << 8), seeded("ccc", 1 << 8)])
    curves = (("steps", ((1.0, 1.0), (2.0, 1.25))), ("bytes", ((1.0, 1.0), (2.0, 2.0))))
    alone, crowded = stamps(one), stamps(one, replace(PROFILE, contention_by_bound=curves))
    took = {task: (alone[task][1] - alone[task][0], crowded[task][1] - crowded[task][0]) for task in (1, 2)}
    # The copy takes longer beside the kernel, and ends after it: then it is alone for what is left.
    assert took[2][1] == pytest.approx(1.25 * took[2][0], rel=0.02)
    assert took[1][1] == pytest.approx(took[1][0] + took[2][1] / 2, rel=0.02)


def test_that_what_finds_no_memory_is_done_in_halves() -> None:
    one = copy_kernel_copy(2, 2)
    for times, outcome in ((1, "finished"), (3, "finished"), (99, "failed")):
        found, _, device = run(one, faults=[ShortMemory(2, times=times)])
        assert found.outcome == outcome
        if outcome == "finished":
            for name, (expected, tolerance) in expected_outputs(one, 0).items():
                assert is_equal(device.read(name), expected, tolerance)
    assert found.error.startswith("“kernel 2” found no memory, not even for an 8th of its part")


async def test_that_at_a_pace_it_takes_the_time_it_says_and_gives_the_same_stamps() -> None:
    one, loop = copy_kernel_copy(9, 3), asyncio.get_running_loop()
    taken, found = [], []
    for pace in (0.0, 0.01):
        device, rows = SimulatedDevice(PROFILE), []
        device.simulation = Simulation(pace)
        device.prepare(one, 0)
        began = loop.time()
        await run_program(device, one, 1, RunControl(), rows.append)
        taken.append(loop.time() - began)
        found.append(np.concatenate(rows))
    assert np.array_equal(*found)
    span_s = int(found[0][:, 7].max()) / 1e9
    assert taken[1] >= span_s / 0.01 - LEAST_SLEEP_SECONDS


async def test_that_a_pace_is_taken_up_again_where_it_was_left_by_a_pause() -> None:
    device, rows = SimulatedDevice(PROFILE), []
    device.simulation = Simulation(pace=0.01)
    device.prepare(one := copy_kernel_copy(4, 1), 0)
    control, loop = RunControl(), asyncio.get_running_loop()
    running = asyncio.create_task(run_program(device, one, 1, control, rows.append))
    control.pause()
    await asyncio.sleep(0.3)
    began = loop.time()
    control.resume()
    await running
    span_s = int(np.concatenate(rows)[:, 7].max()) / 1e9
    assert loop.time() - began >= span_s / 0.01 - CATCH_UP_SECONDS - LEAST_SLEEP_SECONDS
