"""Changing: the part of the bridge that changes the plan which is open. It never opens one, nor runs it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from engine.errors import PlanError
from engine.session.devices import Devices
from engine.session.edits import Edit
from engine.session.jobs import Supervisor
from engine.session.state import State
from gui.bridge.filing import in_worker
from gui.bridge.making import Making, Wish
from gui.bridge.rehearsing import Rehearsing
from gui.bridge.running import Running


class Changing(Running):
    """Whatever changes the plan goes through `making`: what was asked before is done before."""

    def __init__(self, supervisor: Supervisor, devices: Devices, parent: QObject | None = None) -> None:
        super().__init__(supervisor, devices, parent)
        self.making = Making(lambda: self._document, self._fail, self._spawn, in_worker, self)
        self.rehearsing = Rehearsing(lambda: self._document, self._spawn, in_worker)
        self.making.clear = self.rehearsing.leave

    @property
    def state(self) -> State | None:
        """The state of the open document."""
        return None if self._document is None else self._document.state

    def execute(self, wish: Wish) -> None:
        """Change the plan, or say why not; a large one is another a little later."""
        self.making.execute(wish)

    def trial(self, edit: Edit) -> State:
        """The state after an edit that is not made. Raises PlanError, and CycleError."""
        if self._document is None:
            raise PlanError("No plan is open.")
        return self._document.trial(edit)

    def undo(self) -> None:
        """Take the last edit back."""
        self.making.step(is_back=True)

    def redo(self) -> None:
        """Make the last undone edit again."""
        self.making.step(is_back=False)

    def run(self) -> None:
        """Run the plan as it is once all is made that was asked, or say why not."""
        self.making.do(super().run)
