"""Dates and floats of another scheduler's answers, for the cases that need only one calendar, links and pins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import CycleError
from engine.model import (
    DAY,
    Calendar,
    CalendarException,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    Task,
)
from engine.schedule import cpm
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan, said

KNOWN = {"id", "dur", "in", "summary", "con"}
# Warploom clamps a lead at the project's start, where the other scheduler starts before it.
SET_ASIDE = {"fs_lead_larger_than_predecessor"}


def _duration(text: str) -> int:
    return int(text[:-1]) * (WORKDAY if text.endswith("d") else HOUR)


def _duration_of(text: str) -> int:
    return round(float(text[:-1]) * (WORKDAY if text.endswith("d") else HOUR))


def _lag(text: str) -> Lag:
    return Lag(int(text[:-1]), LagKind.PERCENT) if text.endswith("%") else Lag(_duration(text))


def _is_known(case: dict[str, list[dict[str, list[str]]]]) -> bool:
    tasks = case["tasks"]
    return case["name"] not in SET_ASIDE and all(
        set(task) <= KNOWN and "ed" not in task.get("dur", "") and task.get("con", ["SNET"])[0] == "SNET"
        for task in tasks
    )


def test_that_the_dates_equal_those_another_scheduler_gave(corpus: Path) -> None:
    cases = json.loads((corpus / "plans/golden/cpm_cases.json").read_text())["cases"]
    known = [case for case in cases if _is_known(case)]
    assert len(known) >= 20
    wrong = [difference for case in known for difference in _differences(case)]
    assert not wrong


def _differences(case: dict) -> list[str]:  # type: ignore[type-arg]
    number = {task["id"]: index for index, task in enumerate(case["tasks"], 1)}
    tasks = [
        Task(
            number[task["id"]],
            task["id"],
            _duration(task.get("dur", "0d")),
            parent=number.get(task.get("in")),
            constraint=ConstraintKind.START_NO_EARLIER_THAN if "con" in task else ConstraintKind.AS_SOON_AS_POSSIBLE,
            constraint_at=at(task["con"][1]) if "con" in task else 0,
        )
        for task in case["tasks"]
    ]
    links = [
        Dependency(number[link[0]], number[link[1]], DependencyKind(link[2]), *map(_lag, link[3:]))
        for link in case.get("links", [])
    ]
    off = [at("{:04}-{:02}-{:02} 00:00".format(*day)) // DAY for day in case.get("holidays", [])]
    calendar = Calendar.standard()
    calendar = Calendar(1, "std", calendar.week, tuple(CalendarException(day, day) for day in off))
    plan = calendar_plan(tasks, links, case["start"], calendar)
    if "cycle" in case["name"]:
        with pytest.raises(CycleError):
            cpm.schedule(plan)
        return []
    schedule = cpm.schedule(plan)
    found = []
    for task_id, wanted in case["ms"].items():
        row = schedule.rows[number[task_id]]
        ours = {
            "start": said(schedule.start[row]),
            "finish": said(schedule.finish[row]),
            "total": int(schedule.total_float[row]),
            "free": int(schedule.free_float[row]),
            "critical": bool(schedule.is_critical[row]),
        }
        wanted |= {key: _duration_of(wanted[key]) for key in ("total", "free")}
        found += [
            f"{case['name']} {task_id} {key}: {ours[key]}, not {wanted[key]}"
            for key in ours
            if wanted.get(key) is not None and wanted[key] != ours[key]
        ]
    return found
