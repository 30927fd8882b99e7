"""Finding: which rows of the plan a text means, by name, number or resource. It never shows them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.model import Clock
from gui.gantt.figures import Figures


def find_rows(figures: Figures, text: str) -> NDArray[np.int64]:
    """Rows of the plan with a text in their name, or that number, or done by a resource with it in its name."""
    wanted = text.strip().casefold()
    plan = figures.plan
    if not wanted:
        return np.arange(0)
    found = figures.named(wanted).copy()
    if wanted.isdecimal() and 0 < int(wanted) <= len(found):
        found[int(wanted) - 1] = True
    named = {resource.id for resource in plan.resources if wanted in resource.name.casefold()}
    if named and (plan.clock is Clock.CALENDAR or len(wanted) > 1):
        found[[plan.rows[each.task] for each in plan.assignments if each.resource in named]] = True
    return np.flatnonzero(found)
