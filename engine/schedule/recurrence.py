"""The days a recurring exception takes, all at once. It never looks at a calendar's week.

Weeks are counted from the Sunday on or before the first day; a month without such a day takes its last one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.model import CalendarException, Recurrence, RecurrenceKind

Days = NDArray[np.int64]

_LAST_POSITION = 5


def days_of(exception: CalendarException, last_day: int) -> Days:
    """The days that a recurring exception takes up to `last_day`, in days since 1970-01-01, ascending."""
    rule = exception.recurrence
    if rule is None:
        return np.arange(exception.first_day, min(exception.last_day, last_day) + 1, dtype=np.int64)
    days = _ROWS[rule.kind](rule, exception.first_day, min(exception.last_day, last_day))
    days = days[(days >= exception.first_day) & (days <= min(exception.last_day, last_day))]
    return days[: rule.occurrences] if rule.occurrences > 0 else days


def _daily(rule: Recurrence, first: int, last: int) -> Days:
    return np.arange(first, last + 1, max(rule.period, 1), dtype=np.int64)


def _weekly(rule: Recurrence, first: int, last: int) -> Days:
    days = np.arange(first, last + 1, dtype=np.int64)
    sunday = first - (first + 4) % 7  # 1970-01-01 was a Thursday
    is_taken = (days - sunday) // 7 % max(rule.period, 1) == 0
    taken: Days = days[is_taken & _is_weekday(rule, days)]
    return taken


def _monthly_day(rule: Recurrence, first: int, last: int) -> Days:
    month = _month(first)
    has_passed = min(rule.month_day, 31) < first - _first_of(np.array([month]))[0] + 1
    return _on_day(rule, np.arange(month + has_passed, _month(last) + 1, max(rule.period, 1), dtype=np.int64))


def _monthly_position(rule: Recurrence, first: int, last: int) -> Days:
    return _on_position(rule, np.arange(_month(first), _month(last) + 1, max(rule.period, 1), dtype=np.int64))


def _yearly_day(rule: Recurrence, first: int, last: int) -> Days:
    return _on_day(rule, _years(rule, first, last))


def _yearly_position(rule: Recurrence, first: int, last: int) -> Days:
    return _on_position(rule, _years(rule, first, last))


def _on_day(rule: Recurrence, months: Days) -> Days:
    start = _first_of(months)
    days: Days = start + np.minimum(rule.month_day, _first_of(months + 1) - start) - 1
    return days


def _on_position(rule: Recurrence, months: Days) -> Days:
    """Of each month the n-th of its days that the rule names, or the last."""
    days = _first_of(months)[:, None] + np.arange(31)
    fits = (days < _first_of(months + 1)[:, None]) & _is_weekday(rule, days)
    if rule.position >= _LAST_POSITION:
        at = 30 - np.argmax(fits[:, ::-1], axis=1)
    else:
        at = np.argmax(np.cumsum(fits, axis=1) == rule.position, axis=1)
    found: Days = days[np.arange(len(months)), at]
    return found


def _years(rule: Recurrence, first: int, last: int) -> Days:
    start = _month(first) // 12 * 12 + rule.month - 1
    # The first is that of the first day's year, or of the next one where it lies before the first day.
    is_before = _on(rule, start) < first
    return np.arange(start + 12 * is_before, _month(last) + 1, 12 * max(rule.period, 1), dtype=np.int64)


def _on(rule: Recurrence, month: int) -> int:
    is_position = rule.kind is RecurrenceKind.YEARLY_POSITION
    return int((_on_position if is_position else _on_day)(rule, np.array([month], dtype=np.int64))[0])


def _is_weekday(rule: Recurrence, days: Days) -> NDArray[np.bool_]:
    weekday = (days + 3) % 7
    return np.isin(weekday, rule.weekdays) if rule.weekdays else np.ones(days.shape, bool)


def _month(day: int) -> int:
    """Months since 1970-01."""
    return int(np.datetime64(day, "D").astype("datetime64[M]").astype(np.int64))


def _first_of(months: Days) -> Days:
    return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)


_ROWS = {
    RecurrenceKind.DAILY: _daily,
    RecurrenceKind.WEEKLY: _weekly,
    RecurrenceKind.MONTHLY_DAY: _monthly_day,
    RecurrenceKind.MONTHLY_POSITION: _monthly_position,
    RecurrenceKind.YEARLY_DAY: _yearly_day,
    RecurrenceKind.YEARLY_POSITION: _yearly_position,
}
