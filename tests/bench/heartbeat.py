"""The heartbeat of the window's process while the training step runs on the cpu device, beside an idle window.

An 8 ms precise timer; every beat that is missed counts with its own lateness, so a stall of 1 s is 125 late beats. The
whole app is started, with its device process and its warm-up; nothing of it is replaced. The window is drawn
offscreen, unless QT_QPA_PLATFORM says otherwise. "own" is the part of a beat's lateness in which the main thread itself
was computing: the rest is the machine's, which had its cores elsewhere.
"""

import asyncio
import json
import math
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

SECONDS = 10.0
# The first paint is not what is measured; a cold cache is still being filled after that.
SETTLE_SECONDS = 3.0
BEAT_NS = 8_000_000
SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "samples" / "training-step.loom"
FIRST_REPEAT = 50


def main() -> None:
    """Prints p99, max and the share of beats kept: idle, with a warm and with a cold cache of compiled code."""
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as folder:
        # The first fills the cache that all but the cold one use, and tells how often the plan fits into SECONDS.
        first = _in_process(folder, "warm", FIRST_REPEAT)
        repeat = max(1, round(SECONDS * FIRST_REPEAT / first["run_s"]))
        idle = _in_process(folder, "warm", 0)
        warm = _in_process(folder, "warm", repeat)
        cold = _in_process(folder, "cold", repeat)
    print(f"  training step on cpu, {repeat} times in a row; lateness of an 8 ms beat in the window's process")
    for name, found in (("idle", idle), ("running, warm cache", warm), ("running, cold cache", cold)):
        ratio = found["p99_ms"] / idle["p99_ms"]
        print(
            f"  {name:20} p50 {found['p50_ms']:5.1f} ms  p99 {found['p99_ms']:5.1f} ms ({ratio:4.1f} x idle)  "
            f"max {found['max_ms']:6.1f} ms  kept {found['kept_pct']:5.1f} % of {found['beats']:.0f} beats  "
            f"own p99 {found['own_p99_ms']:4.1f} ms  max {found['own_max_ms']:5.1f} ms"
            + (f"  run {found['run_s']:.1f} s, {found['spans']:.0f} spans" if found["spans"] else "")
        )
    print("  aim: p99 16 ms, max 50 ms, 95 % kept")


def _in_process(folder: str, cache: str, repeat: int) -> dict[str, float]:
    """Measures in a fresh process with settings and caches of its own; `repeat` 0 leaves the window idle."""
    plan = Path(folder) / SAMPLE.name
    shutil.copy(SAMPLE, plan)
    command = [sys.executable, "-m", "tests.bench.heartbeat", str(plan), str(repeat)]
    ended = subprocess.run(command, env=environment_in(folder, cache), stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(ended.stdout)
    return found


def environment_in(folder: str, cache: str) -> dict[str, str]:
    """The environment of a fresh process: settings of its own, and a cache of compiled code by name."""
    home = Path(folder) / "home"
    shutil.rmtree(home, ignore_errors=True)
    environment = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment["NUMBA_CACHE_DIR"] = str(Path(folder) / cache)
    environment["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM", "offscreen")
    return {**os.environ, **environment}


def in_window(plan: str, drive: Callable[[Any], Awaitable[dict[str, float]]]) -> dict[str, float]:
    """Starts the app on a plan, has its bridge driven once the window has settled, and returns the figures."""
    import app
    from gui.appearance import Appearance, make_application
    from gui.loop import Loop

    app.prepare_environment()
    application = make_application(app.VERSION)
    appearance = Appearance(application)
    sys.setswitchinterval(0.001)

    async def both() -> dict[str, float]:
        life = asyncio.create_task(app.Life(application, appearance).live([plan]))
        found = await drive(await _settled())
        os.kill(os.getpid(), signal.SIGTERM)
        await life
        return found

    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(both())


async def _settled() -> Any:
    """The bridge of the window, some time after the plan is shown."""
    from PySide6.QtWidgets import QApplication

    from gui.main_window import MainWindow

    await asyncio.sleep(0)  # the app makes its window
    bridge = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow)).bridge
    is_open = asyncio.Event()
    bridge.document_opened.connect(lambda _: is_open.set())
    await is_open.wait()
    await asyncio.sleep(SETTLE_SECONDS)
    return bridge


async def _drive(bridge: Any, repeat: int) -> dict[str, float]:
    """Presses Run (0: waits SECONDS), and counts beats until that run has ended."""
    is_over = asyncio.Event()
    bridge.run_changed.connect(lambda run: run and run.outcome and is_over.set())
    beats = Beats()
    if not repeat:
        await asyncio.sleep(SECONDS)
        return beats.figures() | {"run_s": 0.0, "spans": 0.0}
    bridge.set_repeat(repeat)
    bridge.run()
    await is_over.wait()
    run = bridge.current_run
    assert run.outcome == "finished", run.error
    return beats.figures() | {"run_s": run.timeline.end_ns_max / 1e9, "spans": float(run.timeline.count)}


class Beats:
    """Beats of the main thread from now on, each with its lateness."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._zero = time.perf_counter_ns()
        self._late: list[int] = []
        self._own: list[int] = []
        self._computed = time.thread_time_ns()
        self._timer = QTimer(singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._wait()

    def figures(self) -> dict[str, float]:
        """p50, p99 and max in ms; a beat is kept when it came before the next was due."""
        self._timer.stop()
        late, own = sorted(self._late), sorted(self._own)
        return {
            "beats": float(len(late)),
            "p50_ms": statistics.median(late) / 1e6,
            "p99_ms": late[math.ceil(0.99 * len(late)) - 1] / 1e6,
            "max_ms": late[-1] / 1e6,
            "own_p99_ms": own[math.ceil(0.99 * len(own)) - 1] / 1e6,
            "own_max_ms": own[-1] / 1e6,
            "kept_pct": 100 * sum(lateness < BEAT_NS for lateness in late) / len(late),
        }

    def _beat(self) -> None:
        now, computed = time.perf_counter_ns() - self._zero, time.thread_time_ns()
        while (due := self._due()) <= now:
            self._late.append(now - due)
            self._own.append(min(now - due, computed - self._computed))
        self._computed = computed
        self._wait()

    def _due(self) -> int:
        return (len(self._late) + 1) * BEAT_NS

    def _wait(self) -> None:
        left = self._due() - (time.perf_counter_ns() - self._zero)
        self._timer.start(max(0, math.ceil(left / 1e6)))


if __name__ == "__main__":
    print(json.dumps(in_window(sys.argv[1], lambda bridge: _drive(bridge, int(sys.argv[2])))))
