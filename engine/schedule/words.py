"""Instants, lags and links in words, for conflicts and reasons. It never decides what is said."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.model import DAY, Clock, Dependency, DependencyKind, LagKind, Plan, Task, Ticks
from engine.schedule.working_time import WorkingTime

_Units = tuple[tuple[int, str], ...]
_EPOCH = datetime(1970, 1, 1)
_FIRST, _LAST = -62_135_596_800, 253_402_300_800  # the years 1 to 9999
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_HOUR = 3600
_UNITS = ((_HOUR, "h"), (60, "min"), (1, "s"))
_DEVICE = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))
_FIGURES = 5
_ELAPSED = ((DAY, "ed"), (3600, "eh"), (60, "min"), (1, "s"))  # nobody says elapsed minutes


def instant(plan: Plan, ticks: Ticks, near: Ticks | None = None) -> str:
    """Such as Mon 10 Mar 2025 08:00; within six days of `near` the weekday is enough: Mon 08:00.

    On a device plan, the time since the run began, such as 12.3 ms.
    """
    if plan.clock is Clock.DEVICE:
        return _nanoseconds(ticks) if ticks else "0 ms"
    return calendar_instant(ticks, near)


def calendar_instant(ticks: Ticks, near: Ticks | None = None) -> str:
    """The same of any plan with dates."""
    if not _FIRST <= ticks < _LAST:
        return "before the year 1" if ticks < 0 else "after the year 9999"
    when = _EPOCH + timedelta(seconds=int(ticks))
    weekday, clock = _WEEKDAYS[when.weekday()], when.strftime("%H:%M:%S").removesuffix(":00")
    if near is not None and abs(ticks - near) < 6 * DAY:
        return f"{weekday} {clock}"
    return f"{weekday} {when.day} {_MONTHS[when.month - 1]} {when.year} {clock}"


def length(plan: Plan, ticks: Ticks) -> str:
    """Working time such as 2 d, 3.5 h, 1 h 40 min or 0; on a device plan such as 410 µs."""
    if plan.clock is Clock.DEVICE:
        return _nanoseconds(ticks) if ticks else "0"
    return _in(ticks, _working(plan))


def missed(plan: Plan, task: Task, time: WorkingTime, finish: Ticks) -> str:
    """A finish after a deadline, such as: misses its deadline Wed 12 Mar 2025 17:00 by 1 d; empty where it is kept."""
    if task.deadline is None or (late := time.between(task.deadline, finish)) <= 0:
        return ""
    by = elapsed(late) if task.is_elapsed else length(plan, late)
    return f"misses its deadline {instant(plan, task.deadline)} by {by}"


def _nanoseconds(ticks: Ticks) -> str:
    """In the largest unit of which there is one, to five figures at most."""
    size, unit = next((known for known in _DEVICE if abs(ticks) >= known[0]), _DEVICE[-1])
    value = f"{ticks / size:.{max(_FIGURES - len(str(abs(ticks) // size)), 0)}f}"
    return f"{value.rstrip('0').rstrip('.') if '.' in value else value} {unit}"


def elapsed(ticks: Ticks) -> str:
    """Time by the clock, such as 2 ed or 20.5 eh."""
    return _in(ticks, _ELAPSED)


def by_the_clock(ticks: Ticks) -> str:
    """Time that goes on day and night, such as 20 min or 26 h."""
    return _in(ticks, _UNITS)


def _in(ticks: Ticks, units: _Units) -> str:
    """In the largest unit that it fills, where one decimal tells it or it is ten days and more, else to the minute."""
    size, unit = next((known for known in units if abs(ticks) >= known[0]), units[-1])
    is_long = size > _HOUR and abs(ticks) >= 10 * size
    if is_long or size < _HOUR or ticks * 10 % size == 0:
        return f"{ticks / size:.1f}".removesuffix(".0") + f" {unit}" if ticks else "0"
    said, rest = [], (abs(ticks) + 30) // 60 * 60
    for each, name in units:
        count, rest = divmod(rest, each)
        said += [f"{count} {name}"] if count else []
    return ("-" if ticks < 0 else "") + " ".join(said)


def _exactly(ticks: Ticks, units: _Units) -> str:
    """In the largest unit that it fills and that tells it with two decimals: it is what a person typed."""
    known = (pair for pair in units if ticks >= pair[0] and ticks * 100 % pair[0] == 0)
    size, unit = next(known, units[-1])
    return f"{ticks / size:.2f}".rstrip("0").rstrip(".") + f" {unit}" if ticks else "0"


def _working(plan: Plan) -> _Units:
    return ((round(plan.settings.hours_per_day * 3600), "d"), *_UNITS)


def link(plan: Plan, known: Dependency) -> str:
    """Kind and lag, such as FS + 0, SS - 2 d, FS + 3 ed, FF + 50 % or FF + 50 e%."""
    amount = known.lag.amount
    if known.lag.kind.is_percent:
        size = f"{abs(amount)} {'e' if known.lag.kind.is_elapsed else ''}%"
    elif known.lag.kind is LagKind.ELAPSED and plan.clock is Clock.CALENDAR:
        size = _exactly(abs(amount), _ELAPSED[:2])
    elif plan.clock is Clock.CALENDAR:
        size = _exactly(abs(amount), _working(plan))
    else:
        size = length(plan, abs(amount))
    return f"{known.kind.value} {'-' if amount < 0 else '+'} {size}"


def bounds_start(known: Dependency) -> bool:
    """Whether a link bounds its successor's start rather than its finish."""
    return known.kind in (DependencyKind.FS, DependencyKind.SS)


def from_finish(known: Dependency) -> bool:
    """Whether a link counts from its predecessor's finish rather than its start."""
    return known.kind in (DependencyKind.FS, DependencyKind.FF)
