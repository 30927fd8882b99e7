"""iCalendar: days off in, events as tasks in, tasks and milestones out. It knows dates only, and no working time.

A plan made of events works around the clock, so that each of them lasts from its start to its end.
"""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.counted import counted
from engine.formats.ics.events import Event, read_agenda
from engine.formats.ics.holidays import load_holidays
from engine.formats.ics.lines import fold
from engine.formats.ics.writing import PROPERTY, event_lines, losses
from engine.formats.replacing import write_file
from engine.formats.shop_losses import shop_losses
from engine.formats.text import read_head
from engine.model import DAY, NOTES, Calendar, Clock, ConstraintKind, Plan, PlanSettings, Recorded, Shift, Task, TaskId
from engine.schedule.cpm import schedule

__all__ = ["SUFFIXES", "TITLE", "load", "load_holidays", "save", "sniff"]

TITLE = "iCalendar"
SUFFIXES: tuple[str, ...] = (".ics",)
_HEAD = 64
_NOTE = "note"
_KNOWN = ("SUMMARY", "DESCRIPTION")
_AROUND_THE_CLOCK = PlanSettings(
    hours_per_day=24.0, hours_per_week=168.0, days_per_month=30.0, default_start=0, default_finish=DAY
)


def sniff(path: str | Path) -> bool:
    """Whether the file begins as a calendar does."""
    head = read_head(path, _HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    return head.upper().startswith(b"BEGIN:VCALENDAR")


def load(path: str | Path) -> Plan:
    """The events of a file as tasks at their dates. Raises FormatError: one sentence with the path and the line."""
    agenda = read_agenda(path)
    tasks = tuple(_task(number, event) for number, event in enumerate(agenda.events, start=1))
    again = sum(any(line.name == "RRULE" for line in event.lines) for event in agenda.events)
    one, many = "1 event comes again: its first time", "{count} events come again: the first time of each"
    notes = [*agenda.notes, *([f"{counted(again, one, many)} was read."] if again else [])]
    try:
        return Plan(
            agenda.name or Path(path).stem,
            Clock.CALENDAR,
            min((event.start for event in agenda.events), default=0),
            tasks,
            calendar=Calendar(1, "Around the clock", ((Shift(0, DAY),),) * 7),
            settings=_AROUND_THE_CLOCK,
            next_task_id=len(tasks) + 1,
            fields=tuple((_NOTE, note) for note in notes),
        ).check()
    except PlanError as error:
        raise FormatError(f"{path} holds no valid plan. {error.sentence}", ids=error.ids, path=str(path)) from error


def _task(number: TaskId, event: Event) -> Task:
    notes = event.text("DESCRIPTION")
    rest = ((PROPERTY + line.head, line.value) for line in event.lines if line.name not in _KNOWN)
    return Task(
        number,
        event.text("SUMMARY").strip(),
        event.end - event.start,
        is_milestone=event.end == event.start,
        constraint=ConstraintKind.START_NO_EARLIER_THAN,
        constraint_at=event.start,
        source=event.text("UID"),
        recorded=Recorded(event.start, event.end),
        fields=(*(((NOTES, notes),) if notes else ()), *rest),
    )


def save(path: str | Path, plan: Plan) -> tuple[str, ...]:
    """Write an event for each task and milestone; returns sentences of what is left out. Raises FormatError."""
    if plan.clock is not Clock.CALENDAR:
        raise FormatError(f"{path} was not written: a calendar knows no plans of devices.", path=str(path))
    try:
        text = "".join(map(fold, event_lines(plan.check(), schedule(plan))))
    except OverflowError as error:
        raise FormatError(f"{path} was not written: no calendar reaches its dates.", path=str(path)) from error
    except PlanError as error:
        raise FormatError(f"{path} was not written. {error.sentence}", ids=error.ids, path=str(path)) from error
    write_file(path, text.encode())
    return (*losses(plan, _AROUND_THE_CLOCK), *shop_losses(plan))
