"""What tasks are called outside of their rows."""

from __future__ import annotations

from engine.model import Clock, Plan, Task
from gui.timeline.titles import Titles


def test_that_a_title_says_where_a_task_belongs() -> None:
    tasks = (Task(1, "Frame 0"), Task(2, "copy in", parent=1), Task(3, "save"))
    plan = Plan("video", Clock.DEVICE, tasks=tasks, next_task_id=4)
    assert dict(Titles(plan)) == {1: "Frame 0", 2: "copy in, Frame 0", 3: "save"}
