#!/usr/bin/env python3
"""Sets Warploom up on this machine and starts it, its tests, its benchmarks or its checks.

It never needs more than the standard library, and never touches a Python other than the one in .venv.

    python3 packaging/dev.py run [FILE ...]     opens the window
    python3 packaging/dev.py test [ARGS ...]    ruff, mypy, import-linter, then pytest with ARGS
    python3 packaging/dev.py bench [ARGS ...]   benchmarks
    python3 packaging/dev.py bench-full         the optimizer on every instance at 1, 10 and 60 s: a day; results
                                                are kept as they come, and --resume goes on where it was stopped
    python3 packaging/dev.py stress [ARGS ...]  long tests: kills, faults, random input
    python3 packaging/dev.py sanitize [ARGS]   the CUDA sources as C++ under sanitizers (needs g++)
    python3 packaging/dev.py lint               ruff, mypy and import-linter alone
    python3 packaging/dev.py lock [--upgrade]   writes requirements.lock anew from pyproject.toml (needs uv)
"""

import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCK = ROOT / "requirements.lock"
RESULTS = ROOT / ".cache" / "bench-full.csv"
STAMP = VENV / "warploom.stamp"
VERSIONS = ((3, 11), (3, 12), (3, 13))
TEST_ENVIRONMENT = {"QT_QPA_PLATFORM": "offscreen", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
EXIT_NO_LIBRARIES = 3
EXIT_NO_PYTHON = 4

sys.path.insert(0, str(ROOT))
from gui import preflight  # noqa: E402  (stdlib only; gui/__init__.py is empty)


class SetupError(Exception):
    """What cannot be done here, in a sentence, and the exit code."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code


def main(argv: Sequence[str]) -> int:
    """Runs the verb that `argv` starts with and returns its exit code."""
    verb = VERBS.get(argv[0]) if argv else None
    if verb is None:
        print(__doc__)
        return 0 if list(argv) in (["-h"], ["--help"]) else 2
    try:
        return verb(list(argv[1:]))
    except SetupError as error:
        print(f"dev: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 130


def run(args: list[str]) -> int:
    """Opens the window. What cannot be mended here is said by app.py, in one sentence."""
    fill_venv()
    libraries = None if preflight.missing_display() else preflight.missing_libraries(display_needed=True)
    if libraries and may_install():
        install_system_packages(libraries.packages)
    return become([str(PYTHON), str(ROOT / "app.py"), *args])


def test(args: list[str]) -> int:
    """Runs every check, then the tests; pytest's closing line comes last."""
    prepare_tests()
    faults = failing_checks()
    if faults:
        raise SetupError(f"stopped before the tests: {faults} found faults (above)")
    # A file's tests stay together: some share what is slow to make.
    spread = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")
    return call([PYTHON, "-m", "pytest", *spread, *args], TEST_ENVIRONMENT)


def bench(args: list[str]) -> int:
    """Runs the benchmarks, which print ratios and figures."""
    prepare_tests()
    return call([PYTHON, "-m", "tests.bench", *args])


def bench_full(args: list[str]) -> int:
    """Runs the benchmark of the optimizer on all instances there are, for as long as that takes."""
    prepare_tests()
    everything = ("--set", "all", "--seconds", "1", "10", "60", "--keep", RESULTS)
    return call([PYTHON, "-m", "tests.bench", "optimize", *everything, *args])


def stress(args: list[str]) -> int:
    """Runs the long tests, each of which may take an hour."""
    prepare_tests()
    command = [PYTHON, "-m", "pytest", "-o", "faulthandler_timeout=3600", "tests/stress", *args]
    return call(command, {**TEST_ENVIRONMENT, "WARPLOOM_RANDOM": "1"})


def sanitize(args: list[str]) -> int:
    """Runs the CUDA sources, compiled as C++, under the sanitizers of g++."""
    prepare_tests()
    if shutil.which("g++") is None:
        raise SetupError("the sanitizers need g++; install it with: apt-get install g++")
    return call([PYTHON, "-m", "pytest", "tests/sanitize", *args])


def lint(_args: list[str]) -> int:
    """Runs the checks alone."""
    fill_venv()
    faults = failing_checks()
    print(f"lint: {faults} found faults" if faults else "lint: no faults")
    return 1 if faults else 0


def lock(args: list[str]) -> int:
    """Resolves pyproject.toml into requirements.lock: one file with hashes for all Pythons and systems, no address."""
    uv = shutil.which("uv")
    if uv is None:
        raise SetupError("remaking requirements.lock needs uv; install it with: pip install uv")
    resolve = "pip compile --quiet pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes"
    quiet = "--no-emit-index-url --no-header --no-annotate --output-file requirements.lock"
    return call([uv, *resolve.split(), *quiet.split(), *args])


VERBS = {
    "run": run,
    "test": test,
    "bench": bench,
    "bench-full": bench_full,
    "stress": stress,
    "sanitize": sanitize,
    "lint": lint,
    "lock": lock,
}


# The environment


def fill_venv() -> None:
    """Makes .venv hold what requirements.lock lists; does nothing if it does already."""
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == stamp():
        return
    if venv_version() != wanted_version():
        shutil.rmtree(VENV, ignore_errors=True)
    print(f"dev: filling {VENV} from {LOCK.name}; this is done once", flush=True)
    STAMP.unlink(missing_ok=True)
    for command in filling_commands():
        if call(command, {"PIP_ROOT_USER_ACTION": "ignore", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}) != 0:
            raise SetupError(f"{VENV} could not be filled (above)", EXIT_NO_PYTHON)
    STAMP.write_text(stamp(), encoding="utf-8")


def filling_commands() -> list[list[object]]:
    """The commands that make .venv and fill it: by uv, else by this Python's pip, else by a pip of its own."""
    install = ["install", "--require-hashes", "-r", LOCK]
    uv = shutil.which("uv")
    if uv:
        make = [uv, "venv", "--quiet", "--allow-existing", "--python", base_python() or "3.13", VENV]
        return [make, [uv, "pip", install[0], "--python", PYTHON, *install[1:]]]
    base = base_python()
    if base is None:
        raise SetupError(f"Python 3.11, 3.12 or 3.13 is needed; this is {sys.version.split()[0]}", EXIT_NO_PYTHON)
    if not has_pip(base) and not has_ensurepip() and may_install():
        install_system_packages(("python3-pip",))
    if has_pip(base):
        return [[base, "-m", "venv", "--without-pip", VENV], [base, "-m", "pip", "--python", PYTHON, *install]]
    if has_ensurepip():
        return [[base, "-m", "venv", VENV], [PYTHON, "-m", "pip", *install]]
    raise SetupError(f"pip is needed; install it with: {preflight.apt_line(('python3-pip',))}", EXIT_NO_PYTHON)


def stamp() -> str:
    """What .venv was filled from: the lock's hash and the Python."""
    return f"{hashlib.sha256(LOCK.read_bytes()).hexdigest()} {wanted_version()}\n"


def wanted_version() -> tuple[int, int] | None:
    """This Python's version; where Warploom does not run on it, that of .venv."""
    here = sys.version_info[:2]
    return here if here in VERSIONS else venv_version()


def venv_version() -> tuple[int, int] | None:
    """The version of the Python in .venv, or None without a usable one."""
    config = VENV / "pyvenv.cfg"
    if not (config.is_file() and PYTHON.exists()):
        return None
    found = re.search(r"^version(?:_info)? *= *(\d+)\.(\d+)", config.read_text(encoding="utf-8"), re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None


def base_python() -> str | None:
    """This Python outside of any environment, or None if Warploom does not run on it."""
    return getattr(sys, "_base_executable", sys.executable) if sys.version_info[:2] in VERSIONS else None


def has_pip(base: str) -> bool:
    """Whether the Python `base` has a pip that can fill another environment (22.3 or newer)."""
    asked = subprocess.run([base, "-m", "pip", "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"pip (\d+)\.(\d+)", asked.stdout)
    return version is not None and (int(version[1]), int(version[2])) >= (22, 3)


def has_ensurepip() -> bool:
    """Whether this Python can put a pip into a new environment; Debian's cannot, unless python3-venv is there."""
    return importlib.util.find_spec("ensurepip") is not None


# The system


def prepare_tests() -> None:
    """Fills .venv and brings the libraries and the X server that the tests use, as far as it may."""
    fill_venv()
    needed = preflight.missing_packages(preflight.BASE_LIBRARIES)
    wished = preflight.missing_packages(preflight.X11_LIBRARIES)
    if preflight.is_linux() and not shutil.which("Xvfb"):
        wished += ("xvfb",)
    if (needed or wished) and may_install():
        install_system_packages(needed + wished)
    elif needed:
        raise SetupError(
            f"Qt needs system libraries; install them with: {preflight.apt_line(needed)}", EXIT_NO_LIBRARIES
        )
    elif wished:
        print(f"dev: tests on Xvfb are skipped; they need: {preflight.apt_line(wished)}", flush=True)


def may_install() -> bool:
    """Whether this is a Debian-like system and we are its administrator."""
    return preflight.is_linux() and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install_system_packages(packages: Sequence[str]) -> None:
    """Installs Debian packages, with a fresh list of what there is."""
    print(f"dev: installing {' '.join(packages)}", flush=True)
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    call(["apt-get", "update", "-qq"], quiet)
    if call(["apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages], quiet) != 0:
        raise SetupError(f"apt-get could not install {' '.join(packages)} (above)", EXIT_NO_LIBRARIES)


# Commands


def failing_checks() -> str:
    """Runs every check and names those that found faults."""
    typed = [name for name in ("app.py", "engine", "gui") if (ROOT / name).exists()]
    checks: dict[str, list[object]] = {
        "ruff check": [PYTHON, "-m", "ruff", "check", "--quiet", "."],
        "ruff format": [PYTHON, "-m", "ruff", "format", "--check", "--quiet", "."],
        "mypy": [PYTHON, "-m", "mypy", *typed],
        "import-linter": [BIN / "lint-imports", "--no-logo"],
    }
    return ", ".join([name for name, command in checks.items() if call(command) != 0])


def call(command: Sequence[object], extra: dict[str, str] | None = None) -> int:
    """Runs a command in the repository's root, with `extra` in its environment, and returns its exit code."""
    words = [str(word) for word in command]
    try:
        return subprocess.run(words, cwd=ROOT, env={**os.environ, **(extra or {})}, check=False).returncode
    except FileNotFoundError:
        raise SetupError(f"{shlex.join(words[:1])} is not there; delete {VENV} and try again") from None


def become(command: list[str]) -> int:
    """Hands this process over to `command`, in the folder it was started from, so that signals reach it."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
