"""RecordedPanel: the tasks whose dates are not those that the file recorded, and what to do with them.

It never changes a date itself.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, Signal

from engine.model import Plan, Task, Ticks
from engine.schedule.cpm import working_time
from engine.session.date_edits import PinRecorded
from engine.session.differences import Difference
from engine.session.state import State
from gui.canvas.calendar_ticks import instant_text
from gui.panels.task_list import Entry, TaskList
from gui.plan_words import length_text

translate = QCoreApplication.translate


class RecordedPanel(TaskList):
    """`edit_made` carries the edit that keeps recorded dates; `accepted` says that the calculated ones are right."""

    edit_made = Signal(object)
    accepted = Signal()

    def __init__(self) -> None:
        super().__init__(translate("RecordedPanel", "Recorded dates"), _titles())
        self._kept = PinRecorded(())
        self.keep = self.add_button(
            self.tr("&Keep the recorded dates"),
            self.tr(
                "Have tasks that would start early start no earlier than recorded: this replaces the constraint of "
                "each. Tasks of which a pin cannot keep the dates, as on days without work, are dated by hand"
            ),
        )
        self.use = self.add_button(
            self.tr("&Use the calculated dates"), self.tr("Leave every date as it is calculated, and close the list")
        )
        self.keep.clicked.connect(lambda: self.edit_made.emit(self._kept))
        self.use.clicked.connect(self.accepted)

    def show_nothing(self) -> None:
        """Nothing is known of the open plan yet."""
        self._offer(PinRecorded(()), is_different=False)
        self.show_entries("", ())

    def show_differences(self, state: State, differences: tuple[Difference, ...]) -> None:
        """What was found of a state; tasks that start earlier than recorded can be held, others dated by hand."""
        entries = [Entry(each.task, partial(self._words, state.plan, each)) for each in differences]
        held = tuple(each.task for each in differences if _can_be_held(state, each))
        by_hand = tuple(each.task for each in differences if each.task not in held and _can_be_dated(state, each))
        self._offer(PinRecorded(held, by_hand), is_different=bool(differences))
        sentence = " ".join(filter(None, (self._sentence(state, len(differences)), self._replaced(state.plan))))
        self.show_entries(sentence, entries)

    def _offer(self, kept: PinRecorded, *, is_different: bool) -> None:
        self._kept = kept
        self.keep.setEnabled(bool(kept.tasks or kept.by_hand))
        self.use.setEnabled(is_different)

    def _words(self, plan: Plan, each: Difference) -> tuple[str, ...]:
        task, recorded = plan.task(each.task), each.recorded
        instants = (recorded.start, recorded.finish, each.start, each.finish)
        why = list(each.why)
        if not working_time(plan).between(recorded.start, each.start):
            ours, theirs = (_length(plan, task, each.start, end) for end in (each.finish, recorded.finish))
            words = self.tr("starts as recorded, but takes {ours} rather than {theirs}")
            if ours == theirs:
                words = self.tr("starts and takes {ours} as recorded, but the file counts other hours to its finish")
            why.insert(0, words.format(ours=ours, theirs=theirs))
        return (plan.title_of(task.id), *map(instant_text, instants), "; ".join(why))

    def _replaced(self, plan: Plan) -> str:
        """What else would go if the recorded dates were kept."""
        count = self._kept.count_replaced(plan)
        if not count:
            return ""
        one = self.tr("Keeping the recorded dates replaces the constraint of 1 task.")
        many = self.tr("Keeping the recorded dates replaces the constraints of {count} tasks.")
        return one if count == 1 else many.format(count=count)

    def _sentence(self, state: State, count: int) -> str:
        recorded = sum(task.recorded is not None for task in state.plan.tasks)
        if not recorded:
            return self.tr("This plan holds no dates that another program recorded.")
        if not count:
            return self.tr("Every task starts and finishes when the file recorded it.")
        said = self.tr("{count} of {all} tasks would start or finish at another time than the file recorded.")
        if len(state.plan.tasks) == 1:
            said = self.tr("The task would start or finish at another time than the file recorded.")
        if not (self._kept.tasks or self._kept.by_hand):
            one = self.tr("It does not start early: holding it back would not change that.")
            many = self.tr("None of them starts early: holding them back would not change that.")
            said += f" {one if count == 1 else many}"
        return said.format(count=count, all=len(state.plan.tasks))


def _length(plan: Plan, task: Task, start: Ticks, finish: Ticks) -> str:
    """From an instant to another, in work as the plan's calendar has it, or for elapsed tasks in days and nights."""
    return length_text(plan, task, finish - start if task.is_elapsed else working_time(plan).between(start, finish))


def _can_be_held(state: State, difference: Difference) -> bool:
    """Whether a start no earlier than recorded would move a task: of those that start early, and are not facts."""
    task = state.plan.task(difference.task)
    is_held = task.pin == difference.recorded.start
    work = working_time(state.plan).between(difference.start, difference.recorded.start)
    has_own_time = task.is_elapsed or task.calendar is not None
    is_early = difference.start < difference.recorded.start and (work > 0 or has_own_time)
    return is_early and not (_is_fact(state, task) or is_held)


def _can_be_dated(state: State, difference: Difference) -> bool:
    """Whether a task starts with the recorded work, but on another day or for another length: no pin can keep that."""
    task, recorded = state.plan.task(difference.task), difference.recorded
    is_there = not working_time(state.plan).between(recorded.start, difference.start)
    return is_there and not _is_fact(state, task)


def _is_fact(state: State, task: Task) -> bool:
    """Whether a task's dates are what they are: set by hand, begun, or those of the tasks below it."""
    has_begun = task.progress is not None and task.progress.actual_start is not None
    return task.is_manual or has_begun or state.plan.is_summary(task.id)


def _titles() -> tuple[str, ...]:
    return (
        translate("RecordedPanel", "Task"),
        translate("RecordedPanel", "Recorded start"),
        translate("RecordedPanel", "Recorded finish"),
        translate("RecordedPanel", "Calculated start"),
        translate("RecordedPanel", "Calculated finish"),
        translate("RecordedPanel", "Why"),
    )
