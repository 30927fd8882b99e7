"""The theme as Qt wears it: by choice, or as the system."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox

from gui.appearance import Appearance
from gui.theme import DARK, LIGHT, Theme


@pytest.fixture(autouse=True)
def plain(qapp: QApplication) -> Iterator[None]:
    """Nothing is remembered, and nothing is worn afterwards."""
    QSettings().clear()
    yield
    qapp.styleHints().unsetColorScheme()
    qapp.setStyleSheet("")


def test_that_palette_and_style_sheet_follow_the_choice_and_it_is_told(qapp: QApplication) -> None:
    appearance = Appearance(qapp, "light")
    told: list[Theme] = []
    appearance.changed.connect(told.append)
    appearance.choose("dark")
    appearance.choose("dark")
    appearance.choose("light")
    assert told == [DARK, LIGHT]
    for theme in (DARK, LIGHT):
        appearance.choose(theme.name)
        assert qapp.palette().color(QPalette.ColorRole.Base).name().upper() == theme.panel
        assert theme.accent in qapp.styleSheet()


def test_that_the_system_is_followed_until_a_person_chooses(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hints:
        """What a system says that changes its mind; the one of the tests has none."""

        scheme = Qt.ColorScheme.Unknown
        colorSchemeChanged = qapp.styleHints().colorSchemeChanged  # noqa: N815

        def colorScheme(self) -> Qt.ColorScheme:
            return self.scheme

        def setColorScheme(self, scheme: Qt.ColorScheme) -> None:
            self.scheme = scheme

        def unsetColorScheme(self) -> None:
            pass

    hints = Hints()
    monkeypatch.setattr(qapp, "styleHints", lambda: hints, raising=False)
    appearance = Appearance(qapp)
    for scheme, theme in ((Qt.ColorScheme.Dark, DARK), (Qt.ColorScheme.Light, LIGHT)):
        hints.scheme = scheme
        hints.colorSchemeChanged.emit(scheme)
        assert appearance.theme is theme
    appearance.choose("light")
    hints.scheme = Qt.ColorScheme.Dark
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert appearance.theme is LIGHT


def test_that_a_choice_is_found_again_and_one_that_is_not_there_is_the_systems(qapp: QApplication) -> None:
    Appearance(qapp).choose("dark")
    assert Appearance(qapp).theme is DARK
    QSettings().setValue("theme", "plaid")
    assert Appearance(qapp).choice == "system"


def test_that_a_theme_that_was_asked_for_once_is_not_remembered(qapp: QApplication) -> None:
    Appearance(qapp, "dark")
    assert QSettings().value("theme") is None


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_arrow_of_combo_boxes_has_the_color_of_quiet_words(theme: Theme) -> None:
    text = (resources.files("resources.icons") / f"arrow-{theme.name}.svg").read_text(encoding="utf-8")
    assert f'fill="{theme.muted}"' in text


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_combo_boxes_have_an_arrow_and_no_edge_beside_it(qapp: QApplication, theme: Theme) -> None:
    appearance = Appearance(qapp, theme.name)
    box = QComboBox()
    box.addItems(["one", "two"])
    box.resize(120, 28)
    image = box.grab().toImage()
    ratio = image.devicePixelRatio()
    places = [(x, y) for x in range(95, 117) for y in range(4, 24)]
    seen = {image.pixelColor(round(x * ratio), round(y * ratio)).name().upper() for x, y in places}
    assert theme.muted in seen
    edge = {image.pixelColor(round(x * ratio), round(5 * ratio)).name().upper() for x in range(95, 117)}
    assert edge == {theme.panel}
    appearance.deleteLater()
    qapp.setStyleSheet("")


@pytest.mark.parametrize("platform", ["offscreen", "minimal"])
def test_that_the_process_ends_in_order_with_something_of_its_own_on_the_clipboard(platform: str) -> None:
    script = """
from PySide6.QtCore import QMimeData
from gui.appearance import leave_application, make_application
app = make_application("0")
data = QMimeData()
data.setText("copied")
app.clipboard().setMimeData(data)
assert app.clipboard().text() == "copied"
leave_application()
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": platform}
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda each: each.name)
def test_that_a_box_is_checked_by_a_tick_and_not_by_color_alone(qapp: QApplication, theme: Theme) -> None:
    appearance = Appearance(qapp, theme.name)
    box = QCheckBox("so")
    box.setTristate(True)
    inks = []
    for state in (Qt.CheckState.Unchecked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Checked):
        box.setCheckState(state)
        picture = box.grab().toImage()
        colors = [picture.pixelColor(x, y).name().upper() for x in range(12) for y in range(picture.height())]
        inks.append((colors.count(theme.accent) > 30, colors.count(theme.on_accent) > 3))
    assert inks[1:] == [(True, True), (True, True)]
    assert not inks[0][0]
    assert appearance.theme is theme
