"""DriverPage: what makes many lengths longer or shorter together, and how those correlate. It never checks a matrix."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError, PlanError
from engine.model import DriverCorrelation, Plan, RiskDriver
from engine.session.pasting import read_grid
from engine.session.typed_impacts import correlation_texts, read_correlations
from gui.dialogs.matrix_table import MatrixTable
from gui.theme import METRICS

_LIST_PX = 270
_USED_PX = 64
_NAME_PX = 150


class DriverPage(QWidget):
    """A list of drivers, and beside it a matrix of their correlations, of which both halves are one."""

    def __init__(self, plan: Plan, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._risks = plan.risks
        self._ids = [driver.id for driver in plan.risks.drivers]
        self._next = max(self._ids, default=0) + 1
        self._used = Counter(driver for task in plan.tasks if task.risk for driver, _ in task.risk.loadings)
        self.list, self.matrix = QTableWidget(0, 2), MatrixTable()
        self.add, self.remove = QPushButton(self.tr("&New driver")), QPushButton(self.tr("&Remove it"))
        self.wrong = QLabel()
        self._lay_out()
        for driver in plan.risks.drivers:
            self._add_row(driver.name, self._used[driver.id])
        self._show(correlation_texts(plan.risks.drivers, plan.risks.matrix()))
        self._before = self.matrix.texts()
        self.list.itemChanged.connect(self._head)
        self.matrix.itemChanged.connect(self._mirror)
        self.matrix.pasted.connect(self._paste)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)

    def drivers(self) -> tuple[RiskDriver, ...]:
        """Those that are entered. Raises PlanError where one has no name."""
        names = self._names()
        if "" in names:
            raise PlanError(self.tr("A risk driver needs a name."))
        return tuple(RiskDriver(number, name) for number, name in zip(self._ids, names, strict=True))

    def correlations(self) -> tuple[DriverCorrelation, ...]:
        """How they go together. Raises PlanError where something is no number of -1 to 1."""
        drivers, risks = self.drivers(), self._risks
        is_untouched = drivers == risks.drivers and self.matrix.texts() == self._before
        return risks.correlations if is_untouched else read_correlations(drivers, self.matrix.texts())

    # Set-up

    def _lay_out(self) -> None:
        self.list.setHorizontalHeaderLabels([self.tr("Driver"), self.tr("Tasks")])
        self.list.setAccessibleName(self.tr("Risk drivers"))
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setDefaultSectionSize(METRICS.row_px)
        self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.setColumnWidth(1, _USED_PX)
        self.list.setTabKeyNavigation(False)
        self.list.setFixedWidth(_LIST_PX)
        self.list.horizontalHeader().setHighlightSections(False)
        self.matrix.verticalHeader().setMaximumWidth(_NAME_PX)
        for header in (self.matrix.verticalHeader(), self.matrix.horizontalHeader()):
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.matrix.setAccessibleName(self.tr("Correlations between risk drivers"))
        words = self.tr(
            "A driver, such as weather, a supplier or a new team, makes all tasks that follow it longer or shorter "
            "together; how far each does is said of tasks (Ctrl+Alt+U). Here: how far two drivers go together, -1 to 1."
        )
        hint = QLabel(words)
        hint.setWordWrap(True)
        hint.setProperty("role", "muted")
        self.wrong.setWordWrap(True)
        self.wrong.setProperty("role", "error")
        self.wrong.hide()
        left, right, across = QVBoxLayout(), QVBoxLayout(), QHBoxLayout(self)
        left.addWidget(self.list, 1)
        for button in (self.add, self.remove):
            button.setAutoDefault(False)
            left.addWidget(button)
        right.addWidget(self.matrix, 1)
        right.addWidget(hint)
        right.addWidget(self.wrong)
        across.setContentsMargins(*(4 * (2 * METRICS.grid_px,)))
        across.setSpacing(4 * METRICS.grid_px)
        across.addLayout(left)
        across.addLayout(right, 1)

    def _add_row(self, name: str, used: int) -> None:
        row = self.list.rowCount()
        self.list.insertRow(row)
        self.list.setItem(row, 0, QTableWidgetItem(name))
        count = QTableWidgetItem(f"{used:,}" if used else "")
        count.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.list.setItem(row, 1, count)

    # What a person does

    def _add(self) -> None:
        texts = self.matrix.texts()
        self._ids.append(self._next)
        self._next += 1
        self.list.blockSignals(True)
        self._add_row(self.tr("New driver"), 0)
        self.list.blockSignals(False)
        self._show((*((*row, "") for row in texts), ("",) * len(self._ids)))
        self.list.setCurrentCell(len(self._ids) - 1, 0)
        self.list.setFocus()
        if (item := self.list.item(len(self._ids) - 1, 0)) is not None:
            self.list.editItem(item)

    def _remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            texts = [[*line[:row], *line[row + 1 :]] for line in self.matrix.texts()]
            self._ids.pop(row)
            self.list.removeRow(row)
            self._show(tuple(map(tuple, (*texts[:row], *texts[row + 1 :]))))

    def _paste(self, text: str) -> None:
        """A block of numbers at the chosen cell; the other half of the matrix follows."""
        try:
            grid = read_grid(text)
        except EngineError as error:
            self.wrong.setText(error.sentence)
            self.wrong.show()
            return
        self.wrong.hide()
        self.matrix.put(grid, max(self.matrix.currentRow(), 0), max(self.matrix.currentColumn(), 0))

    # The matrix

    def _names(self) -> list[str]:
        found = (self.list.item(row, 0) for row in range(self.list.rowCount()))
        return ["" if item is None else item.text().strip() for item in found]

    def _show(self, texts: tuple[tuple[str, ...], ...]) -> None:
        self.matrix.blockSignals(True)
        self.matrix.show_matrix(self._names(), texts)
        self.matrix.blockSignals(False)
        self._head()
        self.remove.setEnabled(bool(self._ids))

    def _head(self) -> None:
        """The names above and beside the matrix; of a driver with itself nothing is said."""
        self.matrix.setVerticalHeaderLabels(self._names())
        self.matrix.setHorizontalHeaderLabels(self._names())
        self.matrix.blockSignals(True)
        for place in range(self.matrix.rowCount()):
            item = QTableWidgetItem("1")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.matrix.setItem(place, place, item)
        self.matrix.blockSignals(False)

    def _mirror(self, item: QTableWidgetItem) -> None:
        """What is said of two drivers stands in both halves."""
        row, column = item.row(), item.column()
        self.matrix.blockSignals(True)
        if row != column:
            self.matrix.put(((item.text(),),), column, row)
        self.matrix.blockSignals(False)
        self._head()
