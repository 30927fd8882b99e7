"""Cells and rows to the clipboard and back, in the window, by real keys."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from gui.gantt.columns import Column
from gui.main_window import MainWindow
from tests.gui.shell import action, show, shown, three_days, until

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
DAY = 8 * 3600


async def open_house(window: MainWindow, folder: Path) -> None:
    loom.save(folder / "house.loom", three_days())
    await show(window, str(folder / "house.loom"))
    window.activateWindow()
    window.gantt.table.setFocus()
    await until(window.gantt.table.hasFocus)
    window.gantt.choose_row(0)


def names(window: MainWindow) -> list[str]:
    return [task.name for task in window.bridge.state.plan.tasks]


def clip(text: str | None = None) -> str:
    if text is not None:
        QGuiApplication.clipboard().setText(text)
    return QGuiApplication.clipboard().text()


async def test_that_cells_are_copied_exactly_and_as_a_table(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        QTest.keyClick(window.gantt.table, Key.Key_Right, SHIFT)
        QTest.keyClick(window.gantt.table, Key.Key_Down, SHIFT)
        QTest.keyClick(window, Key.Key_C, CONTROL)
        assert clip() == "dig\t1d\npour\t1d"
        html = QGuiApplication.clipboard().mimeData().html()
        assert "<tr><td>dig</td><td>1d</td></tr>" in html


async def test_that_a_block_is_pasted_as_one_step(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        clip("hole\t2d\nconcrete\t4h\r\n")
        QTest.keyClick(window, Key.Key_V, CONTROL)
        tasks = window.bridge.state.plan.tasks
        assert [(task.name, task.duration) for task in tasks[:2]] == [("hole", 2 * DAY), ("concrete", 4 * 3600)]
        assert window.bridge.state.undo_label == "Paste 4 cells"
        action(window, "undo").trigger()
        assert window.bridge.state.plan == three_days()


async def test_that_what_is_copied_and_cut_is_counted_in_words(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        window.gantt.chart.setFocus()
        said = []
        for choose in (lambda: window.gantt.choose_row(0), window.gantt.choose_all):
            choose()
            for act in ("copy", "cut"):
                action(window, act).trigger()
                said.append(window.status.text)
        assert said == [
            "1 row copied.",
            "1 row moves to below the one where you paste it.",
            "3 rows copied.",
            "3 rows move to below the one where you paste them.",
        ]


async def test_that_a_block_that_cannot_be_is_refused_and_names_its_cell(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await open_house(window, tmp_path)
        clip("hole\t2d\nconcrete\tsoon")
        action(window, "paste").trigger()
        assert heard.failures[-1][0].startswith("Row 2 (“pour”), Duration: “soon” is no length of time")
        clip("a\nb\nc\nd")
        action(window, "paste").trigger()
        assert heard.failures[-1][0].startswith("There is room for 3 rows")
        assert "Paste as new tasks" in heard.failures[-1][0]
        assert window.bridge.state.plan == three_days()


async def test_that_one_cell_fills_all_that_are_chosen(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        window.gantt.select((1, 3))
        window.gantt.table.go_to(Column.DURATION)
        clip("5d")
        action(window, "paste").trigger()
        assert [task.duration for task in window.bridge.state.plan.tasks] == [5 * DAY, DAY, 5 * DAY]


async def test_that_cells_are_filled_down_from_the_first(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await open_house(window, tmp_path)
        window.gantt.table.go_to(Column.DURATION)
        action(window, "fill_down").trigger()
        assert heard.messages[-1].startswith("Choose the row to fill from")
        QTest.keyClicks(window.gantt.table, "3")
        editor = window.commands.table.editing.editor
        QTest.keyClick(editor, Key.Key_Return)
        window.gantt.select((1, 2, 3))
        QTest.keyClick(window, Key.Key_D, CONTROL | SHIFT)
        assert [task.duration for task in window.bridge.state.plan.tasks] == [3 * DAY] * 3


async def test_that_rows_are_copied_whole_with_their_titles_and_pasted_as_tasks(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        window.gantt.select((1, 2))
        QTest.keyClick(window.gantt.table, Key.Key_Space, SHIFT)
        action(window, "copy").trigger()
        assert clip() == "Task\tDuration\tFloat\ndig\t1d\t0\npour\t1d\t0"
        window.gantt.select((3,))
        action(window, "paste").trigger()
        assert names(window) == ["dig", "pour", "build", "dig", "pour"]
        assert set(window.gantt.selection) == {4, 5}
        assert window.bridge.state.undo_label == "Paste 2 tasks"


async def test_that_cut_rows_move_and_nothing_is_lost_between(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        window.gantt.table.choose_whole()
        action(window, "cut").trigger()
        assert names(window) == ["dig", "pour", "build"]
        window.gantt.select((3,))
        action(window, "paste").trigger()
        assert names(window) == ["pour", "build", "dig"]
        assert window.bridge.state.plan.task(1).name == "dig"


async def test_that_cut_cells_are_emptied_or_stay(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await open_house(window, tmp_path)
        action(window, "cut").trigger()
        assert "needs a name" in heard.failures[-1][0]
        assert clip() == "dig"
        assert window.bridge.state.plan == three_days()


async def test_that_lines_from_elsewhere_are_new_tasks(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        clip("Name\tDuration\tPredecessors\nroof\t2d\t3\ndoor\t1d\t")
        QTest.keyClick(window, Key.Key_V, CONTROL | SHIFT)
        assert names(window) == ["dig", "roof", "door", "pour", "build"]
        assert [(link.predecessor, link.successor) for link in window.bridge.state.plan.dependencies] == [(3, 4)]
