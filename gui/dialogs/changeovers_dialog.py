"""ChangeoversDialog: what machines change over by, and transport between them, as one step. It dates nothing."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model import Changeover, Plan
from engine.session.edits import Edit
from engine.session.pasting import read_grid
from engine.session.shop_edits import PutChangeover, RemoveChangeover, SetTransports
from engine.session.typed_changeovers import carried_over, headed, names_text, read_names, read_ticks, setup_text
from gui.bridge import Bridge
from gui.dialogs.choice_list import ChoiceList
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.matrix_table import MatrixTable
from gui.dialogs.transport_page import TransportPage
from gui.theme import METRICS

_SIZE_PX = (820, 540)
_LIST_PX = 180
translate = QCoreApplication.translate


class ChangeoversDialog(FormDialog):
    """A list of the changeovers, and beside it the matrix of the one that is chosen; transport on a second page."""

    def __init__(self, bridge: Bridge, plan: Plan, parent: QWidget) -> None:
        title = translate("ChangeoversDialog", "Changeovers and transport")
        step = translate("ChangeoversDialog", "Change changeovers and transport")
        super().__init__(bridge, title, step, parent)
        self._plan = plan
        self._before = {each.id: each for each in plan.changeovers}
        self._changeovers = list(plan.changeovers)
        self._families: tuple[str, ...] = ()
        self._shown = -1
        self.list = ChoiceList()
        self.name, self.families, self.matrix = QLineEdit(), QLineEdit(), MatrixTable()
        self.used = QLabel()
        self.add = QPushButton(self.tr("&New changeover"))
        self.remove = QPushButton(self.tr("&Remove it"))
        self.transport = TransportPage(plan)
        self.tabs = QTabWidget()
        self._lay_out()
        self._connect()
        self._list(0)
        self.resize(*_SIZE_PX)

    def edits(self) -> list[Edit]:
        """What is gone, what is another, what is new, then transport. Raises PlanError for what is no time."""
        self._take()
        kept = {each.id for each in self._changeovers}
        found: list[Edit] = [RemoveChangeover(number) for number in self._before if number not in kept]
        found += [PutChangeover(each) for each in self._changeovers if self._before.get(each.id) != each]
        transports = self.transport.transports()
        return [*found, SetTransports(transports)] if transports != self._plan.transports else found

    # Set-up

    def _lay_out(self) -> None:
        self.list.setFixedWidth(_LIST_PX)
        self.list.setAccessibleName(self.tr("Changeovers of the plan"))
        self.families.setPlaceholderText(self.tr("red, blue, green"))
        self.families.setToolTip(self.tr("Tasks are of these families; tasks of others need no set-up"))
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        for button in (self.add, self.remove):
            button.setAutoDefault(False)
            left.addWidget(button)
        form = QFormLayout()
        form.setVerticalSpacing(METRICS.grid_px)
        form.addRow(self.tr("N&ame"), self.name)
        form.addRow(self.tr("&Families"), self.families)
        hint = QLabel(
            self.tr("Type 45m or 1.5h, or minutes alone; Ctrl+V pastes from a spreadsheet, with its families too.")
        )
        for label in (hint, self.used):
            label.setProperty("role", "muted")
            label.setWordWrap(True)
        right = QVBoxLayout()
        right.addLayout(form)
        right.addWidget(self.matrix, 1)
        right.addWidget(hint)
        right.addWidget(self.used)
        page, across = QWidget(), QHBoxLayout()
        across.setContentsMargins(*(4 * (2 * METRICS.grid_px,)))
        across.setSpacing(4 * METRICS.grid_px)
        across.addLayout(left)
        across.addLayout(right, 1)
        page.setLayout(across)
        self.tabs.addTab(page, self.tr("&Changeovers"))
        self.tabs.addTab(self.transport, self.tr("&Transport"))
        self.lay_out(self.tabs)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._turn)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.families.editingFinished.connect(self._spread)
        self.matrix.pasted.connect(self._paste)
        self.name.textEdited.connect(self._rename)

    # Which changeover is shown

    def _list(self, row: int) -> None:
        """All of them, with that of a row chosen and shown."""
        self._show(self.list.list_names((each.name for each in self._changeovers), row))

    def _turn(self, row: int) -> None:
        """Another one is chosen; one with something in it that is no time is not left."""
        if self._is_taken():
            self._show(row)
        else:
            self.list.stay(self._shown)

    def _show(self, row: int) -> None:
        self._shown = row
        is_there = 0 <= row < len(self._changeovers)
        for widget in (self.name, self.families, self.matrix, self.remove):
            widget.setEnabled(is_there)
        changeover = self._changeovers[row] if is_there else Changeover(0, "")
        self._families = changeover.families
        self.name.setText(changeover.name)
        self.families.setText(names_text(changeover.families))
        texts = tuple(tuple(setup_text(self._plan, ticks) for ticks in line) for line in changeover.ticks)
        self.matrix.show_matrix(changeover.families, texts)
        self.used.setText(self._used_by(changeover) if is_there else "")

    def _used_by(self, changeover: Changeover) -> str:
        names = ", ".join(each.name for each in self._plan.resources if each.changeover == changeover.id)
        if names:
            return self.tr("Used by {names}.").format(names=names)
        return self.tr("No machine uses it yet: choose it for machines among the resources.")

    # What was entered

    def _is_taken(self) -> bool:
        try:
            self._take()
        except EngineError as error:
            self._refuse(error.sentence)
            return False
        self.wrong.hide()
        return True

    def _refuse(self, sentence: str) -> None:
        self.wrong.setText(sentence)
        self.wrong.show()

    def _take(self) -> None:
        """Keep what was entered of the changeover that is shown. Raises PlanError."""
        if 0 <= self._shown < len(self._changeovers):
            self._spread()
            ticks = read_ticks(self._plan, self._families, self.matrix.texts())
            before = self._changeovers[self._shown]
            name = self.name.text().strip()
            self._changeovers[self._shown] = replace(before, name=name, families=self._families, ticks=ticks)

    def _rename(self, text: str) -> None:
        if (item := self.list.item(self._shown)) is not None:
            item.setText(text)

    def _spread(self) -> None:
        """Other families were typed: the matrix has rows and columns for them, and keeps its times."""
        families = read_names(self.families.text())
        if families != self._families:
            texts = carried_over(self._families, self.matrix.texts(), families)
            self._families = families
            self.matrix.show_matrix(families, texts)

    def _paste(self, text: str) -> None:
        """A block of times at the chosen cell; one that names families is a whole matrix."""
        try:
            grid = read_grid(text)
            whole = headed(self._plan, grid)
        except EngineError as error:
            self._refuse(error.sentence)
            return
        self.wrong.hide()
        if whole is None:
            self.matrix.put(grid, max(self.matrix.currentRow(), 0), max(self.matrix.currentColumn(), 0))
            return
        self._families, texts = whole
        self.families.setText(names_text(self._families))
        self.matrix.show_matrix(self._families, texts)

    def _add(self) -> None:
        """One for the families that tasks of the plan are of, without any set-up yet."""
        if not self._is_taken():
            return
        number = max((*self._before, *(each.id for each in self._changeovers)), default=0) + 1
        families = tuple(dict.fromkeys(task.family for task in self._plan.tasks if task.family))
        ticks = ((0,) * len(families),) * len(families)
        self._changeovers.append(Changeover(number, self.tr("New changeover"), families, ticks))
        self._list(len(self._changeovers) - 1)
        self.name.setFocus()
        self.name.selectAll()

    def _remove(self) -> None:
        if 0 <= self._shown < len(self._changeovers):
            self._changeovers.pop(self._shown)
            self._list(max(self._shown - 1, 0))
