"""Dates as another program recorded them, beside ours: shown, never changed, and kept where a person wants them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.formats import loom
from engine.headless.schedule import answer
from engine.model import DAY, Dependency, Plan, Recorded
from engine.schedule.cpm import schedule
from engine.session.date_edits import PinRecorded
from engine.session.differences import Difference, find_differences
from engine.session.document import Document
from tests.engine.model.strategies import HOUR, MONDAY, office

TUESDAY, FRIDAY = MONDAY + DAY, MONDAY + 4 * DAY
CLOSE = 9 * HOUR  # from 08:00 to 17:00


def recorded(plan: Plan, **dates: tuple[int, int]) -> Plan:
    named = {task.name: task for task in plan.tasks}
    return plan.with_tasks(replace(named[name], recorded=Recorded(*span)) for name, span in dates.items())


def gan(tasks: str) -> str:
    return f'<project name="Office" view-date="2025-03-03"><tasks empty-milestones="true">{tasks}</tasks></project>'


def test_that_only_tasks_with_other_dates_are_listed_and_each_says_why() -> None:
    plan = recorded(office(), Design=(MONDAY, MONDAY + CLOSE), Build=(FRIDAY, FRIDAY + DAY + CLOSE))
    (found,) = find_differences(plan, schedule(plan))
    assert (found.task, found.recorded) == (3, Recorded(FRIDAY, FRIDAY + DAY + CLOSE))
    assert (found.start, found.finish) == (TUESDAY, TUESDAY + DAY + CLOSE)
    assert len(found.why) == 1
    assert "Design" in found.why[0]
    assert "FS + 0" in found.why[0]


def test_that_two_names_of_one_instant_are_no_difference() -> None:
    plan = recorded(office(), Done=(MONDAY + 3 * DAY, MONDAY + 3 * DAY), Build=(MONDAY + CLOSE, MONDAY + 3 * DAY))
    assert schedule(plan).start_of(4) == MONDAY + 2 * DAY + CLOSE
    assert find_differences(plan, schedule(plan)) == ()


def test_that_a_plan_without_recorded_dates_has_no_differences() -> None:
    assert find_differences(office(), schedule(office())) == ()


def differences_of(document: Document) -> tuple[Difference, ...]:
    """What the window lists of a plan that was opened."""
    return find_differences(document.state.plan, document.state.schedule)


def notes_of(document: Document) -> tuple[str, ...]:
    """What was left out when a plan was read."""
    return tuple(text for name, text in document.state.plan.fields if name == "note")


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A file that leaves a gap after a link, as GanttProject does not when it schedules anew."""
    path = tmp_path / "office.gan"
    design = '<task id="0" name="Design" start="2025-03-03" duration="1"><depend id="1" type="2"/></task>'
    path.write_text(gan(design + '<task id="1" name="Build" start="2025-03-07" duration="2"/>'), encoding="utf-8")
    return path


def test_that_a_foreign_file_is_opened_with_its_differences_and_changes_nothing(foreign: Path) -> None:
    before = foreign.read_bytes()
    document = Document.load(foreign)
    (found,) = differences_of(document)
    assert (document.state.plan.task(found.task).name, found.recorded.start, found.start) == ("Build", FRIDAY, TUESDAY)
    assert not document.state.is_dirty
    assert document.state.undo_label == ""
    assert foreign.read_bytes() == before


def test_that_recorded_dates_are_kept_by_one_edit_that_can_be_undone(foreign: Path) -> None:
    document = Document.load(foreign)
    tasks = tuple(difference.task for difference in differences_of(document))
    state = document.execute(PinRecorded(tasks))
    assert find_differences(state.plan, state.schedule) == ()
    assert state.undo_label == "Keep the recorded dates of “Build”"
    assert document.undo().schedule.start_of(2) == TUESDAY


def test_that_our_own_file_keeps_a_plan_that_came_from_another(foreign: Path, tmp_path: Path) -> None:
    document = Document.load(foreign)
    document.save(tmp_path / "office.loom")
    again = Document.load(tmp_path / "office.loom")
    assert again.state.plan == document.state.plan


def test_that_what_a_file_lost_on_the_way_in_is_told(tmp_path: Path) -> None:
    path = tmp_path / "office.gan"
    path.write_text(
        gan('<task id="0" name="A" start="2025-03-03" duration="1"><depend id="9" type="2"/></task>'), encoding="utf-8"
    )
    assert notes_of(Document.load(path)) == ("Line 1 was left out: “A” is linked to what cannot follow it.",)
    loom.save(tmp_path / "plan.loom", office())
    assert notes_of(Document.load(tmp_path / "plan.loom")) == ()


def test_that_a_link_to_a_task_recorded_later_is_a_difference_of_that_task_alone() -> None:
    plan = replace(office(), dependencies=(Dependency(2, 3),))
    plan = recorded(plan, Design=(TUESDAY, TUESDAY + CLOSE), Build=(TUESDAY, TUESDAY + DAY + CLOSE))
    assert [difference.task for difference in find_differences(plan, schedule(plan))] == [2]


def weekend(folder: Path) -> Path:
    """A table of which one task ends on a Sunday, and one starts on a Saturday."""
    path = folder / "weekend.csv"
    path.write_text("Task,Start,Finish\nA,2026-04-03,2026-04-05\nB,2026-04-04,2026-04-06\n", encoding="utf-8")
    return path


def test_that_a_start_or_finish_on_a_day_without_work_is_another_date(tmp_path: Path) -> None:
    document = Document.load(weekend(tmp_path))
    names = [document.state.plan.task(each.task).name for each in differences_of(document)]
    assert names == ["A", "B"]


def test_that_dates_on_days_without_work_are_kept_by_hand_in_one_edit(tmp_path: Path) -> None:
    document = Document.load(weekend(tmp_path))
    state = document.execute(PinRecorded((), tuple(each.task for each in differences_of(document))))
    assert find_differences(state.plan, state.schedule) == ()
    assert state.undo_label == "Keep the recorded dates of 2 tasks (by hand)"
    for task in state.plan.tasks:
        assert (state.schedule.start_of(task.id), state.schedule.finish_of(task.id)) == (
            task.recorded.start,
            task.recorded.finish,
        )


def test_that_the_command_line_and_the_window_list_the_same_tasks(tmp_path: Path) -> None:
    _, _, text = answer(str(weekend(tmp_path)), is_recorded=True)
    assert ["recalculated" in line for line in text.splitlines()] == [True, True]
    milestone = tmp_path / "milestone.gan"
    tasks = '<task id="0" name="Design" start="2025-03-03" duration="5"><depend id="1" type="2"/></task>'
    done = '<task id="1" name="Done" meeting="true" start="2025-03-10" duration="0"/>'
    milestone.write_text(gan(tasks + done), encoding="utf-8")
    assert differences_of(Document.load(milestone)) == ()
    assert "recalculated" not in answer(str(milestone), is_recorded=True)[2]
