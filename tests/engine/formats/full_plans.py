"""Random valid plans that use every field there is. It asserts nothing."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from engine.model import (
    MOST_TICKS,
    Alternative,
    Assignment,
    Baseline,
    BaselineTask,
    Calendar,
    CalendarException,
    Capacity,
    Changeover,
    Contour,
    Dependency,
    DriverCorrelation,
    EffortKind,
    Impact,
    KernelSpec,
    KernelSplit,
    LagCalendar,
    ParameterSpec,
    Plan,
    PlanRisks,
    PlanSettings,
    Progress,
    ProgressRule,
    Recorded,
    Recurrence,
    RecurrenceKind,
    Resource,
    ResourceKind,
    RiskDriver,
    RiskEvent,
    Split,
    Spread,
    SpreadKind,
    SpreadPreset,
    Task,
    TaskRisk,
    Transport,
    Week,
    WorkWeek,
)
from tests.engine.model.strategies import ABOVE_ZERO, DURATIONS, INSTANTS, NAMES, exceptions, plans, shifts

MAYBE = st.none() | INSTANTS
FIELDS = st.lists(st.tuples(NAMES, NAMES), max_size=2).map(tuple)
DAYS = st.none() | st.lists(shifts(), max_size=2).map(tuple)
PERCENT = st.floats(0, 100)

SETTINGS = st.builds(
    PlanSettings,
    profile=NAMES,
    hours_per_day=st.floats(0.25, 24.0),
    hours_per_week=st.floats(0, 168),
    days_per_month=st.floats(0, 31),
    lag_calendar=st.sampled_from(LagCalendar),
    honors_dates=st.booleans(),
    progress_rule=st.sampled_from(ProgressRule),
    moves_remaining_to_status=st.booleans(),
    critical_float=INSTANTS,
    near_critical_float=INSTANTS,
    is_longest_path=st.booleans(),
    status=MAYBE,
    is_from_finish=st.booleans(),
    finish=MAYBE,
    default_start=st.integers(0, 86_400),
    default_finish=st.integers(0, 86_400),
    frozen_until=MAYBE,
)
RECURRENCES = st.builds(
    Recurrence,
    st.sampled_from(RecurrenceKind),
    st.integers(1, 99),
    st.lists(st.integers(0, 6), max_size=3).map(tuple),
    st.integers(1, 31),
    st.integers(1, 12),
    st.integers(1, 5),
    st.integers(0, 99),
)


@st.composite
def weeks(draw: st.DrawFn, has_base: bool) -> Week:
    days = [draw(DAYS) for _ in range(7)]
    if has_base:
        return tuple(days)
    worked = [day or () for day in days]
    return tuple(worked) if any(worked) else ((*draw(st.tuples(shifts())),), *worked[1:])


@st.composite
def any_exceptions(draw: st.DrawFn) -> tuple[CalendarException, ...]:
    found = draw(st.lists(exceptions(), max_size=2))
    return tuple(replace(each, recurrence=draw(st.none() | RECURRENCES)) for each in found)


@st.composite
def other_calendars(draw: st.DrawFn, known: tuple[int, ...]) -> tuple[Calendar, ...]:
    """Up to two; the second may rest on the first, or on one that is known."""
    found: list[Calendar] = []
    for number in draw(st.lists(st.integers(100, 120), max_size=2, unique=True)):
        base = draw(st.none() | st.sampled_from((*known, *(c.id for c in found)))) if known or found else None
        periods = [
            WorkWeek(first, first + draw(st.integers(0, 90)), draw(weeks(base is not None)), draw(NAMES))
            for first in draw(st.lists(st.integers(-1000, 50_000), max_size=2))
        ]
        week = draw(weeks(base is not None))
        found.append(Calendar(number, draw(NAMES), week, draw(any_exceptions()), base, tuple(periods)))
    return tuple(found)


@st.composite
def full_task(draw: st.DrawFn, task: Task, calendars: tuple[int, ...], is_leaf: bool) -> Task:
    remaining = st.none() | DURATIONS
    return replace(
        task,
        is_elapsed=draw(st.booleans()),
        is_manual=draw(st.booleans()),
        manual_start=draw(MAYBE),
        manual_finish=draw(MAYBE),
        is_active=draw(st.booleans()),
        calendar=draw(st.sampled_from((None, *calendars))),
        ignores_resource_calendars=draw(st.booleans()),
        deadline=draw(MAYBE),
        priority=draw(st.integers(0, 1000)),
        delay=draw(INSTANTS),
        splits=tuple(draw(st.lists(st.builds(Split, DURATIONS, DURATIONS), max_size=2))),
        progress=draw(st.none() | st.builds(Progress, PERCENT, MAYBE, MAYBE, remaining)),
        recorded=draw(st.none() | st.builds(Recorded, INSTANTS, INSTANTS)),
        effort=draw(st.sampled_from(EffortKind)),
        fields=draw(FIELDS),
        skill=draw(NAMES),
        family=draw(NAMES),
        is_unbreakable=draw(st.booleans()),
        risk=draw(st.none() | task_risks(is_leaf)),
    )


@st.composite
def spreads(draw: st.DrawFn) -> Spread:
    """Any that keeps its own rules."""
    low, likely, high = sorted(draw(st.lists(st.floats(0, 1000), min_size=3, max_size=3, unique=True)))
    values = tuple(draw(st.lists(st.floats(0, 1000), min_size=1, max_size=3)))
    is_percent = draw(st.booleans())
    return Spread(draw(st.sampled_from(SpreadKind)), low, likely, high, draw(st.floats(0.5, 9)), is_percent, values)


@st.composite
def task_risks(draw: st.DrawFn, is_leaf: bool) -> TaskRisk:
    """What of a task may be uncertain; of the drivers of `risks_of`."""
    if not is_leaf:
        return TaskRisk(chance=draw(st.floats(0, 1)))
    loadings = draw(st.sampled_from(((), ((1, 0.5),), ((1, -0.25), (2, 0.75)))))
    return TaskRisk(draw(st.none() | spreads()), draw(st.floats(0, 1)), loadings)


@st.composite
def risks_of(draw: st.DrawFn, plan: Plan) -> PlanRisks:
    """Two drivers, and perhaps events and presets."""
    drivers = (RiskDriver(1, draw(NAMES)), RiskDriver(2, draw(NAMES)), RiskDriver(7, draw(NAMES)))
    ids = [task.id for task in plan.tasks]
    events = tuple(
        RiskEvent(
            number,
            draw(NAMES),
            draw(st.floats(0, 1)),
            tuple(Impact(task, draw(spreads())) for task in draw(st.lists(st.sampled_from(ids), unique=True))),
        )
        for number in draw(st.sampled_from(((), (1,), (2, 5))))
        if ids
    )
    correlations = draw(st.sampled_from(((), (DriverCorrelation(1, 2, 0.5),), (DriverCorrelation(7, 1, -0.25),))))
    presets = tuple(SpreadPreset(name, draw(spreads())) for name in draw(st.sampled_from(((), ("",), ("", "weld")))))
    return PlanRisks(drivers, correlations, events, presets)


@st.composite
def alternatives_of(draw: st.DrawFn, plan: Plan) -> tuple[Alternative, ...]:
    """Other machines and people for some tasks, each once."""
    holding = [r.id for r in plan.resources if r.kind in (ResourceKind.WORK, ResourceKind.MACHINE)]
    tasks = [task.id for task in plan.tasks]
    if not (holding and tasks):
        return ()
    pairs = st.tuples(st.sampled_from(tasks), st.sampled_from(holding))
    cost = st.floats(0, 1e9)
    return tuple(
        Alternative(*pair, draw(ABOVE_ZERO), draw(st.none() | DURATIONS), draw(cost))
        for pair in draw(st.lists(pairs, min_size=1, max_size=4, unique=True))
    )


@st.composite
def changeovers(draw: st.DrawFn, number: int) -> Changeover:
    """A matrix of a few families."""
    families = draw(st.lists(st.text(min_size=1, max_size=5), max_size=3, unique=True))
    row = st.lists(DURATIONS, min_size=len(families), max_size=len(families)).map(tuple)
    return Changeover(number, draw(NAMES), tuple(families), tuple(draw(row) for _ in families))


@st.composite
def transports_of(draw: st.DrawFn, plan: Plan) -> tuple[Transport, ...]:
    """Times between some pairs of resources."""
    pairs = [(a.id, b.id) for a in plan.resources for b in plan.resources if a.id != b.id]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3, unique=True)) if pairs else []
    return tuple(Transport(*pair, draw(DURATIONS)) for pair in chosen)


@st.composite
def full_link(draw: st.DrawFn, link: Dependency) -> Dependency:
    """A link, perhaps with a longest lag, or one that is not certain."""
    more = draw(st.none() | st.integers(0, 1000))
    is_room = more is not None and link.lag.amount <= MOST_TICKS - 1000
    link = replace(link, spread=draw(st.none() | spreads()))
    return replace(link, longest=link.lag.amount + more) if is_room and more is not None else link


@st.composite
def full_resource(
    draw: st.DrawFn, resource: Resource, calendars: tuple[int, ...], kinds: tuple[Changeover, ...]
) -> Resource:
    steps = tuple(draw(st.lists(st.builds(Capacity, INSTANTS, INSTANTS, ABOVE_ZERO), max_size=2)))
    calendar = draw(st.sampled_from((None, *calendars)))
    return replace(
        resource,
        calendar=calendar,
        steps=steps,
        source=draw(NAMES),
        fields=draw(FIELDS),
        skills=tuple(draw(st.lists(st.text(min_size=1, max_size=5), max_size=2, unique=True))),
        cost_per_hour=draw(st.floats(0, 1e6)),
        changeover=draw(st.sampled_from((None, *(each.id for each in kinds)))),
        setup=draw(NAMES),
    )


@st.composite
def kernels(draw: st.DrawFn, name: str) -> KernelSpec:
    """A kernel of a kit."""
    low, high = sorted((draw(st.integers(-99, 99)), draw(st.integers(-99, 99))))
    usual = draw(st.integers(low, high))
    parameter = ParameterSpec(draw(st.sampled_from("pq")), usual, low, high, draw(st.booleans()))
    return KernelSpec(
        name,
        draw(st.sampled_from(("kit", "kits/own"))),
        draw(st.sampled_from(((), ("a",), ("a", "b")))),
        draw(st.sampled_from((("c",), ("c", "d")))),
        draw(NAMES),
        draw(st.sampled_from(("f.py:work", "f.py:other"))),
        draw(st.sampled_from(("", "f.cu:work"))),
        draw(st.sampled_from(("", "f.py:plain"))),
        draw(st.sampled_from(((), (parameter,)))),
        draw(st.sampled_from(("", "int32"))),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.sampled_from(KernelSplit)),
        draw(st.floats(1e-9, 1)),
        draw(st.floats(0, 1e18)),
        draw(st.floats(0, 1e18)),
    )


@st.composite
def full_plans(draw: st.DrawFn) -> Plan:
    """Any plan that keeps its own rules, with every field of the model used by some of them."""
    plan = draw(plans())
    own = (plan.calendar.id,) if plan.calendar else ()
    others = draw(other_calendars(own))
    known = (*own, *(calendar.id for calendar in others))
    ids = st.sampled_from([task.id for task in plan.tasks] or [1])
    promised = st.builds(BaselineTask, ids, INSTANTS, INSTANTS, DURATIONS)
    baselines = st.builds(Baseline, st.integers(0, 10), NAMES, st.lists(promised, max_size=3).map(tuple))
    assignments = [
        Assignment(
            a.task, a.resource, a.units, draw(st.none() | DURATIONS), draw(FIELDS), draw(st.sampled_from(Contour))
        )
        for a in plan.assignments
    ]
    kinds = tuple(draw(changeovers(number)) for number in draw(st.sampled_from(((), (1,), (2, 7)))))
    return replace(
        plan,
        tasks=tuple(draw(full_task(task, known, task.id not in plan.children)) for task in plan.tasks),
        dependencies=tuple(draw(full_link(link)) for link in plan.dependencies),
        alternatives=draw(alternatives_of(plan)),
        changeovers=kinds,
        transports=draw(transports_of(plan)),
        risks=draw(risks_of(plan)),
        resources=tuple(draw(full_resource(resource, known, kinds)) for resource in plan.resources),
        assignments=tuple(assignments),
        settings=draw(SETTINGS),
        calendars=others,
        baselines=tuple(draw(st.lists(baselines, max_size=2))),
        fields=draw(FIELDS),
        kernels=tuple(draw(kernels(name)) for name in draw(st.sampled_from(((), ("k",), ("k", "m"))))),
    ).check()
