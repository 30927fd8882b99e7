"""Workload: asks workers how loaded the plan's resources are, and what leveling them would lead to.

It never changes a plan: what leveling found is an edit that a person may make.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QObject

from engine.model import Clock, Ticks
from engine.schedule.leveling import LevelOptions, loads
from engine.schedule.leveling_load import users
from engine.session.leveling_preview import preview
from engine.session.state import State
from gui.bridge.inquiry import Ask, Begin, Inquiry, Watched


class Workload(QObject):
    """`load` and `board` answer with (State, loads by resource), each for who looks at it, `leveling` with a Preview,
    `users` with (State, instant, who uses the resources then that are looked at), `overloads` with the ids of tasks
    that use more of a resource than there is; all for plans on a calendar alone.
    """

    def __init__(self, spawn: Callable[[Begin, str], object], ask: Ask, parent: QObject) -> None:
        super().__init__(parent)
        self._options = LevelOptions()
        self.load = Inquiry(_loads, spawn, ask, self)
        self.overloads = Inquiry(_overloaded, spawn, ask, self)
        self.board = Inquiry(_loads, spawn, ask, self)
        self.users = Inquiry(self._users, spawn, ask, self)
        self._at: tuple[frozenset[int], Ticks] | None = None
        self.leveling = Inquiry(self._preview, spawn, ask, self)

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now."""
        known = state if state is not None and state.plan.clock is Clock.CALENDAR else None
        self.load.show_state(known)
        self.overloads.show_state(known)
        self.board.show_state(known)
        self.users.show_state(known)
        self.leveling.show_state(known)

    def set_options(self, options: LevelOptions) -> None:
        """Level otherwise from now on."""
        if options != self._options:
            self._options = options
            self.leveling.ask_again()

    def look_at(self, resources: Collection[int], instant: Ticks | None) -> None:
        """Find out who uses some resources at an instant from now on; None: at none."""
        self._at = None if instant is None else (frozenset(resources), instant)
        self.users.want(self._at is not None)
        self.users.ask_again()

    def _users(self, state: State, _: Watched) -> object:
        at = self._at
        return None if at is None else (state, at[1], users(state.plan, state.schedule, *at))

    def _preview(self, state: State, watched: Watched) -> object:
        return preview(state, self._options, watched)


def _loads(state: State, _: Watched) -> object:
    return state, loads(state.plan, state.schedule)


def _overloaded(state: State, _: Watched) -> object:
    found = loads(state.plan, state.schedule).values()
    return frozenset(task for load in found for overload in load.overloads for task in overload.tasks)
