"""The table of actions: complete, without clashes, and offered when it should be."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget
from pytestqt.qtbot import QtBot

from engine.gpu import has_driver
from gui.actions import TABLE, Situation
from gui.actions.places import Place
from gui.menus import Actions, _more_shortcuts, shortcuts


@pytest.fixture
def done() -> list[str]:
    """The ids of the actions that were triggered."""
    return []


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    """What the actions live on."""
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


@pytest.fixture
def actions(parent: QWidget, done: list[str]) -> Actions:
    """Every action, bound to note its id."""
    return Actions(parent, {row.id: lambda name=row.id: done.append(name) for row in TABLE})


def listed(menu: QMenu | QMenuBar) -> Iterator[str]:
    """The ids of the actions in a menu and in those below it."""
    for action in menu.actions():
        yield from listed(action.menu()) if action.menu() else filter(None, [action.objectName()])


def test_that_every_action_has_words_a_shortcut_a_tooltip_and_a_place_in_a_menu(
    actions: Actions, parent: QWidget
) -> None:
    assert sorted(listed(actions.menu_bar(parent))) == sorted(row.id for row in TABLE)
    for row in TABLE:
        action = actions[row.id]
        assert action.text()
        assert row.shortcut in action.toolTip()
        assert not action.shortcut().isEmpty()


def test_that_no_two_actions_share_a_shortcut_or_begin_with_another_ones(actions: Actions) -> None:
    keys = [(row.id, key) for row in TABLE for key in actions[row.id].shortcuts()]
    exact = QKeySequence.SequenceMatch.NoMatch
    clashes = [(a, b) for a, one in keys for b, other in keys if a != b and other.matches(one) is not exact]
    assert clashes == []


def letters(menu: QMenu | QMenuBar) -> list[str]:
    """The key that chooses each entry of a menu, the entries without one as ""."""
    shown = (each for each in menu.actions() if not each.isSeparator())
    return [QKeySequence.mnemonic(each.text()).toString() for each in shown]


def below(menu: QMenu | QMenuBar) -> Iterator[QMenu | QMenuBar]:
    """A menu and all within it."""
    yield menu
    for each in menu.actions():
        if each.menu():
            yield from below(each.menu())


@pytest.mark.parametrize("now", [Situation(), Situation(undo_label="Move", redo_label="Move", is_paused=True)])
def test_that_every_entry_of_a_menu_has_a_letter_of_its_own(actions: Actions, parent: QWidget, now: Situation) -> None:
    actions.update(now)
    for menu in below(actions.menu_bar(parent)):
        assert "" not in letters(menu)
        assert [key for key, times in Counter(letters(menu)).items() if times > 1] == []


@pytest.mark.parametrize("is_device", [False, True])
@pytest.mark.parametrize("place", Place)
def test_that_the_right_button_offers_letters_of_their_own_but_for_a_row_with_more_entries_than_there_are(
    actions: Actions, place: Place, is_device: bool
) -> None:
    actions.update(Situation(is_device=is_device))
    keys = letters(actions.menu_at(place))
    assert len(keys) - len(set(keys)) <= (2 if place is Place.ROW else 0)


def test_that_an_action_does_what_it_was_given(actions: Actions, done: list[str]) -> None:
    actions.update(Situation(is_open=True, undo_label="Move"))
    actions["undo"].trigger()
    actions["redo"].trigger()
    assert done == ["undo"]


@pytest.mark.parametrize(
    ("now", "offered"),
    [
        (Situation(why_no_run="nothing is open"), set()),
        (Situation(is_open=True), {"save", "close", "add_task", "fit", "run"}),
        (Situation(is_open=True, why_no_run="a calendar plan"), {"save", "close", "add_task", "fit"}),
        (
            Situation(is_open=True, selected=(1,)),
            {"save", "close", "add_task", "fit", "run", "rename", "delete", "link"},
        ),
        (Situation(is_open=True, selected=(1, 2)), {"save", "close", "add_task", "fit", "run", "delete", "link"}),
        (
            Situation(is_open=True, is_running=True, why_no_run="a run goes on"),
            {"save", "close", "add_task", "fit", "pause", "cancel"},
        ),
    ],
)
def test_that_what_cannot_be_done_is_not_offered(actions: Actions, now: Situation, offered: set[str]) -> None:
    watched = ("save", "close", "undo", "redo", "add_task", "rename", "delete", "link", "remove_pin", "fit", "run")
    actions.update(now)
    assert {name for name in (*watched, "pause", "cancel") if actions[name].isEnabled()} == offered
    assert actions["device_cuda"].isEnabled() == has_driver()


def test_that_undo_and_redo_say_what_they_undo_and_run_says_why_not(actions: Actions) -> None:
    actions.update(
        Situation(is_open=True, undo_label="Move “dig”", redo_label="Link “a” to “b”", why_no_run="Because.")
    )
    assert actions["undo"].text() == "&Undo Move “dig”"
    assert actions["redo"].text() == "&Redo Link “a” to “b”"
    assert actions["run"].toolTip() == "Because."
    actions.update(Situation(is_open=True, is_running=True, is_paused=True))
    assert actions["undo"].text() == "&Undo"
    assert actions["pause"].text() == "&Go on"
    assert "F5" in actions["run"].toolTip()


def test_that_the_list_of_shortcuts_names_every_action() -> None:
    listed = list(shortcuts())
    assert len(listed) == len(TABLE)
    assert ("Run", "F5", "Run the plan on the device") in listed
    assert ("Find…", "Ctrl+F or Ctrl+G") in [row[:2] for row in listed]


# Keys that mean something in the table and the chart alone, where they are no shortcuts of the window.
KEYS_OF_PARTS = {"Left", "Right", "Home", "End"}
GESTURES = Path(__file__).resolve().parents[2] / "docs" / "gestures.md"


def named_in_gestures() -> Iterator[tuple[str, str]]:
    """(what it is for, a shortcut) of each that the page on gestures names as ours."""
    rows = [line.split("|") for line in GESTURES.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    for _, what, ours, *_ in rows:
        before, keys = "", re.findall(r"`([^`]+)`", ours)
        is_chord = "then" in ours and len(keys) > 1
        for place, key in enumerate(keys):
            whole = key
            if place and is_chord:
                whole = f"{keys[0]}, {key}"
            elif place and "+" not in key:
                whole = f"{before}{key}"
            before = whole[: whole.rindex("+") + 1] if "+" in whole[:-1] else ""
            if place or not is_chord:
                yield what.strip(), whole


def test_that_every_shortcut_which_the_page_on_gestures_names_is_one() -> None:
    known = {QKeySequence(each).toString() for row in TABLE for each in (row.shortcut, *more(row.id))}
    named = [(what, key) for what, key in named_in_gestures() if key not in KEYS_OF_PARTS]
    assert len(named) >= 40
    assert [pair for pair in named if QKeySequence(pair[1]).toString() not in known] == []


def more(name: str) -> list[str]:
    """The further shortcuts of an action."""
    return [each.toString() for each in _more_shortcuts(name)]
