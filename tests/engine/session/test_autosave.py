"""Autosave: what is kept, when it goes, and what is found after a process has died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import loom
from engine.formats.replacing import process_mark
from engine.session import autosave
from engine.session.document import Document
from engine.session.edits import ResizeTask
from engine.trace.recorded_run import RecordedRun
from tests.engine.model.strategies import office

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of its own for every test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "warploom" / "autosave"


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    """The folder a person keeps plans in."""
    (tmp_path / "plans").mkdir()
    return tmp_path / "plans"


def files(*folders: Path) -> set[str]:
    return {found.name for folder in folders if folder.exists() for found in folder.iterdir()}


def edited(path: Path | None = None, duration: int = 99) -> Document:
    document = Document(office())
    if path is not None:
        document.save(path)
    document.execute(ResizeTask(2, duration))
    return document


def crashed(monkeypatch: pytest.MonkeyPatch, *, path: Path | None = None, duration: int = 99) -> Document:
    """A document whose process died after an autosave: one that was this process before its start time changed."""
    with monkeypatch.context() as patch:
        patch.setattr(autosave, "process_mark", lambda: f"{process_mark()}0")
        document = edited(path, duration)
    document.autosave()
    return document


# While the program lives


def test_that_unsaved_work_is_kept_beside_the_file_and_gone_when_it_is_saved(plans: Path, state: Path) -> None:
    document = edited(plans / "plan.loom")
    document.autosave()
    (beside,) = plans.glob(".plan.loom.*.autosave")
    assert loom.load(beside).task(2).duration == 99
    assert loom.load(plans / "plan.loom") == office()
    document.save()
    assert files(plans, state) == {"plan.loom", "plan.loom~1"}


def test_that_a_plan_without_a_file_is_kept_in_the_state_folder_and_gone_when_it_is_closed(state: Path) -> None:
    document = edited()
    document.autosave()
    (kept,) = state.glob("*.loom")
    assert loom.load(kept) == document.state.plan
    document.close()
    assert files(state) == set()


def test_that_nothing_is_kept_of_what_is_saved_or_closed(plans: Path, state: Path) -> None:
    document = Document(office())
    document.autosave()
    document.save(plans / "plan.loom")
    document.autosave()
    document.execute(ResizeTask(2, 99))
    document.close()
    document.autosave()
    assert files(plans, state) == {"plan.loom"}


def test_that_undoing_to_the_saved_plan_takes_the_autosave_away(plans: Path, state: Path) -> None:
    document = edited(plans / "plan.loom")
    document.autosave()
    document.undo()
    document.autosave()
    assert files(plans, state) == {"plan.loom"}


def test_that_only_the_latest_state_is_kept_and_under_the_latest_name(plans: Path, state: Path) -> None:
    document = edited(plans / "first.loom")
    document.autosave()
    document.execute(ResizeTask(2, 98))
    document.autosave()
    (kept,) = plans.glob(".*.autosave")
    assert loom.load(kept).task(2).duration == 98
    document.save(plans / "second.loom")
    document.execute(ResizeTask(2, 97))
    document.autosave()
    (kept,) = plans.glob(".*.autosave")
    assert kept.name.startswith(".second.loom.")
    assert len(files(state)) == 1


def test_that_a_save_of_an_older_state_leaves_the_autosave_of_a_newer_one(plans: Path) -> None:
    document = edited(plans / "plan.loom")
    saving = document.saving()
    document.execute(ResizeTask(2, 98))
    document.autosave()
    saving.write()
    document.saved(saving)
    (kept,) = plans.glob(".*.autosave")
    assert loom.load(kept).task(2).duration == 98


def test_that_an_autosave_that_comes_after_the_save_of_its_state_keeps_nothing(plans: Path, state: Path) -> None:
    document = edited(plans / "plan.loom")
    document.saving().write()
    document.autosave()  # its state is still the dirty one: the document has not been told of the save
    assert files(plans, state) == {"plan.loom", "plan.loom~1"}


def test_that_a_folder_one_may_not_write_to_is_no_hindrance(
    plans: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = edited(plans / "plan.loom")
    save = loom.save

    def refuse(path: Path, *arguments: object, **named: object) -> None:
        if Path(path).parent == plans:
            raise FormatError(f"{path} may not be written: you have no permission.")
        save(path, *arguments, **named)

    monkeypatch.setattr(loom, "save", refuse)
    document.autosave()
    (kept,) = state.glob("*.loom")
    assert loom.load(kept) == document.state.plan
    document.close()
    assert files(plans, state) == {"plan.loom"}


def test_that_an_autosave_that_cannot_be_written_at_all_says_so(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way", encoding="utf-8")
    with pytest.raises(FormatError, match="could not be written"):
        edited().autosave()


# After it died


def test_that_work_a_crash_left_is_found_and_taken_up_unsaved(
    plans: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = plans / "plan.loom"
    left = crashed(monkeypatch, path=path)
    recovery = autosave.find(path)
    assert recovery is not None
    assert (recovery.path, recovery.is_newer) == (str(path), True)
    assert autosave.orphans() == [recovery]
    document = Document.recover(recovery)
    assert (document.state.plan, document.state.path) == (left.state.plan, str(path))
    assert document.state.is_dirty
    assert autosave.find(path) is None
    assert len(files(plans)) == 2, "the recovered work is not kept again"
    assert not document.save().is_dirty
    assert files(plans, state) == {"plan.loom", "plan.loom~1"}
    assert loom.load(path) == left.state.plan


def test_that_recovered_work_stays_dirty_whatever_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed(monkeypatch)
    (recovery,) = autosave.orphans()
    document = Document.recover(recovery)
    document.execute(ResizeTask(2, 5))
    assert document.undo().is_dirty


def test_that_work_without_a_file_is_found_with_its_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    left = crashed(monkeypatch)
    left.add_run(RecordedRun(3, "cpu", "canceled"))
    left.execute(ResizeTask(2, 98))
    left.autosave()
    (recovery,) = autosave.orphans()
    assert (recovery.path, recovery.is_newer) == ("", True)
    document = Document.recover(recovery)
    assert (document.state.plan, document.state.path) == (left.state.plan, "")
    assert [run.number for run in document.runs] == [3]


def test_that_discarded_work_is_gone(plans: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed(monkeypatch, path=plans / "plan.loom")
    (recovery,) = autosave.orphans()
    autosave.discard(recovery)
    assert autosave.orphans() == []
    assert files(plans, state) == {"plan.loom"}


def test_that_work_older_than_its_file_says_so(plans: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plans / "plan.loom"
    crashed(monkeypatch, path=path)
    kept = autosave.find(path)
    assert kept is not None
    os.utime(path, (kept.time + 100, kept.time + 100))
    older = autosave.find(path)
    assert older is not None
    assert not older.is_newer
    path.unlink()
    (gone,) = autosave.orphans()
    assert gone.is_newer


def test_that_the_work_of_a_living_program_is_neither_offered_nor_touched(plans: Path) -> None:
    path = plans / "plan.loom"
    first, second = edited(path), Document.load(path)
    first.autosave()
    second.execute(ResizeTask(2, 50))
    second.autosave()
    assert autosave.orphans() == []
    second.close()
    (kept,) = plans.glob(".*.autosave")
    assert loom.load(kept).task(2).duration == 99
    first.close()


def test_that_the_newest_work_of_two_crashes_comes_first(plans: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plans / "plan.loom"
    crashed(monkeypatch, path=path)
    older = autosave.find(path)
    assert older is not None
    os.utime(older.autosave, (older.time - 100, older.time - 100))
    crashed(monkeypatch, path=path, duration=98)
    newest = autosave.find(path)
    assert newest is not None
    assert loom.load(newest.autosave).task(2).duration == 98
    assert [each.autosave == newest.autosave for each in autosave.orphans()] == [True, False]


def test_that_a_plan_is_found_through_a_link_to_it(plans: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed(monkeypatch, path=plans / "plan.loom")
    (plans / "link.loom").symlink_to(plans / "plan.loom")
    assert autosave.find(plans / "link.loom") is not None
    assert autosave.find(plans / "other.loom") is None


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"[1, 2]", b'["a", "/no/such/file"]', b"\xff", b"null"])
def test_that_notes_of_nothing_are_cleared_away(content: bytes, state: Path) -> None:
    state.mkdir(parents=True)
    (state / f"{process_mark()}0-1.json").write_bytes(content)
    assert autosave.orphans() == []
    assert files(state) == set()


def test_that_damaged_work_is_refused_and_left_for_another_look(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed(monkeypatch)
    (recovery,) = autosave.orphans()
    Path(recovery.autosave).write_bytes(b"SQLite format 3\x00")
    with pytest.raises(FormatError):
        Document.recover(recovery)
    assert autosave.orphans() != []


CHILD = """
import sys
from engine.session.document import Document
from engine.session.edits import ResizeTask
document = Document.load(sys.argv[1])
document.execute(ResizeTask(2, 42))
document.autosave()
print("kept", flush=True)
sys.stdin.read()
"""


def test_that_the_work_of_a_killed_program_is_found_once_it_is_dead(plans: Path) -> None:
    path = plans / "plan.loom"
    loom.save(path, replace(office(), name="real"))
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"kept\n"
        assert autosave.find(path) is None
        child.send_signal(signal.SIGKILL)
    recovery = autosave.find(path)
    assert recovery is not None
    assert Document.recover(recovery).state.plan.task(2).duration == 42
