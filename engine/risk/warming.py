"""Warming: a small plan simulated for a moment, so that every compiled function lies in the disk cache."""

from __future__ import annotations

from engine.model import (
    DAY,
    Calendar,
    Clock,
    ConstraintKind,
    Dependency,
    Plan,
    Shift,
    Spread,
    SpreadKind,
    Task,
    TaskRisk,
    Ticks,
)
from engine.risk.program import compile_risk
from engine.risk.simulate import BLOCK, Simulation
from engine.schedule.cpm import schedule

_HOUR = 3600
_YEAR = 365 * DAY
_ALWAYS = Calendar(1, "24 h", (((Shift(0, DAY),),) * 7))


def warm() -> None:
    """Compiles what is not in the cache, for short plans and for long: a minute of one core at first, then a moment."""
    for length in (_HOUR, 30 * _YEAR):
        plan = _small(length)
        simulation = Simulation(compile_risk(plan, schedule(plan)))
        simulation.advance(BLOCK)


def _small(length: Ticks) -> Plan:
    risk = TaskRisk(Spread(SpreadKind.PERT, 80, 100, 150))
    at = 20_003 * DAY
    tasks = (
        Task(1, "all"),
        Task(2, "one", length, 1, risk=risk),
        Task(3, "two", _HOUR, 1, constraint=ConstraintKind.MUST_FINISH_ON, constraint_at=at, risk=risk),
        Task(4, "three", _HOUR),
    )
    links = (Dependency(2, 3), Dependency(1, 4))
    return Plan("warm", Clock.CALENDAR, 20_000 * DAY, tasks, links, _ALWAYS, next_task_id=5)
