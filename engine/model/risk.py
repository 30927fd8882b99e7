"""What of a whole plan is not certain: shared drivers, events, presets by family. It never draws a sample."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.errors import PlanError
from engine.model.dependency import Dependency
from engine.model.spread import Spread, TaskRisk, check_chance
from engine.model.task import Task
from engine.model.ticks import TaskId

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class RiskDriver:
    """Something that makes many lengths longer or shorter together: weather, a supplier, a new team."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class DriverCorrelation:
    """How far two drivers go together, -1 to 1; those of which nothing is said do not."""

    first: int
    second: int
    value: float


@dataclass(frozen=True, slots=True)
class Impact:
    """What an event adds to the length of a task, or takes from it: ticks, or percent of the planned length."""

    task: TaskId
    spread: Spread


@dataclass(frozen=True, slots=True)
class RiskEvent:
    """Something that may happen, once, with a chance of 0 to 1."""

    id: int
    name: str
    chance: float
    impacts: tuple[Impact, ...] = ()


@dataclass(frozen=True, slots=True)
class SpreadPreset:
    """How tasks of a family are spread that say nothing of their own; without a family, all the others."""

    family: str
    spread: Spread


@dataclass(frozen=True, slots=True)
class PlanRisks:
    """What of the plan as a whole is not certain."""

    drivers: tuple[RiskDriver, ...] = ()
    correlations: tuple[DriverCorrelation, ...] = ()
    events: tuple[RiskEvent, ...] = ()
    presets: tuple[SpreadPreset, ...] = ()

    def only(self, tasks: Collection[TaskId]) -> PlanRisks:
        """The same where no other tasks are left."""
        gone = {impact.task for event in self.events for impact in event.impacts if impact.task not in tasks}
        return self.renamed(dict.fromkeys(gone)) if gone else self

    def renamed(self, names: Mapping[TaskId, TaskId | None]) -> PlanRisks:
        """The same where tasks have other ids, or None: are gone."""
        events = tuple(
            RiskEvent(event.id, event.name, event.chance, _renamed(event.impacts, names)) for event in self.events
        )
        return PlanRisks(self.drivers, self.correlations, events, self.presets)

    def matrix(self) -> list[list[float]]:
        """Correlations between drivers, in their order."""
        place = {driver.id: at for at, driver in enumerate(self.drivers)}
        found = [[float(a is b) for b in self.drivers] for a in self.drivers]
        for each in self.correlations:
            row, column = place[each.first], place[each.second]
            found[row][column] = found[column][row] = each.value
        return found

    def check(self, names: Mapping[TaskId, str]) -> None:
        """Raises a PlanError, one sentence, where something is named that is not there, or cannot be."""
        self._check_drivers()
        self._check_events(names)
        families = [preset.family for preset in self.presets]
        if len(set(families)) < len(families):
            raise PlanError("A family has two ranges; give it one.")
        for preset in self.presets:
            what = f"The family “{preset.family}”" if preset.family else "What has no family"
            preset.spread.check(what)

    def _check_drivers(self) -> None:
        known = {driver.id for driver in self.drivers}
        if len(known) < len(self.drivers):
            raise PlanError("Two risk drivers have the same id; ids must be unique.")
        pairs = {frozenset((each.first, each.second)) for each in self.correlations}
        if len(pairs) < len(self.correlations):
            raise PlanError("Two risk drivers have two correlations; give them one.")
        for each in self.correlations:
            if each.first == each.second or not {each.first, each.second} <= known:
                raise PlanError("A correlation names a risk driver that is not in the plan, or one with itself.")
            if not -1 <= each.value <= 1:
                raise PlanError(f"Two risk drivers have the correlation {each.value:g}; it must be -1 to 1.")
        if cholesky(self.matrix()) is None:
            raise PlanError("The correlations of the risk drivers contradict each other: no drivers can have them all.")

    def _check_events(self, names: Mapping[TaskId, str]) -> None:
        if len({event.id for event in self.events}) < len(self.events):
            raise PlanError("Two risk events have the same id; ids must be unique.")
        for event in self.events:
            check_chance(event.chance, f"“{event.name}”")
            tasks = [impact.task for impact in event.impacts]
            for impact in event.impacts:
                if impact.task not in names:
                    sentence = f"“{event.name}” changes task {impact.task}, which is not in the plan."
                    raise PlanError(sentence, ids=(impact.task,))
                what = f"What “{event.name}” does to “{names[impact.task]}”"
                impact.spread.check(what, (impact.task,), is_signed=True)
                if tasks.count(impact.task) > 1:
                    raise PlanError(f"“{event.name}” changes “{names[impact.task]}” twice.", ids=(impact.task,))


