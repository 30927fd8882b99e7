"""Edits of what a person asks of a task's dates, and tells of its progress. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Clock, ConstraintKind, Plan, Progress, Split, Task, TaskId, Ticks
from engine.schedule.cpm import schedule as compute_dates
from engine.schedule.schedule import Schedule
from engine.session.edits import pinned, quoted, with_tasks
from engine.session.giving_way import in_brackets, lost_delays

_ON_A_DEVICE = (ConstraintKind.AS_SOON_AS_POSSIBLE, ConstraintKind.START_NO_EARLIER_THAN)


@dataclass(frozen=True, slots=True)
class SetConstraint:
    """A task has a constraint; `at` is its instant in ticks, where the kind has one."""

    task: TaskId
    kind: ConstraintKind
    at: Ticks = 0

    def label(self, plan: Plan) -> str:
        """Constrain “Design”."""
        verb = "Free" if self.kind is ConstraintKind.AS_SOON_AS_POSSIBLE else "Constrain"
        return f"{verb} {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it in place of the one there is."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task with that constraint."""
        task = plan.task(self.task)
        if plan.clock is Clock.DEVICE and self.kind not in _ON_A_DEVICE:
            raise PlanError(
                f"“{task.name}” runs on a device: it can only start no earlier than an instant.", ids=(task.id,)
            )
        at = int(self.at) if self.kind.has_date else 0
        return replace(task, constraint=self.kind, constraint_at=at)


@dataclass(frozen=True, slots=True)
class SetDeadline:
    """A task is to be finished by an instant in ticks, or by none; that changes its float and no date."""

    task: TaskId
    at: Ticks | None

    def label(self, plan: Plan) -> str:
        """Set the deadline of “Design”."""
        return f"{'Remove' if self.at is None else 'Set'} the deadline of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the deadline."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task with that deadline."""
        at = None if self.at is None else int(self.at)
        return replace(plan.task(self.task), deadline=at)


@dataclass(frozen=True, slots=True)
class SetProgress:
    """A task is done to so many percent of its duration. `start` and `finish` are instants in ticks.

    One that has begun has an actual start, one that is done a finish: where none is given, and none was there before,
    they are those of the schedule. With 0 percent and no start nothing is known of it any more.
    """

    task: TaskId
    percent: float
    start: Ticks | None = None
    finish: Ticks | None = None

    def label(self, plan: Plan) -> str:
        """Set the progress of “Design” to 40 %."""
        return f"Set the progress of {quoted(plan, self.task)} to {self.percent:g} %"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the progress."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task that is so far."""
        task = plan.task(self.task)
        if plan.is_summary(task.id):
            raise PlanError(f"“{task.name}” is a summary: it is as far as the tasks in it.", ids=(task.id,))
        if not self.percent and self.start is None:
            return replace(task, progress=None)
        before = task.progress or Progress()
        start, finish = _known(self.start, before.actual_start), None
        if self.percent >= 100:
            finish = _known(self.finish, before.actual_finish)
        if start is None or (finish is None and self.percent >= 100):
            dates = schedule or compute_dates(plan)
            start = dates.start_of(task.id) if start is None else start
            finish = dates.finish_of(task.id) if finish is None and self.percent >= 100 else finish
        if finish is not None and finish < start:
            raise PlanError(f"“{task.name}” cannot have finished before it started.", ids=(task.id,))
        return replace(task, progress=Progress(float(self.percent), start, finish))


@dataclass(frozen=True, slots=True)
class SetCalendar:
    """A task, or each in a summary, is worked by the calendar with this id; None: by the plan's, or its resources'."""

    task: TaskId
    calendar: int | None

    def label(self, plan: Plan) -> str:
        """Set the calendar of “Design”."""
        return f"Set the calendar of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets the calendar."""
        leaves = map(plan.task, plan.leaves(self._checked(plan).id))
        return with_tasks(plan, [replace(leaf, calendar=self.calendar) for leaf in leaves])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task | None:
        """The task with that calendar; None for a summary, of which its leaves have it."""
        task = self._checked(plan)
        return None if plan.is_summary(task.id) else replace(task, calendar=self.calendar)

    def _checked(self, plan: Plan) -> Task:
        task = plan.task(self.task)
        if self.calendar is not None and self.calendar not in plan.calendar_of:
            sentence = f"“{task.name}” cannot use calendar {self.calendar}: it is not in the plan."
            raise PlanError(sentence, ids=(task.id,))
        return task


