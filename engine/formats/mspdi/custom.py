"""Custom fields: their names by FieldID and back. It never interprets a value."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.formats.mspdi.kept import Fields
from engine.formats.xml_text import Element, escape, to_text
from engine.model import NOTES

# A name such as "gan:rubber" is what another format keeps for itself.
FOREIGN = re.compile(r"[a-z]+:", re.ASCII)
TASK, RESOURCE = 0xB4, 0xC4  # the first bits of a FieldID say what it is of
_KIND_BITS = 20
_TEXTS = {
    TASK: (
        *(188_743_731 + 3 * n for n in range(6)),
        *range(188_743_747, 188_743_751),
        *range(188_743_997, 188_744_017),
    ),
    RESOURCE: (
        *(205_520_904, 205_520_905, 205_520_926, 205_520_927, 205_520_928),
        *range(205_520_993, 205_520_998),
        *range(205_521_121, 205_521_141),
    ),
}
_SIMPLE = {"FieldID", "Value", "UID"}


class CustomFields:
    """The custom fields of one kind of row, TASK or RESOURCE.

    A field's name is what a person called it, else what the program does (Text1).
    """

    def __init__(self, kind: int, attributes: Iterable[Element]) -> None:
        self._kind = kind
        texts = {number: f"Text{place}" for place, number in enumerate(_TEXTS[kind], start=1)}
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()
        self._added: dict[int, str] = {}
        self._programs = dict(texts)
        for attribute in attributes:
            number = _number(attribute.get("FieldID"))
            if number >> _KIND_BITS == kind:
                self._programs[number] = attribute.get("FieldName").strip() or texts.get(number, "")
                self._name(number, attribute.get("Alias"))
        for number in texts:
            if number not in self._names:
                self._name(number, "")
        self._numbers = {name: number for number, name in self._names.items()}

    def _name(self, number: int, alias: str) -> None:
        """The first of alias and the program's name that is free and would not be taken for something else."""
        for name in (alias.strip(), self._programs[number]):
            if name and name not in self._taken and name != NOTES and not FOREIGN.match(name):
                self._names[number] = name
                self._taken.add(name)
                return

    def read(self, row: Element, more: list[Element]) -> Fields:
        """The fields of a row that have a name; what says more than a value is also added to `more`."""
        found: list[tuple[str, str]] = []
        for element in row.all("ExtendedAttribute"):
            name = self._names.get(_number(element.get("FieldID")))
            if name is not None:
                found.append((name, element.get("Value")))
            if name is None or {child.tag for child in element.children} - _SIMPLE:
                more.append(element)
        return tuple(found)

    def write(self, fields: Fields, kept: Iterable[Element]) -> tuple[str, list[str]]:
        """The elements of a row's fields, and the names for which there is no place left."""
        raw: dict[int, list[Element]] = {}
        for element in kept:
            raw.setdefault(_number(element.get("FieldID")), []).append(element)
        parts: list[str] = []
        lost: list[str] = []
        for name, value in fields:
            if name == NOTES or FOREIGN.match(name):
                continue
            number = self._number_of(name)
            if number is None:
                lost.append(name)
                continue
            same = [element for element in raw.get(number, ()) if element.get("Value") == value]
            parts.append(to_text(same[0]) if same else _plain(number, value))
        unnamed = (to_text(each) for number, found in raw.items() if number not in self._names for each in found)
        return "".join((*parts, *unnamed)), lost

    def added(self) -> str:
        """Definitions of the names that writing has added."""
        return "".join(
            f"<ExtendedAttribute><FieldID>{number}</FieldID><FieldName>{self._programs[number]}</FieldName>"
            f"<Alias>{escape(name)}</Alias></ExtendedAttribute>"
            for number, name in self._added.items()
        )

    def _number_of(self, name: str) -> int | None:
        """The FieldID of a name; a new name is given one of the texts that nobody has named, from the last."""
        if name not in self._numbers:
            usual = ((number, f"Text{place}") for place, number in enumerate(_TEXTS[self._kind], start=1))
            free = [number for number, program in usual if self._names.get(number) == program]
            free = [number for number in free if number not in self._added]
            if not free or name != name.strip() or not name:
                return None
            self._added[free[-1]] = name
            self._numbers[name] = free[-1]
        return self._numbers[name]


def definitions(elements: Iterable[Element]) -> list[Element]:
    """The definitions among the elements of a project."""
    return [each for element in elements if element.tag == "ExtendedAttributes" for each in element.children]


def _number(text: str) -> int:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def _plain(number: int, value: str) -> str:
    return f"<ExtendedAttribute><FieldID>{number}</FieldID><Value>{escape(value)}</Value></ExtendedAttribute>"
