"""The table of what a person can do: words, shortcut, tooltip, when it is offered. It never does any of it.

Menus and tool bar are built from the table; what an action does is handed in by its id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP

from engine.gpu import has_driver
from engine.model import TaskId


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides which actions are offered. `why_no_run` is a sentence, empty when Run is offered."""

    is_open: bool = False
    is_dirty: bool = False
    undo_label: str = ""
    redo_label: str = ""
    selected: tuple[TaskId, ...] = ()
    is_pinned: bool = False
    is_operable: bool = False
    is_device: bool = False
    is_delayed: bool = False
    is_running: bool = False
    is_paused: bool = False
    can_calibrate: bool = False
    why_no_run: str = ""


When = Callable[[Situation], bool]


def _always(_: Situation) -> bool:
    return True


def _open(now: Situation) -> bool:
    return now.is_open


def _planned(now: Situation) -> bool:
    return now.is_open and not now.is_device


def _runs(now: Situation) -> bool:
    return now.is_device


def _one(now: Situation) -> bool:
    return len(now.selected) == 1


def _some(now: Situation) -> bool:
    return bool(now.selected)


def _running(now: Situation) -> bool:
    return now.is_running


@dataclass(frozen=True, slots=True)
class Row:
    """One action and the menu where it stands; `section` "|" starts a new section there.

    The actions of a group are checked, one at a time (docks: each on its own).
    """

    id: str
    menu: str
    text: str
    shortcut: str
    tooltip: str
    when: When = _always
    group: str = ""
    section: str = ""


def _row(place: str, text: object, shortcut: str, tooltip: object, when: When = _always, group: str = "") -> Row:
    """`place` reads "menu/id", with "|" before the id where a new section starts."""
    menu, _, name = place.rpartition("/")
    return Row(name.lstrip("|"), menu, str(text), shortcut, str(tooltip), when, group, "|" if name[0] == "|" else "")


_T = QT_TRANSLATE_NOOP

MENUS: tuple[tuple[str, object], ...] = (
    ("plan", _T("Actions", "&Plan")),
    ("edit", _T("Actions", "&Edit")),
    ("view", _T("Actions", "&View")),
    ("schedule", _T("Actions", "&Schedule")),
    ("run", _T("Actions", "&Run")),
    ("help", _T("Actions", "&Help")),
    ("plan/sample", _T("Actions", "Open s&ample")),
    ("view/theme", _T("Actions", "&Theme")),
    ("run/device", _T("Actions", "&Device")),
)

# File names in resources/samples and titles, in the order of menu and Welcome page.
SAMPLES: tuple[tuple[str, object], ...] = (
    ("video-pipeline", _T("Actions", "Video pipeline")),
    ("training-step", _T("Actions", "Training step")),
    ("game-frame", _T("Actions", "Game frame")),
    ("assembly-line", _T("Actions", "Assembly line")),
    ("software-release", _T("Actions", "Software release")),
    ("data-center", _T("Actions", "Data center")),
)

