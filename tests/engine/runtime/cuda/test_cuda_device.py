"""What only the CUDA device must show, on a stand-in for CuPy: what it makes of errors, memory, threads and clocks.

None of it says that a GPU would do the same; tests/device_check.py asks one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.errors import DeviceError
from engine.model import Buffer, Fill, FillKind, Memory
from engine.process.host import LOST, Host
from engine.process.messages import Hello, RingAttach, RunEnded, RunRequest
from engine.process.ring import Ring
from engine.program.operation import Program
from engine.program.reference import expected_outputs, is_equal
from engine.runtime.backend import LostDeviceError
from engine.runtime.cuda import CudaDevice
from engine.runtime.cuda.faults import MOST_RETRIES, STICKY
from engine.runtime.executor import RunControl, RunOutcome, run_program
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.fake_cupy import CUDARuntimeError, fake_cupy, planted
from tests.programs import Mix, copy_in, copy_out, host, kernel, kernels, program, race_free, seeded

pytestmark = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)
SEED = 5


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    return Shim(build(tmp_path_factory.mktemp("shim")))


@pytest.fixture
def cupy(shim: Shim) -> Any:
    return fake_cupy(shim)


@pytest.fixture
def device(cupy: Any) -> Iterator[CudaDevice]:
    opened = CudaDevice(cupy)
    yield opened
    opened.close()


def sums() -> Program:
    """x and y are copied in, added in three parts, and copied out."""
    operations = [
        copy_in(1, 0, "x"),
        copy_in(2, 1, "yy"),
        kernel(3, 0, "saxpy", reads=("x", "yy"), writes=("zzz",), parts=3),
        copy_out(4, 0, "zzz", parts=2),
    ]
    return program(race_free(operations), [seeded(name, 5000) for name in ("x", "yy", "zzz")])


def transform() -> Program:
    operations = [copy_in(1, 0, "x"), kernel(2, 0, "fft", reads=("x",), writes=("y",)), copy_out(3, 0, "y")]
    buffers = [Buffer("x", (16, 64), fill=Fill(FillKind.SEED, 1)), Buffer("y", (16, 64), "complex64")]
    return program(operations, buffers)


def run(device: CudaDevice, one: Program, repeat: int = 1) -> tuple[RunOutcome, list[list[int]]]:
    """The outcome, and the rows of all parts."""
    rows: list[list[int]] = []
    device.prepare(one, SEED)
    outcome = asyncio.run(run_program(device, one, repeat, RunControl(), lambda batch: rows.extend(batch.tolist())))
    return outcome, rows


def is_right(device: CudaDevice, one: Program) -> bool:
    return all(is_equal(device.read(name), *wanted) for name, wanted in expected_outputs(one, SEED).items())


def test_that_a_part_that_does_not_fit_is_tried_again_in_smaller_pieces(cupy: Any, device: CudaDevice) -> None:
    one = transform()
    device.prepare(one, SEED)
    launches = cupy.gpu.counts["launch"]
    freed = cupy.gpu.counts["freed"]
    with planted(cupy, ("launch", 2, 2), ("launch", 3, 2)):
        outcome = asyncio.run(run_program(device, one, 1, RunControl(), lambda rows: None))
    assert outcome == RunOutcome("finished")
    assert is_right(device, one)
    assert cupy.gpu.counts["launch"] - launches == 1 + 1 + 1 + 4, "warm; whole and half refused; quarters"
    assert cupy.gpu.counts["freed"] - freed == 4, "both pools, before each retry"


def test_that_a_block_with_too_many_threads_is_tried_again_with_fewer(cupy: Any, device: CudaDevice) -> None:
    with planted(cupy, ("launch", 1, 701), ("launch", 3, 9)):
        assert run(device, sums())[0] == RunOutcome("finished")
    assert is_right(device, sums())


def test_that_retries_end_and_the_device_stays_of_use(cupy: Any, device: CudaDevice) -> None:
    one = transform()
    device.prepare(one, SEED)
    with planted(cupy, *(("launch", 1 + number, 2) for number in range(1, MOST_RETRIES + 2))):
        outcome = asyncio.run(run_program(device, one, 1, RunControl(), lambda rows: None))
    assert outcome == RunOutcome("failed", "“kernel 2” failed: planted: out of memory.", 2)
    assert run(device, one)[0] == RunOutcome("finished")


@pytest.mark.parametrize("call", ["malloc", "hostAlloc"])
def test_that_memory_that_cannot_be_had_names_the_buffer(cupy: Any, device: CudaDevice, call: str) -> None:
    with (
        planted(cupy, *((call, number, 2) for number in range(1, MOST_RETRIES + 2))),
        pytest.raises(DeviceError, match="There is no memory for the buffer “x”"),
    ):
        device.prepare(sums(), SEED)
    assert run(device, sums())[0] == RunOutcome("finished")


@pytest.mark.parametrize("status", sorted(STICKY))
def test_that_a_sticky_error_loses_the_device_and_names_what_ran(cupy: Any, device: CudaDevice, status: int) -> None:
    device.prepare(sums(), SEED)
    rows: list[list[int]] = []
    with (
        planted(cupy, ("kernel", 2, status)),
        pytest.raises(
            LostDeviceError, match=r"The GPU failed during .*“kernel 3”.* its process has to end: "
        ) as caught,
    ):
        asyncio.run(run_program(device, sums(), 1, RunControl(), lambda batch: rows.extend(batch.tolist())))
    assert 3 in caught.value.ids
    assert {row[0] for row in rows} <= {1, 2, 3}
    device.close()
    with pytest.raises(LostDeviceError):
        device.prepare(sums(), SEED)


@pytest.mark.parametrize("call", ["malloc", "synchronize", "event", "record", "wait_event"])
def test_that_a_gpu_lost_anywhere_is_told_as_lost(cupy: Any, device: CudaDevice, call: str) -> None:
    one = transform() if call == "synchronize" else sums()
    if call != "malloc":
        device.prepare(one, SEED)
    with planted(cupy, (call, 1, 999)), pytest.raises(LostDeviceError):
        run(device, one) if call == "malloc" else drive(device, one)


def drive(device: CudaDevice, one: Program) -> RunOutcome:
    return asyncio.run(run_program(device, one, 1, RunControl(), lambda rows: None))


def test_that_a_gpu_lost_before_an_event_is_read_ends_the_run(
    cupy: Any, device: CudaDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy ended well, but when it did cannot be asked any more."""
    device.prepare(sums(), SEED)

    def lost(first: object, second: object) -> float:
        cupy.gpu.status = 700
        raise CUDARuntimeError(700)

    monkeypatch.setattr(cupy.cuda, "get_elapsed_time", lost)
    with pytest.raises(LostDeviceError, match="The GPU failed during “"):
        asyncio.run(asyncio.wait_for(run_program(device, sums(), 1, RunControl(), lambda rows: None), 20))


