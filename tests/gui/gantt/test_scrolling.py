"""What is on the screen after rows have moved is what a picture drawn anew would show, and little of it was drawn."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.model import Task
from engine.session.state import State
from gui.appearance import Appearance
from gui.canvas.shapes import Shape
from gui.gantt import painted_table
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.rows import Rows
from gui.gantt.view import GanttView
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, state_of, week


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Rows of which a cell was painted."""
    rows: set[int] = set()
    made = painted_table.cell_shapes

    def counted(state: State, shown: Rows, place: tuple[int, Column], *others: Any) -> list[Shape]:
        rows.add(place[0])
        return made(state, shown, place, *others)

    monkeypatch.setattr(painted_table, "cell_shapes", counted)
    return rows


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> GanttView:
    appearance = Appearance(qapp, "light")
    made = GanttView(lambda _: None)
    qtbot.addWidget(made)
    made.destroyed.connect(appearance.deleteLater)
    made.resize(1000, 500)
    made.show()
    tasks = tuple(Task(number, f"Task {number}", WORKDAY) for number in range(1, 201))
    made.set_state(state_of(replace(week().plan, tasks=tasks, dependencies=(), next_task_id=201)))
    appearance.choose("dark")
    qtbot.wait(50)
    return made


def on_screen(view: GanttView) -> tuple[QImage, QImage]:
    """The table as it stands on the screen, and as it is drawn anew."""
    ports = view.table.viewport()
    at = ports.mapTo(view, ports.rect().topLeft())
    seen = view.screen().grabWindow(view.winId(), at.x(), at.y(), ports.width(), ports.height()).toImage()
    return seen.convertToFormat(QImage.Format.Format_RGB32), ports.grab().toImage().convertToFormat(
        QImage.Format.Format_RGB32
    )


def test_that_a_scrolled_table_paints_only_rows_that_come_in_sight(
    painted: set[int], view: GanttView, qtbot: QtBot
) -> None:
    last = (view.table.viewport().height() - 1) // METRICS.row_px
    painted.clear()
    view.frame.scroll_by(2 * METRICS.row_px)
    qtbot.wait(50)
    assert painted
    assert painted <= set(range(last, last + 4))
    seen, anew = on_screen(view)
    assert seen == anew


def test_that_another_chosen_row_leaves_nothing_of_the_one_before(view: GanttView, qtbot: QtBot) -> None:
    view.table.setFocus()
    for row in (3, 4, 9, 2):
        view.choose_row(row)
        qtbot.wait(20)
        seen, anew = on_screen(view)
        assert seen == anew


def test_that_columns_keep_their_widths_while_rows_are_folded_and_filtered(view: GanttView, qtbot: QtBot) -> None:
    widths = [view.table.columnWidth(place) for place in range(len(COLUMNS))]
    view.desk.filters.text.setText("Task 199")
    qtbot.waitUntil(lambda: view.table.task_model.rowCount() == 1)
    assert [view.table.columnWidth(place) for place in range(len(COLUMNS))] == widths
    qtbot.wait(20)
    seen, anew = on_screen(view)
    assert seen == anew
