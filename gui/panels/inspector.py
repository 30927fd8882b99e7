"""Inspector: everything about the selected task, and editors of what is asked of it.

It never changes a plan: what a person asks leaves by `edit_made`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, QUrl, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QLabel,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from engine.model import Clock, ConstraintKind, Plan, Task, TaskId, Ticks
from engine.schedule.conflicts import Conflict
from engine.session.cell_edits import SetNotes
from engine.session.date_edits import SetCalendar, SetConstraint, SetDeadline, SetProgress
from engine.session.edits import Edit
from engine.session.state import State
from gui.dialogs.instant_field import InstantField
from gui.panels.inspector_words import Line, Section, sections
from gui.panels.notes_field import NotesField
from gui.theme import LIGHT, METRICS, Theme

_T = QT_TRANSLATE_NOOP
_LEAST_PX = 280

KINDS: tuple[tuple[ConstraintKind, object], ...] = (
    (ConstraintKind.AS_SOON_AS_POSSIBLE, _T("Inspector", "As soon as possible")),
    (ConstraintKind.AS_LATE_AS_POSSIBLE, _T("Inspector", "As late as possible")),
    (ConstraintKind.START_NO_EARLIER_THAN, _T("Inspector", "Start no earlier than")),
    (ConstraintKind.START_NO_LATER_THAN, _T("Inspector", "Start no later than")),
    (ConstraintKind.FINISH_NO_EARLIER_THAN, _T("Inspector", "Finish no earlier than")),
    (ConstraintKind.FINISH_NO_LATER_THAN, _T("Inspector", "Finish no later than")),
    (ConstraintKind.MUST_START_ON, _T("Inspector", "Must start on")),
    (ConstraintKind.MUST_FINISH_ON, _T("Inspector", "Must finish on")),
)
_OF_FINISH = (
    ConstraintKind.FINISH_NO_EARLIER_THAN,
    ConstraintKind.FINISH_NO_LATER_THAN,
    ConstraintKind.MUST_FINISH_ON,
)


class Inspector(QWidget):
    """`task_chosen` carries the id of a task that was gone to, `edit_made` an Edit to execute.

    Whoever holds it may have what it shows drawn later than at once: `refresh` is called when that is another, and has
    to call `show_task`; and `afterwards` does something once what was handed on is made.
    """

    task_chosen = Signal(int)
    edit_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ground")
        self._state: State | None = None
        self._selection: tuple[TaskId, ...] = ()
        self._conflicts: tuple[Conflict, ...] = ()
        self._theme = LIGHT
        self.refresh: Callable[[], object] = self.show_task
        self.afterwards: Callable[[Callable[[], object]], object] = lambda act: act()
        self.title = QLabel()
        self.title.setProperty("role", "title")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.constraint = QComboBox()
        self.constraint.addItems([_tr(str(text)) for _, text in KINDS])
        self.constraint.setToolTip(self.tr("What is asked of the task's dates, beside its links"))
        self.constraint_at = InstantField(self.tr("Date of the constraint"))
        self.has_deadline = QCheckBox(self.tr("&Deadline"))
        self.has_deadline.setToolTip(self.tr("A date to be finished by: it changes the float, and never a date"))
        self.deadline = InstantField(self.tr("Deadline"))
        self.progress = QDoubleSpinBox()
        self.progress.setRange(0, 100)
        self.progress.setDecimals(0)
        self.progress.setSingleStep(10)
        self.progress.setSuffix(self.tr(" % done"))
        self.progress.setKeyboardTracking(False)
        self.calendar = QComboBox()
        self.calendar.setToolTip(self.tr("When the task is worked on; else by the plan's calendar, or its resources'"))
        self.notes = NotesField()
        self.notes.setToolTip(self.tr("What is to be known of the task; it goes into files that have notes"))
        self.notes_label = QLabel(self.tr("&Notes"))
        self.notes_label.setBuddy(self.notes)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setAccessibleName(self.tr("About the selected task"))
        self.setMinimumWidth(_LEAST_PX)
        self._lay_out()
        self._connect()
        self.show_task()

    def set_state(self, state: State | None) -> None:
        """Another state is open, or none."""
        self._state = state
        self.refresh()

    def set_selection(self, tasks: Sequence[TaskId]) -> None:
        """Other tasks are selected: the one selected last stands first, and is shown."""
        self.notes.take()
        self._selection = tuple(tasks)
        self.refresh()

    def set_conflicts(self, conflicts: Sequence[Conflict]) -> None:
        """What is wrong with the plan's dates."""
        if (found := tuple(conflicts)) != self._conflicts:
            self._conflicts = found
            self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Writes in the colors of a theme from now on."""
        self._theme = theme
        self.refresh()

    @property
    def task(self) -> Task | None:
        """The task that is shown."""
        state = self._state
        known = () if state is None else tuple(task for task in self._selection if task in state.plan.rows)
        return state.plan.task(known[0]) if state is not None and known else None

    # Set-up

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(3 * METRICS.grid_px)
        form.setVerticalSpacing(METRICS.grid_px)
        form.addRow(self.tr("C&onstraint"), self.constraint)
        form.addRow("", self.constraint_at)
        form.addRow(self.has_deadline, self.deadline)
        form.addRow(self.tr("Pro&gress"), self.progress)
        form.addRow(self.tr("Ca&lendar"), self.calendar)
        self.form = QWidget()
        self.form.setLayout(form)
        form.setContentsMargins(0, 0, 0, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (3 * METRICS.grid_px,)))
        layout.setSpacing(2 * METRICS.grid_px)
        for widget in (self.title, self.form, self.notes_label, self.notes, self.text):
            layout.addWidget(widget)
        layout.setStretchFactor(self.text, 1)
        self.setFocusProxy(self.text)

    def _connect(self) -> None:
        self.constraint.activated.connect(self._constrain)
        self.constraint_at.instant_changed.connect(lambda at: self._constrain(self.constraint.currentIndex(), at))
        self.has_deadline.clicked.connect(self._want_deadline)
        self.deadline.instant_changed.connect(self._set_deadline)
        self.progress.editingFinished.connect(self._set_progress)
        self.calendar.activated.connect(self._set_calendar)
        self.notes.written.connect(self._set_notes)
        self.text.anchorClicked.connect(self._go)

    # What a person asks

    def _constrain(self, index: int, at: Ticks | None = None) -> None:
        state, task = self._state, self.task
        if state is None or task is None:
            return
        kind = KINDS[index][0]
        if at is None:
            dates = state.schedule
            at = task.constraint_at
            if kind.has_date and not task.constraint.has_date:
                at = dates.finish_of(task.id) if kind in _OF_FINISH else dates.start_of(task.id)
        self._make(SetConstraint(task.id, kind, at))

    def _want_deadline(self, is_wanted: bool) -> None:
        state, task = self._state, self.task
        if state is not None and task is not None:
            self._make(SetDeadline(task.id, state.schedule.finish_of(task.id) if is_wanted else None))

    def _set_deadline(self, at: Ticks) -> None:
        if (task := self.task) is not None:
            self._make(SetDeadline(task.id, at))

    def _set_progress(self) -> None:
        task = self.task
        if task is not None and self.progress.isEnabled() and self.progress.value() != round(_percent(task)):
            self._make(SetProgress(task.id, self.progress.value()))

    def _set_calendar(self, _: int) -> None:
        if (task := self.task) is not None:
            self._make(SetCalendar(task.id, self.calendar.currentData()))

    def _set_notes(self, task: TaskId, text: str) -> None:
        if self._state is not None and task in self._state.plan.rows:
            self._make(SetNotes(task, text))

    def _make(self, edit: Edit) -> None:
        """Hands an edit on; one that is refused leaves what there was, and that is shown again."""
        self.edit_made.emit(edit)
        self.afterwards(self.refresh)

    def _go(self, url: QUrl) -> None:
        self.task_chosen.emit(int(url.toString().removeprefix("#")))

    # What is shown

    def show_task(self) -> None:
        """Shows the task that is selected, as it is now."""
        state, task = self._state, self.task
        for widget in (self.form, self.notes_label, self.notes):
            widget.setVisible(task is not None)
        if state is None or task is None:
            self.title.setText(self.tr("Inspector"))
            self.text.setHtml(self._page(escape(self.tr("Select a task to see what decides its dates."))))
            return
        self.title.setText(task.name)
        self._fill(state, task)
        self.notes.show_notes(task.id, task.notes)
        lines = "".join(map(self._section, sections(state, task.id, self._conflicts)))
        self.text.setHtml(self._page(lines))

    def _fill(self, state: State, task: Task) -> None:
        plan, is_summary = state.plan, state.plan.is_summary(task.id)
        is_calendar = plan.clock is Clock.CALENDAR
        self.form.setVisible(is_calendar)
        if not is_calendar:
            return
        self.constraint.setCurrentIndex([kind for kind, _ in KINDS].index(task.constraint))
        self.constraint_at.setVisible(task.constraint.has_date)
        at = task.constraint_at if task.constraint.has_date else state.schedule.start_of(task.id)
        self.constraint_at.show_instant(at)
        self.has_deadline.setChecked(task.deadline is not None)
        self.deadline.setVisible(task.deadline is not None)
        self.deadline.show_instant(state.schedule.finish_of(task.id) if task.deadline is None else task.deadline)
        self.progress.setEnabled(not is_summary)
        self.progress.setValue(round(_percent(task)))
        self._list_calendars(plan, task)

    def _list_calendars(self, plan: Plan, task: Task) -> None:
        self.calendar.clear()
        self.calendar.addItem(self.tr("The plan's, or its resources'"), None)
        for calendar in plan.calendar_of.values():
            self.calendar.addItem(calendar.name, calendar.id)
        self.calendar.setCurrentIndex(max(self.calendar.findData(task.calendar), 0))

    def _page(self, body: str) -> str:
        theme = self._theme
        style = f"a {{ color: {theme.accent}; text-decoration: none; }} .muted {{ color: {theme.muted}; }}"
        style += f" .marked {{ color: {theme.critical}; }} h4 {{ margin-top: 10px; margin-bottom: 2px; }}"
        style += " p { margin-top: 1px; margin-bottom: 1px; }"
        return f"<html><head><style>{style}</style></head><body>{body}</body></html>"

    def _section(self, section: Section) -> str:
        return f"<h4>{escape(section.title)}</h4>" + "".join(map(_line, section.lines))


def _line(line: Line) -> str:
    said = escape(line.text)
    if line.is_marked:
        said = f"<b>{said}</b>"
    if line.task is not None:
        return f'<p><a href="#{line.task}">{escape(line.name)}</a> <span class="muted">{said}</span></p>'
    return f'<p><span class="muted">{escape(line.name)}</span> {said}</p>' if line.name else f"<p>{said}</p>"


def _percent(task: Task) -> float:
    return task.progress.percent if task.progress is not None else 0.0


def _tr(text: str) -> str:
    return QCoreApplication.translate("Inspector", text)
