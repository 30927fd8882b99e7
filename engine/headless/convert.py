"""The verb `convert`: a plan from one format to another, whole or not at all. It never touches the file it reads.

A file that is replaced stays beside as NAME~1; why it is replaced at all stands in docs/decisions.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import FormatError
from engine.formats import find_format, find_format_to_save, loom
from engine.headless.reading import read_plan
from engine.model import Plan
from engine.session.redated import redated


def answer(source: str, target: str, *, may_replace: bool = True) -> tuple[int, object, str]:
    """Exit code 0 once the target is written, and a document that names it.

    What the target cannot hold, and which dates change, stands in the document and goes to stderr, where what was
    noted on the way in goes as well.
    """
    writer = find_format_to_save(target)
    reader = find_format(source)
    is_replaced = is_replacing(source, target, may_replace=may_replace)
    file = loom.load_file(source) if reader is loom else None
    if file is not None and writer is loom:
        losses = loom.save(target, file.plan, file.runs, branches=file.branches)
    else:
        losses = write(read_plan(source), target)
        if file is not None and file.branches:
            names = ", ".join(f"“{each.name}”" for each in file.branches)
            losses = (*losses, f"Branches are not kept: {target} holds the main plan, and leaves out {names}.")
    said = say_written(target, losses, is_replaced=is_replaced)
    return 0, {"output": target, "notes": said}, ""


def write(plan: Plan, target: str) -> tuple[str, ...]:
    """Writes a plan in the format that a file's name promises, and tells what is lost or dated otherwise there."""
    writer = find_format_to_save(target)
    losses = writer.save(target, plan)
    return losses if writer is loom else (*losses, *redated(plan, target, writer))


def say_written(target: str, losses: Sequence[str], *, is_replaced: bool) -> list[str]:
    """What was lost, and where what was replaced is now: said on stderr, and given back."""
    said = [*losses, *([f"{target} was replaced; what it held is kept as {target}~1."] if is_replaced else [])]
    sys.stderr.writelines(f"{sentence}\n" for sentence in said)
    return said


def is_replacing(source: str, target: str, *, may_replace: bool = True) -> bool:
    """Whether the target is there already. Raises FormatError where it may not be replaced."""
    if not Path(target).exists():
        return False
    if Path(target).samefile(source):
        raise FormatError(f"{target} is the file that is read: give the new one another name.", path=target)
    if not may_replace:
        raise FormatError(f"{target} is there already, and --no-replace keeps it: give another name.", path=target)
    return True
