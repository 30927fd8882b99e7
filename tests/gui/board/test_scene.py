"""What is drawn of the board, and what a drag on it means, in numbers."""

from dataclasses import replace

from engine.model import Alternative, Progress, Split, TaskId
from engine.schedule.leveling import loads
from engine.session.edits import Edit, MoveTask, MoveTasks, ResizeTask
from engine.session.plan_edits import Together
from engine.session.resource_edits import AssignResource
from engine.session.state import State
from gui.board.bar_shapes import Look, bar_shapes, cut
from gui.board.drag import BoardDrag
from gui.board.drag import ghosts as drag_ghosts
from gui.board.dragging import BoardDragging
from gui.board.gestures import gesture_for, handed_over
from gui.board.layout import BoardBar, BoardLayout
from gui.board.scene import Extras, names_scene, scene
from gui.canvas.shapes import Box, Boxes, Label, RoundBoxes, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.coloring import ColorBy
from gui.gantt.trials import Tell, Trials
from tests.gui.board.plans import MONDAY, layout_of, many, shop
from tests.gui.gantt.plans import DAY, HOUR, WORKDAY, at, frames, state_of, tried


def text_width(text: str, px: int, is_bold: bool) -> float:
    return len(text) * px * 0.6


def extras(**more: object) -> Extras:
    return Extras(400.0, text_width, **more)


def bar_of(layout: BoardLayout, task: TaskId) -> BoardBar:
    return next(bar for bar in layout.bars(400) if bar.slot.task.id == task)


def ghosts(layout: BoardLayout, drag: BoardDrag) -> list[Box]:
    """What a drag shows of what would move, one by one."""
    shapes = drag_ghosts(layout, drag, layout.sight(400))
    return [box for each in shapes for box in (each.boxes() if isinstance(each, RoundBoxes) else (each,))]


def boxes(shapes: list[Shape], fill: str) -> list[Box]:
    return [shape for shape in shapes if isinstance(shape, Box) and shape.fill == fill]


def test_that_a_bar_stands_at_its_dates_in_its_lane() -> None:
    layout = layout_of(shop())
    cut_, rush = bar_of(layout, 1), bar_of(layout, 3)
    assert (cut_.left, cut_.right, cut_.top) == (32 * 4, 41 * 4, 4)
    assert (rush.left, rush.right, rush.top) == (32 * 4, 65 * 4, 24)
    assert layout.bar_at((130, 30)).slot.task.id == 3
    assert layout.bar_at((130, 23)) is None  # between the lanes
    assert layout.bar_at((130, 900)) is None


def test_that_only_what_is_in_sight_is_drawn() -> None:
    state = many(5000, 200)
    layout = replace(layout_of(state, scroll_px=2400), scale=TimeScale(MONDAY, 900.0, 800.0))
    assert layout.seen(400) == range(100, 117)
    # 200 hours from a Monday 08:00 are seven days of work and the begin of the eighth.
    assert len(layout.bars(400)) == 17 * 7
    assert len(scene(layout, extras())) < 17 * 20


def test_that_what_a_resource_does_not_work_is_shaded_by_its_own_calendar() -> None:
    layout = layout_of(shop())
    shades = [s for s in scene(layout, extras()) if isinstance(s, Boxes) and s.fill == "muted:12"]
    by_row = {shade.y: shade.spans for shade in shades}
    crew, saw = layout.y(layout.rows.rows[2]), layout.y(layout.rows.rows[0])
    assert (6 * 4.0, 22 * 4.0) in by_row[crew]  # the crew sleeps by day
    assert (0.0, 32 * 4.0) in by_row[saw]  # the saw rests on Sunday, until Monday 08:00


def test_that_overloads_are_marked_where_and_as_long_as_they_last() -> None:
    state = shop()
    layout = layout_of(state)
    found = loads(state.plan, state.schedule)
    bands = [s for s in scene(layout, extras(loads=found)) if isinstance(s, Boxes) and s.fill == "critical:14"]
    assert [(band.y, band.spans[0][0], band.spans[-1][1]) for band in bands] == [(0.0, 32 * 4, 65 * 4)]
    names = names_scene(layout, extras(loads=found), 300, {1: ("Saw", "overloaded"), 2: ("Lathe", "machine")})
    assert {s.text: s.color for s in names if isinstance(s, Label) and s.text} == {
        "Saw": "text", "overloaded": "alarm", "Lathe": "text", "machine": "muted",
    }  # fmt: skip


