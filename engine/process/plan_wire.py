"""How plans cross to another process: as what differs from one that it has. It never opens a pipe.

Tasks, links and the rest are frozen and shared by the plans before and after an edit, so what is the same is known by
identity, and a plan after an edit is as many bytes as the edit.
"""

from __future__ import annotations

import io
import itertools
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from engine.model import Dependency, Plan, Task

# So many plans are known to the other end: requests that are packed at once may rest on one that is no longer the last.
_KEPT = 4
# A plan is near another that so many of its values are new to, and is compared with one of so many tasks at most.
_MOST_NEW, _MOST_AT_ONCE = 100, 5_000
_FIELDS = tuple(each.name for each in fields(Plan))


@dataclass(frozen=True, slots=True)
class Rows:
    """A tuple of the same length with others in some places."""

    places: tuple[int, ...]
    values: tuple[object, ...]

    def of(self, before: tuple[object, ...]) -> tuple[object, ...]:
        """The tuple after."""
        changed = list(before)
        for place, value in zip(self.places, self.values, strict=True):
            changed[place] = value
        return tuple(changed)


@dataclass(frozen=True, slots=True)
class Span:
    """A tuple with others in the place of all from `first` to before `last`."""

    first: int
    last: int
    values: tuple[object, ...]

    def of(self, before: tuple[object, ...]) -> tuple[object, ...]:
        """The tuple after."""
        return (*before[: self.first], *self.values, *before[self.last :])


@dataclass(frozen=True, slots=True)
class Change:
    """A plan as what differs from the plan `base` (0: from none), by field; it is kept as `number` unless that is 0."""

    number: int
    base: int
    fields: dict[str, object]


@dataclass(frozen=True, eq=False, slots=True)
class Packed:
    """The body of a message, and the plan in it that the other end has from then on."""

    body: bytes
    number: int = 0
    plan: Plan | None = None


class PlanSender:
    """Packs messages for one other end. `pack` may be called in any thread, `sent` on one."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._last: tuple[int, Plan] | None = None

    def pack(self, message: object) -> Packed:
        """A message; its first plan is one that the other end keeps."""
        body = io.BytesIO()
        pickler = _Pickler(body, self._last, self._numbers)
        pickler.dump(message)
        return Packed(body.getvalue(), pickler.number, pickler.plan)

    def is_near(self, plan: Plan) -> bool:
        """Whether so little of a plan is new to the other end that packing it takes no time to speak of."""
        if self._last is None or len(plan.tasks) > _MOST_AT_ONCE:
            return False
        patches = _differing(self._last[1], plan).values()
        return sum(len(each.values) if isinstance(each, Rows | Span) else 1 for each in patches) <= _MOST_NEW

    def sent(self, packed: Packed) -> None:
        """Called where a message goes into the pipe, in the order in which they do."""
        if packed.plan is not None:
            self._last = packed.number, packed.plan


class PlanReceiver:
    """Unpacks what a PlanSender packed; plans share with those before them what is the same."""

    def __init__(self) -> None:
        self._plans: dict[int, Plan] = {}

    def load(self, body: bytes) -> Any:
        """The message."""
        return _Unpickler(io.BytesIO(body), self).load()

    def plan_of(self, change: Change) -> Plan:
        """The plan that a change stands for."""
        plan = _changed(self._plans.get(change.base), change.fields)
        if change.number:
            self._plans[change.number] = plan
            for old in list(self._plans)[:-_KEPT]:
                del self._plans[old]
        return plan


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, base: tuple[int, Plan] | None, numbers: Iterator[int]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._base = base
        self._numbers = numbers
        self.number = 0
        self.plan: Plan | None = None

    def persistent_id(self, obj: object) -> Change | None:
        """What stands in the place of a plan."""
        if not isinstance(obj, Plan):
            return None
        base, before = self._base or (0, None)
        if self.plan is not None:
            return Change(0, base, _differing(before, obj))
        self.number, self.plan = next(self._numbers), obj
        self._base = self._base or (self.number, obj)
        return Change(self.number, base, _differing(before, obj))


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, receiver: PlanReceiver) -> None:
        super().__init__(file)
        self._receiver = receiver

    def persistent_load(self, pid: Change) -> Plan:
        """The plan that was sent."""
        return self._receiver.plan_of(pid)


def _differing(before: Plan | None, plan: Plan) -> dict[str, object]:
    """Fields that are others, tuples as what differs in them."""
    if before is None:
        return {name: getattr(plan, name) for name in _FIELDS}
    pairs = ((name, getattr(before, name), getattr(plan, name)) for name in _FIELDS)
    return {name: _patch(old, new) if isinstance(new, tuple) else new for name, old, new in pairs if old is not new}


def _patch(old: Sequence[object], new: tuple[object, ...]) -> Rows | Span:
    if len(old) == len(new):
        places = tuple(place for place, (one, two) in enumerate(zip(old, new, strict=True)) if one is not two)
        return Rows(places, tuple(new[place] for place in places))
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] is not new[n]), most)
    behind = next((n for n in range(most - first) if old[-1 - n] is not new[-1 - n]), most - first)
    return Span(first, len(old) - behind, new[first : len(new) - behind])


def _changed(plan: Plan | None, fields: dict[str, object]) -> Plan:
    """The plan after: values of tasks and links by the ways that hand on what rests on neither."""
    made: Any = dict(fields)
    if plan is None:
        return Plan(**made)
    for name, each in fields.items():
        if isinstance(each, Rows | Span):
            made[name] = each.of(getattr(plan, name))
    rows = fields.get("tasks")
    if isinstance(rows, Rows) and _are_values(plan, rows):
        del made["tasks"]
        plan = plan.with_tasks(task for task in rows.values if isinstance(task, Task))
    links: tuple[Dependency, ...] | None = made.pop("dependencies", None)
    if links is not None:
        plan = plan.with_dependencies(links)
    return replace(plan, **made) if made else plan


def _are_values(plan: Plan, rows: Rows) -> bool:
    """Whether ids and parents stay."""
    pairs = ((plan.tasks[place], task) for place, task in zip(rows.places, rows.values, strict=True))
    return all(isinstance(new, Task) and (old.id, old.parent) == (new.id, new.parent) for old, new in pairs)
