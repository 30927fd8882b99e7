"""A bar of the software release that is held: from an event of the mouse to the paint that shows P80 of that place.

The whole window is driven offscreen by real events, and the process that simulates is the app's own. Every event
leads to another place, after all samples of the one before have come. The reference is the frame of the same event,
which shows what would move without waiting for any sample; beside it the same frames with the simulation off.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import DAY
from engine.schedule import cpm
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.bench._frames import Frame, now, since
from tests.bench.gantt import Times, in_window, mouse, spread

HELD = "Sync service"
TRIES = 30
# So many events come first, for what is loaded late.
_WARMING = 2
AIM_MS = 50.0
_FIRST_S = 300.0


def main() -> None:
    """Prints how long the frame of an event takes with and without samples, and how long P80 takes."""
    from gui.appearance import make_application
    from gui.loop import Loop

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    cpm.use_compiled()
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as home:
        # Never a person's settings, nor the work they have open.
        os.environ |= {f"XDG_{name}_HOME": str(Path(home) / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
        application = make_application("bench")
        with asyncio.Runner(loop_factory=Loop) as runner:
            times = runner.run(held_bar(application))
    reference = statistics.median(wall for wall, _ in times["frame"])
    for act in ("without", "frame", "P80"):
        walls, works = (sorted(found) for found in zip(*times[act], strict=True))
        beside = f"  {statistics.median(walls) / reference:7.2f} x frame"
        print(f"    {act:8} {spread(walls)} ms   of work {spread(works)} ms{beside}")
    print(f"  aim: P80 after {AIM_MS:.0f} ms")


async def held_bar(application: QApplication, tries: int = TRIES) -> Times:
    """What each event takes: to its frame with the simulation off and on, and to P80 of its place."""
    with as_file(files("resources") / "samples" / "software-release.loom") as path:
        plan = loom.load(path)
    return await in_window(application, plan, tries, _acts)


async def _acts(window: MainWindow, frame: Frame, tries: int) -> Times:
    without = (await _drag(window, frame, tries))["frame"]
    window.actions_by_id["risk"].setChecked(True)
    risking = window.bridge.risking
    await _until(lambda: risking.risk is not None and risking.risk.is_over)
    return {"without": without, **await _drag(window, frame, tries)}


async def _drag(window: MainWindow, frame: Frame, tries: int) -> Times:
    """A bar is carried a day farther with each event, there and back, and let go where it was."""
    gantt, risking = window.gantt, window.bridge.risking
    chart, layout = gantt.chart.viewport(), gantt._layout()
    assert layout is not None
    bar = next(layout.bar(row) for row, task in enumerate(layout.rows.tasks) if task.name == HELD)
    at = QPointF((bar.left + bar.right) / 2, bar.y + 4 + METRICS.header_px)
    mouse(chart, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton)
    mouse(chart, QEvent.Type.MouseButtonPress, at)
    times: Times = {"frame": [], "P80": []}

    def is_known() -> bool:
        """Whether the samples that are shown are of the place that is shown."""
        risk, trial = risking.risk, gantt.trying._trial
        return risk is not None and risk.state is trial and risk.answers is not None

    for turn in range(_WARMING + tries):
        far = 7 * DAY / gantt.time_scale.ticks_per_px * (1 + turn % 2)  # a week, so that each place is another
        move = QPointF(far, 0)
        began = now()
        times["frame"].append(await frame.time(lambda move=move: mouse(chart, QEvent.Type.MouseMove, at + move)))
        if risking.is_on:
            if not is_known():
                await frame.until(is_known)
            times["P80"].append(since(began))
            await _until(lambda: risking.risk is not None and risking.risk.is_over and is_known())
    gantt.pointer.drop()
    mouse(chart, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)
    await frame.finish()
    return {act: taken[_WARMING:] for act, taken in times.items()}


async def _until(is_so: Callable[[], bool]) -> None:
    """Wait for something, at first for as long as compiling what simulates may take."""
    end = time.perf_counter() + _FIRST_S
    while not is_so() and time.perf_counter() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
