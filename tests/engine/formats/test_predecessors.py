"""Tests of what people write in cells: predecessors, lengths of time, dates, headers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats.table.columns import Field, find_field, is_formula, unit_of
from engine.formats.table.dates import DateOrder, parse_moment, sniff_order, to_text
from engine.formats.table.durations import Units, parse_span
from engine.formats.table.durations import to_text as span_text
from engine.formats.table.predecessors import Reference, UnreadableError, format_references, parse_references
from engine.model import DependencyKind, Lag, LagKind

UNITS = Units()
HOUR = 3600
DAY = 8 * HOUR

KINDS = st.sampled_from(DependencyKind)
PERCENTS = st.builds(Lag, st.integers(-1000, 1000), st.sampled_from((LagKind.PERCENT, LagKind.ELAPSED_PERCENT)))
LENGTHS = st.integers(-10_000_000, 10_000_000) | st.integers(-90, 90).map(lambda days: days * DAY)


@st.composite
def lags(draw: st.DrawFn) -> Lag:
    lag = draw(PERCENTS | st.builds(Lag, LENGTHS, st.sampled_from((LagKind.WORKING, LagKind.ELAPSED))))
    return lag if lag.amount else Lag()


REFERENCES = st.lists(st.builds(Reference, st.integers(1, 10**9).map(str), KINDS, lags()), max_size=8).map(tuple)


@given(REFERENCES, st.sampled_from((UNITS, Units(9 * HOUR, 45 * HOUR, 180 * HOUR), Units(0, 0, 0))))
def test_that_predecessors_written_are_read_as_they_were(references: tuple[Reference, ...], units: Units) -> None:
    assert parse_references(format_references(references, units), UNITS if not units.day else units) == references


@given(st.text(st.sampled_from("0123456789FSAE+-%,; dhtwmo."), max_size=25))
def test_that_any_text_is_read_or_refused(text: str) -> None:
    try:
        references = parse_references(text, UNITS)
    except UnreadableError:
        return
    assert all(each.id and len(each.id) <= len(text) for each in references)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2FS+3ed,5SS-1d,7FF+50%", [("2", "FS", 259_200), ("5", "SS", -DAY), ("7", "FF", 50)]),
        ("2FS+50e%,5SS-25 E%", [("2", "FS", 50), ("5", "SS", -25)]),
        ("2EA+1 Tag;3AA-2 Std.", [("2", "FS", DAY), ("3", "SS", -2 * HOUR)]),
        ("4EE;5AE+1 Woche", [("4", "FF", 0), ("5", "SF", 5 * DAY)]),
        ("2FD+1 jour;3DD", [("2", "FS", DAY), ("3", "SS", 0)]),
        ("2FC+1 día;3CF", [("2", "FS", DAY), ("3", "SF", 0)]),
        ("2EA+1,5 Tage;3", [("2", "FS", 12 * HOUR), ("3", "FS", 0)]),
        ("2,5", [("2", "FS", 0), ("5", "FS", 0)]),
        ("2FS+1,5", [("2", "FS", DAY), ("5", "FS", 0)]),
        ("2FS+3,4FS+1d", [("2", "FS", 3 * DAY), ("4", "FS", DAY)]),
        ("3 fs + 2 days ; 4", [("3", "FS", 2 * DAY), ("4", "FS", 0)]),
        ("3+2", [("3", "FS", 2 * DAY)]),
        ("A-10FS-1d, A1000", [("A-10", "FS", -DAY), ("A1000", "FS", 0)]),
        ("1-FS=P2D;4-SS=P-1D", [("1", "FS", 2 * DAY), ("4", "SS", -DAY)]),
        ("", []),
    ],
)  # fmt: skip
def test_that_predecessors_of_many_programs_are_read(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert [(each.id, each.kind.value, each.lag.amount) for each in parse_references(text, UNITS)] == expected


def test_that_an_id_that_looks_like_a_lag_is_an_id_where_the_table_has_it() -> None:
    assert parse_references("A-10d,TIFF", UNITS, {"A-10d", "TIFF"}) == (Reference("A-10d"), Reference("TIFF"))
    assert parse_references("A-10d", UNITS)[0].lag == Lag(-10 * DAY)


@pytest.mark.parametrize("text", ["2FS+3q", "2XX+3q", "2,,3", "x" * 500, "1FS+3d" * 60_000])
def test_that_what_is_no_predecessor_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse_references(text, UNITS)


@pytest.mark.parametrize(
    ("text", "ticks", "is_elapsed"),
    [
        ("3d", 3 * DAY, False),
        ("3 Tage", 3 * DAY, False),
        ("2w", 10 * DAY, False),
        ("1mo", 20 * DAY, False),
        ("4 Std.", 4 * HOUR, False),
        ("90 min", 90 * 60, False),
        ("5ed", 5 * 86_400, True),
        ("2 fTage", 2 * 86_400, True),
        ("1 jé", 86_400, True),
        ("3 elapsed days", 3 * 86_400, True),
        ("1,5 h", 5400, False),
        ("1w 2d", 7 * DAY, False),
        ("1 day?", DAY, False),
        ("3", 3 * DAY, False),
    ],
)
def test_that_lengths_of_time_are_read(text: str, ticks: int, is_elapsed: bool) -> None:
    span = parse_span(text, UNITS)
    assert span is not None
    assert (span.ticks, span.is_elapsed) == (ticks, is_elapsed)
    assert span.has_unit == (text != "3")


@pytest.mark.parametrize("text", ["", "d", "3 parsecs", "1d 2ed", "-3d", "9" * 30 + "d"])
def test_that_what_is_no_length_of_time_is_not_read(text: str) -> None:
    assert parse_span(text, UNITS) is None


@given(st.integers(0, 10**8), st.booleans())
def test_that_a_length_written_is_read_to_the_second(ticks: int, is_elapsed: bool) -> None:
    span = parse_span(span_text(ticks, UNITS, is_elapsed=is_elapsed), UNITS)
    assert span is not None
    assert (span.ticks, span.is_elapsed) == (ticks, is_elapsed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-03-04", "2025-03-04 00:00"),
        ("04.03.2025", "2025-03-04 00:00"),
        ("4/3/25", "2025-03-04 00:00"),
        ("Di 04.03.25", "2025-03-04 00:00"),
        ("mar 04/03/25", "2025-03-04 00:00"),
        ("4. März 2025", "2025-03-04 00:00"),
        ("Mar 4, 2025", "2025-03-04 00:00"),
        ("4-Mar-25", "2025-03-04 00:00"),
        ("4 de marzo de 2025", "2025-03-04 00:00"),
        ("2025年3月4日", "2025-03-04 00:00"),
        ("20250304", "2025-03-04 00:00"),
        ("45720", "2025-03-04 00:00"),
        ("04.03.2025 17:30 Uhr", "2025-03-04 17:30"),
        ("4 Mar 2025 5:30 PM", "2025-03-04 17:30"),
        ("2025-03-04T17:30:00Z", "2025-03-04 17:30"),
        ("2025-03-04-17:30:00-+0100", "2025-03-04 17:30"),
        ("2025-03-04 24:00", "2025-03-05 00:00"),
        ("4/3/84", "1984-03-04 00:00"),
    ],
)
def test_that_dates_of_many_programs_are_read(text: str, expected: str) -> None:
    moment = parse_moment(text, DateOrder.DAY_FIRST)
    assert moment is not None
    assert to_text(moment.ticks) == expected
    assert moment.has_time == (":" in text)


@pytest.mark.parametrize(
    "text", ["31.02.2025", "13/13/2025", "soon", "2025-03-04 25:00", "4.3.", "0/0/0", "2025", "12:00"]
)
def test_that_what_is_no_date_is_never_taken_for_one(text: str) -> None:
    assert parse_moment(text, DateOrder.DAY_FIRST) is None


@pytest.mark.parametrize(
    ("texts", "order", "is_sure"),
    [
        (["03/04/2025", "13/04/2025"], DateOrder.DAY_FIRST, True),
        (["03/04/2025", "03/13/2025"], DateOrder.MONTH_FIRST, True),
        (["03.04.2025"], DateOrder.DAY_FIRST, True),
        (["2025-03-04"], DateOrder.YEAR_FIRST, True),
        (["25/03/04", "31/12/99", "84/01/01"], DateOrder.YEAR_FIRST, True),
        (["03/04/2025", "05/06/2025"], None, False),
    ],
)
def test_that_the_order_of_dates_comes_from_the_whole_column(
    texts: list[str], order: DateOrder | None, is_sure: bool
) -> None:
    assert sniff_order(texts) == (order, is_sure)


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Vorgangsname", Field.NAME),
        ("Task_Name", Field.NAME),
        ("Gliederungsebene", Field.LEVEL),
        ("Nr.", Field.ID),
        ("Vorgänger", Field.PREDECESSORS),
        ("%_Complete", Field.PERCENT),
        ("% Abgeschlossen", Field.PERCENT),
        ("Duration (days)", Field.DURATION),
        ("Begin date", Field.START),
        ("Date de fin", Field.FINISH),
        ("Ist-Anfang", Field.ACTUAL_START),
        ("Notes", Field.NOTES),
        ("Sea level", None),
        ("", None),
    ],
)
def test_that_headers_are_known_by_name(header: str, field: Field | None) -> None:
    assert find_field(header) is field


def test_that_every_header_we_write_is_one_we_read() -> None:
    assert [find_field(field.value) for field in Field] == list(Field)


def test_that_a_unit_in_a_header_is_seen() -> None:
    assert unit_of("Dauer [Std.]") == "Std."
    assert unit_of("Dauer") == ""


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", " =1", "'=1", "' -1"])
def test_that_cells_a_spreadsheet_would_run_are_known(text: str) -> None:
    assert is_formula(text)
