"""Warming: a small plan simulated for a moment, so that every compiled function lies in the disk cache."""

from __future__ import annotations

from engine.model import DAY, Calendar, Clock, ConstraintKind, Dependency, Plan, Spread, SpreadKind, Task, TaskRisk
from engine.risk.program import compile_risk
from engine.risk.simulate import BLOCK, Simulation
from engine.schedule.cpm import schedule

_HOUR = 3600


def warm() -> None:
    """Compiles what is not in the cache: half a minute of one core the first time, a moment after."""
    risk = TaskRisk(Spread(SpreadKind.PERT, 80, 100, 150))
    tasks = (
        Task(1, "all"),
        Task(2, "one", _HOUR, parent=1, risk=risk),
        Task(
            3, "two", _HOUR, parent=1, constraint=ConstraintKind.MUST_FINISH_ON, constraint_at=20_003 * DAY, risk=risk
        ),
        Task(4, "three", _HOUR),
    )
    links = (Dependency(2, 3), Dependency(1, 4))
    plan = Plan("warm", Clock.CALENDAR, 20_000 * DAY, tasks, links, Calendar.standard(), next_task_id=5)
    simulation = Simulation(compile_risk(plan, schedule(plan)))
    simulation.advance(BLOCK)
