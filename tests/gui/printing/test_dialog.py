"""Printing from the window: the dialog, a PDF, pictures."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from gui.gantt.columns import Column
from gui.main_window import MainWindow
from gui.printing.dialog import PrintDialog
from tests.gui.printing.plans import stairs
from tests.gui.shell import action, emitted, show, shown, until

SAMPLE = str(Path(__file__).parents[3] / "resources" / "samples" / "software-release.loom")
CONTROL = Qt.KeyboardModifier.ControlModifier


def dialog_of(window: MainWindow) -> PrintDialog:
    return next(each for each in window.findChildren(PrintDialog) if each.isVisible())


async def opened(window: MainWindow) -> PrintDialog:
    """Ctrl+P."""
    await show(window, SAMPLE)
    window.activateWindow()
    await until(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_P, CONTROL)
    return dialog_of(window)


async def test_that_ctrl_p_shows_the_first_page_and_choices_lay_it_out_anew(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        dialog = await opened(window)
        assert dialog.count.text() == "Page 1 of 1"
        assert not dialog.preview.pixmap().isNull()
        dialog.wide.setValue(3)
        assert dialog.count.text() == "Page 1 of 3"
        QTest.mouseClick(dialog.later, Qt.MouseButton.LeftButton)
        assert dialog.count.text() == "Page 2 of 3"
        dialog.zoom.setValue(200)
        assert dialog.sheets.setup.zoom == 2.0
        assert len(dialog.sheets.pages) > 3
        whole = dialog.sheets.pages[0].scale.ticks_per_px
        action(window, "zoom_in").trigger()
        dialog.reject()
        action(window, "print").trigger()
        again = dialog_of(window)
        again.wide.setValue(3)
        again.zoom.setValue(200)
        again.time.setCurrentIndex(1)
        assert again.sheets.pages[0].scale.ticks_per_px < whole


async def test_that_columns_for_which_there_is_no_room_are_named(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        (await opened(window)).reject()
        for column in (Column.START, Column.FINISH, Column.PERCENT, Column.CONSTRAINT):
            window.gantt.table.set_column_shown(column, True)
        action(window, "print").trigger()
        dialog = dialog_of(window)
        assert dialog.note.text().startswith("No room for: ")
        assert "Constraint" in dialog.note.text()
        dialog.zoom.setValue(30)
        assert dialog.note.text() == ""
        dialog.reject()


async def test_that_a_pdf_is_written_and_said(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        dialog = await opened(window)
        dialog.wide.setValue(2)
        dialog.to_pdf.click()
        files = dialog.findChild(QFileDialog)
        target = str(tmp_path / "release.pdf")
        await emitted(window.bridge.message, lambda: files.fileSelected.emit(target))
        assert heard.messages[-1] == f"Wrote {target}"
        document = pypdfium2.PdfDocument(target)
        assert len(document) == 2
        assert "Fix what tests find" in document[0].get_textpage().get_text_bounded()
        document.close()


async def test_that_a_place_that_cannot_be_written_is_said_and_the_dialog_stays(qapp: QApplication) -> None:
    async with shown(qapp) as (window, heard):
        dialog = await opened(window)
        await emitted(window.bridge.failed, lambda: dialog.write("/nowhere/at/all.pdf"))
        assert "cannot be written" in heard.failures[-1][0]
        assert dialog.isVisible()


async def test_that_pictures_hold_the_columns_that_the_table_shows(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, SAMPLE)
        exporting = window.commands.exporting
        exporting.write_picture(str(tmp_path / "plan.svg"))
        text = (tmp_path / "plan.svg").read_text()
        assert "Fix what tests find" in text
        assert "Float" in text
        exporting.write_picture(str(tmp_path / "plan.png"))
        assert QImage(str(tmp_path / "plan.png")).width() > 2_000
        action(window, "copy_picture").trigger()
        assert heard.messages[-1] == "A picture of the plan is on the clipboard."
        assert not QApplication.clipboard().image().isNull()


async def test_that_a_long_print_can_be_canceled(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await show(window, SAMPLE)
        many = stairs(3_000)
        said: list[str] = []
        dialog = PrintDialog(many, many, said.append, said.append, window)
        dialog.open()
        dialog.write(str(tmp_path / "many.pdf"))
        progress = dialog.progress
        await until(lambda: progress.value() >= 1)
        progress.cancel()
        await until(lambda: dialog.progress is None)
        assert said == []
        assert list(tmp_path.iterdir()) == []
