"""Typed links: what a person typed as the kind and lag of one link, as the edit that it means. It never makes one."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import PlanError
from engine.formats.table.predecessors import Reference, UnreadableError, format_references, parse_references
from engine.model import Dependency, DependencyKind, Plan
from engine.session.cell_words import units_of
from engine.session.edits import ChangeLink

# The grammar of cells names a task before the kind and the lag.
_SOME = "1"


def link_text(plan: Plan, link: Dependency) -> str:
    """Kind and lag: "FS+2d", "SS-1d" or "FF"."""
    text = format_references([Reference(_SOME, link.kind, link.lag)], units_of(plan)).removeprefix(_SOME)
    return text or link.kind.value


def typed_link(plan: Plan, link: Dependency, text: str) -> ChangeLink:
    """The link with the kind and lag of a text. Raises PlanError for one that cannot be read."""
    try:
        found = parse_references(f"{_SOME}{text.strip()}", units_of(plan))
    except UnreadableError:
        found = ()
    if len(found) != 1 or found[0].id != _SOME:
        raise PlanError(
            f"“{text.strip()}” cannot be read: write FS+3d, SS-1d, FF+2ed or FF+50%.", ids=(link.successor,)
        )
    return ChangeLink(link, replace(link, kind=found[0].kind, lag=found[0].lag))


def of_kind(link: Dependency, kind: DependencyKind) -> ChangeLink:
    """The link with another kind and the same lag."""
    return ChangeLink(link, replace(link, kind=kind))
