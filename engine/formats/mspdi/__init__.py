"""Microsoft Project's XML (MSPDI), read and written. It never reads a second file.

What the model has no place for is kept as text in fields, so that writing the same format gives it back.
"""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.mspdi.reading import read_project
from engine.formats.mspdi.writing import SPACE, to_bytes
from engine.formats.replacing import write_file
from engine.formats.shop_losses import shop_losses
from engine.formats.xml_text import read_root, read_xml
from engine.model import Plan

TITLE = "Microsoft Project XML"
SUFFIXES: tuple[str, ...] = (".xml",)


def sniff(path: str | Path) -> bool:
    """Whether the first element is a project of Microsoft's. Raises FormatError if unreadable."""
    space, tag = read_root(path)
    return tag == "Project" and space.startswith(SPACE)


def load(path: str | Path) -> Plan:
    """The plan of a file, checked. Raises FormatError: one sentence with the path and the line."""
    project = read_xml(path)
    if project.tag != "Project" or not project.space.startswith(SPACE):
        raise FormatError(f"{path} is XML, but no project of Microsoft Project.", path=str(path), line=project.line)
    try:
        return read_project(project)
    except FormatError as error:
        where = f" (line {error.line})" if error.line else ""
        sentence = f"{path} was not read{where}: {' '.join(error.sentence.split())}."
        raise FormatError(sentence, ids=error.ids, path=str(path), line=error.line) from error


def save(path: str | Path, plan: Plan) -> tuple[str, ...]:
    """Write a plan with the dates of its schedule, whole or not at all.

    Returns a sentence for each kind of thing that such a file cannot hold. Raises FormatError: one sentence with the
    path; the file is then as it was.
    """
    try:
        data, losses = to_bytes(plan.check())
    except (FormatError, PlanError) as error:
        sentence = f"{path} was not written. {' '.join(error.sentence.split()).rstrip('.')}."
        raise FormatError(sentence, ids=error.ids, path=str(path)) from error
    write_file(path, data)
    return (*losses, *shop_losses(plan))
