"""The contract of a device, asked of every device there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import DeviceError
from engine.program.operation import Program
from engine.program.profile import load_profile
from engine.runtime.backend import Device
from engine.runtime.cpu import CpuDevice
from engine.runtime.cuda import CudaDevice, graphs
from engine.runtime.simulated import SimulatedDevice
from tests.contracts.device_contract import CHECKS, check_run
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.drawn_programs import programs
from tests.fake_cupy import fake_cupy
from tests.programs import Mix, kernels

few = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def mix() -> Iterator[Mix]:
    found = Mix()
    with kernels(found):
        yield found


@pytest.fixture(params=["cpu", "simulated", "cuda", "cuda on a stand-in for CuPy", "cuda by graphs on a stand-in"])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    """The stand-in shows that what is ours of the CUDA device keeps the contract; never that a GPU would."""
    if "graphs" in request.param:
        monkeypatch.setattr(graphs, "LEAST_REPEATS", 1)
        monkeypatch.setattr(graphs, "LEAST_GAIN", math.inf)
    opened = open_device(request.param, request)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    if COMPILER is None:
        pytest.skip(NO_COMPILER)
    return Shim(build(tmp_path_factory.mktemp("shim")))


def open_device(kind: str, request: pytest.FixtureRequest) -> Device:
    if kind == "cuda":
        try:
            return CudaDevice()
        except DeviceError as error:
            pytest.skip(error.sentence)
    if kind.startswith("cuda"):
        return CudaDevice(fake_cupy(request.getfixturevalue("shim")))
    return CpuDevice() if kind == "cpu" else SimulatedDevice(load_profile("h200-like"))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_that(device: Device, mix: Mix, check: Callable[[Device, Mix], None]) -> None:
    check(device, mix)


def test_that_a_device_is_of_the_kind_it_was_opened_as(device: Device, request: pytest.FixtureRequest) -> None:
    assert device.describe().kind in request.node.name


@few
@given(one=programs(), repeat=st.integers(1, 3))
def test_that_results_and_stamps_of_drawn_programs_are_right(device: Device, one: Program, repeat: int) -> None:
    check_run(device, one, repeat)
