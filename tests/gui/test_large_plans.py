"""What a large plan asks of the window: nothing is held up by dates, and what was left is gone."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import DAY, Dependency
from engine.schedule import cpm
from engine.session.document import Document
from engine.session.edits import Edit, MoveTask
from engine.session.state import State
from gui.bridge import rehearsing
from gui.canvas.time_scale import TimeScale
from gui.gantt.drag import Drag
from gui.gantt.keyboard import Grip
from gui.gantt.selection import Reach
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.shell import show, shown, three_days, until


@pytest.fixture
def paths(tmp_path: Path) -> tuple[str, str]:
    """Two plans: three tasks that follow each other, and another."""
    links = (Dependency(1, 2), Dependency(2, 3))
    for name, plan in (("one", replace(three_days(), dependencies=links)), ("two", three_days())):
        loom.save(tmp_path / f"{name}.loom", plan)
    return str(tmp_path / "one.loom"), str(tmp_path / "two.loom")


async def test_that_a_plan_that_was_left_is_gone_without_a_collection(
    qapp: QApplication, paths: tuple[str, str]
) -> None:
    """It is never looked at again by the collector: what held itself would stay for ever."""
    async with shown(qapp) as (window, _):
        await show(window, paths[0])
        gc.collect()
        gc.disable()
        try:
            left = [weakref.ref(window.bridge.state), weakref.ref(window.bridge.state.plan)]
            window.gantt.choose_row(1)
            window.bridge.execute(MoveTask(2, window.bridge.state.schedule.start_of(2) + DAY))
            left += [weakref.ref(window.bridge.state), weakref.ref(window.bridge.state.schedule)]
            await asyncio.sleep(0.3)
            for path in (paths[1], paths[0], paths[1], paths[0]):
                await show(window, path)
                window.gantt.choose_row(1)
                await asyncio.sleep(0.3)
            await until(lambda: not any(each() is not None for each in left))
        finally:
            gc.enable()


async def test_that_a_drag_of_a_large_plan_shows_the_bar_at_once_and_the_others_when_they_are_dated(
    qapp: QApplication, paths: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dated, trial = threading.Event(), Document.trial

    def slow(self: Document, edit: Edit) -> State:
        assert threading.current_thread() is not threading.main_thread()
        dated.wait()
        return trial(self, edit)

    monkeypatch.setattr(rehearsing, "LARGE", 1)
    monkeypatch.setattr(Document, "trial", slow)
    async with shown(qapp) as (window, _):
        await show(window, paths[0])
        window.gantt.set_time_scale(TimeScale(window.bridge.state.schedule.project_start - DAY, 3600.0))
        bar = window.gantt._layout().bar(0)
        press = (bar.left + bar.right) / 2, bar.y + METRICS.row_px / 2
        window.gantt.chart.pressed.emit(press, Reach.ALONE)
        for far in (24.0, 48.0):
            window.gantt.chart.moved.emit((press[0] + far, press[1]), Grip())
            drag = dragged(window)
            assert drag.trial is None
            assert drag.carried is not None
            assert drag.carried.left == pytest.approx(bar.left + far)
        dated.set()
        await until(lambda: dragged(window).carried is None)
        trial, before = dragged(window).trial, window.bridge.state.schedule
        assert trial is not None
        assert [trial.schedule.start_of(task) - before.start_of(task) for task in (1, 2, 3)] == [2 * DAY] * 3
        monkeypatch.undo()
        window.gantt.chart.released.emit((press[0] + 48.0, press[1]), Grip())
        assert window.bridge.state.schedule is trial.schedule


async def test_that_a_drag_of_a_large_plan_shows_at_once_where_bars_in_sight_would_go(
    qapp: QApplication, paths: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker dates all of it; what is in sight does not wait for that."""
    dated, trial = threading.Event(), Document.trial

    def slow(self: Document, edit: Edit) -> State:
        dated.wait()
        return trial(self, edit)

    monkeypatch.setattr(cpm, "_engines", [*cpm._engines])
    cpm.use_compiled()
    monkeypatch.setattr(rehearsing, "LARGE", 1)
    monkeypatch.setattr(Document, "trial", slow)
    async with shown(qapp) as (window, _):
        await show(window, paths[0])
        before = window.bridge.state.schedule
        window.gantt.set_time_scale(TimeScale(before.project_start - DAY, 3600.0))
        bar = window.gantt._layout().bar(0)
        press = (bar.left + bar.right) / 2, bar.y + METRICS.row_px / 2
        window.gantt.chart.pressed.emit(press, Reach.ALONE)
        for days in (1, 2):
            window.gantt.chart.moved.emit((press[0] + 24.0 * days, press[1]), Grip())
            drag = dragged(window)
            assert (drag.trial, drag.carried) == (None, None)
            assert drag.sketch is not None
            assert [drag.sketch.schedule.start_of(task) - before.start_of(task) for task in (1, 2, 3)] == [
                days * DAY
            ] * 3
        dated.set()
        await until(lambda: dragged(window).trial is not None)
        assert dragged(window).sketch is None
        assert dragged(window).lines[-1].text.startswith("plan finish")


def dragged(window: MainWindow) -> Drag:
    """What is dragged, as the next picture shows it."""
    layout = window.gantt._layout()
    assert layout is not None
    drag = window.gantt.pointer.drag(layout)
    assert drag is not None
    return drag


async def test_that_a_trial_waits_for_the_mouse_while_bars_in_sight_follow_it(
    paths: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And waits for nobody where they do not."""
    monkeypatch.setattr(rehearsing, "LARGE", 1)
    document, told = Document.load(paths[0]), list[Edit]()
    start = document.state.schedule.start_of(1)
    begun: list[asyncio.Future[object]] = []

    async def at_once(work: Callable[[], object]) -> object:
        return work()

    trials = rehearsing.Rehearsing(
        lambda: document, lambda begin, _: begun.append(asyncio.ensure_future(begin())), at_once
    )
    for is_sketched in (True, False):
        monkeypatch.setattr(Document, "ahead", lambda *_, known=is_sketched: document.state if known else None)
        moves = [MoveTask(1, start + days * DAY) for days in (1, 2, 3)]
        for edit in moves:
            assert trials.ask(edit, lambda edit, _: told.append(edit))
            trials.sketch(edit, (0,))
            await asyncio.sleep(0)
        await until(begun[-1].done)
        assert told == (moves[2:] if is_sketched else moves)
        told.clear()
