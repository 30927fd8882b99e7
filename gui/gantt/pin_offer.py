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
from gui.bridge.making import Wish
from gui.bridge.rehearsing import is_large
from gui.canvas.shapes import Point
from gui.gantt import pins
from gui.gantt.bars import Bar, Layout
from gui.gantt.chart import GanttChart
from gui.gantt.trials import Trial
from gui.gantt.words import instant_text
from gui.theme import METRICS

# Room for the dot that links are drawn from.
_GAP_PX = 20


class PinOffer(QFrame):
    """A line of buttons beside the bar that was dragged. Its buttons are next to the chart for the Tab key."""

    def __init__(
        self, chart: GanttChart, layout: Callable[[], Layout | None], trial: Trial, edit: Callable[[Wish], None]
    ) -> None:
        super().__init__(chart.viewport())
        self._chart, self._layout_of, self._trial, self._edit = chart, layout, trial, edit
        self._tasks: tuple[TaskId, ...] = ()
        self._state: State | None = None
        self.setProperty("role", "card")
        self.setAccessibleName(self.tr("What to make of the pin"))
        self._words = QLabel(self)
        self.keep = self._button(self.tr("&Keep"), self.tr("Leave it: the task starts no earlier"), self._leave)
        self.lag = self._button(
            self.tr("As &lag"), self.tr("Let the task follow its predecessor by a lag instead"), self._turn
        )
        self.remove = self._button(
            self.tr("Re&move"), self.tr("Let the task start as soon as it can again"), self._remove
        )
        across = QHBoxLayout(self)
        across.setContentsMargins(8, 2, 4, 2)
        across.setSpacing(4)
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
        """Stands beside its bar, whatever was scrolled, and goes with a bar that is out of sight."""
        layout = self._layout_of() if self.isVisible() else None
        bar = None if layout is None or not self._tasks else layout.bar_of(self._tasks[0])
        if bar is None or layout is None:
            self.hide()
            return
        width, height = layout.scale.width_px, self._chart.chart_height
        if bar.right < 0 or bar.left > width or not -METRICS.row_px < bar.y < height:
            self.hide()
            return
        x, y = _place(bar, (self.width(), self.height()), (width, height))
        self.move(round(x), round(METRICS.header_px + y))

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
        return self.tr("Pinned to {date}").format(date=instant_text(state.plan, pin or 0))

    def _leave(self) -> None:
        self.hide()
        self._chart.setFocus()

    def _turn(self) -> None:
        if self._state is not None:
            words, none = self.tr("Turn pins into lags"), self.tr("No lag leads to that start.")
            if is_large(self._state):
                self._make(pins.wish_for_lags(self._tasks, words, self._trial, none))
                return
            edit = pins.as_lags(self._state, self._tasks, words, self._trial)
            if edit is None:
                self._words.setText(none)
                self.lag.hide()
                self.adjustSize()
                return
            self._make(edit)

    def _remove(self) -> None:
        self._make(pins.removal(self._tasks, self.tr("Remove pins")))

    def _make(self, edit: Wish) -> None:
        self._leave()
        self._edit(edit)

    def _button(self, text: str, tip: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        button.clicked.connect(lambda _=False: act())
        return button


def _place(bar: Bar, size: tuple[int, int], room: tuple[float, int]) -> Point:
    """Right of a bar, left of it, or below or above it: the first place inside the chart."""
    (wide, high), (width, height) = size, room
    level = bar.y + (METRICS.row_px - high) / 2
    inside = min(max(level, 0.0), max(height - high, 0.0))
    if bar.right + _GAP_PX + wide <= width:
        return bar.right + _GAP_PX, inside
    if bar.left - _GAP_PX - wide >= 0:
        return bar.left - _GAP_PX - wide, inside
    below = bar.y + METRICS.row_px
    x = min(max(bar.left, 0.0), max(width - wide, 0.0))
    return x, below if below + high <= height else max(bar.y - high, 0.0)
