"""The set-up script, as far as it can be tested without setting anything up."""

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("libegl1", "libgl1")


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """packaging/dev.py, loaded by path, on an empty folder and with every command that it would run written down."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = importlib.util.spec_from_file_location("warploom_dev", ROOT / "packaging" / "dev.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    venv = tmp_path / ".venv"
    for name, path in {"VENV": venv, "PYTHON": venv / "python", "STAMP": venv / "stamp"}.items():
        monkeypatch.setattr(module, name, path)
    module.commands = []
    monkeypatch.setattr(module, "call", lambda command, extra=None: record(module, command))
    monkeypatch.setattr(module, "become", lambda command: record(module, command))
    return module


def record(dev: ModuleType, command: Sequence[object]) -> int:
    words = [str(word) for word in command]
    dev.commands.append(words)
    if "venv" in words:
        dev.VENV.mkdir(exist_ok=True)
        dev.PYTHON.touch()
        (dev.VENV / "pyvenv.cfg").write_text(f"version = {sys.version.split()[0]}\n", encoding="utf-8")
    return 0


def test_that_the_environment_is_filled_once(dev: ModuleType) -> None:
    dev.fill_venv()
    assert any("--require-hashes" in command for command in dev.commands)
    dev.commands.clear()
    dev.fill_venv()
    assert dev.commands == []


def test_that_a_changed_lock_fills_the_environment_again(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dev.fill_venv()
    dev.commands.clear()
    other = tmp_path / "requirements.lock"
    other.write_text("numpy==1\n", encoding="utf-8")
    monkeypatch.setattr(dev, "LOCK", other)
    dev.fill_venv()
    assert [command[-1] for command in dev.commands if "install" in command] == [str(other)]


def test_that_a_python_without_ensurepip_fills_the_environment_with_its_own_pip(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev.shutil, "which", lambda name: None)
    monkeypatch.setattr(dev, "has_ensurepip", lambda: False)
    monkeypatch.setattr(dev, "has_pip", lambda base: True)
    make, fill = dev.filling_commands()
    assert "--without-pip" in make
    assert fill[1:5] == ["-m", "pip", "--python", dev.PYTHON]


def test_that_without_any_pip_the_line_to_type_is_said(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("has_ensurepip", "has_pip", "may_install"):
        monkeypatch.setattr(dev, name, lambda *asked: False)
    monkeypatch.setattr(dev.shutil, "which", lambda name: None)
    assert dev.main(["run"]) == 4
    assert capsys.readouterr().err.rstrip().endswith("apt-get install -y python3-pip")


def test_that_tests_without_the_libraries_of_qt_end_with_the_line_to_type(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "may_install", lambda: False)
    monkeypatch.setattr(dev.preflight, "is_linux", lambda: True)
    monkeypatch.setattr(dev.preflight, "missing_packages", lambda table: LIBRARIES)
    assert dev.main(["test"]) == 3
    assert capsys.readouterr().err.rstrip().endswith("apt-get install -y libegl1 libgl1")


def test_that_an_administrator_gets_the_libraries_before_the_window_opens(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = dev.preflight.Problem("Qt needs them", 3, LIBRARIES)
    monkeypatch.setattr(dev, "may_install", lambda: True)
    monkeypatch.setattr(dev.preflight, "missing_display", lambda: None)
    monkeypatch.setattr(dev.preflight, "missing_libraries", lambda display_needed: problem)
    assert dev.main(["run", "a.loom"]) == 0
    assert dev.commands[-2][-2:] == list(LIBRARIES)
    assert dev.commands[-1][1:] == [str(ROOT / "app.py"), "a.loom"]


def test_that_faults_stop_the_run_before_the_tests(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "prepare_tests", lambda: None)
    monkeypatch.setattr(dev, "call", lambda command, extra=None: int("mypy" in command))
    assert dev.main(["test"]) == 1
    assert "stopped before the tests: mypy found faults" in capsys.readouterr().err


def test_that_an_unknown_verb_is_answered_with_the_verbs(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["dance"]) == 2
    assert "dev.py run" in capsys.readouterr().out
