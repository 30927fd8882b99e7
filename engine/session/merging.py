"""A branch of a plan merged back: what changed on either side since they parted, brought together by value.

It never guesses silently: where both sides changed one thing, that is said, and a person may choose.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from engine.model import Alternative, Assignment, Dependency, Plan, Resource, Task, TaskId, Transport
from engine.schedule.network import leaf_links, topological_order
from engine.session.scenarios import Scenarios

Use = TypeVar("Use", Assignment, Alternative)
Key = Callable[[Any], Hashable]
# The kind of a row, its words, and the task it belongs to.
Named = Callable[[Any], tuple[str, str, TaskId | None]]
_FIELDS = tuple(field.name for field in fields(Task))

# Tables of a plan whose rows are known by one of their fields, and what a row is called.
_TABLES: tuple[tuple[str, str, str], ...] = (
    ("resources", "id", "the resource"),
    ("calendars", "id", "the calendar"),
    ("buffers", "id", "the buffer"),
    ("baselines", "number", "the baseline"),
    ("kernels", "name", "the kernel"),
    ("changeovers", "id", "the changeover"),
)
_WHOLE = {
    "name": "the name of the plan",
    "start": "the start of the plan",
    "calendar": "the calendar of the plan",
    "settings": "the settings of the plan",
    "fields": "what a file said of the plan",
    "risks": "the risks of the plan",
}
_ROW_ORDER = "the order of rows"


@dataclass(frozen=True, eq=False, slots=True)
class Clash:
    """One thing that both sides changed, each otherwise: what it is, and the three values of it.

    `key` is what a choice names it by. None stands for what is not there. `task` is the one it belongs to, where it
    belongs to one; `field` names its field in a Task, empty where it is the whole of a row.
    """

    key: Hashable
    words: str
    base: object
    branch: object
    main: object
    task: TaskId | None = None
    field: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Merged:
    """The plan with both sides' changes, and each thing that both had changed, whatever was chosen of it."""

    plan: Plan
    clashes: tuple[Clash, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Merge:
    """What merging a branch comes to: the two plans that it was found for, and the one that holds both.

    `renumbered` is the branch with the ids that what it added has in the main plan: most often the branch itself.
    `is_update`: the plan that holds both becomes the branch, and not the main plan.
    """

    branch_id: int
    branch: Plan
    main: Plan
    renumbered: Plan
    plan: Plan
    clashes: tuple[Clash, ...]
    is_update: bool = False


def find_merge(
    scenarios: Scenarios, number: int, keeps: Collection[Hashable] = (), *, is_update: bool = False
) -> Merge:
    """What merging a branch into the main plan comes to, or the main plan into the branch: the same, elsewhere.

    Raises PlanError where the two together break a rule, CycleError where they would make tasks wait for each other.
    """
    branch, main = scenarios.branch(number), scenarios.main
    renumbered = _renumbered(branch.base, branch.plan, main.plan)
    found = _Merging(branch.base, renumbered, main.plan, keeps).merged()
    if not (branch.schedule.cycle or main.schedule.cycle):
        topological_order(found.plan, leaf_links(found.plan))
    return Merge(number, branch.plan, main.plan, renumbered, found.plan, found.clashes, is_update)


def merge(base: Plan, branch: Plan, main: Plan, keeps: Collection[Hashable] = ()) -> Merged:
    """What `branch` changed since `base`, made in `main`. Tasks that both added under one id both stay.

    Of what both changed the branch's is taken, unless `keeps` holds the key of that clash: then it stays as in `main`.
    Raises PlanError where the two together break a rule of the plan.
    """
    return _Merging(base, _renumbered(base, branch, main), main, keeps).merged()


class _Merging:
    """Three plans, and what was found to have changed on both sides."""

    def __init__(self, base: Plan, branch: Plan, main: Plan, keeps: Collection[Hashable]) -> None:
        self._base, self._branch, self._main = base, branch, main
        self._keeps = frozenset(keeps)
        self._clashes: dict[Hashable, Clash] = {}
        # Tasks that one side took away, and that stay all the same.
        self._again: set[TaskId] = set()

    def merged(self) -> Merged:
        base, branch, main = self._base, self._branch, self._main
        whole = {
            name: self._either(Clash((name,), what, *(getattr(p, name) for p in (base, branch, main))))
            for name, what in _WHOLE.items()
        }
        tables = {
            name: self._rows([getattr(plan, name) for plan in (base, branch, main)], _field(key), _named(name, what))
            for name, key, what in _TABLES
        }
        tasks = self._tasks()
        there = {task.id for task in tasks}
        links = self._rows([plan.dependencies for plan in (base, branch, main)], lambda link: link.key, self._of_link)
        uses = self._rows([plan.assignments for plan in (base, branch, main)], self._use, self._of_use)
        ways = self._rows([plan.alternatives for plan in (base, branch, main)], _way, self._of_way)
        number = max(branch.next_task_id, main.next_task_id)
        plan = replace(
            main,
            tasks=tasks,
            dependencies=tuple(link for link in links if {link.predecessor, link.successor} <= there),
            assignments=tuple(use for use in uses if use.task in there),
            alternatives=tuple(way for way in ways if way.task in there),
            transports=self._rows(
                [plan.transports for plan in (base, branch, main)], _trip, _named("transport", "a trip")
            ),
            next_task_id=number,
            **{**whole, "risks": whole["risks"].only(there)},
            **tables,  # type: ignore[arg-type]
        )
        return Merged(main if plan == main else plan.check(), tuple(self._clashes.values()))

    def _either(self, clash: Clash) -> Any:
        """The value that changed; where both did the branch's, unless main's is kept."""
        base, branch, main = clash.base, clash.branch, clash.main
        if branch is main or branch in (base, main):
            return main
        if main == base:
            return branch
        self._clashes[clash.key] = replace(clash, words=f"{clash.words[:1].upper()}{clash.words[1:]}")
        return main if clash.key in self._keeps else branch

    def _rows(self, tables: Sequence[Iterable[Any]], key: Key, named: Named) -> tuple[Any, ...]:
        """Rows in the main plan's order, then those that the branch added."""
        base, branch, main = ({key(row): row for row in table} for table in tables)
        found = []
        for each in (*main, *(each for each in branch if each not in main)):
            was, there, here = base.get(each), branch.get(each), main.get(each)
            if was is there is here:
                found.append(here)
                continue
            what, words, task = named(next(row for row in (here, there, was) if row is not None))
            row = self._either(Clash((what, each), words, was, there, here, task))
            if row is None:
                row = next((r for r in (there, here) if r is not None and self._is_again(r)), None)
            if row is not None:
                found.append(row)
        return tuple(found)

    def _is_again(self, row: object) -> bool:
        """Whether a link or an assignment was taken away with a task, and comes back with it."""
        if isinstance(row, Dependency):
            return not self._again.isdisjoint((row.predecessor, row.successor))
        return isinstance(row, Assignment | Alternative) and row.task in self._again

    def _of_link(self, link: Dependency) -> tuple[str, str, TaskId]:
        words = f"the link from “{self._name(link.predecessor)}” to “{self._name(link.successor)}”"
        return "link", words, link.successor

    def _of_use(self, use: Assignment) -> tuple[str, str, TaskId]:
        names = {resource.id: resource.name for plan in (self._branch, self._main) for resource in plan.resources}
        return "assignment", f"what “{names.get(use.resource, '')}” does of “{self._name(use.task)}”", use.task

    def _of_way(self, way: Alternative) -> tuple[str, str, TaskId]:
        return "alternative", f"where else “{self._name(way.task)}” may be done", way.task

    def _name(self, task: TaskId) -> str:
        plans = (self._main, self._branch, self._base)
        return next((plan.title_of(task) for plan in plans if task in plan.rows), "")

    def _use(self, use: Assignment) -> Hashable:
        """An operation is on one stream: another one is a change, not a second use."""
        is_stream = any(use.resource == s.id for plan in (self._main, self._branch) for s in plan.streams)
        return (use.task, -1 if is_stream else use.resource)

    def _tasks(self) -> tuple[Task, ...]:
        base, branch, main = ({task.id: task for task in plan.tasks} for plan in (self._base, self._branch, self._main))
        found: dict[TaskId, Task] = {}
        for number in self._order():
            was, there, here = base.get(number), branch.get(number), main.get(number)
            if was is None or was is there is here:
                task = here or there
            elif there is None or here is None:
                task = self._either(Clash(("task", number), f"“{was.name}”", was, there, here, number))
                if task is not None:
                    self._again.add(number)
            else:
                task = here if there is was else self._task(was, there, here)
            if task is not None:
                found[number] = task
        return _in_rows([_rooted(task, found) for task in found.values()])

    def _task(self, base: Task, branch: Task, main: Task) -> Task:
        if main is base:
            return branch
        changed = {}
        for name in _FIELDS:
            was, there, here = (getattr(task, name) for task in (base, branch, main))
            words = f"the {name.removeprefix('is_').replace('_', ' ')} of “{base.name}”"
            changed[name] = self._either(Clash(("task", base.id, name), words, was, there, here, base.id, name))
        return replace(main, **changed)

    def _order(self) -> list[TaskId]:
        """Ids in row order: the main plan's, unless rows were moved in the branch, alone or as was chosen."""
        base, branch, main = ([task.id for task in plan.tasks] for plan in (self._base, self._branch, self._main))
        common = set(base) & set(branch) & set(main)
        was, there, here = (tuple(number for number in ids if number in common) for ids in (base, branch, main))
        is_as_main = self._either(Clash(("rows",), _ROW_ORDER, was, there, here)) == here
        first, second = (main, branch) if is_as_main else (branch, main)
        return _woven(first, second)


def _woven(first: Sequence[TaskId], second: Sequence[TaskId]) -> list[TaskId]:
    """The first order, with what only the second has behind what it stands behind there."""
    found, known = list(first), set(first)
    for place, number in enumerate(second):
        if number not in known:
            before = second[place - 1] if place else None
            found.insert(0 if before is None else found.index(before) + 1, number)
            known.add(number)
    return found


def _rooted(task: Task, kept: dict[TaskId, Task]) -> Task:
    """The task, in no summary where that one is gone."""
    return task if task.parent is None or task.parent in kept else replace(task, parent=None)


def _in_rows(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Each summary followed by what it holds. Those that each side put into the other lie in none."""
    held: dict[TaskId | None, list[Task]] = {}
    for task in tasks:
        held.setdefault(task.parent, []).append(task)
    found: list[Task] = []
    todo = held.get(None, [])[::-1]
    while todo:
        task = todo.pop()
        found.append(task)
        todo += held.get(task.id, [])[::-1]
    known = {task.id for task in found}
    left = [task for task in tasks if task.id not in known]
    return _in_rows([*found, replace(left[0], parent=None), *left[1:]]) if left else tuple(found)


def _way(row: Alternative) -> Hashable:
    return (row.task, row.resource)


def _trip(row: Transport) -> Hashable:
    return (row.origin, row.target)


def _field(name: str) -> Key:
    return lambda row: getattr(row, name)


def _named(table: str, what: str) -> Named:
    """What is said of a row of a table."""
    return lambda row: (table, f"{what} “{getattr(row, 'name', '')}”", None)


def _renumbered(base: Plan, branch: Plan, main: Plan) -> Plan:
    """The branch, what it added under ids that the main plan has given to something else having others."""
    ids = [[task.id for task in plan.tasks] for plan in (base, branch, main)]
    tasks = _others(ids, max(branch.next_task_id, main.next_task_id))
    resources = _others([[r.id for r in plan.resources] for plan in (base, branch, main)])
    calendars = _others([list(plan.calendar_of) for plan in (base, branch, main)])
    changeovers = _others([[each.id for each in plan.changeovers] for plan in (base, branch, main)])
    if not (tasks or resources or calendars or changeovers):
        return branch

    def other(link: Dependency) -> Dependency:
        return replace(
            link,
            predecessor=tasks.get(link.predecessor, link.predecessor),
            successor=tasks.get(link.successor, link.successor),
        )

    def calendar(number: int | None) -> int | None:
        return None if number is None else calendars.get(number, number)

    def task(each: Task) -> Task:
        parent = None if each.parent is None else tasks.get(each.parent, each.parent)
        return replace(each, id=tasks.get(each.id, each.id), parent=parent, calendar=calendar(each.calendar))

    def changed(each: Resource) -> Resource:
        number = None if each.changeover is None else changeovers.get(each.changeover, each.changeover)
        return replace(each, id=resources.get(each.id, each.id), calendar=calendar(each.calendar), changeover=number)

    def trip(each: Transport) -> Transport:
        origin, target = (resources.get(number, number) for number in (each.origin, each.target))
        return Transport(origin, target, each.ticks)

    def use(each: Use) -> Use:
        return replace(each, task=tasks.get(each.task, each.task), resource=resources.get(each.resource, each.resource))

    return replace(
        branch,
        tasks=tuple(map(task, branch.tasks)),
        dependencies=tuple(map(other, branch.dependencies)),
        assignments=tuple(map(use, branch.assignments)),
        alternatives=tuple(map(use, branch.alternatives)),
        resources=tuple(map(changed, branch.resources)),
        changeovers=tuple(replace(each, id=changeovers.get(each.id, each.id)) for each in branch.changeovers),
        transports=tuple(map(trip, branch.transports)),
        risks=branch.risks.renamed(tasks) if tasks else branch.risks,
        calendars=tuple(replace(c, id=calendars.get(c.id, c.id), base=calendar(c.base)) for c in branch.calendars),
        baselines=tuple(
            replace(b, tasks=tuple(replace(t, task=tasks.get(t.task, t.task)) for t in b.tasks))
            for b in branch.baselines
        ),
        next_task_id=max((branch.next_task_id, main.next_task_id, *(number + 1 for number in tasks.values()))),
    )


def _others(sides: Sequence[Sequence[int]], least: int = 1) -> dict[int, int]:
    """New ids for what branch and main plan both added to the base under one; `sides` are those of all three."""
    base, branch, main = sides
    added = set(main) - set(base)
    twice = [number for number in branch if number in added]
    free = max((least, *(number + 1 for number in (*branch, *main))))
    return {number: free + place for place, number in enumerate(twice)}
