"""Leveling against the cases that were written from theory: whole days, an end day is the last one worked."""

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from engine.model import (
    Assignment,
    Calendar,
    Contour,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    Plan,
    Resource,
    ResourceKind,
    Task,
)
from engine.schedule import cpm
from engine.schedule.leveling import LevelOptions, LevelResult, level, loads
from engine.schedule.schedule import Schedule
from tests.engine.schedule.plans import WORKDAY, at, calendar_plan, said

ANCHOR = "2026-06-01 08:00"
KINDS = {"MATERIAL": ResourceKind.MATERIAL, "EQUIPMENT": ResourceKind.MACHINE, None: ResourceKind.WORK}
CURVES = {None: Contour.FLAT, "BACK_LOADED": Contour.BACK_LOADED}

# What ours answers otherwise, and why that is right here.
OTHERWISE = {
    "lvl-curve-aware": "the case counts whole days, on average; by the hour M would take R from P on Wednesday "
    "afternoon, so it starts in the course of that day and not with it",
}


def read_cases(folder: Path) -> dict[str, dict]:
    text = (folder / "plans" / "theory-cases" / "cases-resource-leveling.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in json.loads(text)["cases"]}


IDS = [
    "lvl-basic-conflict",
    "lvl-smoothing-no-float",
    "lvl-priority-order",
    "lvl-pinned-1000",
    "lvl-curve-aware",
    "lvl-material-ignored",
    "lvl-unresolvable-within-float",
    "lvl-lag-relation",
    "lvl-multi-resource-task",
    "lvl-parallel-shared-agnostic-noconflict",
    "lvl-no-conflict-noop",
    "lvl-A1-successor-in-preview",
    "lvl-A3-calendar-fit-positive",
    "lvl-A3-calendar-mismatch-negative",
    "lvl-A5-undo-restores-derived",
    "lvl-A6-assign-refreshes-load",
    "lvl-A6-runcpm-clears-stale",
]


def test_that_every_case_is_known(corpus: Path) -> None:
    assert sorted(read_cases(corpus)) == sorted(IDS)


@pytest.mark.parametrize("name", [name for name in IDS if name not in OTHERWISE])
def test_that_a_case_of_theory_is_answered_alike(name: str, corpus: Path) -> None:
    case = read_cases(corpus)[name]
    plan = plan_of(case)
    if "level" in case:
        result = level(plan, options_of(case["level"]))
        check(case["expect"], result.plan, result.schedule)
    elif "expect" in case:
        for step in case.get("afterCPM", ()):
            plan = after(plan, step)
        check(case["expect"], plan, cpm.schedule(plan))
    if "previewExpect" in case:
        check_preview(case["previewExpect"], plan)


def test_that_tasks_with_curves_overlap_as_far_as_one_resource_can_bear(corpus: Path) -> None:
    plan = plan_of(read_cases(corpus)["lvl-curve-aware"])
    result = level(plan)
    assert result.reasons == ()
    (load,) = loads(result.plan, result.schedule).values()
    assert load.used.max() == pytest.approx(0.5 / 0.6 * (1 + 0.15))
    assert load.work == pytest.approx(3 * WORKDAY, rel=1e-6)
    # P needs 0.83 of R in its last three tenths, and M 0.08 and 0.125 in its first two, 0.21 in its third.
    assert [said(result.schedule.start_of(task)) for task in (1, 2)] == ["2026-06-01 08:00", "2026-06-03 11:12"]


def plan_of(case: dict) -> Plan:
    resources, calendars = [], []
    for number, spec in enumerate(case.get("resources", ()), 1):
        calendar = spec.get("calendar")
        if calendar:
            standard = Calendar.standard().week[0]
            week = tuple(standard if day in calendar["workDays"] else () for day in range(1, 8))
            calendars.append(Calendar(number + 10, f"of {spec['name']}", week))
        kind = KINDS[spec.get("type")]
        resources.append(Resource(number, spec["name"], kind, spec["maxUnits"], number + 10 if calendar else None))
    resource_ids = {resource.name: resource.id for resource in resources}
    task_ids = {spec["name"]: number for number, spec in enumerate(case["tasks"], 1)}
    tasks, assignments = [], []
    for name, spec in zip(task_ids, case["tasks"], strict=True):
        # A day of a case is a day of the project's calendar, whoever works on it.
        fixed = EffortKind.FIXED_DURATION
        duration = spec["dur"] * WORKDAY
        tasks.append(Task(task_ids[name], name, duration, priority=spec.get("priority", 500), effort=fixed))
        assigned = spec.get("assign", ())
        assignments += [_assignment(task_ids[name], resource_ids[each["res"]], duration, each) for each in assigned]
    links = [
        Dependency(task_ids[link["pred"]], task_ids[link["succ"]], DependencyKind.FS, Lag(link.get("lag", 0) * WORKDAY))
        for link in case.get("links", ())
    ]
    plan = calendar_plan(tasks, links, ANCHOR)
    return replace(plan, resources=tuple(resources), assignments=tuple(assignments), calendars=tuple(calendars)).check()


def _assignment(task: int, resource: int, duration: int, spec: dict) -> Assignment:
    """The units of a case are those on average, ours those at most."""
    contour = CURVES[spec.get("curve")]
    work = None if contour is Contour.FLAT else round(duration * spec["units"])
    return Assignment(task, resource, spec["units"], work, contour=contour)


def options_of(spec: dict) -> LevelOptions:
    return LevelOptions(is_within_slack=spec["constrainToFloat"])


def after(plan: Plan, step: dict) -> Plan:
    """The plan after a step; to level is to make another plan, and to undo it to have this one again."""
    ids = {task.name: task.id for task in plan.tasks}
    if "assign" in step:
        resource = next(r.id for r in plan.resources if r.name == step["assign"]["res"])
        assignment = Assignment(ids[step["assign"]["task"]], resource, step["assign"]["units"])
        return replace(plan, assignments=(*plan.assignments, assignment))
    if "setDuration" in step:
        task = plan.task(ids[step["setDuration"]["task"]])
        return plan.with_task(replace(task, duration=step["setDuration"]["dur"] * WORKDAY))
    if "applyLevel" in step:
        assert level(plan, options_of(step["applyLevel"])).plan != plan
    return plan


def check(expect: dict, plan: Plan, schedule: Schedule) -> None:
    for name, dates in expect.get("tasks", {}).items():
        task = next(task for task in plan.tasks if task.name == name)
        row = plan.rows[task.id]
        found = {
            "es": said(schedule.start[row])[:10],
            "ef": said(schedule.finish[row])[:10],
            "tf": schedule.total_float[row] / WORKDAY,
            "crit": bool(schedule.is_critical[row]),
        }
        assert {key: found[key] for key in dates} == dates, name
    if "projectEnd" in expect:
        assert said(schedule.project_finish)[:10] == expect["projectEnd"]
    found_loads = {plan_resource(plan, number): load for number, load in loads(plan, schedule).items()}
    for name, days in expect.get("overallocatedDays", {}).items():
        overloads = found_loads[name].overloads
        # A case says of a day what holds at any hour of it.
        assert sorted({day for overload in overloads for day in days_of(overload, plan)}) == days, name
    for name, used in expect.get("load", {}).items():
        assert {day: found_loads[name].used_at(at(f"{day} 09:00")) for day in used} == used, name


def check_preview(expect: dict, plan: Plan) -> None:
    result = level(plan, options_of(expect))
    before = cpm.schedule(plan)
    assert said(result.schedule.project_finish)[:10] == expect["projectEndAfter"]
    if "shiftedTasks" in expect:
        moved = [t.name for t in plan.tasks if result.schedule.start_of(t.id) != before.start_of(t.id)]
        assert moved == expect["shiftedTasks"]
    if "unresolvedTasks" in expect:
        assert unresolved(result) == expect["unresolvedTasks"]
        assert set(expect["reasons"].values()) == {"CALENDAR_MISMATCH"}
        assert all("longer than its resources are ever there" in reason.sentence for reason in result.reasons)


def unresolved(result: LevelResult) -> list[str]:
    return sorted({result.plan.task(task).name for reason in result.reasons for task in reason.overload.tasks})


def plan_resource(plan: Plan, number: int) -> str:
    return next(resource.name for resource in plan.resources if resource.id == number)


def days_of(overload, plan: Plan) -> list[str]:
    """The working days of the project that an overload touches."""
    first, last = date.fromisoformat(said(overload.first)[:10]), date.fromisoformat(said(overload.last - 1)[:10])
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return [day.isoformat() for day in days if day.weekday() < 5]
