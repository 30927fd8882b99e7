"""--option NAME=VALUE: the plan's settings as a person may set them for one run. It never saves them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engine.errors import EngineError
from engine.model import Clock, LagCalendar, Plan, PlanSettings, ProgressRule

_EPOCH = datetime(1970, 1, 1)
_VALUES = {
    "lag_calendar": "successor, predecessor, project or 24h",
    "honor": "dates or logic",
    "progress": "retained or override",
    "critical": "float:MINUTES or longest",
    "status": "a date such as 2025-03-03 or 2025-03-03T17:00",
    "from": "start or finish",
    "rules": "msproject or p6",
}


def with_options(plan: Plan, options: Sequence[str]) -> Plan:
    """The plan under some options; `rules` comes first wherever it stands. Raises EngineError, one sentence."""
    if options and plan.clock is Clock.DEVICE:
        raise EngineError("Options are for plans with a calendar; this is a device plan.")
    pairs = [_pair(option) for option in options]
    settings = plan.settings
    for name, value in sorted(pairs, key=lambda pair: pair[0] != "rules"):
        changed = _changed(settings, name, value)
        if changed is None:
            raise EngineError(f"“{value}” is no value of option {name}: it is {_VALUES[name]}.")
        settings = changed
    return replace(plan, settings=settings).check()


def idle_options(plan: Plan, options: Sequence[str]) -> str:
    """Which of the options change no date under the plan's rules, as a sentence; empty where all do."""
    named = {_pair(option)[0] for option in options}
    idle = [name for name in ("progress", "status") if name in named]
    if not idle or plan.settings.moves_remaining_to_status:
        return ""
    what = f"Option {idle[0]} changes" if len(idle) == 1 else "Options progress and status change"
    return f"{what} no date: under the plan's rules what remains of a task stays in place; rules=p6 moves it."


def _pair(option: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if name not in _VALUES or not equals:
        raise EngineError(f"“{option}” is no option: write NAME=VALUE with one of {', '.join(_VALUES)}.")
    return name, value


def _changed(settings: PlanSettings, name: str, value: str) -> PlanSettings | None:
    """The settings with one option set, None where the value is none of its own."""
    if name == "critical":
        return _critical(settings, value)
    if name == "status":
        return _status(settings, value)
    known: dict[str, dict[str, PlanSettings]] = {
        "lag_calendar": {each.value: replace(settings, lag_calendar=each) for each in LagCalendar},
        "progress": {each.value: replace(settings, progress_rule=each) for each in ProgressRule},
        "honor": {
            "dates": replace(settings, honors_dates=True),
            "logic": replace(settings, honors_dates=False),
        },
        "from": {
            "start": replace(settings, is_from_finish=False),
            "finish": replace(settings, is_from_finish=True),
        },
        "rules": {"msproject": _msproject(settings), "p6": _p6(settings)},
    }
    return known[name].get(value)


def _msproject(settings: PlanSettings) -> PlanSettings:
    return replace(
        settings,
        lag_calendar=LagCalendar.SUCCESSOR,
        honors_dates=True,
        progress_rule=ProgressRule.RETAINED_LOGIC,
        moves_remaining_to_status=False,
        critical_float=0,
        is_longest_path=False,
    )


def _p6(settings: PlanSettings) -> PlanSettings:
    return replace(
        _msproject(settings),
        lag_calendar=LagCalendar.PREDECESSOR,
        honors_dates=False,
        moves_remaining_to_status=True,
    )


def _critical(settings: PlanSettings, value: str) -> PlanSettings | None:
    if value == "longest":
        return replace(settings, is_longest_path=True)
    kind, _, minutes = value.partition(":")
    try:
        amount = float(minutes)
    except ValueError:
        return None
    if kind != "float" or not math.isfinite(amount) or abs(amount) > 1e9:
        return None
    return replace(settings, is_longest_path=False, critical_float=round(amount * 60))


def _status(settings: PlanSettings, value: str) -> PlanSettings | None:
    """A day without a time begins it, at midnight."""
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return replace(settings, status=round((found.replace(tzinfo=None) - _EPOCH).total_seconds()))
