"""What is said on a machine where the window cannot open."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from gui import preflight

ROOT = Path(__file__).resolve().parents[2]
PREFLIGHT = ROOT / "gui" / "preflight.py"


@pytest.fixture(autouse=True)
def linux_without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(preflight, "is_linux", lambda: True)
    monkeypatch.setattr(preflight, "_loads", lambda soname: True)


def test_that_a_complete_machine_without_need_of_a_display_has_no_problem() -> None:
    assert preflight.missing(display_needed=False) is None


def test_that_a_missing_display_is_said_in_one_sentence_that_names_the_headless_verb() -> None:
    problem = preflight.missing(display_needed=True)
    assert problem is not None
    assert problem.exit_code == 3
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in problem.sentence
    assert problem.sentence.endswith("python app.py run FILE --json")
    assert "\n" not in problem.sentence


def test_that_a_display_where_nobody_answers_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":4095")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-nowhere")
    problem = preflight.missing_display()
    assert problem is not None
    assert "nothing answers at WAYLAND_DISPLAY=wayland-nowhere and DISPLAY=:4095" in problem.sentence


def test_that_a_wayland_socket_counts_as_a_display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wayland-7").touch()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    assert preflight.missing_display() is None


@pytest.mark.parametrize("platform", ["offscreen", "minimal", "offscreen:enable_fonts", "vnc:size=800x600"])
def test_that_a_platform_that_draws_by_itself_needs_no_display(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    assert preflight.missing(display_needed=True) is None


def test_that_missing_libraries_are_said_with_the_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "_loads", lambda soname: soname not in ("libEGL.so.1", "libGL.so.1"))
    monkeypatch.setattr(preflight.os, "geteuid", lambda: 1000)
    problem = preflight.missing(display_needed=False)
    assert problem is not None
    assert problem.exit_code == 3
    assert problem.packages == ("libegl1", "libgl1")
    assert problem.sentence.endswith("sudo apt-get install -y libegl1 libgl1")


def test_that_only_a_window_on_x11_needs_the_libraries_of_x11(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "_loads", lambda soname: soname != "libxcb-cursor.so.0")
    assert preflight.missing_libraries(display_needed=False) is None
    problem = preflight.missing_libraries(display_needed=True)
    assert problem is not None
    assert problem.packages == ("libxcb-cursor0",)


@pytest.mark.parametrize(
    ("release", "package"),
    [
        ('ID=debian\nVERSION_ID="12"\n', "libglib2.0-0"),
        ('ID=debian\nVERSION_ID="13"\n', "libglib2.0-0t64"),
        ('ID=ubuntu\nVERSION_ID="24.04"\n', "libglib2.0-0t64"),
        ("ID=debian\n", "libglib2.0-0"),
    ],
)
def test_that_glib_has_the_name_that_this_release_gives_it(
    monkeypatch: pytest.MonkeyPatch, release: str, package: str
) -> None:
    monkeypatch.setattr(preflight.Path, "read_text", lambda path, encoding: release)
    monkeypatch.setattr(preflight, "_loads", lambda soname: False)
    assert preflight.missing_packages((("libglib-2.0.so.0", "libglib2.0-0"),)) == (package,)


def test_that_missing_python_packages_are_said_first(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        preflight.importlib.util, "find_spec", lambda name: None if name in ("qasync", "numba") else found(name)
    )
    problem = preflight.missing(display_needed=True)
    assert problem is not None
    assert problem.exit_code == 4
    assert problem.sentence.startswith("qasync and numba cannot be found by ")
    assert problem.sentence.endswith("Start it with: make run")


def test_that_the_release_of_qt_that_fails_on_an_older_python_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pyside6_essentials-6.12.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(preflight.sys, "version_info", (3, 11, 7))
    problem = preflight.missing_python()
    assert problem is not None
    assert problem.exit_code == 4
    monkeypatch.setattr(preflight.sys, "version_info", (3, 12, 1))
    assert preflight.missing_python() is None


def test_that_the_checks_need_nothing_beyond_the_standard_library() -> None:
    code = "import runpy, sys; runpy.run_path(sys.argv[1]); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, PREFLIGHT], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in ran.stdout.split()}
    assert loaded <= sys.stdlib_module_names | {"__main__"}
