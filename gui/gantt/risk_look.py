"""RiskLook: what a chart shows of how sure dates are: of the plan, and of what it would be while something is held.

It never simulates: whoever does hands in what is known.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gui.bridge.risking import Risk
from gui.gantt.coloring import ColorBy
from gui.gantt.fans import Fans
from gui.gantt.shares import Shares


class RiskLook(QObject):
    """`changed` says that there is something else to draw; `sure_by_changed` carries what `sure_by` is by now."""

    changed = Signal()
    sure_by_changed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._of_plan: Fans | None = None
        self._of_trial: Fans | None = None

    def show(self, risk: Risk | None) -> None:
        """What is known by now: of the plan, or of what is held, which stays until what it was dropped to is known."""
        known = None if risk is None or risk.answers is None else risk.answers
        if risk is not None and risk.is_trial:
            if known is not None:
                self._of_trial = Fans(known, risk.before)
        else:
            self._of_trial = None
            self._of_plan = None if known is None else Fans(known)
            self.sure_by_changed.emit(self.sure_by)
        self.changed.emit()

    @property
    def fans(self) -> Fans | None:
        """What is shown now."""
        return self._of_trial or self._of_plan

    @property
    def sure_by(self) -> int | None:
        """By when the plan is done in nine of ten samples."""
        return None if self._of_plan is None else self._of_plan.answers.project.p90.value

    def shares(self, by: ColorBy) -> Shares | None:
        """What bars are painted by, where colors stand for that: of the plan, for what is held is painted over it."""
        return self._of_plan.shares if self._of_plan is not None and by is ColorBy.CHANCE else None
