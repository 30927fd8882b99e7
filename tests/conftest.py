"""Prepares the process that tests run in. It never touches a person's settings, caches or screen."""

import asyncio
import atexit
import importlib.util
import inspect
import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
HAS_QT = importlib.util.find_spec("PySide6") is not None


def _private_home() -> None:
    """Settings, state and data of the tests go to a folder of their own, which is gone afterwards."""
    home = Path(tempfile.mkdtemp(prefix="warploom-tests-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{name}_HOME"] = str(home / name.lower())


# Before Qt, pyqtgraph or Numba is imported by any test.
os.environ["QT_QPA_PLATFORM"] = os.environ.get("WARPLOOM_TEST_PLATFORM", "offscreen")
os.environ["PYTEST_QT_API"] = "pyside6"
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba"))
_private_home()

# No test here asserts a time: speed lives in bench. The same examples each time: new ones are for "make stress".
hypothesis.settings.register_profile("warploom", deadline=None, derandomize="WARPLOOM_RANDOM" not in os.environ)
hypothesis.settings.load_profile("warploom")

# The engine's tests run without Qt, which the window's cannot.
collect_ignore = [] if HAS_QT else ["gui"]


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Without Qt its plugin would stop the run before the first test."""
    if not HAS_QT:
        pluginmanager.set_blocked("pytest-qt")


def pytest_report_header() -> str | None:
    """Says that half the tests are missing, where they are."""
    return None if HAS_QT else "PySide6 is not installed: tests/gui is left out"


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs an `async def` test in an event loop of its own; an error that nobody awaited fails it too."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    lost: list[dict[str, object]] = []
    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(lambda _loop, context: lost.append(context))
        runner.run(pyfuncitem.obj(**wanted))
    assert not lost, f"errors that nobody awaited: {lost}"
    return True


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of sample files beside the repository: shared/corpus."""
    folder = ROOT.parent / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip(f"there are no sample files at {folder}")
    return folder
