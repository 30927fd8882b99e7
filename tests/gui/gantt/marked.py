"""One calendar plan with a task of every look, from Monday 2 March 2026, an hour in four pixels from Monday 00:00."""

from dataclasses import replace

from engine.model import Calendar, Clock, ConstraintKind, Dependency, Plan, PlanSettings, Progress, Shift, Split, Task
from engine.session.state import State
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.extras import Extras
from gui.gantt.scene import scene
from tests.gui.gantt.plans import WORKDAY, at, layout_of, state_of

SCALE = TimeScale(at(2026, 3, 2), 900.0, 2000.0)
MONDAY = at(2026, 3, 2, 8)
DAY_PX = 96.0
EVERY_DAY = Calendar(2, "Every day", ((Shift(8 * 3600, 12 * 3600), Shift(13 * 3600, 17 * 3600)),) * 7)


def wide(text: str, px: int, is_bold: bool) -> float:
    return len(text) * px * 0.6


PLAIN = Extras(height_px=400.0, text_width=wide)


def one(task: Task, *others: Task, links: tuple[Dependency, ...] = (), settings: PlanSettings | None = None) -> State:
    """A plan of a task, and of others below it."""
    plan = Plan("one", Clock.CALENDAR, MONDAY, (task, *others), links, Calendar.standard(), next_task_id=99)
    return state_of(replace(plan, calendars=(EVERY_DAY,), settings=settings or PlanSettings(honors_dates=False)))


def held(kind: ConstraintKind, when: int, days: int = 2, links: tuple[Dependency, ...] = ()) -> State:
    """A task of some days with a constraint, and a longer one above it that may drive it."""
    task = Task(1, "held", days * WORKDAY, constraint=kind, constraint_at=when)
    return one(task, Task(2, "long", 9 * WORKDAY), links=links)


def shown(state: State, extras: Extras = PLAIN) -> list[Shape]:
    return scene(layout(state), extras)


def layout(state: State) -> Layout:
    return layout_of(state, SCALE)


def half_done() -> Task:
    return Task(1, "half", 2 * WORKDAY, progress=Progress(50.0, MONDAY))


def paused() -> Task:
    """A day, a pause of a day, a day."""
    return Task(1, "paused", 2 * WORKDAY, splits=(Split(WORKDAY, WORKDAY),))
