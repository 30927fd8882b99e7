"""FamilyPage: how long tasks of each family may take that have no range of their own. It never looks at a task's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from engine.errors import PlanError
from engine.model import Plan, SpreadPreset
from engine.model.named_spreads import NAMED_SPREADS, name_of
from engine.session.typed_spreads import ranged_family, read_spread, spread_text
from engine.session.typed_ways import as_spelled, known_families
from gui.dialogs.entry_table import set_up_entries
from gui.theme import METRICS

_WIDTHS_PX = (230, 190, 40)


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """The fields of one family; `before` is what it was."""

    family: QComboBox
    range: QLineEdit
    named: QComboBox
    remove: QPushButton
    before: SpreadPreset | None


class FamilyPage(QWidget):
    """A row a family, or for all tasks without a range elsewhere. `experience_asked`: from a finished plan."""

    experience_asked = Signal()

    def __init__(self, plan: Plan, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._families = known_families(plan)
        self._ranged = ranged_family(plan)
        self.table = QTableWidget(0, 4)
        self.rows: list[FamilyRow] = []
        self.add = QPushButton(self.tr("&Add a family"))
        self.learn = QPushButton(self.tr("From a finished &plan…"))
        self._lay_out()
        for preset in plan.risks.presets:
            self._add_row(preset)
        self.add.clicked.connect(self._add_new)
        self.learn.clicked.connect(self.experience_asked)

    def presets(self) -> tuple[SpreadPreset, ...]:
        """Those that are entered, without the rows that say no range. Raises PlanError where one is none."""
        return tuple(found for found in map(self._preset, self.rows) if found is not None)

    def take(self, presets: Sequence[SpreadPreset]) -> None:
        """What was found out of families stands in their rows, or in new ones."""
        for preset in presets:
            known = next((row for row in self.rows if row.family.currentText().strip() == preset.family), None)
            if known is not None:
                self._remove(known)
            self._add_row(preset)
        self.table.scrollToBottom()

    def _lay_out(self) -> None:
        table, titles = self.table, [self.tr("Family"), self.tr("Range"), self.tr("Kind of work"), ""]
        set_up_entries(table, self.tr("Ranges of families"), titles, _WIDTHS_PX)
        self.learn.setToolTip(self.tr("What the finished tasks of another plan took, by family, in place of a guess"))
        buttons = QHBoxLayout()
        for button in (self.add, self.learn):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        words = self.tr(
            "Tasks of a family that have no range of their own take as long as its range says; without a family: all "
            "others. Write ±20%, 80%..100%..150% or pert 80% 100% 150%, or choose a kind of work."
        )
        hint = QLabel(words)
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(4 * (2 * METRICS.grid_px,)))
        column.setSpacing(2 * METRICS.grid_px)
        column.addWidget(table, 1)
        column.addLayout(buttons)
        column.addWidget(hint)

    def _add_new(self) -> None:
        """A row for the first family that has none."""
        named = {row.family.currentText() for row in self.rows}
        family = next((each for each in (*self._families, "") if each not in named), "")
        self._add_row(None, family)
        self.table.scrollToBottom()
        self.rows[-1].family.setFocus()

    def _add_row(self, preset: SpreadPreset | None, family: str = "") -> None:
        made = FamilyRow(QComboBox(), QLineEdit(), QComboBox(), QPushButton("\N{MULTIPLICATION SIGN}"), preset)
        made.family.setEditable(True)
        made.family.addItems(["", *self._families])
        made.family.setCurrentText(family if preset is None else preset.family)
        if (edit := made.family.lineEdit()) is not None:
            edit.setPlaceholderText(self.tr("all others"))
        made.family.setAccessibleName(self.tr("Family"))
        made.range.setText("" if preset is None else spread_text(self._ranged, preset.spread))
        made.range.setCursorPosition(0)
        made.range.setPlaceholderText("±20%")
        made.range.setAccessibleName(self.tr("Range of the family"))
        made.named.addItem(self.tr("choose…"), None)
        for each in NAMED_SPREADS:
            made.named.addItem(each.name, each.spread)
            made.named.setItemData(made.named.count() - 1, each.why, Qt.ItemDataRole.ToolTipRole)
        known = None if preset is None else name_of(preset.spread)
        made.named.setCurrentIndex(made.named.findText(known.name) if known is not None else 0)
        made.named.setAccessibleName(self.tr("Kind of work"))
        made.remove.setAutoDefault(False)
        made.remove.setAccessibleName(self.tr("Remove this family"))
        made.remove.setToolTip(made.remove.accessibleName())
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, widget in enumerate((made.family, made.range, made.named, made.remove)):
            self.table.setCellWidget(row, column, widget)
        self.rows.append(made)
        made.named.activated.connect(lambda: self._take_named(made))
        made.remove.clicked.connect(lambda: self._remove(made))

    def _take_named(self, row: FamilyRow) -> None:
        spread = row.named.currentData()
        if spread is not None:
            row.range.setText(spread_text(self._ranged, spread))

    def _remove(self, row: FamilyRow) -> None:
        at = self.rows.index(row)
        self.rows.pop(at)
        self.table.removeRow(at)
        (self.rows[min(at, len(self.rows) - 1)].family if self.rows else self.add).setFocus()

    def _preset(self, row: FamilyRow) -> SpreadPreset | None:
        """What was not touched stays to the last figure."""
        family, text = as_spelled(row.family.currentText(), self._families), row.range.text()
        if row.before is not None and text == spread_text(self._ranged, row.before.spread):
            return SpreadPreset(family, row.before.spread)
        try:
            spread = read_spread(self._ranged, text)
        except PlanError as error:
            name = self.tr("Family “{family}”").format(family=family) if family else self.tr("All others")
            raise PlanError(f"{name}: {error.sentence}") from None
        return None if spread is None else SpreadPreset(family, spread)
