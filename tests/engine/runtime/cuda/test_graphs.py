"""Iterations that are replayed as CUDA graphs, on a stand-in for CuPy: when, how, and what a person can still do.

Whether a GPU captures, and gains by, what is captured here, tests/device_check.py asks one.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.model import Memory
from engine.program.operation import Program
from engine.runtime.backend import LostDeviceError
from engine.runtime.cuda import CudaDevice, graphs, rounds
from engine.runtime.cuda.recorder import Recorder
from engine.runtime.executor import RunControl, RunOutcome, run_program
from tests.contracts.device_contract import Watched, check_results, check_run, check_stamps, until
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.fake_cupti import FakeCupti
from tests.fake_cupy import fake_cupy, planted
from tests.programs import copy_in, copy_out, copy_within, host, kernel, program, race_free, seeded, short_program

pytestmark = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)
SEED = 5
HALVES = (("alpha", 0.5), ("beta", 0.25))
few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    return Shim(build(tmp_path_factory.mktemp("shim")))


@pytest.fixture
def cupy(shim: Shim) -> Any:
    return fake_cupy(shim)


@pytest.fixture
def device(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[CudaDevice]:
    """Whatever can be captured is replayed, two iterations a round."""
    monkeypatch.setattr(graphs, "LEAST_REPEATS", 1)
    monkeypatch.setattr(graphs, "LEAST_GAIN", math.inf)
    monkeypatch.setattr(graphs, "TRIAL_ITERATIONS", 3)
    opened = CudaDevice(cupy)
    yield opened
    opened.close()


def chain() -> Program:
    """Two streams that take turns: what each does depends on what the other did last."""
    there = {"reads": ("x", "yy"), "writes": ("yy",), "parameters": HALVES}
    back = {"reads": ("yy", "x"), "writes": ("x",), "parameters": HALVES}
    operations = [copy_in(1, 0, "x"), copy_in(2, 1, "yy")]
    operations += [kernel(10, 1, "saxpy", **there), kernel(11, 0, "saxpy", **back), kernel(12, 1, "saxpy", **there)]
    operations += [copy_out(20, 0, "x"), copy_out(21, 1, "yy")]
    return program(race_free(operations), [seeded("x"), seeded("yy")])


def run(device: CudaDevice, one: Program, repeat: int) -> tuple[RunOutcome, np.ndarray]:
    rows: list[np.ndarray] = []
    at_once = rehearsed(device, one, repeat)
    assert at_once
    outcome = asyncio.run(run_program(device, one, repeat, RunControl(), rows.append, at_once))
    return outcome, np.concatenate(rows)


def rehearsed(device: CudaDevice, one: Program, repeat: int) -> int:
    device.prepare(one, SEED)
    return device.rehearse(repeat)


@few
@given(st.data())
def test_that_drawn_programs_of_short_operations_run_right_as_replays(
    cupy: Any, device: CudaDevice, data: st.DataObject
) -> None:
    one = short_program(lambda choices: data.draw(st.sampled_from(choices)))
    before = cupy.gpu.counts.get("graph", 0)
    check_run(device, one, data.draw(st.integers(2, 5)))
    assert cupy.gpu.counts["graph"] > before


def test_that_the_stand_in_shows_a_wait_that_is_missing(device: CudaDevice) -> None:
    """What is right above would be wrong here: the replays go in any order that the edges allow."""
    one = chain()
    loose = replace(one, operations=tuple(replace(op, waits=()) for op in one.operations))
    assert run(device, loose, 20)[0] == RunOutcome("finished")
    with pytest.raises(AssertionError, match="instead of"):
        check_results(device, one, 20)


@pytest.mark.parametrize(
    "unfit",
    [
        [host(1, 0, "saxpy", reads=("x", "yy"), writes=("yy",), parameters=HALVES)],
        [copy_in(1, 0, "pageable")],
        [copy_out(1, 0, "pageable")],
        [copy_in(1, 0, "x", parts=2)],
        [copy_within(1, 0, "x", "yy", cost_ns=graphs.SHORT_NS)],
        [kernel(1, 0, "fft", reads=("x",), writes=("complex",))],
    ],
    ids=["host work", "in of pageable memory", "out of it", "parts", "a long operation", "a library call"],
)
def test_that_what_a_graph_cannot_hold_goes_part_by_part(cupy: Any, device: CudaDevice, unfit: list[Any]) -> None:
    buffers = [
        seeded("x"),
        seeded("yy"),
        seeded("pageable", memory=Memory.PAGEABLE),
        seeded("complex", 64, "complex64"),
    ]
    assert rehearsed(device, program(unfit, buffers), 1000) == 0
    assert device.rehearsal is None
    assert "begin_capture" not in cupy.gpu.counts


def test_that_a_run_that_hardly_repeats_is_not_rehearsed(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = CudaDevice(cupy)
    assert rehearsed(one, chain(), graphs.LEAST_REPEATS - 1) == 0
    assert one.rehearsal is None
    one.close()


def test_that_a_graph_that_is_not_quicker_is_not_used(
    cupy: Any, device: CudaDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "LEAST_GAIN", 0.0)
    assert rehearsed(device, chain(), 100) == 0
    assert device.rehearsal is not None
    assert min(device.rehearsal.single_ns, device.rehearsal.replay_ns) > 0
    replays = cupy.gpu.counts["graph"]
    check_run(device, chain(), 3)
    assert cupy.gpu.counts["graph"] - replays == 3 * 3, "its own rehearsal alone"


def test_that_a_rehearsal_leaves_the_buffers_as_they_were(device: CudaDevice) -> None:
    one = chain()
    device.prepare(one, SEED)
    before = {buffer.id: device.read(buffer.id) for buffer in one.buffers}
    assert device.rehearse(100) > 0
    assert all(np.array_equal(device.read(name), content) for name, content in before.items())


@pytest.mark.parametrize("call", ["begin_capture", "end_capture", "launch", "memcpy"])
def test_that_what_cuda_will_not_capture_goes_part_by_part(cupy: Any, device: CudaDevice, call: str) -> None:
    one = chain()
    device.prepare(one, SEED)
    with planted(cupy, (call, 1, 900)):
        assert device.rehearse(100) == 0
    assert device.rehearsal is None
    assert asyncio.run(run_program(device, one, 2, RunControl(), lambda rows: None)) == RunOutcome("finished")
    check_results(device, one, 2)


def test_that_iterations_that_make_no_whole_round_follow_part_by_part(
    cupy: Any, device: CudaDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = chain()
    monkeypatch.setattr(graphs, "ROUND_PARTS", 3 * len(one.operations))
    outcome, rows = run(device, one, 11)
    assert device.rehearsal is not None
    assert device.rehearsal.at_once == 3
    assert outcome == RunOutcome("finished")
    check_results(device, one, 11)
    check_stamps(one, 11, rows, device.describe())


def test_that_a_pause_and_a_cancel_act_between_rounds(
    cupy: Any, device: CudaDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = chain()
    size = 2 * len(one.operations)
    monkeypatch.setattr(graphs, "ROUND_PARTS", size)
    watched, control = Watched(device), RunControl()

    async def scenario() -> RunOutcome:
        running = asyncio.create_task(
            run_program(watched, one, 10**6, control, lambda rows: None, at_once)  # type: ignore[arg-type]
        )
        await until(lambda: len(watched.ended) > 3 * size)
        control.pause()
        quiet_turns = 0
        while quiet_turns < 50:
            quiet_turns = quiet_turns + 1 if len(watched.ended) == len(watched.launched) else 0
            await asyncio.sleep(0)
        paused_at = len(watched.launched)
        assert paused_at % size == 0
        control.resume()
        await until(lambda: len(watched.ended) > paused_at + size)
        control.cancel()
        return await running

    at_once = rehearsed(device, one, 10**6)
    assert at_once == 2
    assert asyncio.run(scenario()) == RunOutcome("canceled")
    assert len(watched.ended) == len(watched.launched)
    assert len(watched.launched) % size == 0


def test_that_a_gpu_lost_in_a_replay_is_told_as_lost(cupy: Any, device: CudaDevice) -> None:
    one = chain()
    at_once = rehearsed(device, one, 100)
    with planted(cupy, ("kernel", 7, 700)), pytest.raises(LostDeviceError, match="The GPU failed during “kernel 10”"):
        asyncio.run(run_program(device, one, 100, RunControl(), lambda rows: None, at_once))
    device.close()
    with pytest.raises(LostDeviceError):
        device.prepare(one, SEED)


def test_that_a_gpu_lost_in_a_rehearsal_is_told_as_lost(cupy: Any, device: CudaDevice) -> None:
    device.prepare(chain(), SEED)
    with planted(cupy, ("kernel", 7, 700)), pytest.raises(LostDeviceError):
        device.rehearse(100)


def test_that_a_replay_that_is_refused_fails_the_run_alone(
    cupy: Any, device: CudaDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = chain()
    monkeypatch.setattr(graphs, "ROUND_PARTS", 2 * len(one.operations))
    at_once = rehearsed(device, one, 100)
    watched = Watched(device)
    with planted(cupy, ("graph", 6, 9)):
        outcome = asyncio.run(
            run_program(watched, one, 100, RunControl(), lambda rows: None, at_once)  # type: ignore[arg-type]
        )
    assert outcome.outcome == "failed"
    assert outcome.error.startswith("An iteration failed that was replayed as a graph: ")
    assert len(watched.ended) == len(watched.launched)
    check_run(device, one, 4)


def test_that_where_cupti_measures_parts_go_one_by_one(
    cupy: Any, device: CudaDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its records do not say of which operation of a graph they are."""
    monkeypatch.setattr("engine.runtime.cuda.device.open_recorder", lambda: (Recorder(FakeCupti(cupy)), ""))
    measured = CudaDevice(cupy)
    assert rehearsed(measured, chain(), 100) == 0
    measured.close()


def test_that_an_iteration_is_placed_by_what_its_operations_cost() -> None:
    operations = [
        copy_in(1, 0, "x", cost_ns=10),
        copy_in(2, 1, "yy", cost_ns=20),
        kernel(3, 0, "tanh", reads=("x",), writes=("z",), cost_ns=5),
        kernel(4, 1, "tanh", reads=("z",), writes=("yy",), cost_ns=10, waits=(3,)),
    ]
    found = rounds.shares(program(operations, [seeded(n) for n in ("x", "yy", "z")]), {"copy_in": "copy_in"})
    assert found == {1: (0.0, 0.25), 2: (0.25, 0.75), 3: (0.25, 0.375), 4: (0.75, 1.0)}
