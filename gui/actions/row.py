"""Row: one action of the table as a value, and what decides whether it is offered. It never does what it names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.model import TaskId


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides which actions are offered. `why_no_run` is a sentence, empty when Run is offered.

    `link_kind` is that of the chosen link, as FS, and empty where none is.
    """

    is_open: bool = False
    is_dirty: bool = False
    undo_label: str = ""
    redo_label: str = ""
    selected: tuple[TaskId, ...] = ()
    is_pinned: bool = False
    is_operable: bool = False
    is_leaf: bool = False
    is_device: bool = False
    is_delayed: bool = False
    is_running: bool = False
    is_paused: bool = False
    can_calibrate: bool = False
    why_no_run: str = ""
    baselines: frozenset[int] = frozenset()
    has_branches: bool = False
    is_searching: bool = False
    has_offer: bool = False
    link_kind: str = ""


When = Callable[[Situation], bool]


def always(_: Situation) -> bool:
    """Whenever the window is there."""
    return True


def has_plan(now: Situation) -> bool:
    """A plan is open."""
    return now.is_open


def is_calendar(now: Situation) -> bool:
    """A plan on a calendar is open."""
    return now.is_open and not now.is_device


def is_on_device(now: Situation) -> bool:
    """A plan for a device is open."""
    return now.is_device


def has_one(now: Situation) -> bool:
    """One task is selected."""
    return len(now.selected) == 1


def has_some(now: Situation) -> bool:
    """At least one task is selected."""
    return bool(now.selected)


def has_link(now: Situation) -> bool:
    """A link is chosen whose kind and lag can be others: on a device everything follows at once."""
    return bool(now.link_kind) and not now.is_device


def is_run_on(now: Situation) -> bool:
    """A run goes on."""
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
    when: When = always
    group: str = ""
    section: str = ""


# What changes the plan or what is open; saving and leaving never do.
_CHANGING, _SAFE = ("plan", "edit", "task", "schedule"), frozenset({"save", "quit"})


def waits_for_release(each: Row) -> bool:
    """Whether an action is not done while the mouse holds a bar or rows: it would change what is held."""
    is_changing = each.menu.partition("/")[0] in _CHANGING or each.id == "take_advice"
    return is_changing and each.id not in _SAFE


def row(place: str, text: object, shortcut: str, tooltip: object, when: When = always, group: str = "") -> Row:
    """One row of the table. `place` reads "menu/id", with "|" before the id where a new section starts."""
    menu, _, name = place.rpartition("/")
    return Row(name.lstrip("|"), menu, str(text), shortcut, str(tooltip), when, group, "|" if name[0] == "|" else "")
