"""Row drops: where rows go that are let go between two others, and how deep. They never change a plan."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Plan, TaskId
from engine.session.edits import Edit
from engine.session.row_edits import MoveRows
from gui.gantt.rows import Rows
from gui.theme import METRICS


@dataclass(frozen=True, slots=True)
class RowDrop:
    """Rows let go above the row `gap` of the table, `depth` summaries deep: into `parent`, above its task `before`."""

    tasks: tuple[TaskId, ...]
    gap: int
    depth: int
    parent: TaskId | None
    before: TaskId | None

    def edit(self) -> Edit:
        """The rows moved there."""
        return MoveRows(self.tasks, self.parent, self.before)


def steps_aside(right_px: float, is_by_name: bool) -> int:
    """How many levels deeper (less deep: below zero) a drag so far to the side means.

    Rows that are held by their names alone go aside, and none by less than a hand wanders on its way up or down.
    """
    levels = int(abs(right_px) / METRICS.indent_px) - 1
    return 0 if not is_by_name or levels <= 0 else levels if right_px > 0 else -levels


def drop_between(
    plan: Plan, rows: Rows, tasks: tuple[TaskId, ...], gap: int, depth: int, *, is_aside: bool = False
) -> RowDrop | None:
    """Where tasks would go, as near to a depth as the rows around allow; None where rows are not in the plan's order.

    At most they lie in the task above, which becomes a summary if they were carried aside; at least as deep as the
    task below.
    """
    if rows.headings or not is_in_order(rows):
        return None
    moved = {each for task in tasks for each in _held(plan, task)}
    upper, lower = gap - 1, gap
    while upper >= 0 and rows.tasks[upper].id in moved:
        upper -= 1
    while lower < len(rows) and rows.tasks[lower].id in moved:
        lower += 1
    least = int(rows.depths[lower]) if lower < len(rows) else 0
    if upper < 0:
        return RowDrop(tasks, gap, 0, None, _first(plan, None, moved))
    above = rows.tasks[upper]
    is_open = above.id not in rows.collapsed and above.operation is None and (is_aside or above.id in rows.summaries)
    depth = max(min(depth, int(rows.depths[upper]) + (1 if is_open else 0)), least)
    if depth > int(rows.depths[upper]):
        return RowDrop(tasks, gap, depth, above.id, _first(plan, above.id, moved))
    beside = above
    for _ in range(int(rows.depths[upper]) - depth):
        beside = plan.task(beside.parent or 0)
    return RowDrop(tasks, gap, depth, beside.parent, _first(plan, beside.parent, moved, after=beside.id))


def is_in_order(rows: Rows) -> bool:
    """Whether rows stand as in the plan, and not as they were sorted."""
    return bool((rows.plan_rows[1:] > rows.plan_rows[:-1]).all())


def _first(plan: Plan, parent: TaskId | None, moved: set[TaskId], after: TaskId | None = None) -> TaskId | None:
    """The first task of a summary that stays, below the one named."""
    row = -1 if after is None else plan.rows[after]
    return next(
        (task.id for task in plan.tasks[row + 1 :] if task.parent == parent and task.id not in moved),
        None,
    )


def _held(plan: Plan, task: TaskId) -> list[TaskId]:
    found = [task]
    for each in found:
        found += plan.children.get(each, ())
    return found
