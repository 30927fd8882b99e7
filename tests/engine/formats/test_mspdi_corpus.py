"""MSPDI files that planners and other programs wrote. They lie beside the repository, or the tests are skipped."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import find_format, loom, mspdi
from engine.formats.mspdi import calendars
from engine.formats.mspdi.splits import time_of
from engine.formats.mspdi.values import Record
from engine.formats.xml_text import Element, read_xml, to_text
from engine.model import Plan, Split
from engine.schedule.recurrence import days_of

pytestmark = pytest.mark.corpus
FOLDER = Path(__file__).resolve().parents[4] / "shared" / "corpus" / "plans"
FILES = sorted(FOLDER.rglob("mspdi/**/*.xml")) + sorted(FOLDER.glob("synthetic/*[cynt]*-mspdi.xml"))
VALID = [path for path in FILES if not path.name.startswith(("hostile", "truncated", "dangling"))]
HOUR = 3600

every_file = pytest.mark.parametrize("path", VALID, ids=lambda path: path.name)


def bare(plan: Plan) -> Plan:
    """A plan without what is of dates, and without elements that a file may have in another order."""
    tasks = tuple(replace(t, recorded=None, fields=_named(t.fields)) for t in plan.tasks)
    work = tuple(replace(a, fields=()) for a in plan.assignments)
    others = tuple(replace(c, name="") for c in plan.calendars)
    fields = tuple(pair for pair in plan.fields if pair[0] not in ("mspdi:summary", "mspdi:more"))
    return replace(plan, tasks=tasks, assignments=work, calendars=others, fields=fields)


def _named(fields: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in fields if ":" not in pair[0])


@every_file
def test_that_a_file_comes_back_through_a_loom_file(path: Path, tmp_path: Path) -> None:
    assert find_format(path) is mspdi
    plan = mspdi.load(path)
    loom.save(tmp_path / "plan.loom", plan)
    kept = loom.load(tmp_path / "plan.loom")
    assert kept == plan
    mspdi.save(tmp_path / "out.xml", kept)
    again = mspdi.load(tmp_path / "out.xml")
    assert bare(again) == bare(plan)
    mspdi.save(tmp_path / "more.xml", again)
    assert mspdi.load(tmp_path / "more.xml") == again


# What is computed again, follows from dates, or is said in another way.
REMADE = {
    *("Start", "Finish", "EarlyStart", "EarlyFinish", "LateStart", "LateFinish", "StartVariance", "FinishVariance"),
    *("FreeSlack", "TotalSlack", "StartSlack", "FinishSlack", "Critical", "ID", "WBS", "Stop", "Resume", "Duration"),
    *("ActualDuration", "RemainingDuration", "FinishDate", "ConstraintDate", "TimephasedData", "MaxUnits", "Units"),
    *("ManualStart", "ManualFinish", "Calendars", "Tasks", "Resources", "Assignments", "AvailabilityPeriods"),
    *("PreLeveledStart", "PreLeveledFinish"),
}


def _said(element: Element) -> set[str]:
    return {to_text(child) for child in element.children if child.tag not in REMADE}


@every_file
def test_that_every_element_beyond_dates_is_written_again(path: Path, tmp_path: Path) -> None:
    before = read_xml(path)
    mspdi.save(tmp_path / "out.xml", mspdi.load(path))
    after = read_xml(tmp_path / "out.xml")
    assert _said(before) - _said(after) == set()
    for kind in (("Tasks", "Task"), ("Resources", "Resource"), ("Assignments", "Assignment")):
        written = {each.get("UID"): each for each in after.below(*kind)}
        lost = {uid: _said(each) - _said(written[uid]) for each in before.below(*kind) for uid in (each.get("UID"),)}
        assert {uid: some for uid, some in lost.items() if _matters(some)} == {}


def _matters(lost: set[str]) -> bool:
    """Whether something is said no more: an empty element, a zero in another spelling or a flag of old say nothing."""
    return any(not text.endswith("/>") and ">-1<" not in text and ">0" not in text for text in lost)


def test_that_recurring_exceptions_take_the_days_that_microsoft_project_listed(corpus: Path) -> None:
    path = corpus / "plans" / "mspdi" / "calendar-recurring-exceptions-2016.xml"
    own = mspdi.load(path).calendar
    assert own is not None
    ours = {day for exception in own.exceptions for day in days_of(exception, 80_000).tolist()}
    listed: set[int] = set()
    for rule in map(Record, read_xml(path).below("Calendars", "Calendar", "WeekDays", "WeekDay")):
        if rule.integer("DayType") == 0:
            first, last = calendars.read_period(rule)
            listed.update(range(first, last + 1))
    assert len(own.exceptions) == 27
    assert ours == listed


def test_that_splits_account_for_all_of_a_task_s_time(corpus: Path) -> None:
    plan = mspdi.load(corpus / "plans" / "mspdi" / "mspditimephased.xml")
    assert [t.splits for t in plan.tasks if t.name in ("Task 5", "Task 6", "Task 8")] == [(Split(115_200, 86_400),)] * 3
    assert sum(bool(task.splits) for task in plan.tasks) == 15
    for task in plan.tasks:
        people = [each.resource for each in plan.assignments if each.task == task.id]
        assert task.recorded is not None
        span = time_of(plan, task, people).between(task.recorded.start, task.recorded.finish)
        assert span == task.duration + sum(split.gap for split in task.splits), task.name


def test_that_counts_are_those_other_programs_find(corpus: Path) -> None:
    def counts(name: str) -> tuple[int, int]:
        plan = mspdi.load(corpus / "plans" / "mspdi" / name)
        return len(plan.tasks), len(plan.dependencies)

    assert counts("mspdirelations.xml") == (5, 4)
    assert counts("task-links-2019.xml") == (16, 8)
    assert counts("derived-from-mpp/slack9.xml") == (15, 15)
    assert counts("derived-from-mpp/sf259.xml") == (23, 13)
    assert counts("mspdinulltasks.xml")[0] == 5


def test_that_a_day_of_24_hours_is_one_day(corpus: Path) -> None:
    found = mspdi.load(corpus / "plans" / "mspdi" / "ganttproject-issue2659.xml").tasks[0]
    assert found.manual_start is not None
    assert found.manual_finish is not None
    assert (found.duration, found.manual_finish - found.manual_start) == (24 * HOUR, 24 * HOUR)


@pytest.mark.parametrize(
    "path",
    [each for kind in ("hostile", "truncated", "dangling") for each in sorted(FOLDER.glob(f"synthetic/{kind}*.xml"))],
    ids=lambda path: path.name,
)
def test_that_hostile_and_broken_files_are_refused_in_one_sentence(path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(FormatError) as caught:
        find_format(path).load(path)
    assert str(path) in caught.value.sentence
    assert caught.value.line > 0
    assert time.monotonic() - began < 5


# What the way through our own file may change: dates are computed anew, and what says the same in another spelling.
COMPUTED = {
    *("Start", "Finish", "EarlyStart", "EarlyFinish", "LateStart", "LateFinish", "StartVariance", "FinishVariance"),
    *("FreeSlack", "TotalSlack", "StartSlack", "FinishSlack", "Critical", "FinishDate"),
}
RESPELLED = {
    "Calendar/BaseCalendarUID": "0 says none, as -1 does",
    "Calendar/WeekDays/WeekDay/DayWorking": "days that are listed beside the exceptions that take them",
    "Calendar/WeekDays/WeekDay/DayType": "the same",
    "Calendar/WeekDays/WeekDay/TimePeriod/FromDate": "the same",
    "Calendar/WeekDays/WeekDay/TimePeriod/ToDate": "the same",
    "Calendar/WeekDays/WeekDay/WorkingTimes/WorkingTime/FromTime": "the same",
    "Calendar/WeekDays/WeekDay/WorkingTimes/WorkingTime/ToTime": "the same, and midnight",
    "Calendar/Exceptions/Exception/EnteredByOccurrences": "told by the occurrences",
    "Calendar/Name": "two of one name, which Microsoft Project refuses",
    "Resource/MaxUnits": "1.00 is 1",
    "Resource/ID": "a row of its own",
    "Task/WBS": "an empty one",
    "Task/Notes": "empty ones",
    "Resource/Notes": "empty ones",
    "Task/ConstraintDate": "of a constraint that has none",
    "Task/RemainingDuration": "of a task that has not begun: its duration",
}
# Of tasks that we date elsewhere, which is said: how work spreads over days.
SPREAD = re.compile(r"(Assignment/TimephasedData/\w+|(Assignment|Task)/(Stop|Resume)|Task/Duration)")


def leaves(element: Element, path: str = "") -> Iterator[tuple[str, str]]:
    """Every element that holds a text, by its path."""
    for child in element.children:
        place = f"{path}/{child.tag}"
        if child.children:
            yield from leaves(child, place)
        else:
            yield place, child.text.strip()


def gone(before: Element, after: Element) -> Counter[str]:
    """The paths of what one project says and the other does not, element by element of the same UID."""
    lost: Counter[str] = Counter()
    parts = ("Calendars/Calendar", "Tasks/Task", "Resources/Resource", "Assignments/Assignment")
    for kind in (part.split("/") for part in parts):
        now = {each.get("UID"): each for each in reversed(after.below(*kind))}
        for element in before.below(*kind):
            there = Counter(leaves(now.get(element.get("UID"), Element(kind[1])), kind[1]))
            lost.update(path for path, _ in (Counter(leaves(element, kind[1])) - there).elements())
    head = [Element("", children=[e for e in root.children if not e.children]) for root in (before, after)]
    lost.update(path for path, _ in (Counter(leaves(head[0])) - Counter(leaves(head[1]))).elements())
    return lost


@every_file
def test_that_on_the_way_through_a_loom_file_nothing_is_lost_that_is_not_said(path: Path, tmp_path: Path) -> None:
    loom.save(tmp_path / "plan.loom", mspdi.load(path))
    said = mspdi.save(tmp_path / "out.xml", loom.load(tmp_path / "plan.loom"))
    lost = gone(read_xml(path), read_xml(tmp_path / "out.xml"))
    left = {
        place: n for place, n in lost.items() if place.rpartition("/")[2] not in COMPUTED and place not in RESPELLED
    }
    spread = {place for place in left if SPREAD.fullmatch(place)}
    assert set(left) == spread
    assert not spread or any("spread of work over days" in sentence for sentence in said)
