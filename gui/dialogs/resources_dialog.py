"""ResourcesDialog: who and what there is to do tasks, added and changed as one step. It never assigns anybody."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from engine.model import Clock, Plan, Resource, ResourceKind
from engine.model.resource import MOST_UNITS
from engine.session.edits import Edit
from engine.session.resource_edits import AddResource, ChangeResource
from gui.bridge import Bridge
from gui.dialogs.entry_table import set_up_entries
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.machine_fields import MachineFields

translate = QCoreApplication.translate

_SIZE_PX = {Clock.CALENDAR: (1120, 460), Clock.DEVICE: (740, 420)}
_WIDTHS_PX = (140, 90, 170, 150, 100, 130, 110)
_LEAST = 0.01


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """The fields of one row; `resource` is None of a new one."""

    resource: Resource | None
    name: QLineEdit
    kind: QComboBox
    capacity: QDoubleSpinBox
    calendar: QComboBox
    machine: MachineFields


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
        self.table = QTableWidget(0, len(titles))
        set_up_entries(self.table, self.tr("Resources"), titles, _WIDTHS_PX[: len(titles) - 1])
        for resource in plan.resources:
            self._add_row(resource)
        self.add = QPushButton(self.tr("&Add a resource"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._add_new)
        page, column = QWidget(), QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        page.setLayout(column)
        self.lay_out(page)
        self.resize(*_SIZE_PX[plan.clock])
        if not plan.resources:
            self._add_new()

    def edits(self) -> list[Edit]:
        """What is another, then what is new; a new row without a name is left out."""
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
        return found

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
        made = ResourceRow(resource, name, kind, capacity, calendar, MachineFields(self._plan, resource))
        row = self.table.rowCount()
        self.table.insertRow(row)
        widgets = (name, kind, capacity, calendar, *made.machine.widgets)
        for column, widget in enumerate(widgets[: self.table.columnCount()]):
            self.table.setCellWidget(row, column, widget)
        self.rows.append(made)

    def _kinds(self, resource: Resource | None) -> QComboBox:
        """A stream is one only on a device, and nothing else is there; the kind of one that is there stays."""
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
            if (kind is ResourceKind.STREAM) is is_device or (resource is not None and resource.kind is kind):
                combo.addItem(text, kind)
        if resource is not None:
            combo.setCurrentIndex(combo.findData(resource.kind))
            combo.setEnabled(False)
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
    is_same_capacity = capacity == round(before.capacity, 2)
    if name.strip() == before.name and is_same_capacity and calendar == before.calendar:
        return []
    given = None if is_same_capacity else capacity
    return [ChangeResource(before.id, name, given, calendar, follows_plan=calendar is None)]
