"""Pages: what stands in the middle of the window: the welcome, or the open plan as a chart or as a board.

They never open a plan.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QStackedWidget

from engine.session.importing import is_instance
from engine.session.state import State
from gui.board.view import BoardView
from gui.bridge import Bridge
from gui.canvas.time_scale import TimeScale
from gui.gantt.view import GanttView
from gui.menus import Actions
from gui.theme import Theme
from gui.welcome import Welcome


class Pages(QStackedWidget):
    """One page at a time. The chart keeps what is chosen and the stretch of time, and the board follows it.

    `turned` tells that the plan is shown as the other now.
    """

    turned = Signal()

    def __init__(self, welcome: Welcome, gantt: GanttView, bridge: Bridge) -> None:
        super().__init__()
        self.board = BoardView(bridge.trial, rehearse=bridge.rehearsing.ask)
        self._welcome, self.gantt, self._bridge = welcome, gantt, bridge
        self._is_board = self._is_open = False
        self._is_for_instance = False  # the board stands there because of what is open, not because it was asked for
        for page in (welcome, gantt, self.board):
            self.addWidget(page)

    def bind(self, actions: Actions) -> None:
        """Have the board show and tell what the chart does, and an action show the one or the other."""
        board, gantt, bridge = self.board, self.gantt, self._bridge
        for told in (bridge.document_opened, bridge.state_changed):
            told.connect(board.set_state)
            told.connect(self._show_branches)
        bridge.document_opened.connect(self._opened)
        gantt.looks.changed.connect(self._show_branches)
        bridge.workload.board.answered.connect(board.show_loads)
        gantt.looks.changed.connect(lambda: board.set_color_by(gantt.looks.color_by))
        board.holding.held.connect(bridge.dropping.look)
        bridge.dropping.found.connect(board.holding.show)
        for view in (board, gantt):
            view.trying.changed.connect(bridge.risking.try_out)
        for risk in (board.risk, gantt.looks.risk):
            bridge.risking.changed.connect(risk.show)
        actions["color_chance"].triggered.connect(lambda: actions["risk"].setChecked(True))
        board.edit_made.connect(bridge.execute)
        board.chosen.connect(gantt.select)
        board.scale_changed.connect(gantt.set_time_scale)
        board.scale_changed.connect(gantt.time_scale_changed)
        gantt.selection_changed.connect(board.set_selection)
        for moved in (gantt.time_scale_changed, gantt.refitted):
            moved.connect(self._follow)
        board.chart.resized.connect(self._refit)
        for page in (board, gantt):
            page.right_button.asked.connect(actions.popup)
        actions.is_held = self.is_held
        self._action = actions["show_board"]
        self._action.toggled.connect(self.show_board)

    def show_plan(self, is_open: bool) -> None:
        """The plan that is open, or the welcome where none is."""
        self._is_open = is_open
        self._turn()

    def show_board(self, is_shown: bool) -> None:
        """The plan as a board, or as a chart, with the keyboard in it."""
        self._is_board, self._is_for_instance = is_shown, False
        with QSignalBlocker(self._action):
            self._action.setChecked(is_shown)
        self._turn()
        if self._is_open:
            self.plan_page.setFocus()
            self.gantt.refitted.emit((self.board if is_shown else self.gantt).chart.time_scale)

    def _opened(self, state: State | None) -> None:
        """A benchmark instance is about machines: it opens as a board, and what follows as a chart again."""
        if state is not None and is_instance(state.plan) is not self._is_board:
            is_turned = not self._is_board
            if is_turned or self._is_for_instance:
                self.show_board(is_turned)
                self._is_for_instance = is_turned

    def set_theme(self, theme: Theme) -> None:
        """Every page in the colors of a theme from now on."""
        for page in (self._welcome, self.gantt, self.board):
            page.set_theme(theme)

    def is_held(self) -> bool:
        """Whether the mouse holds something of the plan."""
        return self.board.pointer.is_held or self.gantt.is_held

    @property
    def plan_page(self) -> BoardView | GanttView:
        """What the open plan is shown as."""
        return self.board if self._is_board else self.gantt

    def _show_branches(self) -> None:
        """The branches whose bars the chart shows are seen on the board too."""
        self.board.offered.show_branches(self.gantt.looks.branches)

    def _turn(self) -> None:
        self.setCurrentWidget(self.plan_page if self._is_open else self._welcome)
        self._bridge.workload.board.want(self._is_board)
        self.turned.emit()
        if self._is_board:
            self._follow(self.gantt.time_scale)

    def _follow(self, scale: TimeScale) -> None:
        """The stretch of time that the chart shows; a plan that is seen whole is so on a board of another width."""
        self.board.set_time_scale(self.gantt.sight.whole(self.board.chart.width()) or scale)

    def _refit(self) -> None:
        """The board has another width, while the chart behind it keeps its own."""
        whole = self.gantt.sight.whole(self.board.chart.width()) if self._is_board else None
        if whole is not None:
            self.gantt.refitted.emit(whole)
