"""OptimizerPanel: what is wanted of a better plan, how the search for it goes, and what it offers, task by task.

It never searches and never changes the plan: who is asked to is told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from engine.session.offers import Offer
from engine.session.solving import SolveJob
from gui.bridge.optimizing import Wish
from gui.panels.optimizer_curve import Course, CurveView
from gui.panels.optimizer_table import OfferTable
from gui.panels.optimizer_weights import Wanted
from gui.panels.optimizer_words import (
    engine_words,
    first_counting,
    headline,
    standing_words,
    state_words,
    value_text,
)
from gui.theme import METRICS, Theme

_T = QT_TRANSLATE_NOOP
_SECONDS: tuple[tuple[float, object], ...] = (
    (10.0, _T("OptimizerPanel", "10 seconds")),
    (30.0, _T("OptimizerPanel", "30 seconds")),
    (120.0, _T("OptimizerPanel", "2 minutes")),
    (0.0, _T("OptimizerPanel", "until stopped")),
)
_WANTS_PX, _COURSE_PX = 300, 340


@dataclass(frozen=True, slots=True)
class Search:
    """A search as it is shown: its job, whether it goes on, for how many seconds, and how many tasks it leaves."""

    job: SolveJob | None = None
    is_on: bool = False
    seconds: float = 0.0
    kept: int = 0


class OptimizerPanel(QWidget):
    """`wish_changed` carries a Wish; `started` and `stopped` ask for the search; `taken` the ids of the tasks of which
    the offer is to be taken, None for all; `kept` the ids of those that stay from now on; `task_chosen` a task's.
    """

    wish_changed = Signal(object)
    started = Signal()
    stopped = Signal()
    taken = Signal(object)
    kept = Signal(object)
    task_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ground")
        self._wish = Wish()
        self._job: SolveJob | None = None
        self._offer: Offer | None = None
        self._is_on, self._is_first = False, True
        self.wanted = Wanted()
        self.aim_words = _wrapped("muted")
        self.seconds = QComboBox()
        for seconds, text in _SECONDS:
            self.seconds.addItem(QCoreApplication.translate("OptimizerPanel", str(text)), seconds)
        self.seconds.setCurrentIndex(1)
        self.seconds.setAccessibleName(self.tr("How long to look"))
        self.seconds.setToolTip(self.tr("How long to look after each edit"))
        self.goes_on = _box(self.tr("&Go on after edits"), self.tr("Look anew, from the new plan, after each edit"))
        self.keeps = _box(
            self.tr("&Keep what I move"), self.tr("Leave tasks that you move while this looks where you put them")
        )
        self.begin = QPushButton(self.tr("&Start"))
        self.begin.setProperty("primary", True)
        self.head, self.state = _wrapped("title"), _wrapped("muted")
        self.standing, self.engines = _wrapped("muted"), _wrapped("muted")
        self.hindrance, self.misses = _wrapped("error"), _wrapped("error")
        self.lesson = _wrapped("muted")
        self.lesson.setText(self.tr("Each task that a better plan would move is listed here, to be taken or left."))
        self.curve = CurveView()
        self.table = OfferTable()
        self.take_all = self._button(self.tr("Take &all"), self.tr("Change the plan as offered, as one step"))
        self.take_chosen = self._button(
            self.tr("Take &chosen"), self.tr("Change the checked tasks alone; the others stay where they are")
        )
        self.take_machine = self._button(
            self.tr("Take of &machine"), self.tr("Change what goes to the machine of this row, or leaves it")
        )
        self.machines = QMenu(self)
        self.keep = self._button(
            self.tr("K&eep in place"), self.tr("Leave the task of this row where it is now, and look on without it")
        )
        self.release = self._button(self.tr("&Let go"), self.tr("Let all tasks move again that are kept in place"))
        self.ghosts = _box(self.tr("S&how on the chart"), self.tr("Draw what would move as ghosts on chart and board"))
        self.setFocusProxy(self.begin)
        self._lay_out()
        self._connect()
        self.show_search(Search())
        self.show_offer(None)

    def show_search(self, search: Search) -> None:
        """How the search goes."""
        job, is_on, kept = search.job, search.is_on, search.kept
        self._job, self._is_on = job, is_on
        self._is_first &= job is None or job.schedules <= 1
        self.begin.setText(self.tr("&Stop") if is_on else self.tr("&Start"))
        tip = self.tr("Stop looking; what was found stays on offer") if is_on else self.tr("Look for a better plan")
        self.begin.setToolTip(tip)
        self._say_state()
        self.standing.setText(standing_words(job, self._wish.aim))
        self.engines.setText(engine_words(job))
        self.hindrance.setText("" if job is None else job.hindrance)
        self.hindrance.setVisible(bool(self.hindrance.text()))
        self.curve.show_course(None if job is None else _course(job, self._wish.aim, search.seconds))
        self.release.setText(self.tr("&Let go ({count})").format(count=kept) if kept else self.tr("&Let go"))
        self.release.setEnabled(kept > 0)
        self._say_offer()

    def show_offer(self, offer: Offer | None) -> None:
        """What is offered; None while nothing is."""
        self._offer = offer
        self.table.show_offer(offer)
        self.lesson.setVisible(offer is None)
        self.misses.setText("" if offer is None else offer.taking.sentence)
        self.misses.setVisible(bool(self.misses.text()))
        self._say_state()
        self._say_offer()
        self._offer_buttons()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        self.curve.theme = theme
        self.curve.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape stops."""
        if event.key() == Qt.Key.Key_Escape and self._is_on:
            self.stopped.emit()
        else:
            event.ignore()

    def _lay_out(self) -> None:
        wants = _column(self.wanted, self.aim_words)
        row = QHBoxLayout()
        row.addWidget(self.begin)
        row.addWidget(self.seconds, 1)
        wants.addLayout(row)
        for box in (self.goes_on, self.keeps):
            wants.addWidget(box)
        wants.addStretch(1)
        course = _column(self.head, self.state, self.hindrance)
        course.addWidget(self.curve, 1)
        course.addWidget(self.standing)
        course.addWidget(self.engines)
        offered = _column(self.lesson, self.misses)
        offered.addWidget(self.table, 1)
        buttons = QHBoxLayout()
        for widget in (self.take_all, self.take_chosen, self.take_machine, self.keep, self.release):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        buttons.addWidget(self.ghosts)
        offered.addLayout(buttons)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setHandleWidth(1)
        for part in (wants, course, offered):
            holder = QWidget()
            holder.setLayout(part)
            parts.addWidget(holder)
        parts.setSizes([_WANTS_PX, _COURSE_PX, 3 * _COURSE_PX])
        for place, stretch in enumerate((0, 0, 1)):
            parts.setStretchFactor(place, stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(parts)
        self.aim_words.setText(self.wanted.sentence)

    def _connect(self) -> None:
        self.wanted.aim_changed.connect(self._tell_wish)
        self.seconds.currentIndexChanged.connect(self._tell_wish)
        for box in (self.goes_on, self.keeps):
            box.toggled.connect(self._tell_wish)
        self.begin.clicked.connect(self._begin_or_stop)
        self.table.task_chosen.connect(self.task_chosen)
        self.table.picked.connect(self._offer_buttons)
        self.take_all.clicked.connect(lambda: self.taken.emit(None))
        self.take_chosen.clicked.connect(lambda: self.taken.emit(self.table.chosen))
        self.take_machine.clicked.connect(self._take_only_machine)
        self.keep.clicked.connect(self._keep)
        self.release.clicked.connect(lambda: self.kept.emit(frozenset()))

    def _tell_wish(self) -> None:
        aim = self.wanted.aim
        self.aim_words.setText(self.wanted.sentence)
        self.begin.setEnabled(bool(aim))
        if aim:
            self._wish = replace(
                self._wish,
                aim=aim,
                seconds=self.seconds.currentData(),
                goes_on=self.goes_on.isChecked(),
                keeps_moves=self.keeps.isChecked(),
            )
            self.wish_changed.emit(self._wish)

    def _say_state(self) -> None:
        is_offered = self._offer is not None
        words = state_words(self._job, is_on=self._is_on, is_offered=is_offered, is_first=self._is_first)
        self.state.setText(words)

    def _say_offer(self) -> None:
        job, offer = self._job, self._offer
        self.head.setText("" if job is None or offer is None else headline(offer, job))
        self.head.setVisible(bool(self.head.text()))

    def _offer_buttons(self) -> None:
        """Offer what can be taken now."""
        offer, current = self._offer, self.table.current
        self._enable(self.take_all, offer is not None)
        count = len(self.table.chosen)
        self.take_chosen.setText(self.tr("Take &chosen ({count:,})").format(count=count))
        self._enable(self.take_chosen, bool(count) and offer is not None)
        self._offer_machines(() if offer is None or current is None else current.resources)
        self._enable(self.keep, current is not None)

    def _enable(self, button: QPushButton, is_enabled: bool) -> None:
        """The keyboard goes to the list where its button cannot be pressed any more, not to the button beside it."""
        if button.hasFocus() and not is_enabled:
            self.table.setFocus()
        button.setEnabled(is_enabled)

    def _begin_or_stop(self) -> None:
        (self.stopped if self._is_on else self.started).emit()

    def _offer_machines(self, machines: tuple[int, ...]) -> None:
        """One is taken by a press; of several the button's menu names each."""
        names = {} if self._offer is None else {machine: _name(self._offer, machine) for machine in machines}
        one = next(iter(names.values())) if len(names) == 1 else ""
        self.take_machine.setText(self.tr("Take of {name}").format(name=one) if one else self.tr("Take of &machine"))
        self.machines.clear()
        for machine, name in names.items():
            self.machines.addAction(name, partial(self._take_machine, machine))
        # Qt takes none, its stubs do not say so.
        self.take_machine.setMenu(self.machines if len(names) > 1 else None)  # type: ignore[arg-type]
        self._enable(self.take_machine, bool(names))

    def _take_only_machine(self) -> None:
        if self.table.current is not None and len(self.table.current.resources) == 1:
            self._take_machine(self.table.current.resources[0])

    def _take_machine(self, machine: int) -> None:
        if self._offer is not None:
            self.taken.emit(self._offer.on(machine))

    def _keep(self) -> None:
        if self.table.current is not None:
            self.kept.emit(frozenset({self.table.current.task}))

    @staticmethod
    def _button(text: str, tooltip: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tooltip)
        return button


def _course(job: SolveJob, aim: str, seconds: float) -> Course | None:
    steps = tuple((step.seconds, step.value) for step in job.steps if step.value is not None)
    return (
        Course(steps, job.bound, seconds, lambda value: value_text(first_counting(job, aim), value)) if steps else None
    )


def _name(offer: Offer, resource: int) -> str:
    """As a button says it, where an ampersand would be lost."""
    name = next((each.name for each in offer.state.plan.resources if each.id == resource), "")
    return name.replace("&", "&&")


def _box(text: str, tooltip: str) -> QCheckBox:
    box = QCheckBox(text)
    box.setToolTip(tooltip)
    box.setChecked(True)
    return box


def _wrapped(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", role)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label


def _column(*widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(4 * METRICS.grid_px, 2 * METRICS.grid_px, 4 * METRICS.grid_px, 2 * METRICS.grid_px)
    column.setSizeConstraint(QLayout.SizeConstraint.SetDefaultConstraint)
    for widget in widgets:
        column.addWidget(widget)
    return column
