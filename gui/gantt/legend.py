"""Legend: what the colors and marks that are in sight mean, as words with a small picture each. It never draws them.

What is not in sight is not explained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.model import Clock, TaskId
from gui.canvas.hatching import hatched
from gui.canvas.shapes import Box, Dash, Line, Polygon, Shape
from gui.gantt import links
from gui.gantt.bar_shapes import is_by_hand, is_seen
from gui.gantt.bars import Bar, BarKind, Layout
from gui.gantt.coloring import ColorBy, bar_color
from gui.gantt.extras import Extras
from gui.gantt.fan_shapes import band_shapes, outline, post_shapes
from gui.gantt.fans import Fan, is_open
from gui.gantt.fence import fence_line, fence_x
from gui.gantt.ghosts import dates_in, strip
from gui.gantt.marks import is_broken
from gui.gantt.paths import FOLLOWING, LEADING, LIGHT_PERCENT, Paths, sign_shapes
from gui.gantt.row_links import RowLink
from gui.gantt.setups import SETUP_PERCENT
from gui.gantt.shares import FIFTHS, NEVER, UNKNOWN
from gui.theme import HUES, METRICS

_T = QT_TRANSLATE_NOOP
WIDTH_PX, HEIGHT_PX = 28, 16
_MIDDLE = HEIGHT_PX / 2
_LEFT, _RIGHT = 2.0, 26.0
_TOP = (HEIGHT_PX - METRICS.bar_px) / 2
_MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """Words, and a picture WIDTH_PX by HEIGHT_PX beside them."""

    words: str
    picture: tuple[Shape, ...]


_FILLS: dict[ColorBy, dict[str, str]] = {
    ColorBy.KIND: {
        "accent": str(_T("Legend", "task")),
        "copy_in": str(_T("Legend", "copy to the device")),
        "compute": str(_T("Legend", "work on the device")),
        "copy_out": str(_T("Legend", "copy from the device")),
        "host": str(_T("Legend", "work on the host")),
    },
    ColorBy.CRITICALITY: {
        "critical": str(_T("Legend", "critical")),
        "warning": str(_T("Legend", "nearly critical")),
        "idle": str(_T("Legend", "with float")),
    },
    ColorBy.CHANCE: {
        UNKNOWN: str(_T("Legend", "not simulated")),
        NEVER: str(_T("Legend", "critical in no sample")),
        FIFTHS[0]: str(_T("Legend", "critical in up to 20 % of samples")),
        FIFTHS[1]: str(_T("Legend", "critical in 20 to 40 % of samples")),
        FIFTHS[2]: str(_T("Legend", "critical in 40 to 60 % of samples")),
        FIFTHS[3]: str(_T("Legend", "critical in 60 to 80 % of samples")),
        FIFTHS[4]: str(_T("Legend", "critical in 80 to 100 % of samples")),
    },
    ColorBy.STATUS: {
        "good": str(_T("Legend", "done")),
        "accent": str(_T("Legend", "begun")),
        "critical": str(_T("Legend", "late")),
        "idle": str(_T("Legend", "to come")),
    },
}


def entries(layout: Layout, extras: Extras) -> tuple[Entry, ...]:
    """What is in sight of a chart, each once: fans, fills, forms, promises, marks, lines, links."""
    first, last = layout.seen(extras.height_px)
    rows = (layout.bar(row) for row in range(first, last + 1))
    every = [bar for bar in rows if bar.kind is not BarKind.HEADING]
    bars = [bar for bar in every if is_seen(layout, bar.left, bar.right)]
    shown = [*_forms(layout, extras, bars), *_branches(layout, extras, every)]
    # Paper has one line for all: what nobody knows from elsewhere comes first.
    found = [*_fans(layout, extras, every), *_fills(layout, extras, bars), *shown, *_lines(layout, extras, every)]
    return tuple(dict.fromkeys(found))


def _fills(layout: Layout, extras: Extras, bars: list[Bar]) -> Iterator[Entry]:
    """The colors that bars have, in the order in which the choice lists them."""
    if extras.paths is not None:
        yield from _paths(extras.paths)
        return
    plain = [bar for bar in bars if bar.kind is not BarKind.SUMMARY]
    if extras.color_by is ColorBy.RESOURCE:
        yield from _resources(layout, plain)
        return
    seen = {bar_color(layout.state, bar, extras.color_by, extras.shares) for bar in plain}
    for color, words in _FILLS[extras.color_by].items():
        if color in seen:
            hue, _, is_light = color.partition(":")
            yield Entry(_tr(words), (_bar(color, hue if is_light else ""),))


def _resources(layout: Layout, bars: list[Bar]) -> Iterator[Entry]:
    """Who does what is in sight, those of one hue together."""
    plan = layout.state.plan
    by_hue: dict[str, dict[str, None]] = {}
    for bar in bars:
        place = plan.first_resource.get(bar.task.id)
        hue = "idle" if place is None else HUES[place % len(HUES)]
        name = _tr("nobody") if place is None else plan.resources[place].name
        by_hue.setdefault(hue, {})[name] = None
    for hue in (*HUES, "idle"):
        if names := list(by_hue.get(hue, ())):
            words = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
            yield Entry(words, (_bar(hue),))


def _paths(paths: Paths) -> Iterator[Entry]:
    """The four parts of a path, with how many tasks there are of each."""
    leading, driving, following, driven = paths.counts
    parts = (
        (_T("Legend", "leads there and decides ({count})"), LEADING, True, driving),
        (_T("Legend", "leads there ({count})"), LEADING, False, leading - driving),
        (_T("Legend", "follows and is decided ({count})"), FOLLOWING, True, driven),
        (_T("Legend", "follows ({count})"), FOLLOWING, False, following - driven),
    )
    for words, hue, is_filled, count in parts:
        if count:
            fill = hue if is_filled else f"{hue}:{LIGHT_PERCENT}"
            bar = Box(_LEFT + 11, _TOP, 13, METRICS.bar_px, fill, hue, METRICS.radius_px)
            sign = sign_shapes(0.0, _MIDDLE, hue, is_filled=is_filled)[1:]
            yield Entry(_tr(str(words)).format(count=f"{count:,}"), (*sign, bar))


def _forms(layout: Layout, extras: Extras, bars: list[Bar]) -> Iterator[Entry]:
    """What the forms of bars in sight say, and the marks at them."""
    for words, test, picture in _FORMS:
        if any(test(layout, extras, bar) for bar in bars):
            yield Entry(_tr(str(words)), picture)


def _branches(layout: Layout, extras: Extras, bars: list[Bar]) -> Iterator[Entry]:
    """The branches whose strips are in sight, by letter and name."""
    for branch in extras.branches:
        if any(dates_in(layout, bar, branch) for bar in bars):
            picture = strip(branch, _LEFT, _RIGHT, _MIDDLE - 1.5, METRICS.actual_px)
            words = _tr(str(_T("Legend", "{letter}: in “{name}”")))
            yield Entry(words.format(letter=branch.letter, name=branch.name), (picture,))


def _fans(layout: Layout, extras: Extras, bars: list[Bar]) -> Iterator[Entry]:
    """What the parts of a fan say, and the outline of what was before."""
    fans = extras.fans
    if fans is None:
        return
    found = [fans.items[bar.task.id] for bar in bars if bar.task.id in fans.items]
    found += [fans.answers.project] if is_open(fans.answers.project) else []
    if any(Fan.of(each, layout.scale).is_seen(layout.scale.width_px) for each in found):
        fan = Fan(_LEFT, 6.0, 13.0, 20.0, _RIGHT)
        words = str(_T("Legend", "done by then in samples: thin P10 to P90, thick P20 to P80, gap P50, post P80"))
        post = post_shapes(fan.p80, _MIDDLE - 5.0, _MIDDLE + 6.0)
        yield Entry(_tr(words), (*band_shapes(fan, _MIDDLE - 3.0, 6.0, WIDTH_PX), *post))
        if fans.before is not None:
            yield Entry(_tr(str(_T("Legend", "before the change"))), tuple(outline(fan, 5.0, 6.0, WIDTH_PX)))


def _is_work(bar: Bar) -> bool:
    return bar.kind is not BarKind.SUMMARY and bar.task.is_active


def _is_critical(layout: Layout, _: Extras, bar: Bar) -> bool:
    return _is_work(bar) and bool(layout.state.schedule.is_critical[bar.plan_row])


def _is_near(layout: Layout, extras: Extras, bar: Bar) -> bool:
    is_near = _is_work(bar) and bool(layout.state.schedule.is_near_critical[bar.plan_row])
    return is_near and not _is_critical(layout, extras, bar)


def _has_float(layout: Layout, _: Extras, bar: Bar) -> bool:
    return _is_work(bar) and int(layout.state.schedule.total_float[bar.plan_row]) > 0


def _is_promised(layout: Layout, extras: Extras, bar: Bar) -> bool:
    return extras.baseline is not None and bar.task.id in layout.state.plan.promises.get(extras.baseline, {})


def _breaks(layout: Layout, _: Extras, bar: Bar) -> bool:
    return bar.task.constraint.has_date and is_broken(layout, bar)


def _misses(layout: Layout, _: Extras, bar: Bar) -> bool:
    deadline = bar.task.deadline
    return deadline is not None and bar.task.is_active and int(layout.state.schedule.finish[bar.plan_row]) > deadline


def _setup(layout: Layout, bar: Bar) -> bool | None:
    """Whether there is no time for the set-up before a bar; None where there is no set-up."""
    setup = layout.state.schedule.setups.get(bar.task.id)
    return None if setup is None else setup.is_short


def _keeps(layout: Layout, extras: Extras, bar: Bar) -> bool:
    return bar.task.deadline is not None and bar.task.is_active and not _misses(layout, extras, bar)


def _was_moved(layout: Layout, extras: Extras, bar: Bar) -> bool:
    moved = extras.moved
    return moved is not None and len(moved) == len(layout.state.plan.tasks) and bool(moved[bar.plan_row])


def _lines(layout: Layout, extras: Extras, bars: list[Bar]) -> Iterator[Entry]:
    """Lines of instants, and links."""
    width, plan = layout.scale.width_px, layout.state.plan
    if plan.clock is Clock.CALENDAR:
        if extras.now is not None and 0 <= layout.scale.x(extras.now) <= width:
            cap = Polygon(((10, 0), (18, 0), (14, 5)), "critical")
            yield Entry(_tr(str(_T("Legend", "today"))), (cap, _upright("critical", Dash.SOLID)))
        status = plan.settings.status
        if status is not None and 0 <= layout.scale.x(status) <= width:
            yield Entry(_tr(str(_T("Legend", "status date"))), (_upright("accent", Dash.DASHED),))
        fence = fence_x(plan, layout.scale)
        if fence is not None and 0 <= fence <= width:
            words = str(_T("Legend", "frozen to the left: the optimizer moves nothing there"))
            yield Entry(_tr(words), tuple(fence_line(WIDTH_PX / 2, HEIGHT_PX, 7.0)))
    seen = links.routes(layout, bars[0].row, bars[-1].row) if bars else ()
    chosen: frozenset[TaskId] = frozenset() if extras.paths is not None else extras.selection
    kinds = {_kind_of(layout, route.link, chosen) for route in seen}
    if "plain" in kinds:
        yield Entry(_tr(str(_T("Legend", "link"))), _link("link", 1.0))
    if "chosen" in kinds:
        yield Entry(_tr(str(_T("Legend", "link of what is selected"))), _link("accent", 1.5))
    if "stream" in kinds:
        yield Entry(_tr(str(_T("Legend", "order on a stream"))), (_dotted("link"),))


def _kind_of(layout: Layout, link: RowLink, chosen: frozenset[TaskId]) -> str:
    if link.dependency is None:
        return "stream"
    ends = (layout.rows.tasks[row].id for row in (link.first, link.second))
    return "plain" if chosen.isdisjoint(ends) else "chosen"


# Pictures


def _bar(fill: str, outline: str = "", dash: Dash = Dash.SOLID) -> Box:
    return Box(_LEFT, _TOP, _RIGHT - _LEFT, METRICS.bar_px, fill, outline, METRICS.radius_px, dash)


def _framed(color: str, dash: Dash) -> tuple[Shape, ...]:
    around = Box(0.5, 0.5, WIDTH_PX - 1, HEIGHT_PX - 1, "", color, METRICS.radius_px + METRICS.frame_px, dash)
    return Box(_LEFT + 1, _TOP + 1, _RIGHT - _LEFT - 2, METRICS.bar_px - 2, "idle", "", METRICS.radius_px), around


def _diamond(fill: str) -> Polygon:
    half = METRICS.bar_px / 2
    return Polygon(((14 - half, _MIDDLE), (14, _MIDDLE - half), (14 + half, _MIDDLE), (14, _MIDDLE + half)), fill)


def _bracket() -> tuple[Shape, ...]:
    feet = [Polygon(((x, 5.0), (x + step, 6.0), (x, 12.5)), "summary") for x, step in ((_LEFT, 5.0), (_RIGHT, -5.0))]
    return Box(_LEFT, 5.0, _RIGHT - _LEFT, 3.5, "summary"), *feet


def _dotted(color: str) -> Line:
    return Line(((_LEFT, _MIDDLE), (_RIGHT, _MIDDLE)), color, 1.0, Dash.DOTTED)


def _strip() -> tuple[Shape, ...]:
    return _bar("idle"), Box(_LEFT, _TOP + 8, 14, 3, "done")


def _pause() -> tuple[Shape, ...]:
    ends = (Box(x, _TOP, 8, METRICS.bar_px, "idle", radius=2) for x in (_LEFT, _RIGHT - 8))
    return _dotted("idle"), *ends


def _pale() -> tuple[Shape, ...]:
    return (_bar("idle:25", "idle", Dash.DASHED),)


def _struck() -> tuple[Shape, ...]:
    return _bar("idle:15", "muted"), Line(((0, _MIDDLE), (WIDTH_PX, _MIDDLE)), "muted")


def _hatch(color: str) -> tuple[Shape, ...]:
    box = (_LEFT, _RIGHT, _TOP, _TOP + METRICS.bar_px)
    return tuple(hatched(box, color, SETUP_PERCENT))


def _under(fill: str, outline: str = "") -> Box:
    return Box(_LEFT, HEIGHT_PX - METRICS.actual_px, _RIGHT - _LEFT, METRICS.actual_px, fill, outline)


def _pin(color: str) -> tuple[Shape, ...]:
    return (
        Line(((10, 1), (10, 15)), color),
        Box(7.5, 1, 5, 5, color, radius=2.5),
        Box(14, _TOP, 12, 12, "idle", radius=2),
    )


def _arrow(color: str) -> tuple[Shape, ...]:
    return Line(((14, 1), (14, 9)), color, 2.0), Polygon(((10, 9), (18, 9), (14, 15)), color)


def _patch(fill: str) -> Box:
    return Box(0, 0, WIDTH_PX, HEIGHT_PX, fill, "line", METRICS.radius_px)


def _upright(color: str, dash: Dash) -> Line:
    return Line(((14, 0), (14, HEIGHT_PX)), color, 1.0, dash)


def _link(color: str, width: float) -> tuple[Shape, ...]:
    return Line(((4, 4), (20, 4), (20, 9)), color, width), Polygon(((20, 13), (17, 9), (23, 9)), color)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Legend", text)


Test = Callable[[Layout, Extras, Bar], bool]

# Words, whether a bar is to be explained by them, and their picture.
_FORMS: tuple[tuple[object, Test, tuple[Shape, ...]], ...] = (
    (_T("Legend", "summary"), lambda _, __, bar: bar.kind is BarKind.SUMMARY, _bracket()),
    (_T("Legend", "milestone"), lambda _, __, bar: bar.kind is BarKind.MILESTONE, (_diamond("text"),)),
    (_T("Legend", "critical"), _is_critical, _framed("critical", Dash.SOLID)),
    (_T("Legend", "nearly critical"), _is_near, _framed("warning", Dash.DASHED)),
    (_T("Legend", "float"), _has_float, (_dotted("muted"),)),
    (_T("Legend", "done so far"), lambda _, __, bar: bool(bar.task.progress and bar.task.progress.percent), _strip()),
    (_T("Legend", "pause"), lambda _, __, bar: bool(bar.task.splits), _pause()),
    (_T("Legend", "dates typed by hand"), lambda _, __, bar: is_by_hand(bar.task), _pale()),
    (_T("Legend", "set-up of its machine"), lambda layout, _, bar: _setup(layout, bar) is False, _hatch("muted")),
    (
        _T("Legend", "set-up without time for it"),
        lambda layout, _, bar: _setup(layout, bar) is True,
        _hatch("critical"),
    ),
    (_T("Legend", "taken out of the plan"), lambda _, __, bar: not bar.task.is_active, _struck()),
    (_T("Legend", "promised"), _is_promised, (_bar("idle"), _under("baseline", "muted"))),
    (
        _T("Legend", "what happened"),
        lambda _, now, bar: bar.task.id in now.actuals,
        (_bar("idle"), _under("idle:60")),
    ),
    (_T("Legend", "constraint"), lambda _, __, bar: bar.task.constraint.has_date, _pin("accent")),
    (_T("Legend", "constraint that is broken"), _breaks, _pin("critical")),
    (_T("Legend", "deadline"), _keeps, _arrow("good")),
    (_T("Legend", "missed deadline"), _misses, _arrow("critical")),
    (_T("Legend", "moved by the last edit"), _was_moved, (_patch("changed"), _bar("idle"))),
)
