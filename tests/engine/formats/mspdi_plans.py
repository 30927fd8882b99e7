"""Random small plans that MSPDI can hold whole. It asserts nothing."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from engine.formats.mspdi.losses import baseline_name
from engine.model import (
    Assignment,
    Baseline,
    BaselineTask,
    Calendar,
    CalendarException,
    Capacity,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    LagKind,
    Plan,
    PlanSettings,
    Progress,
    Resource,
    ResourceKind,
    Shift,
    Task,
    WorkWeek,
)
from tests.engine.formats.mspdi_files import at

HOUR = 3600
FIRST = at("2025-03-03T08:00")
INSTANTS = st.integers(0, 2_000).map(lambda minutes: FIRST + 15 * 60 * minutes)
NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=9)
AMOUNTS = st.integers(-300, 300).map(lambda tenths: 6 * tenths)
DAYS = st.integers(FIRST // 86_400, FIRST // 86_400 + 400)
OFFICE = Calendar.standard().week[0]
SHIFTS = st.sampled_from((OFFICE, (), (Shift(0, 86_400),), (Shift(6 * HOUR, 14 * HOUR + 60),)))


@st.composite
def exceptions(draw: st.DrawFn) -> CalendarException:
    first = draw(DAYS)
    return CalendarException(first, first + draw(st.integers(0, 9)), draw(SHIFTS) or (), draw(NAMES))


@st.composite
def calendars(draw: st.DrawFn, number: int, base: int | None) -> Calendar:
    week = tuple(draw(st.none() | SHIFTS) if base is not None else OFFICE for _ in range(7))
    first = draw(DAYS)
    days = tuple(draw(st.none() | SHIFTS) for _ in range(7))
    periods = tuple(draw(st.lists(st.just(WorkWeek(first, first + 20, days, "P")), max_size=1)))
    return Calendar(number, f"C{number}", week, tuple(draw(st.lists(exceptions(), max_size=2))), base, periods)


@st.composite
def tasks(draw: st.DrawFn, number: int, ids: range, known: tuple[int, ...]) -> Task:
    parent = draw(st.none() | st.sampled_from(ids)) if ids else None
    kind = draw(st.sampled_from(ConstraintKind))
    manual = draw(st.none() | INSTANTS)
    done = st.builds(Progress, st.integers(0, 100).map(float), INSTANTS, st.none(), st.none())
    return Task(
        number,
        draw(NAMES),
        draw(st.integers(0, 200)) * 15 * 60,
        parent,
        draw(st.booleans()),
        constraint=kind,
        constraint_at=draw(INSTANTS) if kind.has_date else 0,
        is_elapsed=draw(st.booleans()),
        is_manual=manual is not None,
        manual_start=manual,
        manual_finish=None if manual is None else manual + 8 * HOUR,
        is_active=draw(st.booleans()),
        calendar=draw(st.sampled_from((None, *known))),
        ignores_resource_calendars=draw(st.booleans()),
        deadline=draw(st.none() | INSTANTS),
        priority=draw(st.integers(0, 1000)),
        delay=draw(st.sampled_from((0, 4800 * 6))),
        progress=draw(st.none() | done),
        effort=draw(st.sampled_from(EffortKind)),
        fields=draw(st.sampled_from(((), (("Notes", "one\ntwo"),), (("Owner", "Ann"), ("Risk", "<high>"))))),
    )


def _as_summary(plan: Plan, task: Task) -> Task:
    """A row as a file holds it: the duration of a summary is no one's to say unless it is manual."""
    if not plan.is_summary(task.id) or task.is_manual:
        return task
    return replace(task, duration=0, is_elapsed=False)


@st.composite
def links(draw: st.DrawFn, plan: Plan) -> tuple[Dependency, ...]:
    leaves = [task.id for task in plan.tasks if not plan.is_summary(task.id)]
    pairs = [(first, second) for row, first in enumerate(leaves) for second in leaves[row + 1 :]]
    found = {}
    for first, second in draw(st.lists(st.sampled_from(pairs), max_size=5)) if pairs else ():
        kind = draw(st.sampled_from(LagKind))
        amount = draw(st.integers(-50, 150) if kind.is_percent else AMOUNTS)
        link = Dependency(first, second, draw(st.sampled_from(DependencyKind)), Lag(amount, kind))
        found[link.key] = link
    return tuple(sorted(found.values(), key=lambda link: plan.rows[link.successor]))


@st.composite
def staffed(draw: st.DrawFn, plan: Plan) -> Plan:
    """The plan with people, and who does what."""
    known = st.sampled_from((None, *plan.calendar_of))
    step = st.builds(Capacity, st.just(FIRST), INSTANTS.map(lambda at: at + 60), st.sampled_from((0.5, 3.0)))
    people = tuple(
        Resource(
            n,
            draw(NAMES),
            kind,
            draw(st.sampled_from((1.0, 2.5))),
            draw(known),
            tuple(draw(st.lists(step, max_size=1))),
        )
        for n, kind in enumerate((ResourceKind.WORK, ResourceKind.MATERIAL), start=1)
    )
    leaves = [task for task in plan.tasks if not plan.is_summary(task.id)]
    who = [
        Assignment(task.id, person.id, draw(st.sampled_from((0.5, 1.0))))
        for task in leaves
        for person in people
        if draw(st.booleans())
    ]
    promised = [
        BaselineTask(task.id, draw(INSTANTS), draw(INSTANTS), 60 * draw(st.integers(0, 99))) for task in plan.tasks
    ]
    numbers = sorted(draw(st.sets(st.integers(0, 10), max_size=2))) if promised else ()
    baselines = tuple(Baseline(number, baseline_name(number), tuple(promised)) for number in numbers)
    return replace(plan, resources=people, assignments=tuple(who), baselines=baselines)


@st.composite
def small_plans(draw: st.DrawFn) -> Plan:
    """Up to six rows, whose dates lie within some years."""
    others = draw(st.sampled_from(((), (2,), (2, 3))))
    found = tuple(draw(calendars(number, None if number == 2 else draw(st.sampled_from((1, 2))))) for number in others)
    known = (1, *(calendar.id for calendar in found))
    count = draw(st.integers(0, 6))
    rows = tuple(draw(tasks(n, range(1, n), known)) for n in range(1, count + 1))
    plan = Plan(
        draw(NAMES),
        Clock.CALENDAR,
        FIRST,
        _in_order(rows),
        calendar=Calendar.standard(),
        settings=draw(st.builds(PlanSettings, honors_dates=st.booleans(), status=st.none() | INSTANTS)),
        next_task_id=count + 1,
        calendars=found,
    )
    plan = replace(plan, tasks=tuple(_as_summary(plan, task) for task in plan.tasks))
    plan = replace(plan, dependencies=draw(links(plan)))
    return draw(staffed(plan)).check()


def _in_order(rows: tuple[Task, ...]) -> tuple[Task, ...]:
    """Rows as an outline: each right below its parent's last child."""
    below: dict[int | None, list[Task]] = {}
    for row in rows:
        below.setdefault(row.parent, []).append(row)

    def walk(parent: int | None) -> list[Task]:
        return [found for row in below.get(parent, []) for found in (row, *walk(row.id))]

    return tuple(walk(None))
