"""Typed spreads: what of a plan a range is typed of, in the words of a table. It never makes an edit."""

from __future__ import annotations

from engine.formats.table.spreads import (
    Ranged,
    chance_text,
    number_text,
    read_chance,
    read_number,
    read_percent,
    read_spread,
    spread_text,
)
from engine.model import Dependency, Plan, Task, Ticks
from engine.session.cell_words import units_of

__all__ = [
    "chance_text",
    "number_text",
    "ranged_change",
    "ranged_family",
    "ranged_lag",
    "ranged_task",
    "read_chance",
    "read_number",
    "read_percent",
    "read_spread",
    "spread_text",
]


def ranged_task(plan: Plan, task: Task, planned: Ticks | None = None) -> Ranged:
    """The duration of a task, of which a range is to be typed."""
    length = task.duration if planned is None else planned
    return Ranged(units_of(plan), length, task.is_elapsed, ids=(task.id,))


def ranged_lag(plan: Plan, link: Dependency) -> Ranged:
    """The lag of a link, of which a range is to be typed."""
    amount = 0 if link.lag.kind.is_percent else link.lag.amount
    ids = (link.predecessor, link.successor)
    return Ranged(units_of(plan), amount, link.lag.kind.is_elapsed, is_signed=True, ids=ids)


def ranged_change(plan: Plan, task: Task) -> Ranged:
    """What an event adds to the length of a task, or takes from it."""
    return Ranged(units_of(plan), 0, task.is_elapsed, is_signed=True, ids=(task.id,))


def ranged_family(plan: Plan) -> Ranged:
    """What tasks of a family take, whatever is planned of them."""
    return Ranged(units_of(plan), 0)
