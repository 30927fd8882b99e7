"""Tests of `convert` and `diff`: what goes from file to file, what is said to be lost, and what is told apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.formats import csv, loom
from engine.headless.cli import main
from engine.model import Dependency, Plan, Task
from tests.engine.formats.tables import DAY, at, essence, rich
from tests.engine.model.strategies import HOUR, office, pipeline

Capture = pytest.CaptureFixture[str]


def saved(path: Path, plan: Plan) -> Path:
    loom.save(path, plan)
    return path


def diff(capsys: Capture, before: Path, after: Path) -> dict:
    assert main(["diff", str(before), str(after), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".tsv", ".loom"])
def test_that_a_plan_goes_there_and_back(tmp_path: Path, capsys: Capture, suffix: str) -> None:
    source, target = saved(tmp_path / "plan.loom", rich()), tmp_path / f"out{suffix}"
    assert main(["convert", str(source), str(target)]) == 0
    assert main(["convert", str(target), str(tmp_path / "back.loom")]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")
    assert essence(loom.load(tmp_path / "back.loom")) == essence(rich())


def test_that_what_a_file_cannot_hold_is_listed_on_stderr(tmp_path: Path, capsys: Capture) -> None:
    plan = office()
    calendar = replace(plan.calendar, week=plan.calendar.week[:4] + ((),) * 3)
    source = saved(tmp_path / "plan.loom", replace(plan, calendar=calendar))
    assert main(["convert", str(source), str(tmp_path / "out.csv"), "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "Working times: 1 calendars are left out; read back, the plan has the standard week.\n"


def test_that_what_was_noted_on_the_way_in_is_said(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "plan.csv"
    source.write_text("Name,Start,Duration\nA,03/04/2025,1d\n")
    assert main(["convert", str(source), str(tmp_path / "out.loom")]) == 0
    assert "could mean two days" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["plan.xer", "plan.docx", "nowhere/plan.loom", "out.csv"])
def test_that_a_conversion_that_fails_changes_no_file(tmp_path: Path, capsys: Capture, target: str) -> None:
    """A device plan is no table; a name without a format and a missing folder cannot be written."""
    source = saved(tmp_path / "plan.loom", pipeline())
    (tmp_path / "out.csv").write_text("old")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert main(["convert", str(source), str(tmp_path / target)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert target in printed.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_that_a_file_that_cannot_be_read_leaves_the_target_as_it_was(tmp_path: Path, capsys: Capture) -> None:
    source, target = tmp_path / "plan.csv", tmp_path / "plan.loom"
    source.write_text("Name,Start\nA,soon\n")
    whole = saved(target, office()).read_bytes()
    assert main(["convert", str(source), str(target)]) == 2
    assert "Row 2, column “Start”" in capsys.readouterr().err
    assert target.read_bytes() == whole


def test_that_a_plan_does_not_differ_from_itself(tmp_path: Path, capsys: Capture) -> None:
    source = saved(tmp_path / "plan.loom", rich())
    assert diff(capsys, source, source) == {"added": [], "removed": [], "changed": []}
    csv.save(tmp_path / "plan.csv", rich())
    assert diff(capsys, source, tmp_path / "plan.csv") == {"added": [], "removed": [], "changed": []}


def test_that_tasks_added_removed_and_moved_are_told(tmp_path: Path, capsys: Capture) -> None:
    plan = office()
    longer = tuple(replace(task, duration=16 * HOUR) if task.id == 2 else task for task in plan.tasks if task.id != 5)
    after = replace(plan, tasks=(*longer, Task(6, "Roof", DAY)), next_task_id=7)
    found = diff(capsys, saved(tmp_path / "a.loom", plan), saved(tmp_path / "b.loom", after))
    assert (found["added"], found["removed"]) == ([6], [5])
    changed = {(each["uid"], each["field"]): (each["before"], each["after"]) for each in found["changed"]}
    assert changed[2, "duration"] == (480, 960)
    assert changed[2, "finish"] == ("2025-03-03T17:00:00", "2025-03-04T17:00:00")
    assert changed[3, "start"] == ("2025-03-04T08:00:00", "2025-03-05T08:00:00")
    assert (2, "start") not in changed


def test_that_a_task_is_known_by_its_source_under_another_name_and_number(tmp_path: Path, capsys: Capture) -> None:
    tasks = (Task(1, "A", DAY, source="A10"), Task(2, "B", DAY, source="A20"), Task(3, "C", DAY, source="A30"))
    plan = replace(office(), tasks=tasks, dependencies=(Dependency(1, 2),))
    renumbered = (replace(tasks[1], id=1, name="B2"), replace(tasks[0], id=2), replace(tasks[2], id=3))
    after = replace(plan, tasks=renumbered, dependencies=(Dependency(2, 1),))
    found = diff(capsys, saved(tmp_path / "a.loom", plan), saved(tmp_path / "b.loom", after))
    assert found == {
        "added": [],
        "removed": [],
        "changed": [{"uid": 2, "field": "name", "before": "B", "after": "B2"}],
    }


def test_that_tasks_of_another_program_are_known_by_name_and_outline(tmp_path: Path, capsys: Capture) -> None:
    """The numbers of both mean other tasks; there are two tasks of one name."""
    tasks = (Task(1, "Phase"), Task(2, "Check", DAY, 1), Task(3, "Check", DAY), Task(4, "Build", 2 * DAY))
    plan = replace(office(), tasks=tasks, dependencies=())
    other = (Task(1, "Build", 2 * DAY), Task(2, "Check", 3 * DAY), Task(3, "Phase"), Task(4, "Check", DAY, 3))
    found = diff(capsys, saved(tmp_path / "a.loom", plan), saved(tmp_path / "b.loom", replace(plan, tasks=other)))
    assert {(each["uid"], each["field"]) for each in found["changed"]} == {(3, "duration"), (3, "finish")}
    assert (found["added"], found["removed"]) == ([], [])


def test_that_links_are_told_in_one_numbering(tmp_path: Path, capsys: Capture) -> None:
    plan = office()
    found = diff(
        capsys,
        saved(tmp_path / "a.loom", plan),
        saved(tmp_path / "b.loom", replace(plan, dependencies=plan.dependencies[:1])),
    )
    links = [each for each in found["changed"] if each["field"] == "predecessors"]
    assert links == [{"uid": 4, "field": "predecessors", "before": "3FS", "after": ""}]


def test_that_a_person_reads_lines(tmp_path: Path, capsys: Capture) -> None:
    plan = office()
    after = plan.with_task(replace(plan.task(5), deadline=at("2025-03-07 17:00")))
    assert main(["diff", str(saved(tmp_path / "a.loom", plan)), str(saved(tmp_path / "b.loom", after))]) == 0
    assert capsys.readouterr().out == "~ Paint: deadline None → 2025-03-07T17:00:00\n"
