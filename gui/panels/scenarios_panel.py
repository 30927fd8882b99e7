"""ScenariosPanel: the branches of the plan with what each comes to, and what any two of them differ in.

It never makes, switches or merges one: who is asked to is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLabel, QSplitter, QVBoxLayout, QWidget

from engine.session.branch_changes import BranchChanges, BranchFigures
from engine.session.scenarios import MAIN, Branch, Scenarios
from gui.branch_words import change_words
from gui.menus import Actions
from gui.panels.task_list import Entry, TaskList
from gui.plan_words import change_text, instant_text

_WIDE, _NARROW = 1080, 920  # of 2000: what each list needs for its titles
_NAME_LETTERS = 14
_NOWHERE = -1  # stands for the id of a task where a row is about none
_BUTTONS: tuple[tuple[str, object], ...] = (
    ("new_branch", QT_TRANSLATE_NOOP("ScenariosPanel", "&New…")),
    ("duplicate_branch", QT_TRANSLATE_NOOP("ScenariosPanel", "D&uplicate…")),
    ("rename_branch", QT_TRANSLATE_NOOP("ScenariosPanel", "&Rename…")),
    ("delete_branch", QT_TRANSLATE_NOOP("ScenariosPanel", "&Delete…")),
    ("merge_branch", QT_TRANSLATE_NOOP("ScenariosPanel", "&Merge…")),
)


class ScenariosPanel(QWidget):
    """`chosen` carries the id of the branch whose row was reached, `switch_asked` that of one to go on with;
    `compare_asked` two ids; `task_chosen` a task's."""

    chosen = Signal(int)
    switch_asked = Signal(int)
    compare_asked = Signal(int, int)
    task_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ground")
        self._scenarios: Scenarios | None = None
        self.branches = TaskList(self.tr("Branches"), self._titles())
        self.branches.table.setToolTip(self.tr("Enter or a double click goes on with a branch"))
        self.changes = TaskList(
            self.tr("What differs"),
            (self.tr("Task"), self.tr("What"), self.tr("Before"), self.tr("After"), self.tr("by")),
        )
        self.before, self.after = self._combo(self.tr("Compare &from")), self._combo(self.tr("&to"))
        lists = QSplitter(Qt.Orientation.Horizontal)
        lists.setHandleWidth(1)
        for each in (self.branches, self.changes):
            lists.addWidget(each)
        lists.setSizes([_WIDE, _NARROW])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(lists)
        self.setFocusProxy(self.branches)
        self.branches.task_chosen.connect(self.chosen)
        self.branches.table.doubleClicked.connect(lambda index: self._switch(index.row()))
        self.branches.table.activated.connect(lambda index: self._switch(index.row()))
        self.changes.task_chosen.connect(lambda task: None if task == _NOWHERE else self.task_chosen.emit(task))
        self.show_scenarios(None)

    @property
    def selected(self) -> int | None:
        """The branch whose row is chosen."""
        row = self.branches.table.currentIndex().row()
        return self.branches.entries[row].task if 0 <= row < len(self.branches.entries) else None

    def bind(self, actions: Actions) -> None:
        """A button an action, for who has no key at hand."""
        for name, text in _BUTTONS:
            action = actions[name]
            button = self.branches.add_button(self.tr(str(text)), action.toolTip())
            button.clicked.connect(action.trigger)
            action.changed.connect(
                partial(lambda button, action: button.setEnabled(action.isEnabled()), button, action)
            )
            button.setEnabled(action.isEnabled())

    def show_scenarios(self, held: Scenarios | None) -> None:
        """Which branches there are; what they come to follows."""
        self._scenarios = held
        branches = () if held is None else held.branches
        known = {entry.task: entry.texts for entry in self.branches.entries}
        rows = [Entry(each.id, partial(self._unknown, each, known.get(each.id))) for each in branches]
        self.branches.show_entries(self._sentence(branches), rows)
        pair = self.before.currentData(), self.after.currentData()
        for combo, wanted in zip((self.before, self.after), _pair(held, *pair), strict=True):
            with QSignalBlocker(combo):
                combo.clear()
                for each in branches:
                    combo.addItem(self.tr("{letter}: {name}").format(letter=each.letter, name=each.name), each.id)
                combo.setCurrentIndex(combo.findData(wanted))
        self._ask()

    def show_figures(self, found: Sequence[BranchFigures] | None) -> None:
        """What each comes to; None while that is found out."""
        if found is not None:
            rows = [Entry(each.branch.id, partial(self._words, each)) for each in found]
            self.branches.show_entries(self._sentence([each.branch for each in found]), rows)
            self.branches.fit_columns()

    def show_changes(self, found: BranchChanges | None) -> None:
        """What the two that are compared differ in; None while that is found out."""
        if found is None:
            self.changes.show_entries(self.tr("Comparing…") if self._is_compared else "", ())
            return
        before, after = found.before.plan, found.after.plan
        rows = [
            Entry(_NOWHERE if each.task is None else each.task, partial(change_words, before, after, each))
            for each in found.changes
        ]
        one, many = self.tr("1 task differs"), self.tr("{tasks} tasks differ")
        tasks = (one if found.tasks == 1 else many).format(tasks=f"{found.tasks:,}")
        one, many = self.tr("{tasks} in one place."), self.tr("{tasks} in {count} places.")
        words = (one if len(rows) == 1 else many).format(tasks=tasks, count=f"{len(rows):,}")
        self.changes.show_entries(words if rows else self.tr("Nothing differs."), rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected is not None:
            self.switch_asked.emit(self.selected)
        else:
            event.ignore()

    def _combo(self, text: str) -> QComboBox:
        """A choice of branches in the head of the changes, behind its words."""
        label, combo = QLabel(text), QComboBox()
        label.setBuddy(combo)
        combo.setAccessibleName(text.replace("&", ""))
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(_NAME_LETTERS)
        combo.setToolTip(self.tr("Which branches are compared"))
        combo.activated.connect(self._ask)
        label.setMinimumHeight(combo.sizeHint().height())  # in line with its words
        self.changes.add_widget(label)
        self.changes.add_widget(combo)
        return combo

    @property
    def _is_compared(self) -> bool:
        return self.before.currentIndex() >= 0 and self.before.currentData() != self.after.currentData()

    def _ask(self) -> None:
        if self.before.currentIndex() >= 0 and self.after.currentIndex() >= 0:
            self.compare_asked.emit(self.before.currentData(), self.after.currentData())

    def _switch(self, row: int) -> None:
        self.switch_asked.emit(self.branches.entries[row].task)

    def _titles(self) -> tuple[str, ...]:
        return (
            "",
            self.tr("Branch"),
            self.tr("Finish"),
            self.tr("Against\nmain"),
            self.tr("Tasks\nchanged"),
            self.tr("Conflicts"),
            self.tr("Both\nchanged"),
        )

    def _sentence(self, branches: Sequence[Branch]) -> str:
        if len(branches) < 2:
            return self.tr("A branch keeps what you try apart from the plan, until you merge it.")
        return self.tr("Edits change the branch that is marked ▶.")

    def _mark(self, branch: Branch) -> tuple[str, str]:
        is_active = self._scenarios is not None and self._scenarios.active_id == branch.id
        return (f"{'▶ ' if is_active else ''}{branch.letter}", branch.name)

    def _unknown(self, branch: Branch, known: tuple[str, ...] | None) -> tuple[str, ...]:
        """What was told before stays until it is known anew."""
        return (*self._mark(branch), *(("",) * 5 if known is None else known[2:]))

    def _words(self, found: BranchFigures) -> tuple[str, ...]:
        branch, plan = found.branch, found.branch.plan
        finish = instant_text(plan, found.finish) if plan.tasks else ""
        if branch.id == MAIN:
            return (*self._mark(branch), finish, "", "", str(found.conflicts), "")
        both = self.tr("cannot be merged") if found.clashes is None else str(found.clashes)
        later = change_text(plan, found.later) or self.tr("none")
        return (*self._mark(branch), finish, later, str(found.tasks), str(found.conflicts), both)


def _pair(held: Scenarios | None, before: object, after: object) -> tuple[int | None, int | None]:
    """Which two are compared: those that were, or the main plan with the active branch, or with the last one."""
    if held is None:
        return None, None
    ids = [each.id for each in held.branches]
    if before in ids and after in ids and before != after:
        return before, after
    return MAIN, held.active_id if held.active_id != MAIN else ids[-1]
