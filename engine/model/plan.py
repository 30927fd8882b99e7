"""Plan: the whole of what is wanted, as one frozen value that checks its own rules. Never a date of its own making."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from itertools import chain
from operator import attrgetter

from engine.errors import CycleError, PlanError
from engine.model.baseline import Baseline, BaselineTask
from engine.model.calendar import Calendar, check_calendars
from engine.model.dependency import Dependency
from engine.model.kernel_spec import KernelSpec
from engine.model.operation_spec import Buffer
from engine.model.outline import stray
from engine.model.resource import Assignment, Resource, ResourceKind, check_assignments, check_resources
from engine.model.risk import PlanRisks, check_risks
from engine.model.shop import Alternative, Changeover, Transport, Ways, check_shop
from engine.model.task import Task
from engine.model.ticks import MOST_TICKS, TaskId, Ticks

_DEEPEST = 64
_MOST_PERCENT = 100_000
_LONGEST = 10_000  # hours of a week, or days of a month


class Clock(Enum):
    """CALENDAR: a tick is a second of naive local time. DEVICE: a tick is a nanosecond from the run's start."""

    CALENDAR = "calendar"
    DEVICE = "device"


class LagCalendar(Enum):
    """Whose calendar a working lag is counted in."""

    SUCCESSOR = "successor"
    PREDECESSOR = "predecessor"
    PROJECT = "project"
    ALWAYS = "24h"


class ProgressRule(Enum):
    """What remains of a task that began before its predecessor was done: waits for it, or goes on."""

    RETAINED_LOGIC = "retained"
    PROGRESS_OVERRIDE = "override"


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """Choices kept in the plan. `profile` names the device profile whose costs give a device plan its durations.

    `honors_dates`: a hard constraint's date wins over links ("dates win"); otherwise links win, and either way the
    breach is listed. A task is critical when its total float is at most `critical_float` ticks, or, with
    `is_longest_path`, when it lies on a chain of driving links to the last finish; `near_critical_float` is shown
    apart. `status` is the instant up to which progress is known. `is_from_finish`: scheduled back from `finish`.
    `frozen_until`: the optimizer moves nothing that starts before that instant.
    """

    profile: str = "cpu-default"
    hours_per_day: float = 8.0
    hours_per_week: float = 40.0
    days_per_month: float = 20.0
    lag_calendar: LagCalendar = LagCalendar.SUCCESSOR
    honors_dates: bool = True
    progress_rule: ProgressRule = ProgressRule.RETAINED_LOGIC
    moves_remaining_to_status: bool = False
    critical_float: Ticks = 0
    near_critical_float: Ticks = 0
    is_longest_path: bool = False
    status: Ticks | None = None
    is_from_finish: bool = False
    finish: Ticks | None = None
    default_start: int = 8 * 3600
    default_finish: int = 17 * 3600
    frozen_until: Ticks | None = None

    def check(self) -> None:
        """Raises a PlanError where a day, a week or a month cannot be so long."""
        if not 0 < self.hours_per_day <= 24:
            raise PlanError(f"A day of work cannot have {self.hours_per_day} hours.")
        if not all(0 <= length <= _LONGEST for length in (self.hours_per_week, self.days_per_month)):
            raise PlanError("A week of work or a month cannot be as long as the plan's settings say.")


