"""A branch of a plan merged back: what changed on either side since they parted, brought together by value.

It never guesses silently: where both sides changed one thing, the branch's value is taken, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from engine.model import Assignment, Dependency, Plan, Task, TaskId

T = TypeVar("T")
Key = Callable[[Any], Hashable]

# Tables of a plan whose rows are known by one of their fields, and what a row is called.
_TABLES: tuple[tuple[str, str, str], ...] = (
    ("resources", "id", "the resource"),
    ("calendars", "id", "the calendar"),
    ("buffers", "id", "the buffer"),
    ("baselines", "number", "the baseline"),
    ("kernels", "name", "the kernel"),
)
_WHOLE = {
    "name": "the name of the plan",
    "start": "the start of the plan",
    "calendar": "the calendar of the plan",
    "settings": "the settings of the plan",
    "fields": "what a file said of the plan",
}


@dataclass(frozen=True, slots=True)
class Merged:
    """The plan with both sides' changes, and a sentence for each thing that both had changed."""

    plan: Plan
    both: tuple[str, ...]


def merge(base: Plan, branch: Plan, main: Plan) -> Merged:
    """What `branch` changed since `base`, made in `main`. Tasks that both added under one id both stay.

    Raises PlanError where the two together break a rule of the plan.
    """
    return _Merging(base, _renumbered(base, branch, main), main).merged()


class _Merging:
    """Three plans, and what was found to have changed on both sides."""

    def __init__(self, base: Plan, branch: Plan, main: Plan) -> None:
        self._base, self._branch, self._main = base, branch, main
        self._both: list[str] = []

    def merged(self) -> Merged:
        base, branch, main = self._base, self._branch, self._main
        whole = {
            name: self._either(what, *(getattr(p, name) for p in (base, branch, main))) for name, what in _WHOLE.items()
        }
        tables = {
            name: self._rows([getattr(plan, name) for plan in (base, branch, main)], _field(key), what)
            for name, key, what in _TABLES
        }
        tasks = self._tasks()
        there = {task.id for task in tasks}
        links = self._rows([plan.dependencies for plan in (base, branch, main)], lambda link: link.key, "a link")
        uses = self._rows([plan.assignments for plan in (base, branch, main)], self._use, "an assignment")
        number = max(branch.next_task_id, main.next_task_id)
        plan = replace(
            main,
            tasks=tasks,
            dependencies=tuple(link for link in links if {link.predecessor, link.successor} <= there),
            assignments=tuple(use for use in uses if use.task in there),
            next_task_id=number,
            **whole,
            **tables,  # type: ignore[arg-type]
        )
        return Merged(main if plan == main else plan.check(), tuple(dict.fromkeys(self._both)))

    def _either(self, what: str, base: T, branch: T, main: T) -> T:
        """The value that changed; the branch's where both did."""
        if branch in (base, main):
            return main
        if main != base:
            self._both.append(f"{what[:1].upper()}{what[1:]} was changed on both sides; the branch's is taken.")
        return branch

    def _rows(self, tables: Sequence[Iterable[Any]], key: Key, what: str) -> tuple[Any, ...]:
        """Rows in the main plan's order, then those that the branch added."""
        base, branch, main = ({key(row): row for row in table} for table in tables)
        found = []
        for each in (*main, *(each for each in branch if each not in main and each not in base)):
            rows = base.get(each), branch.get(each), main.get(each)
            named = f"{what} “{getattr(next(row for row in rows if row), 'name', '')}”".replace(" “”", "")
            row = self._either(named, *rows)
            if row is not None:
                found.append(row)
        return tuple(found)

    def _use(self, use: Assignment) -> Hashable:
        """An operation is on one stream: another one is a change, not a second use."""
        is_stream = any(use.resource == s.id for plan in (self._main, self._branch) for s in plan.streams)
        return (use.task, -1 if is_stream else use.resource)

    def _tasks(self) -> tuple[Task, ...]:
        base, branch, main = ({task.id: task for task in plan.tasks} for plan in (self._base, self._branch, self._main))
        found = {}
        for number in self._order():
            was, there, here = base.get(number), branch.get(number), main.get(number)
            if was is None:
                found[number] = there or here
            elif there is None or here is None:
                self._say_gone(was, there, here)
            else:
                found[number] = self._task(was, there, here)
        kept = {number: task for number, task in found.items() if task is not None}
        return _in_rows([_rooted(task, kept) for task in kept.values()])

    def _task(self, base: Task, branch: Task, main: Task) -> Task:
        changed = {}
        for field in fields(Task):
            what = f"the {field.name.replace('_', ' ')} of “{base.name}”"
            changed[field.name] = self._either(what, *(getattr(task, field.name) for task in (base, branch, main)))
        return replace(main, **changed)

    def _say_gone(self, base: Task, branch: Task | None, main: Task | None) -> None:
        left = branch or main
        if left is not None and left != base:
            self._both.append(f"“{base.name}” was taken away on one side and changed on the other; it goes.")

    def _order(self) -> list[TaskId]:
        """Ids in row order: the main plan's, unless rows were moved in the branch alone."""
        base, branch, main = ([task.id for task in plan.tasks] for plan in (self._base, self._branch, self._main))
        common = set(base) & set(branch) & set(main)
        is_moved = [[n for n in ids if n in common] != [n for n in base if n in common] for ids in (branch, main)]
        if all(is_moved):
            self._both.append("Rows were moved on both sides; they stand as they do here.")
        first, second = (branch, main) if is_moved == [True, False] else (main, branch)
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


def _field(name: str) -> Key:
    return lambda row: getattr(row, name)


def _renumbered(base: Plan, branch: Plan, main: Plan) -> Plan:
    """The branch, what it added under ids that the main plan has given to something else having others."""
    ids = [[task.id for task in plan.tasks] for plan in (base, branch, main)]
    tasks = _others(ids, max(branch.next_task_id, main.next_task_id))
    resources = _others([[r.id for r in plan.resources] for plan in (base, branch, main)])
    calendars = _others([list(plan.calendar_of) for plan in (base, branch, main)])
    if not (tasks or resources or calendars):
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

    def use(each: Assignment) -> Assignment:
        return replace(each, task=tasks.get(each.task, each.task), resource=resources.get(each.resource, each.resource))

    return replace(
        branch,
        tasks=tuple(map(task, branch.tasks)),
        dependencies=tuple(map(other, branch.dependencies)),
        assignments=tuple(map(use, branch.assignments)),
        resources=tuple(
            replace(r, id=resources.get(r.id, r.id), calendar=calendar(r.calendar)) for r in branch.resources
        ),
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
    twice = [number for number in branch if number in set(main) - set(base)]
    free = max((least, *(number + 1 for number in (*branch, *main))))
    return {number: free + place for place, number in enumerate(twice)}
