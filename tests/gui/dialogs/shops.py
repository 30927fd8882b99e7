"""A small shop for the dialogs' tests: two lathes and a person, a changeover, three tasks. It never opens a window."""

from dataclasses import replace

from engine.model import Alternative, Assignment, Changeover, Plan, Resource, ResourceKind
from tests.gui.gantt.plans import HOUR
from tests.gui.shell import three_days

COLORS = Changeover(1, "Colors", ("red", "blue"), ((0, 1800), (2700, 0)))


def small_shop() -> Plan:
    """Three days of work on a lathe that changes over; “pour” may be done on the other one."""
    plan = three_days()
    machines = (
        Resource(1, "Lathe 1", ResourceKind.MACHINE, changeover=1, setup="red"),
        Resource(2, "Lathe 2", ResourceKind.MACHINE, skills=("turning",)),
        Resource(3, "Ann"),
    )
    tasks = (replace(plan.tasks[0], family="red"), replace(plan.tasks[1], family="blue"), plan.tasks[2])
    return replace(
        plan,
        name="Shop",
        tasks=tasks,
        resources=machines,
        assignments=(Assignment(1, 1), Assignment(2, 1)),
        alternatives=(Alternative(2, 2, duration=3 * HOUR),),
        changeovers=(COLORS,),
    ).check()
