"""Fields and values of tasks in words, for differences and merges."""

from dataclasses import fields, replace

import pytest

from engine.model import (
    ConstraintKind,
    OperationKind,
    OperationSpec,
    Plan,
    PlanRisks,
    Progress,
    RiskDriver,
    Spread,
    SpreadKind,
    Task,
    TaskRisk,
)
from engine.model.task import EffortKind, Split
from engine.session.branch_changes import ADDED, PREDECESSORS, RESOURCES, FieldChange
from gui.branch_words import change_words, field_title, value_text
from tests.gui.gantt.plans import HOUR, at, week


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("duration", 12 * HOUR, "1.5 d"),
        ("delay", 8 * HOUR, "1 d"),
        ("deadline", at(2026, 3, 3, 17), "Tue 3 Mar 2026 17:00"),
        ("constraint", ConstraintKind.MUST_START_ON, "Must start on"),
        ("progress", Progress(30.0), "30 %"),
        ("parent", 1, "Build"),
        ("parent", 99, ""),
        ("is_active", False, "no"),
        ("is_milestone", True, "yes"),
        ("priority", 500, "500"),
        ("splits", (Split(1, 2),), "1"),
        ("effort", EffortKind.FIXED_WORK, "work"),
        ("operation", OperationSpec(OperationKind.COPY_IN), "copy in"),
        ("operation", OperationSpec(OperationKind.KERNEL, "spin"), "spin"),
        (RESOURCES, (("Ann", 0.5), ("Bob", 1.0)), "Ann[50%];Bob"),
        (PREDECESSORS, week().plan.dependencies[:1], "2"),
        (ADDED, Task(9, "New"), "New"),
        ("deadline", None, ""),
        ("constraint_at", 0, ""),
        ("calendar", 77, ""),
        ("settings", week().plan.settings, "changed"),
        ("baselines", ((), ()), "2"),
    ],
)
def test_that_each_value_reads_as_in_the_table(field: str, value: object, text: str) -> None:
    assert value_text(week().plan, field, value) == text


def test_that_every_field_of_a_task_and_a_plan_has_words_of_its_own() -> None:
    names = [field.name for field in (*fields(Task), *fields(Plan))]
    silent = {"id", "source", "fields", "recorded", "clock", "tasks", "dependencies", "assignments", "next_task_id"}
    assert [name for name in names if name not in silent and "_" in field_title(name)] == []
    assert len({field_title(field.name) for field in fields(Task)}) == len(fields(Task))


def test_that_a_change_names_the_task_with_its_summary_and_the_plan_where_there_is_none() -> None:
    plan = week().plan
    change = FieldChange(2, "Frame", "duration", 8 * HOUR, 24 * HOUR, 16 * HOUR)
    assert change_words(plan, plan, change) == ("Frame, Build", "Duration", "1 d", "3 d", "+2 d")
    other = replace(plan, name="Else")
    named = FieldChange(None, "", "name", plan.name, other.name)
    assert change_words(plan, other, named) == ("The plan", "Name", "week", "Else", "")


def test_that_what_is_not_certain_of_a_task_is_told_by_its_range_its_chance_and_its_drivers() -> None:
    plan = replace(week().plan, risks=PlanRisks((RiskDriver(4, "Weather"),)))
    risk = TaskRisk(Spread(SpreadKind.PERT, 80, 100, 130), 0.75, ((4, -0.6),))
    words = "PERT 80–100–130 %, happens in 75 %, follows Weather by -60 %"  # noqa: RUF001
    change = FieldChange(2, "Frame", "risk", None, risk, 0)
    assert change_words(plan, plan, change) == ("Frame, Build", "Uncertainty", "", words, "")
    assert value_text(plan, "risk", risk) == "changed"
