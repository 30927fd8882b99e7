"""The grammar of a cell of predecessors: `2FS+3ed,5SS-1d,7FF+50%`, with the codes of several languages.

    cell      = reference (("," | ";") reference)*
    reference = id [kind] [("+" | "-") (length | number "%" | number "e%")]
    kind      = FS SS FF SF, EA AA EE AE (German), FD DD DF (French), FC CC CF (Spanish), FI II IF (Italian) ...
It never knows which tasks there are, but for telling an id that looks like a lag.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from engine.formats.table.durations import Units, number, parse_span, to_text
from engine.model import DependencyKind, Lag, LagKind

_CODES = {
    DependencyKind.FS: "FS EA FD FC FI EB TI",
    DependencyKind.SS: "SS AA DD CC II BB",
    DependencyKind.FF: "FF EE TT",
    DependencyKind.SF: "SF AE DF CF IF BE IT",
}
_KINDS = {code: kind for kind, codes in _CODES.items() for code in codes.split()}
_KIND = "|".join(_KINDS)
_ID = rf"\s*(?P<id>[^\s,;](?:[^,;]*?[^\s,;])??)\s*(?P<kind>(?i:{_KIND}))?"
_UNIT = r"(?P<unit>[eE]?%|[^\W\d_]+(?:\s+[^\W\d_]+)?\.?)"
_END = r"\??\s*(?:[,;]|$)"
# A comma between digits is decimal where a unit follows: “2EA+1,5 Tage”; else it stands between two references.
_DECIMAL_COMMA = re.compile(rf"{_ID}\s*(?P<sign>[+-])\s*(?P<amount>\d+,\d+)\s*{_UNIT}{_END}")
_PLAIN = re.compile(rf"{_ID}\s*(?:(?P<sign>[+-])\s*(?P<amount>\d+(?:\.\d+)?)\s*{_UNIT}?)?{_END}")
_GANTT_PROJECT = re.compile(r"\s*(?P<id>\d+)-(?P<kind>FS|SS|FF|SF)=P(?P<days>-?\d+)D\s*(?:[,;]|$)")
_LONGEST = 100_000
_LONGEST_PART = 100


@dataclass(frozen=True, slots=True)
class Reference:
    """Another task by the id in the table, and how it is linked."""

    id: str
    kind: DependencyKind = DependencyKind.FS
    lag: Lag = field(default_factory=Lag)


class UnreadableError(ValueError):
    """The part of a cell that is not of this grammar."""


def parse_references(text: str, units: Units, known: Container[str] = ()) -> tuple[Reference, ...]:
    """The references of a cell, in their order. Raises UnreadableError with the part that cannot be read."""
    found, at = [], 0
    text = " ".join(text.split()).rstrip(",; ")
    if len(text) > _LONGEST:
        raise UnreadableError(f"{text[:20]}...")
    while at < len(text):
        part = re.split("[,;]", text[at : at + _LONGEST_PART], maxsplit=1)[0]
        if part.strip() in known:
            found.append(Reference(part.strip()))
            at += len(part) + 1
            continue
        reference, at = _next(text, at, units)
        if reference is None or len(part) >= _LONGEST_PART:
            raise UnreadableError(part.strip() or text[at:])
        found.append(reference)
    return tuple(found)


def _next(text: str, at: int, units: Units) -> tuple[Reference | None, int]:
    for pattern in (_GANTT_PROJECT, _DECIMAL_COMMA, _PLAIN):
        matched = pattern.match(text, at, at + _LONGEST_PART)
        reference = _reference(matched, units) if matched else None
        if matched and reference:
            return reference, matched.end()
    return None, at


def _reference(matched: re.Match[str], units: Units) -> Reference | None:
    groups = matched.groupdict()
    kind = _KINDS[groups["kind"].upper()] if groups["kind"] else DependencyKind.FS
    if "days" in groups:
        return Reference(groups["id"], kind, Lag(int(groups["days"]) * units.day))
    lag = _lag(groups["sign"] == "-", groups["amount"], groups["unit"] or "", units) if groups["sign"] else Lag()
    return None if lag is None else Reference(groups["id"], kind, lag)


def _lag(is_lead: bool, amount: str, unit: str, units: Units) -> Lag | None:
    sign = -1 if is_lead else 1
    if unit.endswith("%"):
        return Lag(sign * round(number(amount)), LagKind.PERCENT if unit == "%" else LagKind.ELAPSED_PERCENT)
    span = parse_span(f"{amount} {unit}", units)
    if span is None:
        return None
    return Lag(sign * span.ticks, LagKind.ELAPSED if span.is_elapsed else LagKind.WORKING)


def format_references(references: Iterable[Reference], units: Units) -> str:
    """The cell that says these references; read back it gives the same ones."""
    return ",".join(f"{reference.id}{_suffix(reference, units)}" for reference in references)


def _suffix(reference: Reference, units: Units) -> str:
    lag = reference.lag
    if not lag.amount:
        return "" if reference.kind is DependencyKind.FS else reference.kind.value
    sign, amount = ("-" if lag.amount < 0 else "+"), abs(lag.amount)
    if lag.kind.is_percent:
        return f"{reference.kind.value}{sign}{amount}{'e' if lag.kind.is_elapsed else ''}%"
    return f"{reference.kind.value}{sign}{to_text(amount, units, is_elapsed=lag.kind.is_elapsed)}"
