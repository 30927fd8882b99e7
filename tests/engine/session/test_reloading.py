"""A plan read anew from its file has what the file holds, and what was not saved stays beside as branches."""

from pathlib import Path

import pytest

from engine.errors import PlanError
from engine.formats import loom
from engine.session.document import Document
from engine.session.edits import RenameTask
from engine.session.merging import find_merge
from engine.session.reloading import UNSAVED, load_anew
from engine.session.scenarios import LETTERS, MAIN
from tests.engine.model.strategies import office


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A plan in a file."""
    loom.save(tmp_path / "office.loom", office())
    return tmp_path / "office.loom"


def changed(path: Path, task: int, name: str) -> None:
    """Have something else change the file."""
    other = Document.load(path)
    other.execute(RenameTask(task, name))
    other.save()


def test_that_a_plan_without_unsaved_work_is_what_the_file_holds(path: Path) -> None:
    mine = Document.load(path)
    changed(path, 1, "theirs")
    theirs, names = load_anew(mine)
    assert (theirs.state.plan.task(1).name, names, theirs.state.is_dirty) == ("theirs", (), False)
    assert len(theirs.scenarios.branches) == 1
    assert theirs.mark.another() is None


def test_that_unsaved_work_stays_as_a_branch_that_merges_with_what_the_other_side_changed(path: Path) -> None:
    mine = Document.load(path)
    mine.execute(RenameTask(2, "mine"))
    changed(path, 3, "theirs")
    theirs, names = load_anew(mine)
    assert names == (UNSAVED,)
    assert theirs.state.is_dirty
    assert [theirs.state.plan.task(task).name for task in (2, 3)] == [office().task(2).name, "theirs"]
    branch = theirs.scenarios.branches[-1]
    assert branch.plan == mine.state.plan
    merge = find_merge(theirs.scenarios, branch.id)
    assert merge.clashes == ()
    assert [merge.plan.task(task).name for task in (2, 3)] == ["mine", "theirs"]
    theirs.close()


def test_that_unsaved_work_of_every_branch_stays_and_what_the_file_holds_of_them_too(path: Path) -> None:
    mine = Document.load(path)
    mine.arrange(lambda held: held.branched("Two crews"))
    mine.arrange(lambda held: held.branched("Nights", MAIN))
    mine.save()
    mine.execute(RenameTask(1, "dig at night"))
    changed(path, 3, "theirs")
    theirs, names = load_anew(mine)
    assert names == ("Nights 2",)
    assert [branch.name for branch in theirs.scenarios.branches[1:]] == ["Two crews", "Nights", "Nights 2"]
    assert theirs.scenarios.branches[2].plan.task(1).name == office().task(1).name
    assert theirs.scenarios.branches[3].plan.task(1).name == "dig at night"
    assert theirs.scenarios.active_id == MAIN
    theirs.close()


def test_that_nothing_is_loaded_where_there_is_no_room_for_another_branch(path: Path) -> None:
    mine = Document.load(path)
    for letter in LETTERS:
        mine.arrange(lambda held, name=letter: held.branched(name, MAIN))
    mine.save()
    mine.execute(RenameTask(1, "mine"))
    changed(path, 3, "theirs")
    with pytest.raises(PlanError, match="branches at most"):
        load_anew(mine)
