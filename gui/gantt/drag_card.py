"""The card of a drag: what it would do, in lines of figures and sentences. It never computes a date."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.model import Dependency, DependencyKind, TaskId
from engine.schedule.cpm import working_time
from engine.schedule.reasons import reason
from engine.session.date_edits import SetProgress
from engine.session.edits import AddLink, ChangeLink, Edit, MoveTask, MoveTasks
from engine.session.plan_edits import Together
from engine.session.shape_edits import ResizeStart, SplitTask
from engine.session.state import State
from gui.gantt.bars import Layout
from gui.gantt.drag import CardLine, is_moved
from gui.gantt.fence_words import crossing_words
from gui.gantt.interactions import Gesture, LinkGesture, ReconnectGesture
from gui.gantt.interactions.progress import percent_of
from gui.gantt.stream_places import order_change
from gui.gantt.words import change_text, exact_text, full_name, instant_text, length_text
from gui.gantt.work import worked


def card_lines(
    state: State, trial: State | None, gesture: Gesture[Layout], edit: Edit | None, refusal: str
) -> tuple[CardLine, ...]:
    """The lines of a gesture that would be this edit now, and lead to `trial`, or be refused with a sentence."""
    if edit is None:
        return _hint(gesture)
    if isinstance(edit, AddLink | ChangeLink):
        link = edit.dependency if isinstance(edit, AddLink) else edit.after
        lines = [CardLine(_link_sentence(state, link), "text", True)]
    else:
        task = state.plan.next_task_id if gesture.task is None else gesture.task
        shown = trial if gesture.task is None and trial is not None else state
        lines = [CardLine(full_name(shown.plan, task, " · "), "text", True)] if task in shown.plan.rows else []
        if trial is not None:
            lines += _dates(state, trial, task) + _more(state, trial, task, edit)
            lines += [CardLine(said, "alarm")] if (said := crossing_words(state, trial, task)) else []
    return (*lines, CardLine(refusal, "alarm") if trial is None else _plan_line(state, trial))


def is_held_back(trial: State, edit: Edit) -> bool:
    """Whether a task that an edit has start at an instant cannot start there."""
    if not isinstance(edit, MoveTask | ResizeStart):
        return False
    time = trial.schedule.working_time_of(edit.task)
    return time.between(edit.start, trial.schedule.start_of(edit.task)) != 0


def _hint(gesture: Gesture[Layout]) -> tuple[CardLine, ...]:
    if isinstance(gesture, LinkGesture | ReconnectGesture):
        return (CardLine(_tr("Let go on a bar to link it: its first part for its start, its last for its finish.")),)
    return ()


def _dates(state: State, trial: State, task: TaskId) -> list[CardLine]:
    """Start, finish and duration by the task's own calendar, each with its change."""
    plan, new = trial.plan, trial.schedule
    start, finish, length = new.start_of(task), new.finish_of(task), worked(trial, task)
    changes = (0, 0, 0)
    if task in state.schedule.rows:
        old, time = state.schedule, new.working_time_of(task)
        changes = (
            time.between(old.start_of(task), start),
            time.between(old.finish_of(task), finish),
            length - worked(state, task),
        )
    return [
        _line(trial, _tr("start {value}"), instant_text(plan, start), changes[0]),
        _line(trial, _tr("finish {value}"), instant_text(plan, finish), changes[1]),
        _line(trial, _tr("duration {value}"), length_text(plan, trial.plan.task(task), length), changes[2]),
    ]


def _more(state: State, trial: State, task: TaskId, edit: Edit) -> list[CardLine]:
    """What is particular to an edit: progress, a pause, another place on a stream, or why a task cannot go there."""
    if isinstance(edit, SetProgress):
        return [
            CardLine(_tr("{before:g} % → {after:g} % done").format(before=percent_of(state, task), after=edit.percent))
        ]
    if isinstance(edit, SplitTask):
        at, pause = instant_text(trial.plan, edit.at), exact_text(trial.plan, edit.gap)
        return [CardLine(_tr("pauses {at} for {pause}").format(at=at, pause=pause))]
    if isinstance(edit, Together):
        return []
    lines = [CardLine(moved, "text")] if (moved := order_change(state, trial, task)) else []
    is_stuck = isinstance(edit, MoveTasks) and not is_moved(state, trial)
    if is_stuck or is_held_back(trial, edit):
        lines += [
            CardLine(f"{text[:1].upper()}{text[1:]}.", "alarm") for text in reason(trial.plan, trial.schedule, task)
        ]
    return lines


def _plan_line(state: State, trial: State) -> CardLine:
    old, new = state.schedule, trial.schedule
    change = working_time(trial.plan).between(old.project_finish, new.project_finish)
    line = _line(trial, _tr("plan finish {value}"), instant_text(trial.plan, new.project_finish), change)
    return CardLine(line.text, "alarm" if new.project_finish > old.project_finish else "muted")


def _line(state: State, pattern: str, value: str, change: int) -> CardLine:
    difference = change_text(state.plan, change)
    return CardLine(pattern.format(value=value) + (f"  ({difference})" if difference else ""))


def _link_sentence(state: State, link: Dependency) -> str:
    words = {
        DependencyKind.FS: _tr("{second} starts after {first} finishes"),
        DependencyKind.SS: _tr("{second} starts after {first} starts"),
        DependencyKind.FF: _tr("{second} finishes after {first} finishes"),
        DependencyKind.SF: _tr("{second} finishes after {first} starts"),
    }[link.kind]
    return words.format(first=full_name(state.plan, link.predecessor), second=full_name(state.plan, link.successor))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dragging", text)
