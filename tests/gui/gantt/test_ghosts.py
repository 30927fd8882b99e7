"""Strips of other branches under the bars: where they stand, how they are told apart, what they cost."""

from dataclasses import replace

import pytest

from engine.model import Plan
from engine.session.document import Document
from engine.session.edits import AddTask, Edit, RemoveTask, ResizeTask
from engine.session.scenarios import MAIN, Branch
from gui.canvas.shapes import Box, Dash, Label, Line, Shape
from gui.gantt.bars import Layout
from gui.gantt.ghosts import TOP_PX, branch_at, color_of, ghost_words, ghosts
from gui.gantt.legend import entries
from gui.gantt.scene import scene
from gui.theme import DARK, HUES, LIGHT, METRICS
from tests.gui.gantt.plans import WORKDAY, layout_of, week
from tests.gui.gantt.test_scene import PLAIN


def tried(*branches: tuple[Edit, ...]) -> tuple[Document, tuple[Branch, ...]]:
    """The week with these branches; its main plan is active."""
    document = Document(week().plan)
    for number, edits in enumerate(branches):
        document.arrange(lambda held, number=number: held.branched(f"Try {number}", MAIN))
        for edit in edits:
            document.execute(edit)
    document.arrange(lambda held: held.switched(MAIN))
    return document, document.scenarios.others


def all_bars(layout: Layout) -> list:
    return [layout.bar(row) for row in range(len(layout.rows))]


def strips(shapes: list[Shape], color: str) -> list[tuple[float, float, float]]:
    """(left, right, upper edge) of each strip of a color."""
    boxes = [(s.x, s.x + s.w, s.y) for s in shapes if isinstance(s, Box) and s.fill == color]
    lines = [(s.points[0][0], s.points[1][0], s.points[0][1] - s.width / 2) for s in shapes if isinstance(s, Line)]
    return boxes or [
        line for line, s in zip(lines, (s for s in shapes if isinstance(s, Line)), strict=True) if s.color == color
    ]


def test_that_a_strip_stands_where_the_branch_has_the_task_and_only_where_that_differs() -> None:
    document, others = tried((ResizeTask(2, WORKDAY),))
    layout = layout_of(document.state)
    found = ghosts(layout, others, all_bars(layout))
    branch = others[0]
    x = layout.scale.x
    rows = {task: layout.bar_of(task) for task in (1, 2, 3, 4)}
    assert strips(found, color_of(branch)) == [
        pytest.approx((x(branch.schedule.start_of(task)), x(branch.schedule.finish_of(task)), bar.y + TOP_PX))
        if task != 4
        else pytest.approx((x(branch.schedule.start_of(4)) - 2, x(branch.schedule.start_of(4)) + 2, bar.y + TOP_PX))
        for task, bar in rows.items()
    ]
    assert [label.text for label in found if isinstance(label, Label)] == ["A"] * 4


def test_that_each_branch_has_a_lane_a_hue_a_run_and_a_letter_of_its_own() -> None:
    document, others = tried(*(((ResizeTask(5, number * WORKDAY),)) for number in (2, 3, 4)))
    layout = layout_of(document.state)
    bar = layout.bar_of(5)
    found = ghosts(layout, others, [bar])
    assert len({color_of(branch) for branch in others}) == 3
    assert {color_of(branch) for branch in others} <= set(HUES[1:])
    lanes = [strips(found, color_of(branch))[0][2] for branch in others]
    assert lanes == sorted(set(lanes))
    assert all(bar.y + METRICS.bar_top_px + METRICS.bar_px < lane < bar.y + METRICS.row_px for lane in lanes)
    assert [line.dash for line in found if isinstance(line, Line)] == [Dash.DASHED, Dash.DOTTED]
    assert {label.text for label in found if isinstance(label, Label)} == {"A", "B", "C"}


def test_that_letters_at_one_place_stand_beside_each_other() -> None:
    document, others = tried((ResizeTask(5, 2 * WORKDAY),), (ResizeTask(5, 2 * WORKDAY),))
    layout = layout_of(document.state)
    found = [s.x for s in ghosts(layout, others, [layout.bar_of(5)]) if isinstance(s, Label)]
    assert found[1] - found[0] >= 8


def test_that_a_branch_without_the_task_or_with_another_one_under_its_id_has_no_strip() -> None:
    document, _ = tried((RemoveTask(5),), (AddTask("Theirs"),))
    document.execute(AddTask("Ours"))
    document.execute(ResizeTask(6, 4 * WORKDAY))
    layout = layout_of(document.state)
    assert ghosts(layout, document.scenarios.others, [layout.bar_of(5), layout.bar_of(6)]) == []


def test_that_the_place_of_a_strip_tells_its_branch_and_dates() -> None:
    document, others = tried((ResizeTask(5, 2 * WORKDAY),), (ResizeTask(5, 4 * WORKDAY),))
    layout = layout_of(document.state)
    bar = layout.bar_of(5)
    lane = (METRICS.row_px - 1 - TOP_PX) / 2
    found = [branch_at(layout, others, (bar.left + 3, bar.y + TOP_PX + (place + 0.5) * lane)) for place in (0, 1)]
    assert [each and each[1].name for each in found] == ["Try 0", "Try 1"]
    assert branch_at(layout, others, (bar.left + 3, bar.y + 8)) is None
    words = ghost_words(layout, others, (bar.left + 3, bar.y + TOP_PX + 1), "{branch}: {start}, {finish}")
    assert words == "Try 0: Mon 2 Mar 2026 08:00, Tue 3 Mar 2026 17:00"


def test_that_the_scene_draws_no_more_than_what_is_in_sight() -> None:
    document, others = tried((ResizeTask(2, WORKDAY),))
    layout = layout_of(document.state, scroll_px=METRICS.row_px)
    plain = replace(PLAIN, height_px=float(METRICS.row_px) - 1)
    more = scene(layout, replace(plain, branches=others))
    assert len([s for s in more if s not in scene(layout, plain)]) == 2


def test_that_the_legend_names_the_branches_in_sight() -> None:
    document, others = tried((ResizeTask(2, WORKDAY),), ())
    found = [each.words for each in entries(layout_of(document.state), replace(PLAIN, branches=others))]
    assert "A: in “Try 0”" in found
    assert not any("Try 1" in words for words in found)


def test_that_hues_of_branches_are_of_every_theme() -> None:
    document, others = tried(*[()] * 8)
    plan: Plan = document.state.plan
    assert plan is others[0].plan
    for theme in (LIGHT, DARK):
        assert len({theme.color(color_of(branch)) for branch in others}) == 5
        assert theme.color(color_of(document.scenarios.main)).startswith("#")
