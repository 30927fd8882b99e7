"""Tests of `convert` and `diff`: what goes from file to file, what is said to be lost, and what is told apart."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from engine.formats import csv, loom, xlsx
from engine.headless.cli import main
from engine.model import Calendar, Clock, Dependency, Plan, PlanSettings, Progress, Task
from tests.engine.formats.tables import DAY, at, essence, rich
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline

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
    target = str(tmp_path / "out.csv")
    assert main(["convert", str(source), target, "--json"]) == 0
    printed, lost = (
        capsys.readouterr(),
        "Working times: 1 calendar is left out; read back, the plan has the standard week.",
    )
    assert json.loads(printed.out) == {"output": target, "notes": [lost]}
    assert printed.err == f"{lost}\n"
    assert main(["convert", str(source), target, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == [
        lost,
        f"{target} was replaced; what it held is kept as {target}~1.",
    ]


def test_that_tasks_which_get_other_dates_from_the_written_file_are_named(tmp_path: Path, capsys: Capture) -> None:
    """A rest that is moved to the status date is what such a file cannot ask for."""
    begun = Progress(50, MONDAY)
    tasks = (Task(1, "Build", 16 * HOUR, progress=begun), Task(2, "Paint", 8 * HOUR), Task(3, "Test", 8 * HOUR))
    moved = PlanSettings(moves_remaining_to_status=True, status=MONDAY + 7 * 24 * HOUR)
    plan = Plan("p", Clock.CALENDAR, MONDAY, tasks, (Dependency(1, 3),), Calendar.standard(), next_task_id=4)
    plan = replace(plan, settings=moved)
    source, target = saved(tmp_path / "plan.loom", plan), tmp_path / "out.xml"
    assert main(["convert", str(source), str(target)]) == 0
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"Other dates: 3 tasks get other dates when {target} is calculated again: ")
    assert "“Build” (finish Mon 10 Mar 2025 17:00, then Tue 4 Mar 2025 17:00)" in said
    settled = replace(plan, settings=PlanSettings())
    assert main(["convert", str(saved(tmp_path / "b.loom", settled)), str(tmp_path / "b.xml")]) == 0
    assert capsys.readouterr().err == ""


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


def test_that_a_file_that_is_replaced_is_kept_beside_and_said(tmp_path: Path, capsys: Capture) -> None:
    source, target = saved(tmp_path / "plan.loom", rich()), tmp_path / "out.csv"
    target.write_text("by hand")
    assert main(["convert", str(source), str(target)]) == 0
    assert capsys.readouterr().err == f"{target} was replaced; what it held is kept as {target}~1.\n"
    assert (tmp_path / "out.csv~1").read_text() == "by hand"
    assert essence(csv.load(target)) == essence(rich())


def test_that_a_file_is_not_replaced_where_a_person_says_so(tmp_path: Path, capsys: Capture) -> None:
    source, target = saved(tmp_path / "plan.loom", rich()), tmp_path / "out.csv"
    assert main(["convert", str(source), str(target), "--no-replace"]) == 0
    target.write_text("by hand")
    assert main(["convert", str(source), str(target), "--no-replace"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"plan.loom", "out.csv"}
    assert target.read_text() == "by hand"


@pytest.mark.parametrize("how", ["name", "symbolic link", "hard link"])
def test_that_a_file_is_not_converted_onto_itself(tmp_path: Path, capsys: Capture, how: str) -> None:
    source = tmp_path / "plan.csv"
    csv.save(source, rich())
    target = source if how == "name" else tmp_path / "other.csv"
    if how == "symbolic link":
        target.symlink_to(source)
    elif how == "hard link":
        target.hardlink_to(source)
    before = source.read_bytes()
    names = set(tmp_path.iterdir())
    assert main(["convert", str(source), str(target)]) == 2
    assert capsys.readouterr().err == f"{target} is the file that is read: give the new one another name.\n"
    assert (source.read_bytes(), set(tmp_path.iterdir())) == (before, names)


def test_that_the_sheet_that_was_read_is_said(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "plan.xlsx"
    xlsx.save(source, rich())
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet = '<sheet name="Notes" sheetId="9" r:id="rId1"/></sheets>'
    members["xl/workbook.xml"] = members["xl/workbook.xml"].replace("</sheets>", sheet)
    with zipfile.ZipFile(source, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    said = "Of the 2 sheets of the workbook, “Tasks” was read.\n"
    assert main(["convert", str(source), str(tmp_path / "out.loom")]) == 0
    assert capsys.readouterr().err == said
    assert main(["schedule", str(source), "--json"]) == 0
    printed = capsys.readouterr()
    assert (printed.err, bool(json.loads(printed.out)["tasks"])) == (said, True)
    assert main(["schedule", str(tmp_path / "out.loom"), "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_that_what_a_summary_would_last_by_itself_is_no_difference(tmp_path: Path, capsys: Capture) -> None:
    plan = office()
    summary = next(iter(plan.children))
    before = saved(tmp_path / "a.loom", plan.with_task(replace(plan.task(summary), duration=3600)))
    after = saved(tmp_path / "b.loom", plan.with_task(replace(plan.task(summary), duration=0)))
    assert diff(capsys, before, after)["changed"] == []


def test_that_a_plan_does_not_differ_from_itself(tmp_path: Path, capsys: Capture) -> None:
    source = saved(tmp_path / "plan.loom", rich())
    assert diff(capsys, source, source) == {"added": [], "removed": [], "changed": [], "moved": []}
    csv.save(tmp_path / "plan.csv", rich())
    assert diff(capsys, source, tmp_path / "plan.csv") == {"added": [], "removed": [], "changed": [], "moved": []}


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
        "moved": [{"uid": 1, "before": 1, "after": 2}],
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
    assert capsys.readouterr().out == "~ Paint: deadline none → 2025-03-07 17:00:00\n"
    longer = after.with_task(replace(after.task(2), duration=16 * HOUR, priority=700, name="Drawing"))
    indented = tuple(replace(task, parent=1) if task.id == 5 else task for task in longer.tasks)
    rows = (*indented[:1], indented[2], indented[1], indented[4], indented[3])
    saved(tmp_path / "c.loom", replace(longer, tasks=rows))
    assert main(["diff", str(tmp_path / "b.loom"), str(tmp_path / "c.loom")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {
        "~ Design: name Design → Drawing",
        "~ Design: duration 480 min → 960 min",
        "~ Design: priority 500 → 700",
        "~ Paint: summary none → “Phase”",
        "> Paint: row 5 → 4",
    } <= set(lines)
    assert sum(line.startswith(">") for line in lines) == 2


def outline(*rows: tuple[int, int | None]) -> Plan:
    """A plan of (task, parent) rows."""
    tasks = tuple(Task(number, f"Task {number}", 0 if parent is None else DAY, parent) for number, parent in rows)
    return replace(office(), tasks=tasks, dependencies=(), assignments=(), next_task_id=9)


@pytest.mark.parametrize(
    ("after", "moved"),
    [
        ([(1, None), (2, 1), (3, 1), (4, 1), (5, None), (6, 5)], []),
        ([(1, None), (3, 1), (4, 1), (2, 1), (5, None), (6, 5)], [2]),
        ([(5, None), (6, 5), (1, None), (2, 1), (3, 1), (4, 1)], [1]),
        ([(1, None), (2, 1), (4, 1), (5, None), (3, 5), (6, 5)], [3]),
        ([(1, None), (4, 1), (3, 1), (2, 1), (5, None), (6, 5)], [2, 3]),
        ([(2, None), (3, None), (4, None), (5, None), (6, 5)], [2, 3, 4]),
    ],
)
def test_that_the_fewest_tasks_have_moved(tmp_path: Path, capsys: Capture, after: list, moved: list[int]) -> None:
    """The last one loses a summary: its children stand elsewhere now."""
    before = outline((1, None), (2, 1), (3, 1), (4, 1), (5, None), (6, 5))
    found = diff(capsys, saved(tmp_path / "a.loom", before), saved(tmp_path / "b.loom", outline(*after)))
    assert [each["uid"] for each in found["moved"]] == moved
    rows = {number: row for row, (number, _) in enumerate(after, 1)}
    assert [each["after"] for each in found["moved"]] == [rows[number] for number in moved]
