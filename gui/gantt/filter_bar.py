"""FilterBar: what a person filters and groups rows by, and how many pass. It never looks at a task."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from engine.model import Clock, Resource
from gui.gantt.arranging import Filter, Trait, traits_of
from gui.gantt.grouping import Grouping
from gui.gantt.staying_menu import StayingMenu

_FIELD_PX = 200


class FilterBar(QWidget):
    """A row of fields above the table. `filter_changed` carries a Filter, `grouping_changed` a Grouping or None."""

    filter_changed = Signal(object)
    grouping_changed = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLineEdit(self)
        self.text.setPlaceholderText(self.tr("Name contains"))
        self.text.setAccessibleName(self.tr("Filter by name"))
        self.text.setFixedWidth(_FIELD_PX)
        self.text.setClearButtonEnabled(True)
        self._traits: dict[Trait, QAction] = {}
        self.kinds = QPushButton(self)
        self.kinds.setAccessibleName(self.tr("Filter by kind of task"))
        self.resource = self._choice(self.tr("Filter by resource"))
        self.grouping = self._choice(self.tr("Group rows"))
        self.chip = QLabel(self)
        self.clear_button = QPushButton(self.tr("Clear"), self)
        self.clear_button.setToolTip(self.tr("Show every row again, in the plan's own order (Esc)"))
        self._lay_out()
        self._fill_kinds()
        self._fill_groupings()
        self.text.textChanged.connect(self._tell)
        self.resource.currentIndexChanged.connect(self._tell)
        self.grouping.currentIndexChanged.connect(lambda: self.grouping_changed.emit(self.grouping.currentData()))
        self.clear_button.clicked.connect(self.left)
        self.hide()

    @property
    def filter(self) -> Filter:
        """What is asked for."""
        traits = frozenset(trait for trait, action in self._traits.items() if action.isChecked())
        return Filter(self.text.text(), traits, self.resource.currentData())

    def open(self) -> None:
        """Shows the bar, and takes the keyboard to it."""
        self.show()
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.selectAll()

    def clear(self) -> None:
        """Asks for nothing, without telling."""
        blockers = [QSignalBlocker(each) for each in (self.text, self.resource, self.grouping)]
        self.text.clear()
        self.resource.setCurrentIndex(0)
        self.grouping.setCurrentIndex(0)
        for action in self._traits.values():
            blocked = QSignalBlocker(action)
            action.setChecked(False)
            del blocked
        del blockers
        self._name_kinds()

    def show_plan(self, clock: Clock, resources: Iterable[Resource]) -> None:
        """Offers what a plan knows; a resource that is gone is asked for no more."""
        known = traits_of(clock)
        for trait, action in self._traits.items():
            action.setVisible(trait in known)
        wanted, blocker = self.resource.currentData(), QSignalBlocker(self.resource)
        self.resource.clear()
        self.resource.addItem(self.tr("Any stream") if clock is Clock.DEVICE else self.tr("Any resource"), None)
        for resource in resources:
            self.resource.addItem(resource.name, resource.id)
        self.resource.setCurrentIndex(max(self.resource.findData(wanted), 0))
        del blocker

    def show_count(self, words: str) -> None:
        """How many rows pass, in words."""
        self.chip.setText(words)
        self.chip.setAccessibleName(words)

    def _choice(self, name: str) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setMaximumWidth(_FIELD_PX)
        return box

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(12, 4, 12, 4)
        across.setSpacing(8)
        for part in (self.text, self.kinds, self.resource, self.grouping, self.chip, self.clear_button):
            across.addWidget(part)
        across.addStretch(1)

    def _fill_kinds(self) -> None:
        words = {
            Trait.CRITICAL: self.tr("Critical"),
            Trait.LATE: self.tr("Late"),
            Trait.MILESTONE: self.tr("Milestone"),
            Trait.UNFINISHED: self.tr("Unfinished"),
            Trait.OVERLOADED: self.tr("Overloaded"),
            Trait.CHANGED: self.tr("Changed by the last edit"),
        }
        menu = StayingMenu(self.kinds)
        for trait, text in words.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.toggled.connect(self._tell)
            self._traits[trait] = action
        self.kinds.setMenu(menu)
        self._name_kinds()

    def _fill_groupings(self) -> None:
        self.grouping.addItem(self.tr("No groups"), None)
        self.grouping.addItem(self.tr("By resource"), Grouping.RESOURCE)
        self.grouping.addItem(self.tr("By criticality"), Grouping.CRITICALITY)
        self.grouping.addItem(self.tr("By status"), Grouping.STATUS)

    def _name_kinds(self) -> None:
        chosen = [action.text() for action in self._traits.values() if action.isChecked()]
        self.kinds.setText(", ".join(chosen) or self.tr("Any task"))

    def _tell(self) -> None:
        self._name_kinds()
        self.filter_changed.emit(self.filter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
