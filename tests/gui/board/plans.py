"""Small plans for the tests of the board, with their dates."""

from dataclasses import replace

from engine.model import Assignment, Calendar, Clock, Dependency, Plan, Resource, ResourceKind, Shift, Task
from engine.session.state import State
from gui.board.layout import BoardLayout
from gui.board.rows import BoardRows
from gui.canvas.time_scale import TimeScale
from tests.gui.gantt.plans import HOUR, WORKDAY, at, state_of

MONDAY = at(2026, 3, 2, 8)
NIGHT = Calendar(2, "Night", ((Shift(0, 6 * HOUR), Shift(22 * HOUR, 24 * HOUR)),) * 7)


def shop() -> State:
    """Two machines, a crew by night and a material, from Monday 2 March 2026 08:00.

    Saw: cut (1 d), then trim (1 d), and rush (2 d) beside them; Lathe: turn (1 d, after cut). Paint uses paint alone,
    and sweep nobody.
    """
    tasks = (
        Task(1, "cut", WORKDAY),
        Task(2, "trim", WORKDAY),
        Task(3, "rush", 2 * WORKDAY),
        Task(4, "turn", WORKDAY),
        Task(5, "paint", WORKDAY),
        Task(6, "sweep", WORKDAY),
    )
    resources = (
        Resource(1, "Saw", ResourceKind.MACHINE),
        Resource(2, "Lathe", ResourceKind.MACHINE),
        Resource(3, "Crew", calendar=2),
        Resource(4, "Paint", ResourceKind.MATERIAL),
    )
    uses = (Assignment(1, 1), Assignment(2, 1), Assignment(3, 1), Assignment(4, 2), Assignment(5, 4))
    links = (Dependency(1, 2), Dependency(1, 4))
    plan = Plan("shop", Clock.CALENDAR, MONDAY, tasks, links, Calendar.standard(), resources, uses, next_task_id=7)
    return state_of(replace(plan, calendars=(NIGHT,)))


def many(tasks: int, resources: int) -> State:
    """So many tasks of a day, one after the other on each of so many machines."""
    machines = tuple(Resource(number, f"M {number}", ResourceKind.MACHINE) for number in range(1, resources + 1))
    rows = tuple(Task(number, f"T {number}", WORKDAY) for number in range(1, tasks + 1))
    uses = tuple(Assignment(task.id, (task.id - 1) % resources + 1) for task in rows)
    links = tuple(Dependency(task.id - resources, task.id) for task in rows[resources:])
    plan = Plan("many", Clock.CALENDAR, MONDAY, rows, links, Calendar.standard(), machines, uses)
    return state_of(replace(plan, next_task_id=tasks + 1))


def layout_of(state: State, scroll_px: int = 0) -> BoardLayout:
    """An hour in four pixels, from the Sunday before."""
    return BoardLayout(state, BoardRows.of(state), TimeScale(at(2026, 3, 1), 900.0), scroll_px)
