"""Plans of other programs: opened as they are understood, written as copies, and what is lost is told."""

import time
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QListWidget, QPushButton

from engine.formats import gan, loom, mspdi, xlsx
from engine.model import DAY, Dependency
from engine.session.edits import AddLink, RenameTask
from engine.session.importing import Field, Reading, sniff_table_again
from gui.dialogs.notes_dialog import NotesDialog
from gui.dialogs.table_dialog import TableDialog
from gui.main_window import MainWindow
from tests.engine.model.strategies import office
from tests.gui.shell import action, answer, emitted, show, shown, until

TABLE = "Task ID;Name;Start;Predecessors\n1;Design;03.04.2025;\n2;Build;;1\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two tasks between semicolons, the first on a day that could be two."""
    path = tmp_path / "house.csv"
    path.write_text(TABLE, encoding="cp1252")
    return path


def choose(choice: QComboBox, data: object) -> None:
    """Choose as a person does."""
    choice.setCurrentIndex(choice.findData(data))
    choice.activated.emit(choice.currentIndex())


async def asked(window: MainWindow, path: Path) -> TableDialog:
    """The dialog that opening a table opens."""
    await emitted(window.bridge.importing.table_found, lambda: window.bridge.open(str(path)))
    return next(dialog for dialog in window.findChildren(TableDialog) if dialog.isVisible())


