"""Branches of a plan: each with its own history, merged back as one step, kept in the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import FormatError, PlanError
from engine.formats import loom
from engine.model import DAY, Plan
from engine.session import autosave
from engine.session.date_edits import SetDeadline
from engine.session.document import Document
from engine.session.edits import AddTask, Edit, MoveTask, RemoveTask, RenameTask, ResizeTask
from engine.session.merging import Merge, find_merge, merge
from engine.session.scenarios import LETTERS, MAIN, Scenarios
from tests.engine.formats.test_loom import a_run
from tests.engine.model.strategies import HOUR, MONDAY, office
from tests.engine.session.test_history import EDITS


def branch(document: Document, name: str = "Fast") -> int:
    document.arrange(lambda held: held.branched(name))
    return document.scenarios.active_id


def switch(document: Document, number: int) -> None:
    document.arrange(lambda held: held.switched(number))


def found(document: Document, number: int) -> Merge:
    return find_merge(document.scenarios, number)


def test_that_a_branch_begins_as_the_plan_is_and_shares_it() -> None:
    document = Document(office())
    revision = document.state.revision
    number = branch(document)
    assert document.state.plan is document.scenarios.main.plan
    assert document.state.schedule is document.scenarios.main.schedule
    assert (number, document.state.branch, document.scenarios.active.letter) == (1, "Fast", "A")
    assert document.state.revision > revision


def test_that_each_branch_has_its_own_plan_and_its_own_undo() -> None:
    document = Document(office())
    document.execute(RenameTask(2, "Draw"))
    fast = branch(document)
    document.execute(ResizeTask(3, HOUR))
    assert (document.state.undo_label, document.state.plan.task(3).duration) == ("Resize “Build”", HOUR)
    revision = document.state.revision
    switch(document, MAIN)
    assert (document.state.undo_label, document.state.plan.task(3).duration) == ("Rename “Design”", 16 * HOUR)
    assert document.state.revision > revision
    document.undo()
    switch(document, fast)
    assert document.state.plan.task(2).name == "Draw"
    document.undo()
    assert document.state.undo_label == ""
    assert document.state.redo_label == "Resize “Build”"
    assert document.state.plan.task(3).duration == 16 * HOUR


def test_that_a_merge_is_one_step_and_its_undo_restores_exactly() -> None:
    document = Document(office())
    fast = branch(document)
    document.execute(ResizeTask(3, HOUR))
    document.execute(RenameTask(5, "Varnish"))
    switch(document, MAIN)
    document.execute(RenameTask(2, "Draw"))
    before, base = document.state.plan, document.scenarios.branch(fast).base
    switch(document, fast)
    document.merge(found(document, fast))
    assert document.scenarios.active_id == MAIN
    assert document.state.undo_label == "Merge “Fast”"
    assert [document.state.plan.task(n).name for n in (2, 5)] == ["Draw", "Varnish"]
    assert document.state.schedule.finish_of(4) < MONDAY + 3 * DAY
    merged = document.state.plan
    document.undo()
    assert document.state.plan is before
    assert document.scenarios.branch(fast).base is base
    document.redo()
    assert document.state.plan is merged
    assert document.scenarios.branch(fast).base is document.scenarios.branch(fast).plan


def test_that_a_second_merge_takes_over_what_changed_since_the_first() -> None:
    document = Document(office())
    fast = branch(document)
    document.execute(ResizeTask(3, HOUR))
    document.merge(found(document, fast))
    document.execute(ResizeTask(3, 2 * HOUR))
    switch(document, fast)
    document.execute(RenameTask(5, "Varnish"))
    merge = found(document, fast)
    assert merge.clashes == ()
    document.merge(merge)
    assert (document.state.plan.task(3).duration, document.state.plan.task(5).name) == (2 * HOUR, "Varnish")
    with pytest.raises(PlanError, match="nothing to merge"):
        document.merge(found(document, fast))


def test_that_what_both_added_under_one_id_stays_apart_in_a_second_merge() -> None:
    document = Document(office())
    fast = branch(document)
    document.execute(AddTask("Theirs"))
    switch(document, MAIN)
    document.execute(AddTask("Ours"))
    document.merge(found(document, fast))
    switch(document, fast)
    theirs = next(task.id for task in document.state.plan.tasks if task.name == "Theirs")
    document.execute(RenameTask(theirs, "Still theirs"))
    document.merge(found(document, fast))
    assert {task.name for task in document.state.plan.tasks[-2:]} == {"Ours", "Still theirs"}
    switch(document, fast)
    document.undo()
    document.undo()
    document.merge(found(document, fast))
    assert [task.name for task in document.state.plan.tasks][-1] == "Ours"


def test_that_a_branch_takes_in_the_main_plan_as_one_step_and_undo_takes_it_back() -> None:
    document = Document(office())
    fast = branch(document)
    document.execute(ResizeTask(3, HOUR))
    document.execute(AddTask("Theirs"))
    switch(document, MAIN)
    document.execute(RenameTask(2, "Draw"))
    document.execute(AddTask("Ours"))
    before, main = document.scenarios.branch(fast), document.scenarios.main
    document.merge(find_merge(document.scenarios, fast, is_update=True))
    assert (document.scenarios.active_id, document.scenarios.main) == (fast, main)
    assert {task.name for task in document.state.plan.tasks} >= {"Draw", "Ours", "Theirs"}
    assert document.state.plan.task(3).duration == HOUR
    assert document.scenarios.active.base is main.plan
    taken = document.state.plan
    document.undo()
    assert (document.state.plan, document.scenarios.active.base) == (before.plan, before.base)
    document.redo()
    assert (document.state.plan, document.scenarios.active.base) == (taken, main.plan)
    document.merge(found(document, fast))
    assert document.state.plan == taken
    with pytest.raises(PlanError, match="nothing to merge"):
        document.merge(find_merge(document.scenarios, fast, is_update=True))


def test_that_a_merge_that_was_found_before_an_edit_is_refused() -> None:
    document = Document(office())
    fast = branch(document)
    document.execute(ResizeTask(3, HOUR))
    merge = found(document, fast)
    document.execute(ResizeTask(3, 2 * HOUR))
    with pytest.raises(PlanError, match="edited since"):
        document.merge(merge)


def test_that_a_branch_of_a_branch_is_merged_with_all_that_both_changed() -> None:
    document = Document(office())
    branch(document)
    document.execute(ResizeTask(3, HOUR))
    second = branch(document, "Faster")
    document.execute(RenameTask(5, "Varnish"))
    document.merge(found(document, second))
    assert (document.state.plan.task(3).duration, document.state.plan.task(5).name) == (HOUR, "Varnish")


def test_that_names_and_letters_are_apart_and_the_main_plan_stays() -> None:
    document = Document(office())
    fast = branch(document)
    with pytest.raises(PlanError, match="There is a branch “Fast” already"):
        branch(document)
    with pytest.raises(PlanError, match="needs a name"):
        document.arrange(lambda held: held.renamed(fast, "  "))
    with pytest.raises(PlanError, match="cannot be deleted"):
        document.arrange(lambda held: held.without(MAIN))
    with pytest.raises(PlanError, match="no longer there"):
        switch(document, 99)
    second = branch(document, "Cheap")
    document.arrange(lambda held: held.without(fast))
    assert document.scenarios.active_id == second
    branch(document, "Third")
    assert [each.letter for each in document.scenarios.branches] == ["M", "B", "A"]
    assert len({each.id for each in document.scenarios.branches} | {fast}) == 4


def test_that_only_so_many_branches_are_kept_as_there_are_letters() -> None:
    document = Document(office())
    for number in range(len(LETTERS)):
        branch(document, f"Try {number}")
    with pytest.raises(PlanError, match="25 branches at most"):
        branch(document, "One more")


def test_that_a_deleted_branch_comes_back_with_its_history() -> None:
    document = Document(office())
    fast = branch(document)
    document.execute(ResizeTask(3, HOUR))
    gone = document.scenarios.branch(fast)
    document.arrange(lambda held: held.without(fast))
    assert document.state.branch == ""
    document.arrange(lambda held: held.with_again(gone))
    assert (document.state.branch, document.state.plan) == ("Fast", gone.plan)
    document.undo()
    assert document.state.plan.task(3).duration == 16 * HOUR


def test_that_branches_make_a_plan_unsaved_and_their_removal_saved_again(tmp_path: Path) -> None:
    document = Document(office())
    document.save(tmp_path / "plan.loom")
    fast = branch(document)
    assert document.state.is_dirty
    document.save()
    switch(document, MAIN)
    assert not document.state.is_dirty
    document.arrange(lambda held: held.renamed(fast, "Slow"))
    assert document.state.is_dirty
    document.arrange(lambda held: held.renamed(fast, "Fast"))
    assert not document.state.is_dirty


def test_that_a_file_keeps_the_branches_with_their_runs(tmp_path: Path) -> None:
    document = Document(office())
    fast = branch(document)
    document.execute(ResizeTask(3, HOUR))
    document.add_run(a_run(7))
    second = branch(document, "Cheap")
    document.execute(RenameTask(5, "Varnish"))
    document.add_run(a_run(8), fast)
    document.save(tmp_path / "plan.loom")
    again = Document.load(tmp_path / "plan.loom")
    assert (again.state.branch, again.state.plan, again.state.is_dirty) == ("", office(), False)
    was, now = document.scenarios, again.scenarios
    for one, other in zip(was.branches[1:], now.branches[1:], strict=True):
        assert (one.letter, one.name, one.base, one.plan) == (other.letter, other.name, other.base, other.plan)
        assert (one.schedule.finish == other.schedule.finish).all()
    assert [[run.number for run in each.runs] for each in now.branches] == [[], [7, 8], []]
    switch(again, now.branches[-1].id)
    assert again.state.branch == document.scenarios.branch(second).name
    assert find_merge(now, now.branches[1].id).plan == find_merge(was, fast).plan


def test_that_a_plan_without_branches_is_written_as_it_ever_was(tmp_path: Path) -> None:
    document = Document(office())
    document.save(tmp_path / "one.loom")
    fast = branch(document)
    document.save(tmp_path / "two.loom")
    document.arrange(lambda held: held.without(fast))
    document.save(tmp_path / "three.loom")
    one, two, three = ((tmp_path / f"{name}.loom").read_bytes() for name in ("one", "two", "three"))
    assert one == three
    assert (one[63], two[63]) == (3, 4)
    assert len(two) > len(one)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("DELETE FROM branch_base", "is damaged: what the branch “Fast” began from is missing."),
        ("UPDATE branch SET plan = x'00'", "is cut off|is not a Warploom plan"),
        ("UPDATE branch SET letter = 'M'", "the letter “M”, which it cannot have"),
        ("DROP TABLE branch", "its table “branch” is missing"),
    ],
)
def test_that_damaged_branches_are_refused_by_name(tmp_path: Path, statement: str, sentence: str) -> None:
    path = tmp_path / "plan.loom"
    document = Document(office())
    branch(document)
    document.save(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.commit()
    with pytest.raises((FormatError, PlanError), match=sentence):
        Document.load(path)


def test_that_a_crash_leaves_the_branches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    document = Document(office())
    branch(document)
    document.execute(ResizeTask(3, HOUR))
    document.autosave()
    monkeypatch.setattr(autosave, "is_alive", lambda _: False)
    (recovery,) = autosave.orphans()
    taken = Document.recover(recovery)
    assert taken.state.is_dirty
    assert [each.name for each in taken.scenarios.branches] == ["Main", "Fast"]
    assert taken.scenarios.branches[1].plan.task(3).duration == HOUR


def test_that_a_copy_for_another_program_says_which_branches_it_leaves_out(tmp_path: Path) -> None:
    document = Document(office())
    plain = document.saving(tmp_path / "plan.xml").write()
    branch(document)
    losses = document.saving(tmp_path / "plan.xml").write()
    assert losses == (*plain, "Branches are not kept: the copy holds “Fast”, and leaves out “Main”.")


def test_that_a_run_goes_with_its_branch() -> None:
    document = Document(office())
    fast = branch(document)
    document.arrange(lambda held: held.without(fast))
    document.add_run(a_run(), fast)
    assert [each.runs for each in document.scenarios.branches] == [()]


def test_that_both_branches_share_the_bases_of_a_file(tmp_path: Path) -> None:
    document = Document(office())
    branch(document)
    branch(document, "Cheap")
    document.save(tmp_path / "plan.loom")
    first, second = loom.load_file(tmp_path / "plan.loom").branches
    assert first.base is second.base


FIELDS = st.one_of(
    st.tuples(st.just("name"), st.text("abc", min_size=1, max_size=3)),
    st.tuples(st.just("duration"), st.integers(1, 100_000)),
    st.tuples(st.just("deadline"), st.integers(0, 20).map(lambda days: MONDAY + days * DAY)),
)


def edit_of(task: int, change: tuple[str, object]) -> Edit:
    name, value = change
    kinds = {"name": RenameTask, "duration": ResizeTask, "deadline": SetDeadline}
    return kinds[name](task, value)


@settings(max_examples=100)
@given(st.dictionaries(st.tuples(st.sampled_from((2, 3, 5)), FIELDS), st.booleans(), max_size=6))
def test_that_merging_disjoint_edits_equals_doing_both(changes: dict[tuple[int, tuple[str, object]], bool]) -> None:
    by_place = {(task, change[0]): (edit_of(task, change), side) for (task, change), side in changes.items()}
    base = branch = main = both = office()
    for edit, is_in_branch in by_place.values():
        both = edit.apply(both)
        if is_in_branch:
            branch = edit.apply(branch)
        else:
            main = edit.apply(main)
    found = merge(base, branch, main)
    assert found.clashes == ()
    assert found.plan == both


@settings(max_examples=60)
@given(st.lists(EDITS, max_size=4), st.lists(EDITS, max_size=4), st.booleans())
def test_that_undo_of_any_merge_restores_the_plan_exactly(
    there: list[Edit], here: list[Edit], is_main_kept: bool
) -> None:
    document = Document(office())
    number = branch(document)
    execute(document, there)
    switch(document, MAIN)
    execute(document, here)
    before = document.state
    with suppress(PlanError):
        first = found(document, number)
        keeps = {clash.key for clash in first.clashes} if is_main_kept else set()
        document.merge(find_merge(document.scenarios, number, keeps))
        document.undo()
    assert document.state.plan is before.plan
    assert (document.state.schedule.start == before.schedule.start).all()
    assert document.state.undo_label == before.undo_label


def execute(document: Document, edits: list[Edit]) -> None:
    for edit in edits:
        with suppress(PlanError):
            document.execute(edit)


def test_that_what_only_one_side_did_is_no_clash() -> None:
    base: Plan = office()
    branch = RemoveTask(5).apply(AddTask("New").apply(base))
    assert merge(base, branch, MoveTask(2, MONDAY + DAY).apply(base)).clashes == ()
    assert Scenarios.of(base, Document(base).state.schedule).others == ()
