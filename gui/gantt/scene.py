"""The Gantt chart's scene: State to shapes, for the rows and the time in sight. It never changes anything.

From back to front: ground, what is not worked, links, float, bars, actuals, words, pins, and what a drag shows.
"""

from __future__ import annotations

from gui.canvas.shapes import Box, Label, Shape
from gui.gantt import links
from gui.gantt.bar_shapes import bar_shapes
from gui.gantt.bars import MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.drag_shapes import card_shapes, drag_shapes, ghost_shapes
from gui.gantt.extras import Extras
from gui.gantt.fan_shapes import fan_shapes
from gui.gantt.fence import fence_shapes
from gui.gantt.finish_fan import finish_shapes
from gui.gantt.ghosts import ghosts
from gui.gantt.ground import ground_shapes
from gui.gantt.handles import DOT_PX, dots, progress_handle
from gui.gantt.labels import is_inside, label_of, label_shapes, thread
from gui.gantt.link_shapes import link_shapes
from gui.gantt.marks import deadline_shapes, instant_lines, pin_shapes
from gui.gantt.setups import setup_shapes
from gui.gantt.share_shapes import share_shapes
from gui.theme import METRICS

__all__ = ["Extras", "over_scene", "scene", "still_scene"]


def scene(layout: Layout, extras: Extras) -> list[Shape]:
    """Everything under the time axis. What it costs is what is in sight, however many tasks there are."""
    return [*still_scene(layout, extras), *over_scene(layout, extras)]


def still_scene(layout: Layout, extras: Extras) -> list[Shape]:
    """What stays as it is while the mouse does something: the plan itself, as far as it is in sight."""
    every, bars = _rows(layout, extras), _bars(layout, extras)
    first, last = layout.seen(extras.height_px)
    labels = {bar.row: label for bar in bars if (label := label_of(layout, bar, extras))}
    shapes = ground_shapes(layout, extras, every)
    shapes += instant_lines(layout, extras)
    shapes += fence_shapes(layout.state.plan, layout.scale, extras.height_px)
    shapes += _links(layout, extras, labels, (first, last))
    for bar in bars:
        if bar.kind is not BarKind.SUMMARY:
            shapes += thread(layout, bar, labels.get(bar.row))
            if layout.state.plan.changeovers:
                top = bar.y + METRICS.bar_top_px
                shapes += setup_shapes(layout.state, bar.task.id, layout.scale, top, METRICS.bar_px)
        shapes += bar_shapes(layout, bar, extras)
    if extras.branches:
        shapes += ghosts(layout, extras.branches, bars)
    for bar in bars:
        if bar.row in labels:
            shapes += label_shapes(bar, labels[bar.row])
        shapes += deadline_shapes(layout, bar)
        shapes += pin_shapes(layout, bar, extras)
    if extras.paths is not None:
        shapes += [shape for bar in bars for shape in extras.paths.sign(bar)]
    return shapes


def over_scene(layout: Layout, extras: Extras) -> list[Shape]:
    """What the mouse shows on top: what can be taken hold of, what is offered, what is dragged."""
    bars = _bars(layout, extras)
    shapes = _sure(layout, extras, bars) + _dots(bars, extras)
    shapes += [shape for bar in bars if bar.task.id == extras.hover for shape in progress_handle(layout, bar)]
    if extras.preview is not None and extras.drag is None:
        shapes += ghost_shapes(layout, extras.preview, bars)
    if extras.drag is not None:
        shapes += drag_shapes(layout, extras.drag, bars)
        shapes += card_shapes(layout, extras.drag, bars, extras.height_px, extras.text_width)
    return shapes


def _sure(layout: Layout, extras: Extras, bars: list[Bar]) -> list[Shape]:
    """How sure dates are: it is drawn over the plan, for it comes anew while something is held."""
    shapes = [] if extras.shares is None else share_shapes(layout, extras, bars)
    if extras.fans is not None:
        shapes += fan_shapes(layout, extras, extras.fans, bars)
        sight = (layout.scale, extras.height_px, extras.text_width)
        shapes += finish_shapes(layout.state.plan, extras.fans, *sight)
    return shapes


def _rows(layout: Layout, extras: Extras) -> list[Bar]:
    """What stands in the rows in sight, headings of groups too."""
    first, last = layout.seen(extras.height_px)
    return [layout.bar(row) for row in range(first, last + 1)]


def _bars(layout: Layout, extras: Extras) -> list[Bar]:
    """The bars of tasks in sight."""
    return [bar for bar in _rows(layout, extras) if bar.kind is not BarKind.HEADING]


def _links(layout: Layout, extras: Extras, labels: dict[int, Label], rows: tuple[int, int]) -> list[Shape]:
    """Links from back to front: those that streams add, those of the plan, those of chosen tasks, the chosen one."""
    spans = {row: (label.x, label.x + label.w) for row, label in labels.items() if not is_inside(label)}
    return link_shapes(layout, extras, links.routes(layout, *rows, spans))


def _dots(bars: list[Bar], extras: Extras) -> list[Shape]:
    """The dots that links are drawn from, at the ends of the bar under the mouse."""
    shapes: list[Shape] = []
    for bar in bars:
        if bar.task.id == extras.hover:
            for x in dots(bar):
                top = bar.y + MIDDLE_PX - DOT_PX / 2
                shapes.append(Box(x - DOT_PX / 2, top, DOT_PX, DOT_PX, "panel", "accent", DOT_PX / 2, width=1.5))
    return shapes
