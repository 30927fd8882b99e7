"""Typed changeovers: times of set-up and transport, and matrices of them, as a person types or pastes them.

It never makes an edit. A number alone is minutes, which is how set-ups are told.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import PlanError
from engine.formats.table.durations import Units, parse_span
from engine.formats.table.durations import to_text as span_text
from engine.model import DAY, Plan, Ticks
from engine.session.cell_words import units_of

Matrix = tuple[tuple[str, ...], ...]
# Transport goes on day and night.
_WALL = Units(DAY, 7 * DAY, 30 * DAY)


def setup_text(plan: Plan, ticks: Ticks) -> str:
    """How long a machine is set up, empty where it need not be: "45m"."""
    return span_text(ticks, units_of(plan)) if ticks else ""


def read_setup(plan: Plan, text: str) -> Ticks:
    """Working ticks of a set-up, none for an empty text. Raises PlanError where it cannot be read."""
    span = parse_span(text, units_of(plan), "m") if text.strip() else None
    if text.strip() and span is None:
        raise PlanError(f"“{text.strip()}” is no time of a set-up: write 45m, 1.5h, or minutes as a number alone.")
    if span is not None and span.is_elapsed and span.ticks:
        raise PlanError(f"A set-up is worked in the machine's hours: write 3h in place of “{text.strip()}”.")
    return 0 if span is None else span.ticks


def transport_text(ticks: Ticks) -> str:
    """How long transport takes by the clock: "20m", "1d" of 24 hours."""
    return span_text(ticks, _WALL)


def read_transport(text: str) -> Ticks:
    """Ticks of the clock that transport takes. Raises PlanError where it cannot be read."""
    span = parse_span(text, _WALL, "m") if text.strip() else None
    if span is None:
        raise PlanError(f"“{text.strip()}” is no time of transport: write 20m, 2h, or minutes as a number alone.")
    return span.ticks


def read_names(text: str) -> tuple[str, ...]:
    """Names between commas, each once, in their order; between semicolons where there is one, for commas in names."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, text.split(";" if ";" in text else ",")))))


def names_text(names: Sequence[str]) -> str:
    """Names as they are read back: "red, blue", or "red; dark, blue" where a name has a comma."""
    if not any("," in name for name in names):
        return ", ".join(names)
    return "; ".join(names) if len(names) > 1 else f"{names[0]};"


def read_ticks(plan: Plan, families: Sequence[str], matrix: Matrix) -> tuple[tuple[Ticks, ...], ...]:
    """A matrix of typed times. Raises PlanError that names the two families of what cannot be read."""
    found = []
    for before, row in zip(families, matrix, strict=True):
        ticks = []
        for after, text in zip(families, row, strict=True):
            try:
                ticks.append(read_setup(plan, text))
            except PlanError as error:
                raise PlanError(f"From “{before}” to “{after}”: {error.sentence}") from None
        found.append(tuple(ticks))
    return tuple(found)


def headed(plan: Plan, grid: Matrix) -> tuple[tuple[str, ...], Matrix] | None:
    """The families and times of a pasted block that names them in its first row and column, None where it names none.

    Rows may stand in another order than columns. Raises PlanError where the two do not name the same.
    """
    rows = tuple(row for row in grid if any(cell.strip() for cell in row))
    if not rows or all(_is_time(plan, cell) for cell in rows[0]):
        return None
    columns = tuple(map(str.strip, rows[0][1:]))
    named = {row[0].strip(): row[1:] for row in rows[1:]}
    if len(set(columns)) < len(columns) or set(named) != set(columns) or len(rows) - 1 != len(columns):
        raise PlanError("The first row and the first column of a pasted matrix need the same families, each once.")
    width = len(columns)
    return columns, tuple((*named[family], *("",) * width)[:width] for family in columns)


def _is_time(plan: Plan, text: str) -> bool:
    return not text.strip() or parse_span(text, units_of(plan), "m") is not None


def carried_over(before: Sequence[str], matrix: Matrix, after: Sequence[str]) -> Matrix:
    """A matrix for other families: times stay with their families, and where they stand of one that was renamed."""
    places = {family: place for place, family in enumerate(before)}
    if len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            if new not in places and old not in after:
                places[new] = place
    found = [places.get(family) for family in after]
    return tuple(
        tuple("" if row is None or column is None else matrix[row][column] for column in found) for row in found
    )
