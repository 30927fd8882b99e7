"""Places: which actions the right mouse button offers where. It never offers one that no menu of the bar has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from gui.actions.row import Row, Situation


class Place(Enum):
    """What lies under the mouse, or where the keyboard is."""

    BAR = "bar"
    LINK = "link"
    ROW = "row"
    GROUND = "ground"
    AXIS = "axis"
    BOARD_BAR = "bar of the board"
    BOARD_ROW = "row of the board"
    BOARD_GROUND = "ground of the board"


# Ids of actions; "|" begins a section, and "menu/" stands for a menu of the bar as a whole.
_EDIT = ("|undo", "redo")
_CLIP = ("|cut", "copy", "paste", "paste_rows", "delete")
_LINKS = ("|link", "unlink", "to_predecessor", "to_successor", "show_paths")
_PINS = ("|remove_pin", "pin_to_lag", "clear_delays")
_TIME = ("zoom_in", "zoom_out", "fit")
_GO = ("|go_to", "go_start", "go_finish")
_SHAPE = ("|more_done", "less_done", "split_middle", "join")
_LOOKS = ("|view/color/", "view/baseline/", "show_legend")

PLACES: dict[Place, tuple[str, ...]] = {
    Place.BAR: (
        "show_inspector",
        "rename",
        "operation",
        "ways",
        "uncertainty",
        "add_task",
        *_LINKS,
        *_SHAPE,
        *_PINS,
        *_CLIP,
    ),
    Place.LINK: ("link_fs", "link_ss", "link_ff", "link_sf", "|link_details", "|delete"),
    Place.ROW: (
        *("go_task", "show_inspector", "rename", "operation", "ways", "uncertainty", "add_task"),
        *("|indent", "outdent", "row_up", "row_down", *_LINKS, *_CLIP, "fill_down", "|columns", "filter"),
    ),
    Place.GROUND: (
        *("add_task", "draw", "paste", "|expand_all", "collapse_all", "filter", "clear_filter"),
        *("|zoom_in", "zoom_out", "fit", "go_to", *_LOOKS, *_EDIT),
    ),
    Place.AXIS: (*_TIME, *_GO, "|settings", "calendars", "add_holidays"),
    Place.BOARD_BAR: (
        *(
            "show_inspector",
            "rename",
            "operation",
            "ways",
            "uncertainty",
            "|nudge_earlier",
            "nudge_later",
            "longer",
            "shorter",
        ),
        *("|unlink", "to_predecessor", "to_successor", *_SHAPE, *_PINS, "|delete"),
    ),
    Place.BOARD_ROW: ("resources", "changeovers", "show_load", "level", *_EDIT),
    Place.BOARD_GROUND: ("add_task", "resources", "|zoom_in", "zoom_out", "fit", "|view/color/", *_EDIT),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One action, or a whole menu of the bar where `is_menu`; `section` says that it begins one."""

    name: str
    is_menu: bool = False
    section: bool = False


def entries(place: Place) -> Iterator[Entry]:
    """What is offered at a place, in its order."""
    for text in PLACES[place]:
        name = text.lstrip("|")
        yield Entry(name.rstrip("/"), name.endswith("/"), text.startswith("|"))


def can_ever_be(row: Row, *, is_device: bool) -> bool:
    """Whether a plan of this clock has anything that an action could be done to: what it never has is not listed."""
    most = Situation(
        is_open=True,
        undo_label="-",
        redo_label="-",
        selected=(1,),
        is_pinned=True,
        is_operable=is_device,
        is_leaf=True,
        is_device=is_device,
        is_delayed=not is_device,
        link_kind="FS",
    )
    return row.when(most)
