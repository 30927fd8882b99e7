"""Looks: what a person chose to see of the plan in the chart: what colors stand for, which promise, and today.

It never changes a plan.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from engine.model import TaskId
from engine.schedule.schedule import Schedule
from engine.session.scenarios import Branch
from engine.session.state import State
from gui.gantt.coloring import ColorBy
from gui.gantt.extras import Extras
from gui.gantt.paths import paths_of
from gui.gantt.risk_look import RiskLook

_EPOCH = datetime(1970, 1, 1)
_MINUTE_MS = 60_000


class Looks(QObject):
    """`changed` says that the chart is to be drawn anew, `baseline` is the number of the one that is shown, or None."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.color_by = ColorBy.KIND
        self.baseline: int | None = None
        self.now: int | None = present()
        self.shows_paths = False
        self.risk = RiskLook(self)
        self.risk.changed.connect(self.changed)
        self.shows_branches = True
        self._branches: tuple[Branch, ...] = ()
        self._known: frozenset[int] = frozenset()
        self._clock = QTimer(self, interval=_MINUTE_MS)
        self._clock.timeout.connect(lambda: self.set_now(present()))
        self._clock.start()

    def take(self, state: State, *, is_other: bool) -> None:
        """Another state. A plan's first baseline is shown unless a person said otherwise, and a new one at once."""
        numbers = frozenset(baseline.number for baseline in state.plan.baselines)
        was, self._known = self._known, numbers
        self._branches = () if state.scenarios is None else state.scenarios.others
        if is_other or self.baseline not in numbers | {None}:
            self.baseline = min(numbers, default=None)
        elif numbers - was:
            self.baseline = min(numbers - was)
        self.changed.emit()

    def color(self, by: ColorBy) -> None:
        """Has the color of bars stand for something else."""
        self.color_by = by
        self.changed.emit()

    def show_baseline(self, number: int | None) -> None:
        """Shows what one baseline promised under the bars, or no promise."""
        self.baseline = number
        self.changed.emit()

    def show_paths(self, is_shown: bool) -> None:
        """Shows the whole chain of the chosen tasks, or leaves it."""
        self.shows_paths = is_shown
        self.changed.emit()

    def show_branches(self, are_shown: bool) -> None:
        """Shows the bars of other branches under those of this one, or not."""
        self.shows_branches = are_shown
        self.changed.emit()

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The other branches, where they are shown."""
        return self._branches if self.shows_branches else ()

    def set_now(self, now: int | None) -> None:
        """The present instant in seconds of naive local time, a line on calendar plans."""
        self.now = now
        self.changed.emit()

    def on(self, extras: Extras, schedule: Schedule, chosen: tuple[TaskId, ...]) -> Extras:
        """The same with what was chosen here, for the tasks that are chosen there."""
        paths = paths_of(schedule, chosen) if self.shows_paths else None
        seen = replace(extras, color_by=self.color_by, baseline=self.baseline, now=self.now)
        sure, shares = self.risk.fans, self.risk.shares(self.color_by)
        return replace(seen, paths=paths, branches=self.branches, fans=sure, shares=shares)


def present() -> int:
    """Now, as a tick of a calendar plan."""
    return int((datetime.now() - _EPOCH).total_seconds())
