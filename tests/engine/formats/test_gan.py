"""GanttProject's files: what is read, what is written, what is said of the rest, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.errors import CycleError, FormatError
from engine.formats import gan, loom
from engine.model import (
    DAY,
    Assignment,
    Baseline,
    BaselineTask,
    Calendar,
    CalendarException,
    Capacity,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    Plan,
    PlanSettings,
    Progress,
    Resource,
    ResourceKind,
    Shift,
    Split,
    Task,
)
from engine.schedule.cpm import schedule, working_time
from engine.schedule.network import leaf_links, topological_order
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline

EPOCH = datetime(1970, 1, 1)
WORKDAY = 8 * HOUR
WEEK = 'mon="0" tue="0" wed="0" thu="0" fri="0" sat="1" sun="1"'


def project(tasks: str = "", rest: str = "", week: str = WEEK, dates: str = "", shown: str = "false") -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<project name="House" company="" webLink="" view-date="2024-05-01" view-index="0" gantt-divider-location="421"
  resource-divider-location="399" version="3.3" locale="en">
  <description/>
  <view id="gantt-chart"><field id="tpd3" name="Name"/></view>
  <calendars>
    <day-types>
      <default-week id="1" name="default" {week}/>
      <only-show-weekends value="{shown}"/>
    </day-types>
    {dates}
  </calendars>
  <tasks empty-milestones="true">
    <taskproperties>
      <taskproperty id="tpd3" name="name" type="default" valuetype="text"/>
      <taskproperty id="tpc0" name="Floor" type="custom" valuetype="text"/>
    </taskproperties>
    {tasks}
  </tasks>
  {rest}
  <roles roleset-name="Default"/>
</project>
"""


def task(number: int, inside: str = "", start: str = "2024-05-06", days: int = 2, more: str = "") -> str:
    return f'<task id="{number}" name="T{number}" start="{start}" duration="{days}" {more}>{inside}</task>'


def depend(number: int, kind: int = 2, days: int = 0, hardness: str = "Strong") -> str:
    return f'<depend id="{number}" type="{kind}" difference="{days}" hardness="{hardness}"/>'


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Plan]:
    def load(text: str) -> Plan:
        path = tmp_path / "house.gan"
        path.write_text(text, encoding="utf-8")
        return gan.load(path)

    return load


@pytest.fixture
def again(tmp_path: Path) -> Callable[[Plan], Plan]:
    """A plan as it comes back from a file that holds all of it."""

    def pass_through(plan: Plan) -> Plan:
        path = tmp_path / "again.gan"
        assert gan.save(path, plan) == ()
        return gan.load(path)

    return pass_through


def instant(text: str) -> int:
    return int((datetime.fromisoformat(text) - EPOCH).total_seconds())


