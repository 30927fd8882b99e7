"""StatusLine: what the plan amounts to, what just happened, and how fast the window answers. It never computes them."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import category

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStatusBar, QWidget

from engine.model import Clock
from engine.session.state import State
from gui.bridge import Bridge
from gui.canvas import calendar_ticks, device_ticks
from gui.canvas.elided_label import ElidedLabel
from gui.panels.changed_bar import ChangedBar
from gui.panels.work_bar import WorkBar
from gui.theme import METRICS

_MESSAGE_MS = 8000
_OFFER_MS = 40_000  # to read a message, and to decide what to do about it
_ANSWER_MS = 1000
_DOING = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress, QEvent.Type.Wheel})


class StatusLine(QStatusBar):
    """Left what goes on with a file, and the plan or the last message; right the answers. `fix_taken` carries an edit
    that was offered and taken; `conflicts_asked` says that somebody wants to see them.
    """

    fix_taken = Signal(object)
    conflicts_asked = Signal()

    def __init__(self, take_slowest_ms: Callable[[], float], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._take_slowest_ms = take_slowest_ms
        self._summary = self._activity = self._predicted = ""
        self._is_at_rest = True
        self._fix: object = None
        # In a narrow window the words end in an ellipsis, and the button stays in reach.
        self._left = _shrinking()
        self._fix_button = QPushButton()
        self._fix_button.setVisible(False)
        self._fix_button.clicked.connect(self._take_fix)
        # The triangle tells it from the rest without its color.
        self.conflicts_button = QPushButton()
        self.conflicts_button.setProperty("role", "alarm")
        self.conflicts_button.setToolTip(self.tr("List the conflicts"))
        self.conflicts_button.setVisible(False)
        self.conflicts_button.clicked.connect(self.conflicts_asked)
        self._device = ""
        self._answer = ""
        self._right = _shrinking()
        self.work, self.changed = WorkBar(), ChangedBar()
        self.addWidget(self.work)
        self.addWidget(self.changed)
        self.addWidget(self._left)
        self.addWidget(self._fix_button)
        self.addWidget(self.conflicts_button)
        self.addPermanentWidget(self._right)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(4 * METRICS.grid_px, 0, 4 * METRICS.grid_px, 0)
        self._ending = QTimer(self)
        self._ending.setSingleShot(True)
        self._ending.timeout.connect(self.clear)
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.timeout.connect(self._wait_for_person)
        self._asking = QTimer(self)
        self._asking.timeout.connect(self._show_answer)
        self._asking.start(_ANSWER_MS)

    def follow(self, bridge: Bridge, load_anew: Callable[[], object], is_held: Callable[[], bool]) -> None:
        """Show what becomes of files; `is_held` tells whether the mouse holds something."""
        self.work.follow(bridge.filing, is_held)
        self.changed.follow(bridge.watching, load_anew)

    @property
    def text(self) -> str:
        """What the left side says."""
        return self._left.text()

    def show_state(self, state: State | None) -> None:
        """What the plan amounts to; what was said before is over."""
        self.clear()
        self.sum_up(state)

    def sum_up(self, state: State | None) -> None:
        """What the plan amounts to, beside what was said of it meanwhile."""
        self._summary = "" if state is None else self._words(state)
        if self._is_at_rest:
            self.clear()

    def show_activity(self, sentence: str) -> None:
        """What goes on, in the place of what the plan amounts to; empty once nothing does."""
        if sentence != self._activity:
            self._activity = sentence
            if self._is_at_rest:
                self.clear()

    def show_predicted(self, ns: int | None) -> None:
        """How long a pass of the plan should take; nothing is said while that is not known."""
        words = self.tr("predicted {duration}")
        self._predicted = "" if ns is None else words.format(duration=device_ticks.duration_text(ns))
        if self._is_at_rest:
            self.clear()

    def say(self, sentence: str) -> None:
        """Something that happened, for a while."""
        self._write(sentence, "muted")
        self._ending.start(_MESSAGE_MS)

    def warn(self, sentence: str, *, is_lasting: bool = False) -> None:
        """Something that could not be done; it stays until the plan changes or something else is said.

        Unless it is true for as long as that, or can be mended here, it goes with what a person does once it was read.
        """
        self._write(sentence, "error")
        self._ending.stop()
        if not is_lasting:
            self._reading.start(_MESSAGE_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What a person does in the window ends a warning that was there to be read."""
        if event.type() in _DOING and self._fix is None:
            self.clear()
        return super().eventFilter(watched, event)

    def offer(self, label: str, fix: object) -> None:
        """A button beside what was said last, which stays longer then: what it says is told nowhere else."""
        if self._ending.isActive():
            self._ending.start(_OFFER_MS)
        self._fix = fix
        self._fix_button.setText(label)
        self._fix_button.setVisible(True)

    def show_conflicts(self, count: int) -> None:
        """How many dates need a person; nothing is said where none does."""
        one, many = self.tr("{triangle} 1 conflict"), self.tr("{triangle} {count} conflicts")
        self.conflicts_button.setText((one if count == 1 else many).format(triangle="\N{WARNING SIGN}", count=count))
        self.conflicts_button.setVisible(count > 0)

    def show_device(self, text: str) -> None:
        """What the device says of itself."""
        self._device = text
        self._show_right()

    def clear(self) -> None:
        """Back to what goes on, or what the plan amounts to."""
        self._ending.stop()
        summary = " · ".join(words for words in (self._summary, self._predicted) if words)
        self._write(self._activity or summary, "muted")
        if self._predicted and not self._activity:
            self._left.setToolTip(f"{summary}\n{self._difference()}")
        self._is_at_rest = True

    def _difference(self) -> str:
        """Why two figures stand there for one plan."""
        finish = self.tr("Plan finish: what links and the order on streams allow, if every engine had room for all.")
        predicted = self.tr("Predicted: one pass where each engine does no more at once than the device profile says.")
        return f"{finish}\n{predicted}"

    def _words(self, state: State) -> str:
        plan, dates = state.plan, state.schedule
        summaries = [plan.rows[task] for task in plan.children]
        finish = calendar_ticks.instant_text(dates.project_finish)
        if plan.clock is Clock.DEVICE:
            finish = device_ticks.duration_text(dates.project_finish)
        count, critical = len(plan.tasks), int(dates.is_critical.sum() - dates.is_critical[summaries].sum())
        words = (
            self.tr("1 task") if count == 1 else self.tr("{count} tasks").format(count=f"{count:,}"),
            self.tr("plan finish {instant}").format(instant=finish),
            self.tr("{count} critical").format(count=f"{critical:,}"),
        )
        return " · ".join(words) if plan.tasks else words[0]

    def _wait_for_person(self) -> None:
        if (window := self.window().windowHandle()) is not None:
            window.installEventFilter(self)

    def _write(self, text: str, role: str) -> None:
        self._reading.stop()
        if (window := self.window().windowHandle()) is not None:
            window.removeEventFilter(self)
        self._fix = None
        self._is_at_rest = False
        self._fix_button.setVisible(False)
        self._left.setText("".join("\N{REPLACEMENT CHARACTER}" if category(mark) == "Cc" else mark for mark in text))
        if self._left.property("role") != role:
            self._left.setProperty("role", role)
            self._left.style().polish(self._left)

    def _take_fix(self) -> None:
        fix = self._fix
        self.clear()
        self.fix_taken.emit(fix)

    def _show_answer(self) -> None:
        slowest = self._take_slowest_ms()
        if slowest:
            self._answer = self.tr("window answers in {ms:.0f} ms").format(ms=max(slowest, 1))
            self._show_right()

    def _show_right(self) -> None:
        self._right.setText(" · ".join(text for text in (self._answer, self._device) if text))
        what = self.tr("The slowest answer of the window in the last second, and the device")
        self._right.setToolTip(f"{self._right.text()}\n{what}")


def _shrinking() -> ElidedLabel:
    """As wide as its words, and no wider than there is room."""
    label = ElidedLabel()
    label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    return label
