"""Branch words: what fields of tasks are called, and their values, in differences and merges. It never compares."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.model import Clock, ConstraintKind, Plan, Progress, Task, TaskId, TaskRisk
from engine.session.branch_changes import ADDED, FINISH, PREDECESSORS, REMOVED, RESOURCES, START, FieldChange
from engine.session.cell_words import links_text, notes_text, staff_text
from gui.plan_words import change_text, exact_text, full_name, instant_text
from gui.spread_words import risk_words

_T = QT_TRANSLATE_NOOP
_TITLES: dict[str, object] = {
    ADDED: _T("BranchWords", "Added"),
    REMOVED: _T("BranchWords", "Removed"),
    START: _T("BranchWords", "Start"),
    FINISH: _T("BranchWords", "Finish"),
    PREDECESSORS: _T("BranchWords", "Predecessors"),
    RESOURCES: _T("BranchWords", "Resources"),
    "name": _T("BranchWords", "Name"),
    "duration": _T("BranchWords", "Duration"),
    "parent": _T("BranchWords", "Summary"),
    "is_milestone": _T("BranchWords", "Milestone"),
    "is_duration_typed": _T("BranchWords", "Duration by hand"),
    "constraint": _T("BranchWords", "Constraint"),
    "constraint_at": _T("BranchWords", "Constraint date"),
    "operation": _T("BranchWords", "Operation"),
    "is_elapsed": _T("BranchWords", "Elapsed"),
    "is_manual": _T("BranchWords", "Dates by hand"),
    "manual_start": _T("BranchWords", "Start by hand"),
    "manual_finish": _T("BranchWords", "Finish by hand"),
    "is_active": _T("BranchWords", "Active"),
    "calendar": _T("BranchWords", "Calendar"),
    "ignores_resource_calendars": _T("BranchWords", "Ignores resources' calendars"),
    "deadline": _T("BranchWords", "Deadline"),
    "priority": _T("BranchWords", "Priority"),
    "delay": _T("BranchWords", "Leveling delay"),
    "splits": _T("BranchWords", "Pauses"),
    "progress": _T("BranchWords", "% complete"),
    "effort": _T("BranchWords", "What stays"),
    "skill": _T("BranchWords", "Skill"),
    "family": _T("BranchWords", "Family"),
    "is_unbreakable": _T("BranchWords", "Never interrupted"),
    "notes": _T("BranchWords", "Notes"),
    "fields": _T("BranchWords", "Notes, and what its file said"),
    "risk": _T("BranchWords", "Uncertainty"),
    "risks": _T("BranchWords", "Risks"),
    "settings": _T("BranchWords", "Settings"),
    "calendars": _T("BranchWords", "Calendars"),
    "buffers": _T("BranchWords", "Buffers"),
    "kernels": _T("BranchWords", "Kernels"),
    "baselines": _T("BranchWords", "Baselines"),
    "alternatives": _T("BranchWords", "Alternatives"),
    "changeovers": _T("BranchWords", "Changeovers"),
    "transports": _T("BranchWords", "Transport"),
}
_CONSTRAINTS: dict[ConstraintKind, object] = {
    ConstraintKind.AS_SOON_AS_POSSIBLE: _T("BranchWords", "As soon as possible"),
    ConstraintKind.AS_LATE_AS_POSSIBLE: _T("BranchWords", "As late as possible"),
    ConstraintKind.START_NO_EARLIER_THAN: _T("BranchWords", "Start no earlier than"),
    ConstraintKind.START_NO_LATER_THAN: _T("BranchWords", "Start no later than"),
    ConstraintKind.FINISH_NO_EARLIER_THAN: _T("BranchWords", "Finish no earlier than"),
    ConstraintKind.FINISH_NO_LATER_THAN: _T("BranchWords", "Finish no later than"),
    ConstraintKind.MUST_START_ON: _T("BranchWords", "Must start on"),
    ConstraintKind.MUST_FINISH_ON: _T("BranchWords", "Must finish on"),
}
_INSTANTS = frozenset({START, FINISH, "constraint_at", "manual_start", "manual_finish", "deadline"})


def field_title(field: str) -> str:
    """What a field is called."""
    return _tr(_TITLES.get(field, field))


def change_words(before: Plan, after: Plan, change: FieldChange) -> tuple[str, ...]:
    """Task, field, both values, and how far they are apart where that is a time."""
    name = change.name or _tr(_T("BranchWords", "The plan"))
    if change.task is not None:
        plan = before if change.field == REMOVED else after
        name = full_name(plan, change.task)
    sides = ((before, change.before), (after, change.after))
    values = (value_text(plan, change.field, value, change.task) for plan, value in sides)
    return (name, field_title(change.field), *values, change_text(after, change.change))


def value_text(plan: Plan, field: str, value: object, task: TaskId | None = None) -> str:
    """A value of a field, of a task where one is named, as a person reads it; nothing where there is none."""
    is_no_date = field == "constraint_at" and value == 0 and plan.clock is Clock.CALENDAR
    if value is None or is_no_date:
        return ""
    if isinstance(value, bool):
        return _tr(_T("BranchWords", "yes")) if value else _tr(_T("BranchWords", "no"))
    if isinstance(value, TaskRisk) and task in plan.rows:
        return risk_words(plan, plan.task(task), value)
    return _ways(plan, field)(value)


def _ways(plan: Plan, field: str) -> Callable[..., str]:
    """What makes text of the values of a field."""
    if field in _INSTANTS:
        return lambda value: instant_text(plan, value)
    ways: dict[str, Callable[..., str]] = {
        "duration": lambda value: exact_text(plan, value),
        "delay": lambda value: exact_text(plan, value),
        PREDECESSORS: lambda value: links_text(plan, value),
        RESOURCES: _resources_text,
        "constraint": lambda value: _tr(_CONSTRAINTS[value]),
        "calendar": lambda value: _calendar_text(plan, value),
        "parent": lambda value: plan.task(value).name if value in plan.rows else "",
        "progress": _progress_text,
        "splits": lambda value: str(len(value)),
        "effort": lambda value: str(value.value),
        "notes": notes_text,
        "fields": lambda value: "; ".join(notes_text(text) for _, text in value),
    }
    return ways.get(field, _other_text)


def _resources_text(value: object) -> str:
    """Who does a task; of the plan's own resources how many there are."""
    pairs = value if isinstance(value, tuple) else ()
    if all(isinstance(pair, tuple) for pair in pairs):
        return staff_text(pairs)
    return _other_text(value)


def _calendar_text(plan: Plan, value: object) -> str:
    if isinstance(value, int):
        return plan.calendar_of[value].name if value in plan.calendar_of else ""
    return str(getattr(value, "name", ""))


def _progress_text(value: Progress) -> str:
    return f"{value.percent:g} %"


def _other_text(value: object) -> str:
    """A row by its name, a table by how many rows it has, anything else as it is."""
    if isinstance(value, Task):
        return value.name
    if isinstance(value, tuple):
        return str(len(value))
    if isinstance(value, str | int | float):
        return str(value)
    kernel, kind = getattr(value, "kernel", ""), getattr(value, "kind", None)
    if kind is not None and hasattr(value, "kernel"):
        return str(kernel or kind.value).replace("_", " ")
    return str(getattr(value, "name", "") or _tr(_T("BranchWords", "changed")))


def _tr(text: object) -> str:
    return QCoreApplication.translate("BranchWords", str(text))
