"""A calibration from its first trial to the profile, on the processor and in this process, with few small trials."""

import asyncio
from collections.abc import Iterator

import pytest

from engine.errors import DeviceError
from engine.process.client import DeviceClient
from engine.process.host import Host
from engine.process.messages import Hello
from engine.program.profile import DeviceProfile
from engine.program.trials import Trial, trials
from engine.session import calibrating
from engine.session.calibrating import CalibrateJob, base_profile


def few(base: DeviceProfile, *, is_shared: bool) -> Iterator[Trial]:
    """Of each thing that is timed the least."""
    seen: set[tuple[str, str]] = set()
    for trial in trials(base, is_shared=is_shared):
        if trial.what == "crowd" or (trial.what, trial.name) not in seen:
            seen.add((trial.what, trial.name))
            if trial.what != "crowd" or trial.name.startswith("particles"):
                yield trial


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrating, "trials", few)
    monkeypatch.setattr("engine.program.trials.CROWD_NS", 4_000_000)
    monkeypatch.setattr(calibrating, "ROUNDS", 1)


async def test_that_a_calibration_gives_the_profile_of_its_device_and_says_how_far_it_is() -> None:
    client = DeviceClient("cpu", Host.start)
    heard: list[float] = []
    try:
        profile = await CalibrateJob(client, lambda share, _: heard.append(share)).run()
        hello = client.hello
    finally:
        await client.close()
    assert profile is not None
    assert hello is not None
    assert profile.device == hello.name
    assert profile.measured
    assert profile.source.startswith(f"measured on {hello.name}, 2")
    assert (profile.engines, profile.memory_bytes) == (hello.engines, hello.memory_bytes)
    assert heard == sorted(heard)
    assert heard[0] < 0.01
    assert heard[-1] == 1.0
    assert DeviceProfile.from_json(profile.to_json()) == profile
    assert all(curve for _, curve in profile.copies)
    assert profile.slowdown(profile.compute_lanes + 3) >= 1.0


async def test_that_a_calibration_that_is_canceled_gives_nothing_and_leaves_the_device_free() -> None:
    client = DeviceClient("cpu", Host.start)
    try:
        job = CalibrateJob(client, lambda share, _: job.cancel() if share > 0.1 else None)
        async with asyncio.timeout(60):
            assert await job.run() is None
        again = CalibrateJob(client)
        again.cancel()
        assert await again.run() is None
    finally:
        await client.close()


async def test_that_a_simulated_device_is_not_measured() -> None:
    client = DeviceClient("simulated", Host.start)
    try:
        with pytest.raises(DeviceError, match="nothing to measure"):
            await CalibrateJob(client).run()
    finally:
        await client.close()


def test_that_a_processor_runs_a_kernel_a_lane_and_a_gpu_as_one_of_its_kind_does() -> None:
    engines = (("copy_in", 1), ("compute", 8), ("copy_out", 1), ("host", 1))
    cpu = base_profile(Hello("cpu", "CPU", "wall", engines, 1 << 30))
    assert cpu.engines == engines
    assert cpu.memory_bytes == 1 << 30
    assert {known.share for _, known in cpu.kernels} == {1 / 8}
    gpu = base_profile(Hello("cuda", "GPU", "measured", (("copy_in", 2), ("compute", 80)), 0))
    assert (gpu.copy_in_lanes, gpu.compute_lanes, gpu.memory_bytes) == (2, 80, 141_000_000_000)
    assert len({known.share for _, known in gpu.kernels}) > 1
