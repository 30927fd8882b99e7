"""The way in: what the command line says is what the process becomes, and it leaves as it should."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

import app
from engine.headless import LATER
from tests.conftest import HAS_QT, ROOT

SAMPLE = "resources/samples/video-pipeline.loom"
needs_qt = pytest.mark.skipif(not HAS_QT, reason="needs PySide6")
needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The app as a person starts it."""
    command = [sys.executable, str(ROOT / "app.py"), *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)


def imported_by(arguments: list[str]) -> set[str]:
    """The top packages that a command line imports."""
    code = (
        "import sys, io, app\n"
        "sys.stdout, out = io.StringIO(), sys.stdout\n"
        f"app.main({arguments!r})\n"
        "print(*{name.split('.')[0] for name in sys.modules}, file=out)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    return set(done.stdout.split())


def test_that_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == app.VERSION
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"Warploom {app.VERSION}\n")


def test_that_help_names_the_verbs_there_are_and_loads_nothing_heavy() -> None:
    done = run("--help")
    assert done.returncode == 0
    named = set(done.stdout.splitlines()[-1].removeprefix("verbs: ").split(", "))
    assert {"schedule", "run", "devices", "shot"} <= named
    assert named.isdisjoint(LATER)
    assert not {"PySide6", "numpy", "numba", "pyqtgraph", "qasync"} & imported_by(["--help"])


