"""Which rows and which time stand on which page."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from gui.printing.pages import PAPERS, PX_PER_MM, PageSetup, lay_out
from gui.theme import METRICS

A4, A3 = PAPERS[0], PAPERS[1]
MONTH = 30 * 86_400
SPAN = (1_772_409_600, 1_772_409_600 + MONTH)


@pytest.mark.parametrize("rows", [1, 17, 500, 10_000])
@pytest.mark.parametrize("wide", [1, 3])
def test_that_every_row_stands_on_one_row_of_pages(rows: int, wide: int) -> None:
    sheets = lay_out(PageSetup(A3, pages_wide=wide), rows, SPAN, 300.0, is_calendar=True)
    for across in range(wide):
        found = [row for page in sheets.pages if page.across == across for row in range(page.first_row, page.end_row)]
        assert found == list(range(rows))
    assert [page.number for page in sheets.pages] == list(range(1, len(sheets.pages) + 1))


def test_that_an_empty_plan_has_one_page() -> None:
    assert len(lay_out(PageSetup(), 0, SPAN, 300.0, is_calendar=True).pages) == 1


def test_that_the_pages_beside_each_other_share_one_time_scale() -> None:
    sheets = lay_out(PageSetup(A4, pages_wide=4), 10, SPAN, 250.0, is_calendar=True)
    scales = [page.scale for page in sheets.pages]
    assert len({scale.ticks_per_px for scale in scales}) == 1
    for left, right in pairwise(scales):
        assert abs(right.origin_ticks - left.end_ticks) <= left.ticks_per_px
    assert scales[0].origin_ticks <= SPAN[0]
    assert scales[-1].end_ticks >= SPAN[1]


def test_that_the_table_stands_on_the_leftmost_pages_alone() -> None:
    sheets = lay_out(PageSetup(A4, pages_wide=2), 500, SPAN, 250.0, is_calendar=True)
    assert {page.table_px for page in sheets.pages if page.across == 0} == {250.0}
    assert {page.table_px for page in sheets.pages if page.across == 1} == {0.0}


def test_that_a_table_wider_than_the_page_leaves_room_for_the_chart() -> None:
    sheets = lay_out(PageSetup(A4), 10, SPAN, 5_000.0, is_calendar=True)
    assert sheets.width_px - sheets.pages[0].table_px >= 100


def test_that_rows_fit_between_heading_and_foot() -> None:
    for zoom in (0.3, 1.0, 2.0):
        sheets = lay_out(PageSetup(A3, zoom=zoom), 500, SPAN, 300.0, is_calendar=True)
        most = max(page.end_row - page.first_row for page in sheets.pages)
        assert sheets.top_px + most * METRICS.row_px <= sheets.height_px


def test_that_size_and_orientation_are_those_of_the_paper() -> None:
    lying = PageSetup(A4, is_landscape=True, margin_mm=10)
    assert lying.size_mm == (297, 210)
    assert replace(lying, is_landscape=False).size_mm == (210, 297)
    assert lying.content_px == pytest.approx((277 * PX_PER_MM, 190 * PX_PER_MM))
    assert replace(lying, zoom=0.5).content_px == pytest.approx((554 * PX_PER_MM, 380 * PX_PER_MM))
