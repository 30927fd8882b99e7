"""Gestures: what a press, a drag and a release mean, as edits. One class each; they never draw and never commit.

A gesture is made by the press. `move` says which edit the drag would be now, None while it would change nothing;
`release` the edit to execute, or None. Letting a gesture go drops it: nothing has to be undone.
"""

from __future__ import annotations

from engine.model import TaskId
from gui.canvas.shapes import Point
from gui.gantt.bars import Layout
from gui.gantt.hit import Hit, Part
from gui.gantt.interactions.gesture import Gesture
from gui.gantt.interactions.linking import LinkGesture, ReconnectGesture, link_kind
from gui.gantt.interactions.moving import MoveGesture, nudged
from gui.gantt.interactions.progress import ProgressGesture
from gui.gantt.interactions.resizing import ResizeGesture, ResizeStartGesture

__all__ = [
    "Gesture",
    "LinkGesture",
    "MoveGesture",
    "ProgressGesture",
    "ReconnectGesture",
    "ResizeGesture",
    "ResizeStartGesture",
    "gesture_for",
    "link_kind",
    "nudged",
]


def gesture_for(layout: Layout, hit: Hit, press: Point, together: tuple[TaskId, ...] = ()) -> Gesture[Layout] | None:
    """The gesture that a press on a part of a bar begins, while these tasks are chosen."""
    match hit.part:
        case Part.START_DOT | Part.FINISH_DOT:
            return LinkGesture(layout, hit)
        case Part.FINISH_EDGE:
            return ResizeGesture(layout, hit.task, press)
        case Part.START_EDGE:
            return ResizeStartGesture(layout, hit.task, press)
        case Part.PROGRESS:
            return ProgressGesture(layout, hit.task, press)
        case Part.PIN:
            return None
        case Part.MIDDLE:
            return MoveGesture(layout, hit.task, press, together)
