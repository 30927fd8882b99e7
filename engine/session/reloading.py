"""Reloading: a plan read anew from its file, with what was not saved of it as branches beside. It never asks."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial

from engine.errors import FormatError
from engine.model import Plan
from engine.session.document import Document
from engine.session.scenarios import MAIN, Branch, Scenarios

UNSAVED = "My unsaved changes"


def load_anew(mine: Document) -> tuple[Document, tuple[str, ...]]:
    """The plan as it is in the file of `mine` now, and the names of the branches that hold what was not saved there.

    Each parts from what `mine` knew of the file, so that merging it tells what both sides changed. Blocks. Raises
    FormatError, and PlanError where there are too many branches already.
    """
    held, known = mine.scenarios, mine.in_file
    theirs = Document.load(mine.state.path)
    names = []
    for branch in held.branches:
        was = None if known is None else known.find(branch.id)
        if was is None or was.plan != branch.plan:
            name = theirs.scenarios.free_name(UNSAVED if branch.id == MAIN else branch.name)
            base = branch.base if was is None else was.plan
            theirs.arrange(partial(_brought, branch=branch, base=base, name=name))
            names.append(name)
    if names:
        with suppress(FormatError):  # it is kept again soon, once it is shown
            theirs.autosave()
    return theirs, tuple(names)


def _brought(held: Scenarios, branch: Branch, base: Plan, name: str) -> Scenarios:
    """With a branch more; the main plan stays active."""
    made = held.branched(name, MAIN)
    kept = replace(made.active, base=base, plan=branch.plan, schedule=branch.schedule, runs=branch.runs)
    return made.with_branch(kept).switched(MAIN)
