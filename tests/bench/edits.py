"""Edits of a plan of 50,000 tasks: drops whose dates have not come yet, and edits of 9,000 tasks at once.

The whole window is driven offscreen by real events, as it is for the chart's own frames. Of each edit stands there how
long it takes until it is shown, and the longest turn of the window's loop meanwhile; of both also what the window's
thread worked. The reference is a redo, which dates nothing: the chart has to be drawn after it too.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from engine.model import DAY
from engine.schedule import cpm
from gui.canvas.time_scale import TimeScale
from gui.gantt.columns import Column
from gui.main_window import MainWindow
from tests.bench._frames import Frame, Taken, Turns, now, since
from tests.bench.gantt import AIM_MS, Times, _grab, in_window, mouse, spread, summarized_plan

COUNT, CHOSEN, FIRST = 50_000, 9_000, 5_000
DROPS, BULKS = 20, 4
LONGEST_S = 30.0
ACTS = ("nudge_later", "longer", "start_later", "more_done", "indent", "unlink", "delete")


def main() -> None:
    """Prints p50, p95 and max of each edit: until it is shown, and of the longest turn meanwhile."""
    from gui.appearance import make_application
    from gui.loop import Loop

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    cpm.use_compiled()
    sys.setswitchinterval(0.001)  # as the app does: a worker keeps the window waiting no longer
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as home:
        # Never a person's settings, nor the work they have open.
        os.environ |= {f"XDG_{name}_HOME": str(Path(home) / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
        application = make_application("bench")
        with asyncio.Runner(loop_factory=Loop) as runner:
            times = runner.run(edited(application))
    print(f"  {COUNT:,} tasks, {CHOSEN:,} of them chosen")
    for act, taken in times.items():
        walls, works = (sorted(found) for found in zip(*taken, strict=True))
        print(f"    {act:16} {spread(walls)} ms   of work {spread(works)} ms", flush=True)
    print(f"  aim: no turn over {AIM_MS:.0f} ms")


async def edited(application: QApplication, count: int = COUNT, chosen: int = CHOSEN, drops: int = DROPS) -> Times:
    """What each edit takes: until it is shown, and its longest turn."""
    acts = partial(_acts, chosen=chosen)
    return await in_window(application, summarized_plan(count), drops, acts)


async def _acts(window: MainWindow, frame: Frame, tries: int, chosen: int) -> Times:
    gantt, times = window.gantt, Times()
    assert gantt.state is not None
    gantt.set_time_scale(TimeScale(gantt.state.schedule.project_start, DAY / 12))
    await frame.finish()
    await _drops(window, frame, times, tries)
    plan = gantt.state.plan
    leaves = [task.id for task in plan.tasks if task.id not in plan.children]
    first = FIRST if len(leaves) > FIRST + chosen else 0
    some = leaves[first : first + chosen]
    for name in ACTS:
        tasks = some
        if name == "indent":  # whole summaries, into the one before them
            held = (plan.task(task).parent for task in some[1:])
            tasks = list(dict.fromkeys(task for task in held if task is not None))[1:]
        await _bulk(window, frame, times, name, tasks)
    await _typed(window, frame, times, some)
    return times


async def _drops(window: MainWindow, frame: Frame, times: Times, tries: int) -> None:
    """Drops of the task that many wait for, let go in the very turn of the last move."""
    gantt, chart = window.gantt, window.gantt.chart.viewport()
    for _ in range(tries):
        at = _grab(gantt)
        for _ in range(4):
            at += QPointF(20, 0)
            mouse(chart, QEvent.Type.MouseMove, at)
            await frame.finish()

        await _timed(window, frame, times, "drop", partial(_drop, chart, at + QPointF(20, 0)))
        await _timed(window, frame, times, "undo", window.actions_by_id["undo"].trigger)
        await _timed(window, frame, times, "redo", window.actions_by_id["redo"].trigger)
        await _timed(window, frame, times, "", window.actions_by_id["undo"].trigger)


def _drop(chart: QWidget, at: QPointF) -> None:
    mouse(chart, QEvent.Type.MouseMove, at)
    mouse(chart, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)


async def _bulk(window: MainWindow, frame: Frame, times: Times, name: str, tasks: list[int]) -> None:
    for _ in range(BULKS):
        window.gantt.select(tasks)
        await frame.finish()
        await _timed(window, frame, times, name, window.actions_by_id[name].trigger)
        await _timed(window, frame, times, "", window.actions_by_id["undo"].trigger)


async def _typed(window: MainWindow, frame: Frame, times: Times, some: list[int]) -> None:
    """Cells that are filled down, and rows that are pasted."""
    gantt, table = window.gantt, window.gantt.table
    for _ in range(BULKS):
        gantt.select(some)
        table.go_to(Column.DURATION)
        await frame.finish()
        await _timed(window, frame, times, "fill_down", window.actions_by_id["fill_down"].trigger)
        await _timed(window, frame, times, "", window.actions_by_id["undo"].trigger)
        gantt.select(some[-1:])
        QGuiApplication.clipboard().setText("\n".join(f"new {row}\t3d" for row in range(len(some))))
        await frame.finish()
        await _timed(window, frame, times, "paste", window.actions_by_id["paste_rows"].trigger)
        await _timed(window, frame, times, "", window.actions_by_id["undo"].trigger)


async def _timed(window: MainWindow, frame: Frame, times: Times, name: str, act: Callable[[], object]) -> None:
    """From an act, which is a turn of the loop, to the end of the turn that paints the state after it."""
    bridge = window.bridge
    before, shown, ended = bridge.state, [0], list[Taken]()
    turns: list[Taken] = []

    def turned() -> None:
        nonlocal last
        turns.append(since(last))
        last = now()
        if not ended and bridge.state is not before:
            shown[0] += 1
            if frame.paints > paints:
                ended.append(since(began))

    def painted_of(_: object) -> None:
        nonlocal paints
        paints = frame.paints

    paints = 1 << 60
    bridge.state_changed.connect(painted_of)
    began = last = now()
    watch = Turns(turned)
    act_began = asyncio.get_running_loop().create_future()

    def begin() -> None:
        nonlocal began, last
        began = last = now()
        act_began.set_result(None)
        act()

    asyncio.get_running_loop().call_soon(begin)
    await act_began
    end = time.perf_counter() + LONGEST_S
    while not ended and time.perf_counter() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    watch.stop()
    bridge.state_changed.disconnect(painted_of)
    await frame.finish()
    if name:
        times.setdefault(name, []).append(ended[0] if ended else since(began))
        times.setdefault(f"{name} turn", []).append(max(turns))
