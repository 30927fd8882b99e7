"""Other branches on the board: strips where, and with whom, they have tasks, and none where both agree."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.session.document import Document
from engine.session.edits import AddTask, Edit, ResizeTask
from engine.session.resource_edits import AssignResource
from engine.session.scenarios import MAIN
from gui.board.branches import BranchRows, branch_shapes
from gui.board.layout import BAR_PX, BoardLayout
from gui.board.scene import Extras, scene
from gui.canvas.shapes import Box, Label, Shape
from gui.gantt.ghosts import color_of
from tests.gui.board.plans import layout_of, shop
from tests.gui.board.test_view import boarded
from tests.gui.gantt.plans import WORKDAY
from tests.gui.shell import action, settle, shown


def tried(*edits: Edit) -> tuple[BoardLayout, BranchRows]:
    """The board of the main plan, and a branch with these edits."""
    document = Document(shop().plan)
    document.arrange(lambda held: held.branched("Try", MAIN))
    for edit in edits:
        document.execute(edit)
    document.arrange(lambda held: held.switched(MAIN))
    return layout_of(document.state), BranchRows.of(document.scenarios.others[0])


def strips(shapes: list[Shape], branch: BranchRows) -> list[Box]:
    return [each for each in shapes if isinstance(each, Box) and each.fill == color_of(branch.branch)]


def test_that_a_strip_stands_in_the_row_of_who_does_a_task_in_the_branch_and_when() -> None:
    layout, branch = tried(AssignResource(4, 1, instead_of=2))
    found = strips(branch_shapes(layout, (branch,), 900.0), branch)
    saw, dates, x = layout.rows.rows[0], branch.branch.schedule, layout.scale.x
    assert [each.x for each in found] == [pytest.approx(x(dates.start_of(4)))]
    assert [each.x + each.w for each in found] == [pytest.approx(x(dates.finish_of(4)))]
    assert layout.y(saw) <= found[0].y < layout.y(saw) + saw.height


def test_that_nothing_stands_where_both_agree_nor_for_a_task_of_another_meaning() -> None:
    layout, branch = tried(ResizeTask(3, 3 * WORKDAY))
    shapes = branch_shapes(layout, (branch,), 900.0)
    assert len(strips(shapes, branch)) == 1
    assert [each.text for each in shapes if isinstance(each, Label)] == ["A"]
    bar = next(each for each in layout.bars(900.0) if each.slot.task.id == 3)
    assert bar.top + BAR_PX <= strips(shapes, branch)[0].y < bar.top + BAR_PX + 4
    layout, branch = tried(AddTask("new there"), AssignResource(7, 1))
    assert branch_shapes(layout, (branch,), 900.0) == []


def test_that_strips_are_part_of_the_picture() -> None:
    layout, branch = tried(ResizeTask(3, 3 * WORKDAY))
    plain = Extras(900.0, lambda text, px, _: len(text) * px * 0.5)
    assert not strips(scene(layout, plain), branch)
    assert strips(scene(layout, replace(plain, branches=(branch,))), branch)


async def test_that_the_board_of_a_window_shows_the_branches_that_the_chart_shows(
    qapp: QApplication, tmp_path: Path
) -> None:
    loom.save(tmp_path / "shop.loom", shop().plan)
    async with shown(qapp) as (window, _):
        board = await boarded(window, str(tmp_path / "shop.loom"), qapp)
        window.bridge.branching.branch("Try")
        window.bridge.execute(ResizeTask(3, 3 * WORKDAY))
        settle(qapp)
        assert [each.branch.id for each in board.offered.seen[1]] == [MAIN]
        action(window, "show_branches").trigger()
        settle(qapp)
        assert board.offered.seen[1] == ()
