"""Reading a plan for a verb, and saying on stderr what of another program's file was left out or guessed.

It never writes a file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine.formats import find_format, loom
from engine.model import Plan
from engine.session.importing import load_table, sniff_table


def read_plan(path: str | Path) -> Plan:
    """The plan of a file; of one of ours nothing is said, since it was when the plan came in. Raises FormatError."""
    known, guess = find_format(path), sniff_table(path)
    plan = known.load(path) if guess is None else load_table(path, guess)
    if known is not loom:
        sys.stderr.writelines(f"{text}\n" for name, text in plan.fields if name == "note")
    return plan
