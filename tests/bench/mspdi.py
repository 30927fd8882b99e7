"""Reading and writing Microsoft Project XML of 5,000 tasks, beside the XML parser of the standard library."""

import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from engine.formats import mspdi
from engine.model import Calendar, Clock, Dependency, Plan, Task

_TASKS = 5_000
_HOUR = 3_600
_START = 20_150 * 86_400 + 8 * _HOUR


def main() -> None:
    """Prints the time to load and to save, and its ratio to parsing the same bytes into a tree and no more."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.xml"
        mspdi.save(path, _plan())
        tree = _best(lambda: ET.parse(path))
        load = _best(lambda: mspdi.load(path))
        plan = mspdi.load(path)
        save = _best(lambda: mspdi.save(path, plan))
        print(f"  file     {path.stat().st_size / 1e6:8.1f} MB, {len(plan.tasks):,} tasks")
    print(f"  parse    {tree * 1e3:8.0f} ms  (reference)")
    print(f"  load     {load * 1e3:8.0f} ms  {load / tree:6.1f} x")
    print(f"  save     {save * 1e3:8.0f} ms  {save / tree:6.1f} x")


def _plan() -> Plan:
    tasks = tuple(Task(n, f"Task {n}", (1 + n % 9) * _HOUR) for n in range(1, _TASKS + 1))
    links = tuple(Dependency(n - 7, n) for n in range(8, _TASKS + 1) if n % 50)
    return Plan("bench", Clock.CALENDAR, _START, tasks, links, Calendar.standard(), next_task_id=_TASKS + 1)


def _best(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)
