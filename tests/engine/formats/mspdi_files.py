"""Small MSPDI files, built by hand. It asserts nothing."""

from __future__ import annotations

from pathlib import Path

from engine.formats import mspdi
from engine.formats.mspdi.values import to_instant
from engine.model import Plan

TIMES = (
    "<WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>12:00:00</ToTime></WorkingTime>"
    "<WorkingTime><FromTime>13:00:00</FromTime><ToTime>17:00:00</ToTime></WorkingTime></WorkingTimes>"
)
STANDARD = (
    "<Calendar><UID>1</UID><Name>Standard</Name><IsBaseCalendar>1</IsBaseCalendar><BaseCalendarUID>-1</BaseCalendarUID>"
    "<WeekDays><WeekDay><DayType>1</DayType><DayWorking>0</DayWorking></WeekDay>"
    + "".join(f"<WeekDay><DayType>{d}</DayType><DayWorking>1</DayWorking>{TIMES}</WeekDay>" for d in range(2, 7))
    + "<WeekDay><DayType>7</DayType><DayWorking>0</DayWorking></WeekDay></WeekDays>{more}</Calendar>"
)
SPACE = "http://schemas.microsoft.com/project"
HEAD = (
    "<Name>small</Name><ScheduleFromStart>1</ScheduleFromStart><StartDate>2025-03-03T08:00:00</StartDate>"
    "<CalendarUID>1</CalendarUID><MinutesPerDay>480</MinutesPerDay><MinutesPerWeek>2400</MinutesPerWeek>"
    "<DaysPerMonth>20</DaysPerMonth>"
)


def standard(more: str = "") -> str:
    """The usual calendar, with something more in it."""
    return STANDARD.replace("{more}", more)


def project(tasks: str = "", calendars: str = "", head: str = HEAD, rest: str = "") -> str:
    """A whole file; `rest` are Resources and Assignments."""
    calendars = calendars or standard()
    body = f"{head}<Calendars>{calendars}</Calendars><Tasks>{tasks}</Tasks>{rest}"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<Project xmlns="{SPACE}">{body}</Project>'


def task(uid: int, more: str = "", name: str = "", level: int = 1, hours: int = 8) -> str:
    """A row of some hours."""
    return (
        f"<Task><UID>{uid}</UID><ID>{uid}</ID><Name>{name or f'T{uid}'}</Name><OutlineLevel>{level}</OutlineLevel>"
        f"<Duration>PT{hours}H0M0S</Duration>{more}</Task>\n"
    )


def link(predecessor: int, kind: int = 1, lag: int = 0, form: int = 7) -> str:
    """A link of a task to one before it."""
    return (
        f"<PredecessorLink><PredecessorUID>{predecessor}</PredecessorUID><Type>{kind}</Type>"
        f"<CrossProject>0</CrossProject><LinkLag>{lag}</LinkLag><LagFormat>{form}</LagFormat></PredecessorLink>"
    )


def resource(uid: int, more: str = "", name: str = "") -> str:
    """A resource that works."""
    return f"<Resource><UID>{uid}</UID><ID>{uid}</ID><Name>{name or f'R{uid}'}</Name><Type>1</Type>{more}</Resource>"


def assignment(uid: int, task_uid: int, resource_uid: int, more: str = "<Units>1</Units>") -> str:
    """Who does what."""
    who = f"<TaskUID>{task_uid}</TaskUID><ResourceUID>{resource_uid}</ResourceUID>"
    return f"<Assignment><UID>{uid}</UID>{who}{more}</Assignment>"


def staff(resources: str, assignments: str = "") -> str:
    """Resources and assignments."""
    return f"<Resources>{resources}</Resources><Assignments>{assignments}</Assignments>"


def figure(kind: int, start: str, finish: str, value: str = "") -> str:
    """A timephased figure from one instant to another."""
    amount = f"<Value>{value}</Value>" if value else ""
    return (
        f"<TimephasedData><Type>{kind}</Type><UID>1</UID><Start>{start}</Start><Finish>{finish}</Finish>"
        f"<Unit>2</Unit>{amount}</TimephasedData>"
    )


def at(text: str) -> int:
    """Ticks of an instant such as 2025-03-03T08:00."""
    found = to_instant(text)
    assert found is not None
    return found


def load(folder: Path, text: str) -> Plan:
    """The plan of a file with this text."""
    return mspdi.load(written(folder, text))


def written(folder: Path, text: str, name: str = "small.xml") -> Path:
    """A file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def resaved(folder: Path, plan: Plan) -> Plan:
    """A plan saved and loaded again."""
    mspdi.save(folder / "again.xml", plan)
    return mspdi.load(folder / "again.xml")
