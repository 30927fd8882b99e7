"""The Risk menu: how sure the dates are, simulated, and what of the plan is not. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, has_plan, is_calendar, row

_T = QT_TRANSLATE_NOOP

TABLE: tuple[Row, ...] = (
    row(
        "schedule/risk/risk",
        _T("Actions", "&Simulate behind every edit"),
        "Ctrl+Shift+R",
        _T("Actions", "Simulate the plan after each edit and during each drag: how sure its dates are"),
        has_plan,
        "docks",
    ),
    row(
        "schedule/risk/show_risk",
        _T("Actions", "Risk &panel"),
        "Ctrl+Alt+I",
        _T("Actions", "Show how sure the finish is, what moves it, and what a date would take"),
        has_plan,
        "docks",
    ),
    row(
        "schedule/risk/|risks",
        _T("Actions", "&Drivers, events and families…"),
        "Ctrl+Alt+E",
        _T("Actions", "What makes many tasks longer together, what may happen once, and how long families may take"),
        is_calendar,
    ),
)
