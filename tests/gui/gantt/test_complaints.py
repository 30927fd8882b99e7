"""Complaints about other charts, turned round: what is drawn costs what is in sight, and is sharp on any screen."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from engine.model import Calendar, Clock, Dependency, Plan, Split, Task
from engine.schedule.cpm import schedule, working_time
from engine.session.state import State
from gui.canvas.painter import draw
from gui.canvas.shapes import Boxes, Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.rows import Rows
from gui.gantt.scene import scene
from gui.theme import DARK, LIGHT, METRICS, Theme
from tests.gui.gantt.marked import MONDAY, PLAIN, half_done, one, paused, wide
from tests.gui.gantt.plans import DAY, WORKDAY, at
from tests.gui.gantt.test_scene import of

SEEN = 15
HEIGHT = float(SEEN * METRICS.row_px) - 1


def chain(count: int) -> State:
    """Tasks with two pauses each, every one after the one before; each hundredth also after the first."""
    pauses = (Split(WORKDAY, WORKDAY), Split(2 * WORKDAY, WORKDAY))
    tasks = tuple(Task(number, f"task {number}", 3 * WORKDAY, splits=pauses) for number in range(1, count + 1))
    links = [Dependency(number, number + 1) for number in range(1, count)]
    links += [Dependency(1, number) for number in range(100, count + 1, 100)]
    plan = Plan("chain", Clock.CALENDAR, MONDAY, tasks, tuple(links), Calendar.standard(), next_task_id=count + 1)
    return State(plan, schedule(plan))


def drawn(state: State, ticks_per_px: float = 3600.0) -> tuple[list[Shape], Layout]:
    layout = Layout(state, Rows.of(state), TimeScale(MONDAY - DAY, ticks_per_px), 0, wide)
    return scene(layout, replace(PLAIN, height_px=HEIGHT, working_time=working_time(state.plan))), layout


def test_that_a_thousand_split_tasks_are_drawn_as_fast_as_the_few_in_sight() -> None:
    """Bryntum 10136 (a thousand split tasks took 6 to 25 s), 8517, 11260 and 3606: counted, not timed."""
    few, many = (drawn(chain(count)) for count in (50, 1000))
    far = 1000 // 100 + 1  # the other ends of links that leave what is in sight
    assert len(many[1]._bars) <= SEEN + far
    assert len(many[0]) <= len(few[0]) + 2 * far
    assert not vars(many[1].state.schedule).keys() & {"segments", "driving", "driven_by", "conflicts"}


def test_that_only_links_that_touch_the_rows_in_sight_are_drawn() -> None:
    """Bryntum 10346: all links of a plan were drawn in each frame."""
    shapes, layout = drawn(chain(1000), float(DAY))
    assert len(layout.state.plan.dependencies) == 999 + 10
    assert len(link_lines(shapes)) == SEEN + 1  # the ten far ones leave what is in sight by one upright


def test_that_links_between_bars_far_beside_the_chart_are_not_drawn() -> None:
    shapes, layout = drawn(chain(1000))
    seen = [row for row in range(SEEN + 1) if layout.bar(row).left < layout.scale.width_px]
    assert 0 < len(seen) <= len(link_lines(shapes)) < SEEN


def link_lines(shapes: list[Shape]) -> list[Line]:
    return of(Line, shapes, lambda line: line.color == "link")


@pytest.mark.parametrize("ticks_per_px", [60.0, 3600.0, 6 * 3600.0, float(DAY), 3.0 * DAY, 14.0 * DAY])
def test_that_what_is_not_worked_never_takes_more_patches_than_there_are_places_for(ticks_per_px: float) -> None:
    """Bryntum 7302: painting what is not worked held the chart up when it was zoomed out."""
    shapes, layout = drawn(chain(SEEN), ticks_per_px)
    patches = [shape for shape in shapes if isinstance(shape, Boxes) and shape.fill == "muted:9"]
    assert len(patches) <= 1
    assert sum(len(boxes.spans) for boxes in patches) <= layout.scale.width_px / 3


RATIOS = [1.0, 1.5, 2.0, 3.0]


def picture(state: State, theme: Theme, ratio: float) -> QImage:
    """The chart of a state on a screen of that many device pixels a pixel."""
    scale = TimeScale(at(2026, 3, 2), 1800.0, 400.0)
    layout = Layout(state, Rows.of(state), scale, 0, wide)
    shapes = scene(layout, replace(PLAIN, height_px=120.0, working_time=working_time(state.plan), now=MONDAY + DAY))
    image = QImage(round(400 * ratio), round(120 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.magenta)
    painter = QPainter(image)
    draw(painter, shapes, theme)
    painter.end()
    return image


def run_lengths(image: QImage, points: list[tuple[int, int]], color: str) -> list[int]:
    """How many pixels of a color follow each other, along a line of them."""
    found, length = [], 0
    for x, y in points:
        is_it = image.pixelColor(x, y).name() == color.lower()
        if length and not is_it:
            found.append(length)
        length = length + 1 if is_it else 0
    return found


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ratio", RATIOS, ids=lambda ratio: f"{ratio:.0%}")
def test_that_bars_and_lines_are_sharp_at_every_scale(qtbot: QtBot, theme: Theme, ratio: float) -> None:
    """GanttProject 1632: charts on screens of many pixels could not be read.

    Straight down through a bar every pixel has its own color: none between that of the bar and that of the ground.
    """
    state = one(replace(half_done(), progress=None), paused(), Task(3, "long", 9 * WORKDAY))
    image = picture(state, theme, ratio)
    x = round((16 + 40) * ratio)
    down = [(x, y) for y in range(image.height())]
    assert run_lengths(image, down, theme.accent)[0] == round(17 * ratio) - round(5 * ratio)
    today = round(16 * ratio + 48 * ratio)
    across = [(column, round(100 * ratio)) for column in range(today - 9, today + 10)]
    assert run_lengths(image, across, theme.critical) in ([round(ratio)], [max(round(ratio), 1)])


@pytest.mark.parametrize("ratio", RATIOS, ids=lambda ratio: f"{ratio:.0%}")
def test_that_the_frame_of_a_critical_bar_keeps_its_gap_at_every_scale(qtbot: QtBot, ratio: float) -> None:
    state = one(Task(1, "long", 9 * WORKDAY))
    image = picture(state, LIGHT, ratio)
    x = round(150 * ratio)
    colors = [image.pixelColor(x, y).name() for y in range(round(11 * ratio))]
    reds = [y for y, color in enumerate(colors) if color == LIGHT.critical.lower()]
    blues = [y for y, color in enumerate(colors) if color == LIGHT.accent.lower()]
    assert reds
    assert blues
    assert min(blues) - max(reds) >= 2


def test_that_a_chart_wears_another_theme_in_its_next_frame(qtbot: QtBot) -> None:
    state = one(Task(1, "long", 9 * WORKDAY))
    light, dark = picture(state, LIGHT, 1.0), picture(state, DARK, 1.0)
    middle = (150, 15)
    assert light.pixelColor(*middle).name() == LIGHT.accent.lower()
    assert dark.pixelColor(*middle).name() == DARK.accent.lower()
