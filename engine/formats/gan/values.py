"""Values of attributes, and what to say where one is none. It knows nothing of plans."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.errors import FormatError
from engine.formats.gan.days import day_of
from engine.formats.xml_text import Element

_Number = TypeVar("_Number", int, float)


class Values:
    """Reads attributes of one file's elements, and keeps notes of what was left out of it."""

    def __init__(self, path: str) -> None:
        self.left_out: list[str] = []
        self._path = path

    def text(self, element: Element, name: str) -> str:
        """An attribute that must be there."""
        text = element.attributes.get(name, "").strip()
        if not text:
            raise self.error(element, f"has a <{element.tag}> without “{name}”")
        return text

    def day(self, element: Element, name: str) -> int:
        """A date, in days since 1970-01-01."""
        return self._value(element, name, self.text(element, name), day_of, "date")

    def integer(self, element: Element, name: str, usual: str) -> int:
        """A whole number."""
        return self._value(element, name, element.attributes.get(name, usual), _integer, "whole number of days")

    def decimal(self, element: Element, name: str, usual: str) -> float:
        """A number."""
        return self._value(element, name, element.attributes.get(name, usual), _decimal, "number")

    def _value(self, element: Element, name: str, text: str, convert: Callable[[str], _Number], what: str) -> _Number:
        try:
            return convert(text)
        except (ValueError, OverflowError) as error:
            raise self.error(element, f"has “{name}” = “{text:.60}”, which is no {what}") from error

    def error(self, element: Element, what: str) -> FormatError:
        """What is wrong with the file, as a sentence with the path and the line; `what` follows the path."""
        return FormatError(f"{self._path} {what} (line {element.line}).", path=self._path, line=element.line)

    def note(self, element: Element, what: str) -> None:
        """Something that is left out, and why."""
        self.left_out.append(f"Line {element.line} was left out: {what}.")


def _integer(text: str) -> int:
    if len(text) > 12:
        raise ValueError(text)
    return int(text)


def _decimal(text: str) -> float:
    value = float(text)
    if not abs(value) < 1e15:  # nor NaN
        raise ValueError(text)
    return value
