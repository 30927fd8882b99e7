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
    SpreadPreset,
    Task,
    TaskId,
    TaskRisk,
)
from engine.schedule.schedule import Schedule
from engine.session.edits import quoted, with_tasks

_CERTAIN = TaskRisk()


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
    """A task, or all in a summary together, happens with a chance of 0 to 1."""

    task: TaskId
    chance: float

    def label(self, plan: Plan) -> str:
        """Set how likely “Rework” is."""
        return f"Set how likely {quoted(plan, self.task)} is"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it; 1 is certain."""
        return _checked(plan, [_with(plan.task(self.task), lambda risk: replace(risk, chance=float(self.chance)))])


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


def _checked(plan: Plan, tasks: list[Task]) -> Plan:
    changed = with_tasks(plan, tasks)
    return changed if changed is plan else changed.check()


def _following(risk: TaskRisk, known: set[int]) -> TaskRisk:
    return replace(risk, loadings=tuple(each for each in risk.loadings if each[0] in known))


def _with_risks(changed: Plan, risks: PlanRisks, before: Plan) -> Plan:
    if changed.tasks == before.tasks and risks == before.risks:
        return before
    return replace(changed, risks=risks).check()


def _named(plan: Plan, tasks: tuple[TaskId, ...]) -> str:
    return quoted(plan, tasks[0]) if len(tasks) == 1 else f"{len(tasks)} tasks"
