"""A plan as the bytes of an MSPDI file, with the dates of its schedule. It never touches the disk."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import FormatError
from engine.formats.mspdi.calendar_writing import calendars_xml
from engine.formats.mspdi.custom import RESOURCE, TASK, CustomFields, definitions
from engine.formats.mspdi.kept import MORE, elements, field, texts
from engine.formats.mspdi.losses import Losses, say_of_plan
from engine.formats.mspdi.order import PROJECT
from engine.formats.mspdi.reading import CALENDAR, OTHERS, RESOURCES, SUMMARY, project_name
from engine.formats.mspdi.resource_writing import AssignmentWriter, resources_xml
from engine.formats.mspdi.task_writing import TaskWriter, leaf
from engine.formats.mspdi.values import Record, from_instant, from_seconds
from engine.formats.xml_text import Element
from engine.model import Clock, Plan
from engine.schedule.cpm import schedule
from engine.schedule.schedule import Schedule

SPACE = "http://schemas.microsoft.com/project"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_VERSION = 14  # of Microsoft Project 2010 and later


def to_bytes(plan: Plan) -> tuple[bytes, tuple[str, ...]]:
    """The file, and a sentence for each kind of thing that it cannot hold. Raises FormatError and PlanError."""
    if plan.clock is not Clock.CALENDAR:
        raise FormatError("A plan for a device has no dates, and a project of Microsoft Project is made of them")
    losses = Losses()
    say_of_plan(plan, losses)
    dates = schedule(plan)
    kept = elements(field(plan.fields, MORE))
    defined = definitions(kept)
    tasks, resources = CustomFields(TASK, defined), CustomFields(RESOURCE, defined)
    made = [
        *_head(plan, dates, kept),
        ("Calendars", calendars_xml(plan, _of_calendars(plan), losses)),
        ("Tasks", TaskWriter(plan, dates, tasks, losses).xml(field(plan.fields, SUMMARY))),
        ("Resources", resources_xml(plan, field(plan.fields, RESOURCES), resources, losses)),
        ("Assignments", AssignmentWriter(plan, dates, losses).xml(field(plan.fields, OTHERS))),
    ]
    added = tasks.added() + resources.added()
    if added:
        attributes = f"<ExtendedAttributes>{texts(defined)}{added}</ExtendedAttributes>"
        made.append(("ExtendedAttributes", attributes))
    text = f'{_HEAD}<Project xmlns="{SPACE}">{PROJECT.arrange(made, kept)}</Project>'
    return text.encode("utf-8"), losses.sentences()


def _of_calendars(plan: Plan) -> dict[int, str]:
    """What a file said of calendars beyond the model, by their id."""
    return {
        int(name.removeprefix(CALENDAR)): text
        for name, text in plan.fields
        if name.startswith(CALENDAR) and name.removeprefix(CALENDAR).isdigit()
    }


def _head(plan: Plan, dates: Schedule, kept: list[Element]) -> Iterator[tuple[str, str]]:
    record = Record(Element("Project", children=kept))
    settings = plan.settings
    if not kept:
        yield leaf("SaveVersion", _VERSION)
    if plan.name != project_name(record):
        yield leaf("Title", plan.name)
        if not record.has("Name"):
            yield leaf("Name", plan.name)
    yield leaf("ScheduleFromStart", not settings.is_from_finish)
    yield leaf("StartDate", from_instant(plan.start))
    is_given = settings.is_from_finish and settings.finish is not None
    yield leaf("FinishDate", from_instant(settings.finish if is_given and settings.finish else dates.project_finish))
    day = settings.hours_per_day * 3600
    yield leaf("CriticalSlackLimit", round(settings.critical_float / day))
    if plan.calendar is not None:
        yield leaf("CalendarUID", plan.calendar.id)
    yield leaf("DefaultStartTime", from_seconds(settings.default_start))
    yield leaf("DefaultFinishTime", from_seconds(settings.default_finish))
    yield leaf("MinutesPerDay", round(settings.hours_per_day * 60))
    yield leaf("MinutesPerWeek", round(settings.hours_per_week * 60))
    yield leaf("DaysPerMonth", round(settings.days_per_month))
    yield leaf("HonorConstraints", settings.honors_dates)
    if settings.status is not None:
        yield leaf("StatusDate", from_instant(settings.status))
