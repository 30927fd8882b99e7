"""The verb calibrate: the profile it writes, and that nothing is written when there is none to write."""

import json
from pathlib import Path

import pytest

from engine.headless.cli import main
from engine.program.profile import DeviceProfile, load_profile
from engine.session.calibrating import CalibrateJob
from engine.session.profiles import own_names, profile_folder

MEASURED = load_profile("cpu-default")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


async def _measured(job: CalibrateJob) -> DeviceProfile:
    job.is_disturbed = True
    return MEASURED


async def _interrupted(_: CalibrateJob) -> DeviceProfile:
    raise KeyboardInterrupt


def test_that_the_profile_is_written_and_is_the_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(CalibrateJob, "run", _measured)
    assert main(["calibrate", "--device", "cpu", "--json"]) == 0
    told = capsys.readouterr()
    assert DeviceProfile.from_json(told.out) == MEASURED
    path = profile_folder() / "cpu-default.json"
    assert DeviceProfile.from_json(path.read_text(encoding="utf-8")) == MEASURED
    assert f"Wrote {path}" in told.err
    assert "busy" in told.err


def test_that_it_is_written_where_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(CalibrateJob, "run", _measured)
    assert main(["calibrate", "--device", "cpu", "--output", str(tmp_path / "mine.json")]) == 0
    assert json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))["name"] == "cpu-default"
    assert own_names() == ()
    assert "typical 2-core machine" in capsys.readouterr().out


@pytest.mark.parametrize(("device", "words"), [("simulated", "calibrate cpu or cuda"), ("tpu", "no device “tpu”")])
def test_that_a_device_that_cannot_be_measured_is_bad_input(
    device: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--device", device]) == 2
    assert words in capsys.readouterr().err
    assert not profile_folder().exists()


def test_that_an_interruption_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CalibrateJob, "run", _interrupted)
    assert main(["calibrate", "--device", "cpu"]) == 130
    assert not profile_folder().exists()


def test_that_a_file_that_is_no_profile_is_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.loom"
    plan.write_bytes(b"SQLite format 3 and more")
    for path, says in ((plan, "is no device profile"), (tmp_path / "none" / "p.json", "There is no folder")):
        assert main(["calibrate", "--device", "cpu", "--output", str(path)]) == 2
        assert says in capsys.readouterr().err
    assert plan.read_bytes() == b"SQLite format 3 and more"
    assert not (tmp_path / "none").exists()
