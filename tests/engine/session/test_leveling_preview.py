"""The preview of leveling, and the edits that apply and clear delays."""

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import Assignment, Capacity, Dependency, Plan, Resource, Split, Task
from engine.schedule.leveling import LevelOptions
from engine.session.date_edits import ClearDelays
from engine.session.document import Document
from engine.session.leveling_preview import Preview, preview
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan, said

DAY = 24 * HOUR


def crowded(**more) -> Plan:
    """A and B need R for two days each; C follows B."""
    tasks = [Task(1, "A", 2 * WORKDAY), Task(2, "B", 2 * WORKDAY), Task(3, "C", WORKDAY)]
    plan = calendar_plan(tasks, [Dependency(2, 3)], "2026-06-01 08:00")
    assignments = (Assignment(1, 1), Assignment(2, 1))
    return replace(plan, resources=(Resource(1, "R", **more),), assignments=assignments).check()


def asked(document: Document, options: LevelOptions | None = None) -> Preview:
    return preview(document.state, options or LevelOptions())


def test_that_a_preview_says_what_moves_and_why() -> None:
    found = asked(Document(crowded()))
    assert [(move.task, said(move.before[0]), said(move.after[0]), move.why) for move in found.moves] == [
        (1, "2026-06-01 08:00", "2026-06-03 08:00", "waits for “R”, busy with “B”")
    ]
    assert (found.overloads, found.reasons) == (1, ())


def test_that_what_follows_a_delayed_task_is_said_to_follow_it() -> None:
    plan = crowded()
    found = asked(Document(plan.with_task(replace(plan.task(1), priority=900))))
    assert [(move.task, move.why) for move in found.moves] == [
        (2, "waits for “R”, busy with “A”"),
        (3, "follows “B”"),
    ]


def test_that_a_task_that_waits_for_its_resource_itself_says_so() -> None:
    absent = (Capacity(0, at("2026-06-03 00:00"), 0.0),)
    document = Document(replace(crowded(steps=absent), assignments=(Assignment(1, 1),)))
    assert [move.why for move in asked(document).moves] == ["waits until “R” is free for all of it"]


def test_that_applying_a_preview_gives_its_dates_in_one_step() -> None:
    document = Document(crowded())
    before, found = document.state, asked(document)
    after = document.execute(found.edit)
    assert after.undo_label == "Level resources (1 task)"
    assert after.schedule.start.tolist() == found.leveled.schedule.start.tolist()
    assert after.plan == found.leveled.plan
    assert asked(document).edit is None
    assert document.undo().plan == before.plan


def test_that_a_split_is_applied_too() -> None:
    away = (Capacity(at("2026-06-02 00:00"), at("2026-06-03 00:00"), 0.0),)
    document = Document(replace(crowded(steps=away), assignments=(Assignment(1, 1),)))
    found = asked(document, LevelOptions(splits_tasks=True))
    assert [move.why for move in found.moves] == ["pauses while “R” is busy elsewhere"]
    assert document.execute(found.edit).plan.task(1).splits == (Split(WORKDAY, WORKDAY),)


def test_that_delays_are_cleared_of_those_named_alone() -> None:
    plan = crowded()
    plan = plan.with_tasks([replace(plan.task(1), delay=DAY), replace(plan.task(2), delay=2 * DAY)])
    cleared = ClearDelays((1, 3)).apply(plan)
    assert [task.delay for task in cleared.tasks] == [0, 2 * DAY, 0]
    assert ClearDelays((1, 3)).label(plan) == "Remove the leveling delay of 1 task"
    assert ClearDelays((3,)).apply(plan) is plan


def test_that_a_plan_with_no_overload_has_no_edit() -> None:
    found = asked(Document(replace(crowded(), assignments=())))
    assert (found.edit, found.moves, found.overloads) == (None, (), 0)


def test_that_leveling_again_takes_back_a_delay_that_nothing_needs() -> None:
    plan = crowded()
    plan = replace(plan.with_task(replace(plan.task(1), delay=DAY)), assignments=())
    (move,) = asked(Document(plan)).moves
    assert (move.task, move.why) == (1, "needs no delay any more")


def test_that_a_plan_from_its_finish_says_what_makes_way() -> None:
    plan = crowded()
    settings = replace(plan.settings, is_from_finish=True, finish=at("2026-06-12 17:00"))
    document = Document(replace(plan, settings=settings, dependencies=()))
    found = asked(document)
    assert [(move.task, said(move.after[0]), move.why) for move in found.moves] == [
        (1, "2026-06-09 08:00", "leaves “R” to what comes after it")
    ]
    after = document.execute(found.edit)
    assert after.plan.task(1).delay == -2 * DAY
    assert after.schedule.start.tolist() == found.leveled.schedule.start.tolist()


def test_that_who_watches_can_end_it() -> None:
    shares = []

    def watch(share: float) -> None:
        shares.append(share)
        raise PlanError("Enough.")

    with pytest.raises(PlanError, match="Enough"):
        preview(Document(crowded()).state, LevelOptions(), watch)
    assert shares == [0.0]
