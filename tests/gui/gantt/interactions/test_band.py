"""A rectangle that chooses, in numbers."""

import pytest

from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.interactions.band import Band
from tests.gui.gantt.plans import at, layout_of, week


@pytest.fixture
def layout() -> Layout:
    """An hour a pixel: Frame in row 1 from Monday to Wednesday, Roof in row 2 to Friday."""
    return layout_of(week(), TimeScale(at(2026, 3, 1), 3600.0))


def place(layout: Layout, day: int, y: float) -> tuple[float, float]:
    return layout.scale.x(at(2026, 3, day, 12)), y


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ((1, 26), (3, 70), (2,)),
        ((1, 26), (5, 70), (2, 3)),
        ((5, 70), (1, 26), (2, 3)),
        ((1, 0), (9, 400), (1, 2, 3, 4, 5)),
        ((1, 43), (9, 50), ()),
        ((7, 26), (9, 70), ()),
        ((5, 60), (5, 60), (3,)),
        ((1, 200), (9, 400), ()),
    ],
)
def test_that_a_band_takes_the_bars_it_touches(
    layout: Layout, first: tuple[int, float], second: tuple[int, float], chosen: tuple[int, ...]
) -> None:
    assert Band(layout, place(layout, *first)).tasks(layout, place(layout, *second)) == chosen


def test_that_a_band_stays_where_it_began_while_rows_and_time_scroll(layout: Layout) -> None:
    band = Band(layout, (100.0, 26.0))
    scrolled = Layout(layout.state, layout.rows, layout.scale.panned(-30), 48)
    assert band.corners(scrolled, (90.0, 10.0)) == (70.0, -22.0, 90.0, 10.0)
    assert not band.is_drag(layout, (102.0, 24.0))
    assert band.is_drag(layout, (100.0, 22.0))