TABLE: tuple[Row, ...] = (
    _row("plan/new_plan", _T("Actions", "&New plan"), "Ctrl+N", _T("Actions", "Start an empty plan on a calendar")),
    _row(
        "plan/new_device_plan",
        _T("Actions", "New &device plan"),
        "Ctrl+Shift+N",
        _T("Actions", "Start an empty plan of operations on streams"),
    ),
    _row("plan/open", _T("Actions", "&Open…"), "Ctrl+O", _T("Actions", "Open a plan from a file")),
    *(
        _row(f"plan/sample/{name}", title, f"Ctrl+M, {number}", _T("Actions", "Open this sample as a new plan"))
        for number, (name, title) in enumerate(SAMPLES, 1)
    ),
    _row("plan/|save", _T("Actions", "&Save"), "Ctrl+S", _T("Actions", "Save the plan to its file"), _open),
    _row(
        "plan/save_as",
        _T("Actions", "Save &as…"),
        "Ctrl+Shift+S",
        _T("Actions", "Save the plan to another file"),
        _open,
    ),
    _row("plan/|close", _T("Actions", "&Close"), "Ctrl+W", _T("Actions", "Close the plan"), _open),
    _row("plan/quit", _T("Actions", "&Quit"), "Ctrl+Q", _T("Actions", "Leave Warploom")),
    _row(
        "edit/undo",
        _T("Actions", "&Undo"),
        "Ctrl+Z",
        _T("Actions", "Take the last edit back"),
        lambda now: bool(now.undo_label),
    ),
    _row(
        "edit/redo",
        _T("Actions", "&Redo"),
        "Ctrl+Shift+Z",
        _T("Actions", "Do again what was taken back"),
        lambda now: bool(now.redo_label),
    ),
    _row(
        "edit/|add_task", _T("Actions", "&Add task"), "Ins", _T("Actions", "Add a task below the selected one"), _open
    ),
    _row("edit/rename", _T("Actions", "Re&name…"), "F2", _T("Actions", "Give the selected task another name"), _one),
    _row(
        "edit/operation",
        _T("Actions", "&Operation…"),
        "Ctrl+E",
        _T("Actions", "Say what the selected task does on the device: on which buffers, on which stream"),
        lambda now: now.is_operable,
    ),
    _row(
        "edit/delete",
        _T("Actions", "&Delete"),
        "Del",
        _T("Actions", "Delete the selected tasks and their links"),
        _some,
    ),
    _row(
        "edit/|link",
        _T("Actions", "&Link"),
        "Ctrl+L",
        _T("Actions", "Let the selected task wait for the one above it"),
        _some,
    ),
    _row(
        "edit/remove_pin",
        _T("Actions", "Remove &pin"),
        "Ctrl+Shift+P",
        _T("Actions", "Let the selected tasks start as soon as they can"),
        lambda now: now.is_pinned,
    ),
    _row("view/zoom_in", _T("Actions", "Zoom &in"), "Ctrl++", _T("Actions", "Show less time, larger"), _open),
    _row("view/zoom_out", _T("Actions", "Zoom &out"), "Ctrl+-", _T("Actions", "Show more time, smaller"), _open),
    _row("view/fit", _T("Actions", "&Fit"), "Ctrl+0", _T("Actions", "Show the whole plan"), _open),
    _row(
        "view/|show_path",
        _T("Actions", "Critical &path of the run"),
        "Ctrl+Alt+P",
        _T("Actions", "Mark the chain of operations that decided when the run ended"),
        _runs,
        "docks",
    ),
    _row("view/next_gap", _T("Actions", "Next &gap"), "Ctrl+Alt+G", _T("Actions", "Explain the next wait"), _runs),
    _row("view/follow", _T("Actions", "Fo&llow"), "L", _T("Actions", "Keep the end of the run in view"), _open),
    _row(
        "view/theme/theme_system", _T("Actions", "&System"), "Ctrl+T, S", _T("Actions", "As the system"), group="theme"
    ),
    _row("view/theme/theme_light", _T("Actions", "&Light"), "Ctrl+T, L", _T("Actions", "Dark on light"), group="theme"),
    _row("view/theme/theme_dark", _T("Actions", "&Dark"), "Ctrl+T, D", _T("Actions", "Light on dark"), group="theme"),
    _row(
        "view/|show_timeline", _T("Actions", "Time&line"), "Ctrl+1", _T("Actions", "Show what happened"), group="docks"
    ),
    _row(
        "view/show_overlap", _T("Actions", "&Overlap"), "Ctrl+2", _T("Actions", "Show the run's figures"), group="docks"
    ),
    _row(
        "view/show_conflicts",
        _T("Actions", "&Conflicts"),
        "Ctrl+3",
        _T("Actions", "List the constraints that the dates break, and tasks that wait for each other"),
        _open,
        group="docks",
    ),
    _row(
        "view/show_recorded",
        _T("Actions", "&Recorded dates"),
        "Ctrl+4",
        _T("Actions", "List the tasks whose dates are not those that the file they came from recorded"),
        _open,
        group="docks",
    ),
    _row(
        "view/show_load",
        _T("Actions", "Lo&ad"),
        "Ctrl+5",
        _T("Actions", "Show how much each resource has to do over time, and where that is too much"),
        _planned,
        group="docks",
    ),
    _row(
        "view/show_counters",
        _T("Actions", "Co&unters"),
        "Ctrl+6",
        _T("Actions", "Show what the machine's counters said, below the run's streams"),
        group="docks",
    ),
    _row("view/show_machine", _T("Actions", "&Machine"), "Ctrl+7", _T("Actions", "Show the device"), group="docks"),
    _row(
        "view/restore_docks",
        _T("Actions", "Restore &docks"),
        "Ctrl+D",
        _T("Actions", "Put every dock back where it was at first"),
    ),
    _row(
        "schedule/level",
        _T("Actions", "&Level resources…"),
        "Ctrl+Shift+L",
        _T("Actions", "Preview which tasks to delay so that no resource has more to do than it can"),
        _planned,
    ),
    _row(
        "schedule/clear_delays",
        _T("Actions", "&Remove leveling delays"),
        "Ctrl+Shift+K",
        _T("Actions", "Take the delays that leveling gave back from the selected tasks, or from all"),
        lambda now: now.is_delayed,
    ),
    _row(
        "schedule/|add_holidays",
        _T("Actions", "Add &holidays…"),
        "Ctrl+Shift+H",
        _T("Actions", "Take the whole-day events of an iCalendar file into the plan's calendar as days off"),
        _planned,
    ),
    _row(
        "run/run",
        _T("Actions", "&Run"),
        "F5",
        _T("Actions", "Run the plan on the device"),
        lambda now: not now.why_no_run,
    ),
    _row("run/pause", _T("Actions", "&Pause"), "F6", _T("Actions", "Pause the run between parts, or go on"), _running),
    _row(
        "run/cancel",
        _T("Actions", "&Cancel"),
        "Shift+F5",
        _T("Actions", "End the run; what happened so far is kept"),
        _running,
    ),
    _row(
        "run/|repeat", _T("Actions", "Re&peat…"), "Ctrl+R", _T("Actions", "How often the plan is run in a row"), _open
    ),
    _row(
        "run/kits",
        _T("Actions", "Kernels of your &own…"),
        "Ctrl+K",
        _T("Actions", "Take in kernels that you wrote, from a folder beside the plan"),
        _runs,
    ),
    _row("run/take_advice", _T("Actions", "Take &advice"), "Ctrl+Alt+A", _T("Actions", "Change the plan so"), _runs),
    _row(
        "run/device/device_cpu",
        _T("Actions", "&CPU"),
        "Alt+1",
        _T("Actions", "Run on this machine's processor"),
        group="device",
    ),
    _row(
        "run/device/device_simulated",
        _T("Actions", "&Simulated"),
        "Alt+2",
        _T("Actions", "Run on a simulated device, with its clock and its costs"),
        group="device",
    ),
    _row(
        "run/device/device_cuda",
        _T("Actions", "C&UDA"),
        "Alt+3",
        _T("Actions", "Run on this machine's GPU, which needs NVIDIA's driver and CuPy"),
        lambda _: has_driver(),
        group="device",
    ),
    _row(
        "run/|calibrate",
        _T("Actions", "Cali&brate this device…"),
        "Ctrl+Shift+B",
        _T("Actions", "Measure the device, so that its runs are predicted by what it really does"),
        lambda now: now.can_calibrate,
    ),
    _row("help/shortcuts", _T("Actions", "&Shortcuts"), "F1", _T("Actions", "Every shortcut there is")),
    _row("help/about", _T("Actions", "&About Warploom"), "Shift+F1", _T("Actions", "Version, device and libraries")),
)

BY_ID = {row.id: row for row in TABLE}

# What Pause is called while a run is paused.
GO_ON = _T("Actions", "&Go on")
