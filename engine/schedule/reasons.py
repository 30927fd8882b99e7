"""Why a task is dated as it is, in sentences for a person. It never changes a date."""

from __future__ import annotations

from collections.abc import Iterator

from engine.model import Clock, ConstraintKind, Plan, Task, TaskId, Ticks
from engine.schedule import tracing, tracing_back, words
from engine.schedule.columns import FINISHED, INACTIVE, LATE, MANUAL, NONE, STARTED
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime

_STARTS = {
    ConstraintKind.START_NO_EARLIER_THAN: "it must not start before",
    ConstraintKind.START_NO_LATER_THAN: "it must not start after",
    ConstraintKind.MUST_START_ON: "it must start on",
}
_FINISHES = {
    ConstraintKind.FINISH_NO_EARLIER_THAN: "it must not finish before",
    ConstraintKind.FINISH_NO_LATER_THAN: "it must not finish after",
    ConstraintKind.MUST_FINISH_ON: "it must finish on",
}


def reason(plan: Plan, schedule: Schedule, task_id: TaskId) -> tuple[str, ...]:
    """What decides the dates of a task, one sentence a cause; then by how much it misses its deadline, if it does.

    Such as: starts Mon 08:00 because B finishes Fri 17:00, FS + 0. An instant within six days of the start is said by
    its weekday.
    """
    reasons = _Reasons(plan, schedule, plan.task(task_id))
    causes = reasons.of_summary() if task_id in plan.children else reasons.of_leaf()
    return (*causes, *reasons.of_deadline())


def drivers(schedule: Schedule, task_id: TaskId) -> frozenset[TaskId]:
    """The tasks whose dates decide those of a task. Looks at its own links alone."""
    network = schedule.basis.network
    found = tracing.causes(network, schedule.basis.dates, schedule.rows[task_id])
    return frozenset(network.plan.tasks[cause.before].id for cause in found)