def refused(read: Callable[[str], Plan], text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(text)
    return caught.value


# Tasks and links


def test_that_nested_tasks_keep_their_links_whose_id_names_the_successor(read: Callable[[str], Plan]) -> None:
    inner = task(7, task(8, depend(9)) + task(9, depend(1, 3, -1)), more='expand="false"')
    plan = read(project(inner + task(1)))
    assert [(t.name, t.parent, t.source) for t in plan.tasks] == [
        ("T7", None, "7"),
        ("T8", 1, "8"),
        ("T9", 1, "9"),
        ("T1", None, "1"),
    ]
    assert plan.dependencies == (
        Dependency(2, 3),
        Dependency(3, 4, DependencyKind.FF, Lag(-WORKDAY)),
    )


@pytest.mark.parametrize(
    ("number", "kind"),
    [(1, DependencyKind.SS), (2, DependencyKind.FS), (3, DependencyKind.FF), (4, DependencyKind.SF)],
)
def test_that_kinds_of_links_have_their_numbers(
    number: int, kind: DependencyKind, read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    plan = read(project(task(0, depend(1, number, 3, "Rubber")) + task(1)))
    assert plan.dependencies == (Dependency(1, 2, kind, Lag(3 * WORKDAY)),)
    assert again(plan).dependencies == plan.dependencies
    assert again(plan).tasks[0].fields == plan.tasks[0].fields != ()


def test_that_a_task_without_links_keeps_its_day_and_one_that_is_drawn_along_follows(
    read: Callable[[str], Plan],
) -> None:
    plan = read(
        project(
            task(0, depend(1) + depend(2, hardness="Rubber"))
            + task(1, start="2024-05-08")
            + task(2, start="2024-05-20")
        )
    )
    assert [t.pin for t in plan.tasks] == [instant("2024-05-06T08:00"), None, instant("2024-05-20T08:00")]
    dates = schedule(plan)
    assert [dates.start_of(t.id) for t in plan.tasks] == [t.recorded.start for t in plan.tasks if t.recorded]


def test_that_a_task_in_a_summary_that_a_link_draws_along_is_not_pinned(read: Callable[[str], Plan]) -> None:
    plan = read(project(task(0, depend(1)) + task(1, task(2, task(3)))))
    assert [t.pin is None for t in plan.tasks] == [False, True, True, True]


def test_that_an_earliest_start_counts_only_when_it_is_on(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    third = 'thirdDate="2024-06-03" thirdDate-constraint="{}"'
    text = project(task(0, depend(1) + depend(2)) + task(1, more=third.format(1)) + task(2, more=third.format(0)))
    plan = read(text)
    assert [t.pin for t in plan.tasks[1:]] == [instant("2024-06-03T08:00"), None]
    assert again(plan).tasks[1:] == replace(plan, tasks=tuple(shown(plan))).tasks[1:]


def shown(plan: Plan) -> list[Task]:
    """The tasks with the dates that writing records: ours."""
    dates, time = schedule(plan), working_time(plan)
    rows = []
    for each in plan.tasks:
        assert each.recorded
        start = time.next_start(dates.start_of(each.id))
        finish = start if each.is_milestone else dates.finish_of(each.id)
        rows.append(replace(each, recorded=replace(each.recorded, start=start, finish=finish)))
    return rows


def test_that_a_meeting_is_a_milestone_that_ends_when_it_starts(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    plan = read(project(task(0, days=1, more='meeting="true"')))
    assert plan.tasks[0].is_milestone
    assert plan.tasks[0].duration == 0
    assert plan.tasks[0].recorded
    assert plan.tasks[0].recorded.start == plan.tasks[0].recorded.finish == instant("2024-05-06T08:00")
    assert again(plan) == plan


def test_that_a_day_is_eight_hours_and_the_last_day_is_worked_to_its_end(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    plan = read(project(task(0, start="2024-05-09", days=3)))
    assert plan.tasks[0].duration == 3 * WORKDAY
    assert plan.tasks[0].recorded
    assert plan.tasks[0].recorded.finish == instant("2024-05-13T17:00")
    assert again(again(plan)) == plan


def test_that_a_task_that_lies_on_a_weekend_gets_no_day_more(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    plan = read(project(task(0, start="2024-05-11", days=1)))
    for known in (plan, again(plan), again(again(plan))):
        assert known.tasks[0].duration == WORKDAY
        assert schedule(known).start_of(1) == instant("2024-05-13T08:00")
        assert schedule(known).finish_of(1) == instant("2024-05-13T17:00")


def test_that_priority_progress_notes_and_columns_come_back(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    inside = '<notes><![CDATA[a < b\n  & c]]></notes><customproperty taskproperty-id="tpc0" value="3rd"/>'
    more = 'complete="40" priority="4" color="#ff0000" webLink="http%3A%2F%2Fx"'
    plan = read(project(task(5, inside, more=more)))
    row = plan.tasks[0]
    assert (row.priority, row.progress) == (900, Progress(40.0))
    assert dict(row.fields) == {
        "gan:@color": "#ff0000",
        "gan:@webLink": "http%3A%2F%2Fx",
        "Notes": "a < b\n  & c",
        "Floor": "3rd",
    }
    assert again(plan) == plan


def test_that_columns_of_other_formats_become_columns_here(tmp_path: Path) -> None:
    plan = office().with_task(replace(office().task(2), fields=(("Notes", "why"), ("Text1", "red"), ("Text: 2", "x"))))
    gan.save(tmp_path / "plan.gan", plan)
    fields = dict(gan.load(tmp_path / "plan.gan").task(2).fields)
    assert (fields["Notes"], fields["Text1"], fields["Text: 2"]) == ("why", "red", "x")


# Calendars


def test_that_any_pattern_of_weekends_is_read_and_written(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    odd = 'mon="1" tue="0" wed="1" thu="0" fri="1" sat="0" sun="0"'
    plan = read(project(task(0, days=5), week=odd))
    assert plan.calendar
    assert [bool(day) for day in plan.calendar.week] == [False, True, False, True, False, True, True]
    assert again(again(plan)).calendar == plan.calendar
    nothing = refused(read, project(week=" ".join(day.replace("0", "1") for day in WEEK.split())))
    assert "makes every day of the week a day off (line 6)" in nothing.sentence


def test_that_weekends_that_are_only_shown_are_worked(read: Callable[[str], Plan]) -> None:
    plan = read(project(shown="true"))
    assert plan.calendar
    assert all(plan.calendar.week)


def test_that_holidays_of_one_year_and_of_every_year_and_extra_days_come_back(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    dates = """<date year="" month="12" date="25" type="HOLIDAY">Christmas</date>
    <date year="2024" month="5" date="7" type="HOLIDAY"/>
    <date year="2024" month="5" date="11" type="WORKING_DAY"><![CDATA[Saturday shift]]></date>
    <date year="2024" month="5" date="13" type="NEUTRAL" color="#00ff00">Fair</date>"""
    plan = read(project(task(0, days=5), dates=dates))
    assert plan.calendar
    every_year, off, extra = plan.calendar.exceptions
    assert every_year.recurrence
    assert (every_year.recurrence.month, every_year.recurrence.month_day, every_year.name) == (12, 25, "Christmas")
    assert (off.first_day * DAY, off.shifts) == (instant("2024-05-07"), ())
    assert extra.name == "Saturday shift"
    assert sum(shift.end - shift.start for shift in extra.shifts) == WORKDAY
    assert plan.tasks[0].recorded
    assert plan.tasks[0].recorded.finish == instant("2024-05-11T17:00")
    back = again(again(plan))
    assert back.calendar == plan.calendar
    assert back.fields == plan.fields


def test_that_a_vacation_ends_the_day_before_its_end_and_moves_no_task(
    read: Callable[[str], Plan], again: Callable[[Plan], Plan]
) -> None:
    rest = """<resources>
      <resource id="3" name="Ann" function="1" contacts="" phone="1"><rate name="standard" value="50"/></resource>
    </resources>
    <allocations>
      <allocation task-id="0" resource-id="3" function="Default:1" responsible="true" load="50.0"/>
    </allocations>
    <vacations><vacation start="2024-05-06" end="2024-05-08" resourceid="3"/></vacations>"""
    plan = read(project(task(0), rest))
    day = instant("2024-05-06") // DAY
    assert plan.calendars[0].exceptions == (CalendarException(day, day + 1),)
    assert plan.resources[0].calendar == plan.calendars[0].id
    assert plan.assignments[0].units == 0.5
    dates = schedule(plan)
    assert dates.finish_of(1) == instant("2024-05-07T17:00")
    back = again(again(plan))
    assert (back.calendars, back.resources, back.assignments) == (plan.calendars, plan.resources, plan.assignments)


def test_that_baselines_come_back(read: Callable[[str], Plan], again: Callable[[Plan], Plan]) -> None:
    rest = """<previous><previous-tasks name="May"><previous-task id="4" start="2024-05-10" duration="2"/>
    <previous-task id="99" start="2024-05-10" duration="2"/></previous-tasks></previous>"""
    plan = read(project(task(4), rest))
    promised = BaselineTask(1, instant("2024-05-10T08:00"), instant("2024-05-13T17:00"), 2 * WORKDAY)
    assert plan.baselines == (Baseline(0, "May", (promised,)),)
    assert [text for name, text in plan.fields if name == "note"] == [
        "Line 21 was left out: a baseline holds a task that is not there any more."
    ]
    assert again(plan).baselines == plan.baselines


# What is broken


def test_that_links_that_cannot_be_are_left_out_with_a_note(read: Callable[[str], Plan]) -> None:
    plan = read(project(task(0, depend(77) + depend(0) + depend(1) + depend(1) + depend(2) + task(2)) + task(1)))
    assert plan.dependencies == (Dependency(1, 3),)
    notes = [text for name, text in plan.fields if name == "note"]
    assert len(notes) == 4
    assert notes[0] == "Line 18 was left out: “T0” is linked to what cannot follow it."


BROKEN = {
    "a task without a date": (project('<task id="0" name="A"/>'), "has a <task> without “start” (line 18)"),
    "a date that is none": (project(task(0, start="2024-02-30")), "“start” = “2024-02-30”, which is no date"),
    "a duration in words": (project(task(0).replace('"2"', '"two"')), "“duration” = “two”"),
    "a negative duration": (project(task(0, days=-2)), "has a negative duration"),
    "an endless duration": (project(task(0, days=99_999_999_999)), "that no plan can hold"),
    "a second task with its id": (project(task(0) + task(0)), "has a second task with the id 0"),
    "a holiday on no date": (
        project(dates='<date year="2024" month="13" date="1" type="HOLIDAY"/>'),
        "has a holiday on no date: “2024-13-1”",
    ),
    "no XML": ("Dear planner", "is not well-formed XML"),
    "another XML": ("<html/>", "is not a plan of GanttProject: it begins with <html>"),
    "entities": ('<!DOCTYPE a [<!ENTITY b "c">]><project/>', "declares a document type or entities"),
    "nothing but zeros": ("\0" * 9000, "holds nothing but zero bytes"),
    "nothing": ("", "is empty: it holds no plan"),
    "no tasks but people at work on them": (
        project(rest='<allocations><allocation task-id="0" resource-id="0"/></allocations>'),
        "lost all its tasks",
    ),
    "no tasks but a baseline of them": (
        project(
            rest='<previous><previous-tasks><previous-task id="0" start="2024-05-10"/></previous-tasks></previous>'
        ),
        "lost all its tasks",
    ),
    "nests too deep": (project("".join(task(n)[:-7] for n in range(70)) + "</task>" * 70), "lies in more than 64"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_that_a_broken_file_is_refused_with_its_place(case: str, read: Callable[[str], Plan], tmp_path: Path) -> None:
    text, reason = BROKEN[case]
    error = refused(read, text)
    assert reason in error.sentence
    assert error.sentence.startswith(str(tmp_path / "house.gan"))
    assert error.path == str(tmp_path / "house.gan")


def test_that_a_file_of_gnome_planner_is_not_taken_for_one(tmp_path: Path) -> None:
    path = tmp_path / "other.planner"
    path.write_text(
        '<?xml version="1.0"?>\n<project name="" mrproject-version="2"><tasks/></project>', encoding="utf-8"
    )
    assert not gan.sniff(path)


# What cannot be held


def test_that_what_a_file_cannot_hold_is_said(tmp_path: Path) -> None:
    more = (Task(6, "Hour", HOUR, deadline=MONDAY), Task(7, "Late", 3 * WORKDAY, splits=(Split(HOUR, HOUR),)))
    nights = Calendar(9, "Nights", ((Shift(0, 6 * HOUR),),) * 7)
    plan = replace(
        office(),
        tasks=(*office().tasks, *more, Task(8, "Due", WORKDAY, constraint=ConstraintKind.FINISH_NO_LATER_THAN)),
        dependencies=(*office().dependencies, Dependency(2, 7, lag=Lag(DAY, LagKind.ELAPSED))),
        resources=(
            Resource(1, "Crane", ResourceKind.MACHINE, 2.0, steps=(Capacity(0, 9, 1.0),), calendar=9),
            Resource(2, "Ann", fields=(("mspdi:Code", "7"),)),
        ),
        assignments=(Assignment(6, 2, work=HOUR),),
        calendars=(nights,),
        settings=PlanSettings(hours_per_day=7.0),
        next_task_id=9,
    )
    sentences = gan.save(tmp_path / "plan.gan", plan)
    said = "\n".join(sentences)
    for part in (
        "Deadlines are left out: “Hour”.",
        "Pauses in tasks are left out: “Late”.",
        "Constraints other than an earliest start are left out: “Due”.",
        "Lags in hours, elapsed time or percent: whole working days were written after “Design”.",
        "whole days were written of “Paint”, “Hour”",
        "Kinds and capacities of resources are left out: “Crane”.",
        "Hours of resources, of whom only days off were written: “Crane”.",
        "What another kind of file said of resources is left out: “Ann”.",
        "Work of assignments is left out: “Hour”.",
        "The plan's settings are left out",
        "moves no task for them: “Crane”.",
    ):
        assert part in said
    assert len(set(sentences)) == len(sentences)


def test_that_a_plan_of_a_device_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="GanttProject knows no plans of devices"):
        gan.save(tmp_path / "plan.gan", pipeline())
    assert list(tmp_path.iterdir()) == []


def test_that_saving_over_a_plan_keeps_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "plan.gan"
    gan.save(path, office())
    before = path.read_bytes()
    gan.save(path, replace(office(), name="Another"))
    assert (tmp_path / "plan.gan~1").read_bytes() == before


# Round trips

DAYS = st.integers(0, 900).map(lambda days: instant("2024-01-01T08:00") + days * DAY)
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8)


@st.composite
def whole_days(draw: st.DrawFn) -> Plan:
    """A plan in whole days such as GanttProject can hold."""
    count = draw(st.integers(1, 7))
    parents: list[int | None] = []
    for n in range(count):  # the one before, or what that lies in: rows are nested
        chain = [task_id for task_id in range(n, 0, -1) if inside(parents, n, task_id)]
        parents.append(draw(st.sampled_from((None, *chain))))
    off = draw(st.lists(st.integers(19_723, 20_500), max_size=4, unique=True).map(sorted))
    calendar = replace(Calendar.standard(), exceptions=tuple(CalendarException(d, d, (), draw(TEXTS)) for d in off))
    start = instant("2024-01-01T08:00")
    plan = replace(office(), start=start, tasks=(), dependencies=(), calendar=calendar)
    time = working_time(plan)
    tasks = []
    for n in range(count):
        is_summary = n + 1 in parents
        is_milestone = not is_summary and draw(st.booleans())
        tasks.append(
            Task(
                n + 1,
                draw(TEXTS),
                0 if is_summary or is_milestone else draw(st.integers(1, 20)) * WORKDAY,
                parents[n],
                is_milestone,
                constraint=ConstraintKind.AS_SOON_AS_POSSIBLE if is_summary else ConstraintKind.START_NO_EARLIER_THAN,
                constraint_at=0 if is_summary else time.next_start(draw(DAYS)),
                progress=None
                if is_summary
                else draw(st.none() | st.integers(1, 100).map(lambda p: Progress(float(p)))),
                priority=draw(st.sampled_from((100, 300, 500, 700, 900))),
                ignores_resource_calendars=True,
            )
        )
    pairs = [(a, b) for a in range(1, count + 1) for b in range(a + 1, count + 1) if not inside(parents, b, a)]
    links = {}
    for before, after in draw(st.lists(st.sampled_from(pairs), max_size=5)) if pairs else []:
        kind = draw(st.sampled_from((DependencyKind.FS, DependencyKind.FF)))
        links[before, after, kind] = Dependency(before, after, kind, Lag(draw(st.integers(0, 5)) * WORKDAY))
    return replace(plan, tasks=tuple(tasks), dependencies=tuple(links.values()), next_task_id=count + 1).check()


def is_circular(plan: Plan) -> bool:
    try:
        topological_order(plan, leaf_links(plan))
    except CycleError:
        return True
    return False


def inside(parents: list[int | None], task_id: int, other: int) -> bool:
    at: int | None = task_id
    while at is not None and at != other:
        at = parents[at - 1]
    return at == other


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(plan=whole_days())
def test_that_a_plan_of_whole_days_keeps_its_tasks_links_and_dates(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "plan.gan"
    assume(not is_circular(plan))
    assert gan.save(path, plan) == ()
    back = gan.load(path)
    for before, after in zip(plan.tasks, back.tasks, strict=True):
        for name in ("name", "duration", "parent", "is_milestone", "progress", "priority"):
            assert getattr(before, name) == getattr(after, name)
    assert sorted(map(str, plan.dependencies)) == sorted(map(str, back.dependencies))
    assert back.calendar == plan.calendar
    dates, now, time = schedule(plan), schedule(back), working_time(plan)
    for each in plan.tasks:
        assert time.between(dates.start_of(each.id), now.start_of(each.id)) == 0
        assert time.between(dates.finish_of(each.id), now.finish_of(each.id)) == 0
    first = path.read_bytes()
    gan.save(path, back)
    assert path.read_bytes() == first


# Sample files


@pytest.fixture
def samples(corpus: Path) -> list[Path]:
    found = sorted((corpus / "plans" / "gan").glob("*.gan"))
    if not found:
        pytest.skip("there are no .gan files among the samples")
    return found


@pytest.mark.corpus
def test_that_sample_files_come_back_whole_through_our_own_format(samples: list[Path], tmp_path: Path) -> None:
    for sample in samples:
        plan = gan.load(sample)
        loom.save(tmp_path / "plan.loom", plan, may_lose_tasks=True)
        path = tmp_path / sample.name
        assert gan.save(path, loom.load(tmp_path / "plan.loom")) == ()
        assert gan.load(path) == plan


@pytest.mark.corpus
def test_that_sample_files_are_scheduled_where_they_say(samples: list[Path]) -> None:
    for sample in samples:
        plan = gan.load(sample)
        dates, time = schedule(plan), working_time(plan)
        for row in plan.tasks:
            assert row.recorded
            assert time.between(row.recorded.start, dates.start_of(row.id)) == 0, (sample.name, row.name)
            assert time.between(row.recorded.finish, dates.finish_of(row.id)) == 0, (sample.name, row.name)


@pytest.mark.corpus
def test_that_the_sample_house_keeps_all_its_links(corpus: Path, tmp_path: Path) -> None:
    sample = corpus / "plans" / "gan" / "HouseBuildingSample.gan"
    assert len(gan.load(sample).dependencies) == 17
    gan.save(tmp_path / "house.gan", gan.load(sample))
    wanted = re.findall(r'<depend id="(\d+)" type="(\d)"', sample.read_text(encoding="utf-8"))
    written = re.findall(r'<depend id="(\d+)" type="(\d)"', (tmp_path / "house.gan").read_text(encoding="utf-8"))
    assert len(wanted) == 17
    assert sorted(written) == sorted(wanted)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["nul-filled.gan", "zero-byte.gan", "tasks-emptied.gan"])
def test_that_files_that_lost_their_tasks_are_refused(name: str, corpus: Path) -> None:
    path = corpus / "plans" / "synthetic" / name
    if not path.exists():
        pytest.skip(f"{name} is not among the samples")
    with pytest.raises(FormatError, match="look for its backup"):
        gan.load(path)


def test_that_dates_of_the_test_are_what_they_say() -> None:
    assert date(1970, 1, 1) + timedelta(MONDAY // DAY) == date(2025, 3, 3)
