"""What a .gan file cannot hold of a plan, as sentences. It never changes a plan."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.formats.gan.reading import PRIORITIES
from engine.model import ConstraintKind, Contour, EffortKind, Plan, PlanSettings, Resource, ResourceKind, Task

# Names of fields that are a format's own, such as mspdi:Contact.
FOREIGN = re.compile(r"[a-z]+:", re.ASCII)
_PINS = (ConstraintKind.AS_SOON_AS_POSSIBLE, ConstraintKind.START_NO_EARLIER_THAN)
_SHOWN = 3


def _is_more_than_percent(task: Task) -> bool:
    done = task.progress
    if done is None:
        return False
    dates = (done.actual_start, done.actual_finish, done.remaining)
    return done.percent != round(done.percent) or any(date is not None for date in dates)


_TASKS: tuple[tuple[str, Callable[[Task], bool]], ...] = (
    ("Constraints other than an earliest start are left out:", lambda t: t.constraint not in _PINS),
    ("Deadlines are left out:", lambda t: t.deadline is not None),
    ("That dates were set by hand is left out:", lambda t: t.is_manual),
    ("Inactive tasks are written as active ones:", lambda t: not t.is_active),
    ("Calendars of tasks are left out:", lambda t: t.calendar is not None),
    ("Pauses in tasks are left out:", lambda t: bool(t.splits)),
    ("That a duration is elapsed time is left out:", lambda t: t.is_elapsed),
    ("Delays by leveling are left out:", lambda t: t.delay != 0),
    ("That a task keeps its work or its duration is left out:", lambda t: t.effort is not EffortKind.FIXED_UNITS),
    ("Priorities are written as the nearest of five:", lambda t: t.priority not in PRIORITIES.values()),
    ("Actual dates and remaining work are left out:", _is_more_than_percent),
    ("Milestones are written without a duration:", lambda t: t.is_milestone and t.duration > 0),
    ("What another kind of file said is left out:", lambda t: _is_foreign(t.fields)),
)


class Losses:
    """Sentences, each with the names it is about."""

    def __init__(self) -> None:
        self._names: dict[str, list[str]] = {}

    def say(self, sentence: str) -> None:
        """A whole sentence, said once."""
        self._names.setdefault(sentence, [])

    def add(self, sentence: str, name: str) -> None:
        """A sentence's beginning, and one more name for its end."""
        self._names.setdefault(sentence, []).append(name)

    def sentences(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(_with_names(sentence, names) for sentence, names in self._names.items())


def say_of_task(task: Task, is_summary: bool, losses: Losses) -> None:
    """What of a row is lost."""
    for sentence, is_lost in _TASKS:
        if is_lost(task):
            losses.add(sentence, task.name)
    if is_summary and task.pin is not None:
        losses.add("Earliest starts of summaries are left out:", task.name)


def say_of_plan(plan: Plan, losses: Losses) -> None:
    """What of all but the rows is lost."""
    if plan.settings != PlanSettings(profile=plan.settings.profile):
        losses.say("The plan's settings are left out, such as the hours of a day and what counts as critical.")
    if _is_foreign(plan.fields):
        losses.say("What another kind of file said of the plan is left out.")
    for resource in plan.resources:
        if _is_more_than_person(resource):
            losses.add("Kinds and capacities of resources are left out:", resource.name)
        if _is_foreign(resource.fields):
            losses.add("What another kind of file said of resources is left out:", resource.name)
        if resource.calendar is not None and not all(t.ignores_resource_calendars for t in plan.tasks):
            losses.add("GanttProject shows days off, and moves no task for them:", resource.name)
    for assignment in plan.assignments:
        if assignment.work is not None or assignment.contour is not Contour.FLAT or _is_foreign(assignment.fields):
            losses.add("Work of assignments is left out:", plan.task(assignment.task).name)


def _is_more_than_person(resource: Resource) -> bool:
    return resource.kind is not ResourceKind.WORK or resource.capacity != 1 or bool(resource.steps)


def _is_foreign(fields: tuple[tuple[str, str], ...]) -> bool:
    return any(FOREIGN.match(name) and not name.startswith("gan:") for name, _ in fields)


def _with_names(sentence: str, names: list[str]) -> str:
    if not names:
        return sentence
    shown = ", ".join(f"“{name}”" for name in names[:_SHOWN])
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{sentence} {shown}{rest}."
