"""Plans in which things are not certain. It asserts nothing."""

from __future__ import annotations

import random
from dataclasses import replace

from engine.model import (
    DAY,
    Assignment,
    Calendar,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    DriverCorrelation,
    Impact,
    Lag,
    LagKind,
    Plan,
    PlanRisks,
    PlanSettings,
    Progress,
    Resource,
    ResourceKind,
    RiskDriver,
    RiskEvent,
    Shift,
    Split,
    Spread,
    SpreadKind,
    Task,
    TaskRisk,
)
from tests.engine.model.strategies import HOUR, MONDAY

ALL_DAY = Calendar(9, "24 h", tuple(((Shift(0, DAY),),) * 7))
NIGHTS = Calendar(8, "Nights", tuple(((Shift(0, 6 * HOUR), Shift(20 * HOUR, DAY)),) * 7))


def spread(kind: SpreadKind, low: float, likely: float, high: float, **more: float) -> Spread:
    return Spread(kind, low, likely, high, **more)  # type: ignore[arg-type]


def certain(plan: Plan) -> Plan:
    """The same, and nothing of it open."""
    tasks = [replace(task, risk=None) for task in plan.tasks]
    links = tuple(replace(link, spread=None) for link in plan.dependencies)
    return replace(plan.with_tasks(tasks), dependencies=links, risks=PlanRisks())


def with_spread(plan: Plan, task: int, found: Spread) -> Plan:
    return plan.with_task(replace(plan.task(task), risk=TaskRisk(found)))


def drawn(seed: int, tasks: int = 24) -> Plan:
    """A plan of every kind of link, lag, calendar, constraint and progress, and of everything that is not certain."""
    chance = random.Random(seed)
    summaries = (Task(1, "First"), Task(2, "Second"))
    ids = list(range(3, 3 + tasks))
    parents = {number: chance.choice((None, None, 1, 2)) for number in ids}
    leaves = [_leaf(chance, number, parents[number]) for number in ids]
    inside = [[leaf for leaf in leaves if leaf.parent == which] for which in (1, 2, None)]
    rows = (summaries[0], *inside[0], summaries[1], *inside[1], *inside[2])
    rows = tuple(row for row in rows if row.id > 2 or any(leaf.parent == row.id for leaf in leaves))
    there = {row.id for row in rows}
    links = {}
    for _ in range(2 * tasks):
        before, after = sorted(chance.sample(ids, 2))
        link = Dependency(before, after, chance.choice(list(DependencyKind)), _lag(chance), spread=_lag_spread(chance))
        links[link.key] = link
    for before, after in ((1, ids[-1]), (ids[0], 2)):
        inner = {before, after} & {1, 2}
        ends = {parents.get(number) for number in (before, after)}
        if inner <= there and not inner & ends:
            link = Dependency(before, after, chance.choice(list(DependencyKind)), Lag(chance.choice((0, HOUR))))
            links[link.key] = link
    machines = (Resource(1, "Saw", ResourceKind.MACHINE), Resource(2, "Ann", calendar=8), Resource(3, "Bob"))
    uses = [Assignment(leaf.id, 1) for leaf in leaves if chance.random() < 0.3]
    staffed = [leaf for leaf in leaves if leaf.constraint is not ConstraintKind.AS_LATE_AS_POSSIBLE]
    for number in (2, 3):
        uses += [Assignment(leaf.id, number, work=_work(chance)) for leaf in staffed if chance.random() < 0.15]
    plan = Plan(
        f"drawn {seed}",
        Clock.CALENDAR,
        MONDAY + chance.choice((0, -3 * HOUR, 5 * DAY)),
        rows,
        tuple(links.values()),
        Calendar.standard(),
        machines,
        tuple(uses),
        calendars=(NIGHTS, ALL_DAY),
        next_task_id=100,
        settings=PlanSettings(
            honors_dates=chance.random() < 0.7,
            status=MONDAY + 2 * DAY,
            moves_remaining_to_status=chance.random() < 0.5,
        ),
        risks=_risks(ids, there),
    )
    return plan.check()


def _leaf(chance: random.Random, number: int, parent: int | None) -> Task:
    task = Task(number, f"t{number}", chance.choice((0, HOUR, 5 * HOUR, 16 * HOUR, 40 * HOUR)), parent)
    kind = chance.random()
    if kind < 0.1:
        task = replace(task, constraint=chance.choice(list(ConstraintKind)), constraint_at=MONDAY + 3 * DAY + HOUR)
    elif kind < 0.2:
        task = replace(task, calendar=chance.choice((8, 9)))
    elif kind < 0.25:
        task = replace(task, is_elapsed=True)
    elif kind < 0.3:
        task = replace(task, splits=(Split(2 * HOUR, 3 * HOUR),))
    elif kind < 0.4:
        task = replace(task, progress=Progress(chance.choice((20.0, 50.0)), MONDAY + chance.randrange(2 * DAY)))
    elif kind < 0.45:
        task = replace(task, progress=Progress(100.0, MONDAY, MONDAY + 5 * HOUR))
    elif kind < 0.5:
        task = replace(task, is_active=False)
    elif kind < 0.55:
        task = replace(task, is_manual=True, manual_start=MONDAY + DAY)
    elif kind < 0.6:
        task = replace(task, delay=chance.choice((2 * HOUR, DAY)))
    return replace(task, risk=_risk(chance)) if chance.random() < 0.8 else task


def _risk(chance: random.Random) -> TaskRisk:
    low, likely, high = sorted((chance.uniform(0, 300), chance.uniform(20, 200), 100.0))
    if low < likely < high:
        found = Spread(
            chance.choice(list(SpreadKind)), low, likely, high, deviation=30.0, values=(50.0, 70.0, 130.0, 300.0)
        )
    else:
        found = Spread(SpreadKind.FIXED)
    loadings = chance.choice(((), (), ((1, 0.5),), ((1, 0.3), (2, -0.6))))
    return TaskRisk(found, chance.choice((1.0, 1.0, 0.5)), loadings)


def _lag(chance: random.Random) -> Lag:
    if chance.random() < 0.5:
        return Lag()
    kind = chance.choice(list(LagKind))
    return Lag(chance.choice((-50, 25, 100)) if kind.is_percent else chance.choice((-4, 2, 30)) * HOUR, kind)


def _lag_spread(chance: random.Random) -> Spread | None:
    if chance.random() < 0.8:
        return None
    return Spread(SpreadKind.UNIFORM, -2 * HOUR, 0, 6 * HOUR, is_percent=False)


def _work(chance: random.Random) -> int | None:
    return chance.choice((None, 3 * HOUR, 11 * HOUR))


def _risks(ids: list[int], there: set[int]) -> PlanRisks:
    drivers = (RiskDriver(1, "Weather"), RiskDriver(2, "Crew"))
    add = Spread(SpreadKind.TRIANGULAR, -HOUR, 4 * HOUR, 20 * HOUR, is_percent=False)
    whole = Spread(SpreadKind.UNIFORM, 0, 0, 50)
    hit = (Impact(ids[0], add), Impact(ids[1], whole), *((Impact(1, whole),) if 1 in there else ()))
    events = (RiskEvent(1, "Strike", 0.3, hit), RiskEvent(2, "Help", 0.6, (Impact(ids[2], add),)))
    return PlanRisks(drivers, (DriverCorrelation(1, 2, 0.4),), events)
