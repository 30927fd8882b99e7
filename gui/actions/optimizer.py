"""The Optimizer menu: a better plan looked for, shown and taken. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, Situation, is_calendar, row

_T = QT_TRANSLATE_NOOP


def is_searching(now: Situation) -> bool:
    """A better plan is looked for."""
    return now.is_searching


def has_offer(now: Situation) -> bool:
    """A better plan is offered."""
    return now.has_offer


def can_keep(now: Situation) -> bool:
    """There are tasks that the search could leave in place."""
    return bool(now.selected) and not now.is_device


TABLE: tuple[Row, ...] = (
    row(
        "schedule/optimizer/optimize",
        _T("Actions", "&Optimize…"),
        "Ctrl+Shift+O",
        _T("Actions", "Look for a better plan behind every edit; nothing changes until you take it"),
        is_calendar,
    ),
    row(
        "schedule/optimizer/stop_optimizing",
        _T("Actions", "&Stop looking"),
        "Ctrl+Shift+X",
        _T("Actions", "Look for no better plan any more; what was found stays on offer"),
        is_searching,
    ),
    row(
        "schedule/optimizer/|take_offer",
        _T("Actions", "&Take the offered plan"),
        "Ctrl+Shift+Y",
        _T("Actions", "Change the plan as the optimizer offers, as one step that can be undone"),
        has_offer,
    ),
    row(
        "schedule/optimizer/keep_in_place",
        _T("Actions", "&Keep in place"),
        "Ctrl+Shift+I",
        _T("Actions", "Have the optimizer leave the selected tasks where they are"),
        can_keep,
    ),
    row(
        "schedule/optimizer/|show_ghosts",
        _T("Actions", "Offered plan on the &chart"),
        "Ctrl+Alt+O",
        _T("Actions", "Show what the offered plan would move, as ghosts on chart and board"),
        is_calendar,
        "docks",
    ),
    row(
        "schedule/optimizer/show_optimizer",
        _T("Actions", "O&ptimizer"),
        "Ctrl+Alt+H",
        _T("Actions", "Show the search for a better plan, and what it offers task by task"),
        is_calendar,
        "docks",
    ),
    row(
        "schedule/optimizer/show_why_late",
        _T("Actions", "Why &late"),
        "Ctrl+Shift+W",
        _T("Actions", "List what keeps the selected task, or the latest one, from its date, and what would help"),
        is_calendar,
        "docks",
    ),
)
