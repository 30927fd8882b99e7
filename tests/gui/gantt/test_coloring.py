"""What the color of a bar stands for."""

from dataclasses import replace

from engine.model import Assignment, PlanSettings, Progress, Resource, Task
from engine.session.state import State
from gui.gantt.coloring import ColorBy, bar_color
from gui.theme import HUES
from tests.gui.gantt.marked import MONDAY, layout, one
from tests.gui.gantt.plans import DAY, HOUR, WORKDAY, at, frames, layout_of


def colors(state: State, by: ColorBy) -> list[str]:
    place = layout(state)
    return [bar_color(state, place.bar(row), by) for row in range(len(place.rows))]


def test_that_a_bar_takes_the_hue_of_the_first_who_does_it() -> None:
    state = one(Task(1, "a", WORKDAY), Task(2, "b", WORKDAY), Task(3, "nobody", WORKDAY))
    people = tuple(Resource(number, str(number)) for number in (7, 8))
    plan = replace(state.plan, resources=people, assignments=(Assignment(1, 8), Assignment(1, 7), Assignment(2, 7)))
    assert colors(replace(state, plan=plan), ColorBy.RESOURCE) == [HUES[1], HUES[0], "idle"]


def test_that_hues_come_again_after_the_last() -> None:
    state = one(Task(1, "a", WORKDAY))
    people = tuple(Resource(number, str(number)) for number in range(1, 9))
    plan = replace(state.plan, resources=people, assignments=(Assignment(1, 7),))
    assert colors(replace(state, plan=plan), ColorBy.RESOURCE) == [HUES[0]]


def test_that_criticality_parts_bars_into_three() -> None:
    tasks = (Task(1, "far", WORKDAY), Task(2, "near", 8 * WORKDAY), Task(3, "long", 9 * WORKDAY))
    state = one(*tasks, settings=PlanSettings(near_critical_float=DAY))
    assert colors(state, ColorBy.CRITICALITY) == ["idle", "warning", "critical"]


def test_that_status_says_done_late_begun_and_to_come() -> None:
    """On Wednesday evening three of four days should be done."""
    wednesday = at(2026, 3, 4, 17)
    tasks = (
        Task(1, "done", WORKDAY, progress=Progress(100.0, MONDAY, MONDAY + 9 * HOUR)),
        Task(2, "late", 4 * WORKDAY, progress=Progress(50.0, MONDAY)),
        Task(3, "begun", 4 * WORKDAY, progress=Progress(75.0, MONDAY)),
        Task(4, "to come", WORKDAY, deadline=at(2026, 4, 1)),
        Task(5, "will be late", 9 * WORKDAY, deadline=at(2026, 3, 3)),
    )
    tasks = (*tasks[:3], *(replace(task, delay=9 * DAY) for task in tasks[3:]))
    state = one(*tasks, settings=PlanSettings(status=wednesday, honors_dates=False))
    assert colors(state, ColorBy.STATUS) == ["good", "critical", "accent", "idle", "critical"]


def test_that_a_summary_has_one_color_whatever_is_chosen() -> None:
    place = layout_of(frames())
    assert {bar_color(place.state, place.bar(0), by) for by in ColorBy} == {"summary"}