def test_that_an_error_of_a_launch_that_is_sticky_loses_the_device_too(cupy: Any, device: CudaDevice) -> None:
    device.prepare(sums(), SEED)
    with planted(cupy, ("launch", 1, 700)), pytest.raises(LostDeviceError, match="The GPU failed during “"):
        asyncio.run(run_program(device, sums(), 1, RunControl(), lambda rows: None))


def test_that_a_gpu_lost_in_a_part_of_one_stream_ends_all_that_fly(cupy: Any, device: CudaDevice) -> None:
    """Nobody waits for a part that will never end."""
    streams = 3
    buffers = [seeded(f"{name}{s}", 4096) for s in range(streams) for name in "ab"]
    operations = [copy_in(10 + s, s, f"a{s}") for s in range(streams)]
    operations += [kernel(20 + s, s, "tanh", reads=(f"a{s}",), writes=(f"b{s}",), parts=4) for s in range(streams)]
    one = program(operations, buffers)
    device.prepare(one, SEED)
    with planted(cupy, ("kernel", 4, 719)), pytest.raises(LostDeviceError):
        asyncio.run(run_program(device, one, 10, RunControl(), lambda rows: None))


def test_that_a_source_that_does_not_compile_is_said_before_the_run(cupy: Any, device: CudaDevice) -> None:
    with planted(cupy, ("compile", 1, 1)), pytest.raises(DeviceError, match="CUDA source of the kernel saxpy does not"):
        device.prepare(sums(), SEED)


def test_that_copies_of_pageable_memory_never_hold_the_loop(cupy: Any, device: CudaDevice) -> None:
    buffers = [seeded("x", 4096, memory=Memory.PAGEABLE), seeded("y", 4096)]
    one = program([copy_in(1, 0, "x"), copy_in(2, 0, "y"), copy_out(3, 0, "x", parts=2)], buffers)
    assert run(device, one)[0] == RunOutcome("finished")
    assert is_right(device, one)
    assert cupy.gpu.pageable_callers == ["calls for stream 0"] * 3


def test_that_host_work_waits_for_the_device_and_the_device_for_it(device: CudaDevice) -> None:
    with kernels(Mix()):
        operations = [
            copy_in(1, 0, "a"),
            kernel(2, 0, "mix", reads=("a", "bb"), writes=("bb",), parts=2),
            copy_out(3, 0, "bb"),
            host(4, 1, "mix", reads=("a", "bb"), writes=("bb",), parts=2),
            copy_in(5, 2, "bb"),
            copy_out(6, 0, "bb"),
        ]
        one = program(
            race_free([copy_in(0, 0, "bb"), *operations]), [seeded("a", 64, "int64"), seeded("bb", 64, "int64")]
        )
        outcome, rows = run(device, one, repeat=3)
        assert outcome == RunOutcome("finished")
        assert len(rows) == 3 * (len(one.operations) + 2)


