"""Column words: titles of the table's columns, what each of them means, and kinds by name. It never reads a plan."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.model import ConstraintKind, OperationKind, OperationSpec
from gui.gantt.columns import Column

_T = QT_TRANSLATE_NOOP
_TITLES: dict[Column, object] = {
    Column.TASK: _T("TaskTable", "Task"),
    Column.DURATION: _T("TaskTable", "Duration"),
    Column.FLOAT: _T("TaskTable", "Float"),
    Column.START: _T("TaskTable", "Start"),
    Column.FINISH: _T("TaskTable", "Finish"),
    Column.NUMBER: _T("TaskTable", "No."),
    Column.WBS: _T("TaskTable", "WBS"),
    Column.PERCENT: _T("TaskTable", "% complete"),
    Column.PREDECESSORS: _T("TaskTable", "Predecessors"),
    Column.RESOURCES: _T("TaskTable", "Resources"),
    Column.FREE_FLOAT: _T("TaskTable", "Free float"),
    Column.CONSTRAINT: _T("TaskTable", "Constraint"),
    Column.DEADLINE: _T("TaskTable", "Deadline"),
    Column.CALENDAR: _T("TaskTable", "Calendar"),
    Column.PRIORITY: _T("TaskTable", "Priority"),
    Column.WORK: _T("TaskTable", "Work"),
    Column.BASELINE_START: _T("TaskTable", "Baseline start"),
    Column.BASELINE_FINISH: _T("TaskTable", "Baseline finish"),
    Column.START_VARIANCE: _T("TaskTable", "Start variance"),
    Column.FINISH_VARIANCE: _T("TaskTable", "Finish variance"),
    Column.OPERATION: _T("TaskTable", "Operation"),
    Column.STREAM: _T("TaskTable", "Stream"),
    Column.BUFFERS: _T("TaskTable", "Buffers"),
    Column.COST: _T("TaskTable", "Cost"),
    Column.FAMILY: _T("TaskTable", "Family"),
    Column.SKILL: _T("TaskTable", "Skill"),
    Column.ALTERNATIVES: _T("TaskTable", "Alternatives"),
    Column.RANGE: _T("TaskTable", "Range"),
    Column.OPTIMISTIC: _T("TaskTable", "Optimistic"),
    Column.LIKELY: _T("TaskTable", "Most likely"),
    Column.PESSIMISTIC: _T("TaskTable", "Pessimistic"),
    Column.CHANCE: _T("TaskTable", "Chance"),
    Column.SURE_FINISH: _T("TaskTable", "P80 finish"),
    Column.CRITICALITY: _T("TaskTable", "Criticality"),
    Column.NOTES: _T("TaskTable", "Notes"),
}
_MEANINGS: dict[Column, object] = {
    Column.DURATION: _T("TaskTable", "How long a task takes."),
    Column.FLOAT: _T("TaskTable", "How much later a task may finish without delaying the plan."),
    Column.FREE_FLOAT: _T("TaskTable", "How much later a task may finish without delaying any other."),
    Column.NUMBER: _T("TaskTable", "The row in the plan: predecessors name tasks by it."),
    Column.WBS: _T("TaskTable", "The place in the outline: 2.3 is the third task of the second summary."),
    Column.PREDECESSORS: _T("TaskTable", "What a task waits for, by number: 2FS+3d, 5SS-1d, 7FF+50%."),
    Column.RESOURCES: _T("TaskTable", "Who or what does a task: Ann[50%];Bob."),
    Column.START_VARIANCE: _T("TaskTable", "How much later a task starts than its baseline says, in working time."),
    Column.FINISH_VARIANCE: _T("TaskTable", "How much later a task finishes than its baseline says, in working time."),
    Column.WORK: _T("TaskTable", "Duration times units of all that do a task."),
    Column.BUFFERS: _T("TaskTable", "What an operation reads, and what it writes."),
    Column.FAMILY: _T("TaskTable", "What a machine is set up for: between tasks of two families it changes over."),
    Column.SKILL: _T("TaskTable", "Whoever has this skill may do a task."),
    Column.ALTERNATIVES: _T(
        "TaskTable", "Where else a task may be done, and what it takes there: Lathe 2 (3h); Lathe 3."
    ),
    Column.RANGE: _T(
        "TaskTable", "How long a task may take: 8d..10d..15d, ±20%, pert 8d 10d 15d; pale: by its family."
    ),
    Column.OPTIMISTIC: _T("TaskTable", "The shortest that a task may take, as a length or in percent of its duration."),
    Column.LIKELY: _T("TaskTable", "How long a task most likely takes, as a length or in percent of its duration."),
    Column.PESSIMISTIC: _T("TaskTable", "The longest that a task may take, as a length or in percent of its duration."),
    Column.CHANCE: _T("TaskTable", "How likely it is that a task happens at all: 30%; empty where it is certain."),
    Column.SURE_FINISH: _T(
        "TaskTable",
        "When a task is done in 80 of 100 simulations; empty while none goes on (Ctrl+Shift+R)."
        " Point at a cell: it says how many it rests on.",
    ),
    Column.CRITICALITY: _T(
        "TaskTable", "In how many simulations a task decides the end; empty while none goes on (Ctrl+Shift+R)."
    ),
    Column.NOTES: _T("TaskTable", "What was written down of a task; lines are parted by ↵."),
    Column.COST: _T("TaskTable", "How long the operation takes by the cost model of the plan's device profile."),
}


def title(column: Column) -> str:
    """What stands in a column's header."""
    return QCoreApplication.translate("TaskTable", str(_TITLES[column]))


