"""Typed risks: what a person typed of how certain a task is, as the edit that it means. It never makes one."""

from __future__ import annotations

from enum import Enum

from engine.errors import PlanError
from engine.model import Plan, Spread, SpreadKind, Task, Ticks
from engine.session.cell_words import duration_text
from engine.session.edits import Edit
from engine.session.risk_edits import SetTaskChance, SetThreePoints, SetUncertainty
from engine.session.state import State
from engine.session.typed_spreads import (
    chance_text,
    number_text,
    ranged_task,
    read_chance,
    read_number,
    read_spread,
    spread_text,
)


class RiskCell(Enum):
    """A cell of the task table that says how certain a task is, by the name it has there."""

    RANGE = "range"
    OPTIMISTIC = "optimistic"
    LIKELY = "likely"
    PESSIMISTIC = "pessimistic"
    CHANCE = "chance"


_POINTS = (RiskCell.OPTIMISTIC, RiskCell.LIKELY, RiskCell.PESSIMISTIC)
_ENDS = (SpreadKind.UNIFORM, SpreadKind.TRIANGULAR, SpreadKind.PERT)


def planned_ticks(state: State, task: Task) -> Ticks:
    """How long a task is planned to take, as the schedule has it."""
    return int(state.schedule.basis.network.nodes.duration[state.plan.rows[task.id]])


def spread_in_force(plan: Plan, task: Task) -> Spread | None:
    """The range of a task: its own, else the one that it inherits."""
    own = None if task.risk is None else task.risk.spread
    return inherited_spread(plan, task) if own is None else own


def inherited_spread(plan: Plan, task: Task) -> Spread | None:
    """The range of a task that has none of its own: that of its family, else that of all others."""
    presets = {preset.family: preset.spread for preset in plan.risks.presets}
    return None if plan.is_summary(task.id) else presets.get(task.family) or presets.get("")


def risk_text(plan: Plan, task: Task, cell: RiskCell) -> str:
    """What stands in a cell to be typed over; a range is that of the task's own."""
    risk = task.risk
    if risk is None:
        return ""
    if cell is RiskCell.CHANCE:
        return chance_text(risk.chance)
    ranged, spread = ranged_task(plan, task), risk.spread
    if cell is RiskCell.RANGE:
        return spread_text(ranged, spread)
    if spread is None or spread.kind not in _ENDS or (spread.kind is SpreadKind.UNIFORM and cell is RiskCell.LIKELY):
        return ""
    value = (spread.low, spread.likely, spread.high)[_POINTS.index(cell)]
    return number_text(ranged, value, is_percent=spread.is_percent)


def typed_risk(state: State, task: Task, cell: RiskCell, text: str) -> tuple[Edit, str]:
    """The edit that a text means, and what else is to be known of it. Raises PlanError with a sentence."""
    plan = state.plan
    if cell is RiskCell.CHANCE:
        return SetTaskChance((task.id,), read_chance(text, (task.id,))), ""
    if plan.is_summary(task.id):
        sentence = f"“{task.name}” is a summary: give ranges to the tasks in it, or to all of them by Ctrl+Alt+U."
        raise PlanError(sentence, ids=(task.id,))
    if cell is RiskCell.RANGE:
        spread = read_spread(ranged_task(plan, task, planned_ticks(state, task)), text)
        return SetUncertainty((task.id,), spread), range_note(state, task, spread)
    own = None if task.risk is None else task.risk.spread
    is_percent, value = own is not None and own.is_percent, None
    if text:
        value, is_percent = read_number(ranged_task(plan, task), text)
    return SetThreePoints(task.id, ((_POINTS.index(cell), value),), is_percent), ""


def range_note(state: State, task: Task, spread: Spread | None) -> str:
    """Why a range does not do what it may be thought to; empty where it does."""
    planned = planned_ticks(state, task)
    if spread is None:
        return ""
    if task.is_manual:
        return f"The dates of “{task.name}” are set by hand: a range does not move them."
    if task.progress is not None and task.progress.percent >= 100:
        return f"“{task.name}” is done: a range of it does nothing any more."
    if not planned:
        return f"“{task.name}” is planned without any time: a range of it does nothing until it has some."
    if spread.kind in _ENDS:
        middle = 100.0 if spread.is_percent else float(planned)
        if not spread.low <= middle <= spread.high:
            words = duration_text(state.plan, planned, is_elapsed=task.is_elapsed)
            return f"“{task.name}” is planned with {words}, which its range leaves out."
    return ""
