"""The Scenarios menu: branches of a plan. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, Situation, has_plan, row

_T = QT_TRANSLATE_NOOP


def has_branches(now: Situation) -> bool:
    """The plan has branches."""
    return now.has_branches


TABLE: tuple[Row, ...] = (
    row(
        "schedule/scenario/new_branch",
        _T("Actions", "&New branch…"),
        "Ctrl+J, N",
        _T("Actions", "Try something beside the plan: a branch begins as what is open now"),
        has_plan,
    ),
    row(
        "schedule/scenario/duplicate_branch",
        _T("Actions", "&Duplicate branch…"),
        "Ctrl+J, D",
        _T("Actions", "Begin a branch as another one is now"),
        has_branches,
    ),
    row(
        "schedule/scenario/rename_branch",
        _T("Actions", "&Rename branch…"),
        "Ctrl+J, R",
        _T("Actions", "Give a branch another name"),
        has_branches,
    ),
    row(
        "schedule/scenario/delete_branch",
        _T("Actions", "D&elete branch…"),
        "Ctrl+J, Del",
        _T("Actions", "Throw away a branch, with its history and its runs"),
        has_branches,
    ),
    row(
        "schedule/scenario/|merge_branch",
        _T("Actions", "&Merge…"),
        "Ctrl+J, M",
        _T("Actions", "Make in the main plan what a branch changed, as one step that can be undone"),
        has_branches,
    ),
    row(
        "schedule/scenario/update_branch",
        _T("Actions", "&Take in the main plan…"),
        "Ctrl+J, T",
        _T("Actions", "Make in a branch what the main plan changed since they parted, as one step"),
        has_branches,
    ),
    row(
        "schedule/scenario/|next_branch",
        _T("Actions", "Ne&xt branch"),
        "Ctrl+J, Right",
        _T("Actions", "Go on with the next branch"),
        has_branches,
    ),
    row(
        "schedule/scenario/previous_branch",
        _T("Actions", "&Previous branch"),
        "Ctrl+J, Left",
        _T("Actions", "Go on with the branch before"),
        has_branches,
    ),
    row(
        "schedule/scenario/main_branch",
        _T("Actions", "Main p&lan"),
        "Ctrl+J, Home",
        _T("Actions", "Go on with the plan itself"),
        has_branches,
    ),
    row(
        "schedule/scenario/|show_branches",
        _T("Actions", "Other branches under &bars"),
        "Ctrl+J, B",
        _T("Actions", "Show when the other branches have a task, as strips under its bar"),
        has_branches,
        "docks",
    ),
)
