"""What a person chose to see: colors, promises, today."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from engine.model import Baseline
from engine.session.state import State
from gui.gantt.coloring import ColorBy
from gui.gantt.look_acts import chosen, look_acts
from gui.gantt.looks import Looks, present
from tests.gui.gantt.marked import PLAIN
from tests.gui.gantt.plans import week


@pytest.fixture
def looks(qtbot: QtBot) -> Looks:
    parent = QObject()
    made = Looks(parent)
    made.keep = parent
    return made


def with_baselines(*numbers: int) -> State:
    state = week()
    return replace(state, plan=replace(state.plan, baselines=tuple(Baseline(number, "", ()) for number in numbers)))


def test_that_the_first_baseline_of_a_plan_is_shown_and_none_where_there_is_none(looks: Looks) -> None:
    looks.take(with_baselines(4, 2), is_other=True)
    assert looks.baseline == 2
    looks.take(with_baselines(), is_other=True)
    assert looks.baseline is None


def test_that_a_baseline_just_made_is_shown_and_one_taken_away_is_not(looks: Looks) -> None:
    looks.take(with_baselines(2), is_other=True)
    looks.take(with_baselines(2, 5), is_other=False)
    assert looks.baseline == 5
    looks.take(with_baselines(2), is_other=False)
    assert looks.baseline == 2


def test_that_what_a_person_chose_lasts_through_edits(looks: Looks) -> None:
    looks.take(with_baselines(2, 5), is_other=True)
    for number in (5, None):
        looks.show_baseline(number)
        looks.take(with_baselines(2, 5), is_other=False)
        assert looks.baseline == number


def test_that_each_action_chooses_and_is_then_the_one_in_force(looks: Looks, qtbot: QtBot) -> None:
    acts = look_acts(looks)
    for name in ("color_resource", "color_status", "color_kind", "baseline_3", "baseline_none"):
        with qtbot.waitSignal(looks.changed, timeout=1000):
            acts[name]()
        assert name in set(chosen(looks))
    assert look_acts(looks).keys() == acts.keys()


def test_that_a_scene_is_drawn_as_was_chosen(looks: Looks) -> None:
    looks.color(ColorBy.STATUS)
    looks.show_baseline(7)
    looks.set_now(1234)
    found = looks.on(PLAIN, week().schedule, ())
    assert (found.color_by, found.baseline, found.now) == (ColorBy.STATUS, 7, 1234)


def test_that_today_is_known_from_the_beginning(looks: Looks) -> None:
    assert looks.now is not None
    assert abs(looks.now - present()) < 60
