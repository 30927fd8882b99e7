"""The document: what it tells, what can be undone, what is dirty, and what stays when something fails."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from engine.errors import CycleError, EngineError, FormatError, PlanError
from engine.formats import gan, loom
from engine.model import (
    DAY,
    Calendar,
    Clock,
    Dependency,
    DependencyKind,
    OperationKind,
    OperationSpec,
    Plan,
    PlanSettings,
    Progress,
    Task,
)
from engine.schedule.schedule import Schedule
from engine.session.date_edits import SetDeadline
from engine.session.document import MOST_PARTS_SAVED, RUNS_KEPT, Document
from engine.session.edits import AddLink, MoveTask, RemoveLink, RemoveTask, RenameTask, ResizeTask
from engine.session.state import State
from engine.trace.recorded_run import RecordedRun
from engine.trace.timeline import PARTS
from tests.engine.model.strategies import MONDAY, office, pipeline


def kernel_plan() -> Plan:
    """A device plan whose kernel's duration comes from the profile."""
    spec = OperationSpec(OperationKind.MEMSET, "", (("value", 0.0),), (), ("frame",))
    tasks = (*pipeline().tasks[:1], Task(2, "clear", is_duration_typed=False, operation=spec))
    return replace(pipeline(), tasks=tasks, dependencies=(), assignments=pipeline().assignments[:2]).check()


# Editing


def test_that_an_edit_changes_plan_dates_revision_and_label_at_once() -> None:
    document = Document(office())
    told: list[State] = []
    document.subscribe(told.append)
    state = document.execute(MoveTask(2, MONDAY + DAY))
    assert told == [state]
    assert state is document.state
    assert (state.revision, state.undo_label, state.redo_label, state.is_dirty) == (1, "Move “Design”", "", True)
    assert state.schedule.start_of(2) == MONDAY + DAY
    assert state.schedule.start_of(3) == MONDAY + 2 * DAY


def test_that_undo_restores_the_plan_by_value_and_redo_the_edit() -> None:
    document = Document(office())
    changed = document.execute(ResizeTask(2, 99)).plan
    undone = document.undo()
    assert (undone.plan, undone.undo_label, undone.redo_label) == (office(), "", "Resize “Design”")
    assert undone.schedule.finish_of(2) == Document(office()).state.schedule.finish_of(2)
    redone = document.redo()
    assert (redone.plan, redone.undo_label, redone.redo_label) == (changed, "Resize “Design”", "")
    assert redone.revision == 3


def test_that_undo_right_after_opening_changes_nothing() -> None:
    document = Document(office())
    told: list[State] = []
    document.subscribe(told.append)
    first = document.state
    assert document.undo() is first
    assert document.redo() is first
    assert told == []


def test_that_an_edit_after_undo_forgets_what_could_be_redone() -> None:
    document = Document(office())
    document.execute(ResizeTask(2, 99))
    document.undo()
    state = document.execute(RenameTask(5, "Varnish"))
    assert (state.undo_label, state.redo_label) == ("Rename “Paint”", "")
    assert document.redo() is state


def test_that_an_edit_that_changes_nothing_is_no_step() -> None:
    document = Document(office())
    told: list[State] = []
    document.subscribe(told.append)
    before = document.state
    assert document.execute(RenameTask(2, "Design")) is before
    assert document.execute(ResizeTask(2, office().task(2).duration)) is before
    assert told == []


@pytest.mark.parametrize("edit", [AddLink(Dependency(4, 2)), ResizeTask(1, 5), MoveTask(77, 0), MoveTask(2, 1 << 47)])
def test_that_a_refused_edit_leaves_everything_as_it_was(edit: MoveTask, tmp_path: Path) -> None:
    document = Document(office())
    document.execute(ResizeTask(2, 99))
    document.execute(ResizeTask(2, 77))
    document.undo()
    document.save(tmp_path / "plan.loom")
    told: list[State] = []
    document.subscribe(told.append)
    before, content = document.state, (tmp_path / "plan.loom").read_bytes()
    for call in (document.execute, document.trial):
        with pytest.raises(PlanError):
            call(edit)
    assert document.state is before
    assert told == []
    assert (tmp_path / "plan.loom").read_bytes() == content
    assert document.redo().plan.task(2).duration == 77