async def test_that_every_format_that_is_read_can_be_chosen_and_all_plans_stand_first(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        action(window, "open").trigger()
        filters = window.findChild(QFileDialog).nameFilters()
        assert filters[0].startswith("All plans (*.loom *.xml *.gan *.xer ")
        assert "Warploom plan (*.loom)" in filters
        assert "Table - CSV (*.csv *.tsv)" in filters
        assert filters[-1] == "All files (*)"


async def test_that_a_foreign_file_opens_unsaved_under_its_plans_name_and_save_asks_for_ours(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        path = tmp_path / "bureau.gan"
        gan.save(path, office())
        await show(window, str(path))
        assert (window.bridge.state.path, window.bridge.state.plan.name) == ("", office().name)
        assert office().name in window.windowTitle()
        action(window, "save").trigger()
        dialog = window.findChild(QFileDialog)
        assert dialog.nameFilters() == ["Warploom plan (*.loom)", "All files (*)"]
        dialog.selectFile(str(tmp_path / "ours"))
        await emitted(window.bridge.message, dialog.accept)
        assert window.bridge.state.path == str(tmp_path / "ours.loom")


async def test_that_a_copy_for_another_program_leaves_the_plan_unsaved_and_tells_what_it_lost(
    qapp: QApplication, house: str, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, house)
        window.bridge.execute(RenameTask(1, "mine"))
        window.bridge.execute(AddLink(Dependency(1, 2)))
        action(window, "save_as").trigger()
        dialog = window.findChild(QFileDialog)
        assert len(dialog.nameFilters()) > 4
        assert not any("*.xer" in each for each in dialog.nameFilters())
        dialog.selectNameFilter(next(each for each in dialog.nameFilters() if "*.ics" in each))
        dialog.filterSelected.emit(dialog.selectedNameFilter())
        assert Path(dialog.selectedFiles()[0]).name == "house.ics"
        dialog.selectFile(str(tmp_path / "copy"))
        await emitted(window.bridge.message, dialog.accept)
        assert "SUMMARY:mine" in (tmp_path / "copy.ics").read_text(encoding="utf-8")
        assert window.bridge.state.is_dirty
        assert window.bridge.state.path == house
        assert heard.messages[-1] == f"Wrote a copy to {tmp_path / 'copy.ics'}"
        told = window.findChildren(NotesDialog)
        assert [bool(each.list.count()) and not each.isModal() for each in told] == [True]
        assert window.isEnabled()


async def test_that_a_format_that_holds_no_device_plan_says_so(qapp: QApplication, frames: str, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, frames)
        await emitted(window.bridge.failed, lambda: window.bridge.save(str(tmp_path / "frames.csv")))
        assert "was not written" in heard.failures[0][0]
        assert not (tmp_path / "frames.csv").exists()


async def test_that_leaving_a_plan_saves_it_as_ours_alone(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        path = tmp_path / "bureau.xml"
        mspdi.save(path, office())
        await show(window, str(path))
        window.bridge.execute(RenameTask(1, "mine"))
        action(window, "close").trigger()
        answer(window, "Save")
        dialog = window.findChild(QFileDialog)
        assert len(dialog.nameFilters()) == 2
        dialog.selectFile(str(tmp_path / "left.loom"))
        await emitted(window.bridge.document_opened, dialog.accept)
        assert window.bridge.state is None
        assert loom.load(tmp_path / "left.loom").task(1).name == "mine"


async def test_that_a_table_is_shown_as_understood_and_opened_only_when_a_person_says_so(
    qapp: QApplication, table: Path, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = await asked(window, table)
        assert window.bridge.state.path == house
        assert (dialog.encoding.currentData(), dialog.delimiter.currentData()) == ("utf-8", ";")
        assert [choice.currentData() for choice in dialog.fields] == [
            *(Field.ID, Field.NAME, Field.START, Field.PREDECESSORS)
        ]
        assert dialog.table.item(1, 1).text() == "Design"
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert window.bridge.state.path == house
        dialog = await asked(window, table)
        choose(dialog.fields[3], None)
        await emitted(window.bridge.document_opened, dialog.import_button.click)
        assert (window.bridge.state.path, window.bridge.state.plan.dependencies) == ("", ())
        assert [task.name for task in window.bridge.state.plan.tasks] == ["Design", "Build"]


async def test_that_the_choices_of_a_wide_table_come_after_it_is_shown(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("Name," + ",".join(f"More {number}" for number in range(29)) + "\nDesign\n", encoding="utf-8")
    async with shown(qapp) as (window, _):
        dialog = await asked(window, path)
        table, fields = dialog.table, dialog.fields
        assert table.cellWidget(0, 0) is fields[0]
        await until(lambda: table.cellWidget(0, 29) is fields[29])
        assert [choice.currentData() for choice in fields] == [Field.NAME] + [None] * 29
        await until(lambda: not dialog._placing.isActive())


async def test_that_another_date_order_is_taken(qapp: QApplication, table: Path) -> None:
    async with shown(qapp) as (window, _):
        starts = []
        for number in range(2):
            dialog = await asked(window, table)
            choose(dialog.date_order, list(type(dialog.guess.date_order))[number])
            assert dialog.notes.text() == ""
            await emitted(window.bridge.document_opened, dialog.import_button.click)
            starts.append(window.bridge.state.plan.start)
        assert starts[0] - starts[1] == 30 * 86400  # 3 April and 4 March


async def test_that_a_delimiter_that_gives_no_table_is_said_and_the_right_one_mends_it(
    qapp: QApplication, table: Path
) -> None:
    async with shown(qapp) as (window, _):
        dialog = await asked(window, table)
        await emitted(window.bridge.importing.table_sniffed, lambda: choose(dialog.delimiter, ","))
        assert "names of tasks" in dialog.notes.text()
        assert not dialog.import_button.isEnabled()
        await emitted(window.bridge.importing.table_sniffed, lambda: choose(dialog.delimiter, ";"))
        assert dialog.import_button.isEnabled()
        assert len(dialog.fields) == 4


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    """Three sheets: people, tasks, and a letter."""
    path = tmp_path / "house.xlsx"
    xlsx.save(path, office())
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    tasks = members["xl/worksheets/sheet1.xml"]
    head = tasks[: tasks.index("<sheetData>")]
    for number, rows in ((2, ("Name", "Anna")), (3, ("Dear Anna",))):
        cells = "".join(f'<row><c t="inlineStr"><is><t>{text}</t></is></c></row>' for text in rows)
        members[f"xl/worksheets/sheet{number}.xml"] = f"{head}<sheetData>{cells}</sheetData></worksheet>"
    names = "".join(f'<sheet name="{name}" sheetId="{n}"/>' for n, name in ((2, "People"), (1, "Tasks"), (3, "Letter")))
    places = {"People": 2, "Tasks": 1, "Letter": 3}
    relations = "".join(f'<Relationship Id="r{n}" Target="worksheets/sheet{n}.xml"/>' for n in places.values())
    for name, number in places.items():
        names = names.replace(f'"{name}"', f'"{name}" r:id="r{number}"')
    members["xl/workbook.xml"] = (
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        f"<sheets>{names}</sheets></workbook>"
    )
    members["xl/_rels/workbook.xml.rels"] = f"<Relationships>{relations}</Relationships>"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


async def test_that_another_sheet_of_a_workbook_is_chosen_with_the_keyboard(qapp: QApplication, workbook: Path) -> None:
    async with shown(qapp) as (window, _):
        dialog = await asked(window, workbook)
        sheets = [dialog.sheet.itemText(at) for at in range(dialog.sheet.count())]
        assert (sheets, dialog.sheet.currentText()) == (["People", "Tasks", "Letter"], "Tasks")
        assert "Of the 3 sheets" in dialog.notes.text()
        QTest.keyClick(dialog, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
        assert dialog.sheet.hasFocus()
        await emitted(window.bridge.importing.table_sniffed, lambda: QTest.keyClick(dialog.sheet, Qt.Key.Key_Down))
        assert "Sheet “Letter”: No row has a column" in dialog.notes.text()
        choose(dialog.date_order, dialog.date_order.itemData(1))
        assert not dialog.import_button.isEnabled()
        QTest.keyClick(dialog.sheet, Qt.Key.Key_Home)
        assert not dialog.import_button.isEnabled()
        await emitted(window.bridge.importing.table_sniffed)
        assert [choice.currentData() for choice in dialog.fields] == [Field.NAME]
        await emitted(window.bridge.document_opened, lambda: QTest.keyClick(dialog, Qt.Key.Key_Return))
        assert [task.name for task in window.bridge.state.plan.tasks] == ["Anna"]


async def test_that_the_answer_to_an_earlier_choice_is_dropped(qapp: QApplication, workbook: Path) -> None:
    async with shown(qapp) as (window, _):
        dialog = await asked(window, workbook)
        late = Reading(sheet="People")
        dialog.take_answer(str(workbook), late, sniff_table_again(workbook, late), "")
        assert (dialog.guess.sheet, len(dialog.fields) > 1) == ("Tasks", True)


async def test_that_a_table_needs_one_column_of_names(qapp: QApplication, table: Path) -> None:
    async with shown(qapp) as (window, _):
        dialog = await asked(window, table)
        choose(dialog.fields[1], None)
        assert "names of the tasks" in dialog.notes.text()
        assert not dialog.import_button.isEnabled()
        choose(dialog.fields[1], Field.START)
        choose(dialog.fields[0], Field.NAME)
        assert "Two columns" in dialog.notes.text()
        choose(dialog.fields[1], None)
        assert dialog.import_button.isEnabled()


async def test_that_an_answer_to_a_dialog_that_is_gone_is_dropped(qapp: QApplication, table: Path) -> None:
    async with shown(qapp) as (window, heard):
        dialog = await asked(window, table)
        choose(dialog.delimiter, ",")
        dialog.reject()
        qapp.sendPostedEvents(None, 52)  # DeferredDelete
        await emitted(window.bridge.importing.table_sniffed)
        assert heard.failures == []


async def test_that_what_was_guessed_is_offered_to_be_read(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("Task ID,Name\n1,Design\n", encoding="utf-8")
    async with shown(qapp) as (window, heard):
        dialog = await asked(window, path)
        assert "no dates" in dialog.notes.text()
        await emitted(window.bridge.fix_offered, dialog.import_button.click)
        assert heard.messages[-1] == "Left out or guessed: 2."
        button = next(each for each in window.status.findChildren(QPushButton) if each.text() == "Show…")
        button.click()
        notes = window.findChild(NotesDialog).findChild(QListWidget)
        await until(notes.isVisible)
        assert notes.item(0).text().startswith("The table has no dates: the plan starts on ")
        assert window.bridge.state.plan.start > time.time() - 2 * DAY
