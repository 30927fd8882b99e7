"""StayingMenu: a menu of things to check, several in one go. It never knows what they are."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

_SAME_WORD_MS = 1_000  # letters that follow each other within this are one word
_CHECKING = {Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select}


class StayingMenu(QMenu):
    """Stays open while a person checks things, by the mouse, Space or Enter; letters go to the entry they begin."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._typed = ""
        self._since = QElapsedTimer()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._check(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CHECKING and self._check(self.activeAction()):
            event.accept()
        elif event.text().strip() and event.text().isprintable():
            self._go_to(event.text())
            event.accept()
        else:
            super().keyPressEvent(event)

    def _check(self, action: QAction | None) -> bool:
        """Whether there was something to check."""
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True

    def _go_to(self, letter: str) -> None:
        """The next entry that begins with what was typed; one letter again and again goes through all that do."""
        is_going_on = self._since.isValid() and self._since.elapsed() < _SAME_WORD_MS
        self._since.start()
        self._typed = self._typed + letter.casefold() if is_going_on else letter.casefold()
        is_one_letter = len(set(self._typed)) == 1
        sought = self._typed[:1] if is_one_letter else self._typed
        actions = [each for each in self.actions() if each.isEnabled() and not each.isSeparator()]
        at = actions.index(here) if (here := self.activeAction()) in actions else -1
        first = at + 1 if is_one_letter else max(at, 0)
        around = [*actions[first:], *actions[:first]]
        found = next((each for each in around if each.text().replace("&", "").casefold().startswith(sought)), None)
        if found is not None:
            self.setActiveAction(found)
