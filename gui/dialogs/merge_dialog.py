"""MergeDialog: what a branch changed that the main plan changed too, with a choice for each. It never merges."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.model import Plan
from engine.session.merging import Clash, Merge
from gui.branch_words import value_text
from gui.dialogs.fitted_dialog import FittedDialog
from gui.theme import METRICS

_WIDTH, _LEAST_ROWS, _MOST_ROWS = 190, 4, 16
_PAD_PX = 24
_WHAT, _WAS, _BRANCH, _MAIN = range(4)
_CHECKED, _CLEAR = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class MergeDialog(FittedDialog):
    """`merge_asked` carries the Merge and the keys of what stays as in the main plan; `task_chosen` a task's id.

    Of each thing that both changed one value is checked: the branch's at first.
    """

    merge_asked = Signal(object, object)
    task_chosen = Signal(int)

    def __init__(self, merge: Merge, name: str, base: Plan, parent: QWidget) -> None:
        super().__init__(parent)
        self._merge, self._plans = merge, (base, merge.renumbered, merge.main)
        title = self.tr("Take in the main plan") if merge.is_update else self.tr("Merge “{name}”").format(name=name)
        self.setWindowTitle(title)
        into = self.tr("Take what the main plan changed into “{name}”")
        head = QLabel((into if merge.is_update else self.tr("Merge “{name}” into the main plan")).format(name=name))
        head.setProperty("role", "title")
        self.words = QLabel(self._sentence(len(merge.clashes)))
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        self.list = QTreeWidget()
        self._set_up(name)
        self.buttons = QDialogButtonBox()
        self._add_buttons(name)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        layout.setSpacing(2 * METRICS.grid_px)
        for widget in (head, self.words, self.list, self.buttons):
            layout.addWidget(widget)
        self.list.setVisible(bool(merge.clashes))
        if merge.clashes:
            rows = min(max(len(merge.clashes), _LEAST_ROWS), _MOST_ROWS)
            self.list.setMinimumHeight((rows + 2) * METRICS.row_px)
            self.resize(_WIDTH * METRICS.grid_px, self.sizeHint().height())
        self.finished.connect(self.deleteLater)

    @property
    def keeps(self) -> frozenset[Hashable]:
        """The keys of what stays as it is in the main plan."""
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        pairs = zip(items, self._merge.clashes, strict=True)
        return frozenset(clash.key for item, clash in pairs if item is not None and item.checkState(_MAIN) is _CHECKED)

    def take_all(self, column: int) -> None:
        """Checks one side of everything."""
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None:
                item.setCheckState(column, _CHECKED)

    def _set_up(self, name: str) -> None:
        tree = self.list
        tree.setProperty("role", "list")
        tree.setAccessibleName(self.tr("What both changed"))
        tree.setRootIsDecorated(False)
        tree.setAllColumnsShowFocus(False)
        tree.setHeaderLabels(
            [self.tr("Both changed"), self.tr("It was"), self.tr("In “{}”").format(name), self.tr("In the main plan")]
        )
        tree.addTopLevelItems([self._item(clash) for clash in self._merge.clashes])
        tree.header().setSectionResizeMode(_WHAT, QHeaderView.ResizeMode.Stretch)
        for column in (_WAS, _BRANCH, _MAIN):
            tree.resizeColumnToContents(column)
            tree.setColumnWidth(column, tree.columnWidth(column) + _PAD_PX)
        tree.itemChanged.connect(self._checked)
        tree.currentItemChanged.connect(self._reached)
        first = tree.topLevelItem(0)
        if first is not None:
            tree.setCurrentItem(first, _BRANCH)

    def _item(self, clash: Clash) -> QTreeWidgetItem:
        values = (clash.base, clash.branch, clash.main)
        texts = [self._text(plan, clash, value) for plan, value in zip(self._plans, values, strict=True)]
        item = QTreeWidgetItem([clash.words, *texts])
        item.setCheckState(_BRANCH, _CHECKED)
        item.setCheckState(_MAIN, _CLEAR)
        for column in (_WHAT, _WAS, _BRANCH, _MAIN):
            item.setToolTip(column, item.text(column))
        return item

    def _text(self, plan: Plan, clash: Clash, value: object) -> str:
        if value is None:
            return self.tr("none") if clash.field else self.tr("taken away")
        if clash.key == ("rows",):
            return self.tr("its own order")
        field = clash.field or str(clash.key[0] if isinstance(clash.key, tuple) else "")
        return value_text(plan, field, value, clash.task)

    def _add_buttons(self, name: str) -> None:
        role = QDialogButtonBox.ButtonRole
        if self._merge.clashes:
            for text, column in (
                (self.tr("All from the &branch"), _BRANCH),
                (self.tr("All from the &main plan"), _MAIN),
            ):
                button = self.buttons.addButton(text, role.ActionRole)
                button.clicked.connect(partial(self.take_all, column))
        words = self.tr("&Take in") if self._merge.is_update else self.tr("Mer&ge")
        merge: QPushButton = self.buttons.addButton(words, role.AcceptRole)
        merge.setProperty("primary", True)
        merge.setDefault(True)
        merge.setToolTip(self.tr("One step, which Undo takes back"))
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept_merge)
        self.buttons.rejected.connect(self.reject)

    def _sentence(self, count: int) -> str:
        if not count and self._merge.is_update:
            return self.tr(
                "What the main plan changed is made in the branch, as one step. Nothing was changed by both."
            )
        if not count:
            return self.tr(
                "What the branch changed is made in the main plan, as one step. Nothing was changed by both."
            )
        one = self.tr("One thing was changed by both, each otherwise: choose which is to stay.")
        many = self.tr("{count} things were changed by both, each otherwise: choose of each which is to stay.")
        return one if count == 1 else many.format(count=count)

    def _checked(self, item: QTreeWidgetItem, column: int) -> None:
        """Checking one side clears the other; one of the two always stays checked."""
        if column in (_BRANCH, _MAIN):
            other = _MAIN if column == _BRANCH else _BRANCH
            wanted = _CLEAR if item.checkState(column) is _CHECKED else _CHECKED
            if item.checkState(other) is not wanted:
                item.setCheckState(other, wanted)

    def _reached(self, item: QTreeWidgetItem | None) -> None:
        row = -1 if item is None else self.list.indexOfTopLevelItem(item)
        task = self._merge.clashes[row].task if row >= 0 else None
        if task is not None:
            self.task_chosen.emit(task)

    def accept_merge(self) -> None:
        """Closes it, and asks for the merge as it was chosen."""
        keeps = self.keeps
        self.accept()
        self.merge_asked.emit(self._merge, keeps)
