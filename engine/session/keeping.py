"""Keeping: what of a State goes into a file: its main plan, the branches beside it, and their runs. It never writes."""

from __future__ import annotations

from collections.abc import Iterable

from engine.formats.loom import LoomBranch
from engine.model import Plan
from engine.session.scenarios import MAIN
from engine.session.state import State
from engine.trace.recorded_run import RecordedRun

# A longer run can be looked at until the plan is closed: its parts would make a large file of a small plan.
MOST_PARTS_SAVED = 100_000


def kept_plan(state: State) -> Plan:
    """The main plan, whichever branch is active."""
    return state.plan if state.scenarios is None else state.scenarios.main.plan


def kept_runs(state: State) -> tuple[RecordedRun, ...]:
    """The runs of the main plan, but for those that are too long."""
    return () if state.scenarios is None else _short(state.scenarios.main.runs)


def kept_branches(state: State) -> tuple[LoomBranch, ...]:
    """The branches as a file holds them; undo stays behind."""
    branches = () if state.scenarios is None else state.scenarios.branches
    return tuple(
        LoomBranch(each.letter, each.name, each.base, each.plan, _short(each.runs))
        for each in branches
        if each.id != MAIN
    )


def branch_losses(state: State) -> tuple[str, ...]:
    """A sentence where a plan with branches is written in a format that holds one plan alone."""
    held = state.scenarios
    if held is None or len(held.branches) == 1:
        return ()
    left = ", ".join(f"“{each.name}”" for each in held.others)
    return (f"Branches are not kept: the copy holds “{held.active.name}”, and leaves out {left}.",)


def _short(runs: Iterable[RecordedRun]) -> tuple[RecordedRun, ...]:
    return tuple(run for run in runs if len(run.parts) <= MOST_PARTS_SAVED)
