"""What is not certain of the software release: ranges, a driver, an event, a promised day.

Never run by the app.
"""

from __future__ import annotations

from dataclasses import replace

from engine.model import Impact, Plan, PlanRisks, RiskDriver, RiskEvent, Spread, SpreadKind, TaskRisk

_NEW_LIBRARY = RiskDriver(1, "How well the new drawing library suits")

# Least, most likely and greatest length of each task, in percent of what is planned, as its owner gave them.
_RANGES = {
    "Talk to users": (85, 100, 150),
    "Write the scope": (75, 100, 175),
    "Design the editor": (80, 100, 170),
    "Storage and undo": (85, 100, 160),
    "Chart and gestures": (80, 110, 200),
    "Sync service": (80, 100, 180),
    "Write test cases": (90, 100, 125),
    "Test rounds": (85, 100, 160),
    "Fix what tests find": (60, 100, 220),
    "User guide": (85, 100, 140),
    "Package and publish": (75, 100, 200),
}
_LOADINGS = {"Design the editor": 0.5, "Chart and gestures": 0.8, "Fix what tests find": 0.6}
_AT_SCALE = Spread(SpreadKind.TRIANGULAR, 25, 50, 100)


def with_risks(plan: Plan, promised: int) -> Plan:
    """The plan with its ranges, and a deadline at an instant for what is done last."""
    named = {task.name: task.id for task in plan.tasks}
    drivers = (_NEW_LIBRARY,)
    events = (RiskEvent(1, "Sync fails the load test", 0.25, (Impact(named["Sync service"], _AT_SCALE),)),)
    tasks = []
    for task in plan.tasks:
        if task.name in _RANGES:
            low, likely, high = _RANGES[task.name]
            follows = ((1, _LOADINGS[task.name]),) if task.name in _LOADINGS else ()
            task = replace(task, risk=TaskRisk(Spread(SpreadKind.PERT, low, likely, high), loadings=follows))
        tasks.append(replace(task, deadline=promised) if task.name == "Released" else task)
    return replace(plan.with_tasks(tasks), risks=PlanRisks(drivers, events=events)).check()
