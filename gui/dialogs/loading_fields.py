"""LoadingFields: how far tasks go along with each risk driver of the plan. They never change a plan."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from engine.errors import PlanError
from engine.model import Plan, Task, TaskId
from engine.session.typed_spreads import read_percent
from gui.theme import METRICS

_FIELD_PX = 90


class LoadingFields(QWidget):
    """A field a driver, in percent from -100 to 100; empty where tasks do not follow it, or differ."""

    def __init__(self, plan: Plan, tasks: Sequence[Task], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tasks = tuple(tasks)
        self.fields: dict[int, QLineEdit] = {}
        self._before: dict[int, str] = {}
        column, form = QVBoxLayout(self), QFormLayout()
        column.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(3 * METRICS.grid_px)
        form.setVerticalSpacing(METRICS.grid_px)
        for driver in plan.risks.drivers:
            field = self._field(driver.id, driver.name)
            form.addRow(driver.name.replace("&", "&&"), field)
        hint = QLabel(self.tr("The plan has no risk drivers yet: Ctrl+Alt+E makes them."))
        if self.fields:
            hint.setText(self.tr("100 %: as long or short as the driver says; negative: the other way around."))
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        column.addLayout(form)
        column.addWidget(hint)

    def changes(self) -> dict[tuple[tuple[int, float], ...], tuple[TaskId, ...]]:
        """The loadings that tasks are to have, with those tasks. Raises PlanError where one is no number."""
        given = {driver: self._value(driver) for driver, field in self.fields.items() if self._is_changed(driver)}
        found: dict[tuple[tuple[int, float], ...], tuple[TaskId, ...]] = {}
        for task in self._tasks if given else ():
            loadings = tuple((driver, value) for driver, value in (_loadings(task) | given).items() if value)
            found[loadings] = (*found.get(loadings, ()), task.id)
        return found

    def _is_changed(self, driver: int) -> bool:
        return self.fields[driver].text().strip() != self._before[driver]

    def _field(self, driver: int, name: str) -> QLineEdit:
        values = {_loadings(task).get(driver, 0.0) for task in self._tasks}
        field = QLineEdit()
        field.setFixedWidth(_FIELD_PX)
        field.setAccessibleName(self.tr("How far it follows {driver}").format(driver=name))
        field.setPlaceholderText(self.tr("various") if len(values) > 1 else self.tr("not"))
        value = values.pop() if len(values) == 1 else 0.0
        self._before[driver] = f"{100 * value:.6g}%" if value else ""
        field.setText(self._before[driver])
        self.fields[driver] = field
        return field

    def _value(self, driver: int) -> float:
        text = self.fields[driver].text().strip()
        value = read_percent(text) if text else 0.0
        if value is None or not -1 <= value <= 1:
            words = self.tr("“{text}” does not say how far a task follows a driver: write -100% to 100%.")
            raise PlanError(words.format(text=text))
        return value


def _loadings(task: Task) -> dict[int, float]:
    return dict(task.risk.loadings) if task.risk is not None else {}
