"""Sureness: what samples say of the tasks of a plan, for the columns of the table. It never asks for samples.

It is kept by plan, which stays the same value when a plan is saved or a branch is switched to and back.
"""

from __future__ import annotations

import weakref

import numpy as np

from engine.model import Plan, Ticks
from engine.session.risking import PERCENTS, Answers
from gui.gantt.facts import NEVER, Keys

_AT_80 = PERCENTS.index(80)
_known: dict[int, tuple[weakref.ref[Plan], Answers]] = {}


def keep(plan: Plan, answers: Answers | None) -> None:
    """What is known of a plan from now on; None: nothing."""
    key = id(plan)
    if answers is None:
        _known.pop(key, None)
    else:
        _known[key] = weakref.ref(plan, lambda _: _known.pop(key, None)), answers


def answers_of(plan: Plan) -> Answers | None:
    """What is known of a plan; None where nothing is."""
    found = _known.get(id(plan))
    return found[1] if found is not None and found[0]() is plan else None


def done_by(plan: Plan, row: int) -> Ticks | None:
    """The instant by which a row is done in 80 of 100 samples; None where that is not known."""
    found = answers_of(plan)
    return None if found is None else int(found.row_finish[row, _AT_80])


def criticality(plan: Plan, row: int) -> float | None:
    """The share of samples in which a row decides the end; None where that is not known."""
    found = answers_of(plan)
    return None if found is None else float(found.criticality[row])


def keys(plan: Plan) -> tuple[Keys, Keys]:
    """What the columns of both are sorted by; all rows alike where nothing is known."""
    found = answers_of(plan)
    if found is None:
        return np.full(len(plan.tasks), NEVER), np.zeros(len(plan.tasks), dtype=np.int64)
    return found.row_finish[:, _AT_80], np.round(1e6 * found.criticality).astype(np.int64)
