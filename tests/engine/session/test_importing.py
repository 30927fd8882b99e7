"""What a person is asked before a file of another program is read, and what is read then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import loom, xlsx
from engine.session.importing import (
    Column,
    DateOrder,
    Field,
    Reading,
    file_kinds,
    open_table,
    sniff_table,
    sniff_table_again,
)
from tests.engine.model.strategies import office

TABLE = "Task ID;Name;Start;Predecessors\n1;Design;03.04.2025;\n2;Build;;1\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two tasks between semicolons, the first on a day that could be two."""
    path = tmp_path / "house.csv"
    path.write_text(TABLE, encoding="cp1252")
    return path


def test_that_our_own_kind_comes_first_and_kinds_that_are_only_read_say_so() -> None:
    kinds = {suffix: kind for kind in file_kinds() for suffix in kind.suffixes}
    assert file_kinds()[0].suffixes == (".loom",)
    assert all(kinds[suffix].is_written for suffix in (".loom", ".xml", ".gan", ".csv", ".xlsx", ".ics"))
    assert not kinds[".xer"].is_written
    assert not kinds[".mpp"].is_written


def test_that_only_a_table_is_asked_about(table: Path, tmp_path: Path) -> None:
    loom.save(tmp_path / "plan.loom", office())
    xlsx.save(tmp_path / "plan.xlsx", office())
    assert sniff_table(tmp_path / "plan.loom") is None
    assert sniff_table(tmp_path / "plan.xlsx").sheet
    assert sniff_table(table).delimiter == ";"
    with pytest.raises(FormatError, match="none"):
        sniff_table(tmp_path / "none.csv")


def test_that_a_table_is_read_as_a_person_said(table: Path) -> None:
    guess = sniff_table(table)
    assert guess.date_order is DateOrder.DAY_FIRST
    columns = (*guess.columns[:3], Column("Predecessors", None))
    document = open_table(table, replace(guess, date_order=DateOrder.MONTH_FIRST, columns=columns))
    assert document.state.path == ""
    assert document.folder == str(table.parent)
    assert document.state.plan.dependencies == ()
    assert document.state.plan.start == open_table(table, guess).state.plan.start - 30 * 86400
    assert [task.name for task in document.state.plan.tasks] == ["Design", "Build"]


def test_that_another_encoding_or_delimiter_is_understood_anew(tmp_path: Path) -> None:
    path = tmp_path / "house.csv"
    path.write_text("Name|Start, Ende\nÄ|2025-03-03\n", encoding="cp1252")
    guess = sniff_table_again(path, Reading("cp1252", "|"))
    assert [column.field for column in guess.columns] == [Field.NAME, None]
    assert guess.preview == (("Ä", "2025-03-03"),)
    with pytest.raises(FormatError, match="names of tasks"):
        sniff_table_again(path, Reading("utf-16-le", ","))


def test_that_a_sheet_is_read_as_a_workbook(tmp_path: Path) -> None:
    xlsx.save(tmp_path / "plan.xlsx", office())
    guess = sniff_table(tmp_path / "plan.xlsx")
    assert sniff_table_again(tmp_path / "plan.xlsx", Reading(sheet=guess.sheet)) == guess
    names = [task.name for task in open_table(tmp_path / "plan.xlsx", guess).state.plan.tasks]
    assert names == [task.name for task in office().tasks]
