"""What each element of an MSPDI file means to a plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import find_format, mspdi
from engine.model import (
    DAY,
    BaselineTask,
    Capacity,
    ConstraintKind,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    LagKind,
    Progress,
    Recorded,
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
    resource,
    staff,
    standard,
    task,
    written,
)

HOUR = 3600


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_that_a_file_is_known_by_its_content_in_every_encoding(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.dat"
    path.write_bytes(project(task(1, name="Größe")).replace(' encoding="UTF-8"', "").encode(encoding))
    assert mspdi.sniff(path)
    assert find_format(path) is mspdi
    assert mspdi.load(path).tasks[0].name == "Größe"


@pytest.mark.parametrize("text", ["", "<a/>", "<Project/>", '<Project xmlns="urn:other"/>', "PK\x03\x04", "{}"])
def test_that_other_files_are_not_taken_for_a_project(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    assert not mspdi.sniff(path)
    with pytest.raises(FormatError, match=r"small\.xml"):
        mspdi.load(path)


def test_that_outline_levels_become_parents_and_uids_become_ids(tmp_path: Path) -> None:
    rows = task(0, level=0) + task(7) + task(3, level=2) + task(9, level=3) + task(2, level=2) + task(5)
    plan = load(tmp_path, project(rows))
    assert [(t.id, t.parent, t.source) for t in plan.tasks] == [
        (7, None, "7"),
        (3, 7, "3"),
        (9, 3, "9"),
        (2, 7, "2"),
        (5, None, "5"),
    ]
    assert plan.next_task_id == 10
    assert [t.duration for t in plan.tasks] == [0, 0, 8 * HOUR, 8 * HOUR, 8 * HOUR]


def test_that_levels_are_found_in_outline_numbers_where_there_are_no_levels(tmp_path: Path) -> None:
    rows = "".join(f"<Task><UID>{n}</UID><OutlineNumber>{o}</OutlineNumber></Task>" for n, o in ((1, "1"), (2, "1.1")))
    assert [t.parent for t in load(tmp_path, project(rows)).tasks] == [None, 1]


def test_that_a_task_of_uid_0_that_is_not_the_project_gets_an_id_of_its_own(tmp_path: Path) -> None:
    plan = load(tmp_path, project(task(4) + task(0, link(4))))
    assert [(t.id, t.source) for t in plan.tasks] == [(4, "4"), (5, "0")]
    assert plan.dependencies == (Dependency(4, 5),)


def test_that_blank_rows_are_no_tasks(tmp_path: Path) -> None:
    blank = "<Task><UID>8</UID><ID>2</ID><IsNull>1</IsNull></Task>"
    plan = load(tmp_path, project(task(1) + blank + task(3, link(1)) + blank))
    assert [t.id for t in plan.tasks] == [1, 3]


@pytest.mark.parametrize(
    ("form", "is_elapsed"), [(3, False), (5, False), (7, False), (9, False), (11, False), (21, False), (39, False)]
)
def test_that_working_durations_keep_their_hours_whatever_their_unit(
    form: int, is_elapsed: bool, tmp_path: Path
) -> None:
    found = load(tmp_path, project(task(1, f"<DurationFormat>{form}</DurationFormat>", hours=20))).tasks[0]
    assert (found.duration, found.is_elapsed) == (20 * HOUR, is_elapsed)


@pytest.mark.parametrize("form", [4, 6, 8, 10, 12, 36, 38, 40, 42, 44])
def test_that_elapsed_durations_are_told_apart(form: int, tmp_path: Path) -> None:
    found = load(tmp_path, project(task(1, f"<DurationFormat>{form}</DurationFormat>", hours=24))).tasks[0]
    assert (found.duration, found.is_elapsed) == (DAY, True)


@pytest.mark.parametrize("text", ["PT1H30M0S", "PT90M", "PT1.5H", "PT0H89M60S", "PT5400S"])
def test_that_durations_are_read_in_every_spelling(text: str, tmp_path: Path) -> None:
    row = f"<Task><UID>1</UID><Duration>{text}</Duration></Task>"
    assert load(tmp_path, project(row)).tasks[0].duration == 5400


def test_that_link_types_and_lags_are_read(tmp_path: Path) -> None:
    links = (
        link(1, 0)
        + link(1, 1, 4800)
        + link(1, 2, -2400, 5)
        + link(1, 3, 14400, 8)
        + link(2, 1, 50, 19)
        + link(2, 3, 25, 51)
        + link(2, 0, 50, 20)
    )
    plan = load(tmp_path, project(task(1) + task(2) + task(3, links)))
    assert plan.dependencies == (
        Dependency(1, 3, DependencyKind.FF),
        Dependency(1, 3, DependencyKind.FS, Lag(8 * HOUR)),
        Dependency(1, 3, DependencyKind.SF, Lag(-4 * HOUR)),
        Dependency(1, 3, DependencyKind.SS, Lag(DAY, LagKind.ELAPSED)),
        Dependency(2, 3, DependencyKind.FS, Lag(50, LagKind.PERCENT)),
        Dependency(2, 3, DependencyKind.SS, Lag(25, LagKind.PERCENT)),
        Dependency(2, 3, DependencyKind.FF, Lag(50, LagKind.ELAPSED_PERCENT)),
    )


@pytest.mark.parametrize("is_split", [True, False])
def test_that_a_rest_which_project_may_let_wait_is_noted(tmp_path: Path, is_split: bool) -> None:
    begun = "<ActualStart>2025-03-03T08:00:00</ActualStart><PercentComplete>50</PercentComplete>"
    text = project(task(1) + task(2, begun + link(1, 1)) + task(3, link(1, 1)))
    text = text.replace("<Tasks>", f"<SplitsInProgressTasks>{int(is_split)}</SplitsInProgressTasks><Tasks>", 1)
    notes = [said for name, said in load(tmp_path, text).fields if name == "note"]
    assert ["“" in note for note in notes] == [True] * is_split
    assert all("may wait" in note for note in notes)
    assert mspdi.save(tmp_path / "again.xml", load(tmp_path, text)) == ()


def test_that_links_to_other_files_are_kept_and_make_no_link(tmp_path: Path) -> None:
    other = "<PredecessorLink><PredecessorUID>99</PredecessorUID><CrossProject>1</CrossProject></PredecessorLink>"
    assert load(tmp_path, project(task(1, other))).dependencies == ()


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (2, ConstraintKind.MUST_START_ON),
        (3, ConstraintKind.MUST_FINISH_ON),
        (4, ConstraintKind.START_NO_EARLIER_THAN),
        (5, ConstraintKind.START_NO_LATER_THAN),
        (6, ConstraintKind.FINISH_NO_EARLIER_THAN),
        (7, ConstraintKind.FINISH_NO_LATER_THAN),
    ],
)
def test_that_constraints_are_read_and_a_date_alone_gets_the_usual_time(
    number: int, kind: ConstraintKind, tmp_path: Path
) -> None:
    def constraint(date: str) -> str:
        return f"<ConstraintType>{number}</ConstraintType><ConstraintDate>{date}</ConstraintDate>"

    plan = load(tmp_path, project(task(1, constraint("2025-03-05T10:30:00")) + task(2, constraint("2025-03-05"))))
    of_finish = kind.name.startswith("FINISH") or kind is ConstraintKind.MUST_FINISH_ON
    usual = "17:00" if of_finish else "08:00"
    assert [(t.constraint, t.constraint_at) for t in plan.tasks] == [
        (kind, at("2025-03-05T10:30:00")),
        (kind, at(f"2025-03-05T{usual}")),
    ]


def test_that_asap_and_alap_have_no_date(tmp_path: Path) -> None:
    stale = "<ConstraintDate>1970-01-02T00:00:00</ConstraintDate>"
    rows = task(1, f"<ConstraintType>0</ConstraintType>{stale}") + task(2, f"<ConstraintType>1</ConstraintType>{stale}")
    asap, alap = load(tmp_path, project(rows)).tasks
    assert (asap.constraint, asap.constraint_at) == (ConstraintKind.AS_SOON_AS_POSSIBLE, 0)
    assert (alap.constraint, alap.constraint_at) == (ConstraintKind.AS_LATE_AS_POSSIBLE, 0)


def test_that_manual_tasks_keep_the_dates_a_person_typed(tmp_path: Path) -> None:
    dates = (
        "<Start>2025-03-04T08:00:00</Start><Finish>2025-03-04T17:00:00</Finish>"
        "<ManualStart>2025-03-05T00:00:00</ManualStart><ManualFinish>2025-03-06T00:00:00</ManualFinish>"
        "<ManualDuration>PT24H0M0S</ManualDuration>"
    )
    manual, automatic = load(tmp_path, project(task(1, f"<Manual>1</Manual>{dates}") + task(2, dates))).tasks
    assert (manual.is_manual, manual.duration) == (True, DAY)
    assert (manual.manual_start, manual.manual_finish) == (at("2025-03-05T00:00"), at("2025-03-06T00:00"))
    assert (automatic.is_manual, automatic.duration, automatic.manual_start) == (False, 8 * HOUR, None)


def test_that_tasks_of_other_files_keep_their_dates(tmp_path: Path) -> None:
    dates = "<Start>2025-03-04T08:00:00</Start><Finish>2025-03-04T17:00:00</Finish>"
    found = load(tmp_path, project(task(1, f"<ExternalTask>1</ExternalTask>{dates}"))).tasks[0]
    assert (found.is_manual, found.manual_start) == (True, at("2025-03-04T08:00"))


def test_that_flags_priority_delay_deadline_and_effort_are_read(tmp_path: Path) -> None:
    more = (
        "<Active>0</Active><Milestone>1</Milestone><Priority>700</Priority><Type>2</Type>"
        "<LevelingDelay>4800</LevelingDelay><IgnoreResourceCalendar>1</IgnoreResourceCalendar>"
        "<Deadline>2025-03-07T17:00:00</Deadline><CalendarUID>1</CalendarUID><Notes>Mind the gap</Notes>"
    )
    found = load(tmp_path, project(task(1, more))).tasks[0]
    assert (found.is_active, found.is_milestone, found.priority) == (False, True, 700)
    assert (found.effort, found.delay, found.calendar) == (EffortKind.FIXED_WORK, 8 * HOUR, 1)
    assert (found.ignores_resource_calendars, found.deadline) == (True, at("2025-03-07T17:00"))
    assert ("Notes", "Mind the gap") in found.fields


def test_that_progress_is_read_and_what_the_percentage_leaves_is_not_said_twice(tmp_path: Path) -> None:
    def done(remaining: str) -> str:
        return (
            "<PercentComplete>25</PercentComplete><ActualStart>2025-03-03T09:00:00</ActualStart>"
            f"<RemainingDuration>{remaining}</RemainingDuration>"
        )

    usual, odd, none = load(tmp_path, project(task(1, done("PT6H0M0S")) + task(2, done("PT7H0M0S")) + task(3))).tasks
    assert usual.progress == Progress(25.0, at("2025-03-03T09:00"))
    assert odd.progress == Progress(25.0, at("2025-03-03T09:00"), remaining=7 * HOUR)
    assert none.progress is None


def test_that_recorded_dates_are_set_apart(tmp_path: Path) -> None:
    dates = "<Start>2025-03-04T08:00:00</Start><Finish>2025-03-04T17:00:00</Finish>"
    first, second = load(tmp_path, project(task(1, dates) + task(2))).tasks
    assert first.recorded == Recorded(at("2025-03-04T08:00"), at("2025-03-04T17:00"))
    assert second.recorded is None


def test_that_baselines_are_read_by_number(tmp_path: Path) -> None:
    def baseline(number: int, day: int) -> str:
        dates = f"<Start>2025-03-0{day}T08:00:00</Start><Finish>2025-03-0{day}T17:00:00</Finish>"
        return f"<Baseline><Number>{number}</Number>{dates}<Duration>PT8H0M0S</Duration><Cost>5</Cost></Baseline>"

    plan = load(tmp_path, project(task(1, baseline(0, 3) + baseline(10, 4)) + task(2, baseline(10, 5))))
    assert [(b.number, b.name, [t.task for t in b.tasks]) for b in plan.baselines] == [
        (0, "Baseline", [1]),
        (10, "Baseline 10", [1, 2]),
    ]
    assert plan.baselines[0].tasks[0] == BaselineTask(1, at("2025-03-03T08:00"), at("2025-03-03T17:00"), 8 * HOUR)


def test_that_custom_fields_have_the_names_a_person_gave_them(tmp_path: Path) -> None:
    def define(number: int, name: str, alias: str = "") -> str:
        said = f"<Alias>{alias}</Alias>" if alias else ""
        return f"<ExtendedAttribute><FieldID>{number}</FieldID><FieldName>{name}</FieldName>{said}</ExtendedAttribute>"

    def value(number: int, text: str) -> str:
        return f"<ExtendedAttribute><FieldID>{number}</FieldID><Value>{text}</Value></ExtendedAttribute>"

    defined = define(188743731, "Text1", "Owner") + define(188743767, "Number1") + define(205520904, "Text1", "Skill")
    head = f"{HEAD}<ExtendedAttributes>{defined}</ExtendedAttributes>"
    row = task(1, value(188743731, "Ann") + value(188743767, "7") + value(188743734, "b") + value(188744999, "?"))
    plan = load(tmp_path, project(row, head=head, rest=staff(resource(1, value(205520904, "welds")))))
    named = [pair for pair in plan.tasks[0].fields if ":" not in pair[0]]
    assert named == [("Owner", "Ann"), ("Number1", "7"), ("Text2", "b")]
    assert plan.resources[0].fields == (("Skill", "welds"),)


def test_that_settings_of_the_project_are_read(tmp_path: Path) -> None:
    head = (
        "<Title>Bridge</Title><ScheduleFromStart>0</ScheduleFromStart><StartDate>2025-03-03T07:30:00</StartDate>"
        "<FinishDate>2025-06-30T17:00:00</FinishDate><CriticalSlackLimit>2</CriticalSlackLimit>"
        "<DefaultStartTime>07:30:00</DefaultStartTime><DefaultFinishTime>16:00:00</DefaultFinishTime>"
        "<MinutesPerDay>450</MinutesPerDay><MinutesPerWeek>2250</MinutesPerWeek><DaysPerMonth>22</DaysPerMonth>"
        "<HonorConstraints>0</HonorConstraints><StatusDate>2025-04-01</StatusDate>"
    )
    plan = load(tmp_path, project(head=head))
    found = plan.settings
    assert (plan.name, plan.start) == ("Bridge", at("2025-03-03T07:30"))
    assert (found.hours_per_day, found.hours_per_week, found.days_per_month) == (7.5, 37.5, 22.0)
    assert (found.is_from_finish, found.finish) == (True, at("2025-06-30T17:00"))
    assert (found.critical_float, found.honors_dates) == (2 * 450 * 60, False)
    assert (found.default_start, found.default_finish) == (27_000, 57_600)
    assert found.status == at("2025-04-01T16:00")


def test_that_a_file_without_a_start_begins_with_its_first_task(tmp_path: Path) -> None:
    dates = "<Start>2025-03-05T08:00:00</Start><Finish>2025-03-05T17:00:00</Finish>"
    assert load(tmp_path, project(task(1, dates), head="<Name>x</Name>")).start == at("2025-03-05T08:00")


def test_that_resources_have_kinds_calendars_and_steps(tmp_path: Path) -> None:
    period = (
        "<AvailabilityPeriods><AvailabilityPeriod><AvailableFrom>2025-03-01T00:00:00</AvailableFrom>"
        "<AvailableTo>2025-03-31T23:59:00</AvailableTo><AvailableUnits>0.5</AvailableUnits></AvailabilityPeriod>"
        "</AvailabilityPeriods>"
    )
    own = "<IsBaseCalendar>0</IsBaseCalendar><BaseCalendarUID>1</BaseCalendarUID>"
    derived = f"<Calendar><UID>5</UID><Name>Ann</Name>{own}</Calendar>"
    nobody = "<Resource><UID>0</UID><ID>0</ID><Type>1</Type></Resource>"
    ann = resource(1, f"<MaxUnits>2.00</MaxUnits><CalendarUID>5</CalendarUID>{period}", "Ann")
    sand = "<Resource><UID>2</UID><Name>Sand</Name><Type>0</Type><MaxUnits>0</MaxUnits></Resource>"
    plan = load(tmp_path, project(calendars=standard() + derived, rest=staff(nobody + ann + sand)))
    first, second = plan.resources
    assert (first.id, first.name, first.kind, first.capacity) == (1, "Ann", ResourceKind.WORK, 2.0)
    assert first.calendar == 5
    assert first.steps == (Capacity(at("2025-03-01T00:00"), at("2025-04-01T00:00"), 0.5),)
    assert (second.kind, second.capacity, second.calendar) == (ResourceKind.MATERIAL, 1.0, None)


def test_that_assignments_have_units_and_work_only_where_it_does_not_follow(tmp_path: Path) -> None:
    people = resource(1) + resource(2)
    half = "<Units>0.5</Units><Work>PT4H0M0S</Work>"
    odd = "<Units>0.5</Units><Work>PT9H0M0S</Work>"
    who = assignment(1, 1, 1, half) + assignment(2, 1, 2, odd) + assignment(3, 1, -65535)
    plan = load(tmp_path, project(task(1), rest=staff(people, who)))
    assert [(a.resource, a.units, a.work) for a in plan.assignments] == [(1, 0.5, None), (2, 0.5, 9 * HOUR)]


SPLIT = (
    figure(1, "2025-03-03T08:00:00", "2025-03-04T08:00:00", "PT8H0M0S"),
    figure(1, "2025-03-04T08:00:00", "2025-03-05T08:00:00", "PT0H0M0S"),
    figure(1, "2025-03-05T08:00:00", "2025-03-06T08:00:00", "PT8H0M0S"),
)


@pytest.mark.parametrize("who", [1, -65535])
def test_that_splits_are_found_in_the_timephased_work(who: int, tmp_path: Path) -> None:
    rest = staff(resource(1), assignment(1, 1, who, f"<Units>1</Units>{''.join(SPLIT)}"))
    assert load(tmp_path, project(task(1, hours=16), rest=rest)).tasks[0].splits == (Split(8 * HOUR, 8 * HOUR),)


def test_that_nights_and_weekends_are_no_splits(tmp_path: Path) -> None:
    figures = (
        figure(1, "2025-03-07T08:00:00", "2025-03-08T08:00:00", "PT8H0M0S")
        + figure(1, "2025-03-08T08:00:00", "2025-03-10T08:00:00")
        + figure(1, "2025-03-10T08:00:00", "2025-03-10T17:00:00", "PT8H0M0S")
    )
    rest = staff("", assignment(1, 1, -65535, f"<Units>1</Units>{figures}"))
    assert load(tmp_path, project(task(1, hours=16), rest=rest)).tasks[0].splits == ()


def test_that_a_day_partly_worked_touches_its_work(tmp_path: Path) -> None:
    figures = (
        figure(1, "2025-03-03T08:00:00", "2025-03-04T08:00:00", "PT3H0M0S")
        + figure(1, "2025-03-04T08:00:00", "2025-03-05T08:00:00", "PT0H0M0S")
        + figure(1, "2025-03-05T08:00:00", "2025-03-06T08:00:00", "PT5H0M0S")
    )
    rest = staff("", assignment(1, 1, -65535, f"<Units>1</Units>{figures}"))
    # Three hours in the morning; a pause of 5 + 8 + 3 hours; five hours up to the evening.
    assert load(tmp_path, project(task(1), rest=rest)).tasks[0].splits == (Split(3 * HOUR, 16 * HOUR),)


def test_that_who_works_on_keeps_a_pause_of_another_from_being_a_split(tmp_path: Path) -> None:
    busy = figure(1, "2025-03-03T08:00:00", "2025-03-05T17:00:00", "PT24H0M0S")
    who = assignment(1, 1, 1, f"<Units>1</Units>{''.join(SPLIT)}") + assignment(2, 1, 2, f"<Units>1</Units>{busy}")
    rest = staff(resource(1) + resource(2), who)
    assert load(tmp_path, project(task(1, hours=24), rest=rest)).tasks[0].splits == ()


def test_that_work_taken_up_later_is_a_split_without_any_assignment(tmp_path: Path) -> None:
    more = (
        "<PercentComplete>50</PercentComplete><ActualStart>2025-03-03T08:00:00</ActualStart>"
        "<Stop>2025-03-03T12:00:00</Stop><Resume>2025-03-05T08:00:00</Resume>"
    )
    assert load(tmp_path, project(task(1, more))).tasks[0].splits == (Split(4 * HOUR, 12 * HOUR),)


def test_that_figures_that_cannot_be_read_are_no_reason_to_refuse_a_plan(tmp_path: Path) -> None:
    rest = staff("", assignment(1, 1, -65535, f"<Units>1</Units>{figure(1, 'now', 'then', 'much')}{SPLIT[0]}"))
    assert load(tmp_path, project(task(1), rest=rest)).tasks[0].splits == ()
