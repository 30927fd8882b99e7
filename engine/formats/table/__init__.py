"""Tables of tasks, shared by CSV and XLSX: what columns mean, how cells are read, how a plan is laid out."""

from engine.formats.table.columns import Field, is_formula
from engine.formats.table.dates import DateOrder
from engine.formats.table.guess import (
    MOST_ROWS,
    Column,
    Row,
    TableGuess,
    count_fields,
    guess_table,
    rate_table,
    starting,
)
from engine.formats.table.reading import read_table
from engine.formats.table.writing import Cell, Instant, Table, write_table

__all__ = [
    "MOST_ROWS",
    "Cell",
    "Column",
    "DateOrder",
    "Field",
    "Instant",
    "Row",
    "Table",
    "TableGuess",
    "count_fields",
    "guess_table",
    "is_formula",
    "rate_table",
    "read_table",
    "starting",
    "write_table",
]
