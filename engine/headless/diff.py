"""The verb `diff`: the tasks that only one of two plans has, and what is another in the rest. It changes neither."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from engine.headless.schedule import Value, instant, load_state
from engine.model import Clock, Dependency, Plan, Task, TaskId, Ticks
from engine.session.matching import match
from engine.session.state import State

_DATES = ("start", "finish", "constraint_date", "deadline")


def answer(before: str, after: str) -> tuple[int, object, str]:
    """Exit code, document and text. `uid` is the task's in the first plan, but in "added", where it is the second's.

    "moved" are the tasks that stand elsewhere in the outline, and their rows (from 1) in both plans.
    """
    old, new = load_state(before), load_state(after)
    pairs = match(old.plan, new.plan)
    taken = set(pairs.values())
    removed = [task for task in old.plan.tasks if task.id not in pairs]
    added = [task for task in new.plan.tasks if task.id not in taken]
    changes = list(_changes(_Side(old, pairs), _Side(new, {each: each for each in taken}), pairs))
    moved = find_moved(old.plan, new.plan, pairs)
    document = {
        "added": [task.id for task in added],
        "removed": [task.id for task in removed],
        "changed": [{"uid": uid, "field": field, "before": was, "after": now} for uid, field, was, now in changes],
        "moved": [
            {"uid": uid, "before": old.plan.rows[uid] + 1, "after": new.plan.rows[pairs[uid]] + 1} for uid in moved
        ],
    }
    words = _Words(old.plan, new.plan, pairs)
    lines = [
        *(f"+ {words.name(task)}" for task in added),
        *(f"- {words.name(task)}" for task in removed),
        *(words.change(*change) for change in changes),
        *(words.move(uid) for uid in moved),
    ]
    return 0, document, "\n".join(lines) or "The plans have the same tasks and dates."


def find_moved(before: Plan, after: Plan, pairs: Mapping[TaskId, TaskId]) -> list[TaskId]:
    """The fewest tasks of the first plan whose move makes its outline that of the second, in row order.

    Those under another summary, and of each summary's children those that passed others.
    """
    groups: dict[TaskId | None, list[TaskId]] = defaultdict(list)
    found: set[TaskId] = set()
    for task_id, other in pairs.items():
        parent = before.task(task_id).parent
        now = after.task(other).parent
        if now == (None if parent is None else pairs.get(parent)) and (parent is None) == (now is None):
            groups[parent].append(task_id)
        else:
            found.add(task_id)
    for group in groups.values():
        rows = [after.rows[pairs[task_id]] for task_id in group]
        stay = _longest_rising(rows)
        found.update(task_id for at, task_id in enumerate(group) if at not in stay)
    return [task.id for task in before.tasks if task.id in found]


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The places of a longest rising subsequence, by patience."""
    tops: list[int] = []  # the least number that ends a rising run, by its length
    places: list[int] = []
    before: list[int] = []
    for at, number in enumerate(numbers):
        length = bisect_left(tops, number)
        tops[length : length + 1] = [number]
        places[length : length + 1] = [at]
        before.append(places[length - 1] if length else -1)
    found: set[int] = set()
    at = places[-1] if places else -1
    while at >= 0:
        found.add(at)
        at = before[at]
    return found


def _changes(old: _Side, new: _Side, pairs: Mapping[TaskId, TaskId]) -> Iterator[tuple[TaskId, str, Value, Value]]:
    for was, now in pairs.items():
        after = new.values(now)
        for field, value in old.values(was).items():
            if value != after[field]:
                yield was, field, value, after[field]


