"""Keyboard: what keys do in table and chart alike. It never changes the plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt


class Keyed(Protocol):
    """What keys act on."""

    def step_row(self, rows: int) -> None: ...

    def step_page(self, pages: int) -> None: ...

    def choose_row(self, row: int) -> None: ...

    def fold_chosen(self, is_collapsed: bool) -> None: ...

    def nudge(self, steps: int) -> None: ...

    def delete_chosen(self) -> bool: ...

    def drop_drag(self) -> None: ...


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
    Qt.Key.Key_Delete: lambda view: view.delete_chosen(),
    Qt.Key.Key_Escape: lambda view: view.drop_drag(),
}
_ALT_KEYS: dict[int, _Action] = {
    Qt.Key.Key_Left: lambda view: view.nudge(-1),
    Qt.Key.Key_Right: lambda view: view.nudge(1),
}


def press_key(view: Keyed, key: int, is_alt: bool) -> bool:
    """Does what a key means; False when it means nothing here."""
    action = (_ALT_KEYS if is_alt else _KEYS).get(key)
    if action is not None:
        action(view)
    return action is not None
