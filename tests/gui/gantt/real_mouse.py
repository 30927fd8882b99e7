"""Gestures by a real pointer on an X server: run by test_window_gestures, on a display of its own."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import Dependency
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.gantt import handles, links
from gui.gantt.columns import COLUMNS, Column
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, at, week
from tests.gui.shell import action, show, shown, until


@asynccontextmanager
async def planned(qapp: QApplication, folder: Path) -> AsyncIterator[MainWindow]:
    """The week in a window on the screen; an hour is two pixels."""
    loom.save(folder / "week.loom", week().plan)
    async with shown(qapp) as (window, _):
        window.resize(1300, 800)
        window.move(20, 40)
        await show(window, str(folder / "week.loom"))
        await until(window.isActiveWindow)
        window.gantt.set_time_scale(TimeScale(at(2026, 2, 28), 1800.0))
        await asyncio.sleep(0.3)
        yield window


async def xdotool(*words: object) -> None:
    run = asyncio.get_running_loop().run_in_executor
    await run(None, lambda: subprocess.run(["xdotool", *map(str, words)], check=True))
    await asyncio.sleep(0.05)


async def go(window: MainWindow, x: float, y: float) -> None:
    """The pointer to a place of the chart."""
    place = window.gantt.chart.viewport().mapToGlobal(QPoint(round(x), round(y) + METRICS.header_px))
    await xdotool("mousemove", place.x(), place.y())


async def carry(window: MainWindow, start: tuple[float, float], end: tuple[float, float]) -> None:
    await go(window, *start)
    await xdotool("mousedown", 1)
    for step in range(1, 6):
        await go(window, *(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))


async def drag(window: MainWindow, start: tuple[float, float], end: tuple[float, float]) -> State:
    await carry(window, start, end)
    await xdotool("mouseup", 1)
    return state_of(window)


def state_of(window: MainWindow) -> State:
    state = window.bridge.state
    assert state is not None
    return state


async def test_that_bars_are_moved_resized_progressed_linked_and_split(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        layout = window.gantt._layout()
        frame, paint = layout.bar(1), layout.bar(4)
        y = frame.y + 9
        state = await drag(window, (paint.left + 9, paint.y + 9), (paint.left + 9 + 48, paint.y + 9))
        assert state.schedule.start_of(5) == at(2026, 3, 3, 8)
        action(window, "undo").trigger()
        state = await drag(window, (frame.right - 2, y), (frame.right - 2 + 48, y))
        assert state.plan.task(2).duration == 4 * WORKDAY
        action(window, "undo").trigger()
        state = await drag(window, (frame.left + 2, y), (frame.left + 2 + 48, y))
        assert (state.schedule.start_of(2), state.plan.task(2).duration) == (at(2026, 3, 3, 8), 2 * WORKDAY)
        action(window, "undo").trigger()
        x = handles.progress_x(layout, frame)
        state = await drag(window, (x, frame.y + 15), (x + 48, frame.y + 15))
        assert state.plan.task(2).progress.percent == 35
        action(window, "undo").trigger()
        state = await drag(window, (frame.right + 11, y), (paint.left + 3, paint.y + 9))
        assert Dependency(2, 5) in state.plan.dependencies
        action(window, "undo").trigger()
        action(window, "split").trigger()
        state = await drag(window, (frame.left + 50, y), (frame.left + 50 + 48, y))
        assert len(state.plan.task(2).splits) == 1
        action(window, "undo").trigger()
        assert state_of(window).plan == week().plan


async def test_that_links_are_carried_elsewhere_and_rows_too(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        layout = window.gantt._layout()
        paint = layout.bar(4)
        way = links.way_of(layout, 0, 4, Dependency(2, 3))
        await go(window, way[-2][0], (way[-2][1] + way[-1][1]) / 2)
        await xdotool("click", 1)
        state = await drag(window, handles.link_ends(way)[1], (paint.left + 3, paint.y + 9))
        assert state.plan.dependencies == (Dependency(2, 5), Dependency(3, 4))
        action(window, "undo").trigger()
        table = window.gantt.table
        left = table.columnViewportPosition(COLUMNS.index(Column.TASK)) + 60
        for step in range(6):
            place = table.viewport().mapToGlobal(QPoint(left, 4 * METRICS.row_px + 12 - step * 10))
            await xdotool("mousemove", place.x(), place.y())
            if not step:
                await xdotool("mousedown", 1)
        await xdotool("mouseup", 1)
        assert [task.id for task in state_of(window).plan.tasks] == [1, 2, 5, 3, 4]


async def test_that_tasks_are_drawn_and_chosen_on_the_ground(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        layout = window.gantt._layout()
        frame = layout.bar(1)
        await drag(window, (frame.left - 40, frame.y + 1), (frame.left + 30, frame.y + 20))
        assert window.gantt.selection == (2,)
        scale = layout.scale
        start, end = scale.x(at(2026, 3, 3, 9)), scale.x(at(2026, 3, 5, 16))
        state = await drag(window, (start, 200.0), (end, 200.0))
        assert (state.plan.tasks[-1].duration, state.schedule.start_of(6)) == (3 * WORKDAY, at(2026, 3, 3, 8))
        assert window.gantt.selection == (6,)


async def test_that_escape_and_a_drop_outside_drop_and_an_edge_scrolls_on(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        layout = window.gantt._layout()
        paint, width = layout.bar(4), layout.scale.width_px
        start = (paint.left + 9, paint.y + 9)
        await carry(window, start, (start[0] + 96, start[1]))
        await xdotool("key", "Escape")
        await xdotool("mouseup", 1)
        await drag(window, start, (start[0], -200.0))
        assert state_of(window).plan == week().plan
        origin = window.gantt.time_scale.origin_ticks
        await carry(window, start, (width - 3, start[1]))
        await until(lambda: window.gantt.time_scale.origin_ticks > origin + 20 * 86_400)
        await xdotool("key", "Escape")
        await xdotool("mouseup", 1)
        assert state_of(window).plan == week().plan
