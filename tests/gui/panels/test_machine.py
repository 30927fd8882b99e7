"""The machine card in the window: what it says before a run, after it, and without a device plan."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from gui.dialogs.calibrate_dialog import CalibrateDialog
from tests.gui.shell import action, ended, settle, show, shown, three_days, two_frames


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


async def test_that_the_card_says_what_runs_the_plan_and_after_a_run_how_far_off_the_prediction_was(
    qapp: QApplication, tmp_path: Path
) -> None:
    loom.save(tmp_path / "plan.loom", two_frames())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "plan.loom"))
        panel = window.docks.machine_panel
        assert window.docks.machine.isHidden()
        action(window, "show_machine").trigger()
        settle(qapp)
        assert "The device is not started yet." in panel.texts
        assert "cpu-default" in panel.texts
        assert "typical 2-core machine" in panel.texts
        window.bridge.run()
        await ended(window.bridge)
        settle(qapp)
        texts = panel.texts
        assert window.bridge.device_name in texts
        assert any("calibrate it in the menu Run" in text for text in texts)
        assert {text.split(" \N{MULTIPLICATION SIGN}")[0] for text in texts} >= {"copy in", "copy out", "kernel saxpy"}
        panel.calibrate.click()
        assert [dialog for dialog in window.findChildren(CalibrateDialog) if dialog.isVisible()]


async def test_that_without_a_device_plan_the_card_says_what_it_is_for(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "plan.loom", three_days())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "plan.loom"))
        action(window, "show_machine").trigger()
        settle(qapp)
        assert window.docks.machine_panel.texts == ["Open a device plan to see what runs it."]
        action(window, "show_machine").trigger()
        assert window.docks.machine.isHidden()
