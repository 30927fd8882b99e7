"""The list of shortcuts: whole words, and found by some of them."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.dialogs.fitted_dialog import room_of
from gui.dialogs.help_dialogs import ShortcutsDialog, show_shortcuts
from gui.menus import shortcuts


@pytest.fixture
def dialog(qtbot: QtBot) -> ShortcutsDialog:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    found = show_shortcuts(parent)
    qtbot.waitExposed(found)
    found.parent_kept = parent
    return found


def test_that_every_shortcut_is_listed_and_no_word_is_cut(dialog: ShortcutsDialog) -> None:
    assert dialog.found == [words for words, _, _ in shortcuts()]
    letters = dialog.list.fontMetrics()
    for column in range(3):
        longest = max(letters.horizontalAdvance(texts[column]) for texts in shortcuts())
        assert dialog.list.columnWidth(column) > longest
    header = dialog.list.header()
    fits = header.length() <= dialog.list.viewport().width()
    assert fits or dialog.width() >= room_of(dialog).width()


def test_that_typed_words_leave_the_actions_that_hold_all_of_them(dialog: ShortcutsDialog) -> None:
    assert dialog.text.hasFocus() or dialog.focusWidget() is dialog.text
    QTest.keyClicks(dialog.text, "SAVE file")
    assert {"Save", "Save as…"} <= set(dialog.found)
    assert "Undo" not in dialog.found
    dialog.text.setText("ctrl+shift+z")
    assert dialog.found == ["Redo"]
    dialog.text.setText("no such words")
    assert dialog.found == []
    dialog.text.clear()
    assert len(dialog.found) == len(list(shortcuts()))
