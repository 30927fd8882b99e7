"""Commands: what each action of the table does, as calls on the bridge and on the views. It never draws."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, pairwise

import numpy as np
import pyqtgraph
from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QWidget

from engine.model import Clock, Dependency, Plan, TaskId
from engine.session.date_edits import ClearDelays
from engine.session.edits import AddLink, Edit, RemovePin, RemoveTasks
from engine.session.jobs import MOST_REPEATS
from engine.session.plan_edits import Together
from gui.actions import SAMPLES, Situation
from gui.appearance import Appearance
from gui.branch_acts import BranchActs
from gui.bridge import Bridge
from gui.dialogs.calibrate_dialog import CalibrateDialog
from gui.dialogs.help_dialogs import show_about, show_shortcuts
from gui.dialogs.kits_dialog import KitsDialog, ask_to_trust
from gui.dialogs.operation_dialog import OperationDialog
from gui.dialogs.plan_files import PlanFiles
from gui.gantt.editing import Editing
from gui.gantt.going import Going
from gui.gantt.link_acts import LinkActs
from gui.gantt.look_acts import look_acts
from gui.gantt.table_acts import TableActs
from gui.gantt.view import GanttView
from gui.menus import ask_menu
from gui.naming import Naming
from gui.planning import Planning
from gui.printing.exporting import Exporting
from gui.recurring_acts import RecurringActs
from gui.shop_acts import ShopActs
from gui.timeline.view import TimelineView
from gui.uncertainty_acts import UncertaintyActs

Act = Callable[[], object]


class Commands(QObject):
    """Bound to one window. `acts` gives what each action does, but for those of the window itself."""

    def __init__(self, window: QWidget, bridge: Bridge, gantt: GanttView, timeline: TimelineView) -> None:
        super().__init__(window)
        self.files = PlanFiles(bridge, window)
        self.planning = Planning(window, bridge)
        self.branches = BranchActs(window, bridge, gantt.desk.reveal)
        self._window = window
        self._bridge = bridge
        self._gantt = gantt
        self._timeline = timeline
        self.exporting = Exporting(gantt, bridge.message.emit, lambda sentence: bridge.failed.emit(sentence, ()))
        self._editing = Editing(gantt, bridge.trial, bridge.message.emit)
        self.links = LinkActs(gantt, window, bridge.failed.emit)
        self.table = TableActs(bridge, gantt, self)
        self.naming = Naming(window, bridge, gantt, self.table, self.ask_operation)
        bridge.trust_asked.connect(self.ask_to_trust)

    def acts(self, appearance: Appearance) -> dict[str, Act]:
        """What each action does, by its id."""
        files, bridge, gantt = self.files, self._bridge, self._gantt
        return {
            "new_plan": partial(files.new, Clock.CALENDAR),
            "new_device_plan": partial(files.new, Clock.DEVICE),
            "open": files.open,
            **{name: partial(files.open_sample, name) for name, _ in SAMPLES},
            "save": files.save,
            "save_as": files.save_as,
            "add_holidays": files.add_holidays,
            "print": self.exporting.show_dialog,
            "save_picture": self.exporting.choose_picture,
            "copy_picture": self.exporting.copy_picture,
            "close": files.close,
            "undo": bridge.undo,
            "redo": bridge.redo,
            **self.naming.acts(),
            "operation": self.ask_operation,
            "delete": self.delete,
            "link": self.link,
            "remove_pin": self.remove_pin,
            **self._editing.acts(),
            **self.links.acts(),
            "menu_here": ask_menu,
            **Going(gantt, self._window).acts(),
            **self.table.acts(),
            **look_acts(gantt.looks),
            "follow": partial(self._timeline.set_following, True),
            **{f"theme_{choice}": partial(appearance.choose, choice) for choice in ("system", "light", "dark")},
            "run": bridge.run,
            "pause": self.pause,
            "cancel": bridge.cancel,
            "repeat": self.ask_repeat,
            "kits": self.show_kits,
            "clear_delays": self.clear_delays,
            **{f"device_{kind}": partial(bridge.set_device, kind) for kind in ("cpu", "simulated", "cuda")},
            "calibrate": self.calibrate,
            **self.planning.acts(),
            **ShopActs(self._window, bridge, gantt).acts(),
            **RecurringActs(self._window, bridge, gantt).acts(),
            **UncertaintyActs(self._window, bridge, gantt).acts(),
            **self.branches.acts(),
            "shortcuts": partial(show_shortcuts, self._window),
            "about": self.about,
        }

    def ask_operation(self) -> None:
        """Ask what the selected task does on the device."""
        state, selected = self._bridge.state, self._gantt.selection
        if state is not None and self.situation().is_operable:
            OperationDialog(state, selected[0], self._bridge.trial, self._bridge.execute, self._window).open()

    def show_kits(self) -> None:
        """Show the kernels of a person's own that the plan knows."""
        KitsDialog(self._bridge, self._window).open()

    def ask_to_trust(self, folders: tuple[str, ...]) -> None:
        """Ask whether the code that a run needs may run, and run it then."""
        ask_to_trust(self._window, folders, partial(self._trust_and_run, folders))

    def take(self, fix: Edit | Act) -> None:
        """Do what was offered: an edit, or something else."""
        if callable(fix):
            fix()
        else:
            self._bridge.execute(fix)

    def delete(self) -> None:
        """Take away the chosen link or pin, else the selected tasks."""
        if not self._gantt.pointer.delete() and (selected := self._selected()):
            self._bridge.execute(RemoveTasks(selected))

    def link(self) -> None:
        """Have the selected task wait for the one above it; several wait for each other in a row."""
        plan = self._plan()
        if plan is None:
            return
        tasks = sorted(self._selected(), key=plan.rows.__getitem__)
        above = _above(plan, tasks[0]) if len(tasks) == 1 else None
        row = tasks if above is None else [above, *tasks]
        links = [AddLink(Dependency(before, after)) for before, after in pairwise(row)]
        self._execute_all(links, self.tr("Link {count} tasks").format(count=len(row)))

    def remove_pin(self) -> None:
        """Let the selected tasks start as soon as they can."""
        pins = [RemovePin(task) for task in self._selected()]
        self._execute_all(pins, self.tr("Unpin {count} tasks").format(count=len(pins)))

    def _execute_all(self, edits: Sequence[Edit], words: str) -> None:
        """One step of the history, whatever there are."""
        if edits:
            self._bridge.execute(edits[0] if len(edits) == 1 else Together(words, tuple(edits)))

    def clear_delays(self) -> None:
        """Take back what leveling delayed: of the selected tasks, of all where none is selected."""
        plan = self._plan()
        if plan is not None:
            self._bridge.execute(ClearDelays(self._selected() or tuple(task.id for task in plan.tasks)))

    def pause(self) -> None:
        """Pause the run, or go on."""
        job = self._bridge.current_run
        if job is not None:
            (self._bridge.resume if job.is_paused else self._bridge.pause)()

    def ask_repeat(self) -> None:
        """Ask how often the plan runs in a row."""
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle(self.tr("Repeat"))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        question = self.tr("How often the plan is run in a row, {most:,} times at most")
        dialog.setLabelText(question.format(most=MOST_REPEATS))
        dialog.setIntRange(1, MOST_REPEATS)
        dialog.setIntValue(self._bridge.repeat)
        dialog.intValueSelected.connect(self._bridge.set_repeat)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def calibrate(self) -> None:
        """Offer to measure the device that Run uses."""
        bridge = self._bridge
        CalibrateDialog(bridge.calibrating, bridge.device, bridge.device_name, self._window).open()

    def about(self) -> None:
        """What this is made of, and what it runs on."""
        show_about(self._window, _facts(self._bridge))

    def situation(self) -> Situation:
        """What decides now which actions are offered."""
        state, job = self._bridge.state, self._bridge.current_run
        if state is None:
            return Situation(
                why_no_run=self.tr("Open a device plan to run it."), can_calibrate=_can_calibrate(self._bridge)
            )
        plan, selected = state.plan, self._selected()
        is_leaf = len(selected) == 1 and not plan.is_summary(selected[0])
        return Situation(
            is_open=True,
            is_dirty=state.is_dirty,
            undo_label=state.undo_label or (self.tr("what is being made") if self._bridge.making.is_pending else ""),
            redo_label=state.redo_label,
            selected=selected,
            is_pinned=_is_pinned(plan, selected),
            is_operable=is_leaf and plan.clock is Clock.DEVICE,
            is_leaf=is_leaf,
            is_delayed=state.schedule.is_delayed,
            is_device=plan.clock is Clock.DEVICE,
            is_running=self._bridge.is_running and job is not None and not job.is_canceling,
            is_paused=job is not None and job.is_paused,
            can_calibrate=_can_calibrate(self._bridge),
            why_no_run=self._why_no_run(plan),
            baselines=frozenset(baseline.number for baseline in plan.baselines),
            is_searching=self._bridge.optimizing.is_on,
            has_offer=self._bridge.optimizing.offer is not None,
            has_branches=state.scenarios is not None and len(state.scenarios.branches) > 1,
            link_kind="" if self._gantt.pointer.link is None else self._gantt.pointer.link.kind.value,
        )

    def _trust_and_run(self, folders: tuple[str, ...]) -> None:
        self._bridge.kits.trust(folders)
        self._bridge.run()

    def _why_no_run(self, plan: Plan) -> str:
        if plan.clock is Clock.CALENDAR:
            return self.tr("Run belongs to device plans: this plan has a calendar, and no operations for a device.")
        if not plan.tasks:
            return self.tr("There is nothing to run yet: add tasks.")
        if self._bridge.calibrating.is_on:
            return self.tr("The device is being measured.")
        return self.tr("A run goes on.") if self._bridge.is_running else ""

    def _selected(self) -> tuple[TaskId, ...]:
        """The selected tasks of the plan that is open: the chart may still hold those of the one before."""
        plan = self._plan()
        return () if plan is None else tuple(task for task in self._gantt.selection if task in plan.rows)

    def _plan(self) -> Plan | None:
        state = self._bridge.state
        return None if state is None else state.plan


