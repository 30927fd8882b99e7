"""Calibrating from the window: offered, followed, canceled, and what it changes. Trials are few and small."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.program.profile import DeviceProfile, load_profile
from engine.session.calibrating import CalibrateJob
from engine.session.profiles import own_names, own_profile
from gui.dialogs.calibrate_dialog import CalibrateDialog
from tests.gui.shell import Heard, action, emitted, ended, show, shown, two_frames, until

MEASURED = load_profile("cpu-default")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


async def measured(job: CalibrateJob) -> DeviceProfile | None:
    """As a job does it, but for the measuring."""
    hello = await job._client.start()
    for step in range(200):
        if job.is_canceling:
            return None
        job._listener(step / 200, "saxpy")
        await asyncio.sleep(0.005)
    job._listener(1.0, "")
    return replace(
        MEASURED,
        name="cpu-measured",
        source="measured now",
        device=hello.name,
        copy_latency_ns=77_000,
        launch_latency_ns=1,
    )


def dialog_of(window: object) -> CalibrateDialog:
    found = [each for each in window.findChildren(CalibrateDialog) if each.isVisible()]  # type: ignore[attr-defined]
    assert len(found) == 1
    return found[0]


async def test_that_a_calibration_says_how_far_it_is_then_what_changed_and_predicts_the_next_run(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CalibrateJob, "run", measured)
    monkeypatch.setattr("gui.bridge.calibrating.own_profile", lambda kind, device: own_profile(kind))
    loom.save(tmp_path / "plan.loom", two_frames())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "plan.loom"))
        assert action(window, "calibrate").isEnabled()
        action(window, "calibrate").trigger()
        dialog = dialog_of(window)
        dialog.start.click()
        await until(lambda: dialog.bar.value() > 100)
        assert dialog.what.text() == "Timing: saxpy"
        assert not action(window, "run").isEnabled()
        assert not action(window, "calibrate").isEnabled()
        await emitted(window.bridge.calibrating.ended)
        assert "predicted by what was measured" in dialog.words.text()
        assert dialog.stop.text() == "Close"
        dialog.stop.click()
        assert own_names() == ("cpu-measured",)
        assert action(window, "run").isEnabled()
        window.bridge.run()
        await ended(window.bridge)
        assert window.bridge.current_run is not None
        assert window.bridge.current_run.profile.copy_latency_ns == 77_000


async def test_that_a_canceled_calibration_writes_nothing(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CalibrateJob, "run", measured)
    async with shown(qapp) as (window, _):
        action(window, "calibrate").trigger()
        dialog = dialog_of(window)
        dialog.start.click()
        await until(lambda: dialog.bar.value() > 10)
        dialog.stop.click()
        await until(lambda: not window.bridge.calibrating.is_on)
        assert own_names() == ()


async def test_that_a_simulated_device_is_not_offered_to_be_measured(qapp: QApplication) -> None:
    async with shown(qapp) as (window, heard):
        assert isinstance(heard, Heard)
        action(window, "device_simulated").trigger()
        assert not action(window, "calibrate").isEnabled()
        action(window, "device_cpu").trigger()
        assert action(window, "calibrate").isEnabled()
