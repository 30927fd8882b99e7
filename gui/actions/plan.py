"""The Plan menu: files and samples. It never does what it names."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.row import Row, has_plan, row

_T = QT_TRANSLATE_NOOP

# File names in resources/samples and titles, in the order of menu and Welcome page.
SAMPLES: tuple[tuple[str, object], ...] = (
    ("video-pipeline", _T("Actions", "&Video pipeline")),
    ("training-step", _T("Actions", "&Training step")),
    ("game-frame", _T("Actions", "&Game frame")),
    ("assembly-line", _T("Actions", "&Assembly line")),
    ("software-release", _T("Actions", "&Software release")),
    ("data-center", _T("Actions", "&Data center")),
)

TABLE: tuple[Row, ...] = (
    row("plan/new_plan", _T("Actions", "&New plan"), "Ctrl+N", _T("Actions", "Start an empty plan on a calendar")),
    row(
        "plan/new_device_plan",
        _T("Actions", "New &device plan"),
        "Ctrl+Shift+N",
        _T("Actions", "Start an empty plan of operations on streams"),
    ),
    row("plan/open", _T("Actions", "&Open…"), "Ctrl+O", _T("Actions", "Open a plan from a file")),
    row(
        "plan/open_recent",
        _T("Actions", "Open &recent"),
        "Ctrl+M, R",
        _T("Actions", "Open a plan that was open lately"),
    ),
    *(
        row(f"plan/sample/{name}", title, f"Ctrl+M, {number}", _T("Actions", "Open this sample as a new plan"))
        for number, (name, title) in enumerate(SAMPLES, 1)
    ),
    row("plan/|save", _T("Actions", "&Save"), "Ctrl+S", _T("Actions", "Save the plan to its file"), has_plan),
    row(
        "plan/save_as",
        _T("Actions", "Save &as…"),
        "Ctrl+Shift+S",
        _T("Actions", "Save the plan to another file"),
        has_plan,
    ),
    row(
        "plan/|print",
        _T("Actions", "&Print…"),
        "Ctrl+P",
        _T("Actions", "Print the plan, or save it as PDF, on as many pages as you like"),
        has_plan,
    ),
    row(
        "plan/save_picture",
        _T("Actions", "Save p&icture…"),
        "Ctrl+Shift+E",
        _T("Actions", "Save table and chart as a picture (PNG) or a drawing (SVG)"),
        has_plan,
    ),
    row("plan/|close", _T("Actions", "&Close"), "Ctrl+W", _T("Actions", "Close the plan"), has_plan),
    row("plan/quit", _T("Actions", "&Quit"), "Ctrl+Q", _T("Actions", "Leave Warploom")),
)
