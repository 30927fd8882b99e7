"""Cell words: what a person finds in a cell to type over, in the grammar that is read back. It makes no edit."""

from __future__ import annotations

from collections.abc import Iterable

from engine.formats.table.cells import constraint_name
from engine.formats.table.dates import to_text as date_text
from engine.formats.table.durations import Units
from engine.formats.table.durations import to_text as span_text
from engine.formats.table.predecessors import Reference, format_references
from engine.formats.table.staff import format_staff
from engine.model import Clock, Dependency, Plan, Task, Ticks

_LINE_END = " ↵ "
_DEVICE_UNITS = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"), (1, "ns"))


def units_of(plan: Plan) -> Units:
    """What a day, a week and a month of work are in a plan, in seconds."""
    settings = plan.settings
    day = settings.hours_per_day * 3600
    return Units(round(day), round(settings.hours_per_week * 3600), round(settings.days_per_month * day))


def links_text(plan: Plan, links: Iterable[Dependency]) -> str:
    """What a task waits for, by the numbers of rows: "2FS+3ed,5SS-1d"."""
    found = (Reference(str(plan.rows[link.predecessor] + 1), link.kind, link.lag) for link in links)
    return format_references(found, units_of(plan))


def staff_text(assigned: Iterable[tuple[str, float]]) -> str:
    """Names and units: "Ann[50%];Bob"."""
    return format_staff(assigned)


def constraint_text(plan: Plan, task: Task) -> str:
    """A constraint with its date, exactly: "Start no earlier than 2026-03-03 08:00"."""
    name = constraint_name(task.constraint)
    return f"{name} {instant_text(plan, task.constraint_at)}" if task.constraint.has_date else name


def instant_text(plan: Plan, ticks: Ticks) -> str:
    """An instant, exactly: "2026-03-03 08:00", or "1.25 ms" on a device plan."""
    return date_text(int(ticks)) if plan.clock is Clock.CALENDAR else device_text(ticks)


def notes_text(text: str) -> str:
    """Notes of several lines, in one: "First ↵ second"."""
    return text.replace("\n", _LINE_END)


def notes_of(text: str) -> str:
    """The lines that notes_text put into one."""
    return text.replace(_LINE_END, "\n")


def duration_text(plan: Plan, ticks: Ticks, *, is_elapsed: bool = False) -> str:
    """A length of time, exactly: "3d", "5ed", or "1.25 ms" on a device plan."""
    if plan.clock is Clock.DEVICE:
        return device_text(ticks)
    return span_text(int(ticks), units_of(plan), is_elapsed=is_elapsed)


def device_text(ticks: Ticks) -> str:
    """Nanoseconds in the largest unit that they fill, with every figure."""
    size, unit = next((pair for pair in _DEVICE_UNITS if abs(ticks) >= pair[0]), _DEVICE_UNITS[-1])
    whole, rest = divmod(abs(int(ticks)), size)
    figures = f"{rest:0{len(str(size)) - 1}d}".rstrip("0") if rest else ""
    return f"{'-' if ticks < 0 else ''}{whole}{'.' if figures else ''}{figures} {unit}"