@dataclass(frozen=True, slots=True)
class PinRecorded:
    """Tasks start no earlier than the file they came from recorded; summaries stand for all that they hold.

    That holds a task that would start earlier; one that its links push later stays later. Another constraint of such a
    task gives way to that, and so does its leveling delay; the label says so. Those that are `by_hand` are set to both
    of their dates by hand: so a start or a finish is kept that no pin can keep, as on a day without work.
    """

    tasks: tuple[TaskId, ...]
    by_hand: tuple[TaskId, ...] = ()

    def label(self, plan: Plan) -> str:
        """Keep the recorded dates of 3 tasks; or: Keep the recorded dates of “Build” (in place of its constraint)."""
        named = (*self.tasks, *self.by_hand)
        lost, is_one = self.count_replaced(plan), len(named) == 1
        what = quoted(plan, named[0]) if is_one else f"{len(named)} tasks"
        constraints = "1 constraint" if lost == 1 else f"{lost} constraints"
        if is_one and not plan.is_summary(named[0]):
            constraints = "its constraint"
        leaves = [*(task.id for task in self._known(plan)), *self.by_hand]
        hand = "by hand" if len(self.by_hand) == len(named) else f"{len(self.by_hand)} by hand"
        said = (
            hand if self.by_hand else "",
            f"in place of {constraints}" if lost else "",
            lost_delays(plan, leaves),
        )
        return f"Keep the recorded dates of {what}{in_brackets(said)}"

    def count_replaced(self, plan: Plan) -> int:
        """How many tasks have a constraint that gives way, a pin at another date among them."""
        usual = ConstraintKind.AS_SOON_AS_POSSIBLE
        return sum(
            task.constraint is not usual and (task.recorded is None or task.pin != task.recorded.start)
            for task in self._known(plan)
        )

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Pins those that have a recorded start, or dates them by hand."""
        kept = [pinned(task, task.recorded.start) for task in self._known(plan) if task.recorded]
        dated = [
            replace(
                task,
                is_manual=True,
                manual_start=task.recorded.start,
                manual_finish=task.recorded.finish,
                delay=0,
            )
            for task in map(plan.task, self.by_hand)
            if task.recorded is not None
        ]
        return with_tasks(plan, [*kept, *dated])

    def _known(self, plan: Plan) -> list[Task]:
        leaves = dict.fromkeys(leaf for task in self.tasks for leaf in plan.leaves(plan.task(task).id))
        return [task for task in map(plan.task, leaves) if task.recorded is not None]


@dataclass(frozen=True, slots=True)
class ApplyDelays:
    """Tasks are delayed, or pause, as leveling found that they should: `delays` in elapsed ticks, none where 0."""

    delays: tuple[tuple[TaskId, Ticks], ...]
    splits: tuple[tuple[TaskId, tuple[Split, ...]], ...] = ()

    def label(self, plan: Plan) -> str:
        """Level resources (3 tasks)."""
        count = len({task for task, _ in (*self.delays, *self.splits)})
        return f"Level resources ({count} {'task' if count == 1 else 'tasks'})"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets delays and splits in place of those that there are; tasks that are not named keep theirs."""
        delays, splits = dict(self.delays), dict(self.splits)
        changed = [plan.task(task) for task in {**delays, **splits}]
        return with_tasks(
            plan,
            [
                replace(each, delay=delays.get(each.id, each.delay), splits=splits.get(each.id, each.splits))
                for each in changed
            ],
        )


@dataclass(frozen=True, slots=True)
class ClearDelays:
    """Tasks lose the delays that leveling gave them, summaries with all that they hold. Pauses stay."""

    tasks: tuple[TaskId, ...]

    def label(self, plan: Plan) -> str:
        """Remove the leveling delays of 3 tasks."""
        count = len(self._delayed(plan))
        return f"Remove the leveling {'delay of 1 task' if count == 1 else f'delays of {count} tasks'}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Removes the delays there are."""
        return with_tasks(plan, [replace(task, delay=0) for task in self._delayed(plan)])

    def _delayed(self, plan: Plan) -> list[Task]:
        leaves = dict.fromkeys(leaf for task in self.tasks for leaf in plan.leaves(plan.task(task).id))
        return [task for task in map(plan.task, leaves) if task.delay]


def _known(given: Ticks | None, before: Ticks | None) -> Ticks | None:
    found = before if given is None else given
    return None if found is None else int(found)
