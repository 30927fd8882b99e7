"""FILES: one module a format, found by content first and by suffix second. Never asyncio."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

from engine.errors import FormatError
from engine.formats import csv, fjsplib, gan, ics, jsplib, loom, mpp, mspdi, psplib, xer, xlsx
from engine.formats.text import read_head
from engine.model import Plan


class Format(Protocol):
    """What every module of a format offers. Its errors are FormatErrors: one sentence with the path."""

    TITLE: str
    SUFFIXES: tuple[str, ...]

    def sniff(self, path: str | Path) -> bool:
        """Whether the content of a file is of this format."""

    def load(self, path: str | Path) -> Plan:
        """The plan in a file, checked; the file is left as it is."""


@runtime_checkable
class SavingFormat(Format, Protocol):
    """A format that can be written too: a module that has no `save` is only read."""

    def save(self, path: str | Path, plan: Plan) -> tuple[str, ...]:
        """Write a plan, whole or not at all; returns a sentence for each thing of it that such a file cannot hold."""


_Kind = TypeVar("_Kind", bound=Format)

# One line a format; the first whose content matches takes a file.
FORMATS: tuple[Format, ...] = (loom, mspdi, gan, xer, ics, xlsx, mpp, jsplib, fjsplib, psplib, csv)


def find_format(path: str | Path) -> Format:
    """The format of a file there is, by its content, else by its suffix. Raises FormatError: one sentence."""
    read_head(path, 1)
    for known in FORMATS:
        if known.sniff(path):
            return known
    return find_format_by_suffix(path)


def find_format_by_suffix(path: str | Path) -> Format:
    """The format that a file's name promises. Raises FormatError with the suffixes there are."""
    return _by_suffix(path, FORMATS, "reads")


def find_format_to_save(path: str | Path) -> SavingFormat:
    """The format to write a file of this name in. Raises FormatError with the suffixes there are."""
    return _by_suffix(path, tuple(known for known in FORMATS if isinstance(known, SavingFormat)), "writes")


def _by_suffix(path: str | Path, formats: tuple[_Kind, ...], verb: str) -> _Kind:
    for known in formats:
        if Path(path).suffix.lower() in known.SUFFIXES:
            return known
    suffixes = ", ".join(dict.fromkeys(suffix for known in formats for suffix in known.SUFFIXES))
    raise FormatError(f"{path} is of no kind that Warploom {verb}: choose one of {suffixes}.", path=str(path))
