"""The table of what a person can do: words, shortcut, tooltip, when it is offered. It never does any of it.

One module a menu. Menus and tool bar are built from the table; what an action does is handed in by its id.
"""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions import edit, optimizer, plan, risk, run, scenario, schedule, task, view
from gui.actions.plan import SAMPLES
from gui.actions.row import Row, Situation, row

__all__ = ["BY_ID", "GO_ON", "MENUS", "SAMPLES", "SECTIONS", "TABLE", "Row", "Situation"]

_T = QT_TRANSLATE_NOOP

MENUS: tuple[tuple[str, object], ...] = (
    ("plan", _T("Actions", "&Plan")),
    ("edit", _T("Actions", "&Edit")),
    ("task", _T("Actions", "&Task")),
    ("view", _T("Actions", "&View")),
    ("schedule", _T("Actions", "&Schedule")),
    ("run", _T("Actions", "&Run")),
    ("help", _T("Actions", "&Help")),
    ("plan/sample", _T("Actions", "Op&en sample")),
    ("task/link_kind", _T("Actions", "&Chosen link")),
    ("view/go", _T("Actions", "&Go to")),
    ("view/table", _T("Actions", "Tab&le")),
    ("view/run", _T("Actions", "Latest r&un")),
    ("view/color", _T("Actions", "&Color of bars")),
    ("view/baseline", _T("Actions", "B&aseline")),
    ("view/theme", _T("Actions", "&Theme")),
    ("view/panels", _T("Actions", "&Panels")),
    ("schedule/optimizer", _T("Actions", "&Optimizer")),
    ("schedule/risk", _T("Actions", "Ris&k")),
    ("schedule/scenario", _T("Actions", "Sce&narios")),
    ("run/device", _T("Actions", "&Device")),
)

# Menus within a menu that begin a section there.
SECTIONS = frozenset({"view/go", "view/color"})

_HELP: tuple[Row, ...] = (
    row("help/shortcuts", _T("Actions", "&Shortcuts"), "F1", _T("Actions", "Every shortcut there is")),
    row("help/about", _T("Actions", "&About Warploom"), "Shift+F1", _T("Actions", "Version, device and libraries")),
)

TABLE: tuple[Row, ...] = (
    *plan.TABLE,
    *edit.TABLE,
    *task.TABLE,
    *view.TABLE,
    *schedule.TABLE,
    *optimizer.TABLE,
    *risk.TABLE,
    *scenario.TABLE,
    *run.TABLE,
    *_HELP,
)

BY_ID = {each.id: each for each in TABLE}

# What Pause is called while a run is paused.
GO_ON = _T("Actions", "&Go on")
