"""WaysDialog: how else a task may be done, by whom, and what it is to a machine. It never chooses one of the ways.

OK makes one step of all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model import Alternative, Plan, ResourceKind, Task, Way
from engine.model.resource import LEAST_UNITS, MOST_UNITS
from engine.model.shop import Ways
from engine.session.cell_words import duration_text
from engine.session.edits import Edit
from engine.session.shop_edits import SetAlternatives, SetFamily, SetSkill, SetUnbreakable
from engine.session.typed_ways import as_spelled, known_families, known_skills, read_there
from gui.bridge import Bridge
from gui.dialogs.entry_table import set_up_entries
from gui.dialogs.form_dialog import FormDialog
from gui.theme import METRICS

translate = QCoreApplication.translate
_SIZE_PX = (600, 520)
_WIDTHS_PX = (90, 110, 110, 40)
_HOLDING = (ResourceKind.WORK, ResourceKind.MACHINE)


@dataclass(frozen=True, slots=True)
class WayRow:
    """The fields of one alternative."""

    resource: QComboBox
    units: QDoubleSpinBox
    duration: QLineEdit
    cost: QDoubleSpinBox
    remove: QPushButton


class WaysDialog(FormDialog):
    """Family, skill, whether in one piece, and a row an alternative; below them all ways that there are then."""

    def __init__(self, bridge: Bridge, plan: Plan, task: Task, parent: QWidget) -> None:
        title = translate("WaysDialog", "How “{name}” may be done").format(name=task.name)
        step = translate("WaysDialog", "Change how “{name}” may be done").format(name=task.name)
        super().__init__(bridge, title, step, parent)
        self._plan, self._task = plan, task
        self._families, self._skills = known_families(plan), known_skills(plan)
        self._assigned = tuple(each for each in plan.assignments if each.task == task.id)
        self.rows: list[WayRow] = []
        self.family = _names(self._families, task.family, self.tr("none"))
        self.skill = _names(self._skills, task.skill, self.tr("none"))
        self.in_one_piece = QCheckBox(self.tr("In &one piece: within one working interval"))
        self.table = QTableWidget(0, 5)
        self.add = QPushButton(self.tr("&Add an alternative"))
        self.verdict = QLabel()
        self._set_up()
        for each in plan.ways.named(task.id):
            self._add_row(each)
        self._lay_out()
        self._connect()
        self._tell()
        self.resize(*_SIZE_PX)

    def edits(self) -> list[Edit]:
        """What is another than it was. Raises PlanError where something that was typed cannot be."""
        task, found = self._task, list[Edit]()
        family, skill = as_spelled(self.family.currentText(), self._families), self._skill()
        alternatives = tuple(map(self._alternative, self.rows))
        if family != task.family:
            found.append(SetFamily(task.id, family))
        if skill != task.skill:
            found.append(SetSkill(task.id, skill))
        if self.in_one_piece.isChecked() is not task.is_unbreakable:
            found.append(SetUnbreakable(task.id, self.in_one_piece.isChecked()))
        if alternatives != self._plan.ways.named(task.id):
            found.append(SetAlternatives(task.id, alternatives))
        return found

    # Set-up

    def _set_up(self) -> None:
        self.family.setToolTip(self.tr("Between tasks of two families a machine is set up, by its changeover"))
        self.skill.setToolTip(self.tr("Whoever has this skill may do it, beside the alternatives below"))
        self.in_one_piece.setChecked(self._task.is_unbreakable)
        self.in_one_piece.setToolTip(self.tr("No night, break or day off may fall into it"))
        titles = [self.tr("Instead on"), self.tr("Units"), self.tr("It takes"), self.tr("Cost"), ""]
        set_up_entries(self.table, self.tr("Alternatives"), titles, _WIDTHS_PX)
        self.add.setEnabled(any(each.kind in _HOLDING for each in self._plan.resources))
        self.add.setToolTip(self.tr("Name another machine or person that may do the task"))
        self.add.setAutoDefault(False)
        self.verdict.setProperty("role", "muted")
        self.verdict.setWordWrap(True)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)

    def _connect(self) -> None:
        self.family.currentTextChanged.connect(self._tell)
        self.skill.currentTextChanged.connect(self._tell)
        self.in_one_piece.toggled.connect(self._tell)
        self.add.clicked.connect(self._add_new)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(3 * METRICS.grid_px)
        form.setVerticalSpacing(METRICS.grid_px)
        form.addRow(self.tr("&Family"), self.family)
        form.addRow(self.tr("&Skill"), self.skill)
        form.addRow("", self.in_one_piece)
        page, column = QWidget(), QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * METRICS.grid_px)
        column.addLayout(form)
        column.addWidget(self.table, 1)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.verdict)
        page.setLayout(column)
        self.lay_out(page)

    # Alternatives

    def _add_new(self) -> None:
        """Another row, for the first machine or person that is not named yet."""
        named = {each.resource.currentData() for each in self.rows}
        named |= {each.resource for each in self._assigned}
        offered = [each.id for each in self._plan.resources if each.kind in _HOLDING]
        self._add_row(Alternative(self._task.id, next((each for each in offered if each not in named), offered[0])))
        self._tell()
        self.table.scrollToBottom()
        self.rows[-1].resource.setFocus()

    def _remove(self, row: WayRow) -> None:
        """Takes a row away; the keyboard goes to the one that takes its place."""
        at = self.rows.index(row)
        self.rows.pop(at)
        self.table.removeRow(at)
        self._tell()
        (self.rows[min(at, len(self.rows) - 1)].resource if self.rows else self.add).setFocus()

    def _add_row(self, each: Alternative) -> None:
        resource, duration = QComboBox(), QLineEdit()
        for other in self._plan.resources:
            if other.kind in _HOLDING:
                resource.addItem(other.name, other.id)
        resource.setCurrentIndex(resource.findData(each.resource))
        resource.setAccessibleName(self.tr("Instead on"))
        units, cost = _amount(each.units, LEAST_UNITS), _amount(each.cost, 0.0)
        units.setAccessibleName(self.tr("Units"))
        cost.setAccessibleName(self.tr("Cost"))
        cost.setToolTip(self.tr("What it costs to do it there, beside the hours"))
        if each.duration is not None:
            duration.setText(duration_text(self._plan, each.duration, is_elapsed=self._task.is_elapsed))
        duration.setPlaceholderText(duration_text(self._plan, self._task.duration, is_elapsed=self._task.is_elapsed))
        duration.setAccessibleName(self.tr("It takes"))
        duration.setToolTip(self.tr("As 3h or 1.5d; empty: as long as where it is now"))
        row = self.table.rowCount()
        self.table.insertRow(row)
        remove = QPushButton("\N{MULTIPLICATION SIGN}")
        remove.setAutoDefault(False)
        remove.setAccessibleName(self.tr("Remove this alternative"))
        remove.setToolTip(remove.accessibleName())
        made = WayRow(resource, units, duration, cost, remove)
        for column, widget in enumerate((resource, units, duration, cost, remove)):
            self.table.setCellWidget(row, column, widget)
        self.rows.append(made)
        remove.clicked.connect(lambda: self._remove(made))
        resource.currentIndexChanged.connect(self._tell)
        duration.textChanged.connect(self._tell)
        for box in (units, cost):
            box.valueChanged.connect(self._tell)

    def _alternative(self, row: WayRow) -> Alternative:
        text = row.duration.text().strip()
        duration = read_there(self._plan, self._task, text) if text else None
        before = {each.resource: each for each in self._plan.ways.named(self._task.id)}.get(row.resource.currentData())
        units, cost = row.units.value(), row.cost.value()
        if before is not None:  # what was not touched keeps its figures beyond those shown
            units = before.units if units == round(before.units, 2) else units
            cost = before.cost if cost == round(before.cost, 2) else cost
        return Alternative(self._task.id, row.resource.currentData(), units, duration, cost)

    def _skill(self) -> str:
        return as_spelled(self.skill.currentText(), self._skills)

    def _tell(self, *_: object) -> None:
        """All ways of doing it as the fields stand, or why they cannot be."""
        try:
            alternatives = tuple(map(self._alternative, self.rows))
        except EngineError as error:
            self.verdict.setText(error.sentence)
            return
        task = replace(self._task, skill=self._skill())
        ways = Ways(self._plan.resources, self._assigned, alternatives)
        said = self._ways_words(ways.of(task), ways.replaced(task) is not None)
        if task.skill and not any(task.skill in each.skills for each in self._plan.resources):
            said += " " + self.tr("Nobody has the skill “{skill}”.").format(skill=task.skill)
        self.verdict.setText(said)

    def _ways_words(self, ways: Sequence[Way], is_replaced: bool) -> str:
        """Now on Lathe 1 (4h). It may also be done on Lathe 2 (3h), Ann (4h)."""
        plan, is_elapsed = self._plan, self._task.is_elapsed
        names = {resource.id: resource.name for resource in plan.resources}
        said = [
            f"{names[way.resource]} ({duration_text(plan, way.duration, is_elapsed=is_elapsed)})"
            for way in ways
            if way.resource is not None
        ]
        if is_replaced and len(said) > 1:
            words = self.tr("Now on {name}. It may also be done on {names}.")
            return words.format(name=said[0], names=", ".join(said[1:]))
        if said and not is_replaced:
            return self.tr("It may be done on {names}.").format(names=", ".join(said))
        now = ", ".join(names[each.resource] for each in self._assigned)
        if now:
            return self.tr("It is done by {names}, and by nobody else.").format(names=now)
        return self.tr("Nobody in particular does it: name an alternative, or a skill that somebody has.")


def _names(known: Sequence[str], chosen: str, nothing: str) -> QComboBox:
    combo = QComboBox()
    combo.setEditable(True)
    combo.addItems(["", *known])
    combo.setCurrentText(chosen)
    if (edit := combo.lineEdit()) is not None:
        edit.setPlaceholderText(nothing)
    return combo


def _amount(value: float, least: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setRange(least, MOST_UNITS)
    box.setDecimals(2)
    box.setValue(value)
    return box
