"""Typed links: what a person typed as the kind and lag of one link, as the edit that it means. It never makes one.

link = FS+2d | SS-1d | FF+50% | FS+2d max 5d, which is a lag of two days that may become five at most
     | FS+2d range 1d..2d..4d | FS+2d ±1d, which is a lag that is not certain, in the words of typed_spreads.py
"""

from __future__ import annotations

import re
from dataclasses import replace

from engine.errors import PlanError
from engine.formats.table.predecessors import Reference, UnreadableError, format_references, parse_references
from engine.model import Dependency, DependencyKind, Lag, Plan
from engine.session.cell_words import units_of
from engine.session.edits import ChangeLink
from engine.session.typed_spreads import ranged_lag, read_spread, spread_text

# The grammar of cells names a task before the kind and the lag.
_SOME = "1"
_RANGE = re.compile(r"(.*?)\s*(?:\brange\b:?\s*|~\s*|(?=±|\+/-))(.*)", re.IGNORECASE | re.DOTALL)
_LONGEST = re.compile(r"(.*?)\s*(?:\bmax\b\.?|\bat most\b|<=|≤)\s*(.*)", re.IGNORECASE | re.DOTALL)


def link_text(plan: Plan, link: Dependency) -> str:
    """Kind and lag: "FS+2d" or "FF", with the longest lag and its range behind it: "FS+2d max 5d range 1d..2d..4d"."""
    text = _suffix(plan, link.kind, link.lag)
    if link.longest is not None:
        text = f"{text} max {longest_text(plan, link)}"
    spread = spread_text(ranged_lag(plan, link), link.spread)
    return f"{text} range {spread}" if spread else text


def longest_text(plan: Plan, link: Dependency) -> str:
    """The longest lag of a link alone, "5d"; empty where it has none."""
    if link.longest is None:
        return ""
    most = _suffix(plan, link.kind, replace(link.lag, amount=link.longest)).removeprefix(link.kind.value)
    return most.removeprefix("+") or "0"


def _suffix(plan: Plan, kind: DependencyKind, lag: Lag) -> str:
    return format_references([Reference(_SOME, kind, lag)], units_of(plan)).removeprefix(_SOME) or kind.value


def typed_link(plan: Plan, link: Dependency, text: str) -> ChangeLink:
    """The link with the kind and lag of a text, its longest lag and its range if it says such. Raises PlanError."""
    ranged = _RANGE.fullmatch(text.strip())
    text = text.strip() if ranged is None else ranged[1] or DependencyKind.FS.value
    after = _with_lag(plan, link, text)
    spread = None if ranged is None else read_spread(ranged_lag(plan, after), ranged[2])
    return ChangeLink(link, replace(after, spread=spread))


def _with_lag(plan: Plan, link: Dependency, text: str) -> Dependency:
    parts = _LONGEST.fullmatch(text.strip())
    kind, lag = _read(plan, link, text.strip() if parts is None else parts[1] or DependencyKind.FS.value)
    longest = None
    if parts is not None:
        most = parts[2].strip()
        _, found = _read(plan, link, f"FS{most if most[:1] in {'+', '-'} else f'+{most}'}", most)
        if lag.amount and found.amount and found.kind is not lag.kind:
            sentence = f"“{most}” is counted otherwise than the lag of “{text.strip()}”: write both in the same units."
            raise PlanError(sentence, ids=(link.successor,))
        lag, longest = (lag if lag.amount else replace(found, amount=0)), found.amount
        if longest < lag.amount:
            sentence = f"A lag of “{parts[1]}” cannot be “{most}” at most: the longest lag is the greater of the two."
            raise PlanError(sentence, ids=(link.successor,))
    return replace(link, kind=kind, lag=lag, longest=longest)


def _read(plan: Plan, link: Dependency, text: str, said: str = "") -> tuple[DependencyKind, Lag]:
    try:
        found = parse_references(f"{_SOME}{text}", units_of(plan))
    except UnreadableError:
        found = ()
    if len(found) != 1 or found[0].id != _SOME:
        sentence = f"“{said or text}” cannot be read: write FS+3d, SS-1d, FF+2ed, FF+50%, or FS+1d max 3d."
        raise PlanError(sentence, ids=(link.successor,))
    return found[0].kind, found[0].lag


def of_kind(link: Dependency, kind: DependencyKind) -> ChangeLink:
    """The link with another kind and the same lag."""
    return ChangeLink(link, replace(link, kind=kind))
