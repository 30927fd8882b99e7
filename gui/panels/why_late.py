"""WhyLate: the chain of tasks that keeps one from its date, and what giving way somewhere would bring, in a dock.

It never finds that out, and never changes a date.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter, QVBoxLayout, QWidget

from engine.model import Plan, TaskId
from engine.session.aims import lateness_of
from engine.session.lateness import Blocked, Cause, Gain, Lateness, Relaxing
from engine.session.state import State
from gui.bridge import Bridge
from gui.bridge.why_late import WhyLate
from gui.canvas.calendar_ticks import elapsed_text
from gui.menus import Actions
from gui.panels.docked import Docked, follow
from gui.panels.task_list import Entry, TaskList
from gui.plan_words import change_text, exact_text, full_name, instant_text

_T = QT_TRANSLATE_NOOP
_HEIGHT_PX = 260
_EVEN = 1000
_CAUSES = {
    Cause.LINK: _T("WhyLate", "link"),
    Cause.MACHINE: _T("WhyLate", "machine"),
    Cause.DATE: _T("WhyLate", "date"),
}
_RELAXED = {
    Relaxing.ORDER: _T("WhyLate", "another order, nothing else"),
    Relaxing.PIN: _T("WhyLate", "no date asked of “{name}”"),
    Relaxing.DUE: _T("WhyLate", "no date to meet for “{name}”"),
    Relaxing.RESOURCE: _T("WhyLate", "one more like “{name}”"),
    Relaxing.HOURS: _T("WhyLate", "“{name}” two hours longer each day"),
}


class WhyLatePanel(QWidget):
    """`task_chosen` carries the id of the task whose row was reached."""

    task_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ground")
        self._found: Lateness | None = None
        causes = self.tr("Task"), self.tr("By"), self.tr("Why")
        self.chain = TaskList(self.tr("What keeps it from its date"), causes)
        gains = self.tr("Given way"), self.tr("Then this task is"), self.tr("All tasks")
        self.gains = TaskList(self.tr("What would help"), gains)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setHandleWidth(1)
        for part in (self.chain, self.gains):
            parts.addWidget(part)
            part.task_chosen.connect(self.task_chosen)
        parts.setSizes([_EVEN, _EVEN])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(parts)
        self.setFocusProxy(self.chain)
        self.show_answer(None)

    def show_answer(self, answer: tuple[State, Lateness | None] | None) -> None:
        """Why a task is late; None while that is found out."""
        self._found = found = None if answer is None else answer[1]
        self.gains.show_entries("", ())
        if found is None:
            waiting, none = self.tr("Looking for what is late…"), self.tr("Every task meets its date.")
            self.chain.show_entries(waiting if answer is None else none, ())
            return
        plan = found.state.plan
        said = self.tr("“{name}” is {late} late: it is to be done by {due}. What keeps it, from the last cause back:")
        late, due = exact_text(plan, found.late), instant_text(plan, found.due)
        words = said.format(name=full_name(plan, found.task), late=late, due=due)
        self.chain.show_entries(words, [Entry(each.task, partial(_words, plan, each)) for each in found.chain])
        self.gains.show_entries(self.tr("Trying what would help…"), ())

    def show_gains(self, gains: Sequence[Gain]) -> None:
        """What would help, the most gained first."""
        found = self._found
        if found is not None:
            said = self.tr("What would help, by a quick try of each and not by a search:")
            entries = [Entry(_about(found, each), partial(_gain_words, found, each)) for each in gains]
            self.gains.show_entries(said, entries)

    def show_failure(self, sentence: str) -> None:
        """Why nothing could be tried."""
        self.gains.show_entries(sentence, ())


class WhyLateDock(Docked):
    """`task_chosen` carries the id of a task that was gone to."""

    task_chosen = Signal(int)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._asking: WhyLate | None = None
        self._selected: TaskId | None = None
        self._is_going = False
        self.panel = WhyLatePanel()
        self.dock = QDockWidget(self.tr("Why late"), window)
        self.dock.setObjectName("why_late")
        self.dock.setWidget(self.panel)
        self.panel.task_chosen.connect(self._go)

    def connect_to(self, bridge: Bridge, actions: Actions) -> None:
        """Ask the bridge while somebody looks, and follow the action."""
        self._asking, panel, action = bridge.why_late, self.panel, actions["show_why_late"]
        bridge.why_late.explained.connect(panel.show_answer)
        bridge.why_late.tried.connect(panel.show_gains)
        bridge.why_late.failed.connect(panel.show_failure)
        follow(self._window, action, self.dock, _HEIGHT_PX)
        action.toggled.connect(self._ask)
        self.dock.visibilityChanged.connect(bridge.why_late.inquiry.want)

    def set_selection(self, tasks: Sequence[TaskId]) -> None:
        """Other tasks are selected; a row that is gone to here is no other question."""
        self._selected = tasks[0] if tasks else None
        if self._asking is not None and not self._is_going:
            self._asking.look_at(self._selected)

    def _go(self, task: TaskId) -> None:
        self._is_going = True
        self.task_chosen.emit(task)
        self._is_going = False

    def _ask(self, is_shown: bool) -> None:
        if is_shown and self._asking is not None:
            self._asking.look_at(self._selected)


def _words(plan: Plan, blocked: Blocked) -> tuple[str, ...]:
    return full_name(plan, blocked.task), _tr(_CAUSES[blocked.cause]), blocked.sentence


def _about(found: Lateness, gain: Gain) -> TaskId:
    """The task that a row is about: the one that gives way, else the late one."""
    is_of_task = gain.relaxed.kind in (Relaxing.PIN, Relaxing.DUE)
    return gain.relaxed.about if is_of_task and gain.relaxed.about is not None else found.task


def _gain_words(found: Lateness, gain: Gain) -> tuple[str, ...]:
    plan, relaxed = found.state.plan, gain.relaxed
    name = ""
    if relaxed.kind in (Relaxing.PIN, Relaxing.DUE) and relaxed.about is not None:
        name = full_name(plan, relaxed.about)
    elif relaxed.about is not None:
        name = next(each.name for each in plan.resources if each.id == relaxed.about)
    what = _tr(_RELAXED[relaxed.kind]).format(name=name)
    if gain.late is None or not gain.is_kept:
        return what, _tr("no plan was found that keeps every rule"), ""
    late = _tr("on time") if gain.late <= 0 else _tr("{late} late").format(late=exact_text(plan, gain.late))
    change = change_text(plan, max(gain.late, 0) - found.late)
    own = f"{late} ({change})" if change else _tr("{late}, no gain").format(late=late)
    weighted = _tr("{late} late in all, by priority").format(late=elapsed_text(lateness_of(gain.tardiness)))
    return what, own, weighted if gain.tardiness else _tr("on time")


def _tr(text: object) -> str:
    return QCoreApplication.translate("WhyLate", str(text))