def test_that_a_mistake_in_host_work_ends_the_run_and_surfaces(
    device: CudaDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(part: int) -> None:
        raise KeyError("no such thing")

    surfaced: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: surfaced.append(args.exc_type))
    with kernels(Mix(stumble)):
        one = program([host(1, 0, "mix", reads=("a", "bb"), writes=("bb",))], [seeded("a", 8), seeded("bb", 8)])
        outcome, _ = run(device, one)
    device.close()  # joins the thread that tells
    assert outcome.error == "“host 1” stopped because of a mistake in its kernel."
    assert surfaced == [KeyError]


def test_that_one_copy_engine_serves_both_directions_of_some_gpus(shim: Shim) -> None:
    device = CudaDevice(fake_cupy(shim, async_engines=1))
    buffers = [seeded(f"b{s}", 100_000) for s in range(4)]
    one = program(
        [copy(10 * s + o, s, f"b{s}") for s in range(4) for o, copy in enumerate((copy_in, copy_out))], buffers
    )
    _, rows = run(device, one, repeat=5)
    device.close()
    spans = sorted((row[6], row[7]) for row in rows)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_that_stamps_lie_on_the_clock_of_the_host(cupy: Any, device: CudaDevice) -> None:
    _, rows = run(device, sums(), repeat=4)
    launch = np.array([row[8] for row in rows])
    start, end = (np.array([row[column] for row in rows]) for column in (6, 7))
    assert (launch >= 0).all()
    assert (launch <= start).all()
    assert (start <= end).all()


def test_that_streams_are_non_blocking_and_events_made_before_the_run(cupy: Any, device: CudaDevice) -> None:
    device.prepare(sums(), SEED)
    asyncio.run(begun(device))
    events, allocated = cupy.gpu.counts["event"], cupy.gpu.counts["malloc"]
    outcome = asyncio.run(run_program(device, sums(), 5, RunControl(), lambda rows: None))
    assert outcome == RunOutcome("finished")
    assert cupy.gpu.counts["malloc"] == allocated
    assert cupy.gpu.counts["event"] - events <= 10, "those of the first anchor"


async def begun(device: CudaDevice) -> None:
    device.begin()


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (lambda: 0, "no GPU of this number"),
        (lambda: refuse(100), "There is no GPU to use here: cudaError: planted 100"),
    ],
)
def test_that_a_driver_without_a_gpu_is_said(
    cupy: Any, monkeypatch: pytest.MonkeyPatch, count: Callable[[], int], sentence: str
) -> None:
    monkeypatch.setattr("engine.runtime.cuda.driver.has_driver", lambda: True)
    cupy.cuda.runtime.getDeviceCount = count
    monkeypatch.setattr("importlib.import_module", lambda name: cupy)
    with pytest.raises(DeviceError, match=sentence):
        CudaDevice()


def refuse(status: int) -> int:
    raise CUDARuntimeError(status)


def test_that_a_missing_cupy_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> SimpleNamespace:
        raise ImportError(f"No module named '{name}'")

    monkeypatch.setattr("engine.runtime.cuda.driver.has_driver", lambda: True)
    monkeypatch.setattr("importlib.import_module", absent)
    with pytest.raises(DeviceError, match=r"A GPU needs CuPy, which is not there .*; install cupy-cuda13x"):
        CudaDevice()


async def test_that_a_lost_gpu_costs_its_process_and_its_code_tells(cupy: Any) -> None:
    """Through the host, as a window would ask: the run fails with the sentence, and the process would leave."""
    host = Host("cuda", lambda kind, profile: CudaDevice(cupy))
    ring = Ring.create(1024)
    host.send(RingAttach(ring.name, ring.capacity))
    assert isinstance(await host.receive(), Hello)
    with planted(cupy, ("kernel", cupy.gpu.counts.get("kernel", 0) + 2, 700)):
        host.send(RunRequest(1, sums(), ""))
        while not isinstance(ended := await host.receive(), RunEnded):
            assert ended is not None
    assert (ended.outcome, ended.is_device_lost, ended.failed_task) == ("failed", True, 3)
    assert ended.error.startswith("The GPU failed during “kernel 3”")
    assert ended.error.endswith("its process has to end: cudaErrorIllegalAddress: planted 700.")
    assert await host.receive() is None
    assert host.exit_code == LOST
    await host.close()
    ring.close()