def _is_pinned(plan: Plan, selected: Sequence[TaskId]) -> bool:
    """Whether any of these tasks has a pin, or of those in them."""
    tasks, rows, held = plan.tasks, plan.rows, plan.children
    own = (tasks[rows[each]] for each in selected if each not in held)
    lying = (tasks[rows[leaf]] for each in selected if each in held for leaf in plan.leaves(each))
    return any(task.pin is not None for task in chain(own, lying))


def _can_calibrate(bridge: Bridge) -> bool:
    return bridge.device != "simulated" and not bridge.is_running and not bridge.calibrating.is_on


def _above(plan: Plan, task_id: TaskId) -> TaskId | None:
    """The nearest row above that can be linked to a task: neither in it nor around it."""
    around = {task_id}
    parent = plan.task(task_id).parent
    while parent is not None:
        around.add(parent)
        parent = plan.task(parent).parent
    for task in reversed(plan.tasks[: plan.rows[task_id]]):
        if task.id not in around:
            return task.id
    return None


def _facts(bridge: Bridge) -> tuple[tuple[str, str], ...]:
    """What this is made of, and what it runs on."""
    translate = QCoreApplication.translate
    device = bridge.device_name or translate("Commands", "not started")
    return (
        (translate("Commands", "Warploom"), QGuiApplication.applicationVersion()),
        (translate("Commands", "Device"), f"{bridge.device}: {device}"),
        (
            translate("Commands", "Compiled kernels"),
            translate("Commands", "Numba {version}, interpreter lock released").format(version=_numba()),
        ),
        (translate("Commands", "Python"), platform.python_version()),
        (translate("Commands", "Qt for Python"), pyside_version),
        (translate("Commands", "pyqtgraph"), pyqtgraph.__version__),
        (translate("Commands", "NumPy"), np.__version__),
        (translate("Commands", "Platform"), f"{platform.platform()}, {QGuiApplication.platformName()}"),
    )


def _numba() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("numba")
    except PackageNotFoundError:  # a frozen app carries no metadata
        return ""
