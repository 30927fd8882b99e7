"""P6's resources, roles and assignments. It never decides a date."""

from __future__ import annotations

from collections import defaultdict

from engine.formats.xer.calendars import Calendars
from engine.formats.xer.tables import Row, Tables
from engine.formats.xer.tasks import Rows
from engine.model import MOST_TICKS, Assignment, Capacity, Resource, ResourceKind, Ticks

_KINDS = {"RT_Labor": ResourceKind.WORK, "RT_Equip": ResourceKind.MACHINE, "RT_Mat": ResourceKind.MATERIAL}


def read_resources(tables: Tables, calendars: Calendars) -> dict[str, Resource]:
    """Resources and roles, by "rsrc ID" and "role ID"."""
    rates: dict[str, list[tuple[Ticks, float]]] = defaultdict(list)
    for row in tables.of("RSRCRATE"):
        start, most = row.ticks("start_date"), row.number("max_qty_per_hr")
        if start is not None and most > 0:
            rates[row.text("rsrc_id")].append((start, most))
    found: dict[str, Resource] = {}
    for row in tables.of("RSRC"):
        key = row.text("rsrc_id")
        found.setdefault(f"rsrc {key}", _resource(row, len(found) + 1, calendars, sorted(rates[key])))
    for row in tables.of("ROLES"):
        name = row.text("role_name") or row.text("role_short_name")
        role = Resource(len(found) + 1, name, source=row.text("role_short_name"), fields=(("Kind", "role"),))
        found.setdefault(f"role {row.text('role_id')}", role)
    return found


def _resource(row: Row, number: int, calendars: Calendars, rates: list[tuple[Ticks, float]]) -> Resource:
    units = [most for _, most in rates]
    starts = [start for start, _ in rates]
    steps = zip(starts, [*starts[1:], MOST_TICKS], units, strict=True)
    own = row.number("def_qty_per_hr")
    return Resource(
        number,
        row.text("rsrc_name") or row.text("rsrc_short_name"),
        _KINDS.get(row.text("rsrc_type"), ResourceKind.WORK),
        units[0] if units else own if own > 0 else 1.0,
        calendars.find(row.text("clndr_id"), row),
        tuple(Capacity(*step) for step in steps) if len(set(units)) > 1 else (),
        source=row.text("rsrc_short_name"),
    )


def read_assignments(tables: Tables, made: Rows, resources: dict[str, Resource]) -> tuple[Assignment, ...]:
    """Assignments of the tasks there are; several of one resource to one task are one with their sum."""
    found: dict[tuple[int, int], Assignment] = {}
    for row in tables.of("TASKRSRC"):
        task = made.ids.get(row.text("task_id"))
        resource = resources.get(f"rsrc {row.text('rsrc_id')}") or resources.get(f"role {row.text('role_id')}")
        if task is None or resource is None:
            continue
        units = row.number("target_qty_per_hr") or row.number("remain_qty_per_hr")
        work = row.hours("act_reg_qty") + row.hours("act_ot_qty") + row.hours("remain_qty")
        if units <= 1e-6 or work < 0:
            name = made.tasks[task - 1].name
            made.notes.append(f"“{name}” uses nothing of “{resource.name}”; the assignment was left out.")
            continue
        before = found.get((task, resource.id))
        if before is not None:
            units, work = units + before.units, work + (before.work or 0)
        found[task, resource.id] = Assignment(task, resource.id, units, work)
    return tuple(found.values())
