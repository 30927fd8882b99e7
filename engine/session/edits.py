"""Edits of tasks and of the plan: every change is a value. They never keep a plan, and have no inverse.

Those of a device plan alone stand in device_edits.py, and are found here too.

An edit that would break a rule of the plan is refused with a sentence that names the tasks; one that would change
nothing returns the very plan it was given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from engine.errors import PlanError
from engine.model import (
    Clock,
    ConstraintKind,
    Dependency,
    Plan,
    Task,
    TaskId,
    Ticks,
)
from engine.schedule.cpm import schedule as compute_dates
from engine.schedule.cpm import working_time
from engine.schedule.schedule import Schedule
from engine.session.device_edits import AssignStream, SetOperation, TakeAdvice, TakeKit
from engine.session.effort import resized
from engine.session.giving_way import in_brackets, lost_constraint, lost_delays
from engine.session.linking import linked

__all__ = [
    "AddLink",
    "AddTask",
    "AssignStream",
    "ChangeLink",
    "Edit",
    "MoveTask",
    "MoveTasks",
    "RemoveLink",
    "RemovePin",
    "RemoveTask",
    "RemoveTasks",
    "RenameTask",
    "ResizeTask",
    "SetName",
    "SetOperation",
    "TakeAdvice",
    "TakeKit",
]

_MILLISECOND = 1_000_000


class Edit(Protocol):
    """A change of a plan."""

    def label(self, plan: Plan) -> str:
        """What Undo shows, such as: Move “Design”. `plan` is the one the edit is applied to."""

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """The changed plan, or the same object when nothing changes. Raises PlanError.

        `schedule` holds the plan's dates, for edits that start from them; without it they are computed.
        """


@dataclass(frozen=True, slots=True)
class MoveTask:
    """A task starts no earlier than `start`, in ticks; a summary takes all its leaves along.

    Any other constraint that the task has gives way to that, and so does its leveling delay, which would be added on
    top; the label says so. A task whose dates are set by hand has them moved instead.
    """

    task: TaskId
    start: Ticks

    def label(self, plan: Plan) -> str:
        """Move “Design”; or: Move “Design” (it no longer must finish on a date, without its leveling delay)."""
        task = plan.task(self.task)
        lost = "" if plan.is_summary(self.task) or task.is_manual else lost_constraint(task)
        said = (lost and f"it no longer {lost}", lost_delays(plan, (self.task,)))
        return f"Move {quoted(plan, self.task)}{in_brackets(said)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Pins the task at the instant as it is given, or moves the summary's leaves as MoveTasks does."""
        moved = self.task_after(plan, schedule)
        if moved is not None:
            return with_tasks(plan, [moved])
        dates = schedule or compute_dates(plan)
        return MoveTasks((self.task,), self.start - dates.start_of(self.task)).apply(plan, dates)

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task | None:
        """The task that is pinned; None for a summary, of which its leaves are."""
        return None if plan.is_summary(self.task) else _moved(plan, plan.task(self.task), int(self.start))


@dataclass(frozen=True, slots=True)
class MoveTasks:
    """Several tasks, summaries with all their leaves, start later by one offset in ticks (earlier when negative).

    On a calendar plan the offset is that of the first of them, and the others move by as much working time, so that
    what lies between them stays as it is. Only those that none of the others drives are pinned; the rest follows.
    Leveling delays of all of them give way, and the label says so.
    """

    tasks: tuple[TaskId, ...]
    offset: Ticks

    def label(self, plan: Plan) -> str:
        """Move 3 tasks; or: Move 3 tasks (without 2 leveling delays)."""
        what = quoted(plan, self.tasks[0]) if len(self.tasks) == 1 else f"{len(self.tasks)} tasks"
        return f"Move {what}{in_brackets((lost_delays(plan, self.tasks),))}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Pins those that lead, and takes pins of those that follow along."""
        leaves = dict.fromkeys(leaf for task in self.tasks for leaf in plan.leaves(plan.task(task).id))
        if not self.offset or not leaves:
            return plan
        dates = schedule or compute_dates(plan)
        followers = {after for before, after in dates.driving if before in leaves and after in leaves}
        time = working_time(plan)
        first = min(dates.start_of(leaf) for leaf in leaves)
        work = time.between(first, time.next_start(first + self.offset))

        def moved(instant: Ticks) -> Ticks:
            return time.next_start(time.add(instant, work))

        lead = [_moved(plan, plan.task(leaf), moved(dates.start_of(leaf))) for leaf in leaves if leaf not in followers]
        rest = [plan.task(leaf) for leaf in leaves if leaf in followers]
        held = [replace(task, delay=0) if task.pin is None else pinned(task, moved(task.pin)) for task in rest]
        return with_tasks(plan, [*lead, *held])