def test_that_what_is_said_beside_a_name_takes_the_room_that_the_name_leaves() -> None:
    state = shop()
    words = {1: ("Saw", "⚠ overloaded 172 times"), 2: ("A lathe of a very long name indeed", "machine")}
    names = names_scene(layout_of(state), extras(), 300, words)
    texts = {s.text: s for s in names if isinstance(s, Label) and s.text}
    assert {"Saw", "⚠ overloaded 172 times", "machine"} <= texts.keys()
    (cut_name,) = (text for text in texts if text.startswith("A lathe"))
    assert cut_name.endswith("…")
    assert len(cut_name) > 20
    for left, right in (("Saw", "⚠ overloaded 172 times"), (cut_name, "machine")):
        assert texts[left].x + text_width(left, 12, False) <= texts[right].x


def test_that_names_are_cut_to_what_fits_and_left_out_where_that_is_little() -> None:
    assert cut("assemble", 100, 10, text_width) == "assemble"
    assert cut("assemble", 36, 10, text_width) == "assem…"
    assert cut("assemble", 12, 10, text_width) == ""


def dragged(state: State, task: TaskId, by: tuple[float, float], *chosen: TaskId) -> tuple[object, BoardDragging]:
    """The middle of a bar is pressed, and let go so far away."""
    layout = layout_of(state)
    bar = bar_of(layout, task)
    press = ((bar.left + bar.right) / 2, bar.top + 8)
    dragging = BoardDragging(gesture_for(layout, bar, press, chosen), bar, state, lambda edit: tried(state, edit))
    dragging.move(layout, (press[0] + by[0], press[1] + by[1]), False)
    return dragging.release(), dragging


def test_that_a_drag_sideways_moves_in_time() -> None:
    edit, _ = dragged(shop(), 1, (96, 0))
    assert edit == MoveTask(1, MONDAY + DAY)
    assert dragged(shop(), 1, (1, 2))[0] is None  # a hand that shakes


def test_that_a_drag_downward_hands_the_task_over_and_keeps_its_time() -> None:
    state = shop()
    edit, dragging = dragged(state, 1, (1, 44))
    assert edit == AssignResource(1, 2, instead_of=1)
    assert dragging.shown().lines[1] == ("done by Lathe", "accent")
    after = tried(state, edit)
    assert next((each.task, each.resource) for each in after.plan.assignments) == (1, 2)
    assert after.schedule.start_of(1) == MONDAY


def test_that_a_drag_both_ways_is_one_step() -> None:
    edit, _ = dragged(shop(), 1, (96, 44))
    assert edit == Together("Assign “cut” to Lathe", (AssignResource(1, 2, instead_of=1), MoveTask(1, MONDAY + DAY)))


def test_that_a_task_of_nobody_gets_somebody() -> None:
    state = shop()
    layout = layout_of(state)
    sweep = bar_of(layout, 6)
    edit, _ = dragged(state, 6, (0, -sweep.top - 4))
    assert edit == AssignResource(6, 1, instead_of=0)
    assert [each.resource for each in tried(state, edit).plan.assignments if each.task == 6] == [1]


def test_that_only_those_who_could_do_it_take_a_task() -> None:
    state = shop()
    plan = replace(state.plan, assignments=(*state.plan.assignments, replace(state.plan.assignments[0], resource=3)))
    layout = layout_of(replace(state, plan=plan))
    assert layout.eligible(bar_of(layout, 1)) == {2}  # the crew does it already
    streams = BoardLayout(frames(), layout_of(frames()).rows, TimeScale(0, 10_000.0))
    assert streams.eligible(streams.bar(0, 0)) == {2}


def test_that_several_that_are_chosen_move_as_far() -> None:
    assert dragged(shop(), 3, (96, 0), 3, 4)[0] == MoveTasks((3, 4), DAY)


