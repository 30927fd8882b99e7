"""GanttProject's .gan, read and written. It never moves a task: what we would move is shown beside what it recorded."""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.gan.reading import read_plan
from engine.formats.gan.writing import write_plan
from engine.formats.replacing import write_file
from engine.formats.shop_losses import shop_losses
from engine.formats.text import read_head
from engine.formats.xml_text import read_root, read_xml
from engine.model import Clock, Plan

TITLE = "GanttProject plan"
SUFFIXES: tuple[str, ...] = (".gan",)
_HEAD = 4096


def sniff(path: str | Path) -> bool:
    """Whether a file is one of GanttProject's (GNOME Planner's have the same first element)."""
    return read_root(path) == ("", "project") and b"mrproject-version" not in read_head(path, _HEAD)


def load(path: str | Path) -> Plan:
    """The plan of a file. Raises FormatError: one sentence with the path, and the line where there is one."""
    head = read_head(path, _HEAD)
    if not head:
        raise FormatError(f"{path} is empty: it holds no plan; look for its backup.", path=str(path))
    if not head.strip(b"\0"):
        sentence = f"{path} holds nothing but zero bytes: it was lost while it was saved; look for its backup."
        raise FormatError(sentence, path=str(path))
    root = read_xml(path)
    if root.tag != "project":
        sentence = f"{path} is not a plan of GanttProject: it begins with <{root.tag[:60]}>."
        raise FormatError(sentence, path=str(path), line=root.line)
    try:
        return read_plan(root, str(path))
    except PlanError as error:
        raise FormatError(f"{path} holds no valid plan. {error.sentence}", ids=error.ids, path=str(path)) from error


def save(path: str | Path, plan: Plan) -> tuple[str, ...]:
    """Write a plan; returns a sentence for each thing of it that GanttProject cannot hold. Raises FormatError."""
    if plan.clock is not Clock.CALENDAR:
        raise FormatError(f"{path} was not written: GanttProject knows no plans of devices.", path=str(path))
    try:
        text, losses = write_plan(plan.check())
    except PlanError as error:
        raise FormatError(f"{path} was not written. {error.sentence}", ids=error.ids, path=str(path)) from error
    write_file(path, text.encode())
    return (*losses, *shop_losses(plan))
