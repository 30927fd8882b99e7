"""State: what the window shows, as one frozen value. Nothing else of the document crosses to a view."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Plan
from engine.schedule.schedule import Schedule
from engine.session.edits import Edit
from engine.session.scenarios import MAIN, Scenarios


@dataclass(frozen=True, eq=False)
class State:
    """The plan, its schedule, and what can be undone. `path` is empty for a plan that was never saved.

    Plan, schedule and what can be undone are those of the active one of its `scenarios`, None for a plan alone. `edit`
    is what has just made this plan of the one before; None where undo, redo, another branch or a merge led here.
    """

    plan: Plan
    schedule: Schedule
    revision: int = 0
    undo_label: str = ""
    redo_label: str = ""
    is_dirty: bool = False
    path: str = ""
    scenarios: Scenarios | None = None
    edit: Edit | None = None

    @property
    def branch(self) -> str:
        """The name of the branch that is active; empty for the main plan."""
        held = self.scenarios
        return "" if held is None or held.active_id == MAIN else held.active.name
