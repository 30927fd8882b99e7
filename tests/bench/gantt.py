"""Frames of the Gantt chart at 1600 x 1000, from an event to the finished paint, beside a plain QGraphicsScene.

Plans have two links a task, a summary for every 25, three calendars, and one task with 500 successors. The whole window
is driven offscreen by real events, with its docks, its status line and all that listens to an edit. Of an edit stands
there too what the longest turn of the loop worked, and all of them until nothing follows any more. The reference has
an item a task and no links, dates, table or words; it does the same to its items. A ratio is of the medians, to the
reference of as many tasks, the largest there is. Beside each time stands what the window's thread worked in it: on a
machine that others work on too that says more.
"""

from __future__ import annotations

import asyncio
import gc
import math
import os
import statistics
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsRectItem, QGraphicsScene, QGraphicsView, QWidget

from engine.formats import loom
from engine.model import DAY, Dependency, Plan, Task
from engine.process.host import Host
from engine.schedule import cpm
from engine.session.devices import Devices
from engine.session.edits import MoveTask
from engine.session.jobs import Supervisor
from gui.appearance import Appearance
from gui.bridge import Bridge
from gui.bridge.findings import Found
from gui.canvas.time_scale import TimeScale
from gui.gantt.cells import expander_left
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.view import GanttView
from gui.loop import CollectorPin
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.bench._frames import Frame, Taken, now, since, watching
from tests.bench.schedule import large_plan

SIZES = (1_000, 10_000, 50_000)
REFERENCE_SIZES = (1_000, 10_000)
SUCCESSORS, IN_SUMMARY, HUB_LEAF = 500, 25, 9
SECONDS_A_PX = DAY / 12
AIM_MS = 16.0
TRIES = 50

# From an act to the end of its paint.
Times = dict[str, list[Taken]]
Acts: TypeAlias = Callable[[MainWindow, Frame, int], Coroutine[None, None, Times]]


