"""The load of a resource as shapes, in numbers."""

from dataclasses import replace

import numpy as np

from engine.model import Assignment, Capacity, Plan, Resource, Task
from engine.schedule import cpm
from engine.schedule.leveling import loads
from engine.schedule.leveling_load import ResourceLoad
from gui.canvas.shapes import Box, Dash, Line
from gui.canvas.time_scale import TimeScale
from gui.panels.load_scene import scene
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan

R = Resource(1, "R")
MONDAY = at("2026-06-01 08:00")
# One pixel an hour from Monday 08:00, and 100 px from the line of zero to the highest load.
SCALE, HEIGHT = TimeScale(MONDAY, float(HOUR), 100.0), 130.0


def load_of(plan: Plan) -> ResourceLoad:
    return loads(plan, cpm.schedule(plan))[1]


def plan_of(*lengths: int, resource: Resource = R) -> Plan:
    tasks = [Task(number, f"T{number}", length) for number, length in enumerate(lengths, 1)]
    plan = calendar_plan(tasks, [], "2026-06-01 08:00")
    assignments = tuple(Assignment(task.id, 1) for task in tasks)
    return replace(plan, resources=(resource,), assignments=assignments).check()


def width(text: str, _px: int, _is_bold: bool) -> float:
    return 6.0 * len(text)


def boxes(load: ResourceLoad, resource: Resource = R, scale: TimeScale = SCALE) -> list[Box]:
    return [shape for shape in scene(resource, load, scale, HEIGHT, width) if isinstance(shape, Box)]


def test_that_what_fits_stands_from_zero_to_what_is_used() -> None:
    morning, afternoon = boxes(load_of(plan_of(WORKDAY)))
    assert (morning.x, morning.w, afternoon.x, afternoon.w) == (0, 4, 5, 4)
    assert (morning.y, morning.y + morning.h, morning.fill) == (26, 126, "accent:45")


def test_that_what_is_too_much_stands_over_the_capacity_hatched_in_the_critical_color() -> None:
    load = load_of(plan_of(4 * HOUR, 4 * HOUR))
    fits, over = boxes(load)
    assert (fits.y, fits.h, fits.fill) == (76, 50, "accent:45")
    assert (over.x, over.w, over.y, over.h, over.outline) == (0, 4, 26, 50, "critical")
    hatches = [s for s in scene(R, load, SCALE, HEIGHT, width) if isinstance(s, Line) and s.color == "critical"]
    assert hatches
    assert all(0 <= x <= 4 and 26 <= y <= 76 for line in hatches for x, y in line.points)


def test_that_the_line_of_the_capacity_follows_its_steps() -> None:
    stepped = replace(R, capacity=2.0, steps=(Capacity(MONDAY + 10 * HOUR, MONDAY + 20 * HOUR, 1.0),))
    (line,) = [
        shape
        for shape in scene(stepped, load_of(plan_of(WORKDAY, resource=stepped)), SCALE, HEIGHT, width)
        if isinstance(shape, Line) and shape.dash is Dash.DASHED
    ]
    assert line.points == ((0, 26), (10, 26), (10, 76), (20, 76), (20, 26), (100, 26))


def test_that_more_steps_than_pixels_show_the_worst_of_each_pixel() -> None:
    count = 10_000
    used = np.full(count, 0.5)
    used[1234] = 3.0
    load = ResourceLoad(1, MONDAY + np.arange(count + 1) * HOUR, used, np.ones(count), ())
    drawn = boxes(load, scale=TimeScale(MONDAY, 100.0 * HOUR, 100.0))
    over = [box for box in drawn if box.fill == "critical:45"]
    assert [(box.x, box.w) for box in over] == [(12, 1)]
    assert len(drawn) == 101


def test_that_nothing_used_draws_no_box() -> None:
    assert boxes(load_of(replace(plan_of(WORKDAY), assignments=()))) == []
