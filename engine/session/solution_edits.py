"""A plan taken from the optimizer: tasks on other machines and at other dates, as one step. It never searches.

As leveling does, dates are held by leveling delays, so that links, constraints and calendars keep their meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from engine.errors import PlanError
from engine.model import Plan, TaskId, Ticks, Way
from engine.optimize.from_plan import PlanProblem
from engine.optimize.to_plan import Decision
from engine.schedule.cpm import delayed, delays_to
from engine.schedule.cpm import schedule as compute_dates
from engine.schedule.leveling import with_delays
from engine.schedule.schedule import Schedule
from engine.session.choosing import chosen

_MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class ApplySolution:
    """Tasks are done in other ways, and delayed, in elapsed ticks, until the starts of a better plan."""

    ways: tuple[tuple[TaskId, Way], ...]
    delays: tuple[tuple[TaskId, Ticks], ...]
    moved: int

    def label(self, plan: Plan) -> str:
        """Take a better plan (3 tasks)."""
        return f"Take a better plan ({self.moved} {'task' if self.moved == 1 else 'tasks'})"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Assigns, sets durations and delays; tasks that are not named stay as they are."""
        known = {None, *(resource.id for resource in plan.resources)}
        for task, way in self.ways:
            if way.resource not in known:
                name = plan.title_of(task)
                sentence = (
                    f"“{name}” would be done by resource {way.resource}, which is not in the plan: optimize anew."
                )
                raise PlanError(sentence, ids=(task,))
        changed = chosen(plan, dict(self.ways)) if self.ways else plan
        delays = {task: delay for task, delay in self.delays if changed.task(task).delay != delay}
        if delays:
            changed = with_delays(changed, delays)
        return plan if changed is plan else changed.check()


@dataclass(frozen=True, eq=False, slots=True)
class Taking:
    """What taking a solution, or some of it, comes to: the edit, the plan after it, and what differs from it, said.

    `edit` is None where nothing would change. `misses` are tasks that the schedule starts at another instant.
    """

    edit: ApplySolution | None
    plan: Plan
    schedule: Schedule
    misses: tuple[TaskId, ...]
    sentence: str


def take(case: PlanProblem, decisions: Iterable[Decision], only: Collection[TaskId] | None = None) -> Taking:
    """What taking decisions comes to, of all tasks or of `only` some: the others stay where and when they are.

    May take a second on a large plan: asked in a worker. Raises PlanError as an edit does.
    """
    plan, before = case.plan, case.schedule
    targets, ways, taken = {}, [], set()
    for each in decisions:
        is_taken = each.is_moved and (only is None or each.task in only)
        taken |= {each.task} if is_taken else set()
        targets[each.task] = each.start if is_taken else before.start_of(each.task)
        if is_taken and each.way.resource is not None:
            ways.append((each.task, each.way))
    done_otherwise = dict(ways)
    moved = sum(start != before.start_of(task) or task in done_otherwise for task, start in targets.items())
    in_ways = chosen(plan, done_otherwise) if ways else plan
    base = before if in_ways is plan else compute_dates(in_ways)
    delays = delays_to(base, targets)
    changed = tuple((task, delay) for task, delay in delays.items() if delay != in_ways.task(task).delay)
    edit = ApplySolution(tuple(ways), changed, moved)
    after = edit.apply(plan, before)
    dates = before if after is plan else delayed(base, after)
    misses = tuple(task for task, start in targets.items() if dates.start_of(task) != start)
    return Taking(edit if after is not plan else None, after, dates, misses, _sentence(after, misses, taken))


def tasks_on(case: PlanProblem, decisions: Iterable[Decision], resources: Collection[int]) -> frozenset[TaskId]:
    """The tasks that a solution puts on some machines, or takes off them: to take it of those machines alone."""
    now = {each.task for each in case.plan.assignments if each.resource in resources}
    return frozenset(each.task for each in decisions if each.task in now or each.way.resource in resources)


def _sentence(plan: Plan, misses: tuple[TaskId, ...], taken: Collection[TaskId]) -> str:
    """What starts elsewhere than was proposed, and what was not taken but moves along."""
    elsewhere, along = ([task for task in misses if (task in taken) is was_taken] for was_taken in (True, False))
    said = []
    if elsewhere:
        verb = "starts at another instant" if len(elsewhere) == 1 else "start at other instants"
        said.append(
            f"{_named(plan, elsewhere)} {verb} than the optimizer proposed: links and constraints allow no other."
        )
    if along:
        verb = "moves" if len(along) == 1 else "move"
        said.append(f"{_named(plan, along)} {verb} along, as links and constraints ask.")
    return " ".join(said)


def _named(plan: Plan, tasks: Sequence[TaskId]) -> str:
    names = ", ".join(f"“{plan.title_of(task)}”" for task in tasks[:_MOST_NAMES])
    return f"{names} and {len(tasks) - _MOST_NAMES} more" if len(tasks) > _MOST_NAMES else names
