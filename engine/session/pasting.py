"""Pasting: a block of texts, as it comes from a spreadsheet, as one edit of cells or of new tasks. It never makes one.

A text that means nothing refuses all of it, with a sentence that names its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.errors import EngineError, PlanError
from engine.formats.table.cells import plain
from engine.formats.table.columns import Field, find_field, is_formula
from engine.model import Plan, TaskId
from engine.schedule.schedule import Schedule
from engine.session.at_once import MANY, check_alone
from engine.session.cell_edits import AddTasks, SetDuration, SetFinish, SetStaff, staffed
from engine.session.edits import Edit, MoveTask
from engine.session.linking import relinked
from engine.session.plan_edits import SetPredecessors, Together
from engine.session.risk_edits import SetThreePoints
from engine.session.shop_edits import SetAlternatives, with_alternatives
from engine.session.state import State
from engine.session.typed_cells import Cell, cell_text, typed
from engine.session.typed_times import Habits

Grid = tuple[tuple[str, ...], ...]
Trial = Callable[[Edit], State]
_FIELDS = {
    Field.NAME: Cell.TASK,
    Field.DURATION: Cell.DURATION,
    Field.START: Cell.START,
    Field.FINISH: Cell.FINISH,
    Field.PERCENT: Cell.PERCENT,
    Field.PREDECESSORS: Cell.PREDECESSORS,
    Field.RESOURCES: Cell.RESOURCES,
    Field.CONSTRAINT: Cell.CONSTRAINT,
    Field.DEADLINE: Cell.DEADLINE,
    Field.PRIORITY: Cell.PRIORITY,
    Field.FAMILY: Cell.FAMILY,
    Field.SKILL: Cell.SKILL,
    Field.ALTERNATIVES: Cell.ALTERNATIVES,
    Field.RANGE: Cell.RANGE,
    Field.OPTIMISTIC: Cell.OPTIMISTIC,
    Field.LIKELY: Cell.LIKELY,
    Field.PESSIMISTIC: Cell.PESSIMISTIC,
    Field.CHANCE: Cell.CHANCE,
    Field.NOTES: Cell.NOTES,
}
_MOST_CELLS = 200_000


@dataclass(frozen=True, slots=True)
class Slot:
    """A column that is pasted into: its title, and what is typed there, None where it is computed."""

    title: str
    cell: Cell | None
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class PasteCells:
    """Many edits of cells as one step; links, resources and alternatives of all tasks are set and checked at once."""

    words: str
    edits: tuple[Edit, ...]

    def label(self, plan: Plan) -> str:
        """What was said of it."""
        return self.words

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """The others one after the other, many of them kind by kind and so at once; then resources, then links."""
        links = {edit.task: edit.links for edit in self.edits if isinstance(edit, SetPredecessors)}
        staff = {edit.task: edit.staff for edit in self.edits if isinstance(edit, SetStaff)}
        ways = {edit.task: edit.alternatives for edit in self.edits if isinstance(edit, SetAlternatives)}
        others = [each for each in self.edits if not isinstance(each, SetPredecessors | SetStaff | SetAlternatives)]
        if len(others) >= MANY:
            kinds = {kind: place for place, kind in enumerate(dict.fromkeys(map(type, others)))}
            others.sort(key=lambda each: kinds[type(each)])
        changed = Together(self.words, tuple(others)).apply(plan, schedule)
        changed = staffed(changed, staff) if staff else changed
        changed = with_alternatives(changed, ways) if ways else changed
        return relinked(changed, links) if links else changed


@dataclass(frozen=True, slots=True)
class Pasted:
    """The edit that a block means; `left_out` are the titles of computed columns whose texts said something else."""

    edit: Edit
    left_out: tuple[str, ...] = ()


def read_grid(text: str) -> Grid:
    """Lines and tabs as spreadsheets write them; a cell with either in it stands in quotes. Raises PlanError."""
    rows: list[tuple[str, ...]] = []
    row: list[str] = []
    at, count = 0, 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    while at < len(text) or row:
        cell, at = _cell(text, at)
        row.append(plain(cell))
        count += 1
        if count > _MOST_CELLS:
            raise PlanError(f"That is more than {_MOST_CELLS:,} cells: paste less at once.")
        if at >= len(text) or text[at] == "\n":
            rows.append(tuple(row))
            row = []
        at += 1
    return tuple(rows)


def _cell(text: str, at: int) -> tuple[str, int]:
    """The cell that begins at a place, and where what parts it from the next one stands."""
    if text[at : at + 1] == '"':
        end, found = at + 1, ""
        while (quote := text.find('"', end)) >= 0:
            found += text[end:quote]
            if text[quote + 1 : quote + 2] != '"':
                if text[quote + 1 : quote + 2] in {"", "\t", "\n"}:
                    return found, quote + 1
                break
            found, end = found + '"', quote + 2
    ends = [place for place in (text.find("\t", at), text.find("\n", at)) if place >= 0]
    end = min(ends, default=len(text))
    return text[at:end], end


def write_grid(grid: Sequence[Sequence[str]]) -> str:
    """The same, to be pasted into a spreadsheet."""
    return "\n".join("\t".join(_quoted(cell) for cell in row) for row in grid)


def _quoted(cell: str) -> str:
    """A cell that a spreadsheet would take for a formula stands behind an apostrophe, which is taken away again."""
    cell = f"'{cell}" if is_formula(cell) else cell
    is_plain = not any(mark in cell for mark in '\t\n"')
    return cell if is_plain else '"' + cell.replace('"', '""') + '"'


def paste_cells(state: State, tasks: Sequence[TaskId], slots: Sequence[Slot], grid: Grid, habits: Habits) -> Pasted:
    """Texts into cells, row by row; what a cell says already is left. Raises PlanError."""
    edits: list[Edit] = []
    left_out: dict[str, None] = {}
    for task, row in zip(tasks, grid, strict=False):
        for slot, text in zip(slots, row, strict=False):
            if slot.cell is None:
                left_out[slot.title] = None
            elif text.strip() != cell_text(state, task, slot.cell).strip():
                edits.append(_edit(state, task, slot, text, habits))
    edits = _points_together(edits)
    words = f"Paste {sum(len(row) for row in grid)} cells"
    return Pasted(edits[0] if len(edits) == 1 else PasteCells(words, tuple(edits)), tuple(left_out))


def paste_rows(
    state: State, trial: Trial, after: TaskId | None, slots: Sequence[Slot], grid: Grid, habits: Habits
) -> Pasted:
    """Lines as new tasks below a task, in its summary. A first line of headers says what the columns are.

    Predecessors name other lines by their numbers where those are given, else rows as they were, and beyond the last of
    them the lines, in their order, wherever they are put. Raises PlanError.
    """
    headed = _header(grid[0], slots) if grid else None
    lines = [row for row in (grid if headed is None else grid[1:]) if any(cell.strip() for cell in row)]
    used = list(slots) if headed is None else headed
    name_at = next((at for at, slot in enumerate(used) if slot.cell is Cell.TASK), None)
    if name_at is None or not lines:
        raise PlanError("There are no names of tasks to paste.")
    first = state.plan.next_task_id
    ids = list(range(first, first + len(lines)))
    names = [line[name_at].strip() if name_at < len(line) else "" for line in lines]
    if "" in names:
        raise PlanError(f"Line {names.index('') + 1} has no name: nothing was pasted.")
    adding = AddTasks(tuple(names), after)
    added = trial(adding)
    rows = {row: task.id for row, task in enumerate(state.plan.tasks, 1)}
    beyond = dict(enumerate(ids, len(rows) + 1))
    numbers = {**rows, **beyond, **_numbers(used, lines, ids)}
    edits = [
        edit
        for task, line in zip(ids, lines, strict=True)
        for edit in _points_together(_of_line(added, task, tuple(zip(used, line, strict=False)), numbers, habits))
    ]
    count = len(lines)
    return Pasted(PasteCells(f"Paste {'1 task' if count == 1 else f'{count} tasks'}", (adding, *edits)))


def _of_line(
    state: State, task: TaskId, line: Sequence[tuple[Slot, str]], numbers: Mapping[int, TaskId], habits: Habits
) -> list[Edit]:
    """What a line says of its task beside its name. A finish makes the duration where only a start is beside it."""
    given = {slot.cell: (slot, text) for slot, text in line if slot.cell is not None and text.strip()}
    given.pop(Cell.TASK, None)
    finish = given.pop(Cell.FINISH, None)
    edits = [_edit(state, task, slot, text, habits, numbers) for slot, text in given.values()]
    if finish is not None and Cell.DURATION not in given:
        end = _edit(state, task, *finish, habits)
        start = next((edit.start for edit in edits if isinstance(edit, MoveTask)), None)
        if start is not None and isinstance(end, SetFinish):
            length = state.schedule.working_time_of(task).between(start, end.at)
            edits.append(SetDuration(task, max(length, 0)))
        else:
            edits.append(end)
    return edits


def _points_together(edits: Sequence[Edit]) -> list[Edit]:
    """The numbers of one range as one edit: one of them alone may lie outside of what the others still are."""
    found: list[Edit] = []
    places: dict[tuple[TaskId, bool], int] = {}
    for edit in edits:
        place = places.get((edit.task, edit.is_percent)) if isinstance(edit, SetThreePoints) else None
        if not isinstance(edit, SetThreePoints):
            found.append(edit)
        elif place is None:
            places[edit.task, edit.is_percent] = len(found)
            found.append(edit)
        else:
            first = found[place]
            assert isinstance(first, SetThreePoints)
            found[place] = replace(first, points=(*first.points, *edit.points))
    return found


def _header(row: Sequence[str], slots: Sequence[Slot]) -> list[Slot] | None:
    """What the first line says of the columns; None where it is a line as the others."""
    known = {slot.title.casefold(): slot for slot in slots}
    found = [known.get(cell.strip().casefold()) or _foreign(cell) for cell in row]
    if not any(slot is not None and slot.cell is Cell.TASK for slot in found):
        return None
    return [slot or Slot(cell, None) for slot, cell in zip(found, row, strict=True)]


def _foreign(header: str) -> Slot | None:
    found = find_field(header)
    if found is Field.ID:
        return Slot(header, None, is_number=True)
    return Slot(header, _FIELDS[found]) if found in _FIELDS else None


def _numbers(slots: Sequence[Slot], lines: Sequence[Sequence[str]], ids: Sequence[TaskId]) -> dict[int, TaskId]:
    """The new tasks by the numbers that their lines give them."""
    at = next((place for place, slot in enumerate(slots) if slot.is_number), None)
    if at is None:
        return {}
    cells = ((line[at].strip() if at < len(line) else "", task) for line, task in zip(lines, ids, strict=True))
    return {int(text): task for text, task in cells if text.isdecimal() and len(text) < 10}


def _edit(
    state: State, task: TaskId, slot: Slot, text: str, habits: Habits, numbers: Mapping[int, TaskId] | None = None
) -> Edit:
    if slot.cell is None:
        raise PlanError(f"“{slot.title}” follows from the plan: it is not typed.")
    try:
        edit = typed(state, task, slot.cell, text, habits, numbers).edit
        if not isinstance(edit, SetPredecessors | SetStaff | SetThreePoints):  # checked once for all
            check_alone(state.plan, edit, state.schedule)
    except EngineError as error:
        plan = state.plan
        where = f"Row {plan.rows[task] + 1} (“{plan.title_of(task)}”), {slot.title}"
        raise PlanError(f"{where}: {error.sentence}", ids=(task,)) from error
    return edit
