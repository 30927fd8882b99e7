"""A bridge and a window for the shell's tests, with what they tell written down. Never a person's files."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from PySide6.QtCore import QSettings, Qt, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from engine.model import Calendar, Clock, Plan, Task
from engine.process.connection import Connection
from engine.process.host import Host
from engine.session.devices import Devices
from engine.session.jobs import Supervisor
from gui.appearance import Appearance
from gui.bridge import Bridge
from gui.main_window import MainWindow
from tests.engine.program.plans import copy_in, copy_out, device_plan, empty, kernel, seeded

WAIT_S = 60.0


def two_frames() -> Plan:
    """Two frames, each copied in, worked on and copied out, on a stream of its own."""
    rows = []
    for number in range(2):
        rows += [
            (f"load {number}", copy_in(f"x{number}"), number),
            (f"work {number}", kernel("saxpy", (f"x{number}", f"x{number}"), (f"y{number}",)), number),
            (f"store {number}", copy_out(f"y{number}"), number),
        ]
    buffers = [make(f"{name}{number}", (4096,)) for number in range(2) for name, make in (("x", seeded), ("y", empty))]
    return device_plan(rows, [(1, 2), (2, 3), (4, 5), (5, 6)], buffers, streams=2)


def racing() -> Plan:
    """A copy in and a kernel that reads it on another stream, with no link between them."""
    rows = [("load", copy_in("x"), 0), ("work", kernel("saxpy", ("x", "x"), ("y",)), 1), ("store", copy_out("y"), 1)]
    return device_plan(rows, [(2, 3)], [seeded("x", (4096,)), empty("y", (4096,))], streams=2)


def three_days() -> Plan:
    """Three tasks on a calendar, from Monday 2 March 2026."""
    tasks = tuple(Task(number, name, 8 * 3600) for number, name in enumerate(("dig", "pour", "build"), 1))
    return Plan("House", Clock.CALENDAR, 1_772_409_600, tasks, calendar=Calendar.standard(), next_task_id=4)


class Heard:
    """Everything a bridge told, by signal."""

    def __init__(self, bridge: Bridge) -> None:
        self.failures: list[tuple[str, tuple[int, ...]]] = []
        self.messages: list[str] = []
        self.fixes: list[tuple[str, object]] = []
        self.bugs: list[BaseException] = []
        bridge.failed.connect(lambda sentence, ids: self.failures.append((sentence, ids)))
        bridge.message.connect(self.messages.append)
        bridge.fix_offered.connect(lambda label, edit: self.fixes.append((label, edit)))


@asynccontextmanager
async def opened(
    start: Callable[[str], Awaitable[Connection]] | None = Host.start,
) -> AsyncIterator[tuple[Bridge, Heard]]:
    """A bridge on a device in this process, or without `start` on real device processes; left in order."""
    bugs: list[BaseException] = []
    supervisor, devices = (
        Supervisor(lambda error, _: bugs.append(error)),
        Devices() if start is None else Devices(start),
    )
    bridge = Bridge(supervisor, devices)
    try:
        yield bridge, Heard(bridge)
    finally:
        bridge.close()
        await bridge.leave()
        await supervisor.leave()
        await devices.close()
        bridge.deleteLater()
    assert not bugs


@asynccontextmanager
async def shown(
    app: QApplication, start: Callable[[str], Awaitable[Connection]] | None = Host.start
) -> AsyncIterator[tuple[MainWindow, Heard]]:
    """A window on such a bridge, with fresh settings."""
    QSettings().clear()
    appearance = Appearance(app, "light")
    async with opened(start) as (bridge, heard):
        window = MainWindow(bridge, appearance, lambda: 3.0)
        window.show()
        try:
            yield window, heard
        finally:
            window.hide()
            window.deleteLater()
    appearance.deleteLater()
    app.setStyleSheet("")


async def emitted(signal: SignalInstance, do: Callable[[], object] = lambda: None) -> tuple[object, ...]:
    """Do something and wait until a signal says that it is done; its arguments."""
    done: asyncio.Future[tuple[object, ...]] = asyncio.get_running_loop().create_future()

    def heard(*values: object) -> None:
        if not done.done():
            done.set_result(values)

    signal.connect(heard)
    try:
        do()
        return await asyncio.wait_for(done, WAIT_S)
    finally:
        signal.disconnect(heard)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what no signal tells of."""
    async with asyncio.timeout(WAIT_S):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def show(window: MainWindow, path: str) -> None:
    """Open a plan and let the window lay it out."""
    await emitted(window.bridge.document_opened, lambda: window.bridge.open(path))
    await asyncio.sleep(0)


def settle(app: QApplication) -> None:
    """Have every layout carried out: one may ask for the next."""
    for _ in range(10):
        app.processEvents()


def action(window: MainWindow, name: str) -> QAction:
    """One of the window's actions."""
    return window.actions_by_id[name]


def question(window: MainWindow) -> QMessageBox:
    """The question that is open."""
    return next(box for box in window.findChildren(QMessageBox) if box.isVisible())


def answer(window: MainWindow, text: str) -> None:
    """Press a button of the question that is open."""
    buttons = question(window).findChildren(QPushButton)
    QTest.mouseClick(next(each for each in buttons if each.text() == text), Qt.MouseButton.LeftButton)


async def ended(bridge: Bridge) -> None:
    """Wait until the run that goes on is over."""
    while bridge.is_running:
        await emitted(bridge.run_changed)
