"""What is said of a search: what a plan is worth, in units that a person reads."""

from types import SimpleNamespace

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from engine.optimize.problem import Objective
from engine.session.aims import aim_of
from gui.panels.optimizer_words import first_counting, value_text
from gui.panels.task_list import as_list, fit_columns

HOUR = 3600
MINUS = "\N{MINUS SIGN}"


@pytest.mark.parametrize(
    ("aim", "value", "text"),
    [
        ("tardiness,makespan", 5 * (3 * HOUR + 1800), "3.5 eh"),
        ("makespan", 4 * HOUR + 900, "4 eh 15 min"),
        ("cost,makespan", 123_456, "1,234.56"),
        ("tardiness=10,makespan=1,changeover=1", 1_480_500, "8.22 h of lateness"),
        ("tardiness=0,makespan=2", 3 * 2 * HOUR, "3 h of a later finish"),
        ("cost=3,makespan=1", 3 * 25_000, "250.00 of cost"),
    ],
)
def test_that_what_a_plan_is_worth_is_told_in_what_counts_first(aim: str, value: int, text: str) -> None:
    assert value_text(aim, value) == text


def test_that_an_hour_by_weights_is_what_the_search_adds_for_it() -> None:
    aim = "tardiness=10,makespan=1"
    levels = aim_of(aim).levels[1]
    # Lateness of an hour at the usual priority is 5 hours of the search's objective.
    late, later = levels[Objective.TARDINESS] * 5 * HOUR, levels[Objective.MAKESPAN] * HOUR
    assert value_text(aim, int(late)) == "1 h of lateness"
    assert value_text(aim, int(later)) == "0.1 h of lateness"


def test_that_what_cannot_count_in_a_plan_is_not_what_is_told() -> None:
    job = SimpleNamespace(aim=aim_of("makespan,stability"))
    assert first_counting(job, "tardiness,makespan,stability") == "makespan"
    assert first_counting(job, "tardiness=1,makespan=1") == "tardiness=1,makespan=1"


def test_that_columns_grow_with_what_comes_and_never_shrink_under_the_eye(qtbot: QtBot) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    model = QStandardItemModel(1, 2)
    table.setModel(model)
    as_list(table)
    widths = []
    for text, is_growing in (
        (f"{MINUS}3 h", False),
        (f"{MINUS}4 h 45 min and more", True),
        (f"{MINUS}3 h", True),
        (f"{MINUS}3 h", False),
    ):
        model.setItem(0, 0, QStandardItem(text))
        fit_columns(table, 260, is_growing=is_growing)
        widths.append(table.columnWidth(0))
    first, grown, kept, anew = widths
    assert first == anew < grown == kept
    assert grown >= table.sizeHintForColumn(0)
