"""ResourcesDialog: who and what there is to do tasks, added, changed and removed as one step.

It never assigns anybody.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from engine.model import Clock, Plan, Resource, ResourceKind
from engine.model.resource import MOST_UNITS
from engine.session.edits import Edit
from engine.session.resource_edits import AddResource, ChangeResource, RemoveResource, users_of
from gui.bridge import Bridge
from gui.dialogs.entry_table import set_up_entries
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.machine_fields import MachineFields

translate = QCoreApplication.translate

_SIZE_PX = {Clock.CALENDAR: (1160, 460), Clock.DEVICE: (780, 420)}
_WIDTHS_PX = (140, 90, 170, 150, 100, 130, 110)
_REMOVE_PX, _LEAST = 34, 0.01


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """The fields of one row; `resource` is None of a new one."""

    resource: Resource | None
    name: QLineEdit
    kind: QComboBox
    capacity: QDoubleSpinBox
    calendar: QComboBox
    machine: MachineFields
    remove: QPushButton


class ResourcesDialog(FormDialog):
    """A row a resource: its name, its kind, how much of it there is at once, when it is there, and what it can do."""

    def __init__(self, bridge: Bridge, plan: Plan, parent: QWidget) -> None:
        title, step = translate("ResourcesDialog", "Resources"), translate("ResourcesDialog", "Change the resources")
        super().__init__(bridge, title, step, parent)
        self._plan = plan
        self.rows: list[ResourceRow] = []
        titles = [self.tr("Name"), self.tr("Kind"), self.tr("At once"), self.tr("Is there by")]
        if plan.clock is Clock.CALENDAR:
            titles += [self.tr("Skills"), self.tr("Cost an hour"), self.tr("Changeover"), self.tr("Set up for")]
        self._removed: list[Resource] = []
        self.table = QTableWidget(0, len(titles) + 1)
        widths = (*_WIDTHS_PX[: len(titles) - 1], _REMOVE_PX)
        set_up_entries(self.table, self.tr("Resources"), (*titles, ""), widths)
        self.said = QLabel()
        self.said.setProperty("role", "muted")
        self.said.setWordWrap(True)
        self.said.hide()
        for resource in plan.resources:
            self._add_row(resource)
        self.add = QPushButton(self.tr("&Add a resource"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._add_new)
        page, column = QWidget(), QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.said)
        page.setLayout(column)
        self.lay_out(page)
        self.resize(*_SIZE_PX[plan.clock])
        if not plan.resources:
            self._add_new()

    def edits(self) -> list[Edit]:
        """What is another, then what is new, then what goes; a new row without a name is left out."""
        found: list[Edit] = []
        number = max((resource.id for resource in self._plan.resources), default=0)
        for row in self.rows:
            if row.resource is not None:
                found += [*_changed(row.resource, row), *row.machine.edits(row.resource.id)]
            elif row.name.text().strip():
                number += 1
                found.append(AddResource(row.name.text(), row.kind.currentData(), row.capacity.value()))
                if row.calendar.currentData() is not None:
                    found.append(ChangeResource(number, calendar=row.calendar.currentData()))
                found += row.machine.edits(number)
        return [*found, *(RemoveResource(each.id) for each in self._removed)]

    def _add_new(self) -> None:
        self._add_row(None)
        self.table.scrollToBottom()
        self.rows[-1].name.setFocus()

    def _add_row(self, resource: Resource | None) -> None:
        name = QLineEdit("" if resource is None else resource.name)
        name.setPlaceholderText(self.tr("name"))
        name.setAccessibleName(self.tr("Name"))
        capacity = QDoubleSpinBox()
        capacity.setRange(_LEAST, MOST_UNITS)
        capacity.setDecimals(2)
        capacity.setValue(1.0 if resource is None else resource.capacity)
        capacity.setAccessibleName(self.tr("How much of it there is at once"))
        kind, calendar = self._kinds(resource), self._calendars(resource)
        machine, remove = MachineFields(self._plan, resource), QPushButton("\N{MULTIPLICATION SIGN}")
        remove.setAutoDefault(False)
        remove.setAccessibleName(self.tr("Remove this resource"))
        remove.setToolTip(remove.accessibleName())
        made = ResourceRow(resource, name, kind, capacity, calendar, machine, remove)
        row, last = self.table.rowCount(), self.table.columnCount() - 1
        self.table.insertRow(row)
        for column, widget in enumerate((name, kind, capacity, calendar, *machine.widgets)[:last]):
            self.table.setCellWidget(row, column, widget)
        self.table.setCellWidget(row, last, remove)
        self.rows.append(made)
        remove.clicked.connect(lambda: self._remove_row(made))

    def _remove_row(self, row: ResourceRow) -> None:
        at = self.rows.index(row)
        self.rows.pop(at)
        self.table.removeRow(at)
        (self.rows[min(at, len(self.rows) - 1)].name if self.rows else self.add).setFocus()
        if row.resource is None:
            return
        self._removed.append(row.resource)
        count = len(users_of(self._plan, row.resource.id))
        done = self.tr("1 task") if count == 1 else self.tr("{count} tasks").format(count=f"{count:,}")
        words = self.tr("“{name}” goes with OK, and {tasks} will be done without it.")
        self.said.setText(words.format(name=row.resource.name, tasks=done) if count else "")
        self.said.setVisible(bool(count))

    def _kinds(self, resource: Resource | None) -> QComboBox:
        """A stream is one only on a device, and nothing else is there."""
        words = {
            ResourceKind.WORK: self.tr("person or crew"),
            ResourceKind.MACHINE: self.tr("machine"),
            ResourceKind.MATERIAL: self.tr("material"),
            ResourceKind.STREAM: self.tr("stream"),
        }
        is_device = self._plan.clock is Clock.DEVICE
        combo = QComboBox()
        combo.setAccessibleName(self.tr("Kind"))
        for kind, text in words.items():
            if (kind is ResourceKind.STREAM) is (
                is_device if resource is None else resource.kind is ResourceKind.STREAM
            ):
                combo.addItem(text, kind)
        if resource is not None:
            combo.setCurrentIndex(combo.findData(resource.kind))
            combo.setEnabled(resource.kind is not ResourceKind.STREAM)
        return combo

    def _calendars(self, resource: Resource | None) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(self.tr("Calendar"))
        combo.addItem(self.tr("the plan's calendar") if self._plan.calendar else self.tr("always"), None)
        for calendar in self._plan.calendar_of.values():
            combo.addItem(calendar.name, calendar.id)
        combo.setCurrentIndex(max(combo.findData(None if resource is None else resource.calendar), 0))
        return combo


def _changed(before: Resource, row: ResourceRow) -> list[Edit]:
    name, capacity, calendar = row.name.text(), row.capacity.value(), row.calendar.currentData()
    kind, is_same_capacity = row.kind.currentData(), capacity == round(before.capacity, 2)
    if name.strip() == before.name and is_same_capacity and (calendar, kind) == (before.calendar, before.kind):
        return []
    given = None if is_same_capacity else capacity
    return [ChangeResource(before.id, name, given, calendar, follows_plan=calendar is None, kind=kind)]
