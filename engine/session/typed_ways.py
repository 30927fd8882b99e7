"""Typed ways: where else a task may be done, as a person types it and finds it again. It never makes an edit.

    alternatives = "Lathe 2 (3h); Lathe 3[50%] (4h, cost 20); Ann"
Without a length it lasts there as long as it does where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from engine.errors import PlanError
from engine.formats.table.ways import WrittenWay, format_way, split_ways, written_way
from engine.model import Alternative, Plan, Resource, ResourceKind, Task, Ticks
from engine.session.cell_words import duration_text
from engine.session.typed_times import read_length

_HOLDING = (ResourceKind.WORK, ResourceKind.MACHINE)
_EXAMPLE = "write Lathe 2 (3h); Lathe 3"
_MOST_NAMED = 6


def alternatives_text(
    plan: Plan, task: Task, alternatives: Iterable[Alternative], names: Mapping[int, str] | None = None
) -> str:
    """Names with what a task takes there: "Lathe 2 (3h); Lathe 3". `names` are those of resources, by id."""
    known = {resource.id: resource.name for resource in plan.resources} if names is None else names
    return "; ".join(_text(plan, task, known, each) for each in alternatives)


def _text(plan: Plan, task: Task, names: Mapping[int, str], each: Alternative) -> str:
    lasts = each.duration
    length = "" if lasts is None else duration_text(plan, lasts, is_elapsed=task.is_elapsed)
    return format_way(WrittenWay(names[each.resource], each.units, length, each.cost))


def read_alternatives(plan: Plan, task: Task, text: str) -> tuple[Alternative, ...]:
    """The alternatives that a text names, in its order. Raises PlanError with a sentence where it names none."""
    by_name = {resource.name.casefold(): resource for resource in reversed(plan.resources)}
    by_name |= {resource.name: resource for resource in reversed(plan.resources)}
    return tuple(_read(plan, task, by_name, part) for part in split_ways(text))


def _read(plan: Plan, task: Task, by_name: Mapping[str, Resource], text: str) -> Alternative:
    way = written_way(text, lambda name: _known(by_name, name) is not None)
    duration = read_there(plan, task, way.length) if way.length else None
    resource = _known(by_name, way.name)
    if resource is None or resource.kind not in _HOLDING:
        raise PlanError(_unknown(plan, way.name), ids=(task.id,))
    return Alternative(task.id, resource.id, way.units, duration, way.cost)


def _known(by_name: Mapping[str, Resource], name: str) -> Resource | None:
    """The resource of exactly this name, else one that differs in capitals alone."""
    return by_name.get(name) or by_name.get(name.casefold())


def read_there(plan: Plan, task: Task, text: str) -> Ticks:
    """How long a task takes in another place, in its own kind of ticks. Raises PlanError with a sentence."""
    span = read_length(plan, text)
    if span is None:
        raise PlanError(f"“{text.strip()}” is no length of time: {_EXAMPLE}.", ids=(task.id,))
    if span.is_elapsed != task.is_elapsed and span.ticks:
        kind = "elapsed time, so write 3ed" if task.is_elapsed else "working time, so write 3h or 2d"
        raise PlanError(f"“{task.name}” is counted in {kind} in place of “{text.strip()}”.", ids=(task.id,))
    return int(span.ticks)


def _unknown(plan: Plan, name: str) -> str:
    known = [resource.name for resource in plan.resources if resource.kind in _HOLDING]
    if not known:
        return f"“{name}” cannot do it: the plan has no machine and nobody who works. Add them to its resources first."
    near = get_close_matches(name, known, _MOST_NAMED) or known
    names = ", ".join(f"“{each}”" for each in near[:_MOST_NAMED]) + (", …" if len(near) > _MOST_NAMED else "")
    return f"“{name}” is no machine or person of the plan, which has {names}."


def known_families(plan: Plan) -> tuple[str, ...]:
    """The families of the plan's changeovers, then others that tasks are of, each once."""
    found = [family for changeover in plan.changeovers for family in changeover.families]
    return tuple(dict.fromkeys((*found, *sorted({task.family for task in plan.tasks if task.family}))))


def known_skills(plan: Plan) -> tuple[str, ...]:
    """The skills that somebody of the plan has, each once."""
    return tuple(dict.fromkeys(skill for resource in plan.resources for skill in resource.skills))


def as_spelled(text: str, known: Iterable[str]) -> str:
    """A name as the plan spells it, whatever its capitals; as it was typed where the plan does not know it."""
    wanted = text.strip()
    same = [name for name in known if name.casefold() == wanted.casefold()]
    return wanted if wanted in same or not same else same[0]
