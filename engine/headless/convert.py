"""The verb `convert`: a plan from one format to another, whole or not at all. It never touches the file it reads."""

from __future__ import annotations

import sys

from engine.formats import find_format, find_format_to_save, loom


def answer(source: str, target: str) -> tuple[int, object, str]:
    """Exit code 0 once the target is written. What was noted on the way in, and what it cannot hold, go to stderr."""
    writer = find_format_to_save(target)
    reader = find_format(source)
    if reader is loom and writer is loom:
        file = loom.load_file(source)
        loom.save(target, file.plan, file.runs)
        return 0, None, ""
    plan = reader.load(source)
    notes = tuple(text for name, text in plan.fields if name == "note")
    losses = writer.save(target, plan)
    sys.stderr.writelines(f"{sentence}\n" for sentence in (*notes, *losses))
    return 0, None, ""
