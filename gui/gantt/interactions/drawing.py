"""Drawing: a new task, from where the ground is pressed to where the mouse is let go. It never gives it links."""

from __future__ import annotations

from engine.model import Clock, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.session.edits import AddTask, Edit, MoveTask
from engine.session.plan_edits import Together
from gui.canvas.shapes import Point
from gui.gantt.bars import Layout
from gui.gantt.interactions.gesture import Gesture, snapped
from gui.theme import METRICS


class DrawGesture(Gesture[Layout]):
    """A bar drawn on empty ground, in either direction: a new task called `name` that starts and lasts so.

    It stands below the task in the row that was pressed, or last of all. `made` is the id that it will have.
    """

    def __init__(self, layout: Layout, press: Point, name: str) -> None:
        super().__init__(None)
        plan, row = layout.state.plan, layout.row_at(press[1])
        is_task = row is not None and row not in layout.rows.headings
        self._after: TaskId | None = layout.rows.tasks[row].id if row is not None and is_task else None
        self._row = int((press[1] + layout.scroll_px) // METRICS.row_px)
        self._press_tick = layout.scale.tick(press[0])
        self._name, self.made = name, plan.next_task_id
        self._is_calendar = plan.clock is Clock.CALENDAR
        self._time = working_time(plan)
        self._span: tuple[Ticks, Ticks] | None = None

    def move(self, layout: Layout, at: Point, is_free: bool = False) -> Edit | None:
        scale, time, tick = layout.scale, self._time, layout.scale.tick(at[0])
        first, last = min(self._press_tick, tick), max(self._press_tick, tick)
        if is_free:
            start, finish = time.next_start(first), time.previous_finish(last)
        else:
            start = snapped(first, scale, time.next_start, self._is_calendar)
            finish = snapped(last, scale, time.previous_finish, self._is_calendar)
        duration = time.between(start, finish)
        is_drag = abs(at[0] - scale.x(self._press_tick)) >= METRICS.drag_px
        self._span = (start, finish) if is_drag and duration > 0 else None
        self._edit = None if self._span is None else self._made(start, duration)
        return self._edit

    def outline(self, layout: Layout) -> tuple[float, float, float] | None:
        if self._span is None:
            return None
        start, finish = self._span
        return layout.scale.x(start), layout.scale.x(finish), layout.y(self._row)

    def _made(self, start: Ticks, duration: Ticks) -> Edit:
        new = AddTask(self._name, after=self._after, duration=duration)
        return Together(f"Add “{self._name}”", (new, MoveTask(self.made, start)))
