"""The dock of what works behind the window: streams of simulations and searches, and another plan."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from engine.process.sampler import SAMPLES
from engine.process.solve_messages import Slice
from tests.gui.risking import known, risky, spread_house
from tests.gui.shell import action, settle, show

MS = 1_000_000


async def test_that_simulations_and_searches_are_streams_on_a_timeline(qapp: QApplication, tmp_path: Path) -> None:
    async with risky(qapp, tmp_path, spread_house()) as (window, _):
        dock = window.docks.work
        assert dock.dock.isHidden()
        action(window, "risk").trigger()
        await known(window)
        assert not dock.timeline.body.rows  # nothing is laid out while nobody sees it
        action(window, "show_work").trigger()
        settle(qapp)
        assert action(window, "show_work").isChecked()
        run = window.bridge.optimizing.work.run()
        assert run is not None
        assert run.streams == (SAMPLES,)
        assert SAMPLES in [row.name for row in dock.timeline.body.rows]
        begun = int(run.parts[:, 7].max())
        window.bridge.optimizing.work.add([Slice("tabu search", begun, begun + 5 * MS)])
        dock.look()
        assert "tabu search" in [row.name for row in dock.timeline.body.rows]
        assert dock.timeline.grab().toImage().width() > 0
        await show(window, str(tmp_path / "risky.loom"))
        action(window, "risk").trigger()
        dock.look()
        assert not dock.timeline.body.isVisible()  # nothing has worked for this plan
