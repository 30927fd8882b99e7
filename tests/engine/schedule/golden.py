"""The sample cases as plans, and what is said of how many came out as another scheduler has them."""

from __future__ import annotations

from dataclasses import replace

from engine.model import (
    DAY,
    Assignment,
    Calendar,
    CalendarException,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagCalendar,
    LagKind,
    Plan,
    PlanSettings,
    Progress,
    Resource,
    Shift,
    Split,
    Task,
)
from engine.schedule.working_time import WorkingTime
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan

Case = dict  # as it stands in the file

DAY_SHIFT = (Shift(8 * HOUR, 12 * HOUR), Shift(13 * HOUR, 17 * HOUR))
EVENING, MORNING = (Shift(23 * HOUR, DAY),), (Shift(0, 3 * HOUR), Shift(4 * HOUR, 8 * HOUR))
CALENDARS = {
    "24h": Calendar(2, "24h", ((Shift(0, DAY),),) * 7),
    "night": Calendar(3, "night", (EVENING, *(MORNING + EVENING,) * 4, MORNING, ())),
    "sixday": Calendar(4, "sixday", (DAY_SHIFT,) * 6 + ((),)),
}
P6 = PlanSettings(lag_calendar=LagCalendar.PREDECESSOR, honors_dates=False, moves_remaining_to_status=True)


def ticks(text: str) -> int:
    """A duration such as 3d, 4h or 2.5ed, in ticks."""
    for suffix, unit in (("ed", DAY), ("eh", HOUR), ("d", WORKDAY), ("h", HOUR)):
        if text.endswith(suffix):
            return round(float(text.removesuffix(suffix)) * unit)
    raise ValueError(text)


def lag(text: str) -> Lag:
    """A lag such as -2d, 3ed or 50%."""
    if text.endswith("%"):
        return Lag(int(text[:-1]), LagKind.PERCENT)
    return Lag(ticks(text), LagKind.ELAPSED if text[-2] == "e" else LagKind.WORKING)


