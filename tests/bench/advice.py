"""What looking for advice costs the window: how late a tick of 1 ms of its main thread is, beside an idle window.

The whole app shows a device plan of which a lot can be tried; it is edited, and ticks are counted from where advice is
asked for until some was told. Offscreen, unless QT_QPA_PLATFORM says otherwise.
"""

import asyncio
import json
import math
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.formats import loom
from engine.model import PlanSettings
from engine.session.edits import RenameTask
from tests.bench.heartbeat import environment_in, in_window
from tests.engine.program import planted

TICK_NS = 1_000_000
EDITS = 5
FRAMES = 100


def main() -> None:
    """Prints p99 and max of the lateness, idle and while advice is looked for."""
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as folder:
        path = Path(folder) / "advice.loom"
        planted.FRAMES = FRAMES
        plan = replace(planted.pageable(), settings=PlanSettings(profile="h200-like"))
        loom.save(path, plan)
        command = [sys.executable, "-m", "tests.bench.advice", str(path)]
        environment = environment_in(folder, "advice")
        ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found = json.loads(ended.stdout.splitlines()[-1])
    print(f"  {len(plan.tasks)} operations, {EDITS} edits; lateness of a tick of 1 ms of the window's thread")
    for name in ("idle", "advising"):
        late, idle = found[name], found["idle"]
        print(
            f"  {name:9} p99 {late['p99_ms']:5.2f} ms ({late['p99_ms'] / idle['p99_ms']:4.1f} x idle)  "
            f"max {late['max_ms']:5.2f} ms  {late['ticks']} ticks"
        )
    print(f"  told {found['told_ms']:.0f} ms after an edit; aim: max 8 ms")


class Ticks:
    """Ticks of the main thread from now on, each with its lateness."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.late: list[int] = []
        self._last = time.perf_counter_ns()
        self._timer = QTimer(interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def stop(self) -> list[int]:
        """The latenesses in ns."""
        self._timer.stop()
        return self.late

    def _tick(self) -> None:
        now = time.perf_counter_ns()
        self.late.append(max(0, now - self._last - TICK_NS))
        self._last = now


async def _watch(bridge: Any) -> dict[str, Any]:
    await asyncio.sleep(3)  # what the plan as it was opened is asked for
    idle = Ticks()
    await asyncio.sleep(5)
    found: dict[str, Any] = {"idle": _figures(idle.stop())}
    late: list[int] = []
    told_ms = []
    for number in range(EDITS):
        bridge.execute(RenameTask(1, f"edit {number}"))
        began = time.monotonic()
        heard = asyncio.Event()
        bridge.advising.advised.connect(heard.set)
        await asyncio.sleep(0.3)  # what the edit itself draws is not what is measured
        heard.clear()
        ticks = Ticks()
        await asyncio.wait_for(heard.wait(), 30)
        told_ms.append(1e3 * (time.monotonic() - began))
        late += ticks.stop()
    return found | {"advising": _figures(late), "told_ms": sum(told_ms) / EDITS}


def _figures(late: list[int]) -> dict[str, float]:
    late.sort()
    return {"p99_ms": late[math.ceil(0.99 * len(late)) - 1] / 1e6, "max_ms": late[-1] / 1e6, "ticks": len(late)}


if __name__ == "__main__":
    print(json.dumps(in_window(sys.argv[1], _watch)))
