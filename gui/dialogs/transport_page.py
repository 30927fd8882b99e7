"""TransportPage: how long what is done on one machine takes to another, a row a pair. It never makes an edit."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from engine.errors import PlanError
from engine.model import Plan, ResourceKind, Transport
from engine.session.typed_changeovers import read_transport, transport_text
from gui.dialogs.entry_table import set_up_entries
from gui.theme import METRICS

_WIDTHS_PX = (140, 40)
_PLACES = (ResourceKind.MACHINE, ResourceKind.WORK)


@dataclass(frozen=True, slots=True)
class TransportRow:
    """The fields of one way."""

    origin: QComboBox
    target: QComboBox
    length: QLineEdit
    remove: QPushButton


class TransportPage(QWidget):
    """`rows` hold what is entered."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._places = [(each.name, each.id) for each in plan.resources if each.kind in _PLACES]
        self._names = {each.id: each.name for each in plan.resources}
        self.rows: list[TransportRow] = []
        self.table = QTableWidget(0, 4)
        titles = [self.tr("From"), self.tr("To"), self.tr("It takes"), ""]
        set_up_entries(self.table, self.tr("Times of transport"), titles, _WIDTHS_PX, stretched=2)
        self.add = QPushButton(self.tr("&Add a way"))
        self.add.setAutoDefault(False)
        self.add.setEnabled(len(self._places) > 1)
        self.add.clicked.connect(self._add_new)
        hint = QLabel(self.tr("By the clock, day and night, along every finish-to-start link. A day is 24 hours here."))
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        below = QVBoxLayout(self)
        below.setContentsMargins(*(4 * (2 * METRICS.grid_px,)))
        below.addWidget(self.table, 1)
        below.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        below.addWidget(hint)
        for each in plan.transports:
            self._add_row(each.origin, each.target, transport_text(each.ticks))

    def transports(self) -> tuple[Transport, ...]:
        """What is entered. Raises PlanError that names the machines of what is no time."""
        return tuple(map(self._transport, self.rows))

    def _transport(self, row: TransportRow) -> Transport:
        origin, target = row.origin.currentData(), row.target.currentData()
        try:
            return Transport(origin, target, read_transport(row.length.text()))
        except PlanError as error:
            names = f"“{self._names[origin]}” to “{self._names[target]}”"
            raise PlanError(f"From {names}: {error.sentence}") from None

    def _add_new(self) -> None:
        """The first pair that has no row yet."""
        known = {(each.origin.currentData(), each.target.currentData()) for each in self.rows}
        numbers = [number for _, number in self._places]
        pairs = ((one, other) for one in numbers for other in numbers if one != other)
        origin, target = next((pair for pair in pairs if pair not in known), (numbers[0], numbers[1]))
        self._add_row(origin, target, "")
        self.table.scrollToBottom()
        self.rows[-1].origin.setFocus()

    def _add_row(self, origin: int, target: int, text: str) -> None:
        length, remove = QLineEdit(text), QPushButton("\N{MULTIPLICATION SIGN}")
        length.setPlaceholderText(self.tr("20m"))
        length.setAccessibleName(self.tr("It takes"))
        remove.setAutoDefault(False)
        remove.setAccessibleName(self.tr("Remove this way"))
        remove.setToolTip(remove.accessibleName())
        made = TransportRow(self._place(origin, self.tr("From")), self._place(target, self.tr("To")), length, remove)
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, widget in enumerate((made.origin, made.target, length, remove)):
            self.table.setCellWidget(row, column, widget)
        self.rows.append(made)
        remove.clicked.connect(lambda: self._remove(made))

    def _place(self, number: int, name: str) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        for text, place in self._places:
            combo.addItem(text, place)
        combo.setCurrentIndex(combo.findData(number))
        return combo

    def _remove(self, row: TransportRow) -> None:
        """Takes a row away; the keyboard goes to the one that takes its place."""
        at = self.rows.index(row)
        self.rows.pop(at)
        self.table.removeRow(at)
        (self.rows[min(at, len(self.rows) - 1)].origin if self.rows else self.add).setFocus()
