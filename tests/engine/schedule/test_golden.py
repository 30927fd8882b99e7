"""Dates and floats of other schedulers' answers: each row of the sample files, or the reason why ours is another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.model import PlanSettings
from engine.schedule import cpm
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime
from tests.engine.schedule.golden import P6, Case, cpm_plan, ticks
from tests.engine.schedule.plans import at, said

# What the sample's own index calls wrong: an unconstrained network with negative float.
BAD = {"elapsed_duration_task_over_weekend"}
# P6 has no percent lag, no manual task and no links on summaries, and ignores deadlines.
P6_HAS_NONE = ("percent", "manual_", "summary_as_", "deadline_")

NO_FLOAT = "no float there; Microsoft Project stores negative float of the task itself, as Milestone 2 of slack9 has it"
BEYOND = "free float is no more than total float, here and in what Microsoft Project stores (Task 11 of slack9)"
IN_PLACE = "what remains is left before the data date there; P6 starts it at that date, as cases-progress.json has it"
MISSED = {
    ("ms", "fnlt_conflict_negative_slack", "B", "total"): NO_FLOAT,
    ("ms", "mso_breaks_fs_link", "B", "total"): NO_FLOAT,
    ("p6", "fs_lead_larger_than_predecessor", "A", "free"): BEYOND,
    ("p6", "in_progress_50pct", "A", "finish"): IN_PLACE,
    **{("p6", "in_progress_50pct", "B", key): IN_PLACE for key in ("start", "finish", "ls", "lf")},
}


def test_that_dates_equal_those_of_another_scheduler(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = json.loads((corpus / "plans/golden/cpm_cases.json").read_text())["cases"]
    wrong, rows = {}, {"ms": 0, "p6": 0}
    for case in cases:
        for column, settings in (("ms", PlanSettings()), ("p6", P6)):
            if not is_asked(case, column):
                continue
            rows[column] += len(case[column])
            wrong |= {(column, case["name"], *place): text for place, text in differences(case, column, settings)}
    with capsys.disabled():
        print(f"\ncpm_cases.json: {rows['ms']} rows of ms and {rows['p6']} of p6 but for {len(wrong)} values")
    assert {place: text for place, text in wrong.items() if place not in MISSED} == {}
    stale = [place for place in MISSED if place[1] in {c["name"] for c in cases} and place not in wrong]
    assert stale == []


def is_asked(case: Case, column: str) -> bool:
    if case["name"] in BAD:
        return False
    return column == "ms" or not any(name in case["name"] for name in P6_HAS_NONE)


def differences(case: Case, column: str, settings: PlanSettings) -> Iterator[tuple[tuple[str, str], str]]:
    plan, number = cpm_plan(case, settings)
    schedule = cpm.schedule(plan)
    if "error" in case[column]:
        assert schedule.cycle
        return
    assert not schedule.cycle
    for name, wanted in case[column].items():
        row, is_begun = schedule.rows[number[name]], plan.task(number[name]).progress is not None
        for key, value in row_of(schedule, row).items():
            target = ticks(wanted[key]) if key in ("total", "free") else wanted[key]
            if target != value:
                yield (name, key), f"{value}, not {target}"
        time = WorkingTime.of(plan.calendar)
        for key, late in (("ls", schedule.late_start[row]), ("lf", schedule.late_finish[row])):
            is_rest = is_begun and column == "p6"  # there, late dates are those of what remains
            if not is_rest and late != at(wanted[key]) and time.between(late, at(wanted[key])):
                yield (name, key), f"{said(late)}, not {wanted[key]}"


def row_of(schedule: Schedule, row: int) -> dict[str, object]:
    return {
        "start": said(schedule.start[row]),
        "finish": said(schedule.finish[row]),
        "total": int(schedule.total_float[row]),
        "free": int(schedule.free_float[row]),
        "critical": bool(schedule.is_critical[row]),
    }
