"""Batches of a search through a stand-in for CuPy: memory, launches, and what it makes of errors. It is no GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import DeviceError
from engine.optimize.batch import SGS
from engine.program.launcher import Grid, Source
from engine.runtime.backend import LostDeviceError
from engine.runtime.cuda import CudaLauncher
from tests.batches import BATCHES
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.fake_cupy import fake_cupy, planted

pytestmark = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    return Shim(build(tmp_path_factory.mktemp("shim")))


@pytest.fixture
def cupy(shim: Shim) -> Any:
    return fake_cupy(shim)


@pytest.mark.parametrize("name", BATCHES)
def test_that_a_batch_comes_out_right(cupy: Any, name: str) -> None:
    assert BATCHES[name](CudaLauncher(cupy))


def test_that_a_source_is_compiled_once(cupy: Any) -> None:
    launcher = CudaLauncher(cupy)
    assert [BATCHES["sgs"](launcher) for _ in range(2)] == [True, True]
    assert cupy.gpu.counts["compile"] == 1


def test_that_what_is_put_comes_back_and_what_is_refilled_is_new(cupy: Any) -> None:
    launcher = CudaLauncher(cupy)
    placed = launcher.put(np.arange(12, dtype=np.int32).reshape(3, 4))
    launcher.refill(placed[1:], np.full((2, 4), 7, np.int32))
    assert launcher.get(placed).tolist() == [[0, 1, 2, 3], [7] * 4, [7] * 4]
    assert launcher.get(placed[2]).tolist() == [7] * 4
    assert launcher.get(launcher.put(np.zeros((0, 3), np.int64))).shape == (0, 3)


def test_that_more_shared_memory_than_usual_is_asked_for(cupy: Any) -> None:
    launcher = CudaLauncher(cupy)
    out = launcher.room((1,), np.int64)
    tables = [launcher.put(np.zeros(2, kind)) for kind in (np.int32, np.uint64, *[np.int32] * 4, np.uint16, np.int64)]
    spilled, starts = launcher.room((1,), np.uint64), launcher.room((1, 1), np.int32)
    launcher.launch(SGS, Grid(1, 32, 90 << 10), (*tables, spilled, starts, out), (1, 1, 1, 0, 5, 1, 0))
    assert launcher.get(out).tolist() == [0]


def test_that_a_source_that_does_not_compile_is_named(cupy: Any) -> None:
    with planted(cupy, ("compile", 1, 1)), pytest.raises(DeviceError, match=r"sgs\.cu does not compile"):
        BATCHES["sgs"](CudaLauncher(cupy))
    with pytest.raises(DeviceError, match=r"nowhere\.cu"):
        CudaLauncher(cupy).launch(Source("engine.optimize.batch", "nowhere"), Grid(1, 32), (), ())


def test_that_memory_that_is_short_is_told_and_passes(cupy: Any) -> None:
    launcher = CudaLauncher(cupy)
    with planted(cupy, ("malloc", 1, 2)), pytest.raises(DeviceError, match="out of memory"):
        launcher.room((4,), np.int32)
    assert BATCHES["sgs"](launcher)


def test_that_a_gpu_that_is_lost_stays_lost(cupy: Any) -> None:
    launcher = CudaLauncher(cupy)
    with planted(cupy, ("kernel", 1, 700)), pytest.raises(LostDeviceError, match="planted 700"):
        BATCHES["sgs"](launcher)
    with pytest.raises(LostDeviceError, match="planted 700"):
        launcher.room((1,), np.int32)
