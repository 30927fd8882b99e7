"""Docks: what stands around the chart, how it is moved, closed, brought back, and found again at the next start.

It never knows what a dock shows.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QByteArray, QObject, QSettings, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QVBoxLayout, QWidget

from gui.board.view import BoardView
from gui.bridge import Bridge
from gui.gantt.look_acts import chosen
from gui.gantt.view import GanttView
from gui.menus import Actions
from gui.panels.lists import Lists
from gui.panels.machine import MachinePanel
from gui.panels.optimizer_dock import OptimizerDock
from gui.panels.overlap import OverlapPanel
from gui.panels.plan_docks import PlanDocks
from gui.panels.refresh import Refresh
from gui.panels.risk_dock import RiskDock
from gui.panels.scenarios_dock import ScenariosDock
from gui.panels.workload_docks import WorkloadDocks
from gui.theme import METRICS, Theme
from gui.timeline.view import TimelineView
from gui.work_dock import WorkDock

_TIMELINE_PX = 420
_SHARE = 0.45
_VERSION = 1
_LINE_PX = 1
_CHART, _BOARD = "left_width", "board_left_width"  # what the widths of their left sides are kept as


class Docks(QObject):
    """The timeline's dock and the card of figures in it, and the lists of tasks that need a person."""

    _restored = Signal()

    def __init__(self, window: QMainWindow, gantt: GanttView, timeline: TimelineView, overlap: OverlapPanel) -> None:
        super().__init__(window)
        self._window = window
        self._gantt = gantt
        self._timeline = timeline
        self._overlap = overlap
        timeline.set_side(overlap)
        self.timeline = QDockWidget(self.tr("Timeline"), window)
        self.timeline.setObjectName("timeline")
        self.timeline.setWidget(timeline)
        self.timeline.setTitleBarWidget(_handle(timeline.header))
        self.lists = Lists(window)
        self.workload = WorkloadDocks(window)
        self.plan = PlanDocks(window)
        self.scenarios = ScenariosDock(window)
        self.optimizer = OptimizerDock(window)
        self.risk = RiskDock(window)
        self.work = WorkDock(window)
        self.machine = QDockWidget(self.tr("Machine"), window)
        self.machine.setObjectName("machine")
        self.machine_panel = MachinePanel()
        self.machine.setWidget(self.machine_panel)
        self._pages: dict[str, GanttView | BoardView] = {_CHART: gantt}
        self._left_px = dict.fromkeys((_CHART, _BOARD), METRICS.left_width_px)
        self._has_layout = False
        gantt.left_width_changed.connect(self.set_left_width)
        for moved in (gantt.time_scale_changed, gantt.refitted):
            moved.connect(self.workload.load.set_time_scale)
        self.workload.load.scale_changed.connect(gantt.set_time_scale)
        for offering in (self.workload, self.optimizer):
            offering.previewed.connect(gantt.set_preview)
        gantt.selection_changed.connect(self.workload.leveling.set_selection)
        gantt.selection_changed.connect(self.plan.inspector.set_selection)
        gantt.selection_changed.connect(self.optimizer.why.set_selection)
        self.lists.chain_chosen.connect(gantt.select)
        for told in (self.lists, self.workload, self.plan, self.scenarios, self.optimizer, self.risk):
            told.task_chosen.connect(gantt.desk.reveal)
        self.restore()

    def bind(self, actions: Actions, bridge: Bridge) -> None:
        """Have the actions show and hide, and be checked by what is shown; have the bridge find out what that is."""
        self._bind_workload(actions, bridge)
        self._bind_machine(actions, bridge)
        self.lists.connect_to(bridge)
        self.plan.connect_to(bridge, actions)
        self._bind_branches(actions, bridge)
        self.optimizer.connect_to(bridge, actions)
        self.risk.connect_to(bridge, actions)
        self.work.connect_to(bridge, actions)
        actions["keep_in_place"].triggered.connect(lambda: self.optimizer.keep(self._gantt.selection))
        self._gantt.chart.doubled.connect(partial(self._open_details, actions["show_inspector"]))
        looks = self._gantt.looks
        looks.changed.connect(lambda: actions.check(*chosen(looks)))
        actions["show_paths"].toggled.connect(looks.show_paths)
        actions["show_legend"].toggled.connect(self._gantt.legend.set_shown)
        self._bind_baseline(bridge)
        actions["next_gap"].triggered.connect(lambda: self._timeline.explaining.go(1))
        actions["take_advice"].triggered.connect(bridge.take_advice)
        actions["show_path"].toggled.connect(self._timeline.explaining.show_path)
        self._timeline.explaining.explained.connect(bridge.message)
        bridge.advising.advised.connect(self._overlap.show_advice)
        self._overlap.advice_taken.connect(bridge.take_advice)
        actions["show_timeline"].toggled.connect(self.timeline.setVisible)
        actions["show_overlap"].toggled.connect(self._overlap.setVisible)
        for name in ("show_overlap", "show_counters"):  # what stands within the timeline is not seen without it
            actions[name].triggered.connect(lambda is_shown: self.timeline.setVisible(is_shown or self._has_timeline))
        actions["show_counters"].toggled.connect(self._timeline.show_counters)
        self._timeline.body.names.folded.connect(actions["show_counters"].toggle)

        for name, dock in zip(("show_conflicts", "show_recorded"), self.lists.docks, strict=True):
            actions[name].toggled.connect(partial(self.lists.set_shown, dock))
            dock.visibilityChanged.connect(
                lambda _, name=name, dock=dock: _check(actions[name], is_checked=not dock.isHidden())
            )

        def check() -> None:
            _check(actions["show_timeline"], is_checked=self._has_timeline)
            _check(actions["show_overlap"], is_checked=self._has_timeline and not self._overlap.isHidden())

        self.timeline.visibilityChanged.connect(check)
        self._restored.connect(check)
        check()

    @property
    def _has_timeline(self) -> bool:
        return not self.timeline.isHidden()

    def restore(self) -> None:
        """Every part where it was at first."""
        self.timeline.setFloating(False)
        self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.timeline)
        self.lists.restore()
        self.workload.restore()
        self.plan.restore()
        self.scenarios.restore()
        self.optimizer.restore()
        self.risk.restore()
        self.work.restore()
        self.machine.setFloating(False)
        self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.machine)
        self.machine.hide()
        self._share_height()
        self._left_px = dict.fromkeys(self._left_px, METRICS.left_width_px)
        self.align_left()
        self._overlap.setVisible(True)
        self._restored.emit()

    def take_up_layout(self) -> None:
        """The layout in which this person left the window."""
        settings = QSettings()
        geometry, docks = settings.value("geometry"), settings.value("docks")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        if isinstance(docks, QByteArray):
            self._has_layout = self._window.restoreState(docks, _VERSION)
            self.lists.hide()
            self.workload.hide()
            self.plan.hide()
            self.scenarios.hide()
            self.optimizer.hide()
            self.risk.hide()
            self.work.hide()
            for page in self._left_px:
                self._left_px[page] = int(str(settings.value(page, METRICS.left_width_px)))
            self.align_left()

    def keep_layout(self) -> None:
        """Remember the layout for the next start; that of the docks, if any was seen."""
        settings = QSettings()
        settings.setValue("geometry", self._window.saveGeometry())
        if not self._has_layout:
            return
        settings.setValue("docks", self._window.saveState(_VERSION))
        for page, width_px in self._left_px.items():
            settings.setValue(page, width_px)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        for part in (self.workload, self.plan, self.optimizer, self.risk, self.work):
            part.set_theme(theme)

    def add_board(self, board: BoardView) -> None:
        """The board, whose left side has a width of its own."""
        self._pages[_BOARD] = board
        board.left_width_changed.connect(partial(self.set_left_width, page=_BOARD))

    def set_left_width(self, width_px: int, page: str = _CHART) -> None:
        """The left side of chart or board, and the names below as wide: then a bar stands above what happened."""
        self._left_px[page] = width_px
        self._pages[page].set_left_width(width_px)
        if not self._pages[page].isHidden():
            # The names end where the chart above begins: after the table and the line that parts them.
            self._timeline.set_left_width(width_px + _LINE_PX)
            self.workload.load.set_left_width(width_px + _LINE_PX)

    def align_left(self) -> None:
        """Chart and board get the width of their left sides, the names below that of the one which is in sight."""
        for page in self._pages:
            self.set_left_width(self._left_px[page], page)

    def align(self) -> None:
        """Give the parts their sizes once they are shown; before, they have none to keep."""
        self.align_left()
        if not self._has_layout:
            self._has_layout = True
            self._share_height()

    def _bind_machine(self, actions: Actions, bridge: Bridge) -> None:
        panel = self.machine_panel
        panel.bind(bridge.describe_machine, bridge.prediction_errors)
        panel.calibrate.clicked.connect(actions["calibrate"].trigger)
        refresh = Refresh(self.machine, bridge.refreshing, panel.refresh)
        refresh.soon()
        for told in (bridge.state_changed, bridge.document_opened, bridge.run_changed, bridge.device_changed):
            told.connect(lambda *_: refresh.soon())
        actions["show_machine"].toggled.connect(self.machine.setVisible)
        self.machine.visibilityChanged.connect(
            lambda _: _check(actions["show_machine"], is_checked=not self.machine.isHidden())
        )

    def _open_details(self, shows: QAction) -> None:
        """Opens what is known of the task that the first press chose; one on the ground chose none."""
        if self._gantt.selection:
            shows.setChecked(True)

    def _bind_baseline(self, bridge: Bridge) -> None:
        """The baseline that the plan is compared with is the one under the bars."""
        looks, comparing = self._gantt.looks, bridge.comparing

        def shown() -> None:
            is_file = isinstance(comparing.other, str)
            if looks.baseline is not None and not is_file and comparing.other != looks.baseline:
                comparing.choose(looks.baseline)

        def chosen_other(other: object) -> None:
            if isinstance(other, int) and other != looks.baseline:
                looks.show_baseline(other)

        looks.changed.connect(shown)
        comparing.chosen.connect(chosen_other)

    def _bind_branches(self, actions: Actions, bridge: Bridge) -> None:
        """The bar above the chart is what its strips are told apart by."""
        self.scenarios.connect_to(bridge, actions)
        bar, looks, shows = self._gantt.desk.branches, self._gantt.looks, actions["show_branches"]
        bar.bind(actions["new_branch"])
        bar.switch_asked.connect(bridge.branching.switch)
        for told in (bridge.document_opened, bridge.state_changed):
            told.connect(lambda state: bar.show_scenarios(None if state is None else state.scenarios))
        shows.setChecked(looks.shows_branches)
        shows.toggled.connect(looks.show_branches)

    def _bind_workload(self, actions: Actions, bridge: Bridge) -> None:
        work = self.workload
        work.connect_to(bridge)
        actions["level"].triggered.connect(work.show_leveling)
        actions["show_load"].toggled.connect(self._show_load)
        work.load_dock.visibilityChanged.connect(
            lambda _: _check(actions["show_load"], is_checked=not work.load_dock.isHidden())
        )

    def _show_load(self, is_shown: bool) -> None:
        self.workload.load.set_time_scale(self._gantt.time_scale)
        self.workload.show_load(is_shown)

    def _share_height(self) -> None:
        height = min(_TIMELINE_PX, round(_SHARE * self._window.height()))
        self._window.resizeDocks([self.timeline], [height], Qt.Orientation.Vertical)


def _check(action: QAction, *, is_checked: bool) -> None:
    """Mark what is shown, without showing it once more."""
    with QSignalBlocker(action):
        action.setChecked(is_checked)


def _handle(header: QWidget) -> QWidget:
    """The view's own header as what the dock is moved by, at its full height."""
    handle = QWidget()
    layout = QVBoxLayout(handle)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(header)
    return handle