def main() -> None:
    """Prints p50, p95 and max of each act, and how often the reference's median fits into ours."""
    from gui.appearance import make_application
    from gui.loop import Loop

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    cpm.use_compiled()
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as home:
        # Never a person's settings, nor the work they have open.
        os.environ |= {f"XDG_{name}_HOME": str(Path(home) / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
        _compare(make_application("bench"), Loop)


def _compare(application: QApplication, loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    def run(measured: Coroutine[None, None, Times]) -> Times:
        with asyncio.Runner(loop_factory=loop) as runner:
            return runner.run(measured)

    references = {count: run(in_scene(application, count)) for count in REFERENCE_SIZES}
    for count, times in references.items():
        _print(f"an item a task, {count:,}", times, None)
    for count in SIZES:
        times = run(in_window(application, summarized_plan(count)))
        _print(f"Warploom, {count:,}", times, references[min(count, REFERENCE_SIZES[-1])])
    print(f"  aim: p95 {AIM_MS:.0f} ms at 50,000")


def _print(title: str, times: Times, reference: Times | None) -> None:
    print(f"  {title}")
    for act, taken in times.items():
        walls, works = (sorted(times) for times in zip(*taken, strict=True))
        beside = "" if reference is None or act not in reference else _ratio(walls, reference[act])
        wall = f"{spread(walls)} ms   of work " if all(map(math.isfinite, walls)) else ""
        print(f"    {act:11} {wall}{spread(works)} ms{beside}", flush=True)


def spread(times: list[float]) -> str:
    """Of ascending times the middle one, the one that few are above, and the last."""
    late = times[math.ceil(0.95 * len(times)) - 1]
    return f"p50 {statistics.median(times):8.2f}  p95 {late:8.2f}  max {times[-1]:8.2f}"


def _ratio(walls: list[float], reference: list[Taken]) -> str:
    middle = statistics.median(wall for wall, _ in reference)
    return f"  {statistics.median(walls) / middle:7.2f} x reference"


def summarized_plan(count: int) -> Plan:
    """A large plan under summaries, with one task that many wait for; `count` tasks, summaries included."""
    leaves = large_plan(count - math.ceil(count / (IN_SUMMARY + 1)))
    hub = leaves.tasks[HUB_LEAF].id
    tasks: list[Task] = []
    next_id = leaves.next_task_id
    for first in range(0, len(leaves.tasks), IN_SUMMARY):
        tasks.append(Task(next_id, f"Phase {first // IN_SUMMARY + 1}", 0))
        tasks += (replace(task, parent=next_id) for task in leaves.tasks[first : first + IN_SUMMARY])
        next_id += 1
    followers = range(hub + 1, min(hub + 1 + SUCCESSORS, len(leaves.tasks) + 1))
    links = {link.key: link for link in leaves.dependencies}
    links |= {link.key: link for link in (Dependency(hub, follower) for follower in followers)}
    return replace(leaves, tasks=tuple(tasks), dependencies=tuple(links.values()), next_task_id=next_id)


async def in_window(application: QApplication, plan: Plan, tries: int = TRIES, acts: Acts | None = None) -> Times:
    """Milliseconds of each act in the window of a plan: of those of this bench, or of another's."""
    QSettings().clear()
    appearance, supervisor, devices = Appearance(application, "light"), Supervisor(_surface), Devices(Host.start)
    bridge, pin = Bridge(supervisor, devices), CollectorPin()
    window = MainWindow(bridge, appearance, lambda: 0.0)
    bridge.document_opened.connect(lambda _: pin.settle())
    window.resize(1600, 1000)
    window.show()
    application.processEvents()
    try:
        with tempfile.TemporaryDirectory(prefix="warploom-bench-", ignore_cleanup_errors=True) as folder:
            path = str(Path(folder) / "plan.loom")
            loom.save(Path(path), plan)
            chart = window.gantt.chart.viewport()
            with watching(chart) as frame:
                began = now()
                await bridge.load(path)
                await frame.finish()
                opened = since(began)
                await asyncio.sleep(1.0)
                return {"open": [opened], **await (acts or _acts)(window, frame, tries)}
    finally:
        pin.stop()
        gc.enable()
        window.hide()
        bridge.close()
        await bridge.leave()
        await supervisor.leave()
        await devices.close()
        window.deleteLater()
        appearance.deleteLater()


async def _acts(window: MainWindow, frame: Frame, tries: int) -> Times:
    gantt = window.gantt
    chart = gantt.chart.viewport()
    middle = QPointF(chart.width() / 2, chart.height() / 2)
    start = gantt.state.schedule.project_start if gantt.state else 0
    gantt.set_time_scale(TimeScale(start, SECONDS_A_PX))
    await frame.finish()
    times: Times = {}
    times["scroll"] = [await frame.time(lambda: _wheel(chart, middle, -120)) for _ in range(tries)]
    gantt.choose_row(0)
    control = Qt.KeyboardModifier.ControlModifier
    turns = [120, -120] * (tries // 2)
    times["zoom"] = [await frame.time(lambda turn=turn: _wheel(chart, middle, turn, control)) for turn in turns]
    gantt.set_time_scale(TimeScale(start, SECONDS_A_PX))
    await frame.finish()
    times["select"] = [await frame.time(lambda: QTest.keyClick(gantt.chart, Qt.Key.Key_Down)) for _ in range(tries)]
    gantt.choose_row(0)
    await frame.finish()
    times |= await _drag(window, frame, tries)
    times |= await _edits(window, frame, tries // 5 * 2)
    times["fold"] = [await frame.time(lambda: _fold(window)) for _ in range(tries // 5 * 2)]
    times["filter"] = await _filter(window, frame)
    window.gantt.desk.clear()
    return times | await _switch(window, frame, tries // 5 * 2)


async def _drag(window: MainWindow, frame: Frame, tries: int) -> Times:
    """Frames of a drag of the task that many wait for, across 200 pixels, and how long what follows comes after the bar
    itself where it is not seen with it."""
    gantt = window.gantt
    chart, at, step = gantt.chart.viewport(), _grab(gantt), QPointF(200 / tries, 0)
    frames, later = [], []
    for _ in range(tries):
        at += step
        frames.append(await frame.time(lambda at=at: mouse(chart, QEvent.Type.MouseMove, at)))
        later.append(await frame.until(lambda: not _is_late(gantt)) if _is_late(gantt) else (0.0, 0.0))
    gantt.drop_drag()
    mouse(chart, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)
    return {"drag": frames, "ghosts": later}


def _grab(gantt: GanttView) -> QPointF:
    """Takes hold of the bar of the task that many wait for; returns where."""
    chart, layout = gantt.chart.viewport(), gantt._layout()
    assert layout is not None
    bar = layout.bar(layout.rows.row_of[HUB_LEAF + 1])
    at = QPointF((bar.left + bar.right) / 2, bar.y + 4 + METRICS.header_px)
    mouse(chart, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton)
    mouse(chart, QEvent.Type.MouseButtonPress, at)
    return at


def _is_late(gantt: GanttView) -> bool:
    layout = gantt._layout()
    drag = None if layout is None else gantt.pointer.drag(layout)
    return drag is not None and drag.carried is not None


def _is_sketched(gantt: GanttView) -> bool:
    layout = gantt._layout()
    drag = None if layout is None else gantt.pointer.drag(layout)
    return drag is not None and (drag.carried is not None or drag.sketch is not None)


async def _edits(window: MainWindow, frame: Frame, rounds: int) -> Times:
    """Drops of the task that many wait for, once dated, each taken back, made again, and taken back once more."""
    gantt, undo, redo = window.gantt, window.actions_by_id["undo"].trigger, window.actions_by_id["redo"].trigger
    chart, is_over = gantt.chart.viewport(), _over(window.bridge)
    times = Times()
    for _ in range(rounds):
        at = _grab(gantt)
        for _ in range(4):
            at += QPointF(20, 0)
            mouse(chart, QEvent.Type.MouseMove, at)
            await frame.finish()
        while _is_sketched(gantt):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        drop = partial(mouse, chart, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)
        for act, do in (("drop", drop), ("undo", undo), ("redo", redo)):
            _add(times, act, await frame.follow(do, is_over))
        undo()
    return times


async def _switch(window: MainWindow, frame: Frame, rounds: int) -> Times:
    """Goes to and fro between the plan and a branch of it, in which the task that many wait for is a week later."""
    bridge, gantt = window.bridge, window.gantt
    assert gantt.state is not None
    gantt.choose_row(0)
    bridge.branching.branch("Other")
    bridge.execute(MoveTask(HUB_LEAF + 1, gantt.state.schedule.start_of(HUB_LEAF + 1) + 7 * DAY))
    is_over, times = _over(bridge), Times()
    for _ in range(rounds):
        _add(times, "switch", await frame.follow(lambda: bridge.branching.step(1), is_over))
    return times


def _over(bridge: Bridge) -> Callable[[], bool]:
    """Whether what follows an edit is over: what is wrong with the plan, which is found out last, is told."""
    told: list[Found] = []
    bridge.findings.found.connect(told.append)
    return lambda: bridge.state is not None and bool(told) and told[-1].state.plan is bridge.state.plan


def _add(times: Times, act: str, followed: tuple[Taken, Taken, Taken]) -> None:
    for name, taken in zip((act, f"{act} turn", f"{act} all"), followed, strict=True):
        times.setdefault(name, []).append(taken)


def _fold(window: MainWindow) -> None:
    """Presses the triangle of the first summary."""
    table = window.gantt.table
    rows = table.task_model.rows
    assert rows is not None
    x = table.columnViewportPosition(COLUMNS.index(Column.TASK)) + (expander_left(rows, 0) or 0) + 4
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(int(x), METRICS.row_px // 2))


async def _filter(window: MainWindow, frame: Frame) -> list[Taken]:
    """Types a text into the filter, letter by letter, and takes it away again."""
    window.gantt.desk.open_filter()
    await frame.finish()
    field = window.gantt.desk.filters.text
    typed = [await frame.time(lambda letter=letter: QTest.keyClicks(field, letter)) for letter in "task 7"]
    return typed + [await frame.time(lambda: QTest.keyClick(field, Qt.Key.Key_Backspace)) for _ in typed]


def _wheel(
    widget: QWidget, at: QPointF, turn: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    event = QWheelEvent(
        at,
        QPointF(widget.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def mouse(widget: QWidget, kind: QEvent.Type, at: QPointF, held: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Sends an event of the mouse, by default with its left button down."""
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    place = QPointF(widget.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(widget, QMouseEvent(kind, at, place, button, held, Qt.KeyboardModifier.NoModifier))


async def in_scene(application: QApplication, count: int, tries: int = TRIES) -> Times:
    """Milliseconds of the same acts on a scene that has an item a task."""
    schedule = cpm.schedule(plan := summarized_plan(count))
    view = QGraphicsView()
    view.resize(1600, 1000)
    with watching(view.viewport()) as frame:
        began = now()
        scene = QGraphicsScene()
        items = []
        for row in range(len(plan.tasks)):
            left = (int(schedule.start[row]) - schedule.project_start) / SECONDS_A_PX
            wide = (int(schedule.finish[row]) - int(schedule.start[row])) / SECONDS_A_PX
            item = QGraphicsRectItem(0, 0, max(wide, 1.0), 18)
            item.setPos(left, row * METRICS.row_px + 5)
            scene.addItem(item)
            items.append(item)
        view.setScene(scene)
        view.horizontalScrollBar().setValue(0)
        view.show()
        await frame.finish()
        opened = since(began)
        times = {"open": [opened], **await _scene_acts(view, items, frame, tries)}
    view.deleteLater()
    application.processEvents()
    return times


async def _scene_acts(view: QGraphicsView, items: list[QGraphicsRectItem], frame: Frame, tries: int) -> Times:
    middle, turns = QPointF(800, 500), [1.25, 0.8] * (tries // 2)
    times: Times = {"scroll": [await frame.time(lambda: _wheel(view.viewport(), middle, -120)) for _ in range(tries)]}
    view.verticalScrollBar().setValue(0)
    times["zoom"] = [await frame.time(lambda factor=factor: view.scale(factor, 1.0)) for factor in turns]
    view.resetTransform()
    for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
        bar.setValue(bar.minimum())  # what is not in sight is never painted
    moved = items[HUB_LEAF + 1 : HUB_LEAF + 2 + SUCCESSORS]
    times["drag"] = [await frame.time(lambda: [item.moveBy(200 / tries, 0) for item in moved]) for _ in range(tries)]

    def fold(turn: int) -> None:
        for item in items[1 : IN_SUMMARY + 1]:
            item.setVisible(bool(turn % 2))
        for item in items[IN_SUMMARY + 1 :]:
            item.moveBy(0, IN_SUMMARY * METRICS.row_px * (1 if turn % 2 else -1))

    times["fold"] = [await frame.time(lambda turn=turn: fold(turn)) for turn in range(tries // 5 * 2)]

    def filtered(turn: int) -> None:
        for row, item in enumerate(items):
            item.setVisible(turn % 2 == 1 or row % 10 == 7)

    times["filter"] = [await frame.time(lambda turn=turn: filtered(turn)) for turn in range(12)]
    return times


def _surface(error: BaseException, _: str) -> None:
    raise error
