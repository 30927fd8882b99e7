"""Which gesture a press begins."""

from gui.gantt.hit import Hit, Part
from gui.gantt.interactions import (
    LinkGesture,
    MoveGesture,
    ProgressGesture,
    ResizeGesture,
    ResizeStartGesture,
    gesture_for,
)
from tests.gui.gantt.plans import frames, layout_of

PRESS = (500.0, 30.0)


def test_that_the_part_that_is_pressed_chooses_the_gesture() -> None:
    layout = layout_of(frames())
    made = {part: type(gesture_for(layout, Hit(5, part), PRESS)) for part in Part}
    assert made == {
        Part.MIDDLE: MoveGesture,
        Part.START_EDGE: ResizeStartGesture,
        Part.PROGRESS: ProgressGesture,
        Part.FINISH_EDGE: ResizeGesture,
        Part.START_DOT: LinkGesture,
        Part.FINISH_DOT: LinkGesture,
        Part.PIN: type(None),
    }
