"""Random plans that a table has columns for, with names that spreadsheets take for something else. Asserts nothing."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from engine.model import (
    Assignment,
    Calendar,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    Plan,
    Progress,
    Resource,
    Task,
)
from tests.engine.formats.tables import DAY, HOUR, at

START = at("2025-03-03 08:00")
TRAPS = (
    "=1+1",
    "+49",
    "-x",
    "@home",
    "'=a",
    "ID",
    "01",
    "1e5",
    "true",
    "2025-03-03",
    "a;b",
    'say "a, b"',
    "a\nb",
    "é 設計 🏗",
)
NAMES = st.sampled_from(TRAPS) | st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12
)
PEOPLE = ("Anna", "Crane 2", "José", "設計")
LAGS = st.one_of(
    st.integers(-30, 30).map(lambda halves: Lag(halves * DAY // 2)),
    st.integers(-9, 9).filter(bool).map(lambda days: Lag(days * 86_400, LagKind.ELAPSED)),
    st.integers(-150, 150).map(lambda percent: Lag(percent, LagKind.PERCENT)),
)


@st.composite
def tasks(draw: st.DrawFn, number: int, parent: int | None) -> Task:
    """One leaf."""
    task = Task(
        number,
        draw(NAMES),
        draw(st.integers(0, 40)) * HOUR // 2,
        parent,
        source=f"S{number}",
        priority=draw(st.sampled_from([500, 500, 0, 1000])),
        is_active=draw(st.integers(0, 9)) > 0,
        deadline=draw(st.none() | st.just(at("2025-04-01 17:00"))),
        fields=draw(st.sampled_from([(), (("Notes", "@home"),), (("Cost center", "=A1"),)])),
    )
    if not task.duration:
        return replace(task, is_milestone=True)
    if draw(st.integers(0, 5)) == 0:
        return replace(task, is_manual=True, manual_start=START, manual_finish=at("2025-03-04 17:00"))
    if draw(st.integers(0, 5)) == 0:
        return replace(task, progress=Progress(float(draw(st.integers(1, 99))), START, None, task.duration // 2))
    kind = draw(st.sampled_from(ConstraintKind))
    return replace(task, constraint=kind, constraint_at=at("2025-03-12 10:30") if kind.has_date else 0)


@st.composite
def outlines(draw: st.DrawFn) -> list[Task]:
    """Up to seven rows; one that the next lies under is a summary."""
    depths = [0]
    for _ in range(draw(st.integers(0, 6))):
        depths.append(draw(st.integers(0, depths[-1] + 1)))
    rows: list[Task] = []
    at_depth: dict[int, int] = {}
    for number, depth in enumerate(depths, 1):
        parent = at_depth[depth - 1] if depth else None
        is_summary = number < len(depths) and depths[number] > depth
        rows.append(
            Task(number, draw(NAMES), 0, parent, source=f"S{number}") if is_summary else draw(tasks(number, parent))
        )
        at_depth[depth] = number
    return rows


@st.composite
def table_plans(draw: st.DrawFn) -> Plan:
    """A plan of an outline with links between leaves, forward only, and people."""
    rows = draw(outlines())
    held = {task.parent for task in rows}
    leaves = [task.id for task in rows if task.id not in held]
    ends = st.tuples(st.sampled_from(leaves), st.sampled_from(leaves)).filter(lambda pair: pair[0] < pair[1])
    links = st.builds(lambda pair, kind, lag: Dependency(*pair, kind, lag), ends, st.sampled_from(DependencyKind), LAGS)
    work = st.builds(
        Assignment, st.sampled_from(leaves), st.sampled_from((1, 2, 3)), st.sampled_from((1.0, 0.5, 0.125, 3.0))
    )
    return Plan(
        "Table",
        Clock.CALENDAR,
        START,
        tuple(rows),
        tuple(draw(st.lists(links, max_size=4, unique_by=lambda link: link.key))) if len(leaves) > 1 else (),
        Calendar.standard(),
        tuple(Resource(number, name) for number, name in enumerate(PEOPLE, 1)),
        tuple(draw(st.lists(work, max_size=4, unique_by=lambda each: (each.task, each.resource)))),
        next_task_id=99,
    ).check()