def test_that_the_end_of_a_bar_can_be_drawn() -> None:
    state = shop()
    layout = layout_of(state)
    bar = bar_of(layout, 1)
    press = (bar.right - 1, bar.top + 8)
    gesture = gesture_for(layout, bar, press, ())
    assert gesture.move(layout, (press[0] + 96, press[1])) == ResizeTask(1, 2 * WORKDAY)
    assert gesture.move(layout, (press[0] - 900, press[1])) is None  # a day at least: it has that already
    assert gesture.move(layout, (press[0] - 5 * 4, press[1]), is_free=True) == ResizeTask(1, 4 * HOUR)


def test_that_the_start_of_a_bar_can_be_drawn_and_its_finish_stays() -> None:
    state = shop()
    layout = layout_of(state)
    bar = bar_of(layout, 4)
    press = (bar.left + 1, bar.top + 8)
    edit = gesture_for(layout, bar, press, ()).move(layout, (press[0] + 4 * 4, press[1]), is_free=True)
    after = tried(state, edit).schedule
    assert (after.start_of(4), after.finish_of(4)) == (MONDAY + DAY + 5 * HOUR, state.schedule.finish_of(4))


def test_that_ghosts_stand_where_things_would_be() -> None:
    state = shop()
    layout = layout_of(state)
    _, dragging = dragged(state, 1, (96, 44))
    shown = ghosts(layout, dragging.shown())
    held = next(each for each in shown if each.width == 1.5)
    assert (held.x, held.y) == (56 * 4, layout.top(layout.rows.rows[1], 0))
    # Trim and turn follow.
    assert [each.fill for each in shown] == ["accent:12", "accent:12", "panel:75", "accent:22"]
    assert boxes(scene(layout, extras(drag=dragging.shown())), "good:30")[0].y == layout.y(layout.rows.rows[1])


def test_that_a_bar_of_a_large_plan_goes_ahead_of_what_follows_it() -> None:
    """Its trial is told later: until then it stands where it is carried to, and nothing else moves."""
    state, asked = shop(), list[tuple[Edit, Tell]]()

    def later(edit: Edit, tell: Tell) -> bool:
        asked.append((edit, tell))
        return True

    layout = layout_of(state)
    bar = bar_of(layout, 1)
    press = ((bar.left + bar.right) / 2, bar.top + 8)
    dragging = BoardDragging(gesture_for(layout, bar, press, ()), bar, state, lambda edit: tried(state, edit), later)
    dragging.move(layout, (press[0] + 96, press[1] + 44), False)
    for _ in range(2):
        late = dragging.shown()
        assert late.trial is None
        assert late.lines[1:] == (("done by Lathe", "accent"),)
        (_, held) = ghosts(layout, late)
        assert (held.x, held.y, held.width) == (56 * 4, layout.top(layout.rows.rows[1], 0), 1.5)
    ((edit, tell),) = asked
    tell(edit, tried(state, edit))
    assert dragging.shown().carried is None
    assert [each.fill for each in ghosts(layout, dragging.shown())][:2] == ["accent:12"] * 2
    assert len(asked) == 1


def test_that_a_bar_let_go_before_its_trial_is_told_is_tried_at_once() -> None:
    state = shop()
    layout = layout_of(state)
    bar = bar_of(layout, 1)
    press = ((bar.left + bar.right) / 2, bar.top + 8)
    trials = Trials(lambda edit: tried(state, edit), lambda _edit, _tell: True)
    gesture = gesture_for(layout, bar, press, ())
    trials.edit = gesture.move(layout, (press[0] + 96, press[1]))
    assert trials.is_late()
    assert (found := trials.settle()) is not None
    assert found.plan == tried(state, MoveTask(1, MONDAY + DAY)).plan
    assert not trials.is_late()


def test_that_nothing_is_drawn_before_the_epoch_of_sight() -> None:
    layout = replace(layout_of(shop()), scale=TimeScale(at(2030, 1, 1), 900.0))
    assert layout.bars(400) == []


def test_that_a_bar_has_its_pieces_and_shows_what_is_done_of_them() -> None:
    state = shop()
    half = replace(state.plan.task(3), splits=(Split(WORKDAY, WORKDAY),), progress=Progress(75, MONDAY))
    layout = layout_of(state_of(state.plan.with_task(half)))
    shapes = bar_shapes(layout, bar_of(layout, 3), Look(), text_width)
    pieces = [(shape.x, shape.w) for shape in shapes if isinstance(shape, Box) and shape.h == 16]
    assert pieces == [(32 * 4, 9 * 4 - 1), (80 * 4, 9 * 4 - 1)]
    assert [(shape.x, shape.w) for shape in boxes(shapes, "done")] == [(32 * 4, 9 * 4), (80 * 4, 4.5 * 4)]


