"""The bench of the chart goes on running: each of its acts reaches what it is to time. No time is looked at."""

import pytest
from PySide6.QtWidgets import QApplication

from engine.process.risk_client import RiskClient
from engine.process.sampler import Sampler
from gui.bridge import risking
from tests.bench import edits
from tests.bench.gantt import SUCCESSORS, in_scene, in_window, summarized_plan
from tests.bench.held import held_bar
from tests.gui.risking import warmed

EDITS = {f"{act}{part}" for act in ("drop", "undo", "redo", "switch") for part in ("", " turn", " all")}
ACTS = {"open", "scroll", "zoom", "select", "drag", "ghosts", "fold", "filter"} | EDITS


async def test_that_the_bench_drives_a_window_of_a_thousand_tasks(qapp: QApplication) -> None:
    plan = summarized_plan(1_000)
    assert len(plan.tasks) == 1_000
    assert sum(link.predecessor == 10 for link in plan.dependencies) >= SUCCESSORS
    times = await in_window(qapp, plan, tries=10)
    assert times.keys() == ACTS
    assert all(times.values())


async def test_that_the_bench_of_edits_has_each_of_them_shown(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "BULKS", 1)
    times = await edits.edited(qapp, count=400, chosen=150, drops=1)
    named = {"drop", "undo", "redo", "fill_down", "paste", *edits.ACTS}
    assert times.keys() == {"open", *named, *(f"{name} turn" for name in named)}
    assert all(wall < edits.LONGEST_S * 1e3 for name in named for wall, _ in times[name])


async def test_that_the_bench_drives_its_reference(qapp: QApplication) -> None:
    times = await in_scene(qapp, 1_000, tries=10)
    assert times.keys() == ACTS - EDITS - {"select", "ghosts"}


async def test_that_the_bench_holds_a_bar_until_the_samples_of_its_place_are_shown(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    warmed()
    monkeypatch.setattr(risking, "RiskClient", lambda: RiskClient(Sampler.start))
    times = await held_bar(qapp, tries=2)
    assert {act: len(taken) for act, taken in times.items()} == {"open": 1, "without": 2, "frame": 2, "P80": 2}
