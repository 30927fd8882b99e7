"""Tests of workbooks: shared and inline texts, dates and percentages, and everything hostile in a zip."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import find_format, xlsx
from engine.formats.table import Column, Field
from engine.formats.xlsx.styles import Shown, shown_by
from tests.engine.formats.tables import DAY, at, essence, rich
from tests.engine.model.strategies import office, pipeline

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="[$-407]d/\\ mmmm\\ yyyy;@"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs>'
)
ROWS = (
    '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c>'
    '<c r="D3" t="inlineStr"><is><t>Duration</t></is></c><c r="E3" t="str"><v>% complete</v></c></row>'
    '<row r="5"><c r="A5" t="s"><v>3</v></c><c r="B5" s="1"><v>45719</v></c><c r="C5" s="2"><v>45720.5</v></c>'
    '<c r="D5" t="str"><f>CONCAT(1,"d")</f><v>1d</v></c><c r="E5" s="3"><v>0.5</v></c></row>'
    '<row r="6"><c t="inlineStr"><is><r><t>Bau</t></r><r><t xml:space="preserve">en </t></r></is></c>'
    '<c r="B6" s="4"><v>45720</v></c><c r="D6"><v>2</v></c></row>'
)
TEXTS = "<si><t>Name</t></si><si><t>Start</t></si><si><t>Finish</t></si><si><t>設計</t><rPh><t>せっけい</t></rPh></si>"


def parts(rows: str = ROWS, texts: str = TEXTS, workbook: str = "", styles: str = STYLES) -> dict[str, str]:
    return {
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{workbook}<sheets>'
        '<sheet name="Read me" sheetId="1" r:id="rId1"/><sheet name="Plan" sheetId="2" r:id="rId2"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>'
        '<Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>',
        "xl/worksheets/sheet2.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{texts}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>',
    }


@pytest.fixture
def write(tmp_path: Path):
    def to_file(members: dict[str, str]) -> Path:
        path = tmp_path / "plan.xlsx"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in members.items():
                archive.writestr(name, text)
        return path

    return to_file


def refusal(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        xlsx.load(path)
    assert caught.value.path == str(path)
    assert str(path) in caught.value.sentence
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def test_that_texts_dates_and_percentages_are_read_from_the_sheet_that_lists_tasks(write) -> None:
    path = write(parts())
    guess = xlsx.sniff_table(path)
    assert (guess.sheet, guess.sheets, guess.header_row) == ("Plan", ("Read me", "Plan"), 3)
    assert guess.notes == ("Of the 2 sheets of the workbook, “Plan” was read.",)
    assert guess.columns[3] == Column("Duration", Field.DURATION)
    first, second = xlsx.load(path).tasks
    assert (first.name, first.duration, first.progress.percent) == ("設計", DAY, 50)
    assert (first.recorded.start, first.recorded.finish) == (at("2025-03-03 08:00"), at("2025-03-04 12:00"))
    assert (second.name, second.duration, second.constraint_at) == ("Bauen", 2 * DAY, at("2025-03-04 08:00"))


def test_that_workbooks_may_count_from_1904(write) -> None:
    plan = xlsx.load(write(parts(workbook='<workbookPr date1904="1"/>')))
    assert plan.start == at("2029-03-04 08:00")


def test_that_a_number_no_calendar_has_stays_a_number(write) -> None:
    path = write(parts(rows=ROWS.replace("45719", "2958465.9999999"), workbook='<workbookPr date1904="1"/>'))
    assert "Row 5, column “Start”: “2958465.9999999” is not a date" in refusal(path)


LISTS = '<row r="1"><c t="str"><v>Name</v></c><c t="str"><v>Duration</v></c></row>{}'
PEOPLE = LISTS.replace("Duration", "E-mail").format('<row r="2"><c t="str"><v>Anna</v></c></row>')
TASK = '<row r="2"><c t="str"><v>Design</v></c><c t="str"><v>1d</v></c></row>'


def two_sheets(first: str, second: str, state: str = "visible") -> dict[str, str]:
    members = parts(rows=second)
    members["xl/workbook.xml"] = members["xl/workbook.xml"].replace('name="Read me"', f'name="Read me" state="{state}"')
    return members | {
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{first}</sheetData></worksheet>'
    }


@pytest.mark.parametrize(
    ("members", "sheet"),
    [
        (two_sheets(PEOPLE, LISTS.format(TASK)), "Plan"),
        (two_sheets(LISTS.format(TASK), PEOPLE), "Read me"),
        (two_sheets(LISTS.format(""), PEOPLE), "Plan"),
        (two_sheets(LISTS.format(TASK), LISTS.format(TASK)), "Read me"),
        (two_sheets(LISTS.format(TASK), LISTS.format(TASK), "hidden"), "Plan"),
        (two_sheets(LISTS.format(TASK), PEOPLE, "veryHidden"), "Read me"),
    ],
)
def test_that_of_several_sheets_the_one_that_lists_tasks_best_is_read(write, members: dict, sheet: str) -> None:
    path = write(members)
    assert xlsx.sniff_table(path).sheet == sheet
    assert ("note", f"Of the 2 sheets of the workbook, “{sheet}” was read.") in xlsx.load(path).fields


def test_that_the_tasks_of_a_long_sheet_are_all_read(write) -> None:
    row = TASK.replace('r="2"', "") * 30_000
    assert len(xlsx.load(write(two_sheets(PEOPLE, LISTS.format(row)))).tasks) == 30_000


def test_that_a_sheet_that_a_person_names_is_looked_at_and_no_other(write) -> None:
    path = write(two_sheets(PEOPLE, LISTS.format(TASK)))
    guess = xlsx.sniff_table(path, "Read me")
    assert [column.header for column in guess.columns] == ["Name", "E-mail"]
    assert not any("sheets" in note for note in guess.notes)
    with pytest.raises(FormatError, match="Sheet “Read me”: No row has a column"):
        xlsx.sniff_table(write(parts()), "Read me")


def test_that_a_sheet_can_be_chosen(write) -> None:
    path = write(parts())
    guess = replace(xlsx.sniff_table(path), sheet="Read me")
    assert xlsx.load_table(path, guess).tasks == ()
    with pytest.raises(FormatError, match="has no sheet “Other”"):
        xlsx.load_table(path, replace(guess, sheet="Other"))


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("General", Shown.NUMBER),
        ("0.00", Shown.NUMBER),
        ("#,##0 [$€-407]", Shown.NUMBER),
        ('0 "days"', Shown.NUMBER),
        ("[Red]0", Shown.NUMBER),
        ("yyyy-mm-dd", Shown.DATE),
        ("[$-407]d/ mmmm yyyy;@", Shown.DATE),
        ('d" de "mmmm', Shown.DATE),
        ("dd.mm.yyyy hh:mm", Shown.MOMENT),
        ("[h]:mm", Shown.MOMENT),
        ("0.0%", Shown.PERCENT),
    ],
)
def test_that_a_format_code_says_whether_a_number_is_a_date(code: str, shown: Shown) -> None:
    assert shown_by(code) is shown


def test_that_what_a_table_has_a_column_for_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    plan = rich()
    assert xlsx.save(path, plan) == ()
    assert xlsx.sniff(path)
    assert essence(xlsx.load(path)) == essence(plan)


def test_that_saving_what_was_loaded_writes_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "plan.xlsx", tmp_path / "again.xlsx"
    xlsx.save(first, rich())
    xlsx.save(second, xlsx.load(first))
    assert second.read_bytes() == first.read_bytes()


def test_that_no_cell_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "plan.xlsx"
    xlsx.save(path, rich())
    with zipfile.ZipFile(path) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert 's="3" t="inlineStr"><is><t xml:space="preserve">=SUM(A1)</t>' in sheet


def test_that_characters_no_xml_can_hold_do_no_harm(tmp_path: Path) -> None:
    plan = office()
    path = tmp_path / "plan.xlsx"
    names = ("a\0b", "_x0041_", "<&>", "\ud800", "x" * 40_000)
    tasks = tuple(replace(task, name=name) for task, name in zip(plan.tasks, names, strict=True))
    losses = xlsx.save(path, replace(plan, tasks=tasks))
    assert losses == ("Texts: 1 is cut after 32,767 characters.",)
    assert [task.name for task in xlsx.load(path).tasks] == ["ab", "_x0041_", "<&>", "", "x" * 32_767]


def test_that_a_device_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="was not written"):
        xlsx.save(tmp_path / "plan.xlsx", pipeline())
    assert list(tmp_path.iterdir()) == []


def test_that_a_workbook_is_found_by_its_content(write, tmp_path: Path) -> None:
    path = write(parts()).rename(tmp_path / "plan.bin")
    assert find_format(path) is xlsx
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04" + bytes(200))
    assert not xlsx.sniff(tmp_path / "a.zip")


BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>'


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({}, "The workbook has no part xl/workbook.xml."),
        (parts(rows="<row"), "Part xl/worksheets/sheet2.xml of the workbook is no well-formed XML"),
        (parts(rows='<row><c r="ZZZ1"><v>1</v></c></row>'), "more than 1,000 columns"),
        (
            parts(rows='<row r="1"><c t="inlineStr"><is><t>x</t></is></c></row>'),
            "None of the 2 sheets lists tasks. Sheet “Read me”: No row has a column",
        ),
        (parts(rows=ROWS.replace("45719", "later")), "Row 5, column “Start”: “later” is not a date"),
        (parts() | {"xl/worksheets/sheet2.xml": f"{BOMB}<worksheet>&c;</worksheet>"}, "declares a document type"),
        (parts() | {"xl/sharedStrings.xml": f"{BOMB}<sst/>"}, "declares a document type"),
        (parts() | {"xl/styles.xml": f"{BOMB}<styleSheet/>"}, "document type"),
        (parts() | {"xl/workbook.xml": "<workbook/>"}, "The workbook has no sheet."),
    ],
)
def test_that_a_broken_workbook_is_refused_in_one_sentence(write, members: dict[str, str], why: str) -> None:
    assert why in refusal(write(members))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04" + bytes(200), b"\xd0\xcf\x11\xe0" + bytes(600), b"Name,Start\n"])
def test_that_what_is_no_workbook_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "plan.xlsx"
    path.write_bytes(data)
    assert "no workbook of Excel 2007 or later" in refusal(path)


def test_that_a_workbook_cut_off_or_changed_is_refused_or_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.xlsx"
    xlsx.save(path, rich())
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        refusal(path)
    for place in range(0, len(whole), 61):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :])
        with suppress(FormatError):
            xlsx.load(path).check()


def test_that_a_zip_bomb_is_refused_in_little_memory(tmp_path: Path) -> None:
    """A gigabyte of rows in a megabyte of zip; what it takes is measured in a process of its own."""
    path = tmp_path / "bomb.xlsx"
    row = b"<row>" + b'<c t="inlineStr"><is><t>a</t></is></c>' * 200 + b"</row>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts().items():
            if name != "xl/worksheets/sheet2.xml":
                archive.writestr(name, text)
        with archive.open("xl/worksheets/sheet2.xml", "w") as part:
            part.write(b"<worksheet><sheetData>")
            part.writelines(row for _ in range(14_000))
    code = (
        "import sys\nfrom engine.errors import FormatError\nfrom engine.formats import xlsx\n"
        "try:\n    xlsx.load(sys.argv[1])\nexcept FormatError as error:\n    print(error.sentence)\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True, timeout=120
    )
    sentence, kilobytes = ran.stdout.splitlines()
    assert "unpacks to more than 100 times its size" in sentence
    assert int(kilobytes) < 300 * 1024


def test_that_a_part_that_unpacks_to_more_than_it_says_is_refused(tmp_path: Path) -> None:
    """The size in the directory is a lie: 20 bytes are said, 2,000,000 come out."""
    plain = b"<worksheet>" + b" " * 2_000_000 + b"</worksheet>"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts().items():
            archive.writestr(name, plain if name.endswith("sheet2.xml") else text)
    data = packed.getvalue().replace(len(plain).to_bytes(4, "little"), (20).to_bytes(4, "little"))
    path = tmp_path / "plan.xlsx"
    path.write_bytes(data)
    assert "xl/worksheets/sheet2.xml" in refusal(path)
