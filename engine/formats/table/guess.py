"""TableGuess: how a table is understood, to be shown and changed by a person before it is imported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.errors import FormatError
from engine.formats.table.columns import DATES, Field, find_field, unit_of
from engine.formats.table.dates import DateOrder, is_nothing, parse_moment, sniff_order
from engine.formats.table.durations import find_unit
from engine.model import DAY, Ticks
from engine.schedule.words import calendar_instant

# Where a plan starts whose table has no date at all, unless one says otherwise: a Monday at 08:00, said in the notes.
NO_DATE_START: Ticks = 11_323 * DAY + 8 * 3600
MOST_ROWS = 250_000  # of any table that is read
_HEADER_ROWS = 20
_PREVIEW = 20

# A row: its number in the file, from 1, and its cells.
Row = tuple[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its header, and the field it is read as; None: kept as text under its header."""

    header: str
    field: Field | None


@dataclass(frozen=True, slots=True)
class TableGuess:
    """How a table is read. A changed copy (dataclasses.replace) is as good as what was sniffed.

    `header_row` is the number of the row of headers. `date_order` holds for every date of numbers; where the numbers
    leave it open it is M/D/Y for English headers between commas and dates with slashes, else D/M/Y, and
    `is_date_order_sure` is false. `duration_unit` is that of numbers without one. `sheets` are all there are in a
    workbook, `sheet` the one that is read. `start` is the plan's, None: the earliest date of the table, or
    `undated_start` where it has none. `notes` are sentences for the person; `preview` holds the first rows.
    """

    columns: tuple[Column, ...]
    header_row: int
    date_order: DateOrder = DateOrder.YEAR_FIRST
    is_date_order_sure: bool = True
    duration_unit: str = "d"
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    start: Ticks | None = None
    undated_start: Ticks = NO_DATE_START
    notes: tuple[str, ...] = ()
    preview: tuple[tuple[str, ...], ...] = ()

    def notes_of(self, *, is_dated: bool) -> tuple[str, ...]:
        """The notes once the rows are read: when the plan starts is said where no task has a date, and nowhere else."""
        undated = _undated_note(self.undated_start)
        others = tuple(note for note in self.notes if note != undated)
        return others if is_dated or self.start is not None else (undated, *others)

    def places(self) -> dict[Field, int]:
        """The column in which each field stands, from 0; the first one where a person chose two."""
        return {column.field: at for at, column in reversed(list(enumerate(self.columns))) if column.field}


def guess_table(rows: Sequence[Row], delimiter: str = "") -> TableGuess:
    """How these rows are best read. Raises FormatError where no row looks like headers, one of them a task's name."""
    at = _find_header(rows)
    number, cells = rows[at]
    columns = _columns(cells)
    guess = TableGuess(columns, number, delimiter=delimiter, duration_unit=_unit(columns))
    below = rows[at + 1 :]
    guess = replace(guess, preview=tuple(tuple(cells) for _, cells in below[:_PREVIEW]))
    return _with_dates(guess, below)


def starting(guess: TableGuess, start: Ticks) -> TableGuess:
    """The same, but a plan whose table has no dates starts then."""
    before, now = _undated_note(guess.undated_start), _undated_note(start)
    notes = tuple(now if note == before else note for note in guess.notes)
    return replace(guess, undated_start=start, notes=notes)


def _undated_note(start: Ticks) -> str:
    return f"The table has no dates: the plan starts on {calendar_instant(start)}, until you say otherwise."


def count_fields(cells: Sequence[str]) -> int:
    """How many different fields the cells name: high for a row of headers."""
    return len({field for cell in cells if (field := find_field(cell))})


def rate_table(rows: Sequence[Row]) -> tuple[bool, int]:
    """How much rows look like a table of tasks, to be compared: whether any stand below headers, and their fields."""
    try:
        at = _find_header(rows)
    except FormatError:
        return False, 0
    return any(cell.strip() for _, cells in rows[at + 1 :] for cell in cells), count_fields(rows[at][1])


def _find_header(rows: Sequence[Row]) -> int:
    """The row among the first that names the most fields, a name among them."""
    best, most = -1, 0
    for at, (_, cells) in enumerate(rows[:_HEADER_ROWS]):
        count = count_fields(cells)
        if count > most and any(find_field(cell) is Field.NAME for cell in cells):
            best, most = at, count
    if best < 0:
        raise FormatError("No row has a column for the names of tasks: call one “Name”.", line=1)
    return best


def _columns(cells: Sequence[str]) -> tuple[Column, ...]:
    """The first column of each field has it; “Task” beside “Task name” is an id."""
    found: list[Column] = []
    taken: set[Field] = set()
    for cell in cells:
        field = find_field(cell)
        if field in taken:
            field = None
        if field:
            taken.add(field)
        found.append(Column(cell.strip(), field))
    return tuple(found)


def _unit(columns: Sequence[Column]) -> str:
    headers = [column.header for column in columns if column.field is Field.DURATION]
    return (find_unit(unit_of(headers[0])) if headers else "") or "d"


def _with_dates(guess: TableGuess, rows: Sequence[Row]) -> TableGuess:
    known = guess.places()
    places = [known[field] for field in DATES if field in known]
    texts = [cells[p] for _, cells in rows for p in places if p < len(cells) and not is_nothing(cells[p])]
    if not texts:
        return replace(guess, notes=(_undated_note(guess.undated_start),))
    order, is_sure = sniff_order(texts)
    if order is None:
        order, is_sure = _by_finishes(guess, rows), False
    notes: tuple[str, ...] = ()
    if not is_sure:
        example = next(text for text in texts if sniff_order([text]) == (None, False))
        notes = (f"Dates such as {example} could mean two days; they were read as {order.value}.",)
    return replace(guess, date_order=order, is_date_order_sure=is_sure, notes=notes)


def _by_finishes(guess: TableGuess, rows: Sequence[Row]) -> DateOrder:
    """Of two possible orders the one in which more tasks end after they begin, then the one usual for the headers."""
    is_english = guess.delimiter in ("", ",") and all(c.header.isascii() for c in guess.columns if c.field)
    orders = [DateOrder.DAY_FIRST, DateOrder.MONTH_FIRST]
    if is_english:
        orders.reverse()
    return max(orders, key=lambda order: _count_sane(guess, rows, order))  # the first of equals


def _count_sane(guess: TableGuess, rows: Sequence[Row], order: DateOrder) -> int:
    known = guess.places()
    places = (known.get(Field.START), known.get(Field.FINISH))
    count = 0
    for _, cells in rows:
        found = [parse_moment(cells[p], order) if p is not None and p < len(cells) else None for p in places]
        count += bool(found[0] and found[1] and found[0].ticks <= found[1].ticks)
    return count
