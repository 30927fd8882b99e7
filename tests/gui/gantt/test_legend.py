"""The legend: what is in sight is explained, and nothing else; it follows the chart in the window."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import Assignment, Baseline, BaselineTask, ConstraintKind, Progress, Resource
from engine.session.state import State
from gui.canvas.shapes import Boxes, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.coloring import ColorBy
from gui.gantt.extras import Extras
from gui.gantt.legend import HEIGHT_PX, WIDTH_PX, entries
from gui.gantt.paths import paths_of
from gui.theme import DARK, LIGHT
from tests.engine.model.strategies import HOUR, MONDAY
from tests.engine.schedule.test_setups import CHAIN, painted
from tests.gui.gantt.plans import DAY, at, frames, layout_of, state_of, week
from tests.gui.gantt.test_scene import PLAIN
from tests.gui.shell import action, settle, show, shown, until


def words(state: State, extras: Extras = PLAIN, scale: TimeScale | None = None) -> list[str]:
    return [entry.words for entry in entries(layout_of(state, scale), extras)]


def marked() -> State:
    """The week with every mark that a task can have."""
    plan = week().plan
    changes = {
        2: {"progress": Progress(25.0), "deadline": at(2026, 3, 3, 17)},
        3: {"deadline": at(2026, 3, 31, 17), "constraint": ConstraintKind.FINISH_NO_LATER_THAN},
        5: {"is_active": False},
    }
    changes[3]["constraint_at"] = at(2026, 3, 2, 17)
    tasks = tuple(replace(task, **changes.get(task.id, {})) for task in plan.tasks)
    promise = Baseline(0, "agreed", (BaselineTask(3, at(2026, 3, 3, 8), at(2026, 3, 4, 17), 8 * 3600),))
    return state_of(replace(plan, tasks=tasks, baselines=(promise,)))


def test_that_a_plain_plan_needs_few_words() -> None:
    assert words(week()) == ["task", "summary", "milestone", "critical", "float", "link"]


def test_that_every_mark_in_sight_is_explained_once() -> None:
    found = words(marked(), replace(PLAIN, baseline=0, now=at(2026, 3, 3)))
    expected = {"done so far", "taken out of the plan", "promised", "constraint", "deadline", "today"}
    assert expected | {"missed deadline"} <= set(found)
    assert len(set(found)) == len(found)
    assert "promised" not in words(marked())


def test_that_what_is_out_of_sight_is_not_explained() -> None:
    later = TimeScale(at(2026, 3, 2) + 60 * DAY, 900.0)
    assert words(marked(), replace(PLAIN, baseline=0, now=at(2026, 3, 3)), later) == []
    assert words(week(), replace(PLAIN, height_px=20.0)) == ["summary", "critical", "link"][:1]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (ColorBy.CRITICALITY, ["critical", "with float"]),
        (ColorBy.STATUS, ["to come"]),
        (ColorBy.RESOURCE, ["Ann", "nobody"]),
        (ColorBy.KIND, ["task"]),
    ],
)
def test_that_colors_are_explained_by_what_they_stand_for(by: ColorBy, expected: list[str]) -> None:
    plan = replace(week().plan, resources=(Resource(1, "Ann"),), assignments=(Assignment(2, 1), Assignment(5, 1)))
    found = words(state_of(plan), replace(PLAIN, color_by=by))
    assert found[: found.index("summary")] == expected


def test_that_operations_and_the_order_on_streams_are_explained() -> None:
    found = words(frames())
    assert found[:3] == ["copy to the device", "work on the device", "copy from the device"]
    assert "order on a stream" in found


def test_that_a_path_is_explained_with_how_many_there_are() -> None:
    state = week()
    extras = replace(PLAIN, selection=frozenset({3}), paths=paths_of(state.schedule, (3,)))
    assert words(state, extras)[:2] == ["leads there and decides (1)", "follows and is decided (1)"]


def test_that_pictures_stay_in_their_room_and_take_colors_of_the_theme() -> None:
    for entry in entries(layout_of(marked()), replace(PLAIN, baseline=0, now=at(2026, 3, 3))):
        for shape in entry.picture:
            assert not isinstance(shape, Boxes)
            for token in tokens(shape):
                assert LIGHT.color(token).startswith("#")
                assert DARK.color(token).startswith("#")
            for x, y in corners(shape):
                assert 0 <= x <= WIDTH_PX
                assert 0 <= y <= HEIGHT_PX


def tokens(shape: Shape) -> list[str]:
    names = (getattr(shape, name, "") for name in ("fill", "outline", "color"))
    return [name for name in names if name]


def corners(shape: Shape) -> tuple[tuple[float, float], ...]:
    points = getattr(shape, "points", None)
    return points or ((shape.x, shape.y), (shape.x + shape.w, shape.y + shape.h))


@pytest.fixture
def planned(tmp_path: Path) -> str:
    """The marked week in a file."""
    loom.save(tmp_path / "week.loom", marked().plan)
    return str(tmp_path / "week.loom")


async def test_that_a_key_shows_the_legend_and_it_follows_what_is_seen(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, planned)
        settle(qapp)
        legend = window.gantt.legend
        assert not legend.isVisible()
        keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_J, keys)
        settle(qapp)
        assert legend.isVisible()
        assert action(window, "show_legend").isChecked()
        await until(lambda: "missed deadline" in legend.accessibleName())
        assert "promised" in legend.accessibleName()
        action(window, "baseline_none").trigger()
        await until(lambda: "promised" not in legend.accessibleName())
        action(window, "color_status").trigger()
        await until(lambda: "to come" in legend.accessibleName())
        tall = legend.height()
        window.resize(2400, window.height())
        settle(qapp)
        assert legend.height() < tall
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_J, keys)
        assert not legend.isVisible()


def test_that_set_ups_in_sight_are_explained_and_apart_those_without_time() -> None:
    first = state_of(painted(*CHAIN))
    said = words(first, scale=TimeScale(MONDAY, HOUR / 10, 600.0))
    assert {"set-up of its machine", "set-up without time for it"} <= set(said)  # before b; before a, at the start
    none = state_of(painted(*CHAIN, changeover=None))
    assert not any("set-up" in each for each in words(none, scale=TimeScale(MONDAY, HOUR / 10, 600.0)))
