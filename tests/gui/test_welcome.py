"""The Welcome page: samples as cards, recent plans, reachable by keyboard."""

from importlib import resources
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.actions import SAMPLES, TABLE
from gui.canvas.shapes import Box, Label
from gui.menus import Actions
from gui.theme import DARK, METRICS
from gui.welcome import PICTURES, Welcome, picture_shapes


@pytest.fixture
def asked() -> list[str]:
    """The actions that were triggered."""
    return []


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    """What the actions live on."""
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


@pytest.fixture
def page(qtbot: QtBot, parent: QWidget, asked: list[str]) -> Welcome:
    """The page, shown."""
    actions = Actions(parent, {row.id: lambda name=row.id: asked.append(name) for row in TABLE})
    page = Welcome(actions)
    qtbot.addWidget(page)
    page.resize(1200, 800)
    page.show()
    return page


def test_that_there_is_a_card_and_a_file_for_each_sample(page: Welcome) -> None:
    assert [card.name for card in page.cards] == [name for name, _ in SAMPLES]
    for card in page.cards:
        assert (resources.files("resources.samples") / f"{card.name}.loom").is_file()
        assert card.accessibleName()
        assert card.accessibleDescription()


def test_that_a_click_and_the_enter_key_pick_a_sample(page: Welcome, qtbot: QtBot) -> None:
    picked: list[str] = []
    page.sample_picked.connect(picked.append)
    qtbot.mouseClick(page.cards[1], Qt.MouseButton.LeftButton)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        qtbot.keyClick(page.cards[2], key)
    assert picked == [SAMPLES[1][0], SAMPLES[2][0], SAMPLES[2][0]]


def test_that_arrows_move_between_the_cards_as_they_lie(page: Welcome, qtbot: QtBot) -> None:
    page.activateWindow()
    page.cards[0].setFocus()
    qtbot.keyClick(page.cards[0], Qt.Key.Key_Right)
    assert page.focusWidget() is page.cards[1]
    qtbot.keyClick(page.cards[1], Qt.Key.Key_Down)
    assert page.focusWidget() is page.cards[4]


def test_that_the_buttons_are_the_actions(page: Welcome, qtbot: QtBot, asked: list[str]) -> None:
    for button in page.findChildren(QPushButton)[:3]:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == ["open", "new_plan", "new_device_plan"]


def test_that_recent_plans_are_listed_while_they_are_there(page: Welcome, qtbot: QtBot, tmp_path: Path) -> None:
    here = tmp_path / "here.loom"
    here.touch()
    page.show_recent([str(tmp_path / "gone.loom"), str(here)])
    buttons = [button for button in page.findChildren(QPushButton) if button.property("role") == "recent"]
    assert [button.text() for button in buttons] == [f"here   ·   {here}"]
    with qtbot.waitSignal(page.recent_picked) as picked:
        qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert picked.args == [str(here)]


@pytest.mark.parametrize("name", list(PICTURES))
def test_that_a_picture_stays_in_its_card_and_its_bars_do_not_cross(name: str) -> None:
    boxes = [shape for shape in picture_shapes(PICTURES[name], 300) if isinstance(shape, Box)]
    assert len(boxes) == len(PICTURES[name].bars)
    assert all(box.x >= 16 and box.x + box.w <= 284 and box.y >= 0 and box.y + box.h <= 92 for box in boxes)
    rows = sorted((row, start, end) for row, start, end, _ in PICTURES[name].bars)
    assert all(a[0] != b[0] or a[2] <= b[1] for a, b in pairwise(rows))


def test_that_no_word_leaves_its_card(page: Welcome, qtbot: QtBot) -> None:
    from gui.canvas.painter import text_width

    for card in page.cards:
        labels = [shape for shape in card.shapes() if isinstance(shape, Label)]
        assert len(labels) <= 3
        for label in labels:
            assert label.x + text_width(label.text, label.px, label.is_bold) <= card.width() - 4 * METRICS.grid_px
            assert label.y + label.h <= card.height()


def test_that_the_cards_wear_the_theme(page: Welcome) -> None:
    page.set_theme(DARK)
    image = page.cards[5].grab().toImage()
    assert image.pixelColor(image.width() // 2, image.height() - 12).name().upper() == DARK.panel


@pytest.mark.parametrize(("width", "columns"), [(1200, 3), (800, 2), (640, 1), (420, 1)])
def test_that_the_page_flows_into_the_width_there_is(page: Welcome, qtbot: QtBot, width: int, columns: int) -> None:
    long = str(Path(*(["a folder with a long name"] * 8)) / "plan.loom")
    page.show_recent([long])
    page.resize(width, 480)
    qtbot.waitUntil(lambda: len({card.x() for card in page.cards}) == columns)
    assert page.horizontalScrollBar().maximum() == 0
    assert page.verticalScrollBar().maximum() > 0
    for card in page.cards:
        assert 0 <= card.mapTo(page.viewport(), QPoint(0, 0)).x() <= width - card.width()
