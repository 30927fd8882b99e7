"""What an MSPDI file cannot hold of a plan, as sentences. It never decides what is written."""

from __future__ import annotations

from engine.formats.mspdi.custom import FOREIGN
from engine.formats.mspdi.kept import PREFIX
from engine.model import LagCalendar, Plan, PlanSettings, ProgressRule, ResourceKind, Task

_MOST_NAMES = 3
_TENTH = 6  # a tenth of a minute in seconds


class Losses:
    """Collects sentences, one a kind of loss, each naming the first few things it concerns."""

    def __init__(self) -> None:
        self._names: dict[str, list[str]] = {}

    def say(self, what: str, name: str = "") -> None:
        """Add one loss; `what` is a sentence without its full stop, `name` what it concerns."""
        names = self._names.setdefault(what, [])
        if name:
            names.append(f"“{name}”")

    def sentences(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(f"{what}{_listed(names)}." for what, names in self._names.items())


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f": {shown}{f' and {more} more' if more > 0 else ''}" if names else ""


def say_of_plan(plan: Plan, losses: Losses) -> None:
    """What of a plan no element of MSPDI says; what is said otherwise is up to the writers."""
    _say_of_settings(plan.settings, losses)
    for task in plan.tasks:
        _say_of_task(task, losses)
    for link in plan.dependencies:
        if link.lag.amount % _TENTH and link.lag.kind.value != "percent":
            losses.say("Lags are rounded to a tenth of a minute", plan.task(link.successor).name)
    for resource in plan.resources:
        if resource.kind in (ResourceKind.MACHINE, ResourceKind.STREAM):
            losses.say("Machines and streams become resources that work", resource.name)
    for baseline in plan.baselines:
        if baseline.name != baseline_name(baseline.number):
            losses.say("Baselines lose their names", baseline.name)
    others = [*plan.fields, *(pair for each in plan.assignments for pair in each.fields)]
    named = [pair for task in plan.tasks for pair in task.fields] + [pair for r in plan.resources for pair in r.fields]
    if any(FOREIGN.match(name) and not name.startswith(PREFIX) for name, _ in (*others, *named)):
        losses.say("What only another kind of file can hold is left out")
    if any(not FOREIGN.match(name) for name, _ in others if name != "note"):
        losses.say("Custom fields of assignments and of the plan are left out")


def baseline_name(number: int) -> str:
    """What Microsoft Project calls a baseline."""
    return f"Baseline {number}" if number else "Baseline"


def _say_of_task(task: Task, losses: Losses) -> None:
    if task.operation is not None:
        losses.say("Operations of a device are left out", task.name)
    if task.progress and task.progress.percent != round(task.progress.percent):
        losses.say("Progress is rounded to whole percent", task.name)
    if task.delay % _TENTH:
        losses.say("Delays from leveling are rounded to a tenth of a minute", task.name)
    if not task.is_manual and (task.manual_start is not None or task.manual_finish is not None):
        losses.say("Manual dates of tasks that are not manual are left out", task.name)


def _say_of_settings(settings: PlanSettings, losses: Losses) -> None:
    usual = PlanSettings()
    if settings.lag_calendar is not LagCalendar.SUCCESSOR:
        losses.say("Microsoft Project counts lags in the successor's calendar, this plan does not")
    if settings.progress_rule is not ProgressRule.RETAINED_LOGIC or settings.moves_remaining_to_status:
        losses.say("How remaining work is moved is left out")
    if settings.is_longest_path or settings.near_critical_float != usual.near_critical_float:
        losses.say("Critical by the longest path, and near critical, are left out")
    if settings.critical_float % max(1, round(settings.hours_per_day * 3600)):
        losses.say("The float of a critical task is rounded to whole days")
    minutes = (settings.hours_per_day * 60, settings.hours_per_week * 60, settings.days_per_month)
    if any(number != round(number) for number in minutes):
        losses.say("Hours a day and a week are rounded to whole minutes, days a month to whole days")
