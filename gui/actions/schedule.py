"""The Schedule menu: settings, calendars, resources, leveling, holidays and baselines. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, has_plan, is_calendar, row

_T = QT_TRANSLATE_NOOP

TABLE: tuple[Row, ...] = (
    row(
        "schedule/settings",
        _T("Actions", "&Settings…"),
        "Ctrl+,",
        _T("Actions", "By which choices the plan is scheduled: from its start or finish, critical float, progress"),
        is_calendar,
    ),
    row(
        "schedule/calendars",
        _T("Actions", "&Calendars…"),
        "Ctrl+Alt+K",
        _T("Actions", "When the plan's calendars work: their weeks and exceptions"),
        is_calendar,
    ),
    row(
        "schedule/resources",
        _T("Actions", "R&esources…"),
        "Ctrl+Alt+R",
        _T("Actions", "Who and what there is to do tasks"),
        has_plan,
    ),
    row(
        "schedule/changeovers",
        _T("Actions", "Changeovers and &transport…"),
        "Ctrl+Alt+V",
        _T("Actions", "How long machines are set up between families of tasks, and what is carried between machines"),
        is_calendar,
    ),
    row(
        "schedule/|level",
        _T("Actions", "&Level resources…"),
        "Ctrl+Shift+L",
        _T("Actions", "Preview which tasks to delay so that no resource has more to do than it can"),
        is_calendar,
    ),
    row(
        "schedule/clear_delays",
        _T("Actions", "&Remove leveling delays"),
        "Ctrl+Shift+K",
        _T("Actions", "Take the delays that leveling gave back from the selected tasks, or from all"),
        lambda now: now.is_delayed,
    ),
    row(
        "schedule/|add_holidays",
        _T("Actions", "&Add holidays…"),
        "Ctrl+Shift+H",
        _T("Actions", "Take the whole-day events of an iCalendar file into the plan's calendar as days off"),
        is_calendar,
    ),
    row(
        "schedule/|baselines",
        _T("Actions", "&Baselines…"),
        "Ctrl+Alt+B",
        _T("Actions", "Keep the dates of today as a promise, or forget one"),
        has_plan,
    ),
    row(
        "schedule/compare_file",
        _T("Actions", "Compare with &file…"),
        "Ctrl+Alt+D",
        _T("Actions", "List what differs from the plan of a file"),
        has_plan,
    ),
)
