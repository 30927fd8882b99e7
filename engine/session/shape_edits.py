"""Edits of how a task lies in time: where its start is drawn to, and the pauses in it. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Clock, Plan, Split, Task, TaskId, Ticks
from engine.schedule.cpm import schedule as compute_dates
from engine.schedule.schedule import Schedule
from engine.session.edits import pinned, quoted, with_tasks
from engine.session.effort import resized
from engine.session.giving_way import in_brackets, lost_delays


@dataclass(frozen=True, slots=True)
class ResizeStart:
    """A task starts no earlier than `start`, in ticks, and lasts from there to where it finishes now."""

    task: TaskId
    start: Ticks

    def label(self, plan: Plan) -> str:
        """Resize “Design” from its start; or: Resize “Design” from its start (without its leveling delay)."""
        return f"Resize {quoted(plan, self.task)} from its start{in_brackets((lost_delays(plan, (self.task,)),))}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the pin and the duration at once; a task with dates set by hand has its start set.

        Of one that pauses the first piece becomes longer or shorter.
        """
        return resized(plan, self.task_after(plan, schedule))

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task that starts then."""
        task = _leaf(plan, self.task, "it lasts as long as the tasks in it")
        dates = schedule or compute_dates(plan)
        time, finish = dates.working_time_of(task.id), dates.finish_of(task.id)
        grown = time.between(self.start, dates.start_of(task.id))
        duration = time.between(self.start, finish) - sum(split.gap for split in task.splits)
        if duration <= 0 or (task.splits and task.splits[0].work + grown <= 0):
            where = "after its first pause has begun" if task.splits else "after it has finished"
            raise PlanError(f"“{task.name}” cannot start {where}.", ids=(task.id,))
        if task.progress is not None and task.progress.actual_start is not None:
            raise PlanError(f"“{task.name}” has begun: its start is what it was.", ids=(task.id,))
        if task.is_manual and task.manual_start is not None:
            return replace(task, manual_start=int(self.start), duration=duration)
        splits = tuple(
            Split(split.work + (0 if place else grown), split.gap) for place, split in enumerate(task.splits)
        )
        changed = replace(task, duration=duration, is_duration_typed=True, is_milestone=False, splits=splits)
        return pinned(changed, self.start)


@dataclass(frozen=True, slots=True)
class SplitTask:
    """A task pauses at the instant `at`, for `gap` working ticks of its calendar."""

    task: TaskId
    at: Ticks
    gap: Ticks

    def label(self, plan: Plan) -> str:
        """Split “Design”."""
        return f"Split {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Adds the pause; refused where the task is not being worked at that instant."""
        task = _leaf(plan, self.task, "split the tasks in it")
        if plan.clock is Clock.DEVICE:
            raise PlanError(f"“{task.name}” runs on a device, which does not pause it.", ids=(task.id,))
        if task.is_manual or task.is_elapsed:
            what = "has its dates set by hand" if task.is_manual else "goes on through all hours"
            raise PlanError(f"“{task.name}” {what}: it cannot pause.", ids=(task.id,))
        if self.gap <= 0:
            raise PlanError(f"“{task.name}” cannot pause for no time.", ids=(task.id,))
        dates = schedule or compute_dates(plan)
        done = dates.working_time_of(task.id).between(dates.start_of(task.id), self.at)
        return with_tasks(plan, [replace(task, splits=_with_pause(task, done, int(self.gap)))])


@dataclass(frozen=True, slots=True)
class JoinTask:
    """A task pauses no more."""

    task: TaskId

    def label(self, plan: Plan) -> str:
        """Join “Design”."""
        return f"Join {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes every pause away."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task without them."""
        return replace(plan.task(self.task), splits=())


def _leaf(plan: Plan, task_id: TaskId, why: str) -> Task:
    task = plan.task(task_id)
    if plan.is_summary(task_id):
        raise PlanError(f"“{task.name}” is a summary: {why}.", ids=(task.id,))
    return task


def _with_pause(task: Task, after: Ticks, gap: Ticks) -> tuple[Split, ...]:
    """The pauses with one more, `after` so many working ticks from the start, earlier pauses among them.

    PlanError where that lies in a pause, or not within the task.
    """
    place, worked, found = 0, 0, list(task.splits)
    for split in task.splits:
        if after < split.work:
            break
        after -= split.work + split.gap
        worked += split.work
        place += 1
        if after < 0:
            raise PlanError(f"“{task.name}” pauses there already.", ids=(task.id,))
    if not 0 < after < task.duration - worked:
        raise PlanError(f"“{task.name}” is not at work there: it can only pause in its middle.", ids=(task.id,))
    if place < len(found):
        found[place] = Split(found[place].work - after, found[place].gap)
    return (*found[:place], Split(after, gap), *found[place:])
