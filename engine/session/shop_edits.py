"""Edits of a shop floor: alternatives, skills, families, changeovers, transport, the fence. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
The longest lag of a link is changed with the link (ChangeLink).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Alternative, Changeover, Clock, Plan, Resource, Task, TaskId, Ticks, Transport
from engine.schedule.schedule import Schedule
from engine.session.edits import quoted, with_tasks


@dataclass(frozen=True, slots=True)
class SetAlternatives:
    """A task may be done on these resources in the place of the one it is assigned to, and on no others."""

    task: TaskId
    alternatives: tuple[Alternative, ...]

    def label(self, plan: Plan) -> str:
        """Set the alternatives of “Weld”."""
        return f"Set the alternatives of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces those of the task, in the order that they are given in."""
        return with_alternatives(plan, {self.task: self.alternatives})


@dataclass(frozen=True, slots=True)
class SetSkill:
    """Whoever has a skill may do a task; empty: only the one it is assigned to, and its alternatives."""

    task: TaskId
    skill: str

    def label(self, plan: Plan) -> str:
        """Set the skill of “Weld”."""
        return f"Set the skill of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it, without the space around it."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task that asks for it."""
        return replace(_leaf(plan, self.task), skill=self.skill.strip())


@dataclass(frozen=True, slots=True)
class SetFamily:
    """A task, or each in a summary, is of a family: a machine is set up between tasks of two of them."""

    task: TaskId
    family: str

    def label(self, plan: Plan) -> str:
        """Set the family of “Paint red”."""
        return f"Set the family of {quoted(plan, self.task)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it, without the space around it."""
        leaves = map(plan.task, plan.leaves(plan.task(self.task).id))
        return with_tasks(plan, [replace(leaf, family=self.family.strip()) for leaf in leaves])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task | None:
        """The task of that family; None for a summary, of which its leaves are."""
        return None if plan.is_summary(self.task) else replace(plan.task(self.task), family=self.family.strip())


@dataclass(frozen=True, slots=True)
class SetUnbreakable:
    """A task is to be done without a break within one working interval, or may be interrupted by one."""

    task: TaskId
    is_unbreakable: bool

    def label(self, plan: Plan) -> str:
        """Keep “Cast” in one piece."""
        verb = "Keep" if self.is_unbreakable else "No longer keep"
        return f"{verb} {quoted(plan, self.task)} in one piece"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it; dates stay until a better plan is taken."""
        return with_tasks(plan, [self.task_after(plan, schedule)])

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task:
        """The task as it is then."""
        return replace(_leaf(plan, self.task), is_unbreakable=self.is_unbreakable)


@dataclass(frozen=True, slots=True)
class ChangeMachine:
    """A resource has other skills, another cost an hour, changeover or set-up; None leaves it as it is.

    `changeover` is an id of the plan's changeovers, 0: none.
    """

    resource: int
    skills: tuple[str, ...] | None = None
    cost_per_hour: float | None = None
    changeover: int | None = None
    setup: str | None = None

    def label(self, plan: Plan) -> str:
        """Change Robot 2."""
        return f"Change {_resource(plan, self.resource).name}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets what is given."""
        before = _resource(plan, self.resource)
        skills = before.skills if self.skills is None else tuple(dict.fromkeys(map(str.strip, self.skills)))
        after = replace(
            before,
            skills=tuple(filter(None, skills)),
            cost_per_hour=before.cost_per_hour if self.cost_per_hour is None else float(self.cost_per_hour),
            changeover=before.changeover if self.changeover is None else self.changeover or None,
            setup=before.setup if self.setup is None else self.setup.strip(),
        )
        if after == before:
            return plan
        return replace(plan, resources=tuple(after if each is before else each for each in plan.resources)).check()


@dataclass(frozen=True, slots=True)
class PutChangeover:
    """The plan has a changeover, in the place of the one with the same id if there is one."""

    changeover: Changeover

    def label(self, plan: Plan) -> str:
        """Set the changeover “Paint”."""
        return f"Set the changeover “{self.changeover.name}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces or appends it."""
        if not self.changeover.name.strip():
            raise PlanError("A changeover needs a name.")
        kept = tuple(self.changeover if each.id == self.changeover.id else each for each in plan.changeovers)
        is_known = any(each.id == self.changeover.id for each in plan.changeovers)
        found = kept if is_known else (*kept, self.changeover)
        return plan if found == plan.changeovers else replace(plan, changeovers=found).check()


@dataclass(frozen=True, slots=True)
class RemoveChangeover:
    """A changeover goes; machines that used it need no set-up any more."""

    changeover: int

    def label(self, plan: Plan) -> str:
        """Remove the changeover “Paint”."""
        name = next((each.name for each in plan.changeovers if each.id == self.changeover), "")
        return f"Remove the changeover “{name}”"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes it out, and off the machines."""
        kept = tuple(each for each in plan.changeovers if each.id != self.changeover)
        if len(kept) == len(plan.changeovers):
            raise PlanError(f"There is no changeover {self.changeover} in the plan.")
        resources = (replace(r, changeover=None) if r.changeover == self.changeover else r for r in plan.resources)
        return replace(plan, changeovers=kept, resources=tuple(resources)).check()


@dataclass(frozen=True, slots=True)
class SetTransports:
    """These are the times of transport between machines; between others it takes none."""

    transports: tuple[Transport, ...]

    def label(self, plan: Plan) -> str:
        """Set the times of transport."""
        return "Set the times of transport"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Replaces all there are."""
        if self.transports == plan.transports:
            return plan
        return replace(plan, transports=self.transports).check()


@dataclass(frozen=True, slots=True)
class SetFence:
    """The optimizer moves nothing that starts before an instant in ticks; None: it may move all that has not begun."""

    until: Ticks | None

    def label(self, plan: Plan) -> str:
        """Freeze the near future."""
        return "Freeze nothing" if self.until is None else "Freeze the near future"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Sets it. Raises PlanError for a device plan, which is not optimized."""
        if plan.clock is Clock.DEVICE:
            raise PlanError("A device plan has no dates to freeze.")
        settings = replace(plan.settings, frozen_until=None if self.until is None else int(self.until))
        return plan if settings == plan.settings else replace(plan, settings=settings).check()


def with_alternatives(plan: Plan, wanted: Mapping[TaskId, tuple[Alternative, ...]]) -> Plan:
    """The plan in which each of these tasks has these alternatives; checked once for all."""
    for task, alternatives in wanted.items():
        _leaf(plan, task)
        if any(each.task != task for each in alternatives):
            raise PlanError(f"An alternative of {quoted(plan, task)} was given to another task.", ids=(task,))
    changed = {task: new for task, new in wanted.items() if plan.ways.named(task) != new}
    if not changed:
        return plan
    kept = (each for each in plan.alternatives if each.task not in changed)
    return replace(plan, alternatives=(*kept, *(each for new in changed.values() for each in new))).check()


def _leaf(plan: Plan, task_id: TaskId) -> Task:
    task = plan.task(task_id)
    if plan.is_summary(task_id):
        raise PlanError(f"“{task.name}” is a summary: say that of the tasks in it.", ids=(task.id,))
    return task


def _resource(plan: Plan, number: int) -> Resource:
    found = next((resource for resource in plan.resources if resource.id == number), None)
    if found is None:
        raise PlanError(f"There is no resource {number} in the plan.")
    return found
