"""Small plans for the tests of the schedule. It never holds an expected date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from engine.model import Assignment, Calendar, Clock, Dependency, Plan, Resource, ResourceKind, Task, in_outline_order

EPOCH = datetime(1970, 1, 1)
HOUR = 3600
WORKDAY = 8 * HOUR


def at(text: str) -> int:
    """Ticks of an instant such as "2025-03-03 08:00"."""
    return int((datetime.fromisoformat(text) - EPOCH).total_seconds())


def said(ticks: int) -> str:
    """The instant as text."""
    return (EPOCH + timedelta(seconds=int(ticks))).strftime("%Y-%m-%d %H:%M")


def calendar_plan(
    tasks: Iterable[Task],
    links: Iterable[Dependency] = (),
    start: str = "2025-03-03 08:00",
    calendar: Calendar | None = None,
    **more: Any,
) -> Plan:
    """A plan on the standard calendar that starts on a Monday, its rows in outline order; `more` are other fields."""
    tasks = in_outline_order(tasks)
    return Plan(
        "test",
        Clock.CALENDAR,
        at(start),
        tasks,
        tuple(links),
        calendar or Calendar.standard(),
        next_task_id=max((task.id for task in tasks), default=0) + 1,
        **more,
    ).check()


def device_plan(tasks: Iterable[Task], streams: Sequence[int], links: Iterable[Dependency] = ()) -> Plan:
    """A device plan; `streams` names each task's stream, 0 for none."""
    tasks = tuple(tasks)
    return Plan(
        "test",
        Clock.DEVICE,
        tasks=tasks,
        dependencies=tuple(links),
        resources=tuple(
            Resource(number, f"stream {number}", ResourceKind.STREAM) for number in sorted({*streams} - {0})
        ),
        assignments=tuple(Assignment(t.id, s) for t, s in zip(tasks, streams, strict=True) if s),
        next_task_id=len(tasks) + 1,
    ).check()
