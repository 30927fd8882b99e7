"""FILES: one module a format, found by content first and by suffix second. Never asyncio."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from engine.errors import FormatError
from engine.formats import loom
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

    def save(self, path: str | Path, plan: Plan) -> None:
        """Write a plan, whole or not at all."""


FORMATS: tuple[Format, ...] = (loom,)


def find_format(path: str | Path) -> Format:
    """The format of a file there is, by its content, else by its suffix. Raises FormatError: one sentence."""
    read_head(path, 1)
    for known in FORMATS:
        if known.sniff(path):
            return known
    return find_format_by_suffix(path)


def find_format_by_suffix(path: str | Path) -> Format:
    """The format that a file's name promises. Raises FormatError with the suffixes there are."""
    for known in FORMATS:
        if Path(path).suffix.lower() in known.SUFFIXES:
            return known
    suffixes = ", ".join(suffix for known in FORMATS for suffix in known.SUFFIXES)
    raise FormatError(f"{path} is of no kind that Warploom knows; it reads {suffixes}.", path=str(path))