def check_risks(
    risks: PlanRisks,
    tasks: Iterable[Task],
    summaries: Mapping[TaskId, object],
    links: Iterable[Dependency],
) -> None:
    """Raises a PlanError, one sentence, where what is said of what is not certain cannot be."""
    names = {task.id: task.name for task in tasks} if risks.events else {}
    risks.check(names)
    for task in tasks:
        if task.risk is not None:
            check_task_risk(task, task.risk, risks, is_summary=task.id in summaries)
    for link in links:
        if link.spread is not None:
            link.spread.check("The lag of a link", (link.predecessor, link.successor), is_signed=True)


def check_task_risk(task: Task, risk: TaskRisk, risks: PlanRisks, *, is_summary: bool) -> None:
    """Raises a PlanError where what is said of a task cannot be."""
    ids, what = (task.id,), f"“{task.name}”"
    check_chance(risk.chance, what, ids)
    if is_summary and (risk.spread is not None or risk.loadings):
        raise PlanError(f"{what} is a summary: give ranges to the tasks in it.", ids=ids)
    if risk.spread is not None:
        risk.spread.check(what, ids)
    place = {driver.id: at for at, driver in enumerate(risks.drivers)}
    if len({driver for driver, _ in risk.loadings}) < len(risk.loadings):
        raise PlanError(f"{what} follows one risk driver twice.", ids=ids)
    for driver, loading in risk.loadings:
        if driver not in place:
            raise PlanError(f"{what} follows risk driver {driver}, which is not in the plan.", ids=ids)
        if not -1 <= loading <= 1:
            raise PlanError(f"{what} follows a risk driver by {loading:g}; it must be -1 to 1.", ids=ids)
    shared = share_of(risk.loadings, place, risks.matrix()) if risk.loadings else 0.0
    if shared > 1 + _ROUNDING:
        raise PlanError(f"{what} follows its risk drivers by more than all: {100 * shared:.0f} %.", ids=ids)


def share_of(
    loadings: Sequence[tuple[int, float]], place: Mapping[int, int], matrix: Sequence[Sequence[float]]
) -> float:
    """The share of a task's variance that drivers make: the sum over pairs of loading x loading x correlation."""
    return sum(a * b * matrix[place[one]][place[two]] for one, a in loadings for two, b in loadings)


def cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]] | None:
    """The lower triangle whose square the matrix is; None where it is no correlation matrix."""
    count = len(matrix)
    lower = [[0.0] * count for _ in range(count)]
    for row in range(count):
        for column in range(row + 1):
            rest = matrix[row][column] - sum(lower[row][k] * lower[column][k] for k in range(column))
            if row == column:
                if rest < -_ROUNDING:
                    return None
                lower[row][row] = math.sqrt(max(rest, 0.0))
            elif lower[column][column] > math.sqrt(_ROUNDING):
                lower[row][column] = rest / lower[column][column]
            elif abs(rest) > math.sqrt(_ROUNDING):
                return None
    return lower


def _renamed(impacts: tuple[Impact, ...], names: Mapping[TaskId, TaskId | None]) -> tuple[Impact, ...]:
    found = ((names.get(impact.task, impact.task), impact.spread) for impact in impacts)
    return tuple(Impact(task, spread) for task, spread in found if task is not None)
