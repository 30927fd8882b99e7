"""RiskPanel: how sure a plan is, in pictures, words and tables, as it is known by now and beside how it was before.

It never simulates and never changes the plan: who does is told.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.model import Clock
from engine.session.risking import Answers, Outlook, share
from engine.session.state import State
from gui.bridge.risking import Risk, Takes
from gui.panels.risk_cost import MOST_POINTS, CostPanel, Joint
from gui.panels.risk_figures import deadline_rows, outlook_in, swing_rows, task_rows
from gui.panels.risk_finish import Finish
from gui.panels.risk_finish_view import FinishView
from gui.panels.risk_head import RiskHead
from gui.panels.risk_table import NOTHING, RiskTable, Rows
from gui.panels.risk_takes import TakesPanel
from gui.panels.risk_tornado import TornadoDelegate
from gui.panels.risk_words import chance_words, lesson_words
from gui.plan_words import instant_text
from gui.theme import METRICS, Theme

# Words and tables follow a drag no more often than this.
REST_MS = 100
_HEAD_PX, _FINISH_PX, _TABLES_PX = 300, 460, 780
_LESSON_PX, _NAME_PX = 560, 200
_CRITICAL = 1  # the column of the table of tasks
_DRAWN, _DRAWN_PX = 1, 120  # the column of the tornado


class RiskPanel(QWidget):
    """`started` asks to simulate, `canceled` to simulate no further; `takes_asked` carries an instant and a confidence,
    `takes_made` the Takes to be made; `task_chosen` a task's id.
    """

    started = Signal()
    canceled = Signal()
    takes_asked = Signal(object, float)
    takes_made = Signal(object)
    task_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ground")
        self._risk: Risk | None = None
        self._is_due = False
        self._wait = QTimer(self, singleShot=True, interval=REST_MS)
        self._wait.timeout.connect(self._wait_over)
        self.lesson = QLabel()
        self.lesson.setTextFormat(Qt.TextFormat.PlainText)
        self.lesson.setWordWrap(True)
        self.lesson.setMaximumWidth(_LESSON_PX)
        self.lesson.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.start = QPushButton(self.tr("&Simulate"))
        self.start.setProperty("primary", True)
        self.start.setToolTip(self.tr("Simulate the plan, after each edit and during each drag"))
        self.head, self.finish, self.takes = RiskHead(), FinishView(), TakesPanel()
        self.swings = RiskTable(self.tr("What moves the end, and how far"))
        self._tornado = TornadoDelegate(self.swings)
        self.swings.setItemDelegateForColumn(_DRAWN, self._tornado)
        self.tasks = RiskTable(self.tr("How often each task decides the end"), _NAME_PX)
        self.tasks.sort_by(_CRITICAL)
        self.deadlines = RiskTable(self.tr("The chance of each deadline"))
        self.costs = CostPanel()
        self.tabs = QTabWidget()
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.show_risk(None, is_on=False)

    def show_risk(self, risk: Risk | None, *, is_on: bool) -> None:
        """What is known by now; None where nothing is simulated."""
        self._risk = risk
        words = lesson_words(risk, is_on=is_on)
        self.lesson.setText(words)
        self.start.setVisible(not is_on)
        self._stack.setCurrentIndex(0 if words else 1)
        self.setFocusProxy(self.start if words else self.head.what)
        if risk is None or risk.answers is None or words:
            return
        self._show_finish()
        if risk.is_trial and not self._wait.isActive():
            self._wait.start()  # the frame that shows where the marker went shows nothing else anew
        self._is_due = self._wait.isActive()
        if not self._is_due:
            self._show_rest()

    def show_takes(self, found: Takes | None) -> None:
        """What a wanted date takes, as far as that is known."""
        self.takes.show_takes(found)

    def forget(self) -> None:
        """Another plan is open: nothing was asked of it."""
        self.head.forget()
        self.takes.forget()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        for part in (self.finish, self.costs.view, self._tornado):
            part.theme = theme
        for view in (self.finish, self.costs.view, self.swings.viewport()):
            view.update()

    def _show_finish(self) -> None:
        """The thing that is asked about, with the confidence that is: what is looked at during a drag."""
        risk = self._risk
        outlooks = None if risk is None else self._outlooks(risk)
        if risk is None or outlooks is None:
            return
        plan, task, (now, before) = risk.state.plan, self.head.task, outlooks
        deadline = None if task is None else plan.task(task).deadline
        words, is_calendar = partial(instant_text, plan), plan.clock is Clock.CALENDAR
        names = self.tr("planned"), self.tr("deadline"), self.tr("done by then"), self.tr("done then")
        self.finish.show_finish(Finish(now, before, deadline, self.head.confidence, is_calendar, words, *names))

    def _show_rest(self) -> None:
        """Words and tables: they would take most of a frame, so during a drag they come a few times a second."""
        risk = self._risk
        if risk is None or risk.answers is None:
            return
        self._is_due = False
        self._wait.start()
        self.head.show_things(risk)
        self.takes.show_risk(risk)
        outlooks = self._outlooks(risk)
        if outlooks is not None:
            self.head.show_outlook(risk, *outlooks)
        self._show_costs(risk.state, risk.answers)
        self._show_tables()

    def _wait_over(self) -> None:
        if self._is_due:
            self._show_rest()

    def _asked(self) -> None:
        """Something else is asked about what is known."""
        self._show_finish()
        self._show_rest()

    def _outlooks(self, risk: Risk) -> tuple[Outlook, Outlook | None] | None:
        """Of what is asked about, now and before."""
        task = self.head.task
        now = None if risk.answers is None else outlook_in(risk.state, risk.answers, task)
        before = None if risk.before is None else outlook_in(risk.state, risk.before, task)
        return None if now is None else (now, before)

    def _show_tables(self) -> None:
        """The table that is seen; the others when they are."""
        risk = self._risk
        if risk is None or risk.answers is None:
            return
        state, answers, seen = risk.state, risk.answers, self.tabs.currentWidget()
        makes = {self.swings: swing_rows, self.tasks: task_rows, self.deadlines: deadline_rows}
        for table, make in makes.items():
            if table is seen:
                rows: Rows = make(state, answers)
                table.show_rows(rows if rows.count else NOTHING)
        if seen is self.swings:
            self.swings.setColumnWidth(_DRAWN, _DRAWN_PX)
        self.tabs.setTabVisible(self.tabs.indexOf(self.deadlines), bool(answers.deadlines))
        self.tabs.setTabVisible(self.tabs.indexOf(self.costs), answers.costs is not None)
        self.tabs.setTabVisible(self.tabs.indexOf(self.takes), state.plan.clock is Clock.CALENDAR)

    def _show_costs(self, state: State, answers: Answers) -> None:
        if answers.costs is None:
            self.costs.show_joint(None, "")
            return
        confidence, costs = self.head.confidence, answers.costs
        at, cost, count = answers.finish_at(confidence), costs.at(confidence), len(costs.costs)
        words = self.tr(
            "Done by {at} with {percent} %, for at most {cost} with {percent} %, both together with {both}."
            " {count} samples; {drawn} of them are drawn."
        ).format(
            at=instant_text(state.plan, at),
            cost=f"{cost:,.0f}",
            percent=round(100 * confidence),
            both=chance_words(share(round(costs.chance_of(cost, at) * count), count)),
            count=f"{count:,}",
            drawn=f"{min(count, MOST_POINTS):,}",
        )
        is_calendar = state.plan.clock is Clock.CALENDAR
        self.costs.show_joint(Joint(costs, at, cost, is_calendar, lambda value: f"{value:,.0f}"), words)

    def _lay_out(self) -> None:
        lesson = QWidget()
        down = QVBoxLayout(lesson)
        down.setSpacing(3 * METRICS.grid_px)
        down.addStretch(1)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(self.lesson, _LESSON_PX)
        across.addStretch(1)
        down.addLayout(across)
        down.addWidget(self.start, 0, Qt.AlignmentFlag.AlignHCenter)
        down.addStretch(1)
        tables: tuple[tuple[QWidget, str], ...] = (
            (self.swings, self.tr("What &moves the end")),
            (self.tasks, self.tr("&Tasks")),
            (self.deadlines, self.tr("Deadli&nes")),
            (self.costs, self.tr("C&ost and date")),
            (self.takes, self.tr("What it would ta&ke")),
        )
        for table, title in tables:
            self.tabs.addTab(table, title)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setHandleWidth(1)
        for part in (self.head, self.finish, self.tabs):
            parts.addWidget(part)
        parts.setSizes([_HEAD_PX, _FINISH_PX, _TABLES_PX])
        for place, stretch in enumerate((0, 1, 1)):
            parts.setStretchFactor(place, stretch)
        for page in (lesson, parts):
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _connect(self) -> None:
        self.start.clicked.connect(self.started)
        self.head.asked.connect(self._asked)
        self.head.canceled.connect(self.canceled)
        self.finish.picked.connect(self.head.set_confidence)
        self.finish.dated.connect(self.head.set_date)
        self.tabs.currentChanged.connect(lambda _: self._show_tables())
        self.takes.asked.connect(self.takes_asked)
        self.takes.made.connect(self.takes_made)
        for part in (self.swings, self.tasks, self.deadlines, self.takes):
            part.task_chosen.connect(self.task_chosen)
