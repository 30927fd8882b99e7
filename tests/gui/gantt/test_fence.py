"""The line up to which a plan is frozen: where it stands, what it says, and what a drag carries across."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from engine.model import PlanSettings, Task
from engine.session.date_edits import SetDeadline
from engine.session.document import Document
from engine.session.edits import Edit, MoveTask
from engine.session.shop_edits import SetFence
from engine.session.state import State
from gui.canvas.shapes import Line
from gui.dialogs.settings_dialog import SettingsDialog
from gui.gantt.drag_card import card_lines
from gui.gantt.fence import FENCE_COLOR, fence_shapes
from gui.gantt.fence_words import crossing_words, fence_sentence
from gui.gantt.interactions import MoveGesture
from gui.gantt.legend import entries
from tests.gui.gantt.marked import DAY_PX, PLAIN, SCALE, layout, one
from tests.gui.gantt.plans import WORKDAY, at, frames
from tests.gui.shell import show, shown
from tests.gui.test_planning import opened, press_ok

TUESDAY, WEDNESDAY = at(2026, 3, 3, 8), at(2026, 3, 4, 8)
TUESDAY_X = DAY_PX + 32


def frozen(until: int | None = TUESDAY) -> State:
    settings = PlanSettings(honors_dates=False, frozen_until=until)
    return one(Task(1, "first", WORKDAY), Task(2, "second", WORKDAY), settings=settings)


def after(state: State, edit: Edit) -> State:
    return Document(state.plan).trial(edit)


def test_that_a_line_with_barbs_stands_where_the_frozen_time_ends() -> None:
    line, *barbs = fence_shapes(frozen().plan, SCALE, 72.0)
    assert line == Line(((TUESDAY_X, 0.0), (TUESDAY_X, 72.0)), FENCE_COLOR, 1.5)
    assert len(barbs) == 3
    for barb in barbs:
        assert isinstance(barb, Line)
        assert [x for x, _ in barb.points] == [TUESDAY_X - 5, TUESDAY_X]
    assert fence_shapes(frozen(None).plan, SCALE, 72.0) == []
    assert fence_shapes(frozen(at(2027, 1, 1)).plan, SCALE, 72.0) == []
    assert fence_shapes(frames().plan, SCALE, 72.0) == []


def test_that_it_says_until_when_and_what_for_and_stands_in_the_legend() -> None:
    plan = frozen().plan
    said = "Frozen until Tue 3 Mar 2026 08:00: the optimizer leaves every task that starts earlier where it is."
    assert fence_sentence(plan, SCALE, (TUESDAY_X + 2.0, 300.0)) == said
    assert fence_sentence(plan, SCALE, (TUESDAY_X + 9.0, 300.0)) == ""
    words = [entry.words for entry in entries(layout(frozen()), PLAIN)]
    assert "frozen to the left: the optimizer moves nothing there" in words


def test_that_a_task_that_is_carried_across_says_so_to_either_side() -> None:
    state = frozen()
    out = after(state, MoveTask(1, WEDNESDAY))
    assert crossing_words(state, out, 1).startswith("Leaves the frozen time, which ends Tue 3 Mar 2026 08:00")
    assert crossing_words(out, state, 1).startswith("Enters the frozen time")
    assert crossing_words(state, out, 2).startswith("Another task crosses the end of the frozen time")
    assert crossing_words(state, after(state, MoveTask(1, at(2026, 3, 2, 10))), 1) == ""
    assert crossing_words(state, after(state, SetDeadline(1, WEDNESDAY)), 1) == ""
    assert crossing_words(frozen(None), out, 1) == ""


def test_that_the_card_of_a_drag_has_the_sentence_in_the_color_of_alarm() -> None:
    state = frozen()
    edit = MoveTask(1, WEDNESDAY)
    gesture = MoveGesture(layout(state), 1, (40.0, 10.0))
    lines = card_lines(state, after(state, edit), gesture, edit, "")
    (line,) = (each for each in lines if "frozen time" in each.text)
    assert line.color == "alarm"


async def test_that_a_plan_is_frozen_and_no_longer_in_its_settings(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "settings", SettingsDialog)
        assert not dialog.frozen.isEnabled()
        dialog.is_frozen.setChecked(True)
        dialog.frozen.show_instant(TUESDAY)
        press_ok(dialog)
        assert window.bridge.state.plan.settings.frozen_until == TUESDAY
        window.bridge.execute(SetFence(TUESDAY + 30))  # a fence with seconds stays as it is where nobody touches it
        again = opened(window, "settings", SettingsDialog)
        press_ok(again)
        assert window.bridge.state.plan.settings.frozen_until == TUESDAY + 30
        third = opened(window, "settings", SettingsDialog)
        third.is_frozen.setChecked(False)
        press_ok(third)
        assert window.bridge.state.plan.settings.frozen_until is None
        window.bridge.undo()
        assert window.bridge.state.plan.settings.frozen_until == TUESDAY + 30
