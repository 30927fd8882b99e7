"""Frames of the board with 1,000 operations in sight at 1600 x 1000, from an event to the finished paint.

The whole window is driven offscreen; each machine is a row, and none does two operations at once. The reference is a
plain QGraphicsScene with a rectangle in the place of each bar, and no words. Beside each time stands what the window's
thread worked in it: on a machine that others work on too that says more.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGraphicsRectItem, QGraphicsScene, QGraphicsView

from engine.model import Plan
from engine.optimize.from_plan import problem_of
from engine.optimize.portfolio import Portfolio
from engine.schedule import cpm
from engine.session.aims import aim_of
from engine.session.edits import ResizeTask
from engine.session.offers import make_offer
from engine.session.state import State
from gui.board.layout import BAR_PX, BoardLayout
from gui.board.view import BoardView
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.bench._frames import Frame, watching
from tests.bench.gantt import Times, in_window, mouse, spread
from tests.bench.offers import a_shop

TRIES = 40
AIM_MS = 8.0


def main() -> None:
    """Prints p50, p95 and max of each act, and how often the reference's median fits into ours."""
    from gui.appearance import make_application
    from gui.loop import Loop

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    cpm.use_compiled()
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as home:
        # Never a person's settings, nor the work they have open.
        os.environ |= {f"XDG_{name}_HOME": str(Path(home) / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
        application, plan = make_application("bench"), one_at_a_time(a_shop())
        with asyncio.Runner(loop_factory=Loop) as runner:
            times = runner.run(in_window(application, plan, TRIES, _acts))
    plain = statistics.median(wall for wall, _ in times["plain"])
    for act, taken in times.items():
        walls, works = (sorted(found) for found in zip(*taken, strict=True))
        print(
            f"    {act:8} {spread(walls)} ms   of work {spread(works)} ms"
            f"  {statistics.median(walls) / plain:7.2f} x a plain zoom"
        )
    print(f"  aim: p95 {AIM_MS:.0f} ms of work")


def one_at_a_time(plan: Plan) -> Plan:
    """The plan as rules place it, so that no machine does two things at once."""
    state = State(plan, cpm.schedule(plan))
    case = problem_of(plan, state.schedule)
    offer = make_offer(state, case, Portfolio(case.problem, aim_of("makespan"), 0).best)
    assert offer is not None
    return offer.taking.plan


async def _acts(window: MainWindow, _chart: Frame, tries: int) -> Times:
    window.pages.show_board(True)
    board = window.pages.board
    with watching(board.chart.viewport()) as frame:
        await frame.finish()
        window.actions_by_id["fit"].trigger()
        await frame.finish()
        layout = board._layout()
        assert layout is not None
        print(f"  {len(layout.bars(board.chart.chart_height))} operations in sight")
        times: Times = {}
        pans, zooms = (40.0, -40.0), (1.25, 0.8)
        times["pan"] = await _each(frame, tries, lambda turn: board.chart.pan(pans[turn % 2]))
        times["zoom"] = await _each(frame, tries, lambda turn: board.chart.zoom(zooms[turn % 2]))
        times["select"] = await _each(frame, tries, lambda _: QTest.keyClick(board.chart, Qt.Key.Key_Right))
        times["drag"] = await _drag(board, frame, tries)
        bridge, leaf = window.bridge, layout.rows.rows[0].slot(0).task.id
        edits = (ResizeTask(leaf, 60 * (100 + turn)) for turn in range(tries))
        times["edit"] = await _each(frame, tries, lambda _: bridge.execute(next(edits)))
    return times | {"plain": await _plain(layout, board.chart.size(), tries)}


async def _plain(layout: BoardLayout, size: QSize, tries: int) -> list[tuple[float, float]]:
    """The reference, zoomed."""
    view, scene = QGraphicsView(), QGraphicsScene()
    view.resize(size)
    for bar in layout.bars(size.height()):
        scene.addItem(QGraphicsRectItem(bar.left, bar.top, bar.right - bar.left, BAR_PX))
    view.setScene(scene)
    view.show()
    with watching(view.viewport()) as frame:
        await frame.finish()
        scales = (1.25, 0.8)
        zooms = await _each(frame, tries, lambda turn: view.scale(scales[turn % 2], 1.0))
    view.deleteLater()
    return zooms


async def _each(frame: Frame, tries: int, act: Callable[[int], object]) -> list[tuple[float, float]]:
    return [await frame.time(lambda turn=turn: act(turn)) for turn in range(tries)]


async def _drag(board: BoardView, frame: Frame, tries: int) -> list[tuple[float, float]]:
    """A bar in the middle is carried across 200 pixels, and let go where it was."""
    chart, layout = board.chart.viewport(), board._layout()
    assert layout is not None
    bars = layout.bars(board.chart.chart_height)
    bar = min(bars, key=lambda each: abs(each.left - chart.width() / 2) + each.top)
    at = QPointF((bar.left + bar.right) / 2, bar.top + 8 + METRICS.header_px)
    mouse(chart, QEvent.Type.MouseButtonPress, at)
    step = 200 / tries
    move = QEvent.Type.MouseMove
    times = await _each(frame, tries, lambda turn: mouse(chart, move, at + QPointF(step * (turn + 1), 0)))
    board.drop_drag()
    mouse(chart, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)
    await frame.finish()
    return times
