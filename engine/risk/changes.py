"""Changes that would bring a date, and the plan with them made. It never looks for any; takes.py does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.model import Plan, Spread, Task, TaskId, Ticks


class TakeKind(Enum):
    """What is changed: a task is done in less time, or an event is kept from happening."""

    SHORTEN = "shorten"
    AVERT = "avert"


@dataclass(frozen=True, slots=True)
class Take:
    """One change. `by` is in percent of the duration, `price` the working ticks that somebody has to find."""

    kind: TakeKind
    id: TaskId
    name: str
    by: int
    price: Ticks


@dataclass(frozen=True, slots=True)
class Taken:
    """The changes so far, where they bring the confidence, and whether that is early enough."""

    changes: tuple[Take, ...]
    finish: Ticks
    is_enough: bool


def changed(plan: Plan, changes: tuple[Take, ...]) -> Plan:
    """The plan with changes made."""
    shorter = {each.id: each.by for each in changes if each.kind is TakeKind.SHORTEN}
    averted = {each.id for each in changes if each.kind is TakeKind.AVERT}
    tasks = [_shortened(plan, task, by) for task, by in shorter.items()]
    events = tuple(event for event in plan.risks.events if event.id not in averted)
    return replace(plan.with_tasks(tasks), risks=replace(plan.risks, events=events))


def _shortened(plan: Plan, task_id: TaskId, by: int) -> Task:
    task, left = plan.task(task_id), (100 - by) / 100
    risk = task.risk
    if risk is not None and risk.spread is not None and not risk.spread.is_percent:
        spread = risk.spread
        values = tuple(value * left for value in spread.values)
        low, likely, high, deviation = (
            number * left for number in (spread.low, spread.likely, spread.high, spread.deviation)
        )
        risk = replace(risk, spread=Spread(spread.kind, low, likely, high, deviation, False, values))
    return replace(task, duration=max(1, round(task.duration * left)), is_duration_typed=True, risk=risk)