def meaning(column: Column) -> str:
    """A sentence on what a column says, empty where its title says it."""
    found = _MEANINGS.get(column)
    return "" if found is None else QCoreApplication.translate("TaskTable", str(found))


_KINDS: dict[ConstraintKind, object] = {
    ConstraintKind.AS_SOON_AS_POSSIBLE: _T("TaskTable", "As soon as possible"),
    ConstraintKind.AS_LATE_AS_POSSIBLE: _T("TaskTable", "As late as possible"),
    ConstraintKind.START_NO_EARLIER_THAN: _T("TaskTable", "Start no earlier than {date}"),
    ConstraintKind.START_NO_LATER_THAN: _T("TaskTable", "Start no later than {date}"),
    ConstraintKind.FINISH_NO_EARLIER_THAN: _T("TaskTable", "Finish no earlier than {date}"),
    ConstraintKind.FINISH_NO_LATER_THAN: _T("TaskTable", "Finish no later than {date}"),
    ConstraintKind.MUST_START_ON: _T("TaskTable", "Must start on {date}"),
    ConstraintKind.MUST_FINISH_ON: _T("TaskTable", "Must finish on {date}"),
}
_OPERATIONS: dict[OperationKind, object] = {
    OperationKind.COPY_IN: _T("TaskTable", "Copy in"),
    OperationKind.COPY_OUT: _T("TaskTable", "Copy out"),
    OperationKind.COPY_WITHIN: _T("TaskTable", "Copy within"),
    OperationKind.KERNEL: _T("TaskTable", "Kernel {name}"),
    OperationKind.MEMSET: _T("TaskTable", "Memset"),
    OperationKind.HOST: _T("TaskTable", "Host {name}"),
}


def constraint_words(kind: ConstraintKind, date: str) -> str:
    """A constraint with its date."""
    return QCoreApplication.translate("TaskTable", str(_KINDS[kind])).format(date=date)


def operation_words(spec: OperationSpec | None) -> str:
    """What an operation is: "Kernel blur", or "Copy in, once"; nothing where there is none."""
    if spec is None:
        return ""
    words = QCoreApplication.translate("TaskTable", str(_OPERATIONS[spec.kind])).format(name=spec.kernel).strip()
    once = QCoreApplication.translate("TaskTable", "{operation}, once")
    return once.format(operation=words) if spec.is_once else words
