"""A plan's tasks as the lines of an iCalendar file, and what those leave out. It never touches the disk.

The same plan makes the same lines: nothing in them comes from a clock, and an event keeps its UID from save to save.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta

from engine.formats.ics.lines import clean, escape, is_head
from engine.model import DAY, NOTES, ConstraintKind, Plan, PlanSettings, Shift, Task, Ticks
from engine.schedule.cpm import working_time
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime

# The name of a field that is a property as it stands: by all that stands before its colon.
PROPERTY = "ics:"

_EPOCH = datetime(1970, 1, 1)
_PINS = (ConstraintKind.AS_SOON_AS_POSSIBLE, ConstraintKind.START_NO_EARLIER_THAN)


def event_lines(plan: Plan, dates: Schedule) -> Iterator[str]:
    """The lines of a file, not yet folded."""
    time = working_time(plan)
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//Warploom//Warploom//EN"
    yield "CALSCALE:GREGORIAN"
    yield f"X-WR-CALNAME:{escape(plan.name)}"
    for task in plan.tasks:
        if not plan.is_summary(task.id):
            yield "BEGIN:VEVENT"
            yield from _properties(plan, task, dates.project_start)
            yield from _when(time, dates.start_of(task.id), dates.finish_of(task.id))
            yield "END:VEVENT"
    yield "END:VCALENDAR"


def _properties(plan: Plan, task: Task, project_start: Ticks) -> Iterator[str]:
    kept = [(name.removeprefix(PROPERTY), text) for name, text in task.fields if name.startswith(PROPERTY)]
    kept = [(head, text) for head, text in kept if is_head(head)]
    names = {head.partition(";")[0] for head, _ in kept}
    if "UID" not in names:
        yield f"UID:{zlib.crc32(plan.name.encode('utf-8', 'replace')):08x}-{task.id}@warploom"
    if "DTSTAMP" not in names:
        yield f"DTSTAMP:{_time(project_start)}Z"
    yield f"SUMMARY:{escape(task.name)}"
    yield from (f"DESCRIPTION:{escape(text)}" for name, text in task.fields if name == NOTES)
    if task.parent is not None and "CATEGORIES" not in names:
        yield f"CATEGORIES:{escape(plan.task(task.parent).name)}"
    yield from (f"{head}:{clean(text)}" for head, text in kept)


def _when(time: WorkingTime, start: Ticks, finish: Ticks) -> Iterator[str]:
    """Whole days where a task takes all of the working time of its days; else the times of the clock."""
    if finish > start:
        start = time.next_start(start) if time.between(start, finish) else start
    first, after = start // DAY, -(-finish // DAY)
    if finish > start and time.between(first * DAY, start) == 0 == time.between(finish, after * DAY):
        yield f"DTSTART;VALUE=DATE:{_time(first * DAY)[:8]}"
        yield f"DTEND;VALUE=DATE:{_time(after * DAY)[:8]}"
        return
    yield f"DTSTART:{_time(start)}"
    if finish > start:
        yield f"DTEND:{_time(finish)}"


def _time(instant: Ticks) -> str:
    """An instant as DATE-TIME. Raises OverflowError for one before year 1 or after 9999."""
    return f"{(_EPOCH + timedelta(seconds=instant)).isoformat(timespec='seconds')}".replace("-", "").replace(":", "")


def losses(plan: Plan, around_the_clock: PlanSettings) -> tuple[str, ...]:
    """A sentence for each thing that events do not hold; a plan made of events has these settings."""
    known = (around_the_clock, PlanSettings(profile=plan.settings.profile))
    calendar = plan.calendar
    is_worked_always = calendar is None or (set(calendar.week) == {(Shift(0, DAY),)} and not calendar.exceptions)
    said = (
        (bool(plan.dependencies), "Links are left out: a calendar holds dates only."),
        (bool(plan.children), "Summaries are left out: each names the category of what it holds."),
        (not is_worked_always or bool(plan.calendars), "Working time is left out."),
        (bool(plan.resources), "Resources, and who does what, are left out."),
        (bool(plan.baselines), "Baselines are left out."),
        (plan.settings not in known, "The plan's settings are left out."),
        (any(map(_is_more_than_dates, plan.tasks)), "Constraints, deadlines and progress of tasks are left out."),
    )
    return tuple(sentence for is_lost, sentence in said if is_lost)


def _is_more_than_dates(task: Task) -> bool:
    is_marked = task.is_manual or task.is_elapsed or not task.is_active
    is_bound = task.constraint not in _PINS or task.deadline is not None
    return is_marked or is_bound or bool(task.progress or task.splits or task.delay)