def cpm_plan(case: Case, settings: PlanSettings) -> tuple[Plan, dict[str, int]]:
    """A case of cpm_cases.json, and the number of each of its tasks."""
    number = {task["id"]: index for index, task in enumerate(case["tasks"], 1)}
    off = [at("{:04}-{:02}-{:02} 00:00".format(*day)) // DAY for day in case.get("holidays", [])]
    standard = replace(Calendar.standard(), exceptions=tuple(CalendarException(day, day) for day in off))
    tasks = [cpm_task(task, number) for task in case["tasks"]]
    links = [
        Dependency(number[link[0]], number[link[1]], DependencyKind(link[2]), *map(lag, link[3:]))
        for link in case.get("links", [])
    ]
    if settings.moves_remaining_to_status:  # the other one's data date is the project's start unless it has another
        settings = replace(settings, status=at(case.get("status", case["start"])))
    plan = calendar_plan(tasks, links, case["start"], standard, settings=settings, calendars=tuple(CALENDARS.values()))
    return plan, number


def cpm_task(task: Case, number: dict[str, int]) -> Task:
    """A task of a case."""
    done = Progress(
        task.get("pct", 0),
        at(task["as"]) if "as" in task else None,
        at(task["af"]) if "af" in task else None,
    )
    constraint = task.get("con", ["ASAP"])
    calendar = task.get("cal")
    return Task(
        number[task["id"]],
        task["id"],
        ticks(task.get("dur", "0d")),
        parent=number.get(task.get("in")),
        is_elapsed=task.get("dur", "").endswith(("ed", "eh")),
        constraint=ConstraintKind(constraint[0].lower()),
        constraint_at=at(constraint[1]) if len(constraint) > 1 else 0,
        deadline=at(task["deadline"]) if "deadline" in task else None,
        is_manual="manual" in task,
        manual_start=at(task["manual"][0]) if "manual" in task else None,
        manual_finish=at(task["manual"][1]) if "manual" in task else None,
        is_active=not task.get("inactive", False),
        calendar=CALENDARS[calendar].id if calendar else None,
        progress=done if {"pct", "as", "af"} & set(task) else None,
    )


KINDS = {"FINISH_START": "FS", "START_START": "SS", "FINISH_FINISH": "FF", "START_FINISH": "SF"}


def theory_plan(case: Case) -> tuple[Plan, dict[str, int]]:
    """A theory case, which counts whole days: a start is 08:00, an end (inclusive) 17:00."""
    number = {task["name"]: index for index, task in enumerate(case["tasks"], 1)}
    names = {shown["name"]: index for index, shown in enumerate(case.get("calendars", []), 2)}
    calendars = tuple(theory_calendar(shown, names[shown["name"]]) for shown in case.get("calendars", []))
    known = {resource["name"]: index for index, resource in enumerate(case.get("resources", []), 1)}
    options = case.get("scheduleOptions", case.get("schedulingOptions", {}))
    status = at(case["statusDate"] + " 08:00") if "statusDate" in case else None
    settings = PlanSettings(
        honors_dates=False,
        lag_calendar=LagCalendar.PREDECESSOR,
        moves_remaining_to_status=not options.get("resumeFromActualElapsed", False),
        status=status,
    )
    plan = calendar_plan(
        [theory_task(task, number, names) for task in case["tasks"]],
        [theory_link(link, number) for link in case.get("links") or []],
        case.get("anchor", "2026-06-01") + " 08:00",
        theory_calendar(case.get("calendar", {}), 1),
        settings=settings,
        calendars=calendars,
        resources=tuple(Resource(index, name) for name, index in known.items()),
        assignments=tuple(
            Assignment(number[task["name"]], known[used["res"]], used["units"])
            for task in case["tasks"]
            for used in task.get("assign", [])
        ),
    )
    return plan, number


def theory_calendar(shown: Case, number: int) -> Calendar:
    """Working days 1 (Monday) to 7 of eight hours, or minutes by weekday; holidays inclusive."""
    days = shown.get("workDays", [1, 2, 3, 4, 5])
    week = tuple(DAY_SHIFT if day in days else () for day in range(1, 8))
    if "workTime" in shown:
        by_day = shown["workTime"]["byWeekday"]
        week = tuple(tuple(Shift(s["start"] * 60, s["end"] * 60) for s in by_day[str(day)]) for day in range(1, 8))
    off = [
        (at(day["startDate"] + " 00:00") // DAY, at(day["endDate"] + " 00:00") // DAY)
        for day in shown.get("holidays", [])
    ]
    return Calendar(number, shown.get("name", "own"), week, tuple(CalendarException(*days) for days in off))


def theory_task(task: Case, number: dict[str, int], calendars: dict[str, int]) -> Task:
    """A task of a theory case; a percentage without a start of its own has not begun."""
    duration = task.get("dur", 0)
    length = ticks(duration.replace("u", "h")) if isinstance(duration, str) else round(duration * WORKDAY)
    is_elapsed = task.get("durationType") == "ELAPSEDTIME"
    constraint = task.get("constraint", {"type": "ASAP"})
    begins = constraint["type"] in ("SNET", "SNLT", "MSO") or task.get("milestone")
    pinned = task.get("milestone") and "start" in task
    done = None
    if "actualStart" in task:
        finish = at(task["actualFinish"] + " 17:00") if "actualFinish" in task else None
        done = Progress(task.get("completion", 0) * 100, at(task["actualStart"] + " 08:00"), finish)
    return Task(
        number[task["name"]],
        task["name"],
        duration * DAY if is_elapsed else length,
        is_milestone=task.get("milestone", False),
        is_elapsed=is_elapsed,
        constraint=ConstraintKind("snet" if pinned else constraint["type"].lower()),
        constraint_at=at(task["start"] + " 08:00")
        if pinned
        else at(constraint["date"] + (" 08:00" if begins else " 17:00"))
        if "date" in constraint
        else 0,
        deadline=at(task["deadline"] + " 17:00") if "deadline" in task else None,
        calendar=calendars.get(task.get("calendar")),
        progress=done,
        splits=resumed(task, length),
    )


def resumed(task: Case, length: int) -> tuple[Split, ...]:
    """A pause from what is done to where the task goes on; of tasks with several assignments it says nothing."""
    if "resume" not in task or len(task.get("assign", [])) > 1:
        return ()
    done = round(length * task["completion"])
    stopped = at(task["actualStart"] + " 08:00")
    gap = WorkingTime.of(Calendar.standard()).between(stopped, at(task["resume"] + " 08:00")) - done
    return (Split(done, gap),)


def theory_link(link: Case, number: dict[str, int]) -> Dependency:
    """A link of a theory case; a percentage or whole days win over minutes."""
    kind = LagKind.ELAPSED if link.get("lagUnit") == "ELAPSEDTIME" else LagKind.WORKING
    if "lagPercent" in link:
        amount = Lag(link["lagPercent"], LagKind.PERCENT)
    elif link.get("lag"):
        amount = Lag(link["lag"] * (DAY if kind is LagKind.ELAPSED else WORKDAY), kind)
    else:
        amount = Lag(link.get("lagMinutes", 0) * 60)
    return Dependency(number[link["pred"]], number[link["succ"]], DependencyKind(KINDS[link["type"]]), amount)