class _Side:
    """One of the plans; `ids` says which task of the second plan each of its own is."""

    def __init__(self, state: State, ids: Mapping[TaskId, TaskId]) -> None:
        self._state = state
        self._ids = ids
        names = {resource.id: resource.name for resource in state.plan.resources}
        self._users: dict[TaskId, list[str]] = defaultdict(list)
        for each in state.plan.assignments:
            self._users[each.task].append(f"{names[each.resource]}[{each.units:g}]")
        self._links: dict[TaskId, list[str]] = defaultdict(list)
        for link in state.plan.dependencies:
            self._links[link.successor].append(self._link(link))

    def values(self, task_id: TaskId) -> dict[str, Value]:
        """What is compared of a task, as the document says it; other tasks by their id in the second plan."""
        plan, schedule = self._state.plan, self._state.schedule
        task = plan.task(task_id)
        return {
            "name": task.name.strip(),
            "start": instant(plan, schedule.start_of(task_id)),
            "finish": instant(plan, schedule.finish_of(task_id)),
            # What a summary has of its own is seen nowhere, and files of others leave it out.
            "duration": None if plan.is_summary(task_id) else self._length(task.duration),
            "summary": None if task.parent is None else self._ids.get(task.parent),
            "predecessors": ",".join(sorted(self._links[task_id])),
            "resources": ";".join(sorted(self._users[task_id])),
            "notes": task.notes,
            "constraint": task.constraint.value,
            "constraint_date": instant(plan, task.constraint_at) if task.constraint.has_date else None,
            "deadline": None if task.deadline is None else instant(plan, task.deadline),
            "complete": task.progress.percent if task.progress else 0.0,
            "milestone": task.is_milestone,
            "elapsed": task.is_elapsed,
            "manual": task.is_manual,
            "active": task.is_active,
            "calendar": None if task.calendar is None else plan.calendar_of[task.calendar].name,
            "priority": task.priority,
        }

    def _link(self, link: Dependency) -> str:
        """Such as 3FS+480m; a predecessor that the other plan does not have is a question mark."""
        lag = link.lag
        amount = f"{lag.amount:+}%" if lag.kind.is_percent else f"{self._length(lag.amount):+g}{self._unit}"
        elapsed = "e" if lag.kind.is_elapsed else ""
        return f"{self._ids.get(link.predecessor, '?')}{link.kind.value}{amount + elapsed if lag.amount else ''}"

    @property
    def _unit(self) -> str:
        return "ns" if self._state.plan.clock is Clock.DEVICE else "m"

    def _length(self, ticks: Ticks) -> int | float:
        """In minutes, or nanoseconds on a device plan."""
        if self._state.plan.clock is Clock.DEVICE:
            return ticks
        return ticks // 60 if ticks % 60 == 0 else ticks / 60


class _Words:
    """Differences as a person reads them: tasks by their names, lengths with a unit."""

    def __init__(self, before: Plan, after: Plan, pairs: Mapping[TaskId, TaskId]) -> None:
        self._before = before
        self._after = after
        self._pairs = pairs

    def name(self, task: Task) -> str:
        """A task's name on one line."""
        return " ".join(task.name.split()) or f"(task {task.id})"

    def change(self, uid: TaskId, field: str, was: Value, now: Value) -> str:
        """One field that is another now."""
        shown = " → ".join(self._value(field, value) for value in (was, now))
        return f"~ {self.name(self._before.task(uid))}: {field.replace('_', ' ')} {shown}"

    def move(self, uid: TaskId) -> str:
        """One task that stands elsewhere."""
        rows = self._before.rows[uid] + 1, self._after.rows[self._pairs[uid]] + 1
        return f"> {self.name(self._before.task(uid))}: row {rows[0]} → {rows[1]}"

    def _value(self, field: str, value: Value) -> str:
        if value is None or value == "":
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | float):
            if field == "summary":
                return f"“{self.name(self._after.task(int(value)))}”"
            unit = {"complete": " %", "duration": " ns" if self._before.clock is Clock.DEVICE else " min"}
            return f"{value:,g}{unit.get(field, '')}" if value % 1 else f"{int(value):,}{unit.get(field, '')}"
        text = " ".join(str(value).split())
        return text.replace("T", " ") if field in _DATES else text
