"""Set-ups of machines before bars: how they look. They never move a bar, nor say anything (setup_words.py does)."""

from __future__ import annotations

from engine.model import TaskId
from engine.session.state import State
from gui.canvas.hatching import hatched
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale

_FAR_PX = 60.0
_LEAST_PX = 1.0
SETUP_PERCENT = 15


def setup_shapes(state: State, task: TaskId, scale: TimeScale, top: float, height: float) -> list[Shape]:
    """A hatched box before a bar that its machine is set up for, in the critical color where there is no time."""
    setup = state.schedule.setups.get(task)
    if setup is None:
        return []
    left, right = max(scale.x(setup.start), -_FAR_PX), min(scale.x(setup.finish), scale.width_px + _FAR_PX)
    if right - left < _LEAST_PX:
        return []
    return hatched((left, right, top, top + height), "critical" if setup.is_short else "muted", SETUP_PERCENT)
