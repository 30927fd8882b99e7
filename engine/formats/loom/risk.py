"""The tables of a .loom file that only plans have in which something is not certain. It never touches the disk.

A plan that uses none of this has none of these tables.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from engine.errors import FormatError
from engine.formats.loom.tables import one_of, rows_if_any, truth
from engine.model import (
    DriverCorrelation,
    Impact,
    Plan,
    PlanRisks,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    SpreadPreset,
    TaskId,
    TaskRisk,
)

Row = tuple[Any, ...]
Spreads = dict[int, Spread]

# Each by what makes it; the version that brought them is 4.
TABLES = {
    "spread": """CREATE TABLE spread (  -- how a length may be another than planned
  position INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,              -- fixed, uniform, triangular, pert, lognormal, normal or empirical
  low REAL NOT NULL,
  likely REAL NOT NULL,
  high REAL NOT NULL,
  deviation REAL NOT NULL,         -- of normal
  is_percent INTEGER NOT NULL      -- 1: of the planned length; 0: ticks
) STRICT;""",
    "spread_value": """CREATE TABLE spread_value (  -- what an empirical one draws from
  position INTEGER PRIMARY KEY, spread INTEGER NOT NULL, value REAL NOT NULL
) STRICT;""",
    "task_risk": """CREATE TABLE task_risk (
  task INTEGER PRIMARY KEY,
  spread INTEGER,                  -- position of a spread; NULL: that of its family, or none
  chance REAL NOT NULL             -- that it happens, 0 to 1
) STRICT;""",
    "risk_loading": """CREATE TABLE risk_loading (
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  driver INTEGER NOT NULL,
  loading REAL NOT NULL            -- -1 to 1
) STRICT;""",
    "dependency_spread": """CREATE TABLE dependency_spread (
  dependency INTEGER PRIMARY KEY,  -- position of a dependency
  spread INTEGER NOT NULL
) STRICT;""",
    "risk_driver": """CREATE TABLE risk_driver (
  position INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL
) STRICT;""",
    "risk_correlation": """CREATE TABLE risk_correlation (
  position INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL, value REAL NOT NULL
) STRICT;""",
    "risk_event": """CREATE TABLE risk_event (
  position INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL,
  chance REAL NOT NULL             -- 0 to 1
) STRICT;""",
    "risk_impact": """CREATE TABLE risk_impact (
  position INTEGER PRIMARY KEY,
  event INTEGER NOT NULL,          -- id of a risk_event
  task INTEGER NOT NULL,
  spread INTEGER NOT NULL          -- what it adds to the length
) STRICT;""",
    "spread_preset": """CREATE TABLE spread_preset (
  position INTEGER PRIMARY KEY,
  family TEXT NOT NULL,            -- of tasks; empty: all others
  spread INTEGER NOT NULL
) STRICT;""",
}


def risk_tables(plan: Plan) -> Iterator[tuple[str, Iterable[Row]]]:
    """Rows of every one of the tables; of those that the plan does not need, none."""
    places: dict[Spread, int] = {}

    def place(spread: Spread) -> int:
        return places.setdefault(spread, len(places))

    uncertain = [(task.id, task.risk) for task in plan.tasks if task.risk is not None]
    of_tasks = [
        (task, None if risk.spread is None else place(risk.spread), float(risk.chance)) for task, risk in uncertain
    ]
    links = [(at, place(link.spread)) for at, link in enumerate(plan.dependencies) if link.spread is not None]
    events = plan.risks.events
    impacts = [(event.id, impact.task, place(impact.spread)) for event in events for impact in event.impacts]
    presets = [(preset.family, place(preset.spread)) for preset in plan.risks.presets]
    yield "spread", _numbered(_columns(spread) for spread in places)
    yield "spread_value", _numbered((at, float(value)) for spread, at in places.items() for value in spread.values)
    yield "task_risk", of_tasks
    yield (
        "risk_loading",
        _numbered((task, driver, float(by)) for task, risk in uncertain for driver, by in risk.loadings),
    )
    yield "dependency_spread", links
    yield "risk_driver", _numbered((driver.id, driver.name) for driver in plan.risks.drivers)
    yield "risk_correlation", _numbered((c.first, c.second, float(c.value)) for c in plan.risks.correlations)
    yield "risk_event", _numbered((event.id, event.name, float(event.chance)) for event in events)
    yield "risk_impact", _numbered(impacts)
    yield "spread_preset", _numbered(presets)


def _columns(spread: Spread) -> Row:
    numbers = (float(spread.low), float(spread.likely), float(spread.high), float(spread.deviation))
    return (spread.kind.value, *numbers, int(spread.is_percent))


def _numbered(found: Iterable[Row]) -> Iterator[Row]:
    return ((at, *row) for at, row in enumerate(found))


def read_spreads(db: sqlite3.Connection) -> Spreads:
    """The spreads of a file, by position."""
    values: defaultdict[int, list[float]] = defaultdict(list)
    for spread, value in rows_if_any(db, "spread_value", "spread:int value:float"):
        values[spread].append(value)
    columns = "position:int kind:str low:float likely:float high:float deviation:float is_percent:int"
    return {
        at: Spread(one_of(SpreadKind, kind), low, likely, high, deviation, truth(is_percent), tuple(values[at]))
        for at, kind, low, likely, high, deviation, is_percent in rows_if_any(db, "spread", columns)
    }


def read_task_risks(db: sqlite3.Connection, spreads: Spreads) -> dict[TaskId, TaskRisk]:
    """What is not certain of tasks, by id."""
    loadings: defaultdict[TaskId, list[tuple[int, float]]] = defaultdict(list)
    for task, driver, loading in rows_if_any(db, "risk_loading", "task:int driver:int loading:float"):
        loadings[task].append((driver, loading))
    found = rows_if_any(db, "task_risk", "task:int spread:int? chance:float", "task")
    return {
        task: TaskRisk(None if spread is None else _of(spreads, spread), chance, tuple(loadings[task]))
        for task, spread, chance in found
    }


def read_lag_spreads(db: sqlite3.Connection, spreads: Spreads) -> dict[int, Spread]:
    """The spreads of lags, by the position of the dependency."""
    found = rows_if_any(db, "dependency_spread", "dependency:int spread:int", "dependency")
    return {link: _of(spreads, spread) for link, spread in found}


def read_risks(db: sqlite3.Connection, spreads: Spreads) -> PlanRisks:
    """What of the plan as a whole is not certain."""
    impacts: defaultdict[int, list[Impact]] = defaultdict(list)
    for event, task, spread in rows_if_any(db, "risk_impact", "event:int task:int spread:int"):
        impacts[event].append(Impact(task, _of(spreads, spread)))
    correlations = rows_if_any(db, "risk_correlation", "first:int second:int value:float")
    events = rows_if_any(db, "risk_event", "id:int name:str chance:float")
    presets = rows_if_any(db, "spread_preset", "family:str spread:int")
    return PlanRisks(
        tuple(RiskDriver(*row) for row in rows_if_any(db, "risk_driver", "id:int name:str")),
        tuple(DriverCorrelation(*row) for row in correlations),
        tuple(RiskEvent(number, name, chance, tuple(impacts[number])) for number, name, chance in events),
        tuple(SpreadPreset(family, _of(spreads, spread)) for family, spread in presets),
    )


def _of(spreads: Spreads, place: int) -> Spread:
    if place not in spreads:
        raise FormatError(f"is damaged: spread {place} is missing")
    return spreads[place]
