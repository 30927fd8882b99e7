"""What a plan costs, sample by sample, beside when it is done. It never draws; without any cost it says nothing.

A cost is work in hours times the resource's cost an hour. What is certain costs the same in all samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model import Clock, Ticks
from engine.risk.samples import Samples
from engine.schedule.columns import INACTIVE, Column

Floats = NDArray[np.float64]

_HOUR = 3600


@dataclass(frozen=True, slots=True, eq=False)
class CostAnswers:
    """Cost and finish of each kept sample, side by side."""

    costs: Floats
    finishes: Column

    def at(self, confidence: float) -> float:
        """The cost that is not passed with such a confidence, 0 to 1."""
        return float(np.quantile(self.costs, confidence, method="inverted_cdf"))

    def chance_of(self, budget: float, instant: Ticks) -> float:
        """The share of samples that are done by an instant and within a budget."""
        return float(((self.costs <= budget) & (self.finishes <= instant)).mean())


def costs_of(samples: Samples) -> CostAnswers | None:
    """Costs of the kept samples; None on a device plan, or where nothing has a cost."""
    program, plan = samples.program, samples.program.plan
    rates = {resource.id: resource.cost_per_hour for resource in plan.resources if resource.cost_per_hour}
    if plan.clock is Clock.DEVICE or not rates:
        return None
    kept = samples.kept
    nodes, slot = program.network.nodes, program.uncertain.slot
    found = np.zeros(kept)
    for assignment in plan.assignments:
        row = plan.rows[assignment.task]
        if assignment.resource not in rates or nodes.flags[row] & INACTIVE or plan.tasks[row].id in plan.children:
            continue
        base = int(program.uncertain.base[row])
        work = assignment.work_in(base) * rates[assignment.resource] / _HOUR
        if slot[row] >= 0 and base:
            found += work * (samples.durations[slot[row]] / base)
        else:
            found += work
    return CostAnswers(found, samples.finishes[0, :kept])
