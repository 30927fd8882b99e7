"""Which styles of a workbook show a number as a date or a percentage. It never shows anything itself."""

from __future__ import annotations

import re
from enum import Enum

from engine.formats.xml_text import Element


class Shown(Enum):
    """How a style shows a number."""

    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    PERCENT = "percent"


_DATES = {*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58}
_MOMENTS = {*range(18, 23), *range(32, 36), *range(45, 48), 55, 56}
_PERCENTS = {9, 10}
_NO_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^\]]*\]', re.IGNORECASE)


def read_styles(root: Element) -> list[Shown]:
    """How each cell style, in the order of their numbers, shows a number."""
    codes: dict[int, str] = {}
    for element in root.below("numFmts", "numFmt"):
        codes[_int(element.attributes.get("numFmtId", ""))] = element.attributes.get("formatCode", "")
    return [_shown(_int(xf.attributes.get("numFmtId", "")), codes) for xf in root.below("cellXfs", "xf")]


def _int(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _shown(number: int, codes: dict[int, str]) -> Shown:
    if number in codes:
        return shown_by(codes[number])
    for numbers, shown in ((_DATES, Shown.DATE), (_MOMENTS, Shown.MOMENT), (_PERCENTS, Shown.PERCENT)):
        if number in numbers:
            return shown
    return Shown.NUMBER


def shown_by(code: str) -> Shown:
    """What a format code makes of a number, by the part of it for positive ones."""
    plain = _NO_CODE.sub("", code.split(";", maxsplit=1)[0]).casefold()
    if "%" in plain:
        return Shown.PERCENT
    if plain.strip() in ("general", "@"):
        return Shown.NUMBER
    if re.search(r"[hs]", plain):
        return Shown.MOMENT
    return Shown.DATE if re.search(r"[ymde]", plain) and not re.search(r"[0#?]", plain) else Shown.NUMBER