def test_that_a_trial_shows_what_would_move_and_keeps_nothing() -> None:
    document = Document(office())
    told: list[State] = []
    document.subscribe(told.append)
    before = document.state
    trial = document.trial(MoveTask(2, MONDAY + DAY))
    assert trial.schedule.start_of(3) == MONDAY + 2 * DAY
    assert trial.revision == before.revision
    assert (document.state, told) == (before, [])
    assert document.undo() is before


def test_that_a_plan_that_breaks_its_rules_is_no_document() -> None:
    with pytest.raises(PlanError, match="negative"):
        Document(office().with_task(replace(office().task(2), duration=-1)))
    circle = (*pipeline().dependencies, Dependency(3, 1))
    with pytest.raises(CycleError, match="“in” → “blur” → “out”"):
        Document(replace(pipeline(), dependencies=circle))


def test_that_a_calendar_plan_with_a_cycle_opens_and_is_mended_by_an_edit() -> None:
    circle = (Dependency(2, 3), Dependency(3, 2))
    document = Document(replace(office(), dependencies=circle))
    assert document.state.schedule.cycle == (2, 3)
    with pytest.raises(CycleError):
        document.execute(AddLink(Dependency(2, 3, DependencyKind.SS)))
    with_another = document.execute(AddLink(Dependency(3, 4)))
    assert with_another.schedule.cycle == (2, 3)
    mended = document.execute(RemoveLink(Dependency(3, 2)))
    assert mended.schedule.cycle == ()
    assert mended.schedule.start_of(4) >= mended.schedule.finish_of(3)


# Listeners


def test_that_a_listener_that_raises_keeps_no_other_from_being_told_and_the_edit_stands() -> None:
    document = Document(office())
    told: list[int] = []

    def fail(_state: State) -> None:
        raise KeyError("a bug")

    document.subscribe(fail)
    document.subscribe(lambda state: told.append(state.revision))
    document.subscribe(fail)
    with pytest.raises(KeyError):
        document.execute(ResizeTask(2, 99))
    assert told == [1]
    assert document.state.plan.task(2).duration == 99
    with pytest.raises(KeyError):
        document.undo()
    assert told == [1, 2]
    assert document.state.plan == office()


def test_that_a_change_made_by_a_listener_is_told_to_all_after_the_one_before() -> None:
    document = Document(office())
    told: list[tuple[str, int]] = []

    def edits(state: State) -> None:
        told.append(("first", state.revision))
        if state.revision == 1:
            document.execute(ResizeTask(2, 50))

    document.subscribe(edits)
    document.subscribe(lambda state: told.append(("second", state.revision)))
    document.execute(ResizeTask(2, 99))
    assert told == [("first", 1), ("second", 1), ("first", 2), ("second", 2)]


def test_that_a_listener_that_left_is_told_nothing_more() -> None:
    document = Document(office())
    told: list[State] = []
    leave = document.subscribe(told.append)
    document.subscribe(lambda _state: leave())
    document.execute(ResizeTask(2, 99))
    document.execute(ResizeTask(2, 98))
    leave()
    assert len(told) == 1


# Files


def test_that_a_document_is_dirty_until_saved_and_clean_again_when_undo_comes_back(tmp_path: Path) -> None:
    document = Document(office())
    assert not document.state.is_dirty
    document.execute(ResizeTask(2, 99))
    told: list[State] = []
    document.subscribe(told.append)
    state = document.save(tmp_path / "plan.loom")
    assert told == [state]
    assert (state.is_dirty, state.path, state.revision) == (False, str(tmp_path / "plan.loom"), 1)
    assert document.undo().is_dirty
    assert not document.redo().is_dirty
    assert document.execute(ResizeTask(2, 98)).is_dirty
    assert not document.execute(ResizeTask(2, 99)).is_dirty


def test_that_a_saved_plan_is_opened_clean_with_nothing_to_undo(tmp_path: Path) -> None:
    path = tmp_path / "plan.loom"
    Document(pipeline()).save(path)
    document = Document.load(path)
    state = document.state
    assert (state.plan, state.path, state.is_dirty, state.undo_label) == (pipeline(), str(path), False, "")
    assert document.folder == str(tmp_path)


