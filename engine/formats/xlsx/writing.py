"""A table as a workbook of one sheet: texts in the cells themselves, instants as dates. It never writes a formula."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence

from engine.formats.table import Cell, Instant, Table, is_formula
from engine.formats.table.dates import to_text
from engine.formats.xml_text import escape
from engine.model import DAY

LONGEST = 32_767  # characters that a cell may hold
_EXCEL_EPOCH = -25_569  # 1899-12-30 in days since 1970-01-01
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PLAIN, _DATE, _HEADER, _QUOTED = range(4)
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SHEET_TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_SHEET_TYPE}.styles+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="Tasks" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    # Cell styles: plain, date, header, and a text that a spreadsheet must not take for a formula.
    "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/></cellXfs></styleSheet>',
}


def to_bytes(table: Table) -> bytes:
    """The workbook's bytes: the same table gives the same ones."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in {**_PARTS, "xl/worksheets/sheet1.xml": "".join(_sheet(table))}.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, _HEAD + text)
    return packed.getvalue()


def _sheet(table: Table) -> Iterator[str]:
    yield f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
    yield '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    yield "</sheetView></sheetViews><sheetData>"
    yield _row(1, table.headers, _HEADER)
    for number, cells in enumerate(table.rows, 2):
        yield _row(number, cells, _PLAIN)
    yield "</sheetData></worksheet>"


def _row(number: int, cells: Sequence[Cell], style: int) -> str:
    inside = "".join(_cell(f"{_letters(at)}{number}", cell, style) for at, cell in enumerate(cells))
    return f'<row r="{number}">{inside}</row>'


def _cell(reference: str, cell: Cell, style: int) -> str:
    if cell is None or cell == "":
        return ""
    if isinstance(cell, Instant):
        days = cell.ticks / DAY - _EXCEL_EPOCH
        if 61 <= days < 2_958_466:  # Excel's own count goes wrong before March 1900
            return f'<c r="{reference}" s="{_DATE}"><v>{days:.10f}</v></c>'
        cell = to_text(cell.ticks)
    if isinstance(cell, int | float):
        return f'<c r="{reference}" s="{style}"><v>{cell}</v></c>'
    if cell.startswith("'") and is_formula(cell):
        cell = f"'{cell}"  # read back, one apostrophe goes
    text = escape(re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", cell[:LONGEST]))
    shown = _QUOTED if is_formula(cell) else style
    return f'<c r="{reference}" s="{shown}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
