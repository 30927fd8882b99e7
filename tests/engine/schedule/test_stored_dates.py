"""Dates and floats that Microsoft Project itself stored in its files, recalculated from the same plans."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.formats import mspdi
from engine.schedule import cpm
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
