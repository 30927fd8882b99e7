"""Plans that a table can hold, and what is left of them. It asserts nothing."""

from __future__ import annotations

from datetime import datetime

from engine.model import (
    Alternative,
    Assignment,
    Calendar,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    Plan,
    Progress,
    Resource,
    Task,
    Ticks,
)

HOUR = 3600
DAY = 8 * HOUR


def at(text: str) -> Ticks:
    return int((datetime.fromisoformat(text) - datetime(1970, 1, 1)).total_seconds())


def rich() -> Plan:
    """Everything that a table has a column for."""
    monday = at("2025-03-03 08:00")
    tasks = (
        Task(3, "Phase", source="A"),
        Task(
            *(7, "=SUM(A1)", 2 * DAY, 3),
            source="A1",
            priority=700,
            family="red",
            skill="welding, MIG",
            fields=(("Notes", "@home"),),
        ),
        Task(5, "Build, “all”\nof it", 90 * 60, 3, deadline=at("2025-04-01 17:00"), source="A2"),
        Task(
            9,
            "Pour",
            3 * 86_400,
            is_elapsed=True,
            constraint=ConstraintKind.MUST_START_ON,
            constraint_at=at("2025-03-05 10:30"),
            source="B",
        ),
        Task(10, "Done", is_milestone=True, source="C"),
        Task(11, "By hand", DAY, is_manual=True, manual_start=monday, manual_finish=at("2025-03-03 17:00"), source="D"),
        Task(12, "Begun", 5 * DAY, source="E", progress=Progress(40, monday, None, 3 * DAY)),
        Task(13, "Off", DAY, source="F", is_active=False),
    )
    links = (
        Dependency(7, 5, DependencyKind.FS, Lag(-4 * HOUR)),
        Dependency(7, 5, DependencyKind.SS, Lag(50, LagKind.PERCENT)),
        Dependency(9, 10, DependencyKind.FS, Lag(2 * 86_400, LagKind.ELAPSED)),
    )
    return Plan(
        "Rich",
        Clock.CALENDAR,
        monday,
        tasks,
        links,
        Calendar.standard(),
        (Resource(1, "Anna"), Resource(2, "Crane"), Resource(3, "Crane (old) [2]")),
        (Assignment(7, 1), Assignment(7, 2, 0.5), Assignment(5, 2)),
        alternatives=(
            Alternative(7, 3, 0.5, 3 * HOUR, 20.5),
            Alternative(7, 1, cost=4),
            Alternative(9, 2, 1.0, 2 * 86_400),
            Alternative(5, 3),
        ),
        next_task_id=14,
    ).check()


def essence(plan: Plan) -> dict[str, object]:
    """What a table keeps of a plan."""
    names = {resource.id: resource.name for resource in plan.resources}
    return {
        "tasks": [
            (
                *(task.id, task.name, task.duration, task.parent, task.is_milestone, task.source),
                *(task.constraint, task.constraint_at, task.deadline, task.is_elapsed, task.is_active, task.priority),
                *(task.family, task.skill),
                *(task.is_manual, task.manual_start, task.manual_finish, task.progress, task.fields),
            )
            for task in plan.tasks
        ],
        "links": {link.key: link.lag for link in plan.dependencies},
        "alternatives": {
            (each.task, names[each.resource]): (each.units, each.duration, each.cost) for each in plan.alternatives
        },
        "assignments": {(a.task, names[a.resource]): a.units for a in plan.assignments},
    }
