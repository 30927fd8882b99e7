"""Actions: the table of what a person can do as Qt has it, with menus, shortcuts and check marks.

It never does any of it: what an action does is handed in by its id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget

from gui.actions import BY_ID, GO_ON, MENUS, SECTIONS, TABLE, Row, Situation
from gui.actions.places import Place, can_ever_be, entries
from gui.actions.row import waits_for_release

_T = QT_TRANSLATE_NOOP


class Actions:
    """The table as Qt's actions, each bound to what it does, and the menus made of them.

    An action without an act is a check mark that others listen to. `is_held` tells whether the mouse holds something
    of the plan: nothing changes the plan meanwhile. What does comes `in_turn`, after all that was asked before.
    """

    is_held: Callable[[], bool] = staticmethod(lambda: False)
    in_turn: Callable[[Callable[[], object]], object] = staticmethod(lambda act: act())

    def __init__(self, parent: QWidget, acts: Mapping[str, Callable[[], object]]) -> None:
        self._groups: dict[str, QActionGroup] = {}
        self._now, self._parent = Situation(), parent
        self._actions = {row.id: self._make(row, parent, acts.get(row.id)) for row in TABLE}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def menu_bar(self, parent: QWidget) -> QMenuBar:
        """The menus, in a bar that can stand in a tool bar."""
        bar = QMenuBar(parent)
        menus: dict[str, QMenu] = {}
        for row in TABLE:
            menu = self._menu(row.menu, menus, bar)
            if row.section:
                menu.addSeparator()
            menu.addAction(self[row.id])
        return bar

    def menu_at(self, place: Place) -> QMenu:
        """What is offered at a place, as the menus of the bar have it; gone once it is closed."""
        menu = _told(QMenu(self._parent))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        is_due = False
        for entry in entries(place):
            is_due = is_due or entry.section
            rows = [row for row in TABLE if (row.menu if entry.is_menu else row.id) == entry.name]
            known = [row for row in rows if can_ever_be(row, is_device=self._now.is_device)]
            if known and is_due and not menu.isEmpty():
                menu.addSeparator()
            if known:
                is_due = False
                within = _told(menu.addMenu(self._title(entry.name))) if entry.is_menu else menu
                within.addActions([self[row.id] for row in known])
        return menu

    def popup(self, place: Place, at: QPoint) -> None:
        """Show what is offered at a place, there on the screen."""
        self.menu_at(place).popup(at)

    def update(self, now: Situation) -> None:
        """Offer what can be done now, and say why Run cannot."""
        self._now = now
        for row in TABLE:
            self[row.id].setEnabled(row.when(now))
        self._tell("undo", _T("Actions", "&Undo {what}") if now.undo_label else BY_ID["undo"].text, now.undo_label)
        self._tell("redo", _T("Actions", "&Redo {what}") if now.redo_label else BY_ID["redo"].text, now.redo_label)
        self._tell("pause", GO_ON if now.is_paused else BY_ID["pause"].text)
        self["run"].setToolTip(now.why_no_run or self._tooltip(BY_ID["run"]))
        if now.link_kind:
            self.check(f"link_{now.link_kind.lower()}")

    def check(self, *names: str) -> None:
        """Mark one action of each group as the choice in force."""
        for name in names:
            self[name].setChecked(True)

    def _make(self, row: Row, parent: QWidget, act: Callable[[], object] | None) -> QAction:
        action = QAction(_translate(row.text), parent)
        action.setObjectName(row.id)
        action.setShortcuts([QKeySequence(row.shortcut), *_more_shortcuts(row.id)])
        action.setToolTip(self._tooltip(row))
        action.setStatusTip("")
        if row.group:
            action.setCheckable(True)
            self._group(row.group, parent).addAction(action)
        if act is not None:
            action.triggered.connect(lambda _=False: self._do(row, act))
        parent.addAction(action)
        return action

    def _do(self, row: Row, act: Callable[[], object]) -> None:
        if self.is_held() and waits_for_release(row):
            self.update(self._now)  # the choice of a group stays the one in force
        elif waits_for_release(row):
            self.in_turn(act)
        else:
            act()

    def _group(self, name: str, parent: QWidget) -> QActionGroup:
        if name not in self._groups:
            self._groups[name] = QActionGroup(parent)
            policy = QActionGroup.ExclusionPolicy
            self._groups[name].setExclusionPolicy(policy.None_ if name == "docks" else policy.Exclusive)
        return self._groups[name]

    def _menu(self, place: str, menus: dict[str, QMenu], bar: QMenuBar) -> QMenu:
        if place not in menus:
            above, _, _ = place.rpartition("/")
            owner: QMenu | QMenuBar = self._menu(above, menus, bar) if above else bar
            if place in SECTIONS:
                owner.addSeparator()
            menus[place] = _told(owner.addMenu(self._title(place)))
        return menus[place]

    @staticmethod
    def _title(place: str) -> str:
        return _translate(str(dict(MENUS)[place]))

    def _tell(self, name: str, text: object, what: str = "") -> None:
        self[name].setText(_translate(str(text)).format(what=what))

    @staticmethod
    def _tooltip(row: Row) -> str:
        return f"{_translate(row.tooltip)} ({row.shortcut})"


def shortcuts() -> Iterable[tuple[str, str, str]]:
    """(words, shortcut as this system writes it, tooltip) of every action, in the order of the menus."""
    for row in TABLE:
        every = (QKeySequence(row.shortcut), *_more_shortcuts(row.id))
        keys = _translate(" or ").join(each.toString(QKeySequence.SequenceFormat.NativeText) for each in every)
        yield _translate(row.text).replace("&", ""), keys, _translate(row.tooltip)


def ask_menu() -> None:
    """Have the part that has the keyboard offer its menu, as the menu key does."""
    widget = QApplication.focusWidget()
    if widget is not None:
        at = widget.rect().center()
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at))
        QApplication.sendEvent(widget, asked)


def _told(menu: QMenu) -> QMenu:
    """A menu with the tooltips of its actions."""
    menu.setToolTipsVisible(True)
    return menu


def _more_shortcuts(name: str) -> list[QKeySequence]:
    return {
        "redo": [QKeySequence("Ctrl+Y")],
        "zoom_in": [QKeySequence("Ctrl+=")],
        "find": [QKeySequence("Ctrl+G")],
    }.get(name, [])


def _translate(text: str) -> str:
    return QCoreApplication.translate("Actions", text)
