"""Commands: what the actions do in a window, whatever is selected and whichever plan is open."""

import pytest
from PySide6.QtWidgets import QApplication

from engine.model import Clock
from tests.gui.shell import action, emitted, show, shown


@pytest.mark.parametrize("clock", list(Clock))
async def test_that_a_selection_does_not_outlive_its_plan(qapp: QApplication, frames: str, clock: Clock) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.gantt.select((6,))
        window.bridge.new(clock)
        assert window.gantt.selection == ()
        assert not action(window, "delete").isEnabled()
        await show(window, frames)
        window.gantt.select((6,))
        await emitted(window.bridge.document_opened, lambda: window.bridge.open_sample("assembly-line"))
        assert window.gantt.selection == ()
