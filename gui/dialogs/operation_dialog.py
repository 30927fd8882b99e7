"""OperationDialog: what a task of a device plan does, as a form. It never changes a plan: an edit comes out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model import TaskId
from engine.session.edits import SetOperation
from engine.session.state import State
from gui.canvas.device_ticks import duration_text
from gui.dialogs.buffer_field import focus_in_order
from gui.dialogs.fitted_dialog import FittedDialog
from gui.dialogs.operation_form import OperationForm
from gui.theme import METRICS

Trial = Callable[[SetOperation], State]
_WIDTH_PX = 560
_US = 1_000
_MOST_US = 60_000_000.0


class OperationDialog(FittedDialog):
    """`trial` computes the State an edit would lead to, and may raise an EngineError; `execute` makes the edit."""

    def __init__(
        self, state: State, task: TaskId, trial: Trial, execute: Callable[[SetOperation], object], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._state, self._task = state, state.plan.task(task)
        self._trial, self._execute = trial, execute
        self.setWindowTitle(self.tr("Operation of “{name}”").format(name=self._task.name))
        self.form = OperationForm(state.plan, self._task, self)
        self.stream, self.source, self.length = QComboBox(), QComboBox(), QDoubleSpinBox()
        self.once = QCheckBox(self.tr("Once: in the &first pass of a run only"))
        self.once.setToolTip(
            self.tr("For what all passes use and none changes, such as weights: later passes do not wait for it")
        )
        self.verdict = QLabel()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._set_up()
        self._lay_out()
        self._connect()
        self._reorder()
        self._update()
        self.finished.connect(self.deleteLater)

    def edit(self) -> SetOperation:
        """The edit as the form stands. Raises PlanError where what is typed cannot be read."""
        duration = round(self.length.value() * _US) if self.source.currentData() else None
        spec = replace(self.form.spec(), is_once=self.once.isChecked())
        return SetOperation(self._task.id, spec, self.stream.currentText(), self.form.buffers(), duration)

    def accept(self) -> None:
        """Makes the edit, or says why not and stays."""
        refusal, _ = self._tried()
        if refusal:
            self._say(refusal, "error")
            return
        self._execute(self.edit())
        super().accept()

    def _set_up(self) -> None:
        plan, task = self._state.plan, self._task
        self.stream.setEditable(True)
        self.stream.addItems([stream.name for stream in plan.streams] or [self.tr("Stream 1")])
        held = next((stream.name for stream in plan.streams if stream.id == plan.stream_of.get(task.id)), "")
        self.stream.setCurrentText(held or self.stream.itemText(0))
        self.source.addItem(self.tr("from its cost"), False)
        self.source.addItem(self.tr("typed"), True)
        self.source.setCurrentIndex(int(task.operation is not None and task.is_duration_typed))
        self.once.setChecked(task.operation is not None and task.operation.is_once)
        self.length.setRange(0.001, _MOST_US)
        self.length.setDecimals(3)
        self.length.setSuffix(" µs")
        dates = self._state.schedule
        self.length.setValue((dates.finish_of(task.id) - dates.start_of(task.id)) / _US)
        self.length.setAccessibleName(self.tr("Duration in microseconds"))

    def _lay_out(self) -> None:
        duration = QHBoxLayout()
        duration.addWidget(self.source)
        duration.addWidget(self.length, 1)
        self.rows = QFormLayout()
        self.rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self.rows.addRow(self.tr("&Stream"), self.stream)
        self.rows.addRow(self.tr("&Duration"), duration)
        self.rows.addRow("", self.once)
        label = self.rows.labelForField(duration)
        if isinstance(label, QLabel):
            label.setBuddy(self.source)
        self.verdict.setWordWrap(True)
        self.verdict.setMinimumHeight(2 * METRICS.row_px)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(4 * (4 * METRICS.grid_px,)))
        column.setSpacing(2 * METRICS.grid_px)
        column.addWidget(self.form)
        column.addLayout(self.rows)
        column.addStretch()
        column.addWidget(self.verdict)
        column.addWidget(self.buttons)
        self.setMinimumWidth(_WIDTH_PX)

    def _connect(self) -> None:
        self.form.changed.connect(self._update)
        self.form.rebuilt.connect(self._reorder)
        self.stream.currentTextChanged.connect(self._update)
        self.source.currentIndexChanged.connect(self._update)
        self.length.valueChanged.connect(self._update)
        self.once.toggled.connect(self._update)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _reorder(self) -> None:
        """Tab goes down the form, whatever was made later, and the window is as high as its fields need."""
        self.form.align(self.rows)
        focus_in_order([*self.form.widgets, self.stream, self.source, self.length, self.once, *self.buttons.buttons()])
        for layout in (self.form.layout(), self.layout()):
            if layout is not None:
                layout.activate()
        self.resize(self.width(), self.sizeHint().height())

    def _update(self) -> None:
        self.length.setVisible(bool(self.source.currentData()))
        refusal, ticks = self._tried()
        if refusal:
            self._say(refusal, "muted")
        else:
            self._say(self.tr("It takes {duration}.").format(duration=duration_text(ticks)), "muted")

    def _tried(self) -> tuple[str, int]:
        """Why the edit cannot be made, or how long the task would take."""
        try:
            dates = self._trial(self.edit()).schedule
        except EngineError as error:
            return error.sentence, 0
        return "", dates.finish_of(self._task.id) - dates.start_of(self._task.id)

    def _say(self, sentence: str, role: str) -> None:
        self.verdict.setText(sentence)
        self.verdict.setProperty("role", role)
        self.verdict.style().polish(self.verdict)