@dataclass(frozen=True)
class Plan:
    """What is wanted. Tasks stand in row order (a summary, then all that lies in it); ids are never reused.

    `start` is the project's start in ticks: no task starts earlier. `calendar` is the project's; `calendars` are the
    others that tasks, resources and derived calendars name by id. `fields` are what a foreign file said of the plan.
    `kernels` are a person's own, of kits beside the plan.
    """

    name: str
    clock: Clock
    start: Ticks = 0
    tasks: tuple[Task, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    calendar: Calendar | None = None
    resources: tuple[Resource, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    buffers: tuple[Buffer, ...] = ()
    settings: PlanSettings = field(default_factory=PlanSettings)
    next_task_id: TaskId = 1
    calendars: tuple[Calendar, ...] = ()
    baselines: tuple[Baseline, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    kernels: tuple[KernelSpec, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    changeovers: tuple[Changeover, ...] = ()
    transports: tuple[Transport, ...] = ()
    risks: PlanRisks = field(default_factory=PlanRisks)

    @cached_property
    def calendar_of(self) -> dict[int, Calendar]:
        """Every calendar by its id, the plan's own among them."""
        own = (self.calendar,) if self.calendar else ()
        return {calendar.id: calendar for calendar in (*own, *self.calendars)}

    @cached_property
    def rows(self) -> dict[TaskId, int]:
        """Row of each task id."""
        return {task.id: row for row, task in enumerate(self.tasks)}

    @cached_property
    def _bearers(self) -> Counter[str]:
        """How many tasks have each name."""
        return Counter(map(attrgetter("name"), self.tasks))

    def title_of(self, task_id: TaskId) -> str:
        """The name of a task, with the summary it lies in where others have that name too: "mill, Order 1"."""
        task = self.task(task_id)
        if task.parent is None or self._bearers[task.name] < 2:
            return task.name
        return f"{task.name}, {self.task(task.parent).name}"

    @cached_property
    def children(self) -> dict[TaskId, tuple[TaskId, ...]]:
        """Children of each summary, in row order."""
        found: dict[TaskId, list[TaskId]] = {}
        for task in self.tasks:
            if task.parent is not None:
                found.setdefault(task.parent, []).append(task.id)
        return {parent: tuple(below) for parent, below in found.items()}

    @cached_property
    def streams(self) -> tuple[Resource, ...]:
        """The resources that are streams, in their order."""
        return tuple(r for r in self.resources if r.kind is ResourceKind.STREAM)

    @cached_property
    def stream_of(self) -> dict[TaskId, int]:
        """Resource id of the stream of each task that has one."""
        streams = {stream.id for stream in self.streams}
        return {a.task: a.resource for a in self.assignments if a.resource in streams}

    @cached_property
    def first_resource(self) -> dict[TaskId, int]:
        """The place among the resources of the first who is assigned to each task that somebody does."""
        places = {resource.id: place for place, resource in enumerate(self.resources)}
        return {a.task: places[a.resource] for a in reversed(self.assignments)}

    @cached_property
    def ways(self) -> Ways:
        """How else each task may be done."""
        return Ways(self.resources, self.assignments, self.alternatives)

    @cached_property
    def promises(self) -> dict[int, dict[TaskId, BaselineTask]]:
        """What each baseline, by its number, promised of each task."""
        return {baseline.number: {each.task: each for each in baseline.tasks} for baseline in self.baselines}

    def task(self, task_id: TaskId) -> Task:
        """The task with this id; a PlanError when there is none."""
        row = self.rows.get(task_id)
        if row is None:
            raise PlanError(f"There is no task {task_id} in the plan.", ids=(task_id,))
        return self.tasks[row]

    def is_summary(self, task_id: TaskId) -> bool:
        """Whether other tasks name this one as their parent."""
        return task_id in self.children

    def depth(self, task_id: TaskId) -> int:
        """Number of ancestors."""
        parent = self.task(task_id).parent
        return 0 if parent is None else 1 + self.depth(parent)

    def leaves(self, task_id: TaskId) -> tuple[TaskId, ...]:
        """The leaf tasks under a summary, or the task itself."""
        below = self.children.get(task_id)
        return (task_id,) if below is None else tuple(leaf for child in below for leaf in self.leaves(child))

    def with_task(self, task: Task) -> Plan:
        """The plan with one task replaced by another of the same id."""
        return self.with_tasks((task,))

    def with_tasks(self, tasks: Iterable[Task]) -> Plan:
        """The plan with some tasks replaced by others of the same ids and parents."""
        changed = list(self.tasks)
        for task in tasks:
            changed[self.rows[task.id]] = task
        return self._handing_on(replace(self, tasks=tuple(changed)))

    def with_dependencies(self, dependencies: tuple[Dependency, ...]) -> Plan:
        """The plan with other links."""
        return self._handing_on(replace(self, dependencies=dependencies))

    def _handing_on(self, plan: Plan) -> Plan:
        """What rests on ids and parents alone holds still: made once, not once an edit and kept once an undo."""
        vars(plan).update({name: getattr(self, name) for name in ("rows", "children", "streams", "stream_of")})
        # So do these; yet few ask for them.
        vars(plan).update(
            {name: vars(self)[name] for name in ("first_resource", "ways", "promises") if name in vars(self)}
        )
        return plan

    def check(self) -> Plan:
        """Returns itself, or raises a PlanError with a sentence that names what is wrong. It is looked at once."""
        if "_is_sound" in vars(self):
            return self
        self._check_settings()
        self._check_tasks()
        self._check_operations()
        self._check_dependencies()
        known = check_resources(self.resources)
        check_assignments(self.assignments, known, self._name_of)
        named = {each.task: self.tasks[self.rows[each.task]] for each in self.alternatives if each.task in self.rows}
        check_shop(named, known, self.alternatives, self.changeovers, self.transports)
        check_risks(self.risks, self.tasks, self.children, self.dependencies)
        vars(self)["_is_sound"] = True
        return self

    def _check_settings(self) -> None:
        if abs(self.start) > MOST_TICKS:
            raise PlanError("The plan starts at an instant that no plan can hold.")
        self.settings.check()
        if self.calendar is None and self.clock is Clock.CALENDAR:
            raise PlanError("The plan has no working time: give it a calendar.")
        _check_calendars(self)

    def _check_tasks(self) -> None:
        if len(self.rows) != len(self.tasks):
            twice = next(t for row, t in enumerate(self.tasks) if self.rows[t.id] != row)
            raise PlanError(f"Two tasks have the id {twice.id} (“{twice.name}”); ids must be unique.", ids=(twice.id,))
        depths: dict[TaskId | None, int] = {None: -1}
        for task in self.tasks:
            task.check()
            if task.parent is not None and task.parent not in self.rows:
                raise PlanError(f"“{task.name}” lies in task {task.parent}, which is not in the plan.", ids=(task.id,))
            if task.parent is not None and self.rows[task.parent] >= self.rows[task.id]:
                raise PlanError(f"“{task.name}” stands above the summary it lies in.", ids=(task.id,))
            if task.id >= self.next_task_id:
                raise PlanError(f"“{task.name}” has an id that the plan would give out again.", ids=(task.id,))
            depths[task.id] = depths[task.parent] + 1
            if depths[task.id] > _DEEPEST:
                raise PlanError(f"“{task.name}” lies in more than {_DEEPEST} summaries.", ids=(task.id,))
        apart = stray(self.tasks)
        if apart is not None and apart.parent is not None:
            sentence = f"“{apart.name}” stands apart from “{self.task(apart.parent).name}”, the summary it lies in"
            raise PlanError(f"{sentence}: rows of a summary follow it, none of another between them.", ids=(apart.id,))

    def _check_operations(self) -> None:
        buffers = {buffer.id for buffer in self.buffers}
        if len(buffers) != len(self.buffers):
            raise PlanError("Two buffers have the same name; names of buffers must be unique.")
        for buffer in self.buffers:
            buffer.check()
        names = [kernel.name for kernel in self.kernels]
        for kernel in self.kernels:
            kernel.check()
            if names.count(kernel.name) > 1:
                raise PlanError(f"Two kernels of kits have the name “{kernel.name}”; their names must be unique.")
        for task in self.tasks:
            if task.operation is None:
                continue
            if self.is_summary(task.id):
                raise PlanError(f"“{task.name}” holds other tasks: it cannot do an operation.", ids=(task.id,))
            for name in (*task.operation.reads, *task.operation.writes):
                if name not in buffers:
                    raise PlanError(f"“{task.name}” uses buffer “{name}”, which is not in the plan.", ids=(task.id,))

    def _check_dependencies(self) -> None:
        keys = set()
        leaves = self.rows.keys() - self.children.keys()
        most = min(MOST_TICKS, _MOST_PERCENT)
        for link in self.dependencies:
            first, second, _ = key = link.key
            is_plain = first in leaves and second in leaves and first != second and link.longest is None
            if not is_plain or abs(link.lag.amount) > most:
                self.check_link(link)
            if key in keys:
                raise self.twice(link)
            keys.add(key)

    def check_link(self, link: Dependency) -> None:
        """Raises a PlanError where a link could not be one of this plan's, whatever the others are."""
        for end, other in ((link.predecessor, link.successor), (link.successor, link.predecessor)):
            if end not in self.rows:
                name = f"“{self.task(other).name}”" if other in self.rows else f"task {other}"
                raise PlanError(f"{name} is linked to task {end}, which is not in the plan.", ids=(other,))
        first, second = self.task(link.predecessor), self.task(link.successor)
        if first.id == second.id:
            raise CycleError(f"“{first.name}” cannot wait for itself.", ids=(first.id,))
        if self._holds(first.id, second.id) or self._holds(second.id, first.id):
            sentence = f"“{first.name}” and “{second.name}” cannot be linked: one lies inside the other."
            raise CycleError(sentence, ids=(first.id, second.id))
        if abs(link.lag.amount) > (_MOST_PERCENT if link.lag.kind.is_percent else MOST_TICKS):
            sentence = f"“{second.name}” waits for “{first.name}” with a lag that no plan can hold."
            raise PlanError(sentence, ids=(first.id, second.id))
        if link.longest is not None and not link.lag.amount <= link.longest <= MOST_TICKS:
            sentence = f"“{second.name}” waits for “{first.name}” with a longest lag that is shorter than its lag."
            raise PlanError(sentence, ids=(first.id, second.id))

    def twice(self, link: Dependency) -> PlanError:
        """What to say of a link that is there already."""
        first, second = self.task(link.predecessor), self.task(link.successor)
        sentence = f"“{first.name}” and “{second.name}” are linked twice as {link.kind.value}."
        return PlanError(sentence, ids=(first.id, second.id))

    def _name_of(self, task_id: TaskId) -> str | None:
        return self.tasks[self.rows[task_id]].name if task_id in self.rows else None

    def _holds(self, summary: TaskId, task_id: TaskId) -> bool:
        """Whether a task lies in another, at whatever depth."""
        parent = self.task(task_id).parent if summary in self.children else None
        while parent not in (None, summary):
            parent = self.task(parent).parent
        return parent is not None


def _check_calendars(plan: Plan) -> None:
    if len(plan.calendar_of) != len(plan.calendars) + (plan.calendar is not None):
        raise PlanError("Two calendars have the same id; ids must be unique.")
    tasks = ((task.name, task.calendar) for task in plan.tasks)
    check_calendars(plan.calendar_of, chain(tasks, ((each.name, each.calendar) for each in plan.resources)))
