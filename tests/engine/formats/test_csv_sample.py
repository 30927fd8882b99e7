"""A column of a table as a spread, and the one sentence for each column that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats.csv_sample import ColumnSample, Measure, load_sample
from engine.formats.table.durations import Units
from engine.model import Spread, SpreadKind
from engine.model.spread import MOST_VALUES

HOUR = 3600


def sample(folder: Path, text: str | bytes, column: str = "", units: Units | None = None) -> ColumnSample:
    path = folder / "taken.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_sample(path, column, units or Units())


def empirical(*values: float, is_percent: bool = True) -> Spread:
    return Spread(SpreadKind.EMPIRICAL, is_percent=is_percent, values=values)


@pytest.mark.parametrize(
    ("text", "column", "measure", "spread"),
    [
        ("Task,Taken\na,120\nb,95\nc,\nd,n/a\n", "taken", Measure.PERCENT, empirical(95, 120)),
        ("Task,Taken\na,120\nb,95\n", "2", Measure.PERCENT, empirical(95, 120)),
        ("Task;Taken\na;1,25\nb;0,5\n", "Taken", Measure.RATIO, empirical(50, 125)),
        ("1,25\n0,5\n", "", Measure.RATIO, empirical(50, 125)),
        ("Task\tTaken (%)\na\t8\nb\t9.5\n", "Taken (%)", Measure.PERCENT, empirical(8, 9.5)),
        ("Taken\n110 %\n90%\n", "Taken", Measure.PERCENT, empirical(90, 110)),
        ("Taken\n1d 2h\n90m\n", "", Measure.LENGTH, empirical(1.5 * HOUR, 10 * HOUR, is_percent=False)),
        ("Taken (h)\n2\n3.5\n", "", Measure.LENGTH, empirical(2 * HOUR, 3.5 * HOUR, is_percent=False)),
        ('"Taken, all",b\n"110",1\n', "Taken, all", Measure.PERCENT, empirical(110)),
    ],
)
def test_that_a_column_is_found_and_its_numbers_are_understood(
    tmp_path: Path, text: str, column: str, measure: Measure, spread: Spread
) -> None:
    found = sample(tmp_path, text, column)
    assert (found.measure, found.spread) == (measure, spread)
    assert found.count == len(spread.values)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_that_it_is_read_in_any_encoding_and_in_the_days_of_the_plan(tmp_path: Path, encoding: str) -> None:
    found = sample(tmp_path, "Größe,Länge\r\n1,2d\r\n".encode(encoding), "länge", Units(day=10 * HOUR))
    assert found.spread == empirical(20 * HOUR, is_percent=False)


def test_that_of_many_values_so_many_quantiles_are_kept(tmp_path: Path) -> None:
    found = sample(tmp_path, "Taken\n" + "".join(f"{20 + place / 100:.2f}\n" for place in range(5_000)))
    assert found.count == 5_000
    assert len(found.spread.values) == MOST_VALUES
    assert (found.spread.values[0], found.spread.values[-1]) == (20, 69.99)
    assert abs(found.spread.values[MOST_VALUES // 2] - 45) < 0.1


@pytest.mark.parametrize(
    ("text", "column", "sentence"),
    [
        ("Task,Taken\na,120\n", "Took", "There is no column “Took”: there are “Task”, “Taken”"),
        ("Task,Taken\na,120\n", "3", "There is no column “3”"),
        ("Task,Taken\na,120\n", "", "Say which column is meant"),
        ("Taken\n120\nsoon\n", "Taken", "Row 3: “soon” is neither a number nor a length of time."),
        ("Taken\n120\n-5\n", "Taken", "Row 3: “-5” is below zero"),
        ("Taken\n120\n3d\n", "Taken", "Row 3: “3d” is of another kind than the rows above it."),
        ("Taken\n2ed\n", "Taken", "Row 2: “2ed” is an elapsed time"),
        ("Taken\n\nn/a\n", "Taken", "Column “Taken” holds no values."),
        ("Taken\n1e50\n", "Taken", "What column “Taken” holds has a range that no plan can hold."),
        ("Taken\ninf\n", "Taken", "Row 2: “inf” is neither a number nor a length of time."),
        ('Taken\n"12\n', "Taken", "a quote is opened there and not closed"),
        (" \n\n", "", "The file is empty."),
        (b"Taken\n\x00\x01\x02\n1\n", "Taken", "The file is no text."),
    ],
)
def test_that_what_is_no_sample_is_refused_with_the_file_and_the_row(
    tmp_path: Path, text: str | bytes, column: str, sentence: str
) -> None:
    with pytest.raises(FormatError) as caught:
        sample(tmp_path, text, column)
    assert sentence in caught.value.sentence
    assert str(tmp_path / "taken.csv") in caught.value.sentence


def test_that_a_file_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="There is no file"):
        load_sample(tmp_path / "none.csv", "Taken")
