"""Many edits of one task each: made at once they come to the same as one by one."""

from dataclasses import replace

import pytest

from engine.errors import CycleError, PlanError
from engine.model import Assignment, Calendar, Clock, Dependency, EffortKind, Plan, Resource, Task
from engine.schedule.cpm import schedule
from engine.session.cell_edits import SetDuration, SetFinish, SetNotes, SetPriority, SetStaff
from engine.session.date_edits import SetCalendar, SetConstraint, SetDeadline, SetProgress
from engine.session.edits import AddLink, Edit, MoveTask, RemoveLink, RenameTask, ResizeTask
from engine.session.plan_edits import Together
from engine.session.shape_edits import JoinTask, ResizeStart
from engine.session.shop_edits import SetFamily, SetSkill, SetUnbreakable
from tests.engine.model.strategies import HOUR, MONDAY

LEAVES = range(2, 32)
DAY = 24 * HOUR


def crew() -> Plan:
    """A summary with thirty tasks, each after the one three before it, done by one of three, some by fixed work."""
    kinds = tuple(EffortKind)
    tasks = [Task(1, "all")]
    tasks += [Task(number, f"task {number}", 8 * HOUR, 1, effort=kinds[number % 3]) for number in LEAVES]
    links = tuple(Dependency(number - 3, number) for number in range(5, 32))
    resources = tuple(Resource(number, f"crew {number}") for number in (1, 2, 3))
    assignments = tuple(Assignment(number, 1 + number % 3, 1.0, 8 * HOUR) for number in LEAVES)
    calendars = (Calendar(9, "nights", Calendar.standard().week),)
    start = (Calendar.standard(), resources, assignments)
    return Plan(
        "crew", Clock.CALENDAR, MONDAY, tuple(tasks), links, *start, calendars=calendars, next_task_id=32
    ).check()


MANY: dict[str, list[Edit]] = {
    "moved": [MoveTask(task, MONDAY + task * DAY) for task in LEAVES],
    "longer": [ResizeTask(task, (8 + task) * HOUR) for task in LEAVES],
    "typed": [SetDuration(task, 4 * HOUR) for task in LEAVES],
    "named": [RenameTask(task, f"new {task}") for task in LEAVES],
    "held": [SetFinish(task, MONDAY + 30 * DAY) for task in LEAVES],
    "freed": [SetConstraint(task, crew().tasks[1].constraint) for task in LEAVES],
    "due": [SetDeadline(task, MONDAY + 60 * DAY) for task in LEAVES],
    "done": [SetProgress(task, 50) for task in LEAVES],
    "calendars": [SetCalendar(task, 9) for task in LEAVES],
    "important": [SetPriority(task, 900) for task in LEAVES],
    "noted": [SetNotes(task, "by crane") for task in LEAVES],
    "joined": [JoinTask(task) for task in LEAVES],
    "skills": [SetSkill(task, "weld") for task in LEAVES],
    "families": [SetFamily(task, "red") for task in LEAVES],
    "whole": [SetUnbreakable(task, True) for task in LEAVES],
    "staff": [SetStaff(task, (("crew 1", 1.0), ("new", 0.5))) for task in LEAVES],
    "linked": [AddLink(Dependency(task, task + 1)) for task in LEAVES[:-1]],
    "unlinked": [RemoveLink(link) for link in crew().dependencies],
    "mixed": [
        edit for task in LEAVES for edit in (RenameTask(task, "x"), ResizeTask(task, HOUR), SetPriority(task, 1))
    ],
    "summary between": [SetFamily(task, "red") for task in (*range(2, 15), 1, *range(15, 32))],
}


@pytest.mark.parametrize("name", MANY)
def test_that_many_edits_at_once_come_to_the_same_as_one_by_one(name: str) -> None:
    plan = crew()
    one_by_one = plan
    for edit in MANY[name]:
        one_by_one = edit.apply(one_by_one, schedule(plan))
    assert Together("words", tuple(MANY[name])).apply(plan, schedule(plan)) == one_by_one


def test_that_starts_drawn_at_once_start_from_the_dates_that_are_seen() -> None:
    plan = crew()
    dates = schedule(plan)
    edits = tuple(ResizeStart(task, dates.start_of(task) + HOUR) for task in LEAVES)
    changed = Together("words", edits).apply(plan, dates)
    assert {changed.task(task).duration for task in LEAVES} == {7 * HOUR}
    assert [changed.task(task).pin for task in LEAVES] == [dates.start_of(task) + HOUR for task in LEAVES]


def test_that_one_that_is_refused_refuses_all() -> None:
    edits = (*MANY["longer"], ResizeTask(1, HOUR))
    with pytest.raises(PlanError, match="summary"):
        Together("words", edits).apply(crew())


def test_that_nothing_changed_is_the_very_plan() -> None:
    plan = crew()
    assert Together("words", tuple(SetPriority(task, 500) for task in LEAVES)).apply(plan) is plan


def test_that_a_plan_is_copied_once_and_not_for_each_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[int] = []
    whole = Plan.with_tasks
    monkeypatch.setattr(Plan, "with_tasks", lambda plan, tasks: copies.append(1) or whole(plan, tasks))
    for name in ("moved", "longer", "done", "due", "calendars"):
        copies.clear()
        Together("words", tuple(MANY[name])).apply(crew(), schedule(crew()))
        assert len(copies) == 1, name


def test_that_a_link_that_is_not_there_is_refused_among_many() -> None:
    plan = crew()
    gone = replace(plan, dependencies=plan.dependencies[1:])
    with pytest.raises(PlanError, match="There is no"):
        Together("words", tuple(MANY["unlinked"])).apply(gone)


def test_that_links_that_would_make_a_cycle_or_are_there_are_refused_among_many() -> None:
    plan = crew()
    back = AddLink(Dependency(30, 2))
    with pytest.raises(CycleError, match="This link would make a cycle"):
        Together("words", (*MANY["linked"], back)).apply(plan)
    with pytest.raises(PlanError, match="are linked twice"):
        Together("words", (*MANY["linked"], MANY["linked"][0])).apply(plan)
