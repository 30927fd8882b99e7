"""Edits that make what a wanted date takes: work done in less time, events kept from happening. They never keep a plan.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Plan
from engine.risk.changes import Take, TakeKind, changed
from engine.schedule.schedule import Schedule


@dataclass(frozen=True, slots=True)
class MakeTakes:
    """These changes are made as one step. An event that is averted stays in the plan, with no chance to happen."""

    changes: tuple[Take, ...]

    def label(self, plan: Plan) -> str:
        """Shorten “Weld” by 20 %."""
        if len(self.changes) != 1:
            return f"Make {len(self.changes)} changes for a date"
        change = self.changes[0]
        if change.kind is TakeKind.AVERT:
            return f"Avert “{change.name}”"
        return f"Shorten “{change.name}” by {change.by} %"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Makes each; one of a task or an event that is gone is refused."""
        averted = {each.id for each in self.changes if each.kind is TakeKind.AVERT}
        known = {event.id for event in plan.risks.events}
        for each in self.changes:
            if each.id not in (known if each.kind is TakeKind.AVERT else plan.rows):
                raise PlanError(f"“{each.name}” is not in the plan any more.")
        if not self.changes:
            return plan
        shorter = changed(plan, tuple(each for each in self.changes if each.kind is TakeKind.SHORTEN))
        events = tuple(replace(each, chance=0.0) if each.id in averted else each for each in plan.risks.events)
        return replace(shorter, risks=replace(shorter.risks, events=events)).check()
