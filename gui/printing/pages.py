"""Pages: which rows and which time stand on which page of a printed plan. It never draws one.

Lengths on a page are logical pixels, 96 to the inch at 100 %, as in the window.
"""

from __future__ import annotations

from dataclasses import dataclass

from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

PX_PER_MM = 96 / 25.4
HEAD_PX = 32.0
FOOT_PX = 28.0
LEAST_ZOOM, MOST_ZOOM = 0.3, 2.0
MOST_WIDE = 50
_LEAST_CHART_PX = 120.0
_MOST_TABLE = 0.6  # of the width of all pages beside each other


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright."""

    name: str
    width_mm: float
    height_mm: float


PAPERS = (
    Paper("A4", 210, 297),
    Paper("A3", 297, 420),
    Paper("A2", 420, 594),
    Paper("A1", 594, 841),
    Paper("Letter", 215.9, 279.4),
    Paper("Legal", 215.9, 355.6),
    Paper("Tabloid", 279.4, 431.8),
)


@dataclass(frozen=True, slots=True)
class PageSetup:
    """How a plan is printed: on which paper, `pages_wide` pages for its whole time, text and rows at `zoom`."""

    paper: Paper = PAPERS[0]
    is_landscape: bool = True
    pages_wide: int = 1
    zoom: float = 1.0
    margin_mm: float = 10.0
    has_legend: bool = True

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the paper as it lies."""
        wide, high = self.paper.width_mm, self.paper.height_mm
        return (high, wide) if self.is_landscape else (wide, high)

    @property
    def content_px(self) -> tuple[float, float]:
        """Width and height within the margins, in logical pixels."""
        px_per_mm = PX_PER_MM / self.zoom
        wide, high = self.size_mm
        return (wide - 2 * self.margin_mm) * px_per_mm, (high - 2 * self.margin_mm) * px_per_mm


@dataclass(frozen=True, slots=True)
class Page:
    """One page: `first_row` to before `end_row`, and the time of `scale`. The table stands on the leftmost pages."""

    number: int
    across: int
    first_row: int
    end_row: int
    table_px: float
    scale: TimeScale


@dataclass(frozen=True, slots=True)
class Sheets:
    """All pages, row by row of pages; a page is `width_px` by `height_px`, its chart begins at `top_px`."""

    setup: PageSetup
    pages: tuple[Page, ...]
    width_px: float
    height_px: float

    @property
    def top_px(self) -> float:
        """Where the first row of a page begins."""
        return HEAD_PX + METRICS.header_px


def one_page(rows: int, span: tuple[int, int], table_px: float, chart_px: float, *, is_calendar: bool) -> Sheets:
    """All rows on one page as large as they need, a chart of `chart_px` beside the table: a picture, not paper."""
    width, height = table_px + chart_px, HEAD_PX + METRICS.header_px + max(rows, 1) * METRICS.row_px + FOOT_PX
    setup = PageSetup(Paper("", width / PX_PER_MM, height / PX_PER_MM), is_landscape=False, margin_mm=0.0)
    scale = TimeScale.fitted(*span, chart_px, is_calendar)
    return Sheets(setup, (Page(1, 0, 0, rows, table_px, scale),), width, height)


def table_room(setup: PageSetup) -> float:
    """Logical pixels that the table may take of the leftmost page: a chart that can be read is left beside it."""
    width = setup.content_px[0]
    return min(width - _LEAST_CHART_PX, _MOST_TABLE * setup.pages_wide * width)


def lay_out(setup: PageSetup, rows: int, span: tuple[int, int], table_px: float, *, is_calendar: bool) -> Sheets:
    """The pages of so many rows and of the time `span` (first and last instant), every row on one row of pages.

    A table wider than its room ends there.
    """
    width, height = setup.content_px
    table = min(table_px, table_room(setup))
    a_page = max(int((height - HEAD_PX - METRICS.header_px - FOOT_PX) // METRICS.row_px), 1)
    whole = TimeScale.fitted(*span, setup.pages_wide * width - table, is_calendar)
    pages: list[Page] = []
    for first in range(0, max(rows, 1), a_page):
        for across in range(setup.pages_wide):
            left = table if across == 0 else 0.0
            scale = whole.panned(-(across * width - table) if across else 0.0).resized(width - left)
            pages.append(Page(len(pages) + 1, across, first, min(first + a_page, rows), left, scale))
    return Sheets(setup, tuple(pages), width, height)