def test_that_a_relative_path_stays_the_same_file_when_the_folder_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    document = Document(office())
    document.save("plan.loom")
    monkeypatch.chdir("/")
    assert Document.load(document.state.path).state.plan == office()


def test_that_saving_under_another_name_leaves_the_first_file_and_follows_the_new_one(tmp_path: Path) -> None:
    document = Document(office())
    document.save(tmp_path / "first.loom")
    document.execute(ResizeTask(2, 99))
    document.save(tmp_path / "second.loom")
    document.execute(ResizeTask(2, 77))
    document.save()
    assert loom.load(tmp_path / "first.loom") == office()
    assert loom.load(tmp_path / "second.loom").task(2).duration == 77


def test_that_edits_made_while_a_worker_saves_stay_unsaved(tmp_path: Path) -> None:
    document = Document(office())
    document.execute(ResizeTask(2, 99))
    saving = document.saving(tmp_path / "plan.loom")
    document.execute(ResizeTask(2, 98))
    worker = threading.Thread(target=saving.write)
    worker.start()
    worker.join()
    assert document.saved(saving).is_dirty
    assert loom.load(tmp_path / "plan.loom").task(2).duration == 99
    assert not document.undo().is_dirty


def test_that_a_plan_without_a_file_or_with_another_suffix_is_not_saved(tmp_path: Path) -> None:
    document = Document(office())
    with pytest.raises(FormatError, match="has no file yet"):
        document.save()
    with pytest.raises(FormatError, match=r"plan\.docx is of no kind that Warploom writes: choose one of \.loom"):
        document.save(tmp_path / "plan.docx")
    assert document.state.path == ""


def test_that_a_failed_save_leaves_the_document_dirty_and_without_the_new_path(tmp_path: Path) -> None:
    document = Document(office())
    document.execute(ResizeTask(2, 99))
    before = document.state
    with pytest.raises(FormatError, match="There is no folder"):
        document.save(tmp_path / "missing" / "plan.loom")
    assert document.state is before


