"""Random plans with all that a plan may hold. It never holds an expected date."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from engine.errors import CycleError, PlanError
from engine.model import (
    DAY,
    Assignment,
    Calendar,
    CalendarException,
    ConstraintKind,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    LagCalendar,
    LagKind,
    Plan,
    PlanSettings,
    Progress,
    ProgressRule,
    Recurrence,
    RecurrenceKind,
    Resource,
    Shift,
    Split,
    Task,
)
from tests.engine.schedule.golden import CALENDARS
from tests.engine.schedule.plans import HOUR, at, calendar_plan

START = at("2025-03-03 08:00")
FREE = ConstraintKind.AS_SOON_AS_POSSIBLE
HOURS = st.integers(-24, 24 * 30).map(lambda hours: START + hours * HOUR)
MONDAYS_OFF = CalendarException(
    START // DAY, START // DAY + 60, (), "Mondays", Recurrence(RecurrenceKind.WEEKLY, 2, (0,))
)
SUNDAY = CalendarException(START // DAY + 6, START // DAY + 6, (Shift(10 * HOUR, 12 * HOUR),))
OWN = Calendar(5, "own", (None,) * 5 + ((), None), (MONDAYS_OFF, SUNDAY), base=1)
ALL_CALENDARS = (*CALENDARS.values(), OWN)
RESOURCES = (Resource(1, "Ann"), Resource(2, "Ben", calendar=4), Resource(3, "Cas", calendar=5))


@st.composite
def tasks(draw: st.DrawFn, number: int, parent: int | None, is_plain: bool) -> Task:
    """One leaf; a plain one asks for nothing but a duration and a calendar."""
    task = Task(number, f"t{number}", draw(st.integers(0, 40)) * HOUR // 2, parent)
    task = replace(task, calendar=draw(st.none() | st.sampled_from([calendar.id for calendar in ALL_CALENDARS])))
    if is_plain:
        return task
    task = replace(
        task,
        is_elapsed=draw(st.integers(0, 9)) == 0,
        is_active=draw(st.integers(0, 9)) > 0,
        deadline=draw(st.none() | HOURS),
        delay=draw(st.sampled_from([0, 0, 0, 30 * HOUR])),
        splits=draw(st.sampled_from([(), (), (Split(HOUR, 3 * HOUR), Split(4 * HOUR, 20 * HOUR))])),
        effort=draw(st.sampled_from(EffortKind)),
        ignores_resource_calendars=draw(st.booleans()),
    )
    match draw(st.integers(0, 5)):
        case 0:
            begun = draw(HOURS)
            finish = draw(st.none() | st.integers(0, 90).map(lambda hours: begun + hours * HOUR))
            return replace(task, progress=Progress(draw(st.sampled_from([0, 25, 100])), begun, finish))
        case 1:
            first = draw(HOURS)
            return replace(
                task, is_manual=True, manual_start=first, manual_finish=first + draw(st.integers(0, 90)) * HOUR
            )
        case _:
            kind = draw(st.sampled_from([FREE, *ConstraintKind]))
            return replace(task, constraint=kind, constraint_at=draw(HOURS) if kind.has_date else 0)


@st.composite
def settings_of(draw: st.DrawFn, is_plain: bool) -> PlanSettings:
    """Settings that change dates."""
    settings = PlanSettings(lag_calendar=draw(st.sampled_from(LagCalendar)))
    if is_plain:
        return settings
    return replace(
        settings,
        honors_dates=draw(st.booleans()),
        progress_rule=draw(st.sampled_from(ProgressRule)),
        moves_remaining_to_status=draw(st.booleans()),
        status=draw(st.none() | HOURS),
        critical_float=draw(st.sampled_from([0, 8 * HOUR])),
        is_longest_path=draw(st.booleans()),
    )


@st.composite
def plans(draw: st.DrawFn, is_plain: bool = False, summaries: int = 3, most: int = 12) -> Plan:
    """Plans of some tasks in nested summaries, with links of every kind, some on summaries; none has a cycle."""
    count = draw(st.integers(1, most))
    nested = draw(st.integers(0, summaries))
    rows = []
    for index in range(nested):
        row = Task(
            101 + index, f"S{index}", index * HOUR, parent=draw(st.sampled_from([None, *range(101, 101 + index)]))
        )
        if not is_plain and draw(st.booleans()):
            kind = draw(st.sampled_from(ConstraintKind))
            row = replace(row, constraint=kind, constraint_at=draw(HOURS) if kind.has_date else 0)
        rows.append(row)
    parents = st.sampled_from([None, *range(101, 101 + nested)])
    rows += [draw(tasks(number, draw(parents), is_plain)) for number in range(1, count + 1)]
    plan = calendar_plan(
        rows,
        calendars=ALL_CALENDARS,
        resources=RESOURCES,
        assignments=draw(assignments(count)) if not is_plain else (),
        settings=draw(settings_of(is_plain)),
    )
    ids = [row.id for row in rows]
    for before, after in draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=20)):
        link = Dependency(before, after, draw(st.sampled_from(DependencyKind)), draw(lags()))
        plan = with_link(plan, link)
    return plan


@st.composite
def lags(draw: st.DrawFn) -> Lag:
    """Lags and leads of every kind; most links have none."""
    if draw(st.booleans()):
        return Lag()
    kind = draw(st.sampled_from(LagKind))
    return Lag(draw(st.integers(-60, 120)) * (1 if kind.is_percent else HOUR // 2), kind)


@st.composite
def assignments(draw: st.DrawFn, count: int) -> tuple[Assignment, ...]:
    """Who does what, some with work of their own."""
    pairs = draw(st.lists(st.tuples(st.integers(1, count), st.integers(1, 3)), unique=True, max_size=6))
    work = st.none() | st.integers(1, 40).map(lambda hours: hours * HOUR)
    return tuple(Assignment(task, who, draw(st.sampled_from([0.5, 1.0, 2.0])), draw(work)) for task, who in pairs)


def with_link(plan: Plan, link: Dependency) -> Plan:
    """The plan with one link more, or the same where that would be none or make a cycle."""
    from engine.schedule.network import leaf_links, topological_order

    try:
        changed = replace(plan, dependencies=(*plan.dependencies, link)).check()
        topological_order(changed, leaf_links(changed))
    except (CycleError, PlanError):
        return plan
    return changed
