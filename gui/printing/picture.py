"""Picture: one page of a plan as shapes and on a painter: heading, table, time axis, chart, legend and page number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QPainter

from engine.model import Clock
from engine.schedule.cpm import working_time
from engine.session.scenarios import Branch
from engine.session.state import State
from gui.canvas.axis import axis_shapes
from gui.canvas.painter import elided, text_width
from gui.canvas.shapes import Align, Box, Label, Line, Shape
from gui.canvas.vector import draw_vector
from gui.gantt.bars import Layout
from gui.gantt.cells import PAD_PX, cell_shapes, cell_text, column_width, row_lines
from gui.gantt.coloring import ColorBy
from gui.gantt.columns import WORDS, Column
from gui.gantt.fans import Fans
from gui.gantt.legend import HEIGHT_PX, WIDTH_PX, Entry, entries
from gui.gantt.rows import Rows
from gui.gantt.scene import Extras, scene
from gui.gantt.words import instant_text
from gui.printing.pages import FOOT_PX, HEAD_PX, Page, PageSetup, Sheets, lay_out, one_page, table_room
from gui.theme import LIGHT, METRICS

_NAME_LEAST_PX, _NAME_MOST_PX = 120.0, 320.0
_KEY_GAP_PX, _NUMBER_PX = 6.0, 120.0
_MOST_MEASURED = 5_000
_ROUNDED_PX = 0.5  # by so much a sum of widths may be less than their room
translate = QCoreApplication.translate


@dataclass(frozen=True, eq=False)
class Printed:
    """What is printed: a state's rows, the columns of the table with their titles, and the time `span`.

    `color_by` and `baseline` are what a person chose to see in the chart; `fans` say how sure dates are, `branches`
    are others whose bars show under those of this one.
    """

    state: State
    rows: Rows
    columns: tuple[tuple[Column, str], ...]
    span: tuple[int, int]
    color_by: ColorBy = ColorBy.KIND
    baseline: int | None = None
    fans: Fans | None = None
    branches: tuple[Branch, ...] = ()

    def sheets(self, setup: PageSetup) -> Sheets:
        """The pages."""
        table = sum(width for _, _, width in self.kept(table_room(setup)))
        is_calendar = self.state.plan.clock is Clock.CALENDAR
        return lay_out(setup, len(self.rows), self.span, table, is_calendar=is_calendar)

    def picture(self, chart_px: float) -> Sheets:
        """All of it on one page, beside a chart so many pixels wide."""
        is_calendar = self.state.plan.clock is Clock.CALENDAR
        return one_page(len(self.rows), self.span, sum(self.widths), chart_px, is_calendar=is_calendar)

    def kept(self, room_px: float) -> tuple[tuple[Column, str, float], ...]:
        """Columns, titles and widths of a table that has so much room: the names, and from the left what fits whole."""
        every = [(*each, width) for each, width in zip(self.columns, self.widths, strict=True)]
        left = room_px - sum(width for column, _, width in every if column is Column.TASK)
        found: list[tuple[Column, str, float]] = []
        for column, title, width in every:
            if column is Column.TASK:
                found.append((column, title, min(width, room_px)))
            else:
                left -= width
                if left > -_ROUNDED_PX:
                    found.append((column, title, width))
        return tuple(found)

    def left_out(self, setup: PageSetup) -> tuple[str, ...]:
        """Titles of the columns for which paper has no room."""
        kept = {column for column, _, _ in self.kept(table_room(setup))}
        return tuple(title for column, title in self.columns if column not in kept)

    @cached_property
    def widths(self) -> list[float]:
        """Of each column; the name's is that of the longest, within limits."""
        found = []
        for column, title in self.columns:
            if column is Column.TASK:
                names = (
                    text_width(task.name, METRICS.text_px, task.id in self.rows.summaries)
                    + depth * METRICS.indent_px
                    + 3 * PAD_PX
                    for task, depth in zip(self.rows.tasks, self.rows.depths.tolist(), strict=True)
                )
                found.append(min(max(_NAME_LEAST_PX, *names, 0.0), _NAME_MOST_PX))
            else:
                found.append(self._figures_px(column, title))
        return found

    def _figures_px(self, column: Column, title: str) -> float:
        """As wide as the widest of its figures, of very many rows as wide as the window's table has it."""
        title_px = text_width(title, METRICS.text_px, False)
        if len(self.rows) > _MOST_MEASURED:
            return float(column_width(self.state, self.rows, column, title_px, text_width))
        texts = (cell_text(self.state, self.rows, row, column) for row in range(len(self.rows)))
        return max(title_px, *(text_width(text, METRICS.text_px, False) for text in texts), 0.0) + 2 * PAD_PX


def paint(painter: QPainter, printed: Printed, sheets: Sheets, page: Page) -> None:
    """Draws a page; the painter's unit is a logical pixel, its origin the corner within the margins."""
    place = _Placed(painter, sheets)
    place.draw((0, 0), (sheets.width_px, sheets.height_px), _heading(printed, sheets, page))
    rows_px = float((page.end_row - page.first_row) * METRICS.row_px)
    chart_px = sheets.width_px - page.table_px
    is_calendar = printed.state.plan.clock is Clock.CALENDAR
    axis = axis_shapes(page.scale, is_calendar, text_width)
    place.draw((page.table_px, HEAD_PX), (chart_px, METRICS.header_px), axis)
    layout, extras = _seen(printed, page, rows_px)
    place.draw((page.table_px, sheets.top_px), (chart_px, rows_px), scene(layout, extras))
    if sheets.setup.has_legend:
        _paint_legend(place, entries(layout, extras))
    if page.table_px:
        place.draw((0, HEAD_PX), (page.table_px, METRICS.header_px + rows_px), _titles(printed, page))
        _paint_table(place, printed, page)
    frame = (0.0, HEAD_PX, sheets.width_px, METRICS.header_px + rows_px)
    place.draw((0, 0), (sheets.width_px, sheets.height_px), [Box(*frame, "", "line")])