def test_that_color_stands_for_what_was_chosen() -> None:
    layout = layout_of(shop())
    fills = {by: bar_shapes(layout, bar_of(layout, 4), Look(by), text_width)[0].fill for by in ColorBy}
    assert fills[ColorBy.KIND] == "accent"
    assert fills[ColorBy.RESOURCE] != bar_shapes(layout, bar_of(layout, 1), Look(ColorBy.RESOURCE), text_width)[0].fill


def test_that_who_is_busy_then_is_said() -> None:
    state = shop()
    _, dragging = dragged(state, 4, (1, -28))
    assert dragging.shown().lines[1:3] == (("done by Saw", "accent"), ("busy then with trim, which stays", "alarm"))


def test_that_what_a_bar_overlaps_on_its_own_machine_is_said_too() -> None:
    _, dragging = dragged(shop(), 3, (96, 0))
    assert dragging.shown().lines[:2] == (("rush", "text"), ("busy then with trim, which stays", "alarm"))
    _, dragging = dragged(shop(), 3, (192, 0))
    assert "alarm" not in {color for _, color in dragging.shown().lines[:-1]}


def named_shop() -> State:
    """The shop, whose cut may be done on the lathe in three hours, and is on the saw."""
    plan = shop().plan
    return state_of(replace(plan, alternatives=(Alternative(1, 2, duration=3 * HOUR),)))


def test_that_what_the_plan_names_stands_out_while_a_bar_is_held_and_other_rows_are_dimmed() -> None:
    state = named_shop()
    layout = layout_of(state)
    cut_bar = bar_of(layout, 1)
    assert (layout.eligible(cut_bar), layout.named(cut_bar)) == ({2, 3}, {2})
    assert layout.named(bar_of(layout, 2)) == frozenset()  # nothing is named for trim: any may do it
    edit, dragging = dragged(state, 1, (1, 44))
    drag = dragging.shown()
    assert (drag.wanted, drag.target) == ({2}, 2)
    shapes = scene(layout, extras(drag=drag))
    veils = {box.y for box in shapes if isinstance(box, Box) and box.fill == "panel:65"}
    rows = {row.id: layout.y(row) for row in layout.rows.rows}
    assert veils == {y for number, y in rows.items() if number not in {1, 2}}
    green = {box.y for box in shapes if isinstance(box, Box) and box.fill.startswith("good:")}
    assert green == {rows[2]}
    assert tried(state, edit).plan.task(1).duration == 3 * HOUR
    assert [line for line, _ in drag.lines if "alternatives" in line] == []


def test_that_a_bar_may_go_to_one_that_is_not_named_which_is_said() -> None:
    state = named_shop()
    layout = layout_of(state)
    crew = layout.y(layout.rows.rows[2]) + 8
    _, dragging = dragged(state, 1, (1, crew - bar_of(layout, 1).top - 8))
    drag = dragging.shown()
    assert drag.target == 3
    assert ("not one of its alternatives", "alarm") in drag.lines
    assert not any(s.y == layout.y(layout.rows.rows[2]) for s in scene(layout, extras(drag=drag)) if is_veil(s))


def is_veil(shape: object) -> bool:
    return isinstance(shape, Box) and shape.fill == "panel:65"


def test_that_keys_hand_a_task_to_those_that_are_named_alone() -> None:
    layout = layout_of(named_shop())
    place = layout.place(bar_of(layout, 1))
    assert handed_over(layout, place, 1) == AssignResource(1, 2, instead_of=1)
    plan = named_shop().plan
    saw, lathe, crew, paint = plan.resources
    press = replace(crew, kind=lathe.kind)
    skilled = replace(plan, resources=(saw, lathe, press, paint), alternatives=(Alternative(1, 3),))
    further = layout_of(state_of(skilled))
    assert handed_over(further, further.place(bar_of(further, 1)), 1) == AssignResource(1, 3, instead_of=1)
