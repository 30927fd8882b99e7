"""How sure dates are, on the chart and the board of the whole window, behind edits and while a bar is held."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.model import Assignment, Resource
from engine.session.cell_edits import SetDuration
from gui.canvas.shapes import Label, Labels, Line, Shape
from gui.gantt.coloring import ColorBy
from gui.gantt.fan_shapes import BEFORE_COLOR, COLOR
from gui.gantt.shares import share_text
from gui.main_window import MainWindow
from gui.printing.exporting import Exporting
from tests.gui.gantt.plans import HOUR
from tests.gui.gantt.test_window_gestures import hold
from tests.gui.risking import known, risky, spread_house
from tests.gui.shell import action, settle, three_days, until


def drawn(window: MainWindow) -> list[Shape]:
    """What the chart draws over the picture that it keeps."""
    return window.gantt._picture().over()


def posts(shapes: list[Shape]) -> list[float]:
    """Where the posts of the plan's end stand: before, then now."""
    lines = [s for s in shapes if isinstance(s, Line) and s.points[0][1] == 0 and s.points[0][0] == s.points[-1][0]]
    return [line.points[0][0] for line in lines if line.color in (COLOR, BEFORE_COLOR)]


async def test_that_a_fan_comes_with_the_simulation_and_goes_with_it(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        assert posts(drawn(window)) == []
        action(window, "risk").trigger()
        answers = (await known(window)).answers
        [post] = posts(drawn(window))
        assert post == window.gantt.time_scale.x(answers.project.p80.value)
        action(window, "risk").trigger()
        assert posts(drawn(window)) == []


async def test_that_a_plan_that_is_seen_whole_is_so_with_its_fan(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        action(window, "risk").trigger()
        p90 = (await known(window)).answers.project.p90.value
        assert p90 > window.bridge.state.schedule.project_finish
        assert p90 <= window.gantt.time_scale.end_ticks
        window.gantt.chart.zoom(8.0)
        scale = window.gantt.time_scale
        window.bridge.execute(SetDuration(3, 60 * HOUR))
        await known(window)
        assert window.gantt.time_scale == scale  # what a person zoomed to stays


async def test_that_while_a_bar_is_held_the_fan_is_of_where_it_would_go_beside_what_was_before(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        action(window, "risk").trigger()
        planned = await known(window)
        scale, kept = window.gantt.time_scale, window.gantt.chart._kept
        hold(window, 3, 60)
        settle(qapp)
        await until(lambda: window.bridge.risking.risk.is_trial)
        picture = kept._kept
        tried = await known(window, is_trial=True)
        settle(qapp)
        assert posts(drawn(window)) == [scale.x(each.answers.project.p80.value) for each in (planned, tried)]
        assert any(isinstance(s, Label) and s.text.startswith("+") for s in drawn(window))
        assert picture is not None
        assert kept._kept is picture  # more samples came, and the plan below was not painted again
        QTest.keyClick(window.gantt, Qt.Key.Key_Escape)
        settle(qapp)
        assert posts(drawn(window)) == [scale.x(planned.answers.project.p80.value)]


async def test_that_after_a_drop_the_fan_stays_until_that_of_the_new_plan_is_there(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        action(window, "risk").trigger()
        await known(window)
        end = hold(window, 3, 60)
        settle(qapp)
        tried = await known(window, is_trial=True)
        QTest.mouseRelease(window.gantt.chart.viewport(), Qt.MouseButton.LeftButton, pos=end)
        assert window.gantt.looks.risk.fans.answers is tried.answers
        made = await known(window)
        assert window.gantt.looks.risk.fans.answers is made.answers
        assert window.gantt.looks.risk.fans.before is None
        assert made.answers.project.p80 == tried.answers.project.p80


async def test_that_coloring_by_chance_has_the_plan_simulated_and_is_explained(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        action(window, "show_legend").trigger()
        action(window, "color_chance").trigger()
        assert action(window, "risk").isChecked()
        answers = (await known(window)).answers
        shares = window.gantt.looks.risk.shares(ColorBy.CHANCE)
        assert shares.answers is answers
        settle(qapp)
        window.gantt.legend.refresh()
        words = [entry.words for entry in window.gantt.legend.entries]
        assert any("of samples" in each for each in words)
        assert any("P80" in each for each in words)
        figures = {s.text for s in drawn(window) if isinstance(s, Label) and s.text.endswith("%")}
        assert figures == {share_text(float(share)) for share in answers.criticality}
        action(window, "color_kind").trigger()
        assert window.gantt.looks.risk.shares(ColorBy.KIND) is None


async def test_that_a_plan_without_ranges_is_not_said_to_be_critical_in_no_sample(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with risky(qapp, tmp_path, three_days()) as (window, _):
        action(window, "show_legend").trigger()
        action(window, "color_chance").trigger()
        await known(window)
        settle(qapp)
        window.gantt.legend.refresh()
        words = [entry.words for entry in window.gantt.legend.entries]
        assert "not simulated" in words
        assert "critical in no sample" not in words


async def test_that_the_board_has_the_fan_of_the_end_and_the_colors_too(qapp: QApplication, tmp_path: Path) -> None:
    plan = replace(spread_house(), resources=(Resource(1, "Ann"),), assignments=(Assignment(3, 1),))
    async with risky(qapp, tmp_path, plan) as (window, _):
        action(window, "show_board").trigger()
        action(window, "color_chance").trigger()
        answers = (await known(window)).answers
        board = window.pages.board
        [post] = posts(board._picture().shapes())
        assert post == board.chart.time_scale.x(answers.project.p80.value)
        names = [text for s in board._picture().shapes() if isinstance(s, Labels) for _, _, text in s.texts]
        assert any(name.startswith(share_text(float(answers.criticality[2]))) for name in names)


async def test_that_paper_shows_the_fans_that_the_window_shows(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, heard):
        path = tmp_path / "plan.svg"
        exporting = Exporting(window.gantt, lambda _: None, lambda _: None)
        exporting.write_picture(str(path))
        assert "P80" not in path.read_text()
        action(window, "risk").trigger()
        await known(window)
        exporting.write_picture(str(path))
        assert path.read_text().count("P80") >= 2  # beside the fan, and in the legend
        assert heard.failures == []