@pytest.mark.parametrize("verb", [["schedule", SAMPLE, "--json"], ["devices", "--json"], ["convert", "a", "b"]])
def test_that_no_verb_loads_qt(verb: list[str]) -> None:
    assert not {"PySide6", "pyqtgraph", "qasync", "gui"} & imported_by(verb)


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (("rnu", "plan.loom"), "did you mean “run”?"),
        (("Schedule", SAMPLE), "did you mean “schedule”?"),
        (("shto",), "did you mean “shot”?"),
        (("frob",), "--help lists the verbs."),
    ],
)
def test_that_a_mistyped_verb_opens_no_window(words: tuple[str, ...], guess: str) -> None:
    done = run(*words, DISPLAY="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"There is neither a verb nor a file “{words[0]}”; {guess}\n"


def test_that_files_that_are_not_there_are_said_and_cost_no_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.loom").touch()
    Path("a plan").touch()
    assert not app.is_no_file("a plan")
    assert not app.is_no_file("gone.loom")
    assert app.openable(["gone.loom", "plan.loom", "a plan"]) == ["plan.loom", "a plan"]
    assert app.openable(["gone.loom", "lost.loom"]) == ["gone.loom"]
    assert capsys.readouterr().err.count("There is no file ") == 3
    assert app.openable([]) == []


@needs_linux
@pytest.mark.parametrize("arguments", [("schedule", SAMPLE), ("devices", "--json"), ("--help",), ("--version",)])
@pytest.mark.parametrize(
    ("closed", "said"),
    [
        ("| true", ""),
        ("> /dev/full", "The answer could not be printed on stdout: No space left on device.\n"),
        (">&-", "The answer could not be printed on stdout: it is closed.\n"),
        (">&- 2>&-", ""),
    ],
)
def test_that_an_answer_nobody_can_have_is_no_bug(arguments: tuple[str, ...], closed: str, said: str) -> None:
    command = shlex.join([sys.executable, str(ROOT / "app.py"), *arguments])
    line = f"set -o pipefail; {command} {closed}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    # A short answer may be in the pipe before its reader has gone.
    assert done.returncode == 1 or (closed == "| true" and done.returncode == 0)
    assert done.stderr == said


@needs_linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_that_a_run_that_is_ended_early_leaves_nothing_behind(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "app.py"), "run", SAMPLE, "--device", "cpu", "--repeat", "10000", "--json"]
    pipe, env = subprocess.PIPE, {**os.environ, "TMPDIR": str(tmp_path), "WARPLOOM_CACHE_DIR": str(tmp_path)}
    verb = subprocess.Popen(command, cwd=ROOT, env=env, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    below = until_it_has_started(verb, app.DEVICE_PROCESS)
    shared: set[Path] = set()
    if number is signal.SIGINT:  # as a terminal does, when the child has hardly begun
        os.killpg(verb.pid, number)
    else:
        deadline = time.monotonic() + 60
        while not (shared := shared_memory(verb.pid)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert shared
        verb.send_signal(number)
    printed, said = end(verb)
    assert (verb.returncode, said.splitlines()[-1]) == (130, "Interrupted.")
    assert json.loads(printed)["outcome"] == "canceled"
    assert [line for pid, line in below.items() if Path(f"/proc/{pid}").exists()] == []
    assert not any(path.exists() for path in shared)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_that_an_unknown_option_is_bad_input() -> None:
    done = run("--frobnicate")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--frobnicate" in done.stderr


def test_that_compiled_code_is_cached_in_a_persons_own_folder_or_where_they_say(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("NUMBA_CACHE_DIR", "CUPY_CACHE_DIR", "WARPLOOM_CACHE_DIR"):
        monkeypatch.setenv(name, "set, so that it is put back afterwards")
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    app.prepare_environment()
    assert Path(os.environ["NUMBA_CACHE_DIR"]).parent == app.cache_folder()
    assert Path(os.environ["CUPY_CACHE_DIR"]).parent == app.cache_folder()
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/chosen")
    app.prepare_environment()
    assert os.environ["NUMBA_CACHE_DIR"] == "/chosen"


@needs_qt
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_that_without_a_display_it_says_so_in_one_sentence_and_names_the_verb() -> None:
    done = run(DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "app.py run" in done.stderr


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Folders of its own for a window that is started."""
    return {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "STATE", "CACHE")}


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """A window that goes on."""
    command = [sys.executable, str(ROOT / "app.py"), *arguments]
    env = {**os.environ, **environment}
    return subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True)


def end(window: subprocess.Popen[str]) -> tuple[str, str]:
    """Have a window leave no process behind, whatever the test found; what it printed."""
    try:
        return window.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        window.kill()
        window.communicate()
        raise


def until_it_has_started(window: subprocess.Popen[str], *words: str) -> dict[int, str]:
    """Wait until there are processes with these words in their command lines; all that a window has started.

    A window that does not start them is ended.
    """
    deadline = time.monotonic() + 60
    while True:
        found = {pid: command_line(pid) for pid in children(window.pid)}
        if all(any(word in line.split() for line in found.values()) for word in words):
            return found
        if window.poll() is not None or time.monotonic() > deadline:
            window.kill()
            pytest.fail(f"the window started {found}, not {words}:\n{window.communicate()[1]}")
        time.sleep(0.02)


def shared_memory(pid: int) -> set[Path]:
    """The files of shared memory that a process has open."""
    lines = Path(f"/proc/{pid}/maps").read_text(encoding="ascii").splitlines()
    return {Path(line.split()[-1]) for line in lines if "/dev/shm/" in line}


def command_line(pid: int) -> str:
    """How a process was started."""
    with suppress(OSError):  # it has ended
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").replace("\0", " ")
    return ""


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    with suppress(OSError):  # it has ended
        return [int(number) for number in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return []


@needs_qt
@needs_linux
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_that_a_window_told_to_end_leaves_in_order(home: dict[str, str], number: signal.Signals, code: int) -> None:
    window = start(SAMPLE, **home)
    below = until_it_has_started(window, app.DEVICE_PROCESS, app.WARM_KERNELS)
    window.send_signal(number)
    _, said = end(window)
    assert window.returncode == code
    assert [line for line in said.splitlines() if "propagateSizeHints" not in line] == []
    assert [line for pid, line in below.items() if Path(f"/proc/{pid}").exists()] == []


@needs_qt
def test_that_a_shot_is_the_window_in_the_size_scale_and_theme_asked_for(tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    light, dark = tmp_path / "light.png", tmp_path / "dark.png"
    for out, options in ((light, ()), (dark, ("--theme", "dark", "--scale", "2"))):
        done = run("shot", SAMPLE, str(out), "--size", "1000x700", *options)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    pictures = QImage(str(light)), QImage(str(dark))
    assert [(picture.width(), picture.height()) for picture in pictures] == [(1000, 700), (2000, 1400)]
    assert [picture.pixelColor(picture.width() // 2, 4).lightness() > 128 for picture in pictures] == [True, False]


@needs_qt
def test_that_a_shot_of_one_view_is_smaller_than_the_window(tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    for view in ("gantt", "timeline"):
        assert run("shot", SAMPLE, str(tmp_path / "view.png"), "--size", "1000x700", "--view", view).returncode == 0
        picture = QImage(str(tmp_path / "view.png"))
        assert picture.width() == 1000
        assert 100 < picture.height() < 700


@needs_qt
@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("missing.loom", "out.png"), "missing.loom"),
        ((SAMPLE, "/dev/null/out.png"), "/dev/null/out.png"),
        ((SAMPLE, "out.png", "--size", "big"), "1600x1000"),
        ((SAMPLE, "out.png", "--size", "99999x99999"), "7680x4320"),
        ((SAMPLE, "out.xyz"), ".png"),
    ],
)
def test_that_a_shot_that_cannot_be_is_bad_input(arguments: tuple[str, ...], word: str) -> None:
    done = run("shot", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert word in done.stderr


@needs_qt
@pytest.mark.parametrize("name", ["plan.png", "link.png", "notes.png", "folder.png"])
def test_that_a_shot_replaces_nothing_but_a_picture(tmp_path: Path, name: str) -> None:
    plan = tmp_path / "plan.png"  # a plan by its content: its name says nothing
    shutil.copy(ROOT / SAMPLE, plan)
    (tmp_path / "link.png").symlink_to(plan)
    (tmp_path / "notes.png").write_text("milk, bread")
    (tmp_path / "folder.png").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    done = run("shot", str(plan), str(tmp_path / name))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert name in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


@needs_qt
def test_that_a_shot_replaces_an_earlier_picture(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    sizes = []
    for size in ("900x600", "1000x700"):
        assert run("shot", SAMPLE, str(out), "--size", size).returncode == 0
        sizes.append(out.stat().st_size)
    assert sizes[0] != sizes[1]
