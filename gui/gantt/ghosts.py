"""Ghosts: where the bars of other branches stand, as thin strips under each bar that is dated otherwise there.

They never say what a branch is worth. What they cost is what is in sight, times the branches.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Plan, TaskId
from engine.session.scenarios import MAIN, Branch
from gui.canvas.shapes import Box, Dash, Label, Line, Point, Shape
from gui.gantt.bar_shapes import cut, is_seen
from gui.gantt.bars import BOTTOM_PX, Bar, BarKind, Layout
from gui.gantt.words import instant_text
from gui.theme import HUES, METRICS

TOP_PX = BOTTOM_PX + 1.0
ROOM_PX = METRICS.row_px - 1.0 - TOP_PX
_MOST_PX = 3.0
_LEAST_PX = 1.0
_TICK_PX = 4.0
_LETTER_PX = 8.0
_LETTER_HIGH_PX = 8.0
_DASHES = (Dash.SOLID, Dash.DASHED, Dash.DOTTED)


def color_of(branch: Branch) -> str:
    """The token of a branch: a hue by its letter, that of words for the main plan."""
    # The first hue is that of bars.
    return "muted" if branch.id == MAIN else HUES[1:][(ord(branch.letter) - ord("A")) % (len(HUES) - 1)]


def strip(branch: Branch, left: float, right: float, y: float, high: float) -> Shape:
    """A strip of a branch: its run goes by its letter, as its color does."""
    dash = _DASHES[0 if branch.id == MAIN else (ord(branch.letter) - ord("A")) % len(_DASHES)]
    if dash is Dash.SOLID:
        return Box(left, y, right - left, high, color_of(branch))
    return Line(((left, y + high / 2), (right, y + high / 2)), color_of(branch), high, dash)


def ghosts(layout: Layout, branches: Sequence[Branch], bars: Sequence[Bar]) -> list[Shape]:
    """A strip a branch under each bar, in a lane of its own, with its letter behind it; none where the dates agree."""
    shapes: list[Shape] = []
    for bar in bars:
        taken = 0.0
        found = [(place, dated) for place, branch in enumerate(branches) if (dated := dates_in(layout, bar, branch))]
        ends = sorted(((max(layout.scale.x(dated[1]), 0.0), place) for place, dated in found))
        for place, dated in found:
            shapes += _strip(layout, bar, branches, place, dated)
        for x, place in ends:
            left = max(x + 2.0, taken)
            taken = left + _LETTER_PX
            if x <= layout.scale.width_px and is_seen(layout, layout.scale.x(dict(found)[place][0]), x):
                shapes.append(_letter(branches[place], left, bar.y))
    return shapes


def dates_in(layout: Layout, bar: Bar, branch: Branch) -> tuple[int, int] | None:
    """When a branch has the task of a bar; None where it has it not, or at the same dates."""
    row = branch.plan.rows.get(bar.task.id)
    if row is None or not is_same_task(layout.state.plan, branch, bar.task.id):
        return None
    here, there = layout.state.schedule, branch.schedule
    start, finish = int(there.start[row]), int(there.finish[row])
    if start == int(here.start[bar.plan_row]) and finish == int(here.finish[bar.plan_row]):
        return None
    return start, finish


def is_same_task(plan: Plan, branch: Branch, task: TaskId) -> bool:
    """Whether a branch means the same by the id of a task: new tasks of two branches may have one id."""
    here, there = plan.rows.get(task), branch.plan.rows.get(task)
    if here is None or there is None:
        return False
    return task in branch.base.rows or branch.plan.tasks[there].name == plan.tasks[here].name


def branch_at(layout: Layout, branches: Sequence[Branch], at: Point) -> tuple[Bar, Branch] | None:
    """The bar and the branch whose strip lies at a place."""
    row = layout.row_at(at[1])
    if row is None or not branches:
        return None
    bar = layout.bar(row)
    place = int((at[1] - bar.y - TOP_PX) // (ROOM_PX / len(branches)))
    if not 0 <= place < len(branches):
        return None
    dated = dates_in(layout, bar, branches[place])
    if dated is None or not layout.scale.x(dated[0]) - 2 <= at[0] <= layout.scale.x(dated[1]) + 2 + _LETTER_PX:
        return None
    return bar, branches[place]


def _strip(layout: Layout, bar: Bar, branches: Sequence[Branch], place: int, dated: tuple[int, int]) -> list[Shape]:
    left, right = layout.scale.x(dated[0]), layout.scale.x(dated[1])
    if not is_seen(layout, left, right):
        return []
    lane = ROOM_PX / len(branches)
    high, y = min(max(lane, _LEAST_PX), _MOST_PX), bar.y + TOP_PX + place * lane
    if bar.kind is BarKind.MILESTONE:
        return [Box(left - _TICK_PX / 2, y, _TICK_PX, high, color_of(branches[place]))]
    return [strip(branches[place], *cut(layout, left, max(right, left + 2)), y, high)]


def _letter(branch: Branch, x: float, y: float) -> Label:
    top = y + METRICS.row_px - _LETTER_HIGH_PX
    return Label(
        x, top, _LETTER_PX, branch.letter, color_of(branch), is_bold=True, px=METRICS.ghost_px, h=_LETTER_HIGH_PX
    )


def ghost_words(layout: Layout, branches: Sequence[Branch], at: Point, words: str) -> str:
    """What is said of the strip at a place, in `words` with {branch}, {start} and {finish}; nothing beside all."""
    found = branch_at(layout, branches, at)
    dated = None if found is None else dates_in(layout, *found)
    if found is None or dated is None:
        return ""
    plan = found[1].plan
    start, finish = (instant_text(plan, instant) for instant in dated)
    return words.format(branch=found[1].name, start=start, finish=finish)
