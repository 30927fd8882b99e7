"""What holds of every schedule, whatever the plan. Each law takes a plan and fails where its schedule breaks it."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import replace

from engine.model import (
    ConstraintKind,
    Dependency,
    DependencyKind,
    LagCalendar,
    LagKind,
    Plan,
    Task,
    TaskId,
    in_outline_order,
)
from engine.schedule import cpm
from engine.schedule.network import leaf_links
from engine.schedule.reasons import reason
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import ALWAYS, WorkingTime
from tests.engine.schedule.plans import HOUR

FS, SS, FF, SF = DependencyKind.FS, DependencyKind.SS, DependencyKind.FF, DependencyKind.SF
ZONES = ("UTC", "Europe/Amsterdam", "America/Santiago", "Asia/Kathmandu", "Australia/Lord_Howe")
SAID = ("start", "finish", "late_start", "late_finish", "total_float", "free_float", "is_critical")


def repeated(plan: Plan) -> None:
    """Idempotent: computed once more, and with free tasks pinned where they start, all dates are the same."""
    one = cpm.schedule(plan)
    free = [task for task in plan.tasks if task.constraint is ConstraintKind.AS_SOON_AS_POSSIBLE and not task.delay]
    pinned = [
        replace(task, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=one.start_of(task.id))
        for task in free
        if not plan.is_summary(task.id)
    ]
    for other in (replace(plan, name="again"), plan.with_tasks(pinned)):
        two = cpm.schedule(other)
        for name in SAID:
            assert getattr(one, name).tolist() == getattr(two, name).tolist(), name


def in_any_order(plan: Plan) -> None:
    """The order of rows and of links changes no date."""
    seed = random.Random(len(plan.tasks))
    rows, links = list(plan.tasks), list(plan.dependencies)
    seed.shuffle(rows)
    seed.shuffle(links)
    other = replace(plan, tasks=in_outline_order(rows), dependencies=tuple(links)).check()
    one, two = cpm.schedule(plan), cpm.schedule(other)
    for task in plan.tasks:
        for name in SAID:
            assert getattr(one, name)[one.rows[task.id]] == getattr(two, name)[two.rows[task.id]], (task.id, name)


def every_link_holds_or_is_listed(plan: Plan) -> None:
    """A link's inequality holds by work on its successor's calendar, or a conflict names the successor."""
    schedule = cpm.schedule(plan)
    listed = {conflict.task for conflict in schedule.conflicts}
    kinds = [(conflict.task, conflict.kind) for conflict in schedule.conflicts]
    assert len(kinds) == len(set(kinds))
    for before, after, link in leaf_links(plan):
        active = is_active(plan, before) and is_active(plan, after)
        if not active or after in listed or is_earlier_leaf(plan, schedule, before, link):
            continue
        is_late = plan.task(before).constraint is ConstraintKind.AS_LATE_AS_POSSIBLE
        if is_late and link.lag.amount < 0 and not is_of_one_calendar(plan):
            continue  # a lead may end on either name of an instant, between which others work
        bound = allowed(plan, schedule, before, after, link)
        date = schedule.start_of(after) if link.kind in (FS, SS) else schedule.finish_of(after)
        assert working(plan, schedule, after).between(bound, date) >= 0, (before, after, link)


def is_earlier_leaf(plan: Plan, schedule: Schedule, before: TaskId, link: Dependency) -> bool:
    """From the start of a summary only its earliest leaf counts."""
    if link.kind in (FS, FF) or link.predecessor == before:
        return False
    leaves = [leaf for leaf in plan.leaves(link.predecessor) if is_active(plan, leaf)]
    return schedule.start_of(before) > min(schedule.start_of(leaf) for leaf in leaves)


def is_active(plan: Plan, task_id: TaskId) -> bool:
    task = plan.task(task_id)
    return task.is_active and (task.parent is None or is_active(plan, task.parent))


def working(plan: Plan, schedule: Schedule, task_id: TaskId) -> WorkingTime:
    network = schedule.basis.network
    return network.times[int(network.nodes.calendar[schedule.rows[task_id]])]


def allowed(plan: Plan, schedule: Schedule, before: TaskId, after: TaskId, link: Dependency) -> int:
    """The instant that a link allows its successor, by its own words."""
    anchor = schedule.finish_of(before) if link.kind in (FS, FF) else schedule.start_of(before)
    lag = link.lag
    task = plan.task(before if link.kind in (FS, FF) else link.predecessor)
    amount = task.duration * lag.amount // 100 if lag.kind.is_percent else lag.amount
    if not amount:
        return anchor
    if lag.kind.is_elapsed or (lag.kind is LagKind.PERCENT and task.is_elapsed):
        return anchor + amount
    calendars = {
        LagCalendar.PROJECT: WorkingTime.of(plan.calendar, plan.calendar_of),
        LagCalendar.ALWAYS: ALWAYS,
    }
    counted = task.id if lag.kind.is_percent else link.predecessor
    own = counted if plan.settings.lag_calendar is LagCalendar.PREDECESSOR else after
    time = calendars.get(plan.settings.lag_calendar, lag_time(plan, schedule, own))
    return time.add(anchor, amount)


def lag_time(plan: Plan, schedule: Schedule, task_id: TaskId) -> WorkingTime:
    network = schedule.basis.network
    return network.times[int(network.nodes.lag_calendar[schedule.rows[task_id]])]


def dates_are_worked(plan: Plan) -> None:
    """No start or finish outside working time but of elapsed, manual and started tasks, milestones and fixed dates."""
    schedule = cpm.schedule(plan)
    fixed = (ConstraintKind.MUST_START_ON, ConstraintKind.MUST_FINISH_ON)
    for task in plan.tasks:
        free = task.is_elapsed or task.is_manual or task.progress is not None or task.constraint in fixed
        if plan.is_summary(task.id) or free or not task.duration:
            continue
        if schedule.rows[task.id] in schedule.basis.network.shared:
            continue  # each of its people keeps their own hours
        time, start, finish = working(plan, schedule, task.id), schedule.start_of(task.id), schedule.finish_of(task.id)
        assert finish == time.previous_finish(finish), task.id
        if task.constraint is ConstraintKind.AS_LATE_AS_POSSIBLE and any(
            link.kind in (SS, SF) for link in plan.dependencies
        ):
            continue  # before hours in which nobody works a start has no last instant: their beginning stands for it
        assert start == time.next_start(start), task.id


def unconstrained_chain(plan: Plan) -> None:
    """Without constraints min total float is 0, and a driving chain without gaps leads from a start to the finish."""
    schedule = cpm.schedule(plan)
    assert schedule.total_float.min() == 0
    driven = schedule.driven_by
    leaves = [task.id for task in plan.tasks if not plan.is_summary(task.id)]
    at = next(leaf for leaf in leaves if schedule.finish_of(leaf) == schedule.project_finish)
    while at in driven:
        before = driven[at][0]
        links = [link for one, two, link in leaf_links(plan) if (one, two) == (before, at)]
        assert any(touches(plan, schedule, before, at, link) for link in links)
        at = before
    assert working(plan, schedule, at).between(plan.start, schedule.start_of(at)) == 0


def touches(plan: Plan, schedule: Schedule, before: TaskId, after: TaskId, link: Dependency) -> bool:
    bound = allowed(plan, schedule, before, after, link)
    date = schedule.start_of(after) if link.kind in (FS, SS) else schedule.finish_of(after)
    return working(plan, schedule, after).between(bound, date) == 0


def free_float_is_free(plan: Plan) -> None:
    """Delaying a task by its free float moves nothing else; by its total float it does not move the finish."""
    if any(link.kind in (SS, SF) or link.lag.amount < 0 for link in plan.dependencies) and not is_of_one_calendar(plan):
        return  # what were to come before hours in which nobody works has no last instant
    schedule = cpm.schedule(plan)
    for task in plan.tasks:
        row = schedule.rows[task.id]
        if plan.is_summary(task.id) or task.is_elapsed or not task.duration:
            continue
        for name in ("free_float", "total_float"):
            room = int(getattr(schedule, name)[row])
            if room <= 0:
                continue
            moved = _delayed(plan, schedule, task, room)
            assert moved.project_finish == schedule.project_finish, (task.id, name)
            if name == "free_float":
                assert _others(plan, moved, task) == _others(plan, schedule, task), task.id


def free_float_is_all_there_is(plan: Plan) -> None:
    """Delaying a task by a second more than its free float moves another task or the finish."""
    if any(link.kind in (SS, SF) and plan.is_summary(link.predecessor) for link in plan.dependencies):
        return  # of leaves that start together each holds what waits for their summary, though all would have to move
    schedule = cpm.schedule(plan)
    for task in plan.tasks:
        if plan.is_summary(task.id) or task.is_elapsed or not task.duration:
            continue
        moved = _delayed(plan, schedule, task, int(schedule.free_float[schedule.rows[task.id]]) + 1)
        assert (moved.project_finish, *_others(plan, moved, task)) != (
            schedule.project_finish,
            *_others(plan, schedule, task),
        ), task.id


def _delayed(plan: Plan, schedule: Schedule, task: Task, work: int) -> Schedule:
    """The schedule with a task that starts so much work of its own calendar later."""
    time = working(plan, schedule, task.id)
    at = time.next_start(time.add(time.next_start(schedule.start_of(task.id)), work))
    kind = ConstraintKind.START_NO_EARLIER_THAN
    return cpm.schedule(plan.with_task(replace(task, constraint=kind, constraint_at=at, delay=0)))


def _others(plan: Plan, schedule: Schedule, task: Task) -> list[int]:
    """Starts and finishes of all other leaves."""
    rows = [schedule.rows[each.id] for each in plan.tasks if each.id != task.id and not plan.is_summary(each.id)]
    return [*schedule.start[rows].tolist(), *schedule.finish[rows].tolist()]


def is_of_one_calendar(plan: Plan) -> bool:
    """Whether one calendar counts all there is to count."""
    is_counted = plan.settings.lag_calendar is not LagCalendar.ALWAYS
    is_counted &= all(link.lag.kind is LagKind.WORKING for link in plan.dependencies)
    return is_counted and all(task.calendar is None for task in plan.tasks)


def lengthening_never_shortens(plan: Plan) -> None:
    """A longer task never makes the project shorter."""
    if any(link.lag.kind.is_percent or link.kind in (FF, SF) for link in plan.dependencies):
        return  # a lead of so many percent grows with it; where its finish is bound, it starts earlier
    schedule = cpm.schedule(plan)
    for task in plan.tasks[:4]:
        longer = cpm.schedule(plan.with_task(replace(task, duration=task.duration + 5 * HOUR)))
        time = WorkingTime.of(plan.calendar)  # a milestone may bear the later name of an instant
        assert time.between(schedule.project_finish, longer.project_finish) >= 0


def everywhere(plan: Plan) -> None:
    """What the time zone of the machine is changes no date, and no word about one."""
    known = os.environ.get("TZ")
    found = []
    try:
        for zone in ZONES:
            os.environ["TZ"] = zone
            time.tzset()
            schedule = cpm.schedule(plan)
            dates = [getattr(schedule, name).tolist() for name in SAID]
            said = [reason(plan, schedule, task.id) for task in plan.tasks]
            found.append((dates, schedule.driving, schedule.conflicts, said))
    finally:
        if known is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = known
        time.tzset()
    assert all(each == found[0] for each in found)


LAWS: dict[Callable[[Plan], None], bool] = {  # and whether it is one of plans without constraints only
    repeated: False,
    in_any_order: False,
    every_link_holds_or_is_listed: False,
    dates_are_worked: False,
    unconstrained_chain: True,
    free_float_is_free: True,
    free_float_is_all_there_is: True,
    lengthening_never_shortens: True,
    everywhere: False,
}
