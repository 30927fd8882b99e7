"""Gestures in the whole window: a plan of ten thousand tasks, the change to summer time, and a mouse of an X server."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import DAY, Calendar, Clock, Dependency, Plan, Task
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, at, week
from tests.gui.shell import action, settle, show, shown, until

LEFT = Qt.MouseButton.LeftButton
ROOT = Path(__file__).resolve().parents[3]
X_PROGRAMS = ("Xvfb", "openbox", "xdotool")


def state_of(window: MainWindow) -> State:
    state = window.bridge.state
    assert state is not None
    return state


def hold(window: MainWindow, task: int, pixels: int, dx: int = 12) -> QPoint:
    """Press a bar and carry it so far in steps; where the mouse is then."""
    layout = window.gantt._layout()
    bar = layout.bar_of(task)
    start = QPoint(round(bar.left + min(dx, (bar.right - bar.left) / 2)), round(bar.y + METRICS.header_px + 9))
    viewport = window.gantt.chart.viewport()
    QTest.mousePress(viewport, LEFT, pos=start)
    for step in range(1, 21):
        QTest.mouseMove(viewport, start + QPoint(pixels * step // 20, 0))
        QApplication.processEvents()
    return start + QPoint(pixels, 0)


def ten_thousand() -> Plan:
    """Chains of a hundred tasks of a day, each in a summary."""
    tasks, links = [], []
    for first in range(1, 10_000, 100):
        tasks.append(Task(first, f"Part {first // 100}"))
        tasks += [Task(number, f"Step {number}", WORKDAY, first) for number in range(first + 1, first + 100)]
        links += [Dependency(number, number + 1) for number in range(first + 1, first + 99)]
    start = at(2026, 3, 2, 8)
    return Plan("large", Clock.CALENDAR, start, tuple(tasks), tuple(links), Calendar.standard(), next_task_id=10_001)


@pytest.mark.slow
async def test_that_a_bar_of_ten_thousand_tasks_is_dragged_with_all_that_follows_it(
    qapp: QApplication, tmp_path: Path
) -> None:
    loom.save(tmp_path / "large.loom", ten_thousand())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "large.loom"))
        window.gantt.set_time_scale(TimeScale(at(2026, 2, 28), 3600.0))
        settle(qapp)
        before = state_of(window)
        end = hold(window, 3, 5 * 24, dx=4)
        layout = window.gantt._layout()
        await until(lambda: window.gantt.pointer.drag(layout).carried is None)
        trial = window.gantt.pointer.drag(layout).trial
        assert trial.schedule.start_of(4) == before.schedule.start_of(4) + 6 * DAY
        QTest.mouseRelease(window.gantt.chart.viewport(), LEFT, pos=end)
        after = state_of(window)
        assert [after.plan.task(task).pin for task in (2, 3, 4)] == [None, at(2026, 3, 9, 8), None]
        assert after.schedule.start.tolist() == trial.schedule.start.tolist()
        assert after.schedule.start_of(102) == before.schedule.start_of(102)
        action(window, "undo").trigger()
        assert state_of(window).plan == before.plan


async def test_that_drops_across_the_change_to_summer_time_give_days_in_order(
    qapp: QApplication, tmp_path: Path
) -> None:
    """28, 29, 30 March 2026 and on: clocks go forward on the 29th, and the plan knows no clock but its own."""
    every_day = replace(Calendar.standard(), week=(Calendar.standard().week[0],) * 7)
    loom.save(tmp_path / "dst.loom", replace(week().plan, start=at(2026, 3, 26, 8), calendar=every_day))
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "dst.loom"))
        window.gantt.set_time_scale(TimeScale(at(2026, 3, 25), 1800.0))
        settle(qapp)
        dropped = []
        for days in range(1, 7):
            QTest.mouseRelease(window.gantt.chart.viewport(), LEFT, pos=hold(window, 5, days * 48))
            dates = state_of(window).schedule
            dropped.append((dates.start_of(5), dates.finish_of(5)))
            action(window, "undo").trigger()
        assert dropped == [(at(2026, 3, 26 + n, 8), at(2026, 3, 26 + n, 17)) for n in range(1, 6)] + [
            (at(2026, 4, 1, 8), at(2026, 4, 1, 17))
        ]


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of its own with a window manager."""
    missing = [name for name in X_PROGRAMS if shutil.which(name) is None]
    if missing or sys.platform != "linux":
        pytest.skip(f"not installed: {', '.join(missing)}")
    with ExitStack() as stack:
        read, write = os.pipe()
        server = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24", "-nolisten", "tcp"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started = stack.enter_context(subprocess.Popen(server, pass_fds=(write,), **quiet))
        stack.callback(started.terminate)
        os.close(write)
        with os.fdopen(read) as told:
            name = f":{told.readline().strip()}"
        manager = stack.enter_context(subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": name}, **quiet))
        stack.callback(manager.terminate)
        yield name


@pytest.mark.window
@pytest.mark.slow
def test_that_the_mouse_of_an_x_server_does_all_of_it(display: str) -> None:
    here = "tests/gui/gantt/real_mouse.py"
    env = {**os.environ, "DISPLAY": display, "WARPLOOM_TEST_PLATFORM": "xcb", "WAYLAND_DISPLAY": ""}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", here],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4000:]


async def test_that_a_second_press_on_a_bar_opens_its_details_and_one_on_the_ground_nothing(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        settle(qapp)
        chart, layout = window.gantt.chart.viewport(), window.gantt._layout()
        assert layout is not None
        bar = layout.bar(1)
        middle = QPoint(round((bar.left + bar.right) / 2), round(bar.y) + 8 + METRICS.header_px)
        for place in (middle + QPoint(0, 300), middle):
            assert not action(window, "show_inspector").isChecked()
            QTest.mouseClick(chart, LEFT, pos=place)
            QTest.mouseDClick(chart, LEFT, pos=place)
            QTest.mouseRelease(chart, LEFT, pos=place)
        assert action(window, "show_inspector").isChecked()
        assert window.gantt.selection == (2,)
