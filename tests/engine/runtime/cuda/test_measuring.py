"""Stamps that CUPTI measured: their arithmetic on records made by hand, and a run on stand-ins."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engine.runtime.backend import Completion
from engine.runtime.cuda import CudaDevice, measuring
from engine.runtime.cuda.activities import Activities, Belongs, Call, Measured, Work
from engine.runtime.cuda.recorder import open_recorder
from engine.runtime.executor import RunControl, run_program
from tests.contracts.device_contract import SEED, check_stamps, video
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.fake_cupti import FakeCupti
from tests.fake_cupy import fake_cupy

needs_compiler = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)


def test_that_a_part_is_its_first_work_to_its_last_and_launched_by_the_first_call_that_caused_any() -> None:
    activities = Activities()
    activities.take([Belongs(11, 1), Call(11, 90), Belongs(12, 1), Call(12, 95), Belongs(13, 1), Call(13, 99)])
    activities.take([Work(13, 300, 350), Work(12, 110, 120)])
    assert activities.peek(1) == Measured(part=1, launch_ns=95, start_ns=110, end_ns=350)


def test_that_work_may_be_told_of_before_its_call() -> None:
    activities = Activities()
    activities.take([Work(7, 10, 20)])
    assert activities.peek(3) is None
    activities.take([Belongs(7, 3)])
    assert activities.peek(3) == Measured(part=3, launch_ns=10, start_ns=10, end_ns=20)


def test_that_a_part_without_work_is_not_measured() -> None:
    activities = Activities()
    activities.take([Belongs(7, 3), Call(7, 5)])
    assert activities.peek(3) is None
    assert activities.peek(4) is None


@pytest.mark.parametrize("times", [(0, 0), (0, 50), (50, 40), (-5, 5)])
def test_that_records_that_cannot_be_true_are_counted_and_left_out(times: tuple[int, int]) -> None:
    activities = Activities()
    activities.take([Belongs(7, 3), Work(7, *times)])
    assert activities.peek(3) is None
    assert activities.rejected == 1


def test_that_a_call_after_its_work_is_no_launch_after_the_start() -> None:
    activities = Activities()
    activities.take([Belongs(7, 3), Call(7, 15), Work(7, 10, 20)])
    assert activities.peek(3) == Measured(part=3, launch_ns=10, start_ns=10, end_ns=20)


def test_that_what_is_forgotten_leaves_nothing_behind() -> None:
    activities = Activities()
    activities.take([Belongs(7, 3), Call(7, 5), Work(7, 10, 20)])
    activities.forget(3)
    assert not any((activities._part_of, activities._calls, activities._parts, activities._early))


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    return Shim(build(tmp_path_factory.mktemp("shim")))


def opened(shim: Shim, monkeypatch: pytest.MonkeyPatch, **how: Any) -> CudaDevice:
    cupy = fake_cupy(shim)
    cupti = FakeCupti(cupy, **how)
    monkeypatch.setitem(sys.modules, "cupti", ModuleType("cupti"))
    monkeypatch.setitem(sys.modules, "cupti.cupti", cupti)
    open_recorder.cache_clear()
    return CudaDevice(cupy)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Other tests find no recorder."""
    yield
    open_recorder.cache_clear()


def run(device: CudaDevice) -> np.ndarray:
    one = video(4, 3)
    device.prepare(one, SEED)
    rows: list[np.ndarray] = []
    outcome = asyncio.run(run_program(device, one, 2, RunControl(), rows.append))
    assert outcome.outcome == "finished"
    found = np.concatenate(rows)
    check_stamps(one, 2, found, device.describe())
    return found


@needs_compiler
def test_that_every_row_of_a_run_is_measured_and_keeps_the_contract(
    shim: Shim, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    kept = measuring.Measuring._stamped
    monkeypatch.setattr(
        measuring.Measuring, "_stamped", lambda self, found, inferred: asked.append(1) or kept(self, found, inferred)
    )
    device = opened(shim, monkeypatch)
    assert device.describe().stamps == "measured"
    rows = run(device)
    device.close()
    assert len(asked) == len(rows) > 0


def test_that_a_library_call_half_recorded_waits_for_the_rest_and_no_longer_than_it_must() -> None:
    found = measuring.Measuring(None, print)  # type: ignore[arg-type]
    ended = Completion(5, 0, 0, 10, 5_000_000, launch_ns=5)
    found.expect(1, ended, is_library=True)
    assert found.take([Belongs(7, 1), Call(7, 6), Work(7, 20, 1_000_000)], 5_000_000) == []
    (stamped,) = found.take([Belongs(8, 1), Work(8, 1_000_010, 4_990_000)], 6_000_000)
    assert (stamped.launch_ns, stamped.start_ns, stamped.end_ns) == (6, 20, 4_990_000)
    found.expect(2, ended, is_library=True)
    assert found.take([Belongs(9, 2), Work(9, 20, 30)], 5_000_000 + measuring.PATIENCE_NS) == []
    assert found.take([], 5_000_001 + measuring.PATIENCE_NS) == [ended]


@needs_compiler
def test_that_work_that_is_never_recorded_keeps_what_its_events_say(
    shim: Shim, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(measuring, "PATIENCE_NS", 1_000_000)
    device = opened(shim, monkeypatch, lost=("kernel",))
    run(device)
    device.close()
    assert "have inferred stamps: CUPTI gave no record" in caplog.text


@needs_compiler
@pytest.mark.parametrize(
    ("status", "reason"), [(39, "another profiler is attached"), (15, "CUPTI does not fit the driver"), (27, "ERROR")]
)
def test_that_a_cupti_that_refuses_leaves_inferred_stamps_and_says_why(
    shim: Shim, monkeypatch: pytest.MonkeyPatch, status: int, reason: str
) -> None:
    device = opened(shim, monkeypatch, refusal=status)
    info = device.describe()
    device.close()
    assert info.stamps == "inferred"
    assert f"(stamps are not measured: {reason}" in info.name
