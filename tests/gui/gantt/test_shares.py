"""Bars painted by how often they are critical in samples: their color, the figure beside it, and their contrast."""

import itertools
from dataclasses import replace

import pytest

from engine.model import Progress
from gui.canvas.shapes import Box, Label, Shape
from gui.gantt.coloring import ColorBy, bar_color
from gui.gantt.extras import Extras
from gui.gantt.fans import Fans
from gui.gantt.legend import entries
from gui.gantt.paths import paths_of
from gui.gantt.scene import over_scene, scene, still_scene
from gui.gantt.shares import FIFTHS, NEVER, UNKNOWN, Shares, share_text, step_of
from gui.gantt.tips import tip_at
from gui.theme import DARK, LIGHT, METRICS, Theme, words_on
from tests.gui.gantt.plans import DAY, layout_of, week
from tests.gui.gantt.sure import answers_of
from tests.gui.gantt.test_scene import PLAIN
from tests.gui.test_theme import contrast, grounds, over

# Frame, Roof, the milestone Built, and Paint beside them.
CRITICAL = {2: 1.0, 3: 0.634, 4: 0.25, 5: 0.0}


def painted(critical: dict[int, float] | None = None, trial: dict[int, float] | None = None) -> Extras:
    plan = week().plan
    base = answers_of(plan, (0, DAY), critical=CRITICAL if critical is None else critical)
    fans = Fans(base) if trial is None else Fans(answers_of(plan, (0, DAY), critical=trial), base)
    return replace(PLAIN, color_by=ColorBy.CHANCE, fans=fans, shares=Shares(base))


