"""Lists: which tasks need a person, each list in a dock of its own: conflicts, and dates that differ from a file's.

It never finds them, and never changes a date.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from engine.model import Plan
from engine.schedule.conflicts import Conflict
from gui.bridge import Bridge
from gui.bridge.findings import Found
from gui.panels.recorded_panel import RecordedPanel
from gui.panels.refresh import Refresh
from gui.panels.task_list import Entry, TaskList

_MOST_CHAINED = 6
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


class Lists(QObject):
    """`count_changed` carries the number of conflicts, `task_chosen` a task id, `chain_chosen` the ids of all that
    lead to a conflict, `edit_made` an Edit; `compare_asked` whether dates are to be compared with recorded ones.
    """

    count_changed = Signal(int)
    task_chosen = Signal(int)
    chain_chosen = Signal(object)
    edit_made = Signal(object)
    compare_asked = Signal(bool)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._is_fresh = False
        self._problems: tuple[Conflict, ...] = ()
        self.conflicts = TaskList(
            self.tr("Conflicts"), (self.tr("Task"), self.tr("What leads there"), self.tr("What is wrong"))
        )
        self.recorded = RecordedPanel()
        self.conflicts_dock = self._dock("conflicts", self.tr("Conflicts"), self.conflicts)
        self.recorded_dock = self._dock("recorded", self.tr("Recorded dates"), self.recorded)
        for panel in (self.conflicts, self.recorded):
            panel.task_chosen.connect(self.task_chosen)
        self.conflicts.table.activated.connect(self._choose_chain)
        self.recorded.edit_made.connect(self.edit_made)
        self.recorded.accepted.connect(self._accept)
        self._refreshes: dict[QDockWidget, Refresh] = {}

    def connect_to(self, bridge: Bridge) -> None:
        """Have the bridge find out what is listed, and hand it what a person asks."""
        for dock, fill in zip(self.docks, (self._list_conflicts, self._list_recorded), strict=True):
            self._refreshes[dock] = Refresh(dock, bridge.refreshing, fill)
        bridge.findings.found.connect(self.show_found)
        self.compare_asked.connect(bridge.findings.compare)
        self.edit_made.connect(bridge.execute)

    @property
    def docks(self) -> tuple[QDockWidget, ...]:
        """Both docks."""
        return self.conflicts_dock, self.recorded_dock

    def restore(self) -> None:
        """Both below the chart, one behind the other, and out of sight."""
        for dock in self.docks:
            dock.setFloating(False)
            self._window.addDockWidget(_BOTTOM, dock)
        self._window.tabifyDockWidget(*self.docks)
        self.hide()

    def hide(self) -> None:
        """Out of sight until they are asked for, or dates differ in a plan that is opened."""
        for dock in self.docks:
            dock.setVisible(False)

    def show_found(self, found: Found | None) -> None:
        """What is wrong with the open plan; None: another plan is open, of which nothing is known yet."""
        for refresh in self._refreshes.values():
            refresh.now(found)
        self.count_changed.emit(0 if found is None else len(found.problems))
        if found is None:
            self._is_fresh = True
            self.hide()
            return
        if self._is_fresh and found.differences:
            self._show(self.recorded_dock)
        self._is_fresh = False

    def _list_conflicts(self, found: Found | None) -> None:
        self._problems = () if found is None else found.problems
        if found is None:
            self.conflicts.show_entries("", ())
            return
        entries = [Entry(each.task, partial(_words, found.state.plan, each)) for each in found.problems]
        words = self.tr("No date breaks a constraint, a deadline, a link or what a machine needs.")
        if entries:
            words = self.tr("A click shows the task, a double click or Enter all that lead there.")
        self.conflicts.show_entries(words, entries)

    def _list_recorded(self, found: Found | None) -> None:
        if found is None:
            self.recorded.show_nothing()
        else:
            self.recorded.show_differences(found.state, found.differences)

    def show_conflicts(self) -> None:
        """Bring the conflicts to the front, with the keyboard in them."""
        self.set_shown(self.conflicts_dock, True)

    def set_shown(self, dock: QDockWidget, is_shown: bool) -> None:
        """Show a dock in front of the other, with the keyboard at its first row; or hide it."""
        if not is_shown:
            dock.setVisible(False)
            return
        if dock is self.recorded_dock:
            self.compare_asked.emit(True)
        self._show(dock)
        panel = dock.widget()
        panel.setFocus()
        if isinstance(panel, TaskList) and panel.entries and not panel.table.selectionModel().hasSelection():
            panel.table.selectRow(0)

    def _choose_chain(self, index: QModelIndex) -> None:
        """All tasks of a conflict, the one that is in it at first."""
        conflict = self._problems[index.row()]
        self.chain_chosen.emit(tuple(dict.fromkeys((conflict.task, *reversed(conflict.chain)))))

    def _accept(self) -> None:
        self.recorded_dock.setVisible(False)
        self.compare_asked.emit(False)

    def _show(self, dock: QDockWidget) -> None:
        is_first = not any(each.isVisible() for each in self.docks)
        dock.setVisible(True)
        dock.raise_()
        self._refreshes[dock].see(True)  # its size is that of what it lists
        panel = dock.widget()
        if is_first and isinstance(panel, TaskList):
            self._window.resizeDocks([dock], [panel.wanted_px], Qt.Orientation.Vertical)

    def _dock(self, name: str, title: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setWidget(panel)
        return dock


def _words(plan: Plan, conflict: Conflict) -> tuple[str, ...]:
    chain = " \N{RIGHTWARDS ARROW} ".join(plan.title_of(task) for task in conflict.chain[-_MOST_CHAINED:])
    return plan.title_of(conflict.task), chain, conflict.sentence
