"""Frames in which rows of the Gantt view are arranged otherwise, at the sizes of the chart's own: sorted, grouped,
folded as a whole, found. Each is first done on a plan that was never arranged: that is the longest frame of each.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from PySide6.QtTest import QTest

from engine.schedule import cpm
from gui.gantt.columns import Column
from gui.gantt.grouping import Grouping
from gui.main_window import MainWindow
from tests.bench.gantt import SIZES, Frame, Times, in_window, spread, summarized_plan

TRIES = 24
_SORTS = ((Column.TASK, False), (Column.FINISH, False), (Column.TASK, True), (Column.START, False), (None, False))
_GROUPINGS = (Grouping.STATUS, Grouping.CRITICALITY, Grouping.RESOURCE, None)
_SOUGHT = "task 7"


def main() -> None:
    """Prints p50, p95 and max of each act, and the first of it."""
    from gui.appearance import make_application
    from gui.loop import Loop

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    cpm.use_compiled()
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as home:
        # Never a person's settings, nor the work they have open.
        os.environ |= {f"XDG_{name}_HOME": str(Path(home) / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
        application = make_application("bench")
        for count in SIZES:
            with asyncio.Runner(loop_factory=Loop) as runner:
                times = runner.run(in_window(application, summarized_plan(count), TRIES, _acts))
            print(f"  Warploom, {count:,}")
            for act, taken in times.items():
                works = [work for _, work in taken]
                walls = spread(sorted(wall for wall, _ in taken))
                print(f"    {act:8} {walls} ms   of work {spread(sorted(works))}  first {works[0]:8.2f} ms", flush=True)


async def _acts(window: MainWindow, frame: Frame, tries: int) -> Times:
    gantt, desk = window.gantt, window.gantt.desk
    gantt.choose_row(0)
    acts: dict[str, list[Callable[[], object]]] = {
        "sort": [lambda by=by: desk.sort(*by) for by in _SORTS],
        "group": [lambda by=by: desk.group(by) for by in _GROUPINGS],
        "fold all": [window.actions_by_id[name].trigger for name in ("collapse_all", "expand_all")],
    }
    times: Times = {}
    for name, turns in acts.items():
        times[name] = [await frame.time(turn) for turn, _ in zip(cycle(turns), range(tries), strict=False)]
        desk.clear()
        await frame.finish()
    times["find"] = await _find(window, frame)
    return times


async def _find(window: MainWindow, frame: Frame) -> list[tuple[float, float]]:
    """Types a text into the find bar, letter by letter."""
    window.gantt.desk.open_find()
    await frame.finish()
    field = window.gantt.desk.finder.text
    return [await frame.time(lambda letter=letter: QTest.keyClicks(field, letter)) for letter in _SOUGHT]
