"""Branches merged back: what changed on one side, what changed on both, and random edits on either."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import PlanError
from engine.model import Assignment, Dependency, DependencyKind, Lag, Plan
from engine.session.edits import AddLink, AddTask, ChangeLink, Edit, RemoveTasks, RenameTask, ResizeTask, SetName
from engine.session.merging import merge
from engine.session.resource_edits import AddResource, AssignResource
from engine.session.row_edits import IndentTasks, MoveRows
from tests.engine.model.strategies import HOUR, office, pipeline
from tests.engine.session.test_history import EDITS


def edited(plan: Plan, *edits: Edit) -> Plan:
    for edit in edits:
        plan = edit.apply(plan)
    return plan


def test_that_changes_of_both_sides_come_together() -> None:
    base = office()
    branch = edited(base, RenameTask(2, "Draw"), AddLink(Dependency(3, 5)))
    main = edited(base, ResizeTask(2, HOUR), RenameTask(5, "Varnish"))
    found = merge(base, branch, main)
    assert found.plan == edited(main, RenameTask(2, "Draw"), AddLink(Dependency(3, 5)))
    assert found.clashes == ()


def test_that_what_both_changed_is_the_branchs_and_is_said() -> None:
    base = office()
    branch, main = edited(base, RenameTask(2, "Draw")), edited(base, RenameTask(2, "Sketch"))
    found = merge(base, branch, main)
    assert found.plan.task(2).name == "Draw"
    (clash,) = found.clashes
    assert (clash.words, clash.branch, clash.main, clash.task) == ("The name of “Design”", "Draw", "Sketch", 2)
    kept = merge(base, branch, main, {clash.key})
    assert kept.plan is main
    assert [each.words for each in kept.clashes] == [clash.words]
    assert merge(base, branch, edited(base, RenameTask(2, "Draw"))).clashes == ()


def test_that_a_branch_without_changes_changes_nothing() -> None:
    base = office()
    main = edited(base, RenameTask(2, "Sketch"), AddTask("New"))
    assert merge(base, base, main).plan is main


def test_that_tasks_that_both_added_both_stay() -> None:
    base = office()
    branch = edited(base, AddTask("Theirs", after=3), AddLink(Dependency(2, base.next_task_id)))
    main = edited(base, AddTask("Ours", after=5))
    found = merge(base, branch, main).plan
    names = {task.name: task.id for task in found.tasks}
    assert names["Theirs"] != names["Ours"]
    assert found.task(names["Theirs"]).parent == base.task(3).parent
    assert Dependency(2, names["Theirs"]) in found.dependencies
    assert found.next_task_id > max(names.values())


def test_that_resources_that_both_added_both_stay() -> None:
    base = office()
    number = max((r.id for r in base.resources), default=0) + 1
    branch = edited(base, AddResource("Ann"), AssignResource(2, number))
    main = edited(base, AddResource("Bob"), AssignResource(3, number))
    found = merge(base, branch, main).plan
    name_of = {r.id: r.name for r in found.resources}
    assert {(a.task, name_of[a.resource]) for a in found.assignments} >= {(2, "Ann"), (3, "Bob")}


def test_that_a_task_taken_away_on_one_side_goes_with_its_links() -> None:
    base = edited(office(), AddLink(Dependency(3, 5)))
    branch = edited(base, RemoveTasks((5,)))
    main = edited(base, RenameTask(5, "Varnish"), AddLink(Dependency(2, 5)))
    found = merge(base, branch, main)
    assert 5 not in found.plan.rows
    assert all(5 not in link.key for link in found.plan.dependencies)
    assert [(each.words, each.branch) for each in found.clashes] == [("“Paint”", None)]


def test_that_a_task_that_is_kept_against_the_other_side_keeps_its_links() -> None:
    base = edited(office(), AddLink(Dependency(3, 5)))
    gone, renamed = edited(base, RemoveTasks((5,))), edited(base, RenameTask(5, "Varnish"))
    (clash,) = merge(base, gone, renamed).clashes
    assert merge(base, gone, renamed, {clash.key}).plan == renamed
    taken = merge(base, renamed, gone).plan
    assert taken.task(5).name == "Varnish"
    assert Dependency(3, 5) in taken.dependencies
    assert merge(base, renamed, gone, {clash.key}).plan is gone


def test_that_rows_moved_on_both_sides_stand_as_was_chosen() -> None:
    base = office()
    branch, main = edited(base, MoveRows((5,), None, 1)), edited(base, MoveRows((2,), None))
    found = merge(base, branch, main)
    assert found.plan.tasks[0].id == 5
    assert ("rows",) in {each.key for each in found.clashes}
    kept = merge(base, branch, main, {each.key for each in found.clashes})
    assert [task.id for task in kept.plan.tasks] == [task.id for task in main.tasks]


def test_that_a_changed_lag_is_one_link() -> None:
    base = replace(office(), dependencies=(Dependency(2, 5, DependencyKind.FS),))
    link = base.dependencies[0]
    branch = edited(base, ChangeLink(link, replace(link, lag=Lag(HOUR))))
    assert merge(base, branch, edited(base, SetName("Other"))).plan.dependencies == branch.dependencies


def test_that_rows_moved_in_the_branch_alone_are_moved() -> None:
    base = office()
    branch, main = edited(base, MoveRows((5,), None, 1)), edited(base, AddTask("New"))
    found = [task.name for task in merge(base, branch, main).plan.tasks]
    assert found.index("Paint") == 0
    assert "New" in found


def test_that_an_operation_put_on_two_streams_stays_on_one() -> None:
    base = pipeline()
    task = next(task.id for task in base.tasks if task.operation is not None)
    others = [stream.id for stream in base.streams if stream.id != base.stream_of[task]]
    branch = edited(base, AssignResource(task, others[0]))
    found = merge(base, branch, edited(base, RenameTask(task, "Else"))).plan
    assert [a for a in found.assignments if a.task == task] == [Assignment(task, others[0])]


def test_that_summaries_put_into_each_other_do_not_take_their_tasks_along() -> None:
    base = edited(office(), AddTask("One"), AddTask("Two"))
    one, two = base.tasks[-2].id, base.tasks[-1].id
    branch = edited(base, IndentTasks((two,)))
    main = edited(base, MoveRows((one,), None), IndentTasks((one,)))
    assert {task.id for task in merge(base, branch, main).plan.tasks} == {task.id for task in base.tasks}


@settings(max_examples=150)
@given(st.lists(EDITS, max_size=5), st.lists(EDITS, max_size=5))
def test_that_random_edits_on_both_sides_merge_into_a_plan_or_are_refused(one: list[Edit], two: list[Edit]) -> None:
    base, sides = office(), []
    for edits in (one, two):
        plan = base
        for edit in edits:
            with suppress(PlanError):
                plan = edit.apply(plan)
        sides.append(plan)
    branch, main = sides
    with suppress(PlanError):
        found = merge(base, branch, main).plan
        found.check()
        kept = {task.id for task in branch.tasks} & {task.id for task in main.tasks} & {task.id for task in base.tasks}
        assert kept <= {task.id for task in found.tasks}
    assert merge(base, branch, base).plan == branch
    assert merge(base, base, main).plan is main
