"""Edits of what is not certain: ranges, drivers, events, what may not happen. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import (
    Dependency,
    DriverCorrelation,
    Plan,
    PlanRisks,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    SpreadPreset,
    Task,
    TaskId,
    TaskRisk,
)
from engine.model.risk import check_task_risk
from engine.schedule.schedule import Schedule
from engine.session.edits import quoted, with_tasks

_CERTAIN = TaskRisk()
_THREE = (SpreadKind.UNIFORM, SpreadKind.TRIANGULAR, SpreadKind.PERT)


@dataclass(frozen=True, slots=True)
class SetUncertainty:
    """Tasks, or those in summaries, take as long as a spread says; None: what their family's does, or certainly so."""

    tasks: tuple[TaskId, ...]
    spread: Spread | None

    def label(self, plan: Plan) -> str:
        """Set the range of “Weld”."""
        return f"Set the range of {_named(plan, self.tasks)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it on each leaf."""
        return _on_leaves(plan, self.tasks, lambda risk: replace(risk, spread=self.spread))


@dataclass(frozen=True, slots=True)
class SetTaskChance:
    """Each of these tasks, or all in a summary together, happens with a chance of 0 to 1."""

    tasks: tuple[TaskId, ...]
    chance: float

    def label(self, plan: Plan) -> str:
        """Set how likely “Rework” is."""
        return f"Set how likely {_named(plan, self.tasks)} {'is' if len(self.tasks) == 1 else 'are'}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it; 1 is certain."""
        chance = float(self.chance)
        return _checked(
            plan, [_with(plan.task(task), lambda risk: replace(risk, chance=chance)) for task in self.tasks]
        )


@dataclass(frozen=True, slots=True)
class SetThreePoints:
    """Some of the three numbers of a task's range: (0 to 2, ticks or percent, None for none of its own) each.

    Of what is not given, what it has stays; else the most likely length is the planned one, and the shortest and the
    longest are that. Without a shortest and a longest it has no range.
    """

    task: TaskId
    points: tuple[tuple[int, float | None], ...]
    is_percent: bool = False

    def label(self, plan: Plan) -> str:
        """Set the range of “Weld”."""
        return f"Set the range of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets them; a PERT distribution stays one, any other is a triangular one then."""
        task = plan.task(self.task)
        before = task.risk.spread if task.risk is not None else None
        points = dict(enumerate(_points(before, float(task.duration), is_percent=self.is_percent))) | dict(self.points)
        low, likely, high = points[0], points[1], points[2]
        if low is None and high is None:
            return _checked(plan, [_with(task, lambda risk: replace(risk, spread=None))])
        middle = likely if likely is not None else 100.0 if self.is_percent else float(task.duration)
        kind = SpreadKind.PERT if before is not None and before.kind is SpreadKind.PERT else SpreadKind.TRIANGULAR
        ends = middle if low is None else low, middle if high is None else high
        spread = Spread(kind, ends[0], middle, ends[1], is_percent=self.is_percent)
        return _checked(plan, [_with(task, lambda risk: replace(risk, spread=spread))])


@dataclass(frozen=True, slots=True)
class SetDriverLoadings:
    """Tasks, or those in summaries, follow these drivers, each by -1 to 1, and no others."""

    tasks: tuple[TaskId, ...]
    loadings: tuple[tuple[int, float], ...]

    def label(self, plan: Plan) -> str:
        """Set what “Weld” depends on."""
        return f"Set the risk drivers of {_named(plan, self.tasks)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets them on each leaf; one of 0 is none."""
        loadings = tuple((driver, float(value)) for driver, value in self.loadings if value)
        return _on_leaves(plan, self.tasks, lambda risk: replace(risk, loadings=loadings))


@dataclass(frozen=True, slots=True)
class SetLagUncertainty:
    """The lag of a link is spread; None: it is as it was given."""

    link: Dependency
    spread: Spread | None

    def label(self, plan: Plan) -> str:
        """Set the range of the lag before “Paint”."""
        return f"Set the range of the lag before {quoted(plan, self.link.successor)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it on the link with the same ends and kind."""
        if all(link.key != self.link.key for link in plan.dependencies):
            raise PlanError("That link is not in the plan.", ids=(self.link.predecessor, self.link.successor))
        links = tuple(
            replace(link, spread=self.spread) if link.key == self.link.key else link for link in plan.dependencies
        )
        return plan if links == plan.dependencies else plan.with_dependencies(links).check()


