"""P6's constraints, two an activity at most, as the one constraint and the deadline of a task."""

from __future__ import annotations

from dataclasses import replace

from engine.formats.xer.tables import Row
from engine.model import ConstraintKind, Task, Ticks

_KINDS = {
    "CS_ALAP": ConstraintKind.AS_LATE_AS_POSSIBLE,
    "CS_MSO": ConstraintKind.MUST_START_ON,
    "CS_MSOA": ConstraintKind.START_NO_EARLIER_THAN,
    "CS_MSOB": ConstraintKind.START_NO_LATER_THAN,
    "CS_MEO": ConstraintKind.MUST_FINISH_ON,
    "CS_MEOA": ConstraintKind.FINISH_NO_EARLIER_THAN,
    "CS_MEOB": ConstraintKind.FINISH_NO_LATER_THAN,
    "CS_MANDSTART": ConstraintKind.MUST_START_ON,
    "CS_MANDFIN": ConstraintKind.MUST_FINISH_ON,
}
MANDATORY = ("CS_MANDSTART", "CS_MANDFIN")
# Those that P6 keeps from breaking logic, and that win over it where "dates win".
SOFT = ("CS_MSO", "CS_MSOB", "CS_MEO", "CS_MEOB")


def constrained(task: Task, row: Row, notes: list[str]) -> Task:
    """The task with its constraints. P6's "finish on or before" changes float only, as a deadline does."""
    first, second = _read(row, "cstr_type", "cstr_date"), _read(row, "cstr_type2", "cstr_date2")
    latest = ConstraintKind.FINISH_NO_LATER_THAN
    if first and second and first[0] is latest:
        first, second = second, first
    if first is None:
        first, second = second, None
    if second and second[0] is latest:
        task = replace(task, deadline=second[1])
    elif second:
        notes.append(f"“{task.name}”: its second constraint ({second[0].value}) was left out; a plan holds one.")
    return replace(task, constraint=first[0], constraint_at=first[1]) if first else task


def _read(row: Row, kind: str, date: str) -> tuple[ConstraintKind, Ticks] | None:
    found = _KINDS.get(row.text(kind))
    if found is None:
        return None
    at = row.ticks(date)
    if found.has_date:
        return None if at is None else (found, at)
    return found, 0
