"""Advice in the window: asked of a worker, shown with its gain, taken as one edit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import Memory, PlanSettings
from tests.engine.program.planted import good, pageable
from tests.gui.shell import opened, shown, until

H200 = PlanSettings(profile="h200-like")


async def test_that_the_best_advice_stands_on_the_card_and_is_one_step_to_undo(
    qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "slow.loom"
    loom.save(path, replace(pageable(), settings=H200))
    async with shown(qapp) as (window, _):
        bridge, card = window.bridge, window.overlap
        await bridge.load(str(path))
        await until(lambda: bridge.advising.found != ())
        assert card.advice.text().startswith("Copies from pageable memory are slow; pinning “raw 0” and 11 more would")
        assert not card.take.isHidden()
        card.take.click()
        assert {buffer.memory for buffer in bridge.state.plan.buffers} == {Memory.PINNED}
        assert bridge.state.undo_label == "Pin the memory of buffers"
        assert bridge.advising.found == ()
        bridge.undo()
        assert bridge.state.plan == loom.load(path)


async def test_that_what_is_asked_is_given_up_for_a_run_and_asked_again_after_it(
    qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "slow.loom"
    loom.save(path, replace(pageable(), settings=H200))
    async with opened() as (bridge, _):
        await bridge.load(str(path))
        await until(lambda: bridge.advising._asking is not None)
        asking = bridge.advising._asking
        bridge.run()
        await until(asking.done)
        assert asking.cancelled()
        assert bridge.is_running
        assert not bridge.advising._wait.isActive()
        await until(lambda: bridge.advising.found != ())
        assert bridge.current_run.outcome == "finished"


async def test_that_nothing_is_advised_for_a_good_plan(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "good.loom"
    loom.save(path, replace(good(), settings=H200))
    async with opened() as (bridge, _):
        heard: list[object] = []
        bridge.advising.advised.connect(heard.append)
        await bridge.load(str(path))
        await until(lambda: len(heard) > 1)
        assert heard == [(), ()]
        said: list[str] = []
        bridge.message.connect(said.append)
        bridge.take_advice()
        assert said == ["There is no advice for this plan as it is."]
        assert bridge.state.undo_label == ""
