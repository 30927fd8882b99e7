"""Habits: how this person writes dates, by the system's locale and the window's language. It never reads one."""

from __future__ import annotations

import calendar
import time

from PySide6.QtCore import QLocale

from engine.session.importing import DateOrder
from engine.session.typed_times import Habits
from gui.canvas.calendar_words import calendar_words


def date_order(short_format: str) -> DateOrder:
    """The order of day, month and year in a pattern such as "dd.MM.yy"."""
    places = {letter: short_format.find(letter) for letter in "dMy"}
    if 0 <= places["y"] < min(places["d"], places["M"]):
        return DateOrder.YEAR_FIRST
    return DateOrder.MONTH_FIRST if 0 <= places["M"] < places["d"] else DateOrder.DAY_FIRST


def habits() -> Habits:
    """What holds now."""
    order = date_order(QLocale().dateFormat(QLocale.FormatType.ShortFormat))
    return Habits(order, calendar.timegm(time.localtime()), tuple(calendar_words().short_days))
