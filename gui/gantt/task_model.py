"""TaskModel: the rows of a state as Qt asks for them. It never draws, and never decides which rows there are."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from engine.model import Clock
from engine.schedule.reasons import reason
from engine.session.state import State
from gui.gantt import sureness
from gui.gantt.cells import cell_text
from gui.gantt.column_words import meaning, title
from gui.gantt.columns import COLUMNS, WORDS, Column
from gui.gantt.figures import figures_of
from gui.gantt.rows import Rows
from gui.gantt.words import instant_text
from gui.sample_words import row_sentence

Index = QModelIndex | QPersistentModelIndex
_LENGTHS = frozenset({Column.DURATION, Column.FLOAT, Column.FREE_FLOAT, Column.WORK})


class TaskModel(QAbstractTableModel):
    """One row a task in sight, one column a Column, whether it is shown or not."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.state: State | None = None
        self.rows: Rows | None = None

    def show_rows(self, state: State, rows: Rows) -> None:
        """Other rows or other figures; the place in the table stays when the rows are the same tasks."""
        is_same = self.rows is not None and rows.are_of(self.rows)
        if is_same:
            self.state, self.rows = state, rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))
        else:
            self.beginResetModel()
            self.state, self.rows = state, rows
            self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if self.rows is None or (parent is not None and parent.isValid()) else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self.state is None or self.rows is None or not index.isValid():
            return None
        row, column = index.row(), COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(self.state, self.rows, row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft if column in WORDS else Qt.AlignmentFlag.AlignRight
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.sentence(row) if column is Column.TASK else self._cell_sentence(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._cell_tip(row, column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return title(COLUMNS[section])
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._meaning(COLUMNS[section]) or None
        return None

    def _meaning(self, column: Column) -> str:
        """What a column says, and how long a day is in one of lengths."""
        text = meaning(column)
        if column not in _LENGTHS or self.state is None or self.state.plan.clock is Clock.DEVICE:
            return text
        hours = f"{self.state.plan.settings.hours_per_day:g}"
        return text + self.tr(" A day (d) is {hours} hours of work.").format(hours=hours)

    def sentence(self, row: int) -> str:
        """A row as a screen reader says it: "Design, Mon 2 Mar 2026 08:00 to Fri 6 Mar 2026 17:00, 40 %, critical"."""
        if self.state is None or self.rows is None:
            return ""
        if row in self.rows.headings:
            return self.tr("Group: {words}").format(words=self.rows.tasks[row].name)
        plan_row = int(self.rows.plan_rows[row])
        schedule, plan, task = self.state.schedule, self.state.plan, self.rows.tasks[row]
        text = self.tr("{task}, {start} to {finish}").format(
            task=task.name,
            start=instant_text(plan, int(schedule.start[plan_row])),
            finish=instant_text(plan, int(schedule.finish[plan_row])),
        )
        if task.progress is not None and task.progress.percent:
            text += f", {task.progress.percent:.0f} %"
        return text + self._standing(row)

    def _standing(self, row: int) -> str:
        """What else the look of a bar says, in words."""
        if self.state is None or self.rows is None:
            return ""
        plan_row, task, dates = int(self.rows.plan_rows[row]), self.rows.tasks[row], self.state.schedule
        if not task.is_active:
            return self.tr(", taken out of the plan")
        text = self.tr(", milestone") if task.is_milestone else ""
        if task.id in self.rows.summaries:
            text += self.tr(", summary")
        if dates.is_critical[plan_row]:
            text += self.tr(", critical")
        elif dates.is_near_critical[plan_row]:
            text += self.tr(", nearly critical")
        is_late = task.deadline is not None and int(dates.finish[plan_row]) > task.deadline
        return text + self.tr(", deadline missed") if is_late else text

    def tip(self, row: int) -> str:
        """The sentence of a row, and on a calendar below it why the task is dated so, a line a cause."""
        if self.state is None or self.rows is None or self.state.plan.clock is Clock.DEVICE:
            return self.sentence(row)
        if row in self.rows.headings:
            return self.sentence(row)
        why = reason(self.state.plan, self.state.schedule, self.rows.tasks[row].id)
        return "\n".join((self.sentence(row), *(f"{text[:1].upper()}{text[1:]}." for text in why)))

    def _cell_sentence(self, row: int, column: Column) -> str:
        """A cell as a screen reader says it: "Deadline of Design: none"."""
        if self.state is None or self.rows is None:
            return ""
        words = cell_text(self.state, self.rows, row, column) or self.tr("none")
        sentence = self.tr("{column} of {task}: {words}")
        return sentence.format(column=title(column), task=self.rows.tasks[row].name, words=words)

    def _cell_tip(self, row: int, column: Column) -> str | None:
        if column is Column.TASK:
            return self.tip(row)
        if self.rows is not None and row in self.rows.headings:
            return None
        if column is Column.DURATION:
            return self._origin(row)
        if column is Column.SURE_FINISH:
            return self._surely(row)
        return None if self.state is None or self.rows is None else self._whole(row, column)

    def _surely(self, row: int) -> str | None:
        """How many samples a P80 rests on."""
        if self.state is None or self.rows is None:
            return None
        answers = sureness.answers_of(self.state.plan)
        return None if answers is None else row_sentence(self.state.plan, answers, int(self.rows.plan_rows[row]))

    def _whole(self, row: int, column: Column) -> str | None:
        """Words that may not fit their cell; of predecessors also what they are called."""
        if self.state is None or self.rows is None or column not in WORDS:
            return None
        if column is not Column.PREDECESSORS:
            return cell_text(self.state, self.rows, row, column) or None
        plan = self.state.plan
        links = figures_of(self.state).links_to.get(self.rows.tasks[row].id, ())
        lines = (f"{plan.rows[link.predecessor] + 1}  {plan.task(link.predecessor).name}" for link in links)
        return "\n".join(lines) or None

    def _origin(self, row: int) -> str | None:
        """Where a duration comes from, when no person typed it."""
        if self.state is None or self.rows is None or not self.state.schedule.is_estimated[self.rows.plan_rows[row]]:
            return None
        sentence = self.tr("Estimated from the device profile “{profile}”. Drag the end of the bar to type your own.")
        return sentence.format(profile=self.state.plan.settings.profile)