def test_that_losing_all_tasks_is_saved_only_when_told_so(tmp_path: Path) -> None:
    document = Document(office())
    document.save(tmp_path / "plan.loom")
    for task in (1, 4, 5):
        document.execute(RemoveTask(task))
    with pytest.raises(FormatError, match="holds 5 tasks"):
        document.save()
    assert document.state.is_dirty
    assert not document.save(may_lose_tasks=True).is_dirty


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00"])
def test_that_a_file_that_is_no_plan_is_not_opened_and_not_touched(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "plan.loom"
    path.write_bytes(content)
    with pytest.raises(EngineError, match=r"plan\.loom"):
        Document.load(path)
    assert path.read_bytes() == content


def test_that_another_formats_plan_is_opened_without_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass
    class Foreign:
        TITLE = "Foreign"
        SUFFIXES = (".foreign",)

        def sniff(self, path: str | Path) -> bool:
            return Path(path).read_bytes() == b"foreign"

        def load(self, path: str | Path) -> Plan:
            return office()

    monkeypatch.setattr("engine.formats.FORMATS", (Foreign(),))
    path = tmp_path / "plan.foreign"
    path.write_bytes(b"foreign")
    document = Document.load(path)
    assert (document.state.plan, document.state.path, document.folder) == (office(), "", str(tmp_path))
    with pytest.raises(FormatError, match=r"plan\.foreign is of no kind that Warploom writes"):
        document.save(path)


def test_that_a_copy_names_the_tasks_that_get_other_dates_from_it(tmp_path: Path) -> None:
    """A rest that is moved to the status date is what such a file cannot ask for."""
    first, *others = office().tasks
    begun = replace(office().task(2), progress=Progress(50, MONDAY))
    tasks = (first, *(begun if task.id == 2 else task for task in others))
    settings = PlanSettings(moves_remaining_to_status=True, status=MONDAY + 14 * 86_400)
    saving = Document(replace(office(), tasks=tasks, settings=settings)).saving(tmp_path / "copy.xml")
    said = [each for each in saving.write() if each.startswith("Other dates: ")]
    assert len(said) == 1
    assert f"get other dates when {saving.path} is calculated again: " in said[0]
    assert "“Design” (finish " in said[0]
    settled = Document(replace(office(), tasks=tasks)).saving(tmp_path / "settled.xml")
    assert not [each for each in settled.write() if each.startswith("Other dates: ")]


def test_that_a_copy_for_another_program_says_what_it_lacks_and_changes_nothing(tmp_path: Path) -> None:
    document = Document(office())
    document.execute(SetDeadline(2, MONDAY))
    before = document.state
    saving = document.saving(tmp_path / "copy.gan")
    assert saving.is_copy
    assert "Deadlines are left out: “Design”." in saving.write()
    assert document.saved(saving) is document.state is before
    assert before.is_dirty
    assert gan.load(tmp_path / "copy.gan").task(2).name == "Design"
    native = document.saving(tmp_path / "plan.loom")
    assert (native.is_copy, native.write()) == (False, ())
    assert not document.saved(native).is_dirty


# Runs and costs


def test_that_the_last_few_runs_are_kept_and_saved_with_the_plan(tmp_path: Path) -> None:
    document = Document(pipeline())
    for number in range(RUNS_KEPT + 2):
        document.add_run(RecordedRun(number, "cpu", "finished"))
    document.save(tmp_path / "plan.loom")
    kept = list(range(2, RUNS_KEPT + 2))
    assert [run.number for run in document.runs] == kept
    assert [run.number for run in Document.load(tmp_path / "plan.loom").runs] == kept


def test_that_a_very_long_run_is_kept_and_not_saved(tmp_path: Path) -> None:
    document = Document(pipeline())
    parts = np.zeros((MOST_PARTS_SAVED + 1, len(PARTS)), np.int64)
    for number, kept in enumerate((parts[:0], parts)):
        document.add_run(RecordedRun(number, "cpu", "finished", parts=kept))
    document.save(tmp_path / "plan.loom")
    assert [run.number for run in document.runs] == [0, 1]
    assert [run.number for run in Document.load(tmp_path / "plan.loom").runs] == [0]


def test_that_durations_nobody_typed_come_from_the_profile_the_plan_names() -> None:
    plan = kernel_plan()
    document = Document(plan)
    other = Document(replace(plan, settings=PlanSettings(profile="h200-like")))
    row = plan.rows[2]

    def length(dates: Schedule) -> int:
        return int(dates.finish[row] - dates.start[row])

    assert document.profile.name != other.profile.name
    assert bool(document.state.schedule.is_estimated[row])
    assert length(document.state.schedule) > 0
    assert length(document.state.schedule) != length(other.state.schedule)
    typed = document.execute(ResizeTask(2, 123)).schedule
    assert length(typed) == 123
    assert not bool(typed.is_estimated[row])
    assert length(document.undo().schedule) == length(Document(plan).state.schedule)


@dataclass(frozen=True)
class SetProfile:
    name: str

    def label(self, plan: Plan) -> str:
        return "Set the profile"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        return replace(plan, settings=replace(plan.settings, profile=self.name))


def test_that_another_profile_gives_other_durations_at_once_and_undo_the_first_ones() -> None:
    document = Document(kernel_plan())
    first = document.state.schedule.finish.tolist()
    assert document.execute(SetProfile("h200-like")).schedule.finish.tolist() != first
    assert document.undo().schedule.finish.tolist() == first
    with pytest.raises(FormatError, match="no device profile"):
        document.execute(SetProfile("moon"))
    assert document.state.schedule.finish.tolist() == first


def test_that_an_unknown_profile_is_named() -> None:
    plan = replace(kernel_plan(), settings=PlanSettings(profile="../../etc/passwd"))
    with pytest.raises(FormatError, match="no device profile named"):
        Document(plan)


def test_that_a_calendar_plan_asks_no_profile_for_its_dates() -> None:
    plan = Plan("empty", Clock.CALENDAR, MONDAY, calendar=Calendar.standard(), settings=PlanSettings("no such profile"))
    assert Document(plan).state.schedule.project_finish == MONDAY
