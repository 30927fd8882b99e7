"""OverlapPanel: the figures of one run on a light card, and why its engines stood idle. It never measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from engine.model import TaskId
from engine.session.advising import Advice
from engine.session.measuring import MEASURED_AT_MOST, MOST_GAPS
from engine.trace.overlap import Gap, Metrics
from engine.trace.timeline import Timeline
from gui.canvas.elided_label import ElidedLabel
from gui.canvas.painter import font
from gui.gap_words import advice_sentence, duration_figure, gap_sentence
from gui.panels.cause_bar import CauseBar
from gui.theme import LIGHT, METRICS, Theme

REFRESH_MS = 100
# The card never takes more than this share of the main thread: a long run is measured less often.
_SHARE = 0.01
_GAPS_SHOWN = 3
_WIDTH_PX = 324
_TIMES = "\N{MULTIPLICATION SIGN}"


class MeasuredRun(Protocol):
    """What the card asks of a run."""

    @property
    def number(self) -> int:
        """Which run this is."""

    @property
    def timeline(self) -> Timeline:
        """What happened so far; names and repetitions are its."""

    @property
    def outcome(self) -> str | None:
        """finished, failed, canceled, or None while the run goes on."""

    def metrics(self, most_gaps: int | None = None) -> Metrics:
        """The figures so far."""


class OverlapPanel(QFrame):
    """Hidden copy, busy, span, bound, speed-up, the longest gaps as sentences, and advice; at most ten times a second.

    `advice_taken` says that the advice shown is to be followed.
    """

    advice_taken = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: MeasuredRun | None = None
        self._titles: Mapping[TaskId, str] = {}
        self._advised: tuple[Advice, ...] = ()
        self._theme = LIGHT
        self.setProperty("role", "card")
        self.setFixedWidth(_WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
        self._wait = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._wait.timeout.connect(self.refresh)
        self.figures = {name: QLabel() for name in ("hidden", "busy", "span", "bound", "speed_up")}
        self.reasons: list[tuple[QLabel, QLabel]] = [(ElidedLabel(), QLabel()) for _ in range(_GAPS_SHOWN)]
        self._lesson = QLabel()
        self._lesson.setProperty("role", "muted")
        self._lesson.setWordWrap(True)
        self._remark = QLabel()
        self._remark.setProperty("role", "muted")
        self._why = _title("")
        self.causes, self._shares, self.path = CauseBar(), QLabel(), QLabel()
        self._advice = self._make_advice()
        self._rule = QFrame()
        self._rule.setFixedHeight(1)
        self._card = self._make_card()
        column = QVBoxLayout(self)
        column.setContentsMargins(*(4 * METRICS.grid_px, 3 * METRICS.grid_px) * 2)
        column.setSpacing(2 * METRICS.grid_px)
        for widget in (_title(self.tr("Overlap")), self._lesson, self._card, self._advice):
            column.addWidget(widget)
        self.set_theme(LIGHT)

    def show_run(self, run: MeasuredRun | None) -> None:
        """Shows the figures of a run; None shows what they would be of."""
        self._run = run
        self.refresh()

    def spans_arrived(self, run: int, _count: int) -> None:
        """More of a run has happened; its figures are shown within a tenth of a second."""
        if self._run is not None and self._run.number == run and self.isVisible() and not self._wait.isActive():
            self._wait.start()

    def show_advice(self, found: tuple[Advice, ...]) -> None:
        """Shows the best of what is advised for the plan as it is now."""
        self._advised = found
        self._advice.setVisible(bool(found))
        if found:
            self.advice.setText(advice_sentence(found[0], self._titles))

    def set_titles(self, titles: Mapping[TaskId, str]) -> None:
        """What the sentences call the tasks, such as "copy in, Frame 0"."""
        self._titles = titles
        self.show_advice(self._advised)
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Wears a theme."""
        self._theme = theme
        self._rule.setStyleSheet(f"background: {theme.line}; border: none;")
        self.causes.set_theme(theme)
        self.refresh()

    def refresh(self) -> None:
        """Measures and shows the run as it is now."""
        run = self._run
        has_figures = run is not None and run.timeline.count > 0
        self._lesson.setText(self._lesson_of(run))
        self._lesson.setVisible(not has_figures)
        self._card.setVisible(has_figures)
        if run is not None and has_figures:
            began = perf_counter()
            self._show(run.metrics(MOST_GAPS), run)
            self._wait.setInterval(max(REFRESH_MS, round((perf_counter() - began) / _SHARE * 1000)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._wait.stop()

    def _lesson_of(self, run: MeasuredRun | None) -> str:
        """What there is to know where there are no figures."""
        if run is None:
            return self.tr("Run the plan to see how much of its copying is hidden.")
        if run.outcome is None:
            return self.tr("The run gets ready; its first figures come with its first operation.")
        return self.tr("The run ended before any operation did.")

    def _show(self, metrics: Metrics, run: MeasuredRun) -> None:
        is_known = metrics.hidden_copy_pct is not None
        self.figures["hidden"].setText(self._percent(metrics.hidden_copy_pct))
        self.figures["hidden"].setStyleSheet(f"color: {self._theme.good if is_known else self._theme.muted};")
        self.figures["hidden"].setToolTip(self._directions(metrics))
        self.figures["busy"].setText(self._percent(metrics.busy_pct))
        self.figures["span"].setText(duration_figure(metrics.span_ns))
        # The bound is one of the whole run: what ended early cannot be measured by it.
        is_cut_off = run.outcome in {"failed", "canceled"}
        bound_ns = None if is_cut_off else metrics.bound_ns
        self.figures["bound"].setText(self._known(bound_ns and duration_figure(bound_ns)))
        self.figures["speed_up"].setText(self._known(metrics.speed_up and f"{metrics.speed_up:.2f} {_TIMES}"))
        remarks = []
        if metrics.is_of_latest and run.outcome is None:
            remarks.append(self.tr("Of the latest operations, while the run goes on."))
        elif metrics.is_of_latest:
            words = self.tr("Of the latest {count} operations: the run is too long to be measured as a whole.")
            remarks.append(words.format(count=f"{MEASURED_AT_MOST:,}"))
        if metrics.paused_ns > 0:
            paused = self.tr("Paused {duration} of the span.")
            remarks.append(paused.format(duration=duration_figure(metrics.paused_ns)))
        if is_cut_off:
            remarks.append(self.tr("The run was cut off: that rows had no more work by then is left out below."))
        self._remark.setText(" ".join(remarks))
        self._remark.setVisible(bool(remarks))
        self._show_causes(metrics, is_over=run.outcome is not None, is_cut_off=is_cut_off)
        gaps = _worth_saying(metrics.gaps)
        self._why.setText(self.tr("Why idle") if gaps else self.tr("No engine waited between two operations."))
        for place, (sentence, length) in enumerate(self.reasons):
            sentence.setVisible(place < len(gaps))
            length.setVisible(place < len(gaps))
            if place < len(gaps):
                sentence.setText(gap_sentence(gaps[place], run.timeline, self._titles))
                length.setText(duration_figure(gaps[place].duration_ns))

    def _show_causes(self, metrics: Metrics, *, is_over: bool, is_cut_off: bool) -> None:
        idle_ns = {cause: ns for cause, ns in metrics.idle_ns.items() if not (is_cut_off and cause == "no_work")}
        self.causes.show_totals(idle_ns)
        self._shares.setText(self.causes.words())
        for widget in (self.causes, self._shares):
            widget.setVisible(bool(idle_ns))
        count, share = len(metrics.path.spans), metrics.path.share_pct
        one = self.tr("Critical path: 1 operation, {share} of the span")
        words = one if count == 1 else self.tr("Critical path: {count} operations, {share} of the span")
        self.path.setText(words.format(count=count, share=self._percent(share)))
        self.path.setVisible(bool(count) and is_over)

    def _known(self, text: str | float | None) -> str:
        return str(text) if text else self.tr("n/a")

    def _percent(self, share: float | None) -> str:
        return self._known(None if share is None else f"{share:.1f} %")

    def _directions(self, metrics: Metrics) -> str:
        words = self.tr("The share of copying during which a kernel runs. In: {copy_in}, out: {copy_out}.")
        copy_in, copy_out = self._percent(metrics.hidden_in_pct), self._percent(metrics.hidden_out_pct)
        return words.format(copy_in=copy_in, copy_out=copy_out)

    def _make_card(self) -> QWidget:
        names = {
            "hidden": self.tr("Hidden copy"),
            "busy": self.tr("Device busy"),
            "span": self.tr("Span"),
            "bound": self.tr("Bound (max of engines, path)"),
            "speed_up": self.tr("Speed-up over serial"),
        }
        meanings = {
            "busy": self.tr("The share of the span during which an engine is at work."),
            "span": self.tr("From the first start to the last end."),
            "bound": self.tr(
                "No run on such a device can be shorter: the work of its busiest engine and the least that runs before"
                " and after it, or the longest chain of operations that wait for each other, whichever takes longer."
                " Latencies that a device hides are left out; n/a for a run that ended early."
            ),
            "speed_up": self.tr("How much longer the same operations would take one after another."),
        }
        for name, figure in self.figures.items():
            figure.setFont(font(METRICS.text_px, is_bold=True))
            figure.setToolTip(meanings.get(name, ""))
        self.figures["bound"].setProperty("role", "muted")
        for reason in self.reasons:
            for label in reason:
                label.setStyleSheet(f"font-size: {METRICS.label_px}px;")
        card, column = QWidget(), QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * METRICS.grid_px)
        titles = {name: QLabel(text) for name, text in names.items()}
        for name, title in titles.items():
            title.setToolTip(meanings.get(name, ""))
        column.addLayout(_rows([(titles[name], self.figures[name]) for name in names]))
        self._remark.setToolTip(self.tr("Device busy and Speed-up are of the span without the pauses."))
        self._remark.setWordWrap(True)
        column.addWidget(self._remark)
        column.addWidget(self._rule)
        for label in (self.path, self._shares):
            label.setProperty("role", "muted")
            label.setStyleSheet(f"font-size: {METRICS.label_px}px;")
        self._why.setWordWrap(True)
        column.addWidget(self._why)
        column.addWidget(self.causes)
        column.addWidget(self._shares)
        column.addLayout(_rows(self.reasons))
        column.addWidget(self.path)
        card.setLayout(column)
        return card

    def _make_advice(self) -> QWidget:
        self.advice = QLabel()
        self.advice.setWordWrap(True)
        self.advice.setStyleSheet(f"font-size: {METRICS.label_px}px;")
        self.take = QPushButton(self.tr("Change the plan so"))
        self.take.setToolTip(self.tr("Make this change; Undo takes it back. The gain is predicted, not measured."))
        self.take.clicked.connect(self.advice_taken)
        card, column = QWidget(), QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(METRICS.grid_px)
        for widget in (_title(self.tr("Advice (predicted)")), self.advice, self.take):
            column.addWidget(widget)
        card.setLayout(column)
        card.hide()
        return card


def _rows(pairs: Sequence[tuple[QLabel, QLabel]]) -> QGridLayout:
    """Names on the left, their figures on the right."""
    grid = QGridLayout()
    grid.setVerticalSpacing(METRICS.grid_px)
    grid.setColumnStretch(0, 1)
    for row, (name, figure) in enumerate(pairs):
        name.setProperty("role", "muted")
        grid.addWidget(name, row, 0)
        grid.addWidget(figure, row, 1, Qt.AlignmentFlag.AlignRight)
    return grid


def _worth_saying(gaps: tuple[Gap, ...]) -> list[Gap]:
    """The longest waits of engines; that a row is through is no wait."""
    waits = [gap for gap in gaps if gap.is_engine and gap.cause != "no_work"]
    return sorted(waits, key=lambda gap: -gap.duration_ns)[:_GAPS_SHOWN]


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "title")
    return label
