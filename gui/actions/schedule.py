"""The Schedule menu: leveling and holidays. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, is_calendar, row

_T = QT_TRANSLATE_NOOP

TABLE: tuple[Row, ...] = (
    row(
        "schedule/level",
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
        _T("Actions", "Add &holidays…"),
        "Ctrl+Shift+H",
        _T("Actions", "Take the whole-day events of an iCalendar file into the plan's calendar as days off"),
        is_calendar,
    ),
)
