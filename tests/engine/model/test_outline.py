"""Rows of a plan stand in outline order: the whole of a summary below it, and nothing else between."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError, PlanError
from engine.formats import csv, loom, mspdi, xlsx
from engine.model import Plan, Task, in_outline_order
from tests.engine.schedule.plans import WORKDAY, calendar_plan

APART = (Task(1, "S"), Task(2, "A", WORKDAY, parent=1), Task(3, "B", WORKDAY), Task(4, "C", WORKDAY, parent=1))


def lies_in(plan: Plan) -> dict[str, str | None]:
    return {task.name: None if task.parent is None else plan.task(task.parent).name for task in plan.tasks}


def test_that_a_task_apart_from_its_summary_is_refused_by_name() -> None:
    plan = replace(calendar_plan(APART), tasks=APART)
    with pytest.raises(PlanError, match="“C” stands apart from “S”, the summary it lies in") as caught:
        plan.check()
    assert caught.value.ids == (4,)


def test_that_outline_order_keeps_the_order_among_brothers_and_who_lies_in_what() -> None:
    inner = Task(5, "inner", parent=1)
    deep = Task(6, "deep", WORKDAY, parent=5)
    rows = in_outline_order((*APART, deep, inner))
    assert [task.name for task in rows] == ["S", "A", "C", "inner", "deep", "B"]
    assert set(rows) == {*APART, deep, inner}


def test_that_tasks_that_lie_in_each_other_are_kept_for_the_plan_to_refuse() -> None:
    rows = in_outline_order((Task(1, "a", parent=2), Task(2, "b", parent=1), Task(3, "c")))
    assert [task.id for task in rows] == [3, 1, 2]


@given(st.lists(st.integers(0, 12), max_size=12))
def test_that_any_outline_is_put_in_an_order_that_a_plan_takes(parents: list[int]) -> None:
    rows = [Task(n, f"t{n}", parent=above if 0 < above < n else None) for n, above in enumerate(parents, 1)]
    plan = calendar_plan(rows)
    assert in_outline_order(plan.tasks) == plan.tasks
    assert set(plan.tasks) == set(rows)


def test_that_rows_apart_in_a_table_stand_below_their_summary(tmp_path: Path) -> None:
    path = tmp_path / "apart.csv"
    path.write_text("WBS,Name,Duration,Predecessors\n1,S,,\n1.1,A,1d,\n2,B,1d,\n1.2,C,1d,3\n", encoding="utf-8")
    plan = csv.load(path)
    assert [task.name for task in plan.tasks] == ["S", "A", "C", "B"]
    assert lies_in(plan) == {"S": None, "A": "S", "C": "S", "B": None}
    (link,) = plan.dependencies
    assert [plan.task(end).name for end in (link.predecessor, link.successor)] == ["B", "C"]
    mspdi.save(tmp_path / "out.xml", plan)
    assert lies_in(mspdi.load(tmp_path / "out.xml")) == lies_in(plan)


def in_loom_file(path: Path, statement: str) -> None:
    """Saves the rows of APART in outline order, and has another program change the file."""
    loom.save(path, calendar_plan(APART))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def test_that_rows_apart_in_a_loom_file_stand_below_their_summary(tmp_path: Path) -> None:
    path = tmp_path / "apart.loom"
    in_loom_file(path, "UPDATE task SET position = position + CASE id WHEN 4 THEN 2 WHEN 1 THEN 9 ELSE 0 END")
    plan = loom.load(path)
    assert [task.name for task in plan.tasks] == ["B", "S", "A", "C"]
    assert lies_in(plan) == {"S": None, "A": "S", "C": "S", "B": None}


def test_that_a_loom_file_whose_tasks_lie_in_each_other_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "loop.loom"
    in_loom_file(path, "UPDATE task SET parent = 2 WHERE id = 1")
    with pytest.raises(FormatError, match="“S” stands above the summary it lies in"):
        loom.load(path)


@pytest.mark.parametrize("kind", [loom, mspdi, csv, xlsx])
def test_that_a_plan_with_rows_apart_is_not_written(kind: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "plan"
    with pytest.raises((FormatError, PlanError), match="“C” stands apart from “S”"):
        kind.save(path, replace(calendar_plan(APART), tasks=APART))
    assert not path.exists()
