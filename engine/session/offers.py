"""Offers: what a search found as a person weighs it: which tasks would move, by how much, and what that comes to.

They never search and never change the plan: what is taken of an offer is an edit.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from engine.model import Plan, TaskId, Ticks
from engine.optimize.from_plan import PlanProblem
from engine.optimize.problem import NEVER, Evaluation
from engine.optimize.to_plan import Decision, decisions_of
from engine.schedule.cpm import working_time
from engine.schedule.leveling import loads
from engine.schedule.schedule import Schedule
from engine.session.solution_edits import Taking, take, tasks_on
from engine.session.state import State


@dataclass(frozen=True, slots=True)
class Figures:
    """What a plan comes to: its finish, by how many working ticks its tasks miss their dates in all, how many do, how
    often a resource has more to do than it can, the ticks of all set-ups, and in cents what all that is done costs.
    """

    finish: Ticks
    lateness: Ticks
    late: int
    overloads: int
    setups: Ticks = 0
    cents: int = 0


@dataclass(frozen=True, slots=True)
class Shift:
    """A task that would start at another instant, or be done by others: all who do it, who could be another at first.

    `by` is the working time between the two starts, below zero where it starts earlier.
    """

    task: TaskId
    before: Ticks
    after: Ticks
    by: Ticks
    done_by: tuple[int, ...]
    done_then: tuple[int, ...]

    @property
    def resources(self) -> tuple[int, ...]:
        """Who would do it, or does where nobody would."""
        return self.done_then or self.done_by


@dataclass(frozen=True, eq=False)
class Offer:
    """A better plan of a state: what taking all of it comes to, and what the plan comes to before and after."""

    state: State
    case: PlanProblem
    decisions: tuple[Decision, ...]
    taking: Taking
    shifts: tuple[Shift, ...]
    before: Figures
    after: Figures

    @cached_property
    def offered(self) -> State:
        """The state that taking all of it would lead to."""
        return replace(self.state, plan=self.taking.plan, schedule=self.taking.schedule)

    def of(self, tasks: Collection[TaskId]) -> Taking:
        """What taking it of these tasks alone comes to. May take a second: asked in a worker."""
        return take(self.case, self.decisions, tasks)

    def on(self, resource: int) -> frozenset[TaskId]:
        """The tasks that it puts on a resource, or takes off it."""
        moved = {shift.task for shift in self.shifts}
        return tasks_on(self.case, self.decisions, (resource,)) & moved


def make_offer(state: State, case: PlanProblem, found: Evaluation, known: Offer | None = None) -> Offer | None:
    """What a search found as an offer, None where nothing would move. May take a second: asked in a worker.

    `known` is one of the same search, if any: what the plan comes to before is taken of it.
    """
    decisions = decisions_of(case, found)
    taking = take(case, decisions)
    if taking.edit is None:
        return None
    same = known if known is not None and known.state is state else None
    modes = case.problem.current_mode.tolist()
    before = _figures_of(case, state.plan, state.schedule, modes) if same is None else same.before
    for at, each in enumerate(decisions):
        modes[at] = found.solution.mode[at] if each.is_moved else modes[at]
    after = _figures_of(case, taking.plan, taking.schedule, modes)
    return Offer(state, case, decisions, taking, _shifts(state, decisions, taking), before, after)


def _figures_of(case: PlanProblem, plan: Plan, dates: Schedule, modes: list[int]) -> Figures:
    """What a plan with the tasks of a case comes to, each done in one of the case's modes."""
    missed = []
    for task, due in zip(case.tasks, case.problem.due.tolist(), strict=False):
        if due < NEVER and dates.finish_of(task) > due:
            missed.append(dates.working_time_of(task).between(due, dates.finish_of(task)))
    overloads = sum(len(load.overloads) for load in loads(plan, dates).values())
    setups = sum(each.ticks for each in dates.setups.values())
    cents = int(case.problem.mode_cost[modes].sum())
    return Figures(dates.project_finish, sum(missed), len(missed), overloads, setups, cents)


def _shifts(state: State, decisions: tuple[Decision, ...], taking: Taking) -> tuple[Shift, ...]:
    plan, now, then = state.plan, state.schedule, taking.schedule
    ways = dict(taking.edit.ways) if taking.edit is not None else {}
    doing, time, found = _doing(plan), working_time(plan), []
    for each in decisions:
        before, after = now.start_of(each.task), then.start_of(each.task)
        if before == after and each.task not in ways:
            continue
        own = doing.get(each.task, ())
        other = own
        if each.task in ways and (new := ways[each.task].resource) is not None:
            replaced = plan.ways.replaced(plan.task(each.task))
            old = None if replaced is None else replaced.resource
            own, rest = _first(own, old), tuple(use for use in own if use not in (old, new))
            other = (new, *rest)
        found.append(Shift(each.task, before, after, time.between(before, after), own, other))
    return tuple(found)


def _doing(plan: Plan) -> dict[TaskId, tuple[int, ...]]:
    """Who does each task."""
    found: dict[TaskId, tuple[int, ...]] = {}
    for use in plan.assignments:
        found[use.task] = (*found.get(use.task, ()), use.resource)
    return found


def _first(resources: tuple[int, ...], first: int | None) -> tuple[int, ...]:
    return tuple(sorted(resources, key=lambda each: each != first))
