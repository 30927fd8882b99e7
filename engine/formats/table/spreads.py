"""Ranges: how long something may take, as a cell says it and a person types it. It never looks into a plan.

    range = 8d..10d..15d | 8d..12d | 80%..100%..150% | ±20% | ±2d | -10%..+30% | as planned | nothing
          | uniform 8d 12d | pert 8d 10d 15d | lognormal 10d 15d | normal 10d ±2d | values 8d 9d 12d
Three numbers are the shortest, the most likely and the longest, in percent of what is planned or as lengths of time.
A number without a unit has that of the next one. A lognormal one has its middle and what nine in ten stay below, and
the least in front where that is not zero; a normal one is cut off at three deviations, or where two numbers more say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import PlanError
from engine.formats.table.durations import Units, number, parse_span, to_text
from engine.model import Spread, SpreadKind, TaskId, Ticks

_KINDS = {
    **dict.fromkeys(("uniform", "even", "flat"), SpreadKind.UNIFORM),
    **dict.fromkeys(("triangular", "triangle", "tri"), SpreadKind.TRIANGULAR),
    **dict.fromkeys(("pert", "beta", "betapert"), SpreadKind.PERT),
    **dict.fromkeys(("lognormal", "lognorm"), SpreadKind.LOGNORMAL),
    **dict.fromkeys(("normal", "gauss", "gaussian"), SpreadKind.NORMAL),
    **dict.fromkeys(("values", "samples", "empirical"), SpreadKind.EMPIRICAL),
    **dict.fromkeys(("fixed", "certain", "as planned"), SpreadKind.FIXED),
}
_NOTHING = frozenset({"", "none", "-", "\N{EM DASH}", "\N{EN DASH}"})
_KIND = re.compile(rf"({'|'.join(sorted(_KINDS, key=len, reverse=True))})\b[:,]?\s*(.*)", re.IGNORECASE | re.DOTALL)
_PARTING = re.compile(r"\s*(?:\.{2,}|…|;|\bto\b|/|\N{EN DASH})\s*", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=[\w%.])\s*-\s*(?=[\d.])")
_APART = re.compile(r"(?<=\d)\s+(?=[^\W\d_]|%)")
_NUMBER = re.compile(r"([+\-\N{MINUS SIGN}]?)(\d+(?:[.,]\d+)?|[.,]\d+)(%|[^\W\d_]*)\.?")
_DECIMALS = 2
_CUT = 3.0  # deviations from the middle of a normal distribution to where it is cut off, unless something else is said


@dataclass(frozen=True, slots=True)
class Ranged:
    """What a range is of: so many `planned` ticks, elapsed ones or not; what `is_signed` may be below zero."""

    units: Units
    planned: Ticks
    is_elapsed: bool = False
    is_signed: bool = False
    ids: tuple[TaskId, ...] = ()

    def middle(self, *, is_percent: bool) -> float:
        """What is planned; nothing where a change is a range of its own."""
        return 100.0 if is_percent and (self.planned or not self.is_signed) else float(self.planned)

    @property
    def example(self) -> str:
        """What could be typed."""
        if self.is_elapsed:
            return "write 8ed..10ed..15ed, 80%..100%..150%, ±20%, or pert 8ed 10ed 15ed"
        return "write 8d..10d..15d, 80%..100%..150%, ±20%, or pert 8d 10d 15d"


def spread_text(ranged: Ranged, spread: Spread | None) -> str:
    """A spread in the grammar above, exactly; empty where there is none."""
    if spread is None:
        return ""
    low, likely, high = (
        number_text(ranged, each, is_percent=spread.is_percent) for each in (spread.low, spread.likely, spread.high)
    )
    if spread.kind is SpreadKind.NORMAL:
        usual = f"normal {likely} ±{number_text(ranged, spread.deviation, is_percent=spread.is_percent)}"
        return usual if (spread.low, spread.high) == _cut(ranged, spread) else f"{usual} {low} {high}"
    if spread.kind is SpreadKind.EMPIRICAL:
        values = (number_text(ranged, each, is_percent=spread.is_percent) for each in spread.values)
        return f"values {' '.join(values)}"
    return {
        SpreadKind.FIXED: "as planned",
        SpreadKind.UNIFORM: low if spread.low == spread.high and ranged.is_signed else f"{low}..{high}",
        SpreadKind.TRIANGULAR: _symmetric(ranged, spread) or f"{low}..{likely}..{high}",
        SpreadKind.PERT: f"pert {low} {likely} {high}",
        SpreadKind.LOGNORMAL: f"lognormal {f'{low} ' if spread.low else ''}{likely} {high}",
    }[spread.kind]


def number_text(ranged: Ranged, value: float, *, is_percent: bool) -> str:
    """One number of a range: "80%", "8d", "10.5d"."""
    if is_percent:
        return f"{value:.12g}%"
    ticks, day = round(value), 86_400 if ranged.is_elapsed else ranged.units.day
    days = f"{ticks / day:.{_DECIMALS}f}".rstrip("0").rstrip(".") if day and abs(ticks) >= day else ""
    if days and round(float(days) * day) == ticks:
        return f"{days}{'ed' if ranged.is_elapsed else 'd'}"
    sign = "-" if ticks < 0 else ""
    return sign + to_text(abs(ticks), ranged.units, is_elapsed=ranged.is_elapsed)


def _symmetric(ranged: Ranged, spread: Spread) -> str:
    """As far to both sides of what is planned, in percent: "±20%"."""
    is_even = spread.is_percent and spread.likely == 100 and spread.high - 100 == 100 - spread.low > 0
    return f"±{number_text(ranged, spread.high - 100, is_percent=True)}" if is_even and not ranged.is_signed else ""


def read_number(ranged: Ranged, text: str) -> tuple[float, bool]:
    """One number of a range, and whether it is in percent. Raises PlanError with a sentence where it is none."""
    found, is_percent = _numbers(ranged, text.strip(), [_APART.sub("", text.strip())])
    return found[0], is_percent


def read_spread(ranged: Ranged, text: str) -> Spread | None:
    """What a text says, None for nothing. Raises PlanError with a sentence where it says no range."""
    text = text.strip()
    if text.casefold() in _NOTHING:
        return None
    named = _KIND.fullmatch(re.sub(r"log-?\s?normal", "lognormal", text, flags=re.IGNORECASE))
    kind = None if named is None else _KINDS[named[1].casefold()]
    rest = text if named is None else named[2]
    if kind is SpreadKind.FIXED and not rest:
        return Spread(SpreadKind.FIXED)
    parts, is_even = _parts(ranged, rest, is_named=named is not None)
    if not parts or kind is SpreadKind.FIXED:
        raise _refusal(ranged, text)
    is_relative = (
        not ranged.is_signed and kind is not SpreadKind.EMPIRICAL and parts[0][:1] in {"+", "-", "\N{MINUS SIGN}"}
    )
    numbers, is_percent = _numbers(ranged, text, parts)
    planned = ranged.middle(is_percent=is_percent)
    if is_relative:
        numbers = [planned + each for each in numbers]
    if is_even:
        numbers = _evened(numbers, planned, is_deviation=kind is SpreadKind.NORMAL)
    elif is_relative and len(numbers) == 2 and kind is None:
        numbers = [numbers[0], planned, numbers[1]]
    spread = _spread(ranged, kind, numbers, (planned, is_percent))
    if spread is None:
        raise _refusal(ranged, text)
    spread.check(f"“{text}”", ranged.ids, is_signed=ranged.is_signed)
    return spread


def _refusal(ranged: Ranged, text: str) -> PlanError:
    return PlanError(f"“{text}” is no range: {ranged.example}.", ids=ranged.ids)


def _parts(ranged: Ranged, text: str, *, is_named: bool) -> tuple[list[str], bool]:
    """The numbers of a text as they are written, and whether the last but cuts is so far to both sides."""
    text = text.replace("+/-", "±")
    text = _APART.sub("", _PARTING.sub(" \0 ", text))
    if not ranged.is_signed and "\0" not in text:
        text = _HYPHEN.sub(" \0 ", text)
    is_even = "±" in text
    text = text.replace("±", " ")
    is_parted = "\0" in text or is_even or is_named or ranged.is_signed
    parts = [each.strip(",") for each in text.replace("\0", " ").split()]
    return (parts if is_parted else []), is_even


def _numbers(ranged: Ranged, text: str, parts: Sequence[str]) -> tuple[list[float], bool]:
    """What the parts of a text say, all in percent or all in ticks."""
    matches = [_NUMBER.fullmatch(part) for part in parts]
    found = [matched for matched in matches if matched is not None]
    if len(found) < len(parts):
        raise _refusal(ranged, text)
    units = [matched[3] for matched in found]
    for place in reversed(range(len(units) - 1)):
        units[place] = units[place] or units[place + 1]
    units = [unit or next((each for each in units if each), "") for unit in units]
    percents = {unit == "%" for unit in units}
    if len(percents) > 1:
        raise PlanError(
            f"“{text}” has percent and lengths of time in it: write all of it in one of them.", ids=ranged.ids
        )
    pairs = zip(found, units, strict=True)
    if True in percents:
        return [_sign(matched) * number(matched[2]) for matched, _ in pairs], True
    return [_sign(matched) * _length(ranged, text, f"{matched[2]}{unit}") for matched, unit in pairs], False


def _sign(matched: re.Match[str]) -> int:
    return -1 if matched[1] in {"-", "\N{MINUS SIGN}"} else 1


def _length(ranged: Ranged, text: str, part: str) -> float:
    span = parse_span(part, ranged.units)
    if span is None:
        raise _refusal(ranged, text)
    if span.has_unit and span.ticks and span.is_elapsed != ranged.is_elapsed:
        kind = "elapsed time, so write 3ed" if ranged.is_elapsed else "working time, so write 3h or 2d"
        raise PlanError(f"“{text}” is counted in {kind} in place of “{part}”.", ids=ranged.ids)
    return float(span.ticks)


def _evened(numbers: Sequence[float], planned: float, *, is_deviation: bool) -> list[float]:
    """So far to both sides: of what is planned where there is one number, else of the first."""
    middle, far, rest = (planned, numbers[0], ()) if len(numbers) == 1 else (numbers[0], numbers[1], numbers[2:])
    return [middle, far, *rest] if is_deviation else [middle - far, middle, middle + far, *rest]


def _spread(
    ranged: Ranged, kind: SpreadKind | None, numbers: Sequence[float], plan: tuple[float, bool]
) -> Spread | None:
    """The spread of these numbers, None where there are too few or too many. `plan`: what is planned, if in percent."""
    planned, is_percent = plan
    count = len(numbers)
    if kind is SpreadKind.EMPIRICAL:
        return Spread(kind, is_percent=is_percent, values=tuple(numbers))
    if kind is SpreadKind.NORMAL and count in {2, 4}:
        made = Spread(kind, likely=numbers[0], deviation=numbers[1], is_percent=is_percent)
        low, high = _cut(ranged, made) if count == 2 else (numbers[2], numbers[3])
        return Spread(kind, low, numbers[0], high, numbers[1], is_percent)
    if kind is SpreadKind.LOGNORMAL and count in {2, 3}:
        low, likely, high = (0.0, *numbers) if count == 2 else numbers
        return Spread(kind, low, likely, high, is_percent=is_percent)
    if kind is SpreadKind.UNIFORM and count == 3 and numbers[1] == (numbers[0] + numbers[2]) / 2:  # uniform ±20%
        numbers, count = (numbers[0], numbers[2]), 2
    if kind in {SpreadKind.TRIANGULAR, SpreadKind.PERT} and count == 2:
        numbers, count = (numbers[0], planned, numbers[1]), 3
    if kind in {None, SpreadKind.UNIFORM} and (count == 2 or (count == 1 and ranged.is_signed)):
        middle = (numbers[0] + numbers[-1]) / 2
        return Spread(SpreadKind.UNIFORM, numbers[0], middle, numbers[-1], is_percent=is_percent)
    if kind in {None, SpreadKind.TRIANGULAR, SpreadKind.PERT} and count == 3:
        low, likely, high = numbers
        return Spread(kind or SpreadKind.TRIANGULAR, low, likely, high, is_percent=is_percent)
    return None


def _cut(ranged: Ranged, spread: Spread) -> tuple[float, float]:
    """Where a normal distribution is cut off that does not say."""
    low, high = spread.likely - _CUT * spread.deviation, spread.likely + _CUT * spread.deviation
    return (low if ranged.is_signed else max(low, 0.0)), high


def chance_text(chance: float) -> str:
    """How likely it is that something happens: "30%", empty where it is certain."""
    return "" if chance == 1 else f"{100 * chance:.12g}%"


def read_chance(text: str, ids: tuple[TaskId, ...] = ()) -> float:
    """A chance of 0 to 1, certain for an empty text; a number alone is percent. Raises PlanError with a sentence."""
    text = text.strip()
    if not text:
        return 1.0
    try:
        found = number(text.removesuffix("%").strip())
    except ValueError:
        found = math.nan
    if not 0 <= found <= 100:
        raise PlanError(
            f"“{text}” is no chance: write a number from 0 to 100 %, or nothing where it is certain.", ids=ids
        )
    if 0 < found <= 1 and not text.endswith("%"):
        sentence = f"“{text}” may be {found:g} % or {100 * found:g} %: write it with its % sign."
        raise PlanError(sentence, ids=ids)
    return found / 100


def read_percent(text: str) -> float | None:
    """A share below or above zero, 0.5 for "50%" and "50"; None where it is no number."""
    matched = _NUMBER.fullmatch(text.strip().removesuffix("%").strip())
    return None if matched is None or matched[3] else _sign(matched) * number(matched[2]) / 100
