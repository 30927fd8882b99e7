"""What goes into an MSPDI file comes out again: plans of ours, and all that files say beyond the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from engine.errors import FormatError
from engine.formats import loom, mspdi
from engine.formats.mspdi.order import TASK
from engine.formats.xml_text import Element, read_xml, to_text
from engine.model import (
    Assignment,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    LagCalendar,
    LagKind,
    Plan,
    Progress,
    Resource,
    ResourceKind,
    Split,
)
from tests.engine.formats.mspdi_files import (
    HEAD,
    assignment,
    at,
    figure,
    link,
    load,
    project,
    resaved,
    resource,
    staff,
    task,
    written,
)
from tests.engine.formats.mspdi_plans import small_plans
from tests.engine.model.strategies import office, pipeline

HOUR = 3600
MANY = settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


def as_ours(plan: Plan) -> Plan:
    """A plan without what writing it adds: dates as recorded, and elements that every file has."""
    rows = tuple(replace(t, recorded=None, source="", fields=_named(t.fields)) for t in plan.tasks)
    people = tuple(replace(r, source="", fields=_named(r.fields)) for r in plan.resources)
    work = tuple(sorted((replace(a, fields=()) for a in plan.assignments), key=lambda a: (a.task, a.resource)))
    bare = replace(plan, tasks=rows, resources=people, assignments=work, fields=(), next_task_id=0)
    return replace(bare, calendars=tuple(sorted(plan.calendars, key=lambda calendar: calendar.id)))


def _named(fields: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(pair for pair in fields if ":" not in pair[0]))


@MANY
@given(plan=small_plans())
def test_that_a_plan_comes_back(plan: Plan, tmp_path: Path) -> None:
    again = resaved(tmp_path, plan)
    assert as_ours(again) == as_ours(plan)
    once_more = resaved(tmp_path, again)
    assert replace(once_more, next_task_id=0) == replace(again, next_task_id=0)


@MANY
@given(plan=small_plans())
def test_that_a_plan_comes_back_through_a_loom_file(plan: Plan, tmp_path: Path) -> None:
    again = resaved(tmp_path, plan)
    loom.save(tmp_path / "plan.loom", again, may_lose_tasks=True)
    assert loom.load(tmp_path / "plan.loom") == again


def test_that_saving_what_was_loaded_writes_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    assert mspdi.save(path, office()) == ()
    first = path.read_bytes()
    mspdi.save(path, mspdi.load(path))
    assert path.read_bytes() == first


def test_that_a_plan_for_a_device_is_refused_and_the_file_left_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path, "mine")
    with pytest.raises(FormatError, match=r"small\.xml was not written\. A plan for a device has no dates"):
        mspdi.save(path, pipeline())
    assert path.read_text(encoding="utf-8") == "mine"


# What a file says beyond the model

EXTRA = (
    "<GUID>AB</GUID><WBS>X.7</WBS><DurationFormat>5</DurationFormat><Cost>12.5</Cost><HideBar>1</HideBar>"
    "<Hyperlink>a &amp; b</Hyperlink><OutlineCode><FieldID>1</FieldID><ValueID>2</ValueID></OutlineCode>"
    "<FromTheFuture kind='x'><Deep>1</Deep></FromTheFuture>"
)


def children(path: Path, *below: str) -> list[dict[str, str]]:
    """The children of the elements at the end of a path, as text by name."""
    return [{child.tag: to_text(child) for child in each.children} for each in read_xml(path).below(*below)]


def round_trip(folder: Path, text: str) -> Path:
    """A file with this text read, kept in a .loom file, and written again."""
    loom.save(folder / "plan.loom", load(folder, text))
    mspdi.save(folder / "out.xml", loom.load(folder / "plan.loom"))
    return folder / "out.xml"


def test_that_what_is_not_understood_comes_back_through_a_loom_file(tmp_path: Path) -> None:
    views = "<Views><View><Name>V</Name></View></Views>"
    head = f"{HEAD}<Author>Ann</Author><NewTasksAreManual>1</NewTasksAreManual>{views}"
    who = assignment(4, 1, 1, "<Units>1</Units><Work>PT8H0M0S</Work><WorkContour>3</WorkContour><Odd>1</Odd>")
    rest = staff(resource(1, "<Initials>A</Initials><Rates><Rate><RateTable>0</RateTable></Rate></Rates>"), who)
    path = round_trip(tmp_path, project(task(0, "<Author>x</Author>", level=0) + task(1, EXTRA), head=head, rest=rest))
    (said,) = children(path)
    assert said["Author"] == "<Author>Ann</Author>"
    assert said["NewTasksAreManual"] == "<NewTasksAreManual>1</NewTasksAreManual>"
    assert said["Views"] == views
    summary, row = children(path, "Tasks", "Task")
    assert summary["Author"] == "<Author>x</Author>"
    for element in load(tmp_path, project(task(1, EXTRA))).tasks[0].fields:
        assert element[0] == "mspdi:more"
    kept = {child.tag: to_text(child) for child in read_xml(written(tmp_path, f"<a>{EXTRA}</a>")).children}
    assert {name: row[name] for name in kept} == kept
    assert children(path, "Resources", "Resource")[0]["Rates"] == "<Rates><Rate><RateTable>0</RateTable></Rate></Rates>"
    assert children(path, "Assignments", "Assignment")[0]["Odd"] == "<Odd>1</Odd>"
    assert children(path, "Assignments", "Assignment")[0]["UID"] == "<UID>4</UID>"


def test_that_calendars_that_are_not_there_are_kept_by_name(tmp_path: Path) -> None:
    lost = "<CalendarUID>7</CalendarUID>"
    text = project(task(1, lost), rest=staff(resource(1, lost)))
    plan = load(tmp_path, text)
    assert (plan.tasks[0].calendar, plan.resources[0].calendar) == (None, None)
    path = round_trip(tmp_path, text)
    assert [row["CalendarUID"] for row in children(path, "Tasks", "Task")] == [lost]
    assert [row["CalendarUID"] for row in children(path, "Resources", "Resource")] == [lost]


def test_that_blank_rows_stay_where_they_were_and_rows_are_numbered(tmp_path: Path) -> None:
    blank = "<Task><UID>{0}</UID><ID>{0}</ID><IsNull>1</IsNull></Task>"
    path = round_trip(tmp_path, project(task(1) + blank.format(2) + task(3) + blank.format(4)))
    rows = [(row.get("UID"), row.get("ID"), row.get("IsNull")) for row in read_xml(path).below("Tasks", "Task")]
    assert rows == [("1", "1", "0"), ("2", "2", "1"), ("3", "3", "0"), ("4", "4", "1")]


def test_that_outlines_are_numbered_and_summaries_do_not_nest_in_each_other(tmp_path: Path) -> None:
    rows = task(1) + task(2, level=2) + task(3) + task(4, level=2) + task(5, level=2) + task(6)
    found = read_xml(round_trip(tmp_path, project(rows))).below("Tasks", "Task")
    assert [row.get("OutlineNumber") for row in found] == ["1", "1.1", "2", "2.1", "2.2", "3"]
    assert [row.get("OutlineLevel") for row in found] == ["1", "2", "1", "2", "2", "1"]
    assert [row.get("Summary") for row in found] == ["1", "0", "1", "0", "0", "0"]
    assert [row.get("WBS") for row in found] == ["1", "1.1", "2", "2.1", "2.2", "3"]


@pytest.mark.parametrize("minutes", [450, 480, 525, 1440])
def test_that_a_week_of_work_is_as_long_whatever_the_hours_of_a_day(minutes: int, tmp_path: Path) -> None:
    head = HEAD.replace("<MinutesPerDay>480", f"<MinutesPerDay>{minutes}")
    path = round_trip(tmp_path, project(task(1, "<DurationFormat>9</DurationFormat>", hours=56), head=head))
    (row,) = read_xml(path).below("Tasks", "Task")
    assert (row.get("Duration"), row.get("DurationFormat")) == ("PT56H0M0S", "9")
    assert children(path)[0]["MinutesPerDay"] == f"<MinutesPerDay>{minutes}</MinutesPerDay>"


def test_that_links_keep_their_units_until_they_are_changed(tmp_path: Path) -> None:
    weeks = link(1, 1, 24000, 9) + link(1, 3, 50, 51)
    other = link(9).replace("<CrossProject>0", "<CrossProject>1")
    plan = load(tmp_path, project(task(1) + task(2, weeks + other)))
    mspdi.save(tmp_path / "out.xml", plan)
    assert weeks + other in (tmp_path / "out.xml").read_text(encoding="utf-8")
    changed = replace(plan.dependencies[0], lag=Lag(8 * HOUR))
    mspdi.save(tmp_path / "out.xml", replace(plan, dependencies=(changed,)))
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert link(1, 1, 4800, 7) + other in text
    assert "<LagFormat>51</LagFormat>" not in text


def test_that_baselines_keep_costs_until_they_are_changed(tmp_path: Path) -> None:
    baseline = (
        "<Baseline><Number>3</Number><Start>2025-03-03T08:00:00</Start><Finish>2025-03-03T17:00:00</Finish>"
        "<Duration>PT8H0M0S</Duration><Cost>7</Cost></Baseline>"
    )
    costs = "<Baseline><Number>5</Number><Cost>9</Cost></Baseline>"
    plan = load(tmp_path, project(task(1, baseline + costs)))
    mspdi.save(tmp_path / "out.xml", plan)
    assert baseline + costs in (tmp_path / "out.xml").read_text(encoding="utf-8")
    mspdi.save(tmp_path / "out.xml", replace(plan, baselines=()))
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert costs in text
    assert "<Number>3</Number>" not in text


FIGURES = figure(1, "2025-03-03T08:00:00", "2025-03-03T17:00:00", "PT8H0M0S") + figure(
    4, "2025-03-03T08:00:00", "2025-03-03T17:00:00", "PT8H0M0S"
)
DATES = "<Start>{0}T08:00:00</Start><Finish>{0}T17:00:00</Finish><Stop>{0}T08:00:00</Stop>"


def test_that_timephased_work_comes_back_where_a_date_is_only_called_otherwise(tmp_path: Path) -> None:
    """Monday 08:00 is Friday 17:00 of the week before, but not for a task that goes on over the weekend."""
    begun = "2025-03-07T08:00:00"
    figures = figure(1, begun, "2025-03-07T17:00:00", "PT8H0M0S")
    row = task(1, f"<Start>{begun}</Start><Finish>2025-03-10T08:00:00</Finish>")
    rest = staff(resource(1), assignment(1, 1, 1, f"<Units>1</Units>{figures}"))
    plan = load(tmp_path, project(row, rest=rest))
    late = {"constraint": ConstraintKind.START_NO_EARLIER_THAN, "constraint_at": at("2025-03-07T08:00")}
    plan = plan.with_task(replace(plan.tasks[0], **late))
    assert mspdi.save(tmp_path / "out.xml", plan) == ()
    assert figures in (tmp_path / "out.xml").read_text(encoding="utf-8")
    weekend = replace(plan.tasks[0], is_elapsed=True, duration=9 * 3600)
    assert "spread of work" in mspdi.save(tmp_path / "out.xml", plan.with_task(weekend))[0]


@pytest.mark.parametrize("who", [1, -65535])
def test_that_timephased_work_comes_back_while_the_task_lies_where_it_was(who: int, tmp_path: Path) -> None:
    row = task(1, DATES.format("2025-03-03"))
    rest = staff(resource(1), assignment(1, 1, who, f"<Units>1</Units>{FIGURES}"))
    plan = load(tmp_path, project(row, rest=rest))
    assert mspdi.save(tmp_path / "out.xml", plan) == ()
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert FIGURES in text
    assert "<Stop>2025-03-03T08:00:00</Stop>" in text
    later = replace(
        plan.tasks[0], constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=at("2025-03-05T08:00")
    )
    losses = mspdi.save(tmp_path / "out.xml", plan.with_task(later))
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert "<Type>4</Type>" in text
    assert "<Type>1</Type><UID>1</UID>" not in text
    assert "<Stop>" not in text
    if who == 1:
        assert losses == ("The spread of work over days of tasks that lie elsewhere is left out: “T1”.",)


@pytest.mark.parametrize("progress", [None, Progress(25.0, at("2025-03-03T08:00"))])
@pytest.mark.parametrize("units", [None, 1.0, 0.5])
def test_that_splits_are_written_as_timephased_work(
    progress: Progress | None, units: float | None, tmp_path: Path
) -> None:
    splits = (Split(4 * HOUR, 8 * HOUR), Split(20 * HOUR, 12 * HOUR))
    plan = office()
    plan = plan.with_task(replace(plan.task(5), duration=32 * HOUR, splits=splits, progress=progress))
    if units:
        plan = replace(plan, resources=(Resource(1, "Ann"),), assignments=(Assignment(5, 1, units),))
    assert resaved(tmp_path, plan).task(5).splits == splits


def test_that_elements_stand_in_the_order_that_microsoft_project_wants(tmp_path: Path) -> None:
    path = round_trip(tmp_path, project(task(1) + task(2, EXTRA + link(1))))
    for row in read_xml(path).below("Tasks", "Task"):
        known = [child for child in row.children if child.tag != "FromTheFuture"]
        assert TASK.arrange((), known) == "".join(map(to_text, known))
        assert [child.tag for child in known][:4] in (["UID", "ID", "Name", "Active"], ["UID", "GUID", "ID", "Name"])


def test_that_an_unknown_element_stays_behind_the_one_it_stood_behind() -> None:
    kept = [Element("Notes", text="n"), Element("New", text="1"), Element("Name", text="kept")]
    made = (("UID", "<UID>1</UID>"), ("Name", "<Name>made</Name>"))
    assert TASK.arrange(made, kept) == "<UID>1</UID><Name>made</Name><Notes>n</Notes><New>1</New>"


def test_that_broken_texts_in_fields_are_left_out(tmp_path: Path) -> None:
    plan = office()
    broken = replace(plan.task(5), fields=(("mspdi:more", "<a><b></a>"), ("mspdi:timephased", "1 2 3")))
    assert resaved(tmp_path, plan.with_task(broken)).task(5).name == "Paint"


# What a file cannot hold


def test_that_what_is_lost_is_said_in_sentences(tmp_path: Path) -> None:
    plan = office()
    odd = replace(plan.task(5), progress=Progress(33.3), delay=1, fields=(("gan:rubber", "1"),))
    plan = replace(
        plan.with_task(odd),
        settings=replace(plan.settings, lag_calendar=LagCalendar.PROJECT, near_critical_float=5),
        dependencies=(Dependency(2, 3, DependencyKind.FS, Lag(1)),),
        resources=(Resource(1, "Lathe", ResourceKind.MACHINE),),
        fields=(("Customer", "Bo"),),
    )
    assert mspdi.save(tmp_path / "out.xml", plan) == (
        "Microsoft Project counts lags in the successor's calendar, this plan does not.",
        "Critical by the longest path, and near critical, are left out.",
        "Progress is rounded to whole percent: “Paint”.",
        "Delays from leveling are rounded to a tenth of a minute: “Paint”.",
        "Lags are rounded to a tenth of a minute: “Build”.",
        "Machines and streams become resources that work: “Lathe”.",
        "What only another kind of file can hold is left out.",
        "Custom fields of assignments and of the plan are left out.",
    )


def test_that_custom_fields_of_other_programs_get_a_text_field_each(tmp_path: Path) -> None:
    plan = office()
    names = tuple((f"field {number}", str(number)) for number in range(31))
    losses = mspdi.save(tmp_path / "out.xml", plan.with_task(replace(plan.task(5), fields=names)))
    assert losses == ("Custom fields of tasks for which there is no place are left out: “field 30”.",)
    found = mspdi.load(tmp_path / "out.xml").task(5).fields
    assert [pair for pair in found if ":" not in pair[0]] == list(names[:30])


def test_that_a_date_no_file_holds_is_refused(tmp_path: Path) -> None:
    plan = office()
    far = plan.with_task(replace(plan.task(5), deadline=1 << 47))
    with pytest.raises(FormatError, match=r"out\.xml was not written\. It has a date outside the years 1 to 9999"):
        mspdi.save(tmp_path / "out.xml", far)


# Complaints about other programs


def test_that_a_task_from_midnight_to_midnight_is_one_day(tmp_path: Path) -> None:
    dates = "<Start>2025-01-30T00:00:00</Start><Finish>2025-01-31T00:00:00</Finish><Manual>1</Manual>"
    plan = load(tmp_path, project(task(1, dates, hours=24)))
    assert plan.tasks[0].manual_finish == at("2025-01-31T00:00")
    again = resaved(tmp_path, plan).tasks[0]
    assert (again.manual_start, again.manual_finish) == (at("2025-01-30T00:00"), at("2025-01-31T00:00"))
    assert (again.duration, again.recorded) == (24 * HOUR, plan.tasks[0].recorded)


def test_that_two_hours_stay_two_hours(tmp_path: Path) -> None:
    path = round_trip(tmp_path, project(task(1, hours=2)))
    (row,) = read_xml(path).below("Tasks", "Task")
    assert row.get("Duration") == "PT2H0M0S"
    assert (row.get("Start"), row.get("Finish")) == ("2025-03-03T08:00:00", "2025-03-03T10:00:00")


def test_that_a_milestone_starts_when_it_ends(tmp_path: Path) -> None:
    path = round_trip(tmp_path, project(task(1) + task(2, "<Milestone>1</Milestone>" + link(1), hours=0)))
    row = read_xml(path).below("Tasks", "Task")[1]
    assert row.get("Start") == row.get("Finish") == "2025-03-03T17:00:00"


def test_that_elapsed_lags_are_written_as_such(tmp_path: Path) -> None:
    plan = office()
    plan = replace(plan, dependencies=(Dependency(2, 3, DependencyKind.SS, Lag(86_400, LagKind.ELAPSED)),))
    mspdi.save(tmp_path / "out.xml", plan)
    assert link(2, 3, 14400, 8) in (tmp_path / "out.xml").read_text(encoding="utf-8")
