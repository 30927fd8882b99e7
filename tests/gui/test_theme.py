"""The theme: every token has a color in both themes, and the style sheet names nothing that is missing."""

import re

import pytest

from gui.theme import DARK, LIGHT, METRICS, Theme, style_sheet

COLORS = [token for token in Theme.__slots__ if token not in {"name", "is_dark"}]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("token", COLORS)
def test_that_every_token_is_a_color(theme: Theme, token: str) -> None:
    assert re.fullmatch(r"#[0-9A-F]{6}", theme.color(token))


def test_that_the_colors_with_a_meaning_are_those_of_the_design() -> None:
    tokens = ("accent", "copy_in", "compute", "copy_out", "communication", "host", "critical", "baseline")
    light = ("#4C51C6", "#2F9E91", "#5A5FD8", "#D98A1F", "#B0569B", "#8A8F9C", "#D2453B", "#C9C7C0")
    dark = ("#8B8FF5", "#3DB8A8", "#7B80F0", "#E6A23C", "#C673B2", "#7D828F", "#EE6A5F", "#44474F")
    assert tuple(map(LIGHT.color, tokens)) == light
    assert tuple(map(DARK.color, tokens)) == dark


def test_that_an_opacity_leaves_the_color_as_it_is() -> None:
    assert LIGHT.color("accent:25") == LIGHT.accent


def test_that_a_token_that_does_not_exist_is_refused() -> None:
    with pytest.raises(AttributeError, match="crimson"):
        LIGHT.color("crimson")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_style_sheet_is_filled_in_with_the_themes_colors(theme: Theme) -> None:
    text = style_sheet(theme)
    assert theme.panel in text
    assert theme.accent in text
    assert not re.search(r"\{[a-z_]+\}", text)
    assert text.count("{") == text.count("}")


def test_that_text_and_muted_words_stand_out_from_every_ground() -> None:
    for theme in (LIGHT, DARK):
        for ground in (theme.ground, theme.panel, theme.stripe, theme.selection):
            assert _contrast(theme.text, ground) >= 7
            assert _contrast(theme.muted, ground) >= 3


def test_that_a_bar_and_what_is_under_it_fit_into_a_row() -> None:
    bar_end = METRICS.bar_top_px + METRICS.bar_px
    assert bar_end < METRICS.actual_top_px
    assert METRICS.actual_top_px + METRICS.actual_px < METRICS.row_px


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
