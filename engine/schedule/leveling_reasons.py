"""Why an overload stays, in a sentence for a person. It never looks for a way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from engine.model import Plan, ResourceKind, TaskId
from engine.schedule.leveling_load import Overload, ResourceLoad

_MOST_NAMES = 3


class Stay(Enum):
    """Why leveling left a task where it was: of one task, and of several."""

    FROZEN = "is to stay where it is", "are to stay where they are"
    BEGUN = "has begun", "have begun"
    MANUAL = "is scheduled by hand", "are scheduled by hand"
    PRIORITY = "has priority 1000", "have priority 1000"
    DATED = "must keep its date", "must keep their dates"
    LATE = "is as late as possible", "are as late as possible"
    SLACK = "fits nowhere within its float", "fit nowhere within their float"
    LATEST = (
        "fits nowhere before its constraint, or a task that stays, needs it",
        "fit nowhere before their constraints, or tasks that stay, need them",
    )
    TOO_MUCH = "needs more than there ever is", "need more than there ever is"
    HOURS = (
        "is longer than its resources are ever there and free",
        "are longer than their resources are ever there and free",
    )
    LINKS = "is where its links and constraints put it", "are where their links and constraints put them"


@dataclass(frozen=True, slots=True)
class Reason:
    """One overload that is left, and why."""

    overload: Overload
    sentence: str


def reasons(plan: Plan, loads: Mapping[int, ResourceLoad], stays: Mapping[TaskId, Stay]) -> tuple[Reason, ...]:
    """One reason for each overload there is."""
    found = [overload for load in loads.values() for overload in load.overloads]
    return tuple(Reason(overload, _sentence(plan, overload, stays)) for overload in found)


def _sentence(plan: Plan, overload: Overload, stays: Mapping[TaskId, Stay]) -> str:
    resource = next(resource for resource in plan.resources if resource.id == overload.resource)
    begin = f"“{resource.name}” stays overloaded, {overload.used:.4g} of {overload.capacity:.4g}"
    if resource.kind is ResourceKind.MATERIAL:
        return f"{begin}: it is a material, and leveling moves no task for one."
    tasks: dict[Stay, list[str]] = {}
    named = [task for task in overload.tasks if task in stays]
    for task in named or overload.tasks:
        tasks.setdefault(stays.get(task, Stay.LINKS), []).append(f"“{plan.title_of(task)}”")
    why = [f"{_joined(names)} {stay.value[len(names) > 1]}" for stay, names in tasks.items()]
    return f"{begin}: {'; '.join(why)}."


def _joined(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES + 1:
        return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