class _Reasons:
    """Finds the causes of one task's dates."""

    def __init__(self, plan: Plan, schedule: Schedule, task: Task) -> None:
        self._plan, self._schedule, self._task = plan, schedule, task
        self._row = schedule.rows[task.id]
        self._network, self._dates = schedule.basis.network, schedule.basis.dates
        self._start, self._finish = schedule.start_of(task.id), schedule.finish_of(task.id)

    def of_deadline(self) -> Iterator[str]:
        """A deadline holds no date; that it is missed is to be seen all the same."""
        time = self._schedule.working_time_of(self._task.id)
        if missed := words.missed(self._plan, self._task, time, self._finish):
            yield missed

    def of_summary(self) -> Iterator[str]:
        """A summary lasts from its first leaf's start to its last one's finish."""
        leaves = self._plan.leaves(self._task.id)
        for verb, ours, of in (("starts", self._start, self._starts), ("finishes", self._finish, self._finishes)):
            leaf = next((leaf for leaf in leaves if of(leaf) == ours), leaves[0])
            yield f"{verb} {self._when(ours)} because {self._named(leaf)}, which it holds, does"

    def of_leaf(self) -> Iterator[str]:
        """What was done, what was typed, then links, constraints, and what is left: the project itself."""
        flags = int(self._network.nodes.flags[self._row])
        if flags & INACTIVE:
            yield "is inactive: it moves nothing"
        if flags & FINISHED:
            yield f"began {self._when(self._start)} and was finished {self._when(self._finish)}"
        elif flags & MANUAL:
            yield f"starts {self._when(self._start)} because its dates are set by hand"
        elif flags & STARTED:
            yield from self._in_progress()
        elif self._plan.settings.is_from_finish and self._plan.clock is Clock.CALENDAR:
            yield from self._from_finish()
        else:
            yield from self._planned(flags)

    def _from_finish(self) -> Iterator[str]:
        """A date that was asked and is kept to, or else what comes after: the next task, or the plan's finish."""
        starts = f"starts {self._when(self._start)} because"
        if found := list(self._constraints()):
            yield from (f"{starts} {text}" for text in found)
            return
        if self._task.delay < 0:
            yield f"{starts} leveling has it {words.elapsed(-self._task.delay)} earlier"
        path = tracing_back.path(self._network, self._dates, self._row)
        if path:
            name, verb = self._named(self._plan.tasks[path[0].node].id), "start" if path[0].is_start else "finish"
            yield f"{starts} {name}, which waits for it, is to {verb} {self._when(path[0].date)}"
        else:
            last = self._when(tracing_back.last(self._network, self._dates))
            yield f"{starts} the plan is scheduled from its finish, {last}"

    def _in_progress(self) -> Iterator[str]:
        yield f"began {self._when(self._start)}"
        for cause in tracing.causes(self._network, self._dates, self._row):
            yield f"finishes {self._when(self._finish)} because {self._said(cause)}"

    def _planned(self, flags: int) -> Iterator[str]:
        starts = f"starts {self._when(self._start)}"
        if flags & LATE and self._start > int(self._dates.logic_start[self._row]):
            yield f"{starts} because it is to be as late as possible"
            return
        found = [self._because(cause) for cause in tracing.causes(self._network, self._dates, self._row)]
        found += [starts + " because " + text for text in self._constraints()]
        if self._task.delay:
            found.append(f"{starts} because leveling delays it by {words.elapsed(self._task.delay)}")
        yield from found or [f"{starts} because {self._origin()}"]

    def _because(self, cause: tracing.Cause) -> str:
        if cause.is_of_stream:
            name = self._named(self._plan.tasks[cause.before].id)
            return f"starts {self._when(self._start)} because {name}, before it on its stream, finishes then"
        is_start = words.bounds_start(cause.link)
        ours = f"starts {self._when(self._start)}" if is_start else f"finishes {self._when(self._finish)}"
        return f"{ours} because {self._said(cause)}"

    def _said(self, cause: tracing.Cause) -> str:
        name = self._named(self._plan.tasks[cause.before].id)
        is_finish = words.from_finish(cause.link)
        date = (self._dates.finish if is_finish else self._dates.start)[cause.before]
        verb = "finishes" if is_finish else "starts"
        return f"{name} {verb} {self._when(int(date))}, {words.link(self._plan, cause.link)}"

    def _constraints(self) -> Iterator[str]:
        """The constraints of the task and of the summaries it lies in that its dates keep to."""
        task: Task | None = self._task
        while task is not None:
            at = task.constraint_at
            if task.constraint in _STARTS and self._is_at(at, self._start):
                yield f"{self._whose(task)}{_STARTS[task.constraint]} {self._when(at)}"
            elif task.constraint in _FINISHES and self._is_at(at, self._finish):
                yield f"{self._whose(task)}{_FINISHES[task.constraint]} {self._when(at)}"
            task = None if task.parent is None else self._plan.task(task.parent)

    def _named(self, task_id: TaskId) -> str:
        """A name as it is; in quotes with its summary where several tasks have it."""
        name, title = self._plan.task(task_id).name, self._plan.title_of(task_id)
        return name if title == name else f"“{title}”"

    def _whose(self, task: Task) -> str:
        return "" if task is self._task else f"of {task.name}, which holds it: "

    def _is_at(self, at: Ticks, date: Ticks) -> bool:
        time: WorkingTime = self._network.times[int(self._network.nodes.calendar[self._row])]
        return time.between(at, date) == 0

    def _origin(self) -> str:
        status = self._network.rules.status
        if status != NONE and self._is_at(status, self._start):
            return "nothing that is left to do starts before the status date"
        return "the project does"

    def _starts(self, leaf: TaskId) -> Ticks:
        return self._schedule.start_of(leaf)

    def _finishes(self, leaf: TaskId) -> Ticks:
        return self._schedule.finish_of(leaf)

    def _when(self, instant: Ticks) -> str:
        return words.instant(self._plan, instant, self._start)
