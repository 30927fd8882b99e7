"""Keyboard: what keys do in table and chart alike. It never changes the plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import Qt

from gui.gantt.selection import Reach


class Pointer(Protocol):
    """What holds a link or a pin that is chosen."""

    def delete(self) -> bool: ...


class Keyed(Protocol):
    """What keys act on."""

    @property
    def pointer(self) -> Pointer: ...

    def step_row(self, rows: int, reach: Reach = Reach.ALONE) -> None: ...

    def step_page(self, pages: int) -> None: ...

    def choose_row(self, row: int, reach: Reach = Reach.ALONE) -> None: ...

    def choose_all(self) -> None: ...

    def fold_chosen(self, is_collapsed: bool) -> None: ...

    def drop_drag(self) -> None: ...

    @property
    def is_held(self) -> bool: ...


_Action = Callable[[Keyed], object]
_LAST = 1 << 40

_KEYS: dict[int, _Action] = {
    Qt.Key.Key_Up: lambda view: view.step_row(-1),
    Qt.Key.Key_Down: lambda view: view.step_row(1),
    Qt.Key.Key_PageUp: lambda view: view.step_page(-1),
    Qt.Key.Key_PageDown: lambda view: view.step_page(1),
    Qt.Key.Key_Home: lambda view: view.choose_row(0),
    Qt.Key.Key_End: lambda view: view.choose_row(_LAST),
    Qt.Key.Key_Left: lambda view: view.fold_chosen(True),
    Qt.Key.Key_Right: lambda view: view.fold_chosen(False),
    Qt.Key.Key_Delete: lambda view: view.pointer.delete(),
    Qt.Key.Key_Escape: lambda view: view.drop_drag(),
}
_SHIFT_KEYS: dict[int, _Action] = {
    Qt.Key.Key_Up: lambda view: view.step_row(-1, Reach.UP_TO),
    Qt.Key.Key_Down: lambda view: view.step_row(1, Reach.UP_TO),
    Qt.Key.Key_Home: lambda view: view.choose_row(0, Reach.UP_TO),
    Qt.Key.Key_End: lambda view: view.choose_row(_LAST, Reach.UP_TO),
}
_CONTROL_KEYS: dict[int, _Action] = {
    Qt.Key.Key_A: lambda view: view.choose_all(),
    Qt.Key.Key_Home: _KEYS[Qt.Key.Key_Home],
    Qt.Key.Key_End: _KEYS[Qt.Key.Key_End],
}


def press_key(view: Keyed, key: int, modifiers: Qt.KeyboardModifier) -> bool:
    """Does what a key means; False when it means nothing here. While something is held a key only lets go of it."""
    keys = {
        Qt.KeyboardModifier.NoModifier: _KEYS,
        Qt.KeyboardModifier.ShiftModifier: _SHIFT_KEYS,
        Qt.KeyboardModifier.ControlModifier: _CONTROL_KEYS,
    }.get(modifiers & ~Qt.KeyboardModifier.KeypadModifier, {})
    action = None if view.is_held and key != Qt.Key.Key_Escape else keys.get(key)
    if action is not None:
        action(view)
    return action is not None


@dataclass(frozen=True, slots=True)
class Grip:
    """How a drag is held: `is_free` does not snap (Alt; or Ctrl, for window managers that keep Alt to themselves),
    `is_straight` keeps to one axis (Shift)."""

    is_free: bool = False
    is_straight: bool = False


def grip_of(modifiers: Qt.KeyboardModifier) -> Grip:
    """How a drag is held while these are down."""
    free = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
    return Grip(bool(modifiers & free), bool(modifiers & Qt.KeyboardModifier.ShiftModifier))


def reach_of(modifiers: Qt.KeyboardModifier) -> Reach:
    """What a click chooses while these are down."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return Reach.UP_TO
    return Reach.TOO if modifiers & Qt.KeyboardModifier.ControlModifier else Reach.ALONE