@dataclass(frozen=True, slots=True)
class RemovePin:
    """A task, or every leaf of a summary, starts as soon as its links allow."""

    task: TaskId

    def label(self, plan: Plan) -> str:
        """Unpin “Design”."""
        return f"Unpin {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes the constraint away."""
        pinned = [plan.task(leaf) for leaf in plan.leaves(plan.task(self.task).id)]
        free = ConstraintKind.AS_SOON_AS_POSSIBLE
        return with_tasks(plan, [replace(t, constraint=free, constraint_at=0) for t in pinned if t.pin is not None])


@dataclass(frozen=True, slots=True)
class ResizeTask:
    """A task lasts `duration`, in working ticks; on a device plan it then counts as typed."""

    task: TaskId
    duration: Ticks

    def label(self, plan: Plan) -> str:
        """Resize “Design”."""
        return f"Resize {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the duration, and by it work or units of assignments; a milestone that lasts is one no more."""
        return resized(plan, self.task_after(plan, schedule))

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task with that duration."""
        task = plan.task(self.task)
        if plan.is_summary(self.task):
            raise PlanError(f"“{task.name}” is a summary: it lasts as long as the tasks in it.", ids=(task.id,))
        if self.duration < 0:
            raise PlanError(f"“{task.name}” cannot last less than no time.", ids=(task.id,))
        is_milestone = task.is_milestone and self.duration == 0
        duration = int(self.duration)
        return replace(task, duration=duration, is_duration_typed=True, is_milestone=is_milestone)


@dataclass(frozen=True, slots=True)
class RenameTask:
    """A task has another name."""

    task: TaskId
    name: str

    def label(self, plan: Plan) -> str:
        """Rename “Design”."""
        return f"Rename {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the name, without the space around it."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task with that name."""
        task = plan.task(self.task)
        if not self.name.strip():
            raise PlanError(f"“{task.name}” needs a name.", ids=(task.id,))
        return replace(task, name=self.name.strip())


@dataclass(frozen=True, slots=True)
class AddTask:
    """A new task below the task `after` and in its summary, or last in the summary `parent`, or last of all.

    `after` wins when both are given. Its id is the plan's `next_task_id`. `duration` is in ticks; without one it lasts
    a day of work, or a millisecond on a device plan.
    """

    name: str
    parent: TaskId | None = None
    after: TaskId | None = None
    duration: Ticks | None = None

    def label(self, plan: Plan) -> str:
        """Add “Design”."""
        return f"Add “{self.name.strip()}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Inserts the row."""
        if not self.name.strip():
            raise PlanError("A task needs a name.")
        parent = self.parent if self.after is None else plan.task(self.after).parent
        if parent is not None and plan.task(parent).operation is not None:
            raise PlanError(f"{quoted(plan, parent)} does an operation: it cannot hold tasks.", ids=(parent,))
        anchor = parent if self.after is None else self.after
        row = len(plan.tasks) if anchor is None else row_below(plan, anchor)
        length = self.duration
        if length is None:
            is_calendar = plan.clock is Clock.CALENDAR
            length = int(plan.settings.hours_per_day * 3600) if is_calendar else _MILLISECOND
        task = Task(plan.next_task_id, self.name.strip(), length, parent)
        task.check()
        rows = (*plan.tasks[:row], task, *plan.tasks[row:])
        return replace(plan, tasks=rows, next_task_id=plan.next_task_id + 1)


@dataclass(frozen=True, slots=True)
class RemoveTask:
    """A task goes, with all it holds, its links and its assignments. Its id is never used again."""

    task: TaskId

    def label(self, plan: Plan) -> str:
        """Remove “Design”."""
        return f"Remove {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes the rows out."""
        return RemoveTasks((self.task,)).apply(plan)


