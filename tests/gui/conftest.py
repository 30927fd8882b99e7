"""Runs the window's `async def` tests on the window's own loop, and lets widgets die on its thread alone.

It never opens a person's files or settings.
"""

import asyncio
import gc
import inspect
from collections.abc import Generator
from pathlib import Path

import pytest

from engine.formats import loom


@pytest.fixture
def house(tmp_path: Path) -> str:
    """A calendar plan in a file."""
    from tests.gui.shell import three_days

    loom.save(tmp_path / "house.loom", three_days())
    return str(tmp_path / "house.loom")


@pytest.fixture
def frames(tmp_path: Path) -> str:
    """A device plan in a file."""
    from tests.gui.shell import two_frames

    loom.save(tmp_path / "frames.loom", two_frames())
    return str(tmp_path / "frames.loom")


@pytest.fixture(autouse=True, scope="module")
def _settled() -> None:
    """Modules, code and what earlier tests have kept are not looked through again after every test."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Collects garbage on this thread alone: a window that dies on a worker's takes the process along, sooner or later.

    Nothing of the test is left to be collected afterwards, when the interpreter does so again wherever it is.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.enable()


def pytest_sessionfinish() -> None:
    """As the app does before it ends."""
    from PySide6.QtGui import QGuiApplication

    from gui.appearance import leave_application

    if QGuiApplication.instance() is not None:
        leave_application()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """As for the engine's tests, with Qt beneath: an error that nobody awaited fails the test too."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    from PySide6.QtGui import QGuiApplication

    from gui.loop import CollectorPin, Loop

    # As in the app: a window that an earlier test closed does not end the loop of this one.
    QGuiApplication.setQuitOnLastWindowClosed(False)
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    lost: list[dict[str, object]] = []
    pin = CollectorPin()
    try:
        with asyncio.Runner(loop_factory=Loop) as runner:
            runner.get_loop().set_exception_handler(lambda _loop, context: lost.append(context))
            runner.run(pyfuncitem.obj(**wanted))
    finally:
        pin.stop()
    assert not lost, f"errors that nobody awaited: {lost}"
    return True
