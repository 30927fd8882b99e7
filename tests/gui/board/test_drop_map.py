"""The tint of places under a held bar, with numbers."""

from engine.optimize.problem import Objective
from engine.session.dropping import Drops
from gui.board.drop_map import SLOTS, legend_shapes, map_shapes, slots_of
from gui.board.drop_words import words_of
from gui.board.layout import BoardLayout
from gui.board.rows import BoardRows
from gui.canvas.shapes import Box, Label, Line
from gui.canvas.time_scale import TimeScale
from tests.gui.board.plans import shop

HOUR = 3600


def layout() -> BoardLayout:
    state = shop()
    return BoardLayout(state, BoardRows.of(state), TimeScale(state.plan.start, 360.0, 400.0))


def drops(board: BoardLayout, *shares: float | None, best: int | None = None) -> Drops:
    """Shares of the first row, an hour each."""
    starts = tuple(board.scale.origin_ticks + place * HOUR for place in range(len(shares)))
    first = board.rows.rows[0].id
    found = None if best is None else (0, best)
    return Drops(1, (first,), starts, (shares,), Objective.TARDINESS, found, -5 * HOUR if best is not None else 0)


def test_that_there_are_as_many_slots_as_fit_and_each_once() -> None:
    starts = slots_of(TimeScale(0, 360.0, 400.0))
    assert len(starts) == SLOTS
    assert starts[1] - starts[0] == 10 * 360
    assert len(slots_of(TimeScale(0, 10.0, 0.1))) == 2


def test_that_better_and_worse_differ_in_hue_and_in_a_mark_and_nothing_stays_plain() -> None:
    board = layout()
    shapes = map_shapes(board, drops(board, -1.0, 0.0, 0.5), 400.0)
    assert [(shape.x, shape.w, shape.fill.partition(":")[0]) for shape in shapes] == [
        (0.0, 10.0, "hue_6"),
        (20.0, 10.0, "hue_2"),
        (20.0, 10.0, "hue_2"),
    ]
    assert shapes[-1].h == 2


def test_that_a_broken_place_is_hatched_and_the_best_one_framed() -> None:
    board = layout()
    shapes = map_shapes(board, drops(board, None, -1.0, best=1), 400.0)
    assert any(isinstance(shape, Line) for shape in shapes)
    frame = shapes[-1]
    assert isinstance(frame, Box)
    assert (frame.x, frame.w, frame.fill, frame.outline) == (10.0, 10.0, "", "text")


def test_that_the_legend_says_what_is_less_and_how_much_the_best_place_gains() -> None:
    board = layout()
    found = drops(board, -1.0, best=0)
    shapes = legend_shapes(found, words_of(found), (800.0, 400.0), lambda text, *_: 6.0 * len(text))
    words = [shape.text for shape in shapes if isinstance(shape, Label)]
    assert words == [
        "less lateness, once what is there gives way",
        "more lateness",
        "breaks a rule",
        "the best place: \N{MINUS SIGN}1 eh",
    ]
