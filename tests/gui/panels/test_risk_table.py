"""Rows of figures that are sorted, and stay in place while the figures change."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.panels.risk_table import Column, RiskTable, Rows


def rows(values: list[float], title: str = "Value") -> Rows:
    keys = np.array(values)
    return Rows(
        len(values),
        (
            Column("Task", lambda row: f"task {row}", is_number=False),
            Column(title, lambda row: f"{values[row]:g}", keys),
        ),
        lambda row: row + 100,
    )


def shown(table: RiskTable) -> list[str]:
    return [table.texts(place)[0] for place in range(table.rows.count)]


def test_that_a_click_on_a_title_sorts_by_numbers_both_ways(qapp: QApplication) -> None:
    table = RiskTable("table")
    table.show_rows(rows([9.0, 100.0, 20.0]))
    assert shown(table) == ["task 0", "task 1", "task 2"]
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert shown(table) == ["task 1", "task 2", "task 0"]
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert shown(table) == ["task 0", "task 2", "task 1"]


def test_that_other_figures_are_sorted_again_and_the_row_that_is_reached_stays_it(qapp: QApplication) -> None:
    table = RiskTable("table")
    table.sort_by(1)
    table.show_rows(rows([1.0, 2.0, 3.0]))
    table.selectRow(0)
    assert table.current == 2
    table.show_rows(rows([1.0, 2.0, 0.5]))
    assert shown(table) == ["task 1", "task 0", "task 2"]
    assert table.current == 2
    assert table.currentIndex().row() == 2


def test_that_a_row_that_is_reached_by_key_goes_to_its_task(qapp: QApplication) -> None:
    table = RiskTable("table")
    heard: list[int] = []
    table.task_chosen.connect(heard.append)
    table.show_rows(rows([1.0, 2.0]))
    table.show()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert heard[-1] == 101
    table.hide()


def test_that_other_rows_and_none_are_shown_without_a_row_that_is_reached(qapp: QApplication) -> None:
    table = RiskTable("table")
    table.show_rows(rows([1.0, 2.0]))
    table.selectRow(1)
    table.show_rows(rows([1.0]))
    assert table.current is None
    table.show_rows(Rows(0, ()))
    assert table.model().rowCount() == 0


def test_that_a_screen_reader_hears_titles_with_figures(qapp: QApplication) -> None:
    table = RiskTable("table")
    table.show_rows(rows([7.0]))
    said = table.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Task task 0, Value 7"


def test_that_names_take_the_room_that_figures_leave_and_nothing_scrolls_sideways(qapp: QApplication) -> None:
    name, figure = "a name of many words that no narrow panel has room for", "1,234.5 d"
    texts = (name, figure, figure)
    columns = tuple(Column(f"Title {place}", lambda _, text=text: text) for place, text in enumerate(texts))
    table = RiskTable("table")
    table.resize(320, 200)
    table.show_rows(Rows(3, columns))
    table.show()
    for width in (320, 400, 900):
        table.resize(width, 200)
        QApplication.processEvents()
        assert table.horizontalScrollBar().maximum() == 0
        assert sum(table.columnWidth(place) for place in range(3)) == table.viewport().width()
        assert all(table.columnWidth(place) >= table.sizeHintForColumn(place) for place in (1, 2))
        assert all(table.columnWidth(place) >= table.horizontalHeader().sectionSizeHint(place) for place in (1, 2))
    assert table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == name
    table.hide()


def test_that_a_figure_and_a_title_say_more_when_they_are_pointed_at(qapp: QApplication) -> None:
    told = Column("P80 finish", lambda _: "Friday", tip=lambda row: f"row {row}: of 2,048 samples", meaning="by then")
    table = RiskTable("table")
    table.show_rows(Rows(2, (Column("Task", str, is_number=False), told)))
    model, tip = table.model(), Qt.ItemDataRole.ToolTipRole
    assert [model.index(1, place).data(tip) for place in range(2)] == ["1", "row 1: of 2,048 samples"]
    across = Qt.Orientation.Horizontal
    assert [model.headerData(place, across, tip) for place in range(2)] == [None, "by then"]