def figures(shapes: list[Shape]) -> dict[float, Label]:
    """The figures beside bars by the row in which they stand."""
    found = [shape for shape in shapes if isinstance(shape, Label) and shape.text.endswith("%")]
    return {label.y // METRICS.row_px: label for label in found}


def test_that_a_share_takes_the_color_of_its_fifth() -> None:
    fifths = [
        (0.0, NEVER),
        (0.001, FIFTHS[0]),
        (0.2, FIFTHS[0]),
        (0.21, FIFTHS[1]),
        (0.6, FIFTHS[2]),
        (0.79, FIFTHS[3]),
    ]
    assert [step_of(share) for share, _ in fifths] == [color for _, color in fifths]
    assert step_of(0.801) == step_of(1.0) == FIFTHS[4]


def test_that_bars_are_painted_by_their_shares_and_gray_where_nothing_is_known() -> None:
    layout, extras = layout_of(week()), painted()
    bars = [layout.bar(row) for row in range(len(layout.rows))]
    shares = extras.shares
    colors = [bar_color(layout.state, bar, ColorBy.CHANCE, shares) for bar in bars]
    assert colors == ["summary", FIFTHS[4], FIFTHS[3], FIFTHS[1], NEVER]
    assert {bar_color(layout.state, bar, ColorBy.CHANCE) for bar in bars[1:]} == {UNKNOWN}


def test_that_samples_of_another_plan_say_nothing_of_a_task_they_did_not_know() -> None:
    state = week()
    shorter = replace(state.plan, tasks=state.plan.tasks[:2], dependencies=())
    shares = Shares(answers_of(shorter, (0, DAY), critical={2: 1.0}))
    layout = layout_of(state)
    assert [shares.of(layout.bar(row)) is None for row in range(5)] == [False, False, True, True, True]


def test_that_a_figure_stands_right_of_each_bar_and_its_name_except_where_it_is_none() -> None:
    layout = layout_of(week())
    found = figures(scene(layout, painted()))
    assert {row: label.text for row, label in found.items()} == {1.0: "100 %", 2.0: "63 %", 3.0: "25 %"}
    for row, label in found.items():
        bar = layout.bar(int(row))
        assert label.x > bar.right
    built = next(s for s in still_scene(layout, painted()) if isinstance(s, Label) and s.text == "Built")
    assert found[3.0].x >= built.x + built.w


def test_that_a_share_is_said_as_none_or_all_only_where_it_is() -> None:
    assert [share_text(share) for share in (0.0, 0.0004, 0.634, 0.9996, 1.0)] == ["", "1 %", "63 %", "99 %", "100 %"]


def test_that_pale_colors_lie_on_a_ground_of_their_own_and_have_an_edge() -> None:
    layout = layout_of(week())
    boxes = [s for s in still_scene(layout, painted()) if isinstance(s, Box) and s.h == METRICS.bar_px]
    roof = [(box.fill, box.outline) for box in boxes if box.y == 2 * METRICS.row_px + METRICS.bar_top_px]
    assert roof[-2:] == [("panel", ""), (FIFTHS[3], "critical")]


def test_that_what_is_done_is_seen_on_pale_bars() -> None:
    state = week()
    done = replace(state.plan.task(5), progress=Progress(50.0))
    layout = layout_of(replace(state, plan=state.plan.with_task(done)))
    strips = [s for s in still_scene(layout, painted()) if isinstance(s, Box) and s.h == 3 and s.fill]
    assert [strip.fill for strip in strips] == ["text"]


def test_that_pale_colors_can_be_drawn_beside_paths_and_above_what_happened() -> None:
    """A token has one opacity, whoever makes it paler."""
    layout = layout_of(week())
    paths = paths_of(layout.state.schedule, (2,))
    extras = replace(painted(), paths=paths, actuals={3: (0, layout.scale.end_ticks), 5: (0, layout.scale.end_ticks)})
    shapes = scene(layout, extras)
    tokens = {token for s in shapes for token in (getattr(s, "fill", ""), getattr(s, "color", ""))}
    assert max(token.count(":") for token in tokens) == 1
    assert {"critical:60", "idle:60"} <= tokens


def test_that_a_new_answer_repaints_only_the_bars_whose_color_it_changes() -> None:
    layout = layout_of(week())
    same, other = painted(trial=CRITICAL), painted(trial={**CRITICAL, 3: 0.1})
    assert same.still[:-1] == other.still[:-1]
    assert still_scene(layout, same) == still_scene(layout, other)

    def bars(extras: Extras) -> list[tuple[float, str]]:
        found = [s for s in over_scene(layout, extras) if isinstance(s, Box) and s.h == METRICS.bar_px]
        return [(box.y // METRICS.row_px, box.fill) for box in found if box.fill in FIFTHS]

    assert bars(same) == []
    assert bars(other) == [(2.0, FIFTHS[0])]
    assert figures(over_scene(layout, other))[2.0].text == "10 %"


def test_that_the_legend_has_the_scale_as_far_as_it_is_in_sight() -> None:
    words = [entry.words for entry in entries(layout_of(week()), painted())]
    assert [each for each in words if "%" in each and "P80" not in each] == [
        "critical in 20 to 40 % of samples",
        "critical in 60 to 80 % of samples",
        "critical in 80 to 100 % of samples",
    ]
    assert "critical in no sample" in words


def test_that_a_bar_says_how_often_it_is_critical_below_what_it_says_anyway() -> None:
    layout, extras = layout_of(week()), painted()
    bar = layout.bar(2)
    said = tip_at(layout, (bar.left + 20, bar.y + 10), lambda row: f"row {row}", (), extras.fans)
    assert said.splitlines() == ["row 2", "Critical in 63 % ± 3 of 1,000 samples"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("fill", [NEVER, *FIFTHS])
def test_that_words_and_edges_of_each_color_can_be_told_from_it_and_from_the_ground(theme: Theme, fill: str) -> None:
    hue, _, percent = fill.partition(":")
    shown = over(theme.color(hue), theme.panel, int(percent or 100) / 100)
    assert contrast(theme.color("text" if percent else words_on(fill)), shown) >= 4.5
    assert all(contrast(theme.color(hue), ground) >= 3 for ground in grounds(theme).values())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_each_color_is_farther_from_the_ground_than_the_one_before(theme: Theme) -> None:
    parts = [fill.partition(":") for fill in FIFTHS]
    shown = [over(theme.color(hue), theme.panel, int(percent or 100) / 100) for hue, _, percent in parts]
    steps = [contrast(color, theme.panel) for color in shown]
    assert all(after / before > 1.12 for before, after in itertools.pairwise(steps)), steps
