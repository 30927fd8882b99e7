"""iCalendar's content lines (RFC 5545, 3.1): unfolded, split and unescaped, and the other way round. Never a date."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST_BYTES = 1 << 24
_MOST_LINES = 1_000_000
_LONGEST_HEAD = 8192  # characters before the colon
_MOST_OCTETS = 75  # of a line, without its end
_ESCAPES = {"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z0-9-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """A property: its name in capitals, its parameters, its value as it stands, and its line in the file (from 1)."""

    number: int
    name: str
    value: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def head(self) -> str:
        """All before the colon, as in DTSTART;VALUE=DATE."""
        return self.name + "".join(f";{name}={value}" for name, value in self.parameters.items())


def read_lines(data: bytes) -> Iterator[Line]:
    """The properties of a file. Raises ValueError(line) where one is none, or is no UTF-8, or where it gets absurd."""
    for number, raw in _unfolded(data):
        if raw.strip():
            try:
                yield _split(number, raw.decode("utf-8"))
            except UnicodeDecodeError:
                raise ValueError(number) from None


def _unfolded(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Whole lines and where they begin. A fold may part the bytes of one character."""
    began, parts = 1, [b""]
    for number, raw in enumerate(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")), start=1):
        if number > _MOST_LINES:
            raise ValueError(number)
        line = raw.rstrip(b"\r\n")
        if line[:1] in (b" ", b"\t"):
            parts.append(line[1:])
            continue
        yield began, b"".join(parts)
        began, parts = number, [line]
    yield began, b"".join(parts)


def _split(number: int, text: str) -> Line:
    start, value = _cut(text[:_LONGEST_HEAD], ":")
    name, rest = _cut(start, ";")
    if value is None or not _NAME.fullmatch(name):
        raise ValueError(number)
    value = text[len(start) + 1 :]
    parameters = {}
    while rest:
        parameter, rest = _cut(rest, ";")
        key, _, content = parameter.partition("=")
        parameters[key.upper()] = content
    return Line(number, name.upper(), value, parameters)


def _cut(text: str, mark: str) -> tuple[str, str | None]:
    """What stands before and after the first mark outside of quotes; None where there is no mark."""
    at = text.find(mark)
    while at >= 0 and text.count('"', 0, at) % 2:
        at = text.find(mark, at + 1)
    return (text, None) if at < 0 else (text[:at], text[at + 1 :])


def unescape(value: str) -> str:
    """A TEXT value as a person wrote it."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def escape(text: str) -> str:
    """A text as a TEXT value; what no line can hold is left out."""
    escaped = "".join(_ESCAPES.get(each, each) for each in text.replace("\r\n", "\n").replace("\r", "\n"))
    return _CONTROLS.sub("", escaped)


def clean(value: str) -> str:
    """A value that was kept as it stood, without what would end its line."""
    return _CONTROLS.sub("", value)


def is_head(text: str) -> bool:
    """Whether a name with its parameters can stand before a colon."""
    name = text.partition(";")[0]
    return (
        bool(_NAME.fullmatch(name)) and clean(text) == text and _cut(text, ":")[1] is None and not text.count('"') % 2
    )


def fold(line: str) -> str:
    """A line in pieces of at most 75 octets, none of which parts a character; its end is there too."""
    pieces, octets, room = [""], 0, _MOST_OCTETS
    for each in line:
        size = len(each.encode())
        if octets + size > room:
            pieces.append("")
            octets, room = 0, _MOST_OCTETS - 1  # the space before it counts
        pieces[-1] += each
        octets += size
    return "\r\n ".join(pieces) + "\r\n"
