"""Calendar words: names of months and days in the language of the window. It never knows a date."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from gui.canvas.calendar_ticks import Words

_T = QT_TRANSLATE_NOOP
_MONTHS: tuple[object, ...] = (
    _T("Calendar", "January"),
    _T("Calendar", "February"),
    _T("Calendar", "March"),
    _T("Calendar", "April"),
    _T("Calendar", "May"),
    _T("Calendar", "June"),
    _T("Calendar", "July"),
    _T("Calendar", "August"),
    _T("Calendar", "September"),
    _T("Calendar", "October"),
    _T("Calendar", "November"),
    _T("Calendar", "December"),
)
_SHORT_MONTHS: tuple[object, ...] = (
    _T("ShortMonths", "Jan"),
    _T("ShortMonths", "Feb"),
    _T("ShortMonths", "Mar"),
    _T("ShortMonths", "Apr"),
    _T("ShortMonths", "May"),
    _T("ShortMonths", "Jun"),
    _T("ShortMonths", "Jul"),
    _T("ShortMonths", "Aug"),
    _T("ShortMonths", "Sep"),
    _T("ShortMonths", "Oct"),
    _T("ShortMonths", "Nov"),
    _T("ShortMonths", "Dec"),
)
_SHORT_DAYS: tuple[object, ...] = (
    _T("Calendar", "Mon"),
    _T("Calendar", "Tue"),
    _T("Calendar", "Wed"),
    _T("Calendar", "Thu"),
    _T("Calendar", "Fri"),
    _T("Calendar", "Sat"),
    _T("Calendar", "Sun"),
)

Translate = Callable[[str, str], str]


def calendar_words(translate: Translate = QCoreApplication.translate) -> Words:
    """The words as they are translated now."""

    def each(context: str, texts: tuple[object, ...]) -> tuple[str, ...]:
        return tuple(translate(context, str(text)) for text in texts)

    return Words(
        months=each("Calendar", _MONTHS),
        short_months=each("ShortMonths", _SHORT_MONTHS),
        short_days=each("Calendar", _SHORT_DAYS),
        week=translate("Calendar", "W {}"),
        quarter=translate("Calendar", "Q{}"),
        decade=translate("Calendar", "{}s"),
        units=(
            translate("Calendar", "d"),
            translate("Calendar", "h"),
            translate("Calendar", "min"),
            translate("Calendar", "s"),
        ),
    )
