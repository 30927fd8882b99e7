"""TaskTable: the rows of the plan as a table beside the chart, row for row.

It never scrolls or selects on its own: the view that holds both does.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from engine.model import Clock
from engine.schedule.reasons import reason
from engine.session.state import State
from gui.canvas.painter import draw, elided, text_width
from gui.canvas.shapes import Align, Box, Label, Line, Shape
from gui.canvas.time_chart import wheel_px
from gui.gantt.cells import FIGURES, PAD_PX, Column, cell_shapes, cell_text, column_width, expander_left, row_lines
from gui.gantt.keyboard import reach_of
from gui.gantt.rows import Rows
from gui.gantt.words import instant_text
from gui.theme import LIGHT, METRICS, Theme

Index = QModelIndex | QPersistentModelIndex
_COLUMNS = tuple(Column)
_NAME_PX = 100


def _title(column: Column) -> str:
    return {
        Column.TASK: QCoreApplication.translate("TaskTable", "Task"),
        Column.DURATION: QCoreApplication.translate("TaskTable", "Duration"),
        Column.FLOAT: QCoreApplication.translate("TaskTable", "Float"),
        Column.START: QCoreApplication.translate("TaskTable", "Start"),
        Column.FINISH: QCoreApplication.translate("TaskTable", "Finish"),
    }[column]


class TaskModel(QAbstractTableModel):
    """The rows of a state as Qt asks for them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.state: State | None = None
        self.rows: Rows | None = None

    def show_rows(self, state: State, rows: Rows) -> None:
        """Other rows or other figures; the place in the table stays when the rows are the same tasks."""
        is_same = self.rows is not None and self.rows.row_of.keys() == rows.row_of.keys()
        if is_same:
            self.state, self.rows = state, rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(_COLUMNS) - 1))
        else:
            self.beginResetModel()
            self.state, self.rows = state, rows
            self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if self.rows is None or (parent is not None and parent.isValid()) else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(_COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self.state is None or self.rows is None or not index.isValid():
            return None
        column = _COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(self.state, self.rows, index.row(), column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft if column is Column.TASK else Qt.AlignmentFlag.AlignRight
        if role == Qt.ItemDataRole.AccessibleTextRole and column is Column.TASK:
            return self.sentence(index.row())
        if role == Qt.ItemDataRole.ToolTipRole and column in {Column.TASK, Column.DURATION}:
            return self.tip(index.row()) if column is Column.TASK else self._origin(index.row())
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        column = _COLUMNS[section] if orientation is Qt.Orientation.Horizontal else None
        if column is not None and role == Qt.ItemDataRole.DisplayRole:
            return _title(column)
        if role == Qt.ItemDataRole.ToolTipRole and column in {Column.DURATION, Column.FLOAT}:
            return self._meaning(column)
        return None

    def _meaning(self, column: Column) -> str:
        """What a column of durations says, and how long a day is in it."""
        text = self.tr("How long a task takes.")
        if column is Column.FLOAT:
            text = self.tr("How much later a task may finish without delaying the plan.")
        if self.state is None or self.state.plan.clock is Clock.DEVICE:
            return text
        hours = f"{self.state.plan.settings.hours_per_day:g}"
        return text + self.tr(" A day (d) is {hours} hours of work.").format(hours=hours)

    def sentence(self, row: int) -> str:
        """A row as a screen reader says it: "Design, Mon 2 Mar 2026 08:00 to Fri 6 Mar 2026 17:00, critical"."""
        if self.state is None or self.rows is None:
            return ""
        plan_row = int(self.rows.plan_rows[row])
        schedule, plan = self.state.schedule, self.state.plan
        text = self.tr("{task}, {start} to {finish}").format(
            task=self.rows.tasks[row].name,
            start=instant_text(plan, int(schedule.start[plan_row])),
            finish=instant_text(plan, int(schedule.finish[plan_row])),
        )
        return text + self.tr(", critical") if schedule.is_critical[plan_row] else text

    def tip(self, row: int) -> str:
        """The sentence of a row, and on a calendar below it why the task is dated so, a line a cause."""
        if self.state is None or self.rows is None or self.state.plan.clock is Clock.DEVICE:
            return self.sentence(row)
        why = reason(self.state.plan, self.state.schedule, self.rows.tasks[row].id)
        return "\n".join((self.sentence(row), *(f"{text[:1].upper()}{text[1:]}." for text in why)))

    def _origin(self, row: int) -> str | None:
        """Where a duration comes from, when no person typed it."""
        if self.state is None or self.rows is None or not self.state.schedule.is_estimated[self.rows.plan_rows[row]]:
            return None
        sentence = self.tr("Estimated from the device profile “{profile}”. Drag the end of the bar to type your own.")
        return sentence.format(profile=self.state.plan.settings.profile)


class _Delegate(QStyledItemDelegate):
    """Draws cells with the canvas kit, so that table and chart look alike."""

    theme = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, model = self.parent(), index.model()
        if not isinstance(table, TaskTable) or not isinstance(model, TaskModel):
            return
        if model.state is None or model.rows is None:
            return
        rect: QRect = option.rect
        is_selected = table.selectionModel().isRowSelected(index.row(), QModelIndex())
        ground = "selection" if is_selected else "panel"
        shapes: list[Shape] = [Box(0, 0, rect.width(), METRICS.row_px, ground)]
        place = (index.row(), _COLUMNS[index.column()])
        shapes += cell_shapes(model.state, model.rows, place, rect.width(), elided)
        shapes += row_lines(0, rect.width(), is_selected and table.hasFocus())
        painter.save()
        painter.translate(rect.topLeft())
        draw(painter, shapes, self.theme)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(_NAME_PX, METRICS.row_px)


class _Header(QHeaderView):
    """Titles at the height of the time axis's lower tier."""

    theme = LIGHT

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(METRICS.header_px)
        self.setHighlightSections(False)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        width, height = float(rect.width()), float(METRICS.header_px)
        align = Align.LEFT if section == 0 else Align.RIGHT
        shapes: list[Shape] = [
            Box(0, 0, width, height, "panel"),
            Label(PAD_PX, METRICS.tier_px, width - 2 * PAD_PX, _title(_COLUMNS[section]), "muted", align),
            Line(((0, height - 0.5), (width, height - 0.5)), "line"),
        ]
        painter.save()
        painter.translate(rect.topLeft())
        draw(painter, shapes, self.theme)
        painter.restore()


class TaskTable(QTableView):
    """The table. `folded` carries the id of a summary whose triangle was clicked, `row_chosen` a row and a Reach,
    `wheel_turned` pixels to scroll down.
    """

    folded = Signal(int)
    wheel_turned = Signal(int)
    row_chosen = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.task_model = TaskModel(self)
        self._header, self._delegate = _Header(self), _Delegate(self)
        self.setHorizontalHeader(self._header)
        self.setItemDelegate(self._delegate)
        self.setModel(self.task_model)
        self.setAccessibleName(self.tr("Tasks"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(METRICS.row_px)
        self.verticalHeader().setDefaultSectionSize(METRICS.row_px)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_up_columns()

    def _set_up_columns(self) -> None:
        self._header.setSectionResizeMode(_COLUMNS.index(Column.TASK), QHeaderView.ResizeMode.Stretch)
        for column in (Column.START, Column.FINISH):
            self.setColumnHidden(_COLUMNS.index(column), True)
        self._header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._header.customContextMenuRequested.connect(
            lambda at: self._column_menu().popup(self._header.mapToGlobal(at))
        )

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self._header.theme = self._delegate.theme = theme
        self._header.viewport().update()
        self.viewport().update()

    def show_rows(self, state: State, rows: Rows) -> None:
        """Other rows or other figures; columns are as wide as their figures need."""
        self.task_model.show_rows(state, rows)
        for column in FIGURES:
            title_px = text_width(_title(column))
            width = column_width(state, rows, column, title_px, text_width)
            self._header.resizeSection(_COLUMNS.index(column), width)
        self.doItemsLayout()

    def set_column_shown(self, column: Column, is_shown: bool) -> None:
        """Shows or hides a column."""
        self.setColumnHidden(_COLUMNS.index(column), not is_shown)

    def select_rows(self, rows: Sequence[int]) -> None:
        """Selects rows, the first of them the present one, without telling."""
        model = self.selectionModel()
        model.blockSignals(True)
        flags = QItemSelectionModel.SelectionFlag
        chosen = QItemSelection()
        for row in rows:
            chosen.select(self.task_model.index(row, 0), self.task_model.index(row, 0))
        model.setCurrentIndex(self.task_model.index(rows[0], 0) if rows else QModelIndex(), flags.NoUpdate)
        model.select(chosen, flags.ClearAndSelect | flags.Rows)
        model.blockSignals(False)
        self.viewport().update()

    def _column_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column in _COLUMNS[1:]:
            action = menu.addAction(_title(column))
            action.setCheckable(True)
            action.setChecked(not self.isColumnHidden(_COLUMNS.index(column)))
            action.toggled.connect(lambda is_shown, column=column: self.set_column_shown(column, is_shown))
        return menu

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a triangle folds, one elsewhere chooses the row."""
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        rows = self.task_model.rows
        left = None if rows is None or index.column() else expander_left(rows, index.row())
        if rows is not None and left is not None and left - 4 <= event.position().x() <= left + 12:
            self.folded.emit(rows.tasks[index.row()].id)
        else:
            self.row_chosen.emit(index.row(), reach_of(event.modifiers()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Nothing: dragging over rows does not select."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left to the view, for keys mean the same in table and chart."""
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Nothing on rows; the header has one."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Handed on, for the rows of table and chart scroll as one."""
        self.wheel_turned.emit(wheel_px(event.angleDelta().y()))
        event.accept()
