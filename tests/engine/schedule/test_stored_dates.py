"""Dates and floats that Microsoft Project itself stored in its files, recalculated from the same plans."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.formats import mspdi
from engine.formats.xml_text import read_xml
from engine.model import Plan
from engine.schedule import cpm
from engine.schedule.schedule import Schedule
from tests.engine.schedule.golden import Case, ticks
from tests.engine.schedule.plans import said


def test_that_dates_equal_those_that_microsoft_project_stored(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = json.loads((corpus / "plans/golden/msproject_stored_dates.json").read_text())["files"]
    wrong: dict[tuple[str, int, str], str] = {}
    for name, stored in files.items():
        path = corpus / f"plans/mspdi/derived-from-mpp/{name}.xml"
        found = dict(differences(path, stored))
        with capsys.disabled():
            rows = len({uid for uid, _ in found})
            print(f"\n{name}: {len(stored['tasks']) - rows} of {len(stored['tasks'])} rows of stored dates")
        wrong |= {(name, *place): text for place, text in found.items()}
    assert wrong == {}


# Files in which Microsoft Project stored dates; those that say late dates and slack too hold them of one calculation.
FILES = {
    "task-links-2019.xml": True,
    "mspdinulltasks.xml": True,
    "baselines.xml": True,
    "DefaultDurationFormat.xml": True,
    "derived-from-mpp/slack9.xml": True,
    "mspditimephased.xml": False,  # work contours, night shifts, splits; its slack is of an earlier calculation
}
DATES = {
    "EarlyStart": "early_start",
    "EarlyFinish": "early_finish",
    "LateStart": "late_start",
    "LateFinish": "late_finish",
}
SLACK = {
    "StartSlack": "start_float",
    "FinishSlack": "finish_float",
    "TotalSlack": "total_float",
    "FreeSlack": "free_float",
}


@pytest.mark.parametrize("name", FILES)
def test_that_dates_equal_those_that_an_xml_file_holds(
    corpus: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = corpus / "plans/mspdi" / name
    plan = mspdi.load(path)
    schedule = cpm.schedule(plan)
    wrong = dict(own_differences(path, plan, schedule, with_slack=FILES[name]))
    rows = sum(task.recorded is not None for task in plan.tasks)
    assert rows
    with capsys.disabled():
        print(f"\n{name}: {rows - len({task for task, _ in wrong})} of {rows} rows of stored dates")
    assert wrong == {}


def own_differences(
    path: Path, plan: Plan, schedule: Schedule, *, with_slack: bool
) -> Iterator[tuple[tuple[str, str], str]]:
    stored = {element.get("UID"): element for element in read_xml(path).below("Tasks", "Task")}
    for row, task in enumerate(plan.tasks):
        if task.recorded is None:
            continue
        dates = int(schedule.start[row]), int(schedule.finish[row])
        if dates != (task.recorded.start, task.recorded.finish):
            yield (task.name, "dates"), f"{said(dates[0])} to {said(dates[1])}"
        for tag, column in DATES.items() if with_slack else ():
            ours, theirs = said(getattr(schedule, column)[row]), stored[task.source].get(tag)
            if theirs and ours != theirs.replace("T", " ")[:16]:
                yield (task.name, tag), f"{ours}, not {theirs}"
        for tag, column in SLACK.items() if with_slack else ():
            ours, theirs = int(getattr(schedule, column)[row]), stored[task.source].get(tag)
            if theirs and abs(ours - int(theirs) * 6) > 30:  # tenths of a minute
                yield (task.name, tag), f"{ours / 3600} h, not {int(theirs) / 600} h"


def differences(path: Path, stored: Case) -> Iterator[tuple[tuple[int, str], str]]:
    plan = mspdi.load(path)
    schedule = cpm.schedule(plan)
    by_source = {task.source: row for row, task in enumerate(plan.tasks)}
    for task in stored["tasks"]:
        if task["uid"] == 0:  # the project itself
            dates = said(schedule.project_start), said(schedule.project_finish)
            if dates != (task["start"].replace("T", " "), task["finish"].replace("T", " ")):
                yield (0, "dates"), f"{dates}"
            continue
        row = by_source[str(task["uid"])]
        day = plan.settings.hours_per_day * 3600
        for key, column in (
            ("start", schedule.start),
            ("finish", schedule.finish),
            ("es", schedule.early_start),
            ("ef", schedule.early_finish),
            ("ls", schedule.late_start),
            ("lf", schedule.late_finish),
        ):
            if said(column[row]) != task[key].replace("T", " "):
                yield (task["uid"], key), f"{said(column[row])}, not {task[key]}"
        for key, column in (
            ("startSlack", schedule.start_float),
            ("finishSlack", schedule.finish_float),
            ("total", schedule.total_float),
            ("free", schedule.free_float),
        ):
            wanted = round(float(task[key][:-1]) * day) if task[key].endswith("d") else ticks(task[key])
            if abs(int(column[row]) - wanted) > 30:
                yield (task["uid"], key), f"{column[row] / 3600} h, not {task[key]}"
        if bool(schedule.is_critical[row]) != task["critical"]:
            yield (task["uid"], "critical"), f"not {task['critical']}"
