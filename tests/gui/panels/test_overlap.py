"""The card of a run's figures: what it says, and how often it measures."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine.trace.overlap import Gap
from gui.gap_words import duration_figure, gap_sentence, idle_sentence
from gui.panels.overlap import OverlapPanel
from tests.gui.timeline.made_up import IN, PLANNED, MadeUpRun, add


@pytest.fixture
def panel(qtbot: QtBot) -> OverlapPanel:
    made = OverlapPanel()
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def finished() -> MadeUpRun:
    run = MadeUpRun()
    run.outcome = "finished"
    add(run.timeline, *PLANNED)
    return run


def texts(panel: OverlapPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def said(panel: OverlapPanel) -> list[tuple[str, str]]:
    return [(sentence.text(), length.text()) for sentence, length in panel.reasons if sentence.isVisible()]


def test_that_an_empty_card_teaches(panel: OverlapPanel) -> None:
    assert texts(panel) == ["Overlap", "Run the plan to see how much of its copying is hidden."]
    run = MadeUpRun()
    panel.show_run(run)
    assert texts(panel) == ["Overlap", "The run gets ready; its first figures come with its first operation."]
    run.outcome = "canceled"
    panel.show_run(run)
    assert texts(panel) == ["Overlap", "The run ended before any operation did."]
    panel.show_run(None)
    assert texts(panel) == ["Overlap", "Run the plan to see how much of its copying is hidden."]


def test_that_the_figures_are_those_of_the_run(panel: OverlapPanel) -> None:
    panel.show_run(finished())
    figures = [label.text() for label in panel.figures.values()]
    # Copies last 450 µs, 200 µs of those of frames 1 and 2 in, and 100 µs out, lie under computing.
    assert figures == ["66.7 %", "100.0 %", "750 µs", "750 µs", "1.40 \N{MULTIPLICATION SIGN}"]
    assert "In: 66.7 %, out: 66.7 %." in panel.figures["hidden"].toolTip()


def test_that_a_pause_is_said_and_taken_out_of_the_shares(panel: OverlapPanel) -> None:
    run = MadeUpRun()
    add(run.timeline, (11, 0, IN, 0, 100), (21, 1, IN, 3_100_100, 3_100_200))
    panel.show_run(run)
    assert not any("Paused" in text for text in texts(panel))
    run.pauses = ((100_000, 3_100_100_000),)
    panel.show_run(run)
    assert "Paused 3.10 s of the span." in texts(panel)
    assert (panel.figures["busy"].text(), panel.figures["span"].text()) == ("100.0 %", "3.10 s")


@pytest.mark.parametrize("outcome", ["failed", "canceled"])
def test_that_a_run_that_was_cut_off_does_not_call_what_it_lost_no_work(panel: OverlapPanel, outcome: str) -> None:
    run = finished()
    panel.show_run(run)
    assert any("no work" in text for text in texts(panel))
    run.outcome = outcome
    panel.show_run(run)
    assert not any("no work" in text for text in texts(panel))
    assert any(text.startswith("The run was cut off") for text in texts(panel))


def test_that_figures_of_the_latest_operations_alone_are_said_to_be(panel: OverlapPanel) -> None:
    run = MadeUpRun()
    add(run.timeline, (11, 0, IN, 0, 100))
    whole = run.metrics
    run.metrics = lambda most_gaps=None: replace(whole(most_gaps), is_of_latest=True)  # type: ignore[method-assign]
    panel.show_run(run)
    assert "Of the latest operations, while the run goes on." in texts(panel)
    run.outcome = "finished"
    panel.show_run(run)
    assert "Of the latest 500,000 operations: the run is too long to be measured as a whole." in texts(panel)


def test_that_one_operation_is_one(panel: OverlapPanel) -> None:
    run = MadeUpRun()
    add(run.timeline, (11, 0, IN, 0, 100))
    run.outcome = "finished"
    panel.show_run(run)
    assert any(text.startswith("Critical path: 1 operation,") for text in texts(panel))


def test_that_what_has_no_denominator_is_not_given_a_number(panel: OverlapPanel) -> None:
    run = MadeUpRun()
    add(run.timeline, (12, 0, 1, 0, 100))
    panel.show_run(run)
    assert panel.figures["hidden"].text() == "n/a"
    assert said(panel) == []
    assert "No engine waited between two operations." in texts(panel)


def test_that_the_longest_waits_of_engines_are_said_as_sentences(panel: OverlapPanel) -> None:
    panel.set_titles({11: "copy in, Frame 0", 12: "denoise, Frame 0", 22: "denoise, Frame 1"})
    panel.show_run(finished())
    assert said(panel) == [
        ("copy out waits for denoise, Frame 0", "300 µs"),
        ("copy out waits for denoise, Frame 1", "150 µs"),
        ("copy out waits for denoise", "150 µs"),
    ]


def test_that_every_cause_has_a_sentence_and_an_iteration_is_said_only_of_repeated_runs(panel: OverlapPanel) -> None:
    run = finished()
    causes = ("dependency", "engine_busy", "launch", "host_late", "stall")
    sentences = [gap_sentence(Gap("compute", 0, 9, cause, 21, 0, True), run.timeline, {}) for cause in causes]
    assert sentences == [
        "compute waits for copy in",
        "compute stands behind copy in",
        "compute waits for the launch of copy in",
        "compute waits for the host to launch copy in",
        "compute stalls before copy in",
    ]
    rest = Gap("Stream 2", 0, 9, "no_work", None)
    assert gap_sentence(rest, run.timeline, {}) == "Stream 2 has no work left"
    assert idle_sentence(rest, run.timeline, {}) == "Idle 9 ns: Stream 2 has no work left"
    cut_off = idle_sentence(rest, run.timeline, {}, is_cut_off=True)
    assert cut_off == "Idle 9 ns: the run was cut off before anything more ended here"
    run.timeline.extend([[21, 3, 0, 1, 1, IN, 900, 950]])  # type: ignore[arg-type]
    assert (
        gap_sentence(Gap("Stream 1", 0, 9, "stall", 21, 3), run.timeline, {})
        == "Stream 1 stalls before copy in, iteration 3"
    )


def test_that_a_live_run_is_measured_once_for_many_batches(panel: OverlapPanel, qtbot: QtBot) -> None:
    run = MadeUpRun()
    panel.show_run(run)
    assert run.measured == 0
    for operation in PLANNED:
        add(run.timeline, operation)
        panel.spans_arrived(1, run.timeline.count)
    assert run.measured == 0
    qtbot.waitUntil(lambda: run.measured == 1)
    assert panel.figures["span"].text() == "750 µs"
    panel.spans_arrived(2, 9)
    assert not panel._wait.isActive()


def test_that_a_hidden_card_measures_nothing_until_it_is_seen(panel: OverlapPanel) -> None:
    run = finished()
    panel.show_run(run)
    panel.hide()
    measured = run.measured
    panel.spans_arrived(1, 9)
    assert not panel._wait.isActive()
    assert run.measured == measured
    panel.show()
    assert run.measured == measured + 1


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "0 ns"),
        (7, "7 ns"),
        (1_620, "1.62 µs"),
        (410_000, "410 µs"),
        (13_214_000, "13.21 ms"),
        (132_140_000, "132.1 ms"),
        (1_321_400_000, "1.32 s"),
        (999_999, "1000 µs"),
    ],
)
def test_that_a_duration_has_four_figures_at_most(ns: int, text: str) -> None:
    assert duration_figure(ns) == text


@pytest.mark.parametrize(
    ("outcome", "is_known"), [("finished", True), (None, True), ("canceled", False), ("failed", False)]
)
def test_that_a_run_that_ended_early_has_no_bound(qtbot: QtBot, outcome: str | None, is_known: bool) -> None:
    panel, run = OverlapPanel(), MadeUpRun()
    qtbot.addWidget(panel)
    add(run.timeline, *PLANNED)
    run.outcome = outcome
    panel.show_run(run)
    assert (panel.figures["bound"].text() != "n/a") is is_known


def test_that_every_figure_says_what_it_means(qtbot: QtBot) -> None:
    panel, run = OverlapPanel(), MadeUpRun()
    qtbot.addWidget(panel)
    add(run.timeline, *PLANNED)
    panel.show_run(run)
    assert all(figure.toolTip() for figure in panel.figures.values())
    assert "busiest engine" in panel.figures["bound"].toolTip()
