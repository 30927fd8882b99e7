"""Paths of chosen tasks in the chart: fills, signs and links with numbers, and the keys in the window."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import Dependency, Task
from engine.session.state import State
from gui.canvas.shapes import Box, Line, Polygon
from gui.gantt.paths import FOLLOWING, LEADING, paths_of
from gui.gantt.scene import scene
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, layout_of, state_of, week
from tests.gui.gantt.test_scene import PLAIN, of
from tests.gui.shell import action, settle, show, shown


def chain() -> State:
    """Paint leads to Roof too, a day before it is needed: it does not decide. Tidy is alone."""
    plan = week().plan
    tasks = (*plan.tasks, Task(6, "Tidy", WORKDAY))
    return state_of(replace(plan, tasks=tasks, dependencies=(*plan.dependencies, Dependency(5, 3)), next_task_id=7))


def shapes_of(state: State, chosen: tuple[int, ...]) -> list:
    extras = replace(PLAIN, selection=frozenset(chosen), paths=paths_of(state.schedule, chosen))
    return scene(layout_of(state), extras)


def fills(state: State, chosen: tuple[int, ...]) -> dict[int, tuple[str, str]]:
    layout = layout_of(state)
    boxes = of(Box, shapes_of(state, chosen), lambda box: box.h == METRICS.bar_px)
    rows = {round(box.y - METRICS.bar_top_px) // METRICS.row_px: (box.fill, box.outline) for box in boxes}
    return {layout.rows.tasks[row].id: look for row, look in rows.items()}


def test_that_what_decides_is_filled_and_the_rest_an_outline_and_others_step_back() -> None:
    assert fills(chain(), (3,)) == {
        2: (LEADING, ""),
        3: ("accent", ""),
        5: (f"{LEADING}:25", LEADING),
        6: ("accent:30", "accent"),
    }


def test_that_what_follows_has_the_other_hue_also_a_milestone() -> None:
    shapes = shapes_of(chain(), (2,))
    assert fills(chain(), (2,))[3] == (FOLLOWING, "")
    (diamond,) = of(Polygon, shapes, lambda shape: len(shape.points) == 4 and shape.fill == FOLLOWING)
    assert layout_of(chain()).row_at(diamond.points[0][1]) == 3


def test_that_a_sign_at_the_edge_says_side_and_decision_without_color() -> None:
    arrows = of(Polygon, shapes_of(chain(), (3,)), lambda shape: len(shape.points) == 3 and shape.points[0][0] < 16)
    said = {layout_of(chain()).row_at(arrow.points[1][1]): (arrow.points[0][0], arrow.fill) for arrow in arrows}
    assert said == {1: (4.0, LEADING), 4: (4.0, "panel"), 3: (6.0, FOLLOWING)}


def test_that_links_on_the_path_take_its_hue_and_those_that_decide_are_wide() -> None:
    lines = of(Line, shapes_of(chain(), (3,)), lambda line: line.color in {LEADING, FOLLOWING} and line.width != 1.5)
    widths = sorted((line.color, line.width) for line in lines)
    assert widths == [(LEADING, 1.0), (LEADING, 2.0), (FOLLOWING, 2.0)]


def test_that_paths_are_found_once_a_selection() -> None:
    schedule = chain().schedule
    assert paths_of(schedule, (3,)) is paths_of(schedule, (3,))
    assert paths_of(schedule, ()) is None
    assert paths_of(schedule, (99,)) is None
    assert paths_of(schedule, (3,)).counts == (2, 1, 1, 1)


@pytest.fixture
def planned(tmp_path: Path) -> str:
    """The chain in a file."""
    loom.save(tmp_path / "chain.loom", chain().plan)
    return str(tmp_path / "chain.loom")


async def test_that_a_key_shows_the_path_which_follows_the_selection(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, planned)
        settle(qapp)
        gantt = window.gantt
        gantt.select((3,))
        keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(gantt.chart, Qt.Key.Key_T, keys)
        assert action(window, "show_paths").isChecked()
        assert any(isinstance(shape, Box) and shape.fill == LEADING for shape in gantt._picture().shapes())
        QTest.keyClick(gantt.chart, Qt.Key.Key_Home)
        QTest.keyClick(gantt.chart, Qt.Key.Key_Down)
        assert gantt.selection == (2,)
        assert any(isinstance(shape, Box) and shape.fill == FOLLOWING for shape in gantt._picture().shapes())
        QTest.keyClick(gantt.chart, Qt.Key.Key_T, keys)
        assert not any(isinstance(shape, Box) and shape.fill == FOLLOWING for shape in gantt._picture().shapes())
