"""What a file says beyond the model, kept as text in the fields of a row so that it can be written again.

It never says what such text means. MORE holds elements as they stood; TIMED holds the timephased figures of one
assignment or task, a line each, since they are most of many files.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from engine.errors import FormatError
from engine.formats.xml_text import Element, escape, parse_xml, to_text

PREFIX = "mspdi:"
MORE = "mspdi:more"
TIMED = "mspdi:timephased"
BLANK = "mspdi:blank"
ASSIGNMENTS = "mspdi:assignments"
_COLUMNS = ("Type", "UID", "Start", "Finish", "Unit", "Value")

Fields = tuple[tuple[str, str], ...]


def tags(names: str) -> frozenset[str]:
    """Names of elements, out of a text that holds them with spaces between."""
    return frozenset(names.split())


def keep(name: str, text: str) -> Fields:
    """A field, or none where there is no text."""
    return ((name, text),) if text else ()


def field(fields: Fields, name: str) -> str:
    """The text of a field, or an empty one."""
    return next((text for found, text in fields if found == name), "")


def texts(elements: Iterable[Element], understood: Container[str] = ()) -> str:
    """The elements that are not understood, one after the other."""
    return "".join(to_text(element) for element in elements if element.tag not in understood)


def elements(text: str) -> list[Element]:
    """The elements of a kept text; none where it is broken, since a person may have changed it."""
    if not text:
        return []
    try:
        return parse_xml(f"<kept>{text}</kept>").children
    except FormatError:
        return []


def keep_timed(found: Iterable[Element]) -> tuple[Fields, list[Element]]:
    """Timephased figures as one field, and those that have more to say than fits in."""
    lines, others = [], []
    for element in found:
        values = {child.tag: child.text for child in element.children}
        columns = [values.get(column, "") for column in _COLUMNS]
        if len(values) != len(element.children) or set(values) - set(_COLUMNS) or any(" " in c for c in columns):
            others.append(element)
        else:
            lines.append(" ".join(columns).rstrip())
    return keep(TIMED, "\n".join(lines)), others


def timed(fields: Fields) -> list[tuple[str, ...]]:
    """The lines of the timephased figures: type, UID, start, finish, unit, value."""
    lines = field(fields, TIMED).split("\n")
    rows = (tuple(line.split(" ")) for line in lines if line)
    return [(row + ("",) * len(_COLUMNS))[: len(_COLUMNS)] for row in rows]


def timed_xml(rows: Iterable[tuple[str, ...]]) -> str:
    """Timephased figures as elements again."""
    return "".join(f"<TimephasedData>{''.join(map(_column, _COLUMNS, row))}</TimephasedData>" for row in rows)


def _column(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>" if text else ""
