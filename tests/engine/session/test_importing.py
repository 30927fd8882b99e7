"""What a person is asked before a file of another program is read, and what is read then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import strptime

import pytest

from engine.errors import FormatError
from engine.formats import loom, xlsx
from engine.schedule.words import calendar_instant
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


@pytest.mark.parametrize(
    ("today", "start"),
    [
        ("2026-03-05 15:30", "Thu 5 Mar 2026 08:00"),
        ("2026-03-07 09:00", "Mon 9 Mar 2026 08:00"),
        ("2026-03-08 23:59", "Mon 9 Mar 2026 08:00"),
    ],
)
def test_that_a_plan_without_dates_starts_today_or_on_monday_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: str, start: str
) -> None:
    monkeypatch.setattr("time.localtime", lambda: strptime(today, "%Y-%m-%d %H:%M"))
    path = tmp_path / "plain.csv"
    path.write_text("Task ID,Name,Duration\n1,Design,2d\n", encoding="utf-8")
    for guess in (sniff_table(path), sniff_table_again(path, Reading("utf-8", ","))):
        assert guess.notes == (f"The table has no dates: the plan starts on {start}, until you say otherwise.",)
        assert calendar_instant(open_table(path, guess).state.plan.start) == start


def test_that_a_column_that_a_person_takes_for_dates_decides_the_start_of_the_plan(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("Task ID,Name,When\n1,Design,2025-03-03\n", encoding="utf-8")
    guess = sniff_table(path)
    columns = (*guess.columns[:2], Column("When", Field.START))
    plan = open_table(path, replace(guess, columns=columns)).state.plan
    assert calendar_instant(plan.start) == "Mon 3 Mar 2025 08:00"
    assert [text for name, text in plan.fields if "no dates" in text] == []
