"""Months and days in another language."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gui.canvas import calendar_ticks
from gui.canvas.calendar_ticks import Words
from gui.canvas.calendar_words import calendar_words
from gui.canvas.time_scale import TimeScale
from tests.gui.gantt.plans import DAY, HOUR, at

OTHER = {"March": "März", "Mar": "Mär", "Mon": "Mo", "W {}": "KW {}", "d": "T", "h": "Std"}


@pytest.fixture
def german() -> Iterator[None]:
    calendar_ticks.speak(calendar_words(lambda _, text: OTHER.get(text, text)))
    yield
    calendar_ticks.speak(Words())


@pytest.mark.usefixtures("german")
def test_that_dates_axis_and_durations_speak_the_language_of_the_window() -> None:
    assert calendar_ticks.instant_text(at(2026, 3, 2, 8)) == "Mo 2 Mär 2026 08:00"
    assert calendar_ticks.duration_text(12 * HOUR) == "1.5 T"
    assert calendar_ticks.duration_text(3 * HOUR) == "3 Std"
    upper, middle, lower = TimeScale(at(2026, 3, 2), 10 * DAY / 1000).tiers(is_calendar=True)
    assert (upper[0][1], middle[0][1], lower[0][1]) == ("März 2026", "KW 10", "Mo 2")


def test_that_without_a_translation_they_are_english(qtbot: QtBot) -> None:
    assert calendar_words() == Words()
