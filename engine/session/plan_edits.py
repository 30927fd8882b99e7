"""Edits of the plan as a whole: several at once, baselines, settings, and another plan in its place.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from engine.errors import PlanError
from engine.model import Baseline, BaselineTask, Clock, Dependency, Plan, PlanSettings, Task, TaskId, Ticks
from engine.schedule.cpm import schedule as compute_dates
from engine.schedule.schedule import Schedule
from engine.session.at_once import FEW, made_at_once, without_links
from engine.session.cell_edits import SetStaff, staffed
from engine.session.edits import AddLink, Edit, RemoveLink, quoted
from engine.session.linking import all_linked, linked

_MOST_BASELINES = 11


@dataclass(frozen=True, slots=True)
class Together:
    """Several edits as one step of the history: all of them, or none."""

    words: str
    edits: tuple[Edit, ...]

    def label(self, plan: Plan) -> str:
        """What was said of it."""
        return self.words

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """One after the other; each starts from the dates that those before it gave.

        Many in a row that are of one task each are made at once, each from the dates before all of them; so are links
        that are added or removed, and people that are assigned.
        """
        changed, place = plan, 0
        while place < len(self.edits):
            dates = schedule if changed is plan else None
            taken = _at_once(changed, self.edits, place, dates)
            if taken is None:
                taken = self.edits[place].apply(changed, dates), 1
            changed, place = taken[0], place + taken[1]
        return changed


def _at_once(plan: Plan, edits: Sequence[Edit], first: int, schedule: Schedule | None) -> tuple[Plan, int] | None:
    """The plan after the edits from a place on that can be made at once, and how many; None where they are few."""
    same = list(takewhile(lambda each: type(each) is type(edits[first]), islice(edits, first, None)))
    if len(same) >= FEW and isinstance(same[0], RemoveLink):
        without = without_links(plan, [each.dependency for each in same if isinstance(each, RemoveLink)])
        return None if without is None else (without, len(same))
    if len(same) >= FEW and isinstance(same[0], AddLink):
        return all_linked(plan, [each.dependency for each in same if isinstance(each, AddLink)]), len(same)
    if len(same) >= FEW and isinstance(same[0], SetStaff):
        staff = {each.task: each.staff for each in same if isinstance(each, SetStaff)}
        return (staffed(plan, staff), len(same)) if len(staff) == len(same) else None
    return made_at_once(plan, edits, first, schedule)


@dataclass(frozen=True, slots=True)
class SetPredecessors:
    """A task waits for what these links say, and for nothing else."""

    task: TaskId
    links: tuple[Dependency, ...]

    def label(self, plan: Plan) -> str:
        """Set the predecessors of “Design”."""
        return f"Set the predecessors of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces the links to it; one that stays keeps its place. Raises CycleError and PlanError as AddLink does."""
        if any(link.successor != plan.task(self.task).id for link in self.links):
            raise PlanError(f"A predecessor of {quoted(plan, self.task)} was given to another task.", ids=(self.task,))
        wanted = {link.key: link for link in self.links}
        if len(wanted) < len(self.links):
            raise plan.twice(next(link for link in self.links if wanted[link.key] is not link))
        kept = tuple(
            wanted.pop(link.key) if link.key in wanted else link
            for link in plan.dependencies
            if link.successor != self.task or link.key in wanted
        )
        if not wanted:
            return plan if kept == plan.dependencies else replace(plan, dependencies=kept)
        changed = replace(plan, dependencies=kept)
        for link in wanted.values():
            changed = linked(changed, (*changed.dependencies, link), link)
        return changed


@dataclass(frozen=True, slots=True)
class SetBaseline:
    """The present dates are kept as a promise, in place of those of the same number (0 to 10)."""

    number: int = 0
    name: str = ""

    def label(self, plan: Plan) -> str:
        """Set baseline 1."""
        return f"Set baseline {self.number}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Keeps start, finish and duration of every task."""
        if not 0 <= self.number < _MOST_BASELINES:
            raise PlanError(f"A baseline has a number from 0 to {_MOST_BASELINES - 1}, not {self.number}.")
        dates = schedule or compute_dates(plan)
        tasks = (
            BaselineTask(t.id, dates.start_of(t.id), dates.finish_of(t.id), _duration(plan, dates, t))
            for t in plan.tasks
        )
        new = Baseline(self.number, self.name.strip() or f"Baseline {self.number}", tuple(tasks))
        others = (baseline for baseline in plan.baselines if baseline.number != self.number)
        return replace(plan, baselines=_in_order((*others, new)))


@dataclass(frozen=True, slots=True)
class RemoveBaseline:
    """A promise is forgotten."""

    number: int

    def label(self, plan: Plan) -> str:
        """Remove baseline 1."""
        return f"Remove baseline {self.number}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes it out."""
        kept = tuple(baseline for baseline in plan.baselines if baseline.number != self.number)
        if len(kept) == len(plan.baselines):
            raise PlanError(f"There is no baseline {self.number}.")
        return replace(plan, baselines=kept)


@dataclass(frozen=True, slots=True)
class SetSettings:
    """The plan is scheduled by other choices."""

    settings: PlanSettings

    def label(self, plan: Plan) -> str:
        """Change the settings of the plan."""
        return "Change the settings of the plan"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets them."""
        return plan if self.settings == plan.settings else replace(plan, settings=self.settings).check()


@dataclass(frozen=True, slots=True)
class SetStart:
    """No task of the plan starts before an instant in ticks; dates that a person asked for stay."""

    start: Ticks

    def label(self, plan: Plan) -> str:
        """Set the start of the plan."""
        return "Set the start of the plan"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it. Raises PlanError for a device plan: a run begins when it begins."""
        if plan.clock is Clock.DEVICE:
            raise PlanError("A device plan starts when its run does.")
        return plan if self.start == plan.start else replace(plan, start=int(self.start)).check()


@dataclass(frozen=True, slots=True)
class TakePlan:
    """Another plan in the place of this one, such as a branch of it that proved better."""

    plan: Plan
    words: str

    def label(self, plan: Plan) -> str:
        """What was said of it."""
        return self.words

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """The other plan, which gives out no id that this one has given out."""
        if self.plan.clock is not plan.clock:
            raise PlanError(f"“{self.plan.name}” has another clock than “{plan.name}”: it cannot take its place.")
        number = max(plan.next_task_id, self.plan.next_task_id)
        taken = self.plan if number == self.plan.next_task_id else replace(self.plan, next_task_id=number)
        return plan if taken == plan else taken.check()


def _duration(plan: Plan, dates: Schedule, task: Task) -> Ticks:
    """What a person typed; else the working time from start to finish."""
    if task.is_duration_typed and not plan.is_summary(task.id):
        return task.duration
    time = dates.working_time_of(task.id)
    return time.between(dates.start_of(task.id), dates.finish_of(task.id))


def _in_order(baselines: Iterable[Baseline]) -> tuple[Baseline, ...]:
    return tuple(sorted(baselines, key=lambda baseline: baseline.number))
