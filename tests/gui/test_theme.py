"""The theme: every token has a color in both themes, and the style sheet names nothing that is missing."""

import math
import re
from itertools import combinations

import pytest

from gui.theme import DARK, HUES, LIGHT, METRICS, Theme, needs_edge, style_sheet, words_on

# Linear RGB as eyes of each kind see it: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation
# of Color Vision Deficiency", 2009, at full severity.
EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
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


GROUNDS = ("ground", "panel", "stripe", "selection", "changed")
# What stands on the ground of the chart, and must be told from it (WCAG 2.2, 1.4.11). The design's own colors of
# operations stand on device plans alone, where nothing is shaded, and always beside a name: see below.
MARKS = ("accent", "critical", "warning", "good", "idle", "link", "summary", "muted", "compute", "communication", *HUES)
FILLS = ("accent", "critical", "warning", "good", "idle", "copy_in", "compute", "copy_out", "communication", "host")


def grounds(theme: Theme) -> dict[str, str]:
    """Every ground, bare and under the shade of what is not worked."""
    bare = {name: theme.color(name) for name in GROUNDS}
    return bare | {f"{name}, shaded": over(theme.muted, color, 0.09) for name, color in bare.items()}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("words", "least"), [("text", 7.0), ("muted", 4.5), ("alarm", 4.5)])
def test_that_words_can_be_read_on_every_ground(theme: Theme, words: str, least: float) -> None:
    for name, ground in grounds(theme).items():
        assert contrast(theme.color(words), ground) >= least, name


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("mark", MARKS)
def test_that_marks_stand_out_from_every_ground(theme: Theme, mark: str) -> None:
    for name, ground in grounds(theme).items():
        assert contrast(theme.color(mark), ground) >= 3, name


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("fill", [*FILLS, *HUES])
def test_that_words_on_a_bar_can_be_read(theme: Theme, fill: str) -> None:
    assert contrast(theme.color(fill), theme.color(words_on(fill))) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("fill", FILLS)
def test_that_the_part_that_is_done_stands_out_from_its_bar(theme: Theme, fill: str) -> None:
    assert contrast(theme.color(fill), theme.done) >= 3


def test_that_what_the_design_colors_for_operations_stands_out_from_a_plain_ground() -> None:
    """Copy out is paler than 3:1 on the light ground by design: its name and its row say what it is."""
    for theme, least in ((LIGHT, 2.5), (DARK, 3.0)):
        for mark in ("copy_in", "copy_out", "host"):
            assert min(contrast(theme.color(mark), ground) for ground in (theme.ground, theme.stripe)) >= least


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("fill", FILLS)
def test_that_a_bar_of_a_selected_row_stands_out_by_its_fill_or_its_edge(theme: Theme, fill: str) -> None:
    edge = theme.muted if needs_edge(fill) else theme.color(fill)
    assert contrast(edge, theme.selection) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("eyes", EYES)
def test_that_hues_stay_apart_for_every_kind_of_eyes(theme: Theme, eyes: str) -> None:
    """The distance in CIE L*a*b* of each pair as such eyes see it; 2.3 can just be told apart side by side."""
    seen = [_lab(_matrix(eyes, _linear(theme.color(hue)))) for hue in HUES]
    assert min(math.dist(one, other) for one, other in combinations(seen, 2)) >= 18


def test_that_a_bar_and_what_is_under_it_fit_into_a_row() -> None:
    bar_end = METRICS.bar_top_px + METRICS.bar_px
    assert bar_end < METRICS.actual_top_px
    assert METRICS.actual_top_px + METRICS.actual_px < METRICS.row_px


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = _linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(color: str) -> tuple[float, float, float]:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return red, green, blue


def over(color: str, ground: str, opacity: float) -> str:
    both = ((int(color[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one * opacity + other * (1 - opacity)):02X}" for one, other in both)


def _matrix(eyes: str, color: tuple[float, float, float]) -> tuple[float, ...]:
    return tuple(min(max(_dot(row, color), 0.0), 1.0) for row in EYES[eyes])


def _dot(row: tuple[float, ...], color: tuple[float, ...]) -> float:
    return sum(one * other for one, other in zip(row, color, strict=True))


def _lab(color: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* (1976) under D65, from linear RGB."""
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    scaled = (_dot(row, color) / white for row, white in zip(rows, (0.9505, 1.0, 1.089), strict=True))
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
