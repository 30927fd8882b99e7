"""One row of a table, read field by field; what cannot be read is said with its row and its column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from engine.errors import FormatError
from engine.formats.table.columns import Field, is_formula
from engine.formats.table.dates import Moment, is_nothing, parse_moment
from engine.formats.table.durations import Span, Units, number, parse_span
from engine.formats.table.guess import Row, TableGuess
from engine.model import ConstraintKind, PlanSettings, Ticks

SETTINGS = PlanSettings()
UNITS = Units()
_YES = {"yes", "y", "true", "1", "x", "ja", "wahr", "oui", "vrai", "sí", "si", "verdadero", "sì", "vero", "sim", "waar"}
_MANUAL = ("manual", "manuel", "handmatig")
_CONSTRAINTS = {
    ConstraintKind.AS_SOON_AS_POSSIBLE: "asap|as soon as possible|so früh wie möglich|dès que possible|"
    "lo antes posible|il più presto possibile|zo spoedig mogelijk|o mais breve possível",
    ConstraintKind.AS_LATE_AS_POSSIBLE: "alap|as late as possible|so spät wie möglich|le plus tard possible|"
    "lo más tarde posible|il più tardi possibile|zo laat mogelijk|o mais tarde possível",
    ConstraintKind.MUST_START_ON: "mso|must start on|muss anfangen am|doit commencer le|debe comenzar el|"
    "deve iniziare il|moet beginnen op|deve iniciar em",
    ConstraintKind.MUST_FINISH_ON: "mfo|must finish on|muss enden am|doit finir le|debe finalizar el|"
    "deve finire il|moet eindigen op|deve terminar em",
    ConstraintKind.START_NO_EARLIER_THAN: "snet|start no earlier than|anfang nicht früher als|"
    "début au plus tôt le|no comenzar antes del|iniziare non prima del|niet eerder beginnen dan|"
    "não iniciar antes de",
    ConstraintKind.START_NO_LATER_THAN: "snlt|start no later than|anfang nicht später als|début au plus tard le|"
    "no comenzar después del|iniziare non oltre il|niet later beginnen dan|não iniciar depois de",
    ConstraintKind.FINISH_NO_EARLIER_THAN: "fnet|finish no earlier than|ende nicht früher als|fin au plus tôt le|"
    "no finalizar antes del|finire non prima del|niet eerder eindigen dan|não terminar antes de",
    ConstraintKind.FINISH_NO_LATER_THAN: "fnlt|finish no later than|ende nicht später als|fin au plus tard le|"
    "no finalizar después del|finire non oltre il|niet later eindigen dan|não terminar depois de",
}
_KINDS = {name: kind for kind, names in _CONSTRAINTS.items() for name in names.split("|")}


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of one row; `places` are the guess's, which all rows share."""

    guess: TableGuess
    places: Mapping[Field, int]
    row: Row

    @property
    def number(self) -> int:
        """The row's number in the file, from 1."""
        return self.row[0]

    def raw(self, field: Field) -> str:
        """A cell as it stands, empty where there is none."""
        at = self.places.get(field)
        cells = self.row[1]
        return cells[at] if at is not None and at < len(cells) else ""

    def text(self, field: Field) -> str:
        """A cell without the spaces around it, and without the apostrophe that keeps it from being a formula."""
        return plain(self.raw(field))

    def refuse(self, field: Field, what: str) -> NoReturn:
        """Raises a FormatError that names the row, the column and what is wrong."""
        raise FormatError(f"Row {self.number}, column “{self.header(field)}”: {what}", line=self.number)

    def header(self, field: Field) -> str:
        """What the table calls a field."""
        at = self.places.get(field)
        return self.guess.columns[at].header if at is not None else field.value

    def moment(self, field: Field) -> Moment | None:
        """The date in a cell, None where it says that there is none."""
        text = self.text(field)
        if is_nothing(text):
            return None
        found = parse_moment(text, self.guess.date_order)
        if found is None:
            self.refuse(field, f"“{text}” is not a date (read as {self.guess.date_order.value}).")
        return found

    def begin(self, field: Field) -> Ticks | None:
        """The instant at which something starts; a day without a time begins when work does, at 08:00."""
        return self._instant(field, SETTINGS.default_start)

    def end(self, field: Field) -> Ticks | None:
        """The instant at which something ends; a day without a time is meant whole, until 17:00."""
        return self._instant(field, SETTINGS.default_finish)

    def _instant(self, field: Field, time_of_day: Ticks) -> Ticks | None:
        found = self.moment(field)
        if found is None or found.has_time:
            return None if found is None else found.ticks
        return found.ticks + time_of_day

    def span(self, field: Field) -> Span | None:
        """The length of time in a cell."""
        text = self.text(field)
        if is_nothing(text):
            return None
        found = parse_span(text, UNITS, self.guess.duration_unit)
        if found is None:
            self.refuse(field, f"“{text}” is not a length of time.")
        return found

    def amount(self, field: Field) -> float | None:
        """The number in a cell, with or without a percent sign."""
        text = self.text(field).removesuffix("%").strip()
        if is_nothing(text):
            return None
        try:
            amount = number(text)
        except ValueError:
            amount = math.nan
        if not math.isfinite(amount):
            self.refuse(field, f"“{self.text(field)}” is not a number.")
        return amount

    def is_yes(self, field: Field) -> bool | None:
        """Yes or no in any language; None for an empty cell."""
        text = self.text(field).casefold()
        return text in _YES if text else None

    def is_manual(self) -> bool:
        """Whether the row's mode is “manually scheduled”."""
        return self.text(Field.MODE).casefold().startswith(_MANUAL)

    def constraint(self) -> ConstraintKind:
        """The kind of constraint that the row names."""
        text = self.text(Field.CONSTRAINT).casefold()
        if not text:
            return ConstraintKind.AS_SOON_AS_POSSIBLE
        kind = _KINDS.get(text)
        if kind is None:
            self.refuse(Field.CONSTRAINT, f"“{self.text(Field.CONSTRAINT)}” is no kind of constraint.")
        return kind

    def rest(self) -> tuple[tuple[str, str], ...]:
        """What stands in columns that are no field, by header."""
        columns = zip(self.guess.columns, self.row[1], strict=False)
        return tuple((c.header, plain(cell)) for c, cell in columns if c.field is None and c.header and cell.strip())


def plain(cell: str) -> str:
    """A cell as a person meant it."""
    text = cell.strip()
    return text[1:] if text[:1] == "'" and is_formula(text[1:]) else text


def find_constraint(text: str) -> tuple[ConstraintKind, str] | None:
    """The kind of constraint that a text begins with, and the rest of it; None where it names none."""
    plain_text = " ".join(text.split())
    for name in sorted(_KINDS, key=len, reverse=True):
        rest = plain_text[len(name) :]
        if plain_text[: len(name)].casefold() == name and (not rest or rest[0] == " "):
            return _KINDS[name], rest.strip()
    return None


def constraint_name(kind: ConstraintKind) -> str:
    """A constraint's name as it is written in a table."""
    return _CONSTRAINTS[kind].split("|")[1].capitalize()
