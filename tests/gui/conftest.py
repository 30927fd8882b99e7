"""Runs the window's `async def` tests on the window's own loop. It never opens a person's files or settings."""

import asyncio
import inspect
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


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """As for the engine's tests, with Qt beneath: an error that nobody awaited fails the test too."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    from PySide6.QtGui import QGuiApplication

    from gui.loop import Loop

    # As in the app: a window that an earlier test closed does not end the loop of this one.
    QGuiApplication.setQuitOnLastWindowClosed(False)
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    lost: list[dict[str, object]] = []
    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.get_loop().set_exception_handler(lambda _loop, context: lost.append(context))
        runner.run(pyfuncitem.obj(**wanted))
    assert not lost, f"errors that nobody awaited: {lost}"
    return True
