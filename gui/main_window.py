"""MainWindow: a list of parts around one bridge, and what connects them. It never does what a part or a verb does."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from engine.model import Clock, TaskId
from engine.session.jobs import RunJob
from engine.session.problems import cycle_sentence
from engine.session.state import State
from gui.appearance import Appearance
from gui.bridge import Bridge
from gui.canvas.time_scale import TimeScale
from gui.commands import Commands
from gui.dialogs.fault_dialog import FaultDialog
from gui.dialogs.recent_menu import RecentMenu
from gui.docks import Docks
from gui.faults import Fault
from gui.gantt.view import GanttView
from gui.menus import Actions
from gui.pages import Pages
from gui.panels.overlap import OverlapPanel
from gui.panels.status_line import StatusLine
from gui.panels.tool_bar import ToolBar
from gui.pending import Pending
from gui.plan_words import title_of
from gui.theme import Theme
from gui.timeline.run_view import RunView, latest
from gui.timeline.titles import Titles
from gui.timeline.view import TimelineView
from gui.welcome import Welcome

_SIZE = (1600, 1000)
_LEAST = (800, 420)
_FRAME_PX = 40
_ACTUALS_MS = 100


class MainWindow(QMainWindow):
    """`closed` says that the person is done with it: whoever made it leaves in order. It never destroys itself."""

    closed = Signal()
    first_painted = Signal()

    def __init__(self, bridge: Bridge, appearance: Appearance, take_slowest_ms: Callable[[], float]) -> None:
        super().__init__()
        self.bridge = bridge
        self._appearance = appearance
        self._is_painted = self._is_faulty = self._is_refusal = False
        self.gantt = GanttView(bridge.trial, rehearse=bridge.rehearsing.ask, refreshing=bridge.refreshing)
        self.timeline = TimelineView()
        self.overlap = OverlapPanel()
        self.status = StatusLine(take_slowest_ms, self)
        self.commands = Commands(self, bridge, self.gantt, self.timeline)
        self.docks = Docks(self, self.gantt, self.timeline, self.overlap)
        own = {"quit": _quit, "restore_docks": self._restore_docks}
        self.actions_by_id = Actions(self, {**own, **self.commands.acts(appearance)})
        self.welcome = Welcome(self.actions_by_id)
        self.tool_bar = ToolBar(self.actions_by_id, self)
        self._run: RunView | None = None
        self._actuals_wait = QTimer(self, singleShot=True, interval=_ACTUALS_MS)
        self._lay_out()
        pending = Pending(self, bridge, self.status.work, self._update)
        pending.bind(self.actions_by_id, self.pages)
        self._connect()
        self._wear(appearance.theme)
        self._opened(bridge.state)
        self.docks.take_up_layout()
        self.docks.timeline.setVisible(self._is_device)

    def tell_of(self, fault: Fault) -> None:
        """One dialog for a bug, while none is open; the work is kept first."""
        self.bridge.autosave()
        if not self._is_faulty:
            self._is_faulty = True
            kept = self.tr("Your work was kept beside the plan.") if self._is_dirty else ""
            dialog = FaultDialog(fault, kept, self)
            dialog.finished.connect(self._fault_seen)
            dialog.open()

    # Set-up

    def _lay_out(self) -> None:
        self.setObjectName("ground")
        screen = self.screen().availableGeometry()
        room = screen.size() - QSize(0, _FRAME_PX)
        self.setMinimumSize(QSize(*_LEAST).boundedTo(room))
        size = QSize(*_SIZE).boundedTo(room)
        self.resize(size)
        if size.height() == room.height():
            # As high as the screen: anywhere but at its top it would end below it.
            self.move(screen.center().x() - size.width() // 2, screen.top())
        self.addToolBar(self.tool_bar)
        self.pages = Pages(self.welcome, self.gantt, self.bridge)
        self.setCentralWidget(self.pages)
        self.setStatusBar(self.status)

    def _connect(self) -> None:
        bridge, gantt, timeline = self.bridge, self.gantt, self.timeline
        bridge.document_opened.connect(self._opened)
        bridge.state_changed.connect(self._show)
        bridge.run_changed.connect(self._run_changed)
        for do in (self._show_run, self.status.clear):  # what was said and offered was said of another branch
            bridge.branching.switched.connect(do)
        for hear in (timeline.spans_arrived, self.overlap.spans_arrived, self._actuals_late):
            bridge.spans_arrived.connect(hear)
        for told in (bridge.device_changed, bridge.optimizing.availability_changed):
            told.connect(self._update)
        bridge.message.connect(self.status.say)
        bridge.forecasting.forecast_made.connect(self.status.show_predicted)
        bridge.activity.connect(self.status.show_activity)
        self.status.follow(bridge, self.commands.files.load_anew, self.pages.is_held)
        bridge.failed.connect(self._failed)
        bridge.fix_offered.connect(self.status.offer)
        self.status.fix_taken.connect(self.commands.take)
        gantt.edit_made.connect(bridge.execute)
        gantt.selection_changed.connect(self._selected)
        gantt.time_scale_changed.connect(self._chart_moved)
        gantt.refitted.connect(lambda scale: self._chart_moved(scale, is_by_hand=False))
        timeline.time_scale_changed.connect(self._timeline_moved)
        timeline.task_selected.connect(lambda task: gantt.select((task,)))
        self._actuals_wait.timeout.connect(self._show_actuals)
        self.welcome.follow(self.commands.files)
        RecentMenu(self, self.commands.files, self.actions_by_id["open_recent"])
        self._appearance.changed.connect(self._wear)
        self.docks.bind(self.actions_by_id, bridge)
        self.pages.bind(self.actions_by_id)
        self.docks.add_board(self.pages.board)
        self.pages.turned.connect(self.docks.align_left)
        self.docks.optimizer.previewed.connect(self.pages.board.offered.show)
        self.docks.lists.count_changed.connect(self.status.show_conflicts)
        self.status.conflicts_asked.connect(self.docks.lists.show_conflicts)

    # What came

    def _opened(self, state: State | None) -> None:
        self.pages.show_plan(state is not None)
        self.welcome.show_recent(self.commands.files.recent)
        self.docks.timeline.setVisible(self._is_device)
        self.timeline.show_axis(not self._is_device)
        self.status.show_state(state)
        if state is None:
            self.welcome.cards[0].setFocus()
        else:
            self.gantt.select(())
            self._show(state)
            self.docks.align()
            self.gantt.fit()
            self.pages.plan_page.setFocus()
            self._show_run()
        self._update()

    def _show(self, state: State) -> None:
        self.gantt.set_state(state)
        self.gantt.set_failed(state.schedule.cycle)
        titles = Titles(state.plan)
        self.timeline.set_titles(titles)
        self.overlap.set_titles(titles)
        self.status.clear()
        self.bridge.refreshing.soon(self._sum_up)
        if sentence := cycle_sentence(state):
            self.status.warn(sentence, is_lasting=True)
        self._update()

    def _sum_up(self) -> None:
        self.status.sum_up(self.bridge.state)

    def _run_changed(self, job: RunJob | None) -> None:
        if job is not None and job is not self._run:
            # What went wrong before is over.
            self.status.clear()
            self.gantt.set_failed(())
        self._show_run()
        is_over = job is not None and job.outcome is not None and job.timeline.count
        if is_over and job is self._run and self.timeline.is_following:
            # Who followed it to its end sees the whole of it, beside the whole plan.
            self.timeline.fit()
        self._update()

    def _show_run(self) -> None:
        self._run = run = latest(self.bridge.branch_run, self.bridge.runs)
        was_apart = self.timeline.is_apart
        self.timeline.show_run(run)
        if self.timeline.is_apart and not was_apart:
            self.gantt.fit()
        self.overlap.show_run(run)
        self._show_actuals()

    def _actuals_late(self) -> None:
        if not self._actuals_wait.isActive():
            self._actuals_wait.start()

    def _show_actuals(self) -> None:
        """The first iteration under the plan: the others lie to the right of it, in the timeline."""
        timeline = None if self._run is None else self._run.timeline
        spans = () if timeline is None else [timeline.span(task, 0) for task in timeline.names]
        self.gantt.set_run_end(0 if timeline is None else timeline.end_ns_max)
        self.gantt.set_actuals({span.task: (span.start_ns, span.end_ns) for span in spans if span is not None})

    def _failed(self, sentence: str, ids: tuple[TaskId, ...]) -> None:
        self.status.warn(sentence)
        self.gantt.set_failed(ids)
        self._is_refusal = self.bridge.making.is_making

    def _device_changed(self) -> None:
        """The button and the line below say what a run is on while it goes on, the menu what the next one is on."""
        bridge, job = self.bridge, self.bridge.current_run
        kind, repeat, name = bridge.device, bridge.repeat, bridge.device_name
        if job is not None and bridge.is_running:
            kind, repeat, name = job.options.device, job.repeat, job.device.name if job.device else name
        self.tool_bar.show_device(kind, repeat)
        self.actions_by_id.check(f"device_{bridge.device}")
        self.status.show_device(name if self._is_device else "")

    def _selected(self, tasks: tuple[TaskId, ...]) -> None:
        self.timeline.select_task(tasks[0] if tasks else None)
        if self._is_refusal:
            # What was refused concerned what was in hand then.
            self._is_refusal = False
            self.status.clear()
            state = self.bridge.state
            self.gantt.set_failed(() if state is None else state.schedule.cycle)
        self._update()

    def _chart_moved(self, scale: TimeScale, is_by_hand: bool = True) -> None:
        if self._is_device:
            self.timeline.set_time_scale(scale, is_by_hand)

    def _timeline_moved(self, scale: TimeScale) -> None:
        if self._is_device:
            self.gantt.set_time_scale(scale)

    def _update(self) -> None:
        """Offer what can be done now."""
        now = self.commands.situation()
        self.actions_by_id.update(now)
        self.tool_bar.show_paused(now.is_paused)
        state = self.bridge.state
        title, name = "" if state is None else title_of(state), QCoreApplication.applicationName()
        self.tool_bar.show_plan(title, self._is_dirty, state.path if state else "")
        self.setWindowModified(self._is_dirty)
        self.setWindowTitle(f"{title}[*] - {name}" if title else f"{name}[*]")
        self._device_changed()

    # Appearance and life

    @property
    def _is_device(self) -> bool:
        state = self.bridge.state
        return state is not None and state.plan.clock is Clock.DEVICE

    @property
    def _is_dirty(self) -> bool:
        state = self.bridge.state
        return state is not None and state.is_dirty

    def _wear(self, theme: Theme) -> None:
        for part in (self.pages, self.timeline, self.overlap, self.tool_bar, self.docks):
            part.set_theme(theme)
        self.actions_by_id.check(f"theme_{self._appearance.choice}")

    def _restore_docks(self) -> None:
        self.docks.restore()
        self.docks.timeline.setVisible(self._is_device)

    def _fault_seen(self) -> None:
        self._is_faulty = False

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            # After this frame, not within it.
            QTimer.singleShot(0, self.first_painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing ends here: once nothing is unsaved, `closed` says so."""
        event.ignore()
        self.commands.files.before_leaving(self._leave)

    def _leave(self) -> None:
        self.docks.keep_layout()
        self.bridge.close()
        self.closed.emit()


def _quit() -> None:
    """Close every window; each asks about its own changes."""
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow) and window.isVisible():
            window.close()
