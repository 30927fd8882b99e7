"""A file that something else changed is not saved over, unless that is asked for."""

import os
from pathlib import Path

import pytest

from engine.errors import ChangedFileError
from engine.formats import loom
from engine.session import autosave
from engine.session.document import Document
from engine.session.edits import RenameTask
from tests.engine.model.strategies import office


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A plan in a file."""
    loom.save(tmp_path / "office.loom", office())
    return tmp_path / "office.loom"


def name_in(path: Path) -> str:
    """What the first task is called in a file."""
    return loom.load(path).task(1).name


def edited(path: Path, name: str) -> Document:
    """A document of a file, its first task renamed."""
    document = Document.load(path)
    document.execute(RenameTask(1, name))
    return document


def test_that_of_two_documents_of_one_file_the_later_save_is_refused(path: Path) -> None:
    mine, theirs = edited(path, "mine"), edited(path, "theirs")
    theirs.save()
    with pytest.raises(ChangedFileError, match=r"^office\.loom was changed by something else .*\.$") as refused:
        mine.save()
    assert refused.value.path == str(path)
    assert mine.state.is_dirty
    assert name_in(path) == "theirs"


def test_that_a_changed_file_can_be_overwritten_and_its_content_stays_as_a_backup(path: Path) -> None:
    mine = edited(path, "mine")
    edited(path, "theirs").save()
    mine.save(may_overwrite=True)
    assert name_in(path) == "mine"
    assert name_in(path.with_name("office.loom~1")) == "theirs"
    mine.execute(RenameTask(1, "mine again"))
    mine.save()
    assert name_in(path) == "mine again"


def test_that_a_document_saves_its_own_file_again_and_again(path: Path) -> None:
    document = Document.load(path)
    for number in range(3):
        document.execute(RenameTask(1, f"name {number}"))
        document.save()
    assert name_in(path) == "name 2"


def test_that_a_file_of_another_name_is_replaced_as_before(path: Path, tmp_path: Path) -> None:
    document, other = edited(path, "mine"), tmp_path / "other.loom"
    loom.save(other, office())
    document.save(other)
    document.execute(RenameTask(1, "later"))
    document.save()
    assert name_in(other) == "later"
    edited(other, "theirs").save()
    document.execute(RenameTask(1, "too late"))
    with pytest.raises(ChangedFileError):
        document.save()


@pytest.mark.parametrize("change", ["longer", "touched", "a link"])
def test_that_any_change_of_the_file_counts(path: Path, tmp_path: Path, change: str) -> None:
    document = edited(path, "mine")
    if change == "longer":
        path.write_bytes(path.read_bytes() + b"x")
    elif change == "touched":
        os.utime(path, ns=(1, 1))
    else:
        (tmp_path / "link.loom").symlink_to(path)
        edited(tmp_path / "link.loom", "theirs").save()
    with pytest.raises(ChangedFileError):
        document.save()


def test_that_a_file_that_is_gone_is_written_anew(path: Path) -> None:
    document = edited(path, "mine")
    path.unlink()
    document.save()
    assert name_in(path) == "mine"


@pytest.mark.parametrize("is_newer", [True, False])
def test_that_recovered_work_replaces_only_a_file_that_is_older(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_newer: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    kept = tmp_path / "kept.loom"
    loom.save(kept, office())
    document = Document.recover(autosave.Recovery(str(path), 0, is_newer, str(kept), str(tmp_path / "note")))
    if is_newer:
        document.save()
        assert not document.state.is_dirty
    else:
        with pytest.raises(ChangedFileError):
            document.save()
    document.close()


def test_that_a_change_by_something_else_is_seen_until_it_is_known_and_our_own_save_is_none(path: Path) -> None:
    mine = edited(path, "mine")
    assert mine.mark.another() is None
    edited(path, "theirs").save()
    other = mine.mark.another()
    assert other is not None
    state = mine.keep_over(other)
    assert (mine.mark.another(), state.is_dirty) == (None, True)
    mine.save()
    assert (mine.mark.another(), mine.state.is_dirty, name_in(path)) == (None, False, "mine")
    assert name_in(path.with_name(f"{path.name}~1")) == "theirs"


def test_that_a_plan_kept_over_one_version_of_its_file_is_not_saved_over_the_next(path: Path) -> None:
    mine = edited(path, "mine")
    edited(path, "theirs").save()
    mine.keep_over(mine.mark.another())
    edited(path, "theirs again").save()
    with pytest.raises(ChangedFileError):
        mine.save()
    assert name_in(path) == "theirs again"


def test_that_a_plan_kept_over_its_file_stays_unsaved_even_where_nothing_was_edited(path: Path) -> None:
    mine = Document.load(path)
    edited(path, "theirs").save()
    mine.keep_over(mine.mark.another())
    mine.undo()
    assert mine.state.is_dirty


def test_that_a_file_that_is_gone_is_not_another_one(path: Path) -> None:
    mine = Document.load(path)
    path.unlink()
    assert mine.mark.another() is None
