"""Gestures on the board: those of the chart in time, and a bar carried to another resource. They never draw."""

from __future__ import annotations

from engine.model import TaskId, Ticks
from engine.session.edits import Edit
from engine.session.plan_edits import Together
from engine.session.resource_edits import AssignResource
from gui.board.layout import BoardBar, BoardLayout
from gui.canvas.shapes import Point
from gui.gantt.interactions import Gesture, MoveGesture, ResizeGesture, ResizeStartGesture


class PlaceGesture(Gesture[BoardLayout]):
    """A bar held in its middle: it starts no earlier than where it is let go, done by whose row that is.

    Where several tasks are chosen, the one that is held among them, `together` they move as far in time. `resource` is
    the id of who would do the task, None while that stays, one of those `eligible`, of whom the plan names some.
    """

    height_counts = True

    def __init__(self, layout: BoardLayout, bar: BoardBar, press: Point, together: tuple[TaskId, ...] = ()) -> None:
        super().__init__(bar.slot.task.id)
        self.eligible, self.named = layout.eligible(bar), layout.named(bar)
        self.resource: int | None = None
        self._held = bar.slot.task.id
        self._here = layout.rows.rows[bar.row].id
        self._in_time = MoveGesture(layout, self._held, press, together)

    @property
    def is_foreign(self) -> bool:
        """Whether it would be done by somebody else than those whom the plan names."""
        return bool(self.named) and self.resource is not None and self.resource not in self.named

    @property
    def whose(self) -> int:
        """The id of who would do the task, whether or not that stays."""
        return self._here if self.resource is None else self.resource

    def move(self, layout: BoardLayout, at: Point, is_free: bool = False) -> Edit | None:
        in_time, other = self._in_time.move(layout, at, is_free), layout.resource_at(at)
        self.resource = other.id if other is not None and other.id in self.eligible else None
        self._edit = in_time
        if self.resource is not None:
            assign = AssignResource(self._held, self.resource, instead_of=self._here)
            self._edit = assign if in_time is None else Together(assign.label(layout.state.plan), (assign, in_time))
        return self._edit

    def span(self) -> tuple[Ticks, Ticks]:
        return self._in_time.span()


BoardGesture = PlaceGesture | ResizeGesture | ResizeStartGesture


def gesture_for(layout: BoardLayout, bar: BoardBar, press: Point, together: tuple[TaskId, ...]) -> BoardGesture:
    """What a press on a bar begins: either end is drawn, the middle is carried."""
    end = layout.end_at(bar, press[0])
    if end:
        return (ResizeStartGesture if end < 0 else ResizeGesture)(layout, bar.slot.task.id, press)
    return PlaceGesture(layout, bar, press, together)


def handed_over(layout: BoardLayout, place: tuple[int, int], steps: int) -> Edit | None:
    """The task at a place done by the nearest resource below that could do it (above: steps -1), where there is one.

    Where the plan names who may do it, by one of those.
    """
    bar, number = layout.bar(*place), place[0] + steps
    eligible = layout.named(bar) or layout.eligible(bar)
    while 0 <= number < len(layout.rows.rows) and layout.rows.rows[number].id not in eligible:
        number += steps
    if not 0 <= number < len(layout.rows.rows):
        return None
    here, there = layout.rows.rows[place[0]].id, layout.rows.rows[number].id
    return AssignResource(layout.task(place), there, instead_of=here)
