"""PinOffer: after a drag that leaves a pin, what to make of it: keep it, say it by a lag, or take it away.

It never holds anything up: it is gone with the next edit, with Esc, and with its bar.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from engine.model import TaskId
from engine.session.edits import Edit
from engine.session.state import State
from gui.gantt import pins
from gui.gantt.bars import Layout
from gui.gantt.chart import GanttChart
from gui.gantt.dragging import Trial
from gui.gantt.words import instant_text
from gui.theme import METRICS

_GAP_PX = 4


class PinOffer(QFrame):
    """A line of buttons below the bar that was dragged. Its buttons are next to the chart for the Tab key."""

    def __init__(
        self, chart: GanttChart, layout: Callable[[], Layout | None], trial: Trial, edit: Callable[[Edit], None]
    ) -> None:
        super().__init__(chart.viewport())
        self._chart, self._layout_of, self._trial, self._edit = chart, layout, trial, edit
        self._tasks: tuple[TaskId, ...] = ()
        self._state: State | None = None
        self.setObjectName("card")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("What to make of the pin"))
        self._words = QLabel(self)
        self.keep = self._button(self.tr("&Keep pin"), self.tr("Leave it: the task starts no earlier"), self._leave)
        self.lag = self._button(
            self.tr("Turn into &lag"), self.tr("Let the task follow its predecessor by a lag instead"), self._turn
        )
        self.remove = self._button(
            self.tr("&Remove pin"), self.tr("Let the task start as soon as it can again"), self._remove
        )
        across = QHBoxLayout(self)
        across.setContentsMargins(8, 4, 8, 4)
        for part in (self._words, self.keep, self.lag, self.remove):
            across.addWidget(part)
        self.hide()

    def consider(self, edit: Edit, before: State | None, after: State | None) -> None:
        """An edit was made: where it left a pin, the choice is offered."""
        if before is None or after is None or before is after:
            return
        self._tasks = pins.left_by(edit, before, after)
        if not self._tasks:
            return
        self._state = after
        self._words.setText(self._sentence(after))
        self.lag.setVisible(pins.has_predecessors(after, self._tasks))
        self.adjustSize()
        self.show()
        self.raise_()
        self.follow()

    def follow(self) -> None:
        """Stands below its bar, inside the chart, whatever was scrolled; goes with a bar that is out of sight."""
        layout = self._layout_of() if self.isVisible() else None
        bar = None if layout is None or not self._tasks else layout.bar_of(self._tasks[0])
        if bar is None or layout is None:
            self.hide()
            return
        top, height = METRICS.header_px, self._chart.chart_height
        y = bar.y + METRICS.row_px + _GAP_PX
        if y + self.height() > height:
            y = bar.y - _GAP_PX - self.height()
        if bar.right < 0 or bar.left > layout.scale.width_px or not -METRICS.row_px < bar.y < height:
            self.hide()
            return
        x = min(max(bar.left, 4.0), max(layout.scale.width_px - self.width() - 4, 4.0))
        self.move(round(x), round(top + max(y, 0.0)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves the pin, and goes back to the chart."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _sentence(self, state: State) -> str:
        if len(self._tasks) > 1:
            return self.tr("{count} tasks are pinned.").format(count=len(self._tasks))
        pin = state.plan.task(self._tasks[0]).pin
        return self.tr("Pinned: starts no earlier than {date}").format(date=instant_text(state.plan, pin or 0))

    def _leave(self) -> None:
        self.hide()
        self._chart.setFocus()

    def _turn(self) -> None:
        if self._state is not None:
            words = self.tr("Turn pins into lags")
            edit = pins.as_lags(self._state, self._tasks, words, self._trial)
            if edit is None:
                self._words.setText(self.tr("No lag leads to that start."))
                self.lag.hide()
                self.adjustSize()
                return
            self._make(edit)

    def _remove(self) -> None:
        self._make(pins.removal(self._tasks, self.tr("Remove pins")))

    def _make(self, edit: Edit) -> None:
        self._leave()
        self._edit(edit)

    def _button(self, text: str, tip: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        button.clicked.connect(lambda _=False: act())
        return button
