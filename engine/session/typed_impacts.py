"""Typed impacts: what events do to tasks, and how drivers go together, as a person types it. It never makes an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import PlanError
from engine.formats.table.durations import number
from engine.model import DriverCorrelation, Impact, Plan, RiskDriver, TaskId
from engine.session.typed_spreads import ranged_change, read_spread, spread_text

Matrix = tuple[tuple[str, ...], ...]


def task_text(plan: Plan, task: TaskId) -> str:
    """A task by its row and its name: "12 Weld"."""
    return f"{plan.rows[task] + 1} {plan.task(task).name}"


@dataclass(frozen=True, slots=True)
class TaskNames:
    """The tasks of a plan, found by what is typed: "12 Weld", "12", or a name that one of them has."""

    plan: Plan
    by_name: dict[str, tuple[TaskId, ...]]

    @classmethod
    def of(cls, plan: Plan) -> TaskNames:
        """Those of a plan."""
        found: dict[str, tuple[TaskId, ...]] = {}
        for task in plan.tasks:
            key = task.name.casefold()
            found[key] = (*found.get(key, ()), task.id)
        return cls(plan, found)

    def find(self, text: str) -> TaskId:
        """The task that is meant. Raises PlanError with a sentence where none is, or several are."""
        text, tasks = text.strip(), self.plan.tasks
        named = self.by_name.get(text.casefold(), ())
        if len(named) == 1:
            return named[0]
        digits = text.split(maxsplit=1)[0] if text else ""
        if digits.isdecimal() and len(digits) < 10 and 1 <= int(digits) <= len(tasks):
            return tasks[int(digits) - 1].id
        if named:
            rows = ", ".join(str(self.plan.rows[task] + 1) for task in named[:6])
            raise PlanError(f"“{text}” is the name of {len(named)} tasks: write the number of its row, {rows}.")
        if not text:
            raise PlanError("Say which task is changed: write the number of its row, or its name.")
        raise PlanError(f"“{text}” is no task of the plan: write the number of its row, or its name.")


def impact_text(plan: Plan, impact: Impact) -> str:
    """What an event does to a task, as it is typed: "5d", "10%..30%"."""
    return spread_text(ranged_change(plan, plan.task(impact.task)), impact.spread)


def read_impact(names: TaskNames, task: str, change: str) -> Impact:
    """What is typed of a task, and of what happens to it. Raises PlanError with a sentence."""
    found = names.find(task)
    plan = names.plan
    spread = read_spread(ranged_change(plan, plan.task(found)), change)
    if spread is None:
        raise PlanError(
            f"Say what is added to “{plan.task(found).name}”: write 5d, -1d, 20%, or 2d..3d..8d.", ids=(found,)
        )
    return Impact(found, spread)


def correlation_texts(drivers: Sequence[RiskDriver], matrix: Sequence[Sequence[float]]) -> Matrix:
    """How drivers go together, a text a pair; empty where they do not, and of a driver with itself."""
    places = range(len(drivers))
    return tuple(
        tuple("" if row == column or not matrix[row][column] else f"{matrix[row][column]:.6g}" for column in places)
        for row in places
    )


def read_correlations(drivers: Sequence[RiskDriver], texts: Matrix) -> tuple[DriverCorrelation, ...]:
    """What the upper half of a matrix says. Raises PlanError that names the two drivers of what cannot be read."""
    found = []
    for row, first in enumerate(drivers):
        for column in range(row + 1, len(drivers)):
            value = _correlation(first, drivers[column], texts[row][column].strip())
            if value:
                found.append(DriverCorrelation(first.id, drivers[column].id, value))
    return tuple(found)


def _correlation(first: RiskDriver, second: RiskDriver, text: str) -> float:
    sign, figures = (-1, text[1:]) if text[:1] in {"-", "\N{MINUS SIGN}"} else (1, text.removeprefix("+"))
    try:
        value = sign * number(figures.removesuffix("%").strip()) / (100 if text.endswith("%") else 1) if text else 0.0
    except ValueError:
        value = 2.0
    if not -1 <= value <= 1:
        sentence = (
            f"“{text}” between “{first.name}” and “{second.name}” is no correlation: write a number from -1 to 1."
        )
        raise PlanError(sentence)
    return value
