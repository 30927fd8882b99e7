"""The status line: what the plan amounts to, what happened, what could mend it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from engine.session.document import Document
from gui.panels.status_line import StatusLine
from tests.gui.shell import three_days, two_frames


@pytest.fixture
def line(qtbot: QtBot) -> StatusLine:
    """A status line whose window answers in 12.4 ms, once."""
    answers = iter([12.4])
    line = StatusLine(lambda: next(answers, 0.0))
    qtbot.addWidget(line)
    line.show()
    return line


def test_that_it_says_what_a_plan_amounts_to(line: StatusLine) -> None:
    line.show_state(Document(three_days()).state)
    assert line.text == "3 tasks · plan finish Mon 2 Mar 2026 17:00 · 3 critical"
    line.show_state(Document(two_frames()).state)
    assert line.text.startswith("6 tasks · plan finish ")
    assert line.text.endswith(" critical")
    line.show_state(None)
    assert line.text == ""


def test_that_a_message_goes_by_itself_and_a_warning_stays(line: StatusLine, qtbot: QtBot) -> None:
    line.show_state(Document(three_days()).state)
    line.say("Saved.")
    assert line._ending.isActive()
    line._ending.setInterval(1)
    line._ending.start()
    qtbot.waitUntil(lambda: line.text.startswith("3 tasks"))
    line.warn("It cannot be.")
    assert not line._ending.isActive()
    assert line._left.property("role") == "error"
    line.show_state(Document(three_days()).state)
    assert line._left.property("role") == "muted"


def test_that_an_offer_is_taken_once_and_gone_with_its_warning(line: StatusLine, qtbot: QtBot) -> None:
    button = line.findChild(QPushButton)
    line.warn("A link is missing.")
    line.offer("Add the link", "the edit")
    with qtbot.waitSignal(line.fix_taken) as taken:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert taken.args == ["the edit"]
    assert not button.isVisible()
    line.warn("A link is missing.")
    line.offer("Add the link", "the edit")
    line.say("Something else.")
    assert not button.isVisible()


def test_that_a_message_with_an_offer_leaves_time_to_take_it(line: StatusLine) -> None:
    line.say("Left out: 3.")
    alone = line._ending.remainingTime()
    line.offer("Show…", "the list")
    assert line._ending.remainingTime() > 3 * alone
    line.warn("A link is missing.")
    line.offer("Add the link", "the edit")
    assert not line._ending.isActive()


def test_that_the_last_answer_stays_while_there_is_no_newer_one(line: StatusLine) -> None:
    line._show_answer()
    line._show_answer()
    line.show_device("cpu, 2 threads")
    assert line._right.text() == "window answers in 12 ms · cpu, 2 threads"


def test_that_what_goes_on_stands_in_the_place_of_the_plan(line: StatusLine, qtbot: QtBot) -> None:
    line.show_state(Document(three_days()).state)
    line.show_activity("The run goes on: pass 3 of 12.")
    assert line.text == "The run goes on: pass 3 of 12."
    line.warn("It cannot be.")
    line.show_activity("The run goes on: pass 4 of 12.")
    assert line.text == "It cannot be."
    line.show_state(Document(three_days()).state)
    assert line.text == "The run goes on: pass 4 of 12."
    line.say("Saved.")
    line.show_activity("")
    assert line.text == "Saved."
    line.clear()
    assert line.text.startswith("3 tasks")


def test_that_what_mends_a_warning_is_in_reach_in_a_narrow_window(line: StatusLine, qtbot: QtBot) -> None:
    line.resize(500, line.height())
    line.show_device("A processor with a name as long as they are these days, 2 threads")
    line.warn("A sentence that is much longer than the window is wide, and goes on and on. " * 3)
    line.offer("Add the link", "the edit")
    button = line.findChild(QPushButton)
    qtbot.waitUntil(lambda: 0 < button.geometry().right() <= line.width())
    assert line.width() == 500
    assert line._left.toolTip() == line.text


def test_that_what_no_font_can_show_cuts_no_sentence_short(line: StatusLine) -> None:
    line.warn("Row 2 (“a\x00b\nc”) is no name.")
    assert line.text == "Row 2 (“a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c”) is no name."


def test_that_a_warning_that_was_read_goes_with_what_a_person_does_next(line: StatusLine, qtbot: QtBot) -> None:
    line.show_state(Document(three_days()).state)
    window, summary = line.windowHandle(), line.text

    def press() -> None:
        QTest.keyClick(window, Qt.Key.Key_F3)

    def after_reading() -> None:
        assert line._reading.isActive()
        line._reading.start(1)
        qtbot.waitUntil(lambda: not line._reading.isActive())
        assert line._left.property("role") == "error"

    line.warn("“xx” is no length of time.")
    press()  # too soon to have been read
    after_reading()
    press()
    assert line.text == summary
    line.warn("These tasks wait for each other.", is_lasting=True)
    assert not line._reading.isActive()
    line.warn("A link is missing.")
    line.offer("Add the link", "the edit")
    after_reading()
    press()
    assert line.text == "A link is missing."
    line.show_state(Document(three_days()).state)
    line.warn("It cannot be.")
    after_reading()
    line.warn("Nor can this.")
    press()
    assert line.text == "Nor can this."
