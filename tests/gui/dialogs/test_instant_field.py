"""Dates typed into fields as they are everywhere, and stepped as the field has them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.dialogs.instant_field import InstantField
from gui.dialogs.settings_dialog import SettingsDialog
from tests.gui.gantt.plans import at
from tests.gui.shell import show, shown
from tests.gui.test_planning import opened, press_ok

Key = Qt.Key
NOW = at(2026, 12, 1, 8)


@pytest.fixture
def field(qtbot: QtBot) -> InstantField:
    """A field with the keyboard in it, come to by Tab: on the day of the week."""
    made = InstantField("Date")
    qtbot.addWidget(made)
    made.resize(220, 26)
    made.show_instant(NOW)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    made.setFocus(Qt.FocusReason.TabFocusReason)
    made.setSelectedSection(made.sectionAt(0))
    return made


def typed(field: InstantField, text: str, key: Key = Key.Key_Return) -> None:
    QTest.keyClick(field, text[0])
    QTest.keyClicks(field.typing, text[1:])
    QTest.keyClick(field.typing, key)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("24 Dec 2026", (2026, 12, 24, 8)),
        ("Thu 24 Dec 2026 13:30", (2026, 12, 24, 13, 30)),
        ("24 dec", (2026, 12, 24, 8)),
        ("2026-12-24 17:00", (2026, 12, 24, 17)),
        ("fri 13:00", (2026, 12, 4, 13)),
        ("+2w", (2026, 12, 15, 8)),
        ("-3d", (2026, 11, 28, 8)),
    ],
)
def test_that_a_date_is_typed_as_everywhere(field: InstantField, text: str, when: tuple[int]) -> None:
    told: list[int] = []
    field.instant_changed.connect(told.append)
    typed(field, text)
    assert (field.instant, told) == (at(*when), [at(*when)])
    assert not field.typing.isVisible()


def test_that_a_date_is_pasted_as_a_whole(field: InstantField) -> None:
    QGuiApplication.clipboard().setText("24 Dec 2026 ")
    QTest.keyClick(field, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert field.typing.text() == "24 Dec 2026"
    QTest.keyClick(field.typing, Key.Key_Return)
    assert field.instant == at(2026, 12, 24, 8)


def test_that_what_is_no_date_stays_and_escape_leaves_it(field: InstantField) -> None:
    told: list[int] = []
    field.instant_changed.connect(told.append)
    typed(field, "31 Feb 2027")
    assert field.typing.isVisible()
    assert "is no date" in field.typing.accessibleDescription()
    QTest.keyClick(field.typing, Key.Key_Escape)
    assert (field.instant, told, field.typing.isVisible()) == (NOW, [], False)


def test_that_parts_are_still_stepped_and_typed_over(field: InstantField) -> None:
    field.setSelectedSection(InstantField.Section.HourSection)
    QTest.keyClicks(field, "17")
    assert not field.typing.isVisible()
    QTest.keyClick(field, Key.Key_Return)
    assert field.instant == at(2026, 12, 1, 17)
    field.setSelectedSection(InstantField.Section.YearSection)
    QTest.keyClick(field, Key.Key_Up)
    QTest.keyClick(field, Key.Key_Return)
    assert field.instant == at(2027, 12, 1, 17)


async def test_that_ok_takes_a_date_that_is_being_typed_and_names_one_that_is_none(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "settings", SettingsDialog)
        dialog.start.typing.begin("soon")
        press_ok(dialog)
        assert dialog.isVisible()
        assert "“soon” is no date" in dialog.wrong.text()
        dialog.start.typing.setText("9 Mar 2026")
        press_ok(dialog)
        assert window.bridge.state.plan.start // 86_400 * 86_400 == at(2026, 3, 9)
