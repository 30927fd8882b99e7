"""MachineFields: what a resource can do, costs and changes over by, as fields of its row. It never makes an edit."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QWidget

from engine.model import Plan, Resource
from engine.model.resource import MOST_UNITS
from engine.session.shop_edits import ChangeMachine
from engine.session.typed_changeovers import names_text, read_names
from engine.session.typed_ways import as_spelled

translate = QCoreApplication.translate


class MachineFields:
    """Skills, the cost of an hour, the changeover, and the family it is set up for at the start."""

    def __init__(self, plan: Plan, resource: Resource | None) -> None:
        self._families = {each.id: each.families for each in plan.changeovers}
        self._before = resource or Resource(0, "-")
        self.skills = QLineEdit(names_text(self._before.skills))
        self.skills.setPlaceholderText(translate("MachineFields", "welding, turning"))
        self.skills.setAccessibleName(translate("MachineFields", "Skills"))
        self.skills.setToolTip(translate("MachineFields", "It may do every task that asks for one of these skills"))
        self.cost = QDoubleSpinBox()
        self.cost.setRange(0, MOST_UNITS)
        self.cost.setDecimals(2)
        self.cost.setValue(self._before.cost_per_hour)
        self.cost.setAccessibleName(translate("MachineFields", "Cost of an hour"))
        self.changeover = QComboBox()
        self.changeover.addItem(translate("MachineFields", "none"), 0)
        for each in plan.changeovers:
            self.changeover.addItem(each.name, each.id)
        self.changeover.setCurrentIndex(max(self.changeover.findData(self._before.changeover or 0), 0))
        self.changeover.setAccessibleName(translate("MachineFields", "Changeover"))
        words = translate(
            "MachineFields", "How long it is set up between families; made in “Changeovers and transport”"
        )
        self.changeover.setToolTip(words)
        self.setup = QComboBox()
        self.setup.setEditable(True)
        self.setup.setAccessibleName(translate("MachineFields", "Set up at the start for"))
        self.setup.setToolTip(translate("MachineFields", "The family that it is set up for when the plan starts"))
        self._offer_families()
        self.setup.setCurrentText(self._before.setup)
        self.changeover.currentIndexChanged.connect(self._offer_families)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """The fields, from left to right."""
        return self.skills, self.cost, self.changeover, self.setup

    def edits(self, number: int) -> list[ChangeMachine]:
        """What is another than it was, of the resource of this number."""
        before, after = self._before, self._changed(number)
        cost = before.cost_per_hour if after.cost_per_hour is None else after.cost_per_hour
        now = (before.skills, before.cost_per_hour, before.changeover or 0, before.setup)
        return [] if (after.skills, cost, after.changeover, after.setup) == now else [after]

    def _changed(self, number: int) -> ChangeMachine:
        cost = self.cost.value()
        is_same = cost == round(self._before.cost_per_hour, 2)
        families = self._families.get(self.changeover.currentData(), ())
        return ChangeMachine(
            number,
            read_names(self.skills.text()),
            None if is_same else cost,
            self.changeover.currentData(),
            as_spelled(self.setup.currentText(), families),
        )

    def _offer_families(self) -> None:
        families = self._families.get(self.changeover.currentData(), ())
        text = self.setup.currentText()
        self.setup.clear()
        self.setup.addItems(["", *families])
        self.setup.setCurrentText(text)
        self.setup.setEnabled(bool(families))
