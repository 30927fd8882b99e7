"""The status line's forecast: made by a worker, and only of the plan that is shown."""

from __future__ import annotations

import threading

from PySide6.QtWidgets import QApplication

from engine.session.edits import RenameTask, ResizeTask
from gui.canvas.device_ticks import duration_text
from tests.gui.shell import emitted, opened, show, shown, two_frames, until


async def test_that_plan_finish_and_forecast_stand_beside_each_other_and_the_tooltip_explains(
    qapp: QApplication, frames: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        await until(lambda: "predicted" in window.status.text)
        finish = duration_text(window.bridge.state.schedule.project_finish)
        assert f"plan finish {finish}" in window.status.text
        assert "engine" in window.status._left.toolTip()
        window.bridge.execute(ResizeTask(2, 5_000_000))
        assert "predicted" not in window.status.text
        (found,) = await emitted(window.bridge.forecasting.forecast_made)
        assert window.status.text.endswith(f" · predicted {duration_text(found)}")
        assert found >= 5_000_000


async def test_that_a_plan_that_cannot_run_and_a_calendar_plan_have_no_forecast(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        assert await emitted(window.bridge.forecasting.forecast_made) == (None,)
        assert "predicted" not in window.status.text


async def test_that_only_the_latest_plan_is_told_and_asked_about_once_at_a_time(qapp: QApplication) -> None:
    """The first answer is kept from coming until the plan has changed twice."""
    from engine.session.document import Document

    document, may_go, asked, told = Document(two_frames()), threading.Event(), [], []
    async with opened() as (bridge, _):
        forecasting = bridge.forecasting
        real = forecasting._ask

        def slowly(work: object) -> object:
            asked.append(work)
            return real(lambda: (may_go.wait(30), work())[1])

        forecasting._ask = slowly
        forecasting.forecast_made.connect(told.append)
        bridge._show(document)
        await until(lambda: len(asked) == 1)
        bridge.execute(RenameTask(1, "one"))
        bridge.execute(RenameTask(1, "two"))
        forecasting._begin()
        assert len(asked) == 1
        may_go.set()
        await until(lambda: told[-1] is not None)
        assert len(asked) == 2
        assert [each for each in told if each is not None] == [document.forecaster()()]
