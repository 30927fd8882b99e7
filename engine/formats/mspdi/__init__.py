"""Microsoft Project's XML (MSPDI), read. It never reads a second file."""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError
from engine.formats.mspdi.reading import read_project
from engine.formats.xml_text import read_root, read_xml
from engine.model import Plan

TITLE = "Microsoft Project XML"
SUFFIXES: tuple[str, ...] = (".xml",)
_SPACE = "http://schemas.microsoft.com/project"


def sniff(path: str | Path) -> bool:
    """Whether the first element is a project of Microsoft's. Raises FormatError if unreadable."""
    space, tag = read_root(path)
    return tag == "Project" and space.startswith(_SPACE)


def load(path: str | Path) -> Plan:
    """The plan of a file, checked. Raises FormatError: one sentence with the path and the line."""
    project = read_xml(path)
    if project.tag != "Project" or not project.space.startswith(_SPACE):
        raise FormatError(f"{path} is XML, but no project of Microsoft Project.", path=str(path), line=project.line)
    try:
        return read_project(project)
    except FormatError as error:
        where = f" (line {error.line})" if error.line else ""
        sentence = f"{path} was not read{where}: {error.sentence}."
        raise FormatError(sentence, ids=error.ids, path=str(path), line=error.line) from error