@dataclass(frozen=True, slots=True)
class SetRiskDrivers:
    """These are the drivers that tasks may follow, and how far they go together."""

    drivers: tuple[RiskDriver, ...]
    correlations: tuple[DriverCorrelation, ...] = ()

    def label(self, plan: Plan) -> str:
        """Set the risk drivers."""
        return "Set the risk drivers"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces all there are; no task follows one that is gone."""
        known = {driver.id for driver in self.drivers}
        risks = replace(plan.risks, drivers=self.drivers, correlations=self.correlations)
        tasks = [_with(task, lambda risk: _following(risk, known)) for task in plan.tasks if task.risk is not None]
        return _with_risks(plan.with_tasks(tasks), risks, plan)


@dataclass(frozen=True, slots=True)
class SetRiskEvents:
    """These are the events that may happen."""

    events: tuple[RiskEvent, ...]

    def label(self, plan: Plan) -> str:
        """Set the risk events."""
        return "Set the risk events"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces all there are."""
        return _with_risks(plan, replace(plan.risks, events=self.events), plan)


@dataclass(frozen=True, slots=True)
class SetSpreadPresets:
    """These are the ranges of families, for tasks that say nothing of their own."""

    presets: tuple[SpreadPreset, ...]

    def label(self, plan: Plan) -> str:
        """Set the ranges of families."""
        return "Set the ranges of families"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces all there are."""
        return _with_risks(plan, replace(plan.risks, presets=self.presets), plan)


@dataclass(frozen=True, slots=True)
class SetFamilySpread:
    """The tasks of a family that say nothing of their own take as long as a spread says; "": those of no family.

    None: what "" says, or certainly as planned. Other families keep theirs.
    """

    family: str
    spread: Spread | None

    def label(self, plan: Plan) -> str:
        """Set the range of the family “welding”."""
        return f"Set the range of the family “{self.family}”" if self.family else "Set the range of what has no family"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it where the family stands, or last."""
        found = {preset.family: preset for preset in plan.risks.presets}
        if self.spread is None:
            found.pop(self.family, None)
        else:
            found[self.family] = SpreadPreset(self.family, self.spread)
        return _with_risks(plan, replace(plan.risks, presets=tuple(found.values())), plan)


def _on_leaves(plan: Plan, tasks: tuple[TaskId, ...], change: Callable[[TaskRisk], TaskRisk]) -> Plan:
    leaves = dict.fromkeys(leaf for task in tasks for leaf in plan.leaves(plan.task(task).id))
    return _checked(plan, [_with(plan.task(leaf), change) for leaf in leaves])


def _with(task: Task, change: Callable[[TaskRisk], TaskRisk]) -> Task:
    risk = change(task.risk or _CERTAIN)
    return replace(task, risk=None if risk == _CERTAIN else risk)


def _points(spread: Spread | None, planned: float, *, is_percent: bool) -> tuple[float | None, ...]:
    """The shortest, the most likely and the longest of a range, where it has them, in percent or ticks."""
    if spread is None or spread.kind not in _THREE:
        return (None, None, None)
    middle = None if spread.kind is SpreadKind.UNIFORM else spread.likely
    found = (spread.low, middle, spread.high)
    if spread.is_percent == is_percent or not planned:
        return found
    unit = planned / 100 if spread.is_percent else 100 / planned
    return tuple(None if each is None else each * unit for each in found)


def _checked(plan: Plan, tasks: list[Task]) -> Plan:
    """The plan with these tasks: nothing else in it depends on what is not certain of them."""
    changed = with_tasks(plan, tasks)
    if changed is not plan:
        for task in tasks:
            if task.risk is not None:
                check_task_risk(task, task.risk, plan.risks, is_summary=plan.is_summary(task.id))
    return changed


def _following(risk: TaskRisk, known: set[int]) -> TaskRisk:
    return replace(risk, loadings=tuple(each for each in risk.loadings if each[0] in known))


def _with_risks(changed: Plan, risks: PlanRisks, before: Plan) -> Plan:
    if changed.tasks == before.tasks and risks == before.risks:
        return before
    return replace(changed, risks=risks).check()


def _named(plan: Plan, tasks: tuple[TaskId, ...]) -> str:
    return quoted(plan, tasks[0]) if len(tasks) == 1 else f"{len(tasks)} tasks"
