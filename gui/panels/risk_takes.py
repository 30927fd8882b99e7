"""TakesPanel: what it would take to be done by a date: the cheapest few changes, made one by one or together.

Afterwards it says whether the date is met. It never looks for them and never makes one: who does is told.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSpinBox, QVBoxLayout, QWidget

from engine.model import Plan, Ticks
from engine.session.risking import Take
from engine.session.state import State
from gui.bridge.risking import Risk, Takes
from gui.dialogs.instant_field import InstantField
from gui.panels.risk_figures import take_rows
from gui.panels.risk_table import NOTHING, RiskTable
from gui.panels.risk_words import made_words, takes_words
from gui.theme import METRICS

_CHANGE_PX = 400


class TakesPanel(QWidget):
    """`asked` carries an instant and a confidence, 0 to 1; `made` the Takes to be made as one step."""

    asked = Signal(object, float)
    made = Signal(object)
    task_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._state: State | None = None
        self._risk: Risk | None = None
        self._wish: tuple[Ticks, float] | None = None  # what was asked last
        self._is_made = False
        self._made_in: Plan | None = None  # the plan that changes were made in, until that with them is known
        self._found: Takes | None = None
        self._is_asked = False
        self._changes: tuple[Take, ...] = ()
        self.date = InstantField(self.tr("Wanted date"))
        self.date.setToolTip(self.tr("When the whole plan is to be done"))
        self.percent = QSpinBox()
        self.percent.setRange(1, 99)
        self.percent.setValue(80)
        self.percent.setSuffix(" %")
        self.percent.setAccessibleName(self.tr("Wanted confidence"))
        self.percent.setToolTip(self.tr("How sure that date is to be"))
        self.look = _button(self.tr("&Look"), self.tr("Look for the cheapest few changes that bring this date"))
        self.look.setProperty("primary", True)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.table = RiskTable(self.tr("What it would take"), _CHANGE_PX)
        self.make_one = _button(self.tr("&Make this change"), self.tr("Change the plan by this row alone, as one step"))
        self.make_all = _button(self.tr("Make &all"), self.tr("Change the plan by every row, as one step"))
        self._lay_out()
        self.look.clicked.connect(self._ask)
        self.table.task_chosen.connect(self.task_chosen)
        self.table.reached.connect(self._offer)
        self.make_one.clicked.connect(self._make_one)
        self.make_all.clicked.connect(lambda: self._make(self._changes))
        self._show()

    def show_risk(self, risk: Risk) -> None:
        """How sure the plan on a calendar is that is asked about, by now; what a drag would lead to is no matter here.

        Its finish is the date to begin with, until a person chooses one.
        """
        if risk.is_trial or risk.answers is None:
            return
        if self._state is None:
            self.date.show_instant(risk.answers.planned)
        self._state, self._risk = risk.state, risk
        if risk.state.plan is not self._made_in:
            self._made_in = None
        self._say()

    def show_takes(self, found: Takes | None) -> None:
        """What was found; None: nothing is known of the plan as it is."""
        self._found = found
        if found is None or found.is_over:
            self._is_asked = False
        self._show()

    def forget(self) -> None:
        """Another plan is open."""
        self._state = self._risk = self._wish = self._made_in = None
        self._is_made = False
        self.show_takes(None)

    def _ask(self) -> None:
        self._found, self._is_made = None, False
        self._wish = self.date.instant, self.percent.value() / 100
        self.asked.emit(*self._wish)
        self._is_asked = True
        self._show()

    def _show(self) -> None:
        state, found = self._state, self._found
        self._changes = () if found is None else found.taken.changes
        self._say()
        self.table.show_rows(NOTHING if state is None or not self._changes else take_rows(state, self._changes))
        self._offer()

    def _say(self) -> None:
        """What was found; once changes were made and not refused, whether the plan as it is now meets the wish."""
        if self._state is None or self._risk is None:
            return
        if self._is_made and self._wish is not None and self._found is None:
            self.words.setText(made_words(self._risk if self._made_in is None else None, *self._wish))
        else:
            confidence = self.percent.value() / 100 if self._wish is None else self._wish[1]
            self.words.setText(takes_words(self._state, self._found, confidence, is_asked=self._is_asked))

    def _make(self, changes: tuple[Take, ...]) -> None:
        self._made_in, self._is_made = None if self._state is None else self._state.plan, True
        self.made.emit(changes)

    def _offer(self) -> None:
        is_over = self._found is not None and self._found.is_over
        self.make_one.setEnabled(is_over and self.table.current is not None)
        self.make_all.setEnabled(is_over and bool(self._changes))

    def _make_one(self) -> None:
        current = self.table.current
        if current is not None:
            self._make((self._changes[current],))

    def _lay_out(self) -> None:
        asks, makes, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        for widget in (self.date, self.percent, self.look):
            asks.addWidget(widget)
        asks.addStretch(1)
        for button in (self.make_one, self.make_all):
            makes.addWidget(button)
        makes.addStretch(1)
        pad = 2 * METRICS.grid_px
        column.setContentsMargins(pad, pad, pad, pad)
        column.addLayout(asks)
        column.addWidget(self.words)
        column.addWidget(self.table, 1)
        column.addLayout(makes)


def _button(text: str, tooltip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tooltip)
    return button