@dataclass(frozen=True, slots=True)
class RemoveTasks:
    """Several tasks go as RemoveTask takes one, some of them perhaps inside others."""

    tasks: tuple[TaskId, ...]

    def label(self, plan: Plan) -> str:
        """Remove 3 tasks."""
        return f"Remove {quoted(plan, self.tasks[0]) if len(self.tasks) == 1 else f'{len(self.tasks)} tasks'}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes the rows out."""
        gone = {plan.task(task).id for task in self.tasks}
        for task in plan.tasks:
            if task.parent in gone:
                gone.add(task.id)
        return replace(
            plan,
            tasks=tuple(task for task in plan.tasks if task.id not in gone),
            dependencies=tuple(d for d in plan.dependencies if d.predecessor not in gone and d.successor not in gone),
            assignments=tuple(a for a in plan.assignments if a.task not in gone),
            alternatives=tuple(a for a in plan.alternatives if a.task not in gone),
            risks=plan.risks.only(plan.rows.keys() - gone),
        )


@dataclass(frozen=True, slots=True)
class AddLink:
    """One task waits for another."""

    dependency: Dependency

    def label(self, plan: Plan) -> str:
        """Link “Design” to “Build”."""
        return f"Link {_ends(plan, self.dependency, 'to')}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Appends the link. Raises CycleError naming the tasks that would wait for each other."""
        return linked(plan, (*plan.dependencies, self.dependency), self.dependency, schedule)


@dataclass(frozen=True, slots=True)
class RemoveLink:
    """A task waits no more for another; the link is known by its ends and its kind."""

    dependency: Dependency

    def label(self, plan: Plan) -> str:
        """Unlink “Design” from “Build”."""
        return f"Unlink {_ends(plan, self.dependency, 'from')}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes the link out."""
        place = _place_of(plan, self.dependency)
        return plan.with_dependencies(plan.dependencies[:place] + plan.dependencies[place + 1 :])


@dataclass(frozen=True, slots=True)
class ChangeLink:
    """A link has other ends, another kind or another lag; the one it was is known by its ends and its kind."""

    before: Dependency
    after: Dependency

    def label(self, plan: Plan) -> str:
        """Change the link of “Design” to “Build”."""
        return f"Change the link of {_ends(plan, self.before, 'to')}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Puts the new link in the place of the old one."""
        place, links = _place_of(plan, self.before), plan.dependencies
        if links[place] == self.after:
            return plan
        return linked(plan, (*links[:place], self.after, *links[place + 1 :]), self.after, schedule)


@dataclass(frozen=True, slots=True)
class SetName:
    """The plan has another name."""

    name: str

    def label(self, plan: Plan) -> str:
        """Rename the plan."""
        return "Rename the plan"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the name, without the space around it."""
        if not self.name.strip():
            raise PlanError("A plan needs a name.")
        return plan if self.name.strip() == plan.name else replace(plan, name=self.name.strip())


def with_tasks(plan: Plan, tasks: Iterable[Task]) -> Plan:
    """The plan with these tasks in their rows; the same plan when all are there already."""
    changed = [task for task in tasks if task != plan.task(task.id)]
    for task in changed:
        task.check()
    return plan.with_tasks(changed) if changed else plan


def pinned(task: Task, start: Ticks) -> Task:
    """The task, starting no earlier than an instant, and without a leveling delay, which would be added to that."""
    return replace(task, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=int(start), delay=0)


def _moved(plan: Plan, task: Task, start: Ticks) -> Task:
    if not task.is_manual or task.manual_start is None:
        return pinned(task, start)
    if task.manual_finish is None:
        return replace(task, manual_start=start)
    time = working_time(plan)
    finish = time.add(start, time.between(task.manual_start, task.manual_finish))
    return replace(task, manual_start=start, manual_finish=finish)


def row_below(plan: Plan, task_id: TaskId) -> int:
    """The row under a task and all it holds."""
    held = {task_id}
    row = plan.rows[plan.task(task_id).id] + 1
    while row < len(plan.tasks) and plan.tasks[row].parent in held:
        held.add(plan.tasks[row].id)
        row += 1
    return row


def _place_of(plan: Plan, link: Dependency) -> int:
    """Where a link stands among the plan's; a PlanError when it does not."""
    place = next((place for place, known in enumerate(plan.dependencies) if known.is_same_link(link)), None)
    if place is None:
        ends = (link.predecessor, link.successor)
        raise PlanError(f"There is no {link.kind.value} link of {_ends(plan, link, 'to')}.", ids=ends)
    return place


def _ends(plan: Plan, link: Dependency, word: str) -> str:
    return f"{quoted(plan, link.predecessor)} {word} {quoted(plan, link.successor)}"


def quoted(plan: Plan, task_id: TaskId) -> str:
    """A task's name in quotes."""
    return f"“{plan.task(task_id).name}”"
