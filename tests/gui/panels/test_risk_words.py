"""What is said of how sure a plan is."""

import numpy as np
import pytest

from engine.model import DAY
from engine.session.document import Document
from engine.session.risking import Bounded, Outlook, Take, TakeKind, Taken
from engine.session.state import State
from gui.bridge.risking import Risk, Takes
from gui.panels import risk_words as words
from tests.gui.risking import spread_house

HOUR = 3600
MONDAY = 1_772_409_600  # Monday 2 March 2026


@pytest.fixture
def state() -> State:
    return Document(spread_house()).state


def outlook(hours: float) -> Outlook:
    """Ten thousand samples around Tuesday, so many hours later."""
    ordered = MONDAY + DAY + round((10 + hours) * HOUR) + np.arange(-5000, 5000, dtype=np.int64)
    return Outlook(None, MONDAY + 17 * HOUR, 10_000, ordered, is_whole=True, mean=int(ordered.mean()))


def test_that_a_confidence_is_said_with_its_date_its_samples_and_how_sure_it_is(state: State) -> None:
    now = outlook(0)
    assert words.headline(state.plan, now, 0.8).startswith("P80: Tue 3 Mar 2026 10:")
    assert words.sure_words(state, now, 0.8) == "10,000 samples, P80 within ±1.3 min (95 % sure of that)."


def test_that_a_move_is_said_with_its_sign_or_that_there_is_none(state: State) -> None:
    assert words.change_words(state, outlook(0), outlook(-1), 0.8) == "P80 +1 h from before."
    assert words.change_words(state, outlook(-1), outlook(0), 0.8) == "P80 \N{MINUS SIGN}1 h from before."
    assert words.change_words(state, outlook(0), outlook(0), 0.8) == "P80 is where it was before."
    assert words.change_words(state, outlook(0), None, 0.8) == ""


def test_that_a_buffer_is_working_time_after_the_planned_finish(state: State) -> None:
    said = words.buffer_words(state, outlook(0), 0.8)
    assert said.startswith("P80 needs a buffer of 2.")
    assert "after the planned finish, Mon 2 Mar 2026 17:00" in said
    early = Outlook(None, MONDAY + 9 * DAY, 10_000, outlook(0).ordered, is_whole=True, mean=0)
    assert words.buffer_words(state, early, 0.8).startswith("P80 needs no buffer")


def test_that_a_chance_is_never_all_or_nothing_where_it_is_not() -> None:
    assert words.chance_words(Bounded(0.634, 0.621, 0.646)) == "63 % (62\N{EN DASH}65 %)"
    assert words.percent_text(0.0004) == "<1 %"
    assert words.percent_text(0.9996) == ">99 %"
    assert (words.percent_text(0.0), words.percent_text(1.0)) == ("0 %", "100 %")


def test_that_the_panel_teaches_what_to_do_where_there_are_no_figures(state: State) -> None:
    assert "Simulate" in words.lesson_words(None, is_on=False)
    assert "Give tasks a range" in words.lesson_words(Risk(state, is_certain=True), is_on=True)
    assert "Getting ready" in words.lesson_words(Risk(state), is_on=True)
    assert words.lesson_words(Risk(state, sentence="It has ended."), is_on=True) == "It has ended."


def test_that_what_a_date_takes_is_said_while_it_is_looked_for_and_at_the_end(state: State) -> None:
    change = Take(TakeKind.SHORTEN, 1, "dig", 20, HOUR)
    assert words.take_name(change) == "Do “dig” in 20 % less time"
    assert words.take_name(Take(TakeKind.AVERT, 1, "Flood", 100, HOUR)) == "Keep “Flood” from happening"
    said = [
        words.takes_words(state, found, 0.8, is_asked=True)
        for found in (
            None,
            Takes(Taken((), MONDAY, False)),
            Takes(Taken((), MONDAY, True), is_over=True),
            Takes(Taken((change,), MONDAY, True), is_over=True),
            Takes(Taken((change, change), MONDAY, False), is_over=True),
            Takes(Taken((), MONDAY, False), is_over=True),
        )
    ]
    assert said[0] == "Looking for the cheapest changes…"
    assert said[1] == "Looking… so far P80 is Mon 2 Mar 2026 00:00."
    assert said[2].startswith("It takes nothing")
    assert said[3] == "With this change P80 is Mon 2 Mar 2026 00:00."
    assert said[4].startswith("These 2 changes bring P80 to")
    assert "no change to a task or an event was found" in said[5]
