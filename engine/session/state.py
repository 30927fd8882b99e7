"""State: what the window shows, as one frozen value. Nothing else of the document crosses to a view."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Plan
from engine.schedule.schedule import Schedule


@dataclass(frozen=True, eq=False)
class State:
    """The plan, its schedule, and what can be undone. `path` is empty for a plan that was never saved."""

    plan: Plan
    schedule: Schedule
    revision: int = 0
    undo_label: str = ""
    redo_label: str = ""
    is_dirty: bool = False
    path: str = ""