@dataclass(frozen=True, slots=True)
class _Placed:
    """Draws shapes at a place of the page, nothing of them beyond a size."""

    painter: QPainter
    sheets: Sheets

    def draw(self, at: tuple[float, float], size: tuple[float, float], shapes: list[Shape]) -> None:
        self.painter.save()
        self.painter.translate(*at)
        self.painter.setClipRect(QRectF(0, 0, *size))
        draw_vector(self.painter, shapes, LIGHT)
        self.painter.restore()


def _seen(printed: Printed, page: Page, rows_px: float) -> tuple[Layout, Extras]:
    """What of the chart is on a page, and how it looks."""
    plan = printed.state.plan
    layout = Layout(printed.state, printed.rows, page.scale, page.first_row * METRICS.row_px)
    time = working_time(plan) if plan.clock is Clock.CALENDAR else None
    # One row less a pixel: a row that only begins at the lower edge belongs to the next page.
    extras = Extras(max(rows_px - 1.0, 0.0), text_width, time)
    by, fans, others = printed.color_by, printed.fans, printed.branches
    shares = fans.shares if fans is not None and by is ColorBy.CHANCE else None
    return layout, replace(extras, color_by=by, baseline=printed.baseline, fans=fans, shares=shares, branches=others)


def _titles(printed: Printed, page: Page) -> list[Shape]:
    shapes: list[Shape] = [Box(0, 0, page.table_px, METRICS.header_px, "panel")]
    left = 0.0
    for column, title, width in printed.kept(page.table_px):
        align = Align.LEFT if column in WORDS else Align.RIGHT
        shapes.append(Label(left + PAD_PX, METRICS.tier_px, width - 2 * PAD_PX, title, "muted", align))
        left += width
    bottom = METRICS.header_px - 0.5
    return [*shapes, Line(((0, bottom), (page.table_px, bottom)), "line")]


def _paint_table(place: _Placed, printed: Printed, page: Page) -> None:
    columns = printed.kept(page.table_px)
    for row in range(page.first_row, page.end_row):
        y = place.sheets.top_px + (row - page.first_row) * METRICS.row_px
        left = 0.0
        for column, _, width in columns:
            shapes = cell_shapes(printed.state, printed.rows, (row, column), width, elided)
            place.draw((left, y), (width, METRICS.row_px), [*shapes, *row_lines(0, width, False)])
            left += width
    height = METRICS.header_px + (page.end_row - page.first_row) * METRICS.row_px
    edge: list[Shape] = [Line(((page.table_px, HEAD_PX), (page.table_px, HEAD_PX + height)), "line")]
    place.draw((0, 0), (place.sheets.width_px, place.sheets.height_px), edge)


def _heading(printed: Printed, sheets: Sheets, page: Page) -> list[Shape]:
    """Name and dates of the plan above, the page number below."""
    plan, schedule, wide = printed.state.plan, printed.state.schedule, sheets.width_px
    dates = translate("Printing", "{start} to {finish}").format(
        start=instant_text(plan, schedule.project_start), finish=instant_text(plan, schedule.project_finish)
    )
    room = int(wide - text_width(dates, METRICS.text_px, False) - 24)
    name = elided(plan.name, max(room, 0), METRICS.title_px, True)
    shapes: list[Shape] = [
        Label(0, 0, wide, name, "text", is_bold=True, px=METRICS.title_px),
        Label(0, 0, wide, dates, "muted", Align.RIGHT),
    ]
    foot = sheets.height_px - FOOT_PX + 4
    number = translate("Printing", "Page {number} of {count}").format(number=page.number, count=len(sheets.pages))
    if len(sheets.pages) > 1:
        shapes.append(Label(0, foot, wide, number, "muted", Align.RIGHT, px=METRICS.label_px))
    return shapes


def _paint_legend(place: _Placed, known: tuple[Entry, ...]) -> None:
    """What the colors and marks of the page mean, in one line: closer to each other where there is less room."""
    room = place.sheets.width_px - (_NUMBER_PX if len(place.sheets.pages) > 1 else 0.0)
    widths = [WIDTH_PX + _KEY_GAP_PX + text_width(entry.words, METRICS.label_px, False) for entry in known]
    spare = room - sum(widths)
    gap = min(max(spare / max(len(known) - 1, 1), _KEY_GAP_PX), 3 * _KEY_GAP_PX)
    left, top = 0.0, place.sheets.height_px - FOOT_PX + 4 + (METRICS.row_px - HEIGHT_PX) / 2
    for entry, width in zip(known, widths, strict=True):
        if left + width > room + 1.0:
            break
        words = Label(WIDTH_PX + _KEY_GAP_PX, 0, 0, entry.words, "muted", px=METRICS.label_px, h=HEIGHT_PX)
        place.draw((left, top), (width + 1.0, HEIGHT_PX), [*entry.picture, words])
        left += width + gap
