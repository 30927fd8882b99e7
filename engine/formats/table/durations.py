"""Lengths of time as people write them: 3d, 2w, 4h, 5ed, “3 Tage”. A day is the plan's, not the calendar's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.model import DAY, Ticks

_WORDS = {
    "s": "s sec secs second seconds sek sekunde sekunden",
    "m": "m min mins minute minutes minuten minuto minutos minuti minuut мин",
    "h": "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur uren ч",
    "d": "d dy day days t tag tage tagen j jour jours día días dia dias g giorno giorni dag dagen дн день дней",
    "w": "w wk wks week weeks woche wochen sem semaine semaines semana semanas sett settimana settimane weken нед",
    "mo": "mo mon mons month months monat monate monaten mois mes meses mese mesi mês maand maanden мес",
}
_UNITS = {word: unit for unit, words in _WORDS.items() for word in words.split()}
_ELAPSED = {"s": 1, "m": 60, "h": 3600, "d": DAY, "w": 7 * DAY, "mo": 30 * DAY}
_PART = re.compile(r"\s*(\d+(?:[.,]\d+)?|[.,]\d+)\s*((?:elapsed\s+)?[^\W\d_]*)\.?")
_MOST = 1 << 47


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time in ticks, working ones unless elapsed. `has_unit`: whether one was written."""

    ticks: Ticks
    is_elapsed: bool = False
    has_unit: bool = True


@dataclass(frozen=True, slots=True)
class Units:
    """How many working ticks a day, a week and a month have; by default as a plan has them that says nothing else."""

    day: Ticks = 8 * 3600
    week: Ticks = 40 * 3600
    month: Ticks = 160 * 3600

    def ticks(self, unit: str) -> Ticks:
        """Working ticks of one s, m, h, d, w or mo."""
        return {"d": self.day, "w": self.week, "mo": self.month}.get(unit) or _ELAPSED[unit]


def find_unit(word: str) -> str:
    """s, m, h, d, w or mo, with an e in front where it is elapsed; an empty text for what is no unit."""
    word = word.casefold().strip(" .?")
    if word in _UNITS:
        return _UNITS[word]
    if word.startswith("elapsed "):
        rest = word.removeprefix("elapsed ").strip()
    elif word[:1] in ("e", "f"):  # English edays, German fTage
        rest = word[1:]
    else:  # French jé
        rest = word.removesuffix("é")
    return f"e{_UNITS[rest]}" if rest != word and rest in _UNITS else ""


def parse_span(text: str, units: Units, bare: str = "d") -> Span | None:
    """The length that a text says, such as “1w 2d”; `bare` is the unit of a number without one. None if unreadable."""
    text = text.strip().removesuffix("?").strip()
    at, total, kinds, has_unit = 0, 0.0, set(), True
    while at < len(text):
        matched = _PART.match(text, at)
        if matched is None:
            return None
        unit = find_unit(matched[2]) if matched[2] else bare
        if not unit:
            return None
        has_unit &= bool(matched[2])
        is_elapsed = unit.startswith("e")
        kinds.add(is_elapsed)
        total += number(matched[1]) * (_ELAPSED[unit[1:]] if is_elapsed else units.ticks(unit))
        at = matched.end()
    if len(kinds) != 1 or total > _MOST:
        return None
    return Span(round(total), True in kinds, has_unit)


def number(text: str) -> float:
    """A number with a decimal point or a decimal comma."""
    return float(text.replace(",", "."))


def to_text(ticks: Ticks, units: Units, *, is_elapsed: bool = False) -> str:
    """The same length as short as it can be said exactly: 3d, 20h, 90m, 45s; 3ed when elapsed."""
    prefix, day = ("e", DAY) if is_elapsed else ("", units.day)
    for unit, length in (("d", day), ("h", 3600), ("m", 60)):
        if length and ticks % length == 0:
            return f"{ticks // length}{prefix}{unit}"
    return f"{ticks}{prefix}s"
