"""The kind, the lag and the longest lag of the chosen link, typed in one line."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog

from engine.formats import loom
from engine.model import Dependency, Lag, Spread, SpreadKind
from gui.main_window import MainWindow
from tests.gui.gantt.plans import WORKDAY
from tests.gui.shell import action, settle, show, shown, three_days


def answered(window: MainWindow, text: str) -> str:
    """What the question offered before this was typed into it."""
    action(window, "link_details").trigger()
    dialog = next(each for each in window.findChildren(QInputDialog) if each.isVisible())
    before = dialog.textValue()
    dialog.setTextValue(text)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    return before


async def test_that_a_longest_lag_is_typed_behind_the_lag_of_the_chosen_link(
    qapp: QApplication, tmp_path: Path
) -> None:
    loom.save(tmp_path / "house.loom", replace(three_days(), dependencies=(Dependency(1, 2),)))
    async with shown(qapp) as (window, heard):
        await show(window, str(tmp_path / "house.loom"))
        window.gantt.pointer.link = Dependency(1, 2)
        window.gantt.select(())
        settle(qapp)
        assert answered(window, "FS+1d max 2d") == "FS"
        assert window.bridge.state.plan.dependencies == (Dependency(1, 2, lag=Lag(WORKDAY), longest=2 * WORKDAY),)
        assert answered(window, "FS+3d max 2d") == "FS+1d max 2d"
        assert heard.failures[-1][0].startswith("A lag of “FS+3d” cannot be “2d” at most")
        window.bridge.undo()
        assert window.bridge.state.plan.dependencies == (Dependency(1, 2),)


async def test_that_a_lag_that_is_not_certain_is_typed_behind_it(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "house.loom", replace(three_days(), dependencies=(Dependency(1, 2),)))
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "house.loom"))
        window.gantt.pointer.link = Dependency(1, 2)
        window.gantt.select(())
        settle(qapp)
        answered(window, "FS+2d ±1d")
        spread = Spread(SpreadKind.TRIANGULAR, WORKDAY, 2 * WORKDAY, 3 * WORKDAY, is_percent=False)
        assert window.bridge.state.plan.dependencies == (Dependency(1, 2, lag=Lag(2 * WORKDAY), spread=spread),)
        action(window, "link_ss").trigger()
        assert window.bridge.state.plan.dependencies[0].spread == spread
        assert answered(window, "SS") == "SS+2d range 1d..2d..3d"
        assert window.bridge.state.plan.dependencies[0].spread is None
