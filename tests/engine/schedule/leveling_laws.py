"""What holds of every plan that was leveled. The tests try it on few plans, the stress on many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.model import ConstraintKind, Plan, Task
from engine.schedule import cpm
from engine.schedule.leveling import LevelOptions, LevelResult, level, loads, with_delays
from engine.schedule.leveling_options import Rule, Scheme
from engine.schedule.leveling_reasons import Stay
from tests.engine.schedule.leveled_plans import START, is_worked, overloaded_hours, used_by_hour
from tests.engine.schedule.plans import HOUR, said


def check_load(plan: Plan) -> None:
    """The load is that of the account, hour by hour, and so are the overloads."""
    schedule = cpm.schedule(plan)
    found = loads(plan, schedule)
    used = used_by_hour(plan, schedule)
    for (resource, hour), units in used.items():
        assert abs(found[resource].used_at(hour) - units) < 1e-5, (resource, said(hour))
    for number, load in found.items():
        total = sum(units for (resource, _), units in used.items() if resource == number) * HOUR
        assert abs(load.work - total) <= 1e-5 * total
    over = overloaded_hours(plan, schedule)
    covered = {
        (overload.resource, hour)
        for load in found.values()
        for overload in load.overloads
        for hour in range(overload.first, overload.last, HOUR)
    }
    assert over <= covered
    assert {hour for hour in covered if hour in used and hour not in over} == set()


def check_leveled(plan: Plan, options: LevelOptions) -> None:
    """All that is promised of a leveled plan."""
    result = level(plan, options)
    check_overloads(result)
    check_dates(plan, options, result)
    assert all(delay >= 0 for delay in result.delays.values())
    assert with_delays(plan, result.delays, result.splits) == result.plan
    assert level(plan, options).plan == result.plan


def check_leveled_back(plan: Plan, options: LevelOptions) -> None:
    """What is promised of a plan that is scheduled from its finish: what moves moves toward its start.

    Of one without dates set by hand: what waits for those has late dates that are not theirs.
    """
    plan = plan.with_tasks(replace(task, is_manual=False, manual_start=None) for task in plan.tasks if task.is_manual)
    finish = cpm.schedule(with_delays(plan, dict.fromkeys(plan.rows, 0))).project_finish
    plan = replace(plan, settings=replace(plan.settings, is_from_finish=True, finish=finish))
    before, result = cpm.schedule(plan), level(plan, options)
    cleared, after = cpm.schedule(with_delays(plan, dict.fromkeys(plan.rows, 0))), result.schedule
    if not (after.start % HOUR).any() and not (after.finish % HOUR).any():
        check_overloads(result, is_each_held=False)
    assert all(delay <= 0 for delay in result.delays.values())
    for task in plan.tasks:
        if task.id not in plan.children:
            assert after.start_of(task.id) <= cleared.start_of(task.id)
        if is_fixed(plan, task, options):
            assert after.start_of(task.id) == before.start_of(task.id), task
    known = {(conflict.task, conflict.kind) for schedule in (before, cleared) for conflict in schedule.conflicts}
    assert {(c.task, c.kind) for c in after.conflicts if (c.task, c.kind) not in known} == set()
    assert level(plan, options).plan == result.plan


def check_overloads(result: LevelResult, *, is_each_held: bool = True) -> None:
    """No instant with more used than there is without a reason; and each names a task that is known to be held."""
    explained = {
        (reason.overload.resource, hour)
        for reason in result.reasons
        for hour in range(reason.overload.first, reason.overload.last, HOUR)
    }
    assert overloaded_hours(result.plan, result.schedule) <= explained
    for reason in result.reasons if is_each_held else ():
        assert any(task in result.stays for task in reason.overload.tasks), reason.sentence
        assert Stay.LINKS.value[0] not in reason.sentence


def check_dates(plan: Plan, options: LevelOptions, result: LevelResult) -> None:
    """Nothing starts sooner than unleveled, what stays is where it was, and no link or constraint is newly broken."""
    before, after = cpm.schedule(plan), result.schedule
    cleared = cpm.schedule(with_delays(plan, dict.fromkeys(plan.rows, 0)))
    assert after.project_finish >= cleared.project_finish
    for task in plan.tasks:
        if task.constraint is not ConstraintKind.AS_LATE_AS_POSSIBLE and task.id not in plan.children:
            assert after.start_of(task.id) >= cleared.start_of(task.id)
        if is_fixed(plan, task, options):
            assert after.start_of(task.id) == before.start_of(task.id), task
            assert after.finish_of(task.id) == before.finish_of(task.id), task
    if options.is_within_slack:
        assert after.project_finish <= before.project_finish
    known = {(conflict.task, conflict.kind) for schedule in (before, cleared) for conflict in schedule.conflicts}
    assert {(c.task, c.kind) for c in after.conflicts if (c.task, c.kind) not in known} == set()


def is_fixed(plan: Plan, task: Task, options: LevelOptions) -> bool:
    """Whether leveling may not move a task."""
    if task.id in plan.children or not task.is_active or task.constraint is ConstraintKind.AS_LATE_AS_POSSIBLE:
        return False
    is_frozen = task.id in options.frozen or (task.parent is not None and task.parent in options.frozen)
    return is_frozen or task.priority == 1000 or task.is_manual or task.progress is not None


def check_simple(plan: Plan, scheme: Scheme, order: Sequence[int]) -> None:
    """Where every need can be met nothing is left, in any order of rows; and the dates are those of the account."""
    options = LevelOptions(scheme=scheme, rule=Rule.ID)
    result = level(plan, options)
    assert result.reasons == ()
    expected = step_through(plan, scheme)
    assert {task.id: said(result.schedule.start_of(task.id)) for task in plan.tasks if task.duration} == {
        task.id: said(expected[task.id]) for task in plan.tasks if task.duration
    }
    permuted = replace(plan, tasks=tuple(plan.tasks[row] for row in order if row < len(plan.tasks)))
    again = level(permuted, options)
    assert again.reasons == ()
    assert overloaded_hours(again.plan, again.schedule) == set()


def step_through(plan: Plan, scheme: Scheme) -> dict[int, int]:
    """Starts by list scheduling that tries hour after hour. FS links without lag, one calendar, rows decide."""
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    used: dict[tuple[int, int], float] = {}
    while len(starts) < len(plan.tasks):
        ready = [task for task in plan.tasks if task.id not in starts and _bound(plan, task, ends) is not None]
        fits = {task.id: _first_fit(plan, task, _bound(plan, task, ends) or START, used) for task in ready}
        task = ready[0]
        if scheme is Scheme.PARALLEL:
            # What needs nothing or takes no time waits for nobody.
            free = [each for each in ready if not each.duration or not _needs(plan, each)]
            task = free[0] if free else min(ready, key=lambda each: (fits[each.id][0], plan.rows[each.id]))
        hours = fits[task.id]
        starts[task.id], ends[task.id] = hours[0], hours[-1] + (HOUR if task.duration else 0)
        for resource, units in _needs(plan, task) if task.duration else ():
            for hour in hours:
                used[resource, hour] = used.get((resource, hour), 0) + units
    return starts


def _bound(plan: Plan, task: Task, ends: dict[int, int]) -> int | None:
    waits = [link.predecessor for link in plan.dependencies if link.successor == task.id]
    return max((ends[each] for each in waits), default=START) if all(each in ends for each in waits) else None


def _needs(plan: Plan, task: Task) -> list[tuple[int, float]]:
    return [(each.resource, each.units) for each in plan.assignments if each.task == task.id]


def _first_fit(plan: Plan, task: Task, bound: int, used: dict[tuple[int, int], float]) -> list[int]:
    """The first hours from the bound on in which a task can be done; for one of no duration, the bound."""
    if not task.duration:
        return [bound]
    capacity = {resource.id: resource.capacity for resource in plan.resources}
    start = bound
    while True:
        hours: list[int] = []
        hour = start
        while len(hours) < task.duration // HOUR:
            hours += [hour] if is_worked(plan, None, hour) else []
            hour += HOUR
        if all(used.get((r, h), 0) + units <= capacity[r] for r, units in _needs(plan, task) for h in hours):
            return hours
        start = hours[0] + HOUR
