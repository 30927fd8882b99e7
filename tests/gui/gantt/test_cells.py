"""The cells of the task table: words and shapes."""

from dataclasses import replace

from engine.model import ConstraintKind, Dependency, Task
from engine.session.document import Document
from engine.session.state import State
from gui.canvas.shapes import Align, Box, Label, Polygon, Shape
from gui.gantt.cells import PAD_PX, Column, cell_shapes, cell_text, column_width, expander_left
from gui.gantt.rows import Rows
from gui.panels.inspector_words import sections
from gui.theme import METRICS
from tests.engine.schedule.plans import at, calendar_plan
from tests.gui.gantt.plans import frames, week


def elide(text: str, width: int, px: int, is_bold: bool) -> str:
    return text if len(text) * px * 0.6 <= width else text[:3] + "…"


def texts(state: State, column: Column) -> list[str]:
    rows = Rows.of(state)
    return [cell_text(state, rows, row, column) for row in range(len(rows))]


def cell(state: State, row: int, column: Column, width: float = 100.0) -> list[Shape]:
    return cell_shapes(state, Rows.of(state), (row, column), width, elide)


def label(shapes: list[Shape]) -> Label:
    (found,) = [shape for shape in shapes if isinstance(shape, Label)]
    return found


def test_that_a_calendar_plan_is_told_in_days_and_dates() -> None:
    state = week()
    assert texts(state, Column.DURATION) == ["5 d", "3 d", "2 d", "0", "1 d"]
    assert texts(state, Column.FLOAT) == ["—", "0", "0", "0", "4 d"]
    assert texts(state, Column.START)[2] == "Thu 5 Mar 2026 08:00"
    assert texts(state, Column.FINISH)[2] == "Fri 6 Mar 2026 17:00"


def test_that_an_inactive_task_has_no_float() -> None:
    plan = week().plan
    state = Document(plan.with_tasks([replace(plan.tasks[4], is_active=False)])).state
    assert texts(state, Column.FLOAT)[4] == "—"
    assert texts(state, Column.FREE_FLOAT)[4] == "—"


def test_that_elapsed_tasks_are_told_in_days_of_the_clock() -> None:
    hour = 3600
    pin = {"constraint": ConstraintKind.START_NO_EARLIER_THAN, "constraint_at": at("2025-03-07 20:00")}
    cutover = Task(1, "Cutover", 33 * hour, is_elapsed=True, **pin)  # type: ignore[arg-type]
    patch = replace(cutover, id=2, duration=4 * hour, deadline=at("2025-03-07 20:00"))
    plan = calendar_plan([cutover, patch, Task(3, "Test", 8 * hour)], [Dependency(1, 3)])
    state = Document(plan).state
    assert texts(state, Column.DURATION) == ["1 ed 9 eh", "4 eh", "1 d"]
    assert texts(state, Column.FLOAT) == ["1 ed 3 eh", "\N{MINUS SIGN}4 eh", "0"]
    said = [(line.text, line.name) for section in sections(state, 1) for line in section.lines]
    assert ("1 ed 9 eh", "duration") in said
    assert ("1 ed 3 eh", "total float") in said


def test_that_a_device_plan_is_told_in_its_own_units() -> None:
    assert texts(frames(), Column.DURATION) == ["3.5 ms", "1 ms", "2 ms", "500 µs", "800 µs"]
    assert texts(frames(), Column.FLOAT) == ["—", "0", "0", "0", "2.7 ms"]


def test_that_an_estimated_duration_looks_other_than_a_typed_one() -> None:
    estimated, typed = label(cell(frames(), 1, Column.DURATION)), label(cell(frames(), 4, Column.DURATION))
    assert (estimated.is_italic, estimated.color) == (True, "muted")
    assert (typed.is_italic, typed.color) == (False, "text")
    assert not label(cell(frames(), 0, Column.DURATION)).is_italic


def test_that_numbers_keep_to_the_right_and_critical_float_is_red() -> None:
    critical, free = label(cell(frames(), 1, Column.FLOAT)), label(cell(frames(), 4, Column.FLOAT))
    assert (critical.align, critical.color) == (Align.RIGHT, "alarm")
    assert free.color == "muted"


def test_that_names_are_indented_by_their_depth_and_summaries_bold() -> None:
    summary, leaf = label(cell(week(), 0, Column.TASK)), label(cell(week(), 1, Column.TASK))
    assert (summary.is_bold, leaf.is_bold) == (True, False)
    assert leaf.x - summary.x == 14


def test_that_an_operation_has_a_swatch_and_a_summary_a_triangle() -> None:
    assert [box.fill for box in cell(frames(), 2, Column.TASK) if isinstance(box, Box)] == ["compute"]
    assert [shape for shape in cell(week(), 1, Column.TASK) if not isinstance(shape, Label)] == []
    assert len([shape for shape in cell(week(), 0, Column.TASK) if isinstance(shape, Polygon)]) == 1
    assert (expander_left(Rows.of(week()), 0), expander_left(Rows.of(week()), 1)) == (12, None)


def test_that_the_triangle_turns_when_folded() -> None:
    state = week()
    folded = cell_shapes(state, Rows.of(state, frozenset({1})), (0, Column.TASK), 100, elide)
    assert [s for s in folded if isinstance(s, Polygon)] != [
        s for s in cell(state, 0, Column.TASK) if isinstance(s, Polygon)
    ]


def test_that_a_name_too_long_ends_in_a_dot_leader() -> None:
    assert label(cell(frames(), 3, Column.TASK, 60.0)).text == "Cop…"


def text_width(text: str, px: int, is_bold: bool) -> float:
    return len(text) * px * 0.6


def test_that_a_column_is_as_wide_as_its_longest_figure_within_limits() -> None:
    state, rows = week(), Rows.of(week())
    start = column_width(state, rows, Column.START, 30.0, text_width)
    assert start >= text_width("Mon 2 Mar 2026 08:00", METRICS.text_px, False)
    assert column_width(state, rows, Column.FLOAT, 30.0, text_width) < start
    assert column_width(state, rows, Column.FLOAT, 999.0, text_width) == 160


def test_that_no_figure_of_a_device_plan_is_cut() -> None:
    state, rows = frames(), Rows.of(frames())
    for column in (Column.DURATION, Column.FLOAT):
        room = column_width(state, rows, column, 30.0, text_width) - PAD_PX
        for row in range(len(rows)):
            assert text_width(cell_text(state, rows, row, column), METRICS.text_px, False) <= room
