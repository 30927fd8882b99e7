"""Safe XML: a file as a tree of elements that know their lines, and text put back. It never reads another file.

A document type, and with it every entity, is refused before anything of it is read. Depth and size have limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from os import fstat
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from engine.errors import FormatError
from engine.formats.progress import tell
from engine.formats.text import file_error, read_head

_CHUNK = 1 << 18
_HEAD = 1 << 14
_MOST_BYTES = 1 << 27
_MOST_ELEMENTS = 4_000_000
_MOST_TEXT = 1 << 24
_DEEPEST = 200
# Of the reading of a file: what is made of the elements takes the rest.
_SHARE = 0.4
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKED = re.compile("[&<>]")
_MARKUP = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): "&#13;"}
_QUOTED = _MARKUP | {ord('"'): "&quot;", ord("\n"): "&#10;", ord("\t"): "&#9;"}
# Shared by all elements that have none: made anew before anything is put in.
_NO_ATTRIBUTES: dict[str, str] = {}
_NO_CHILDREN: list[Element] = []


@dataclass(slots=True, eq=False)
class Element:
    """One element: its name and namespace, its own text where it has no children, and its line (from 1)."""

    tag: str
    space: str = ""
    line: int = 0
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def find(self, tag: str) -> Element | None:
        """The first child of this name."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> Iterator[Element]:
        """The children of this name, in their order."""
        return (child for child in self.children if child.tag == tag)

    def get(self, tag: str, default: str = "") -> str:
        """The text of the first child of this name."""
        found = self.find(tag)
        return default if found is None else found.text

    def below(self, *tags: str) -> list[Element]:
        """The elements at the end of a path of names, e.g. below("Tasks", "Task")."""
        found = [self]
        for tag in tags:
            found = [child for element in found for child in element.all(tag)]
        return found


class _RefusedError(Exception):
    """Why a document is not read further, as the end of a sentence."""


class _RootFound(Exception):  # noqa: N818  (it ends a search, nothing has failed)
    """The first element has begun."""


class _Builder:
    """Makes elements of what the parser meets."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._texts: list[str] = []
        self._names: dict[str, tuple[str, str]] = {}
        self._count = 0
        self.parser = expat.ParserCreate(namespace_separator="\n")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._texts.append
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _MOST_ELEMENTS:
            raise _RefusedError(f"has more than {_MOST_ELEMENTS:,} elements")
        space, tag = self._names.get(name) or self._name(name)
        named = _NO_ATTRIBUTES
        if attributes:
            named = {(self._names.get(key) or self._name(key))[1]: value for key, value in attributes.items()}
        element = Element(tag, space, self.parser.CurrentLineNumber, named, "", _NO_CHILDREN)
        above = self._open
        if above:
            parent = above[-1]
            if parent.children is _NO_CHILDREN:
                parent.children = [element]
            else:
                parent.children.append(element)
            if len(above) >= _DEEPEST:
                raise _RefusedError(f"is nested more than {_DEEPEST} elements deep")
        else:
            self.root = element
        above.append(element)
        self._texts.clear()

    def _end(self, _name: str) -> None:
        element = self._open.pop()
        if self._texts:
            if element.children is _NO_CHILDREN:
                element.text = "".join(self._texts)
                if len(element.text) > _MOST_TEXT:
                    raise _RefusedError(f"has a text of more than {_MOST_TEXT:,} characters")
            self._texts.clear()

    def _name(self, name: str) -> tuple[str, str]:
        space, _, tag = name.rpartition("\n")
        found = self._names[name] = (space, tag)
        return found

    def _refuse(self, *_declaration: object) -> None:
        raise _RefusedError("declares a document type or entities, which are never read")


def read_xml(path: str | Path) -> Element:
    """The root of a file. Raises FormatError with the line for what is broken, too large or declares entities."""
    read_head(path, 1)
    try:
        with Path(path).open("rb") as file:
            length = fstat(file.fileno()).st_size
            return _parse(_chunks(file, length), str(path))
    except OSError as error:
        raise file_error(error, path, "read") from error


def parse_xml(text: str, path: str = "") -> Element:
    """The root of a document in memory; a FormatError names `path`."""
    return _parse((text.encode("utf-8", "replace"),), path)


def read_root(path: str | Path) -> tuple[str, str]:
    """Namespace and name of a file's first element, or two empty texts where it does not begin as XML does."""
    builder = _Builder()

    def found(name: str, _attributes: dict[str, str]) -> None:
        raise _RootFound(name)

    builder.parser.StartElementHandler = found
    try:
        builder.parser.Parse(read_head(path, _HEAD), False)
    except _RootFound as root:
        space, _, tag = str(root).rpartition("\n")
        return space, tag
    except (_RefusedError, expat.ExpatError, LookupError, ValueError):
        pass
    return "", ""


def escape(text: str) -> str:
    """A text for between two tags; characters that no XML can hold are left out."""
    if text.isascii() and text.isprintable() and not _MARKED.search(text):
        return text
    return _ILLEGAL.sub("", text).translate(_MARKUP)


def escape_attribute(text: str) -> str:
    """A text for between the double quotes of an attribute; characters that no XML can hold are left out."""
    return _ILLEGAL.sub("", text).translate(_QUOTED)


def to_text(element: Element) -> str:
    """An element on one line, without namespaces and without the white space between elements."""
    attributes = "".join(f' {name}="{escape_attribute(value)}"' for name, value in element.attributes.items())
    inside = "".join(map(to_text, element.children)) if element.children else escape(element.text)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>" if inside else f"<{element.tag}{attributes}/>"


def _chunks(file: BinaryIO, length: int) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        tell(_SHARE * min(file.tell() / max(length, 1), 1.0))
        yield chunk


def _parse(chunks: Iterable[bytes], path: str) -> Element:
    builder = _Builder()
    parser = builder.parser
    try:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > _MOST_BYTES:
                raise _RefusedError(f"is larger than {_MOST_BYTES >> 20} MB")
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except _RefusedError as error:
        line = parser.CurrentLineNumber
        raise FormatError(f"{path} was refused at line {line}: it {error}.", path=path, line=line) from error
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        what = "ends too early" if error.code in _CUT_OFF else "is not well-formed XML"
        raise FormatError(f"{path} {what} (line {error.lineno}: {why}).", path=path, line=error.lineno) from error
    except (LookupError, ValueError) as error:  # the encoding that it names
        sentence = f"{path} is in an encoding that cannot be read: {' '.join(str(error).split())}."
        raise FormatError(sentence, path=path, line=1) from error
    if builder.root is None:
        raise FormatError(f"{path} holds no XML.", path=path, line=1)
    return builder.root


_CUT_OFF = (
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
)
