"""Tests of Primavera exports: tables, calendars, progress, options, and the sentences for broken files."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import find_format, find_format_to_save, xer
from engine.model import (
    ConstraintKind,
    DependencyKind,
    LagCalendar,
    Plan,
    ProgressRule,
    ResourceKind,
    Shift,
    Task,
    Ticks,
)

WORKDAY = "(0||0(s|08:00|f|12:00)())(0||1(f|17:00|s|13:00)())"
HOUR = 3600


def at(text: str) -> Ticks:
    return int((datetime.fromisoformat(text) - datetime(1970, 1, 1)).total_seconds())


def clndr(exceptions: str = "", days: str = "23456", shifts: str = WORKDAY) -> str:
    week = "".join(f"(0||{day}()({shifts if str(day) in days else ''}))" for day in range(1, 8))
    return f"(0||CalendarData()((0||DaysOfWeek()({week}))(0||VIEW(ShowTotal|N)())(0||Exceptions()({exceptions}))))"


def table(name: str, *rows: dict[str, object]) -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = [f"%T\t{name}", "%F\t" + "\t".join(columns)]
    return "\n".join(lines + ["%R\t" + "\t".join(str(row.get(key, "")) for key in columns) for row in rows]) + "\n"


PROJECT = {
    "proj_id": 1,
    "proj_short_name": "BR",
    "clndr_id": 10,
    "plan_start_date": "2025-03-03 00:00",
    "last_recalc_date": "2025-03-03 00:00",
    "export_flag": "Y",
}
WBS = {"wbs_id": 100, "proj_id": 1, "wbs_short_name": "BR", "wbs_name": "Bridge", "proj_node_flag": "Y"}
CALENDAR = {"clndr_id": 10, "clndr_name": "5 days", "day_hr_cnt": 8, "week_hr_cnt": 40, "clndr_data": clndr()}


def activity(number: int, **more: object) -> dict[str, object]:
    known = {
        "task_id": 1000 + number,
        "proj_id": 1,
        "wbs_id": 100,
        "clndr_id": 10,
        "task_type": "TT_Task",
        "task_code": f"A{number}",
        "task_name": f"Activity {number}",
        "target_drtn_hr_cnt": 16,
        "remain_drtn_hr_cnt": 16,
    }
    return {**known, **more}


def link(before: int, after: int, kind: str = "PR_FS", hours: float = 0) -> dict[str, object]:
    return {"task_pred_id": 1, "task_id": 1000 + after, "pred_task_id": 1000 + before, "pred_type": kind} | {
        "lag_hr_cnt": hours
    }


def text_of(*tables: str, **replaced: str) -> str:
    known = {
        "PROJECT": table("PROJECT", PROJECT),
        "CALENDAR": table("CALENDAR", CALENDAR),
        "PROJWBS": table("PROJWBS", WBS),
        "TASK": table("TASK", activity(1), activity(2)),
    }
    body = "".join((known | replaced).values()) + "".join(tables)
    return f"ERMHDR\t8.4\t2025-03-03\tProject\tadmin\tadmin\tdb\tProject Management\tUSD\n{body}%E\n"


@pytest.fixture
def read(tmp_path: Path):
    def load(*tables: str, encoding: str = "cp1252", **replaced: str) -> Plan:
        path = tmp_path / "plan.xer"
        path.write_bytes(text_of(*tables, **replaced).encode(encoding))
        assert xer.sniff(path)
        return xer.load(path)

    return load


def only(*rows: dict[str, object]) -> str:
    return text_of(TASK=table("TASK", *rows))


def named(plan: Plan, name: str) -> Task:
    return next(task for task in plan.tasks if task.name == name)


def notes(plan: Plan) -> list[str]:
    return [text for name, text in plan.fields if name == "note"]


def refusal(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        xer.load(path)
    assert str(path) in caught.value.sentence
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def test_that_wbs_elements_are_summaries_and_activities_keep_their_codes(read) -> None:
    below = {"wbs_id": 101, "proj_id": 1, "parent_wbs_id": 100, "wbs_short_name": "S", "wbs_name": "Steel"}
    plan = read(
        PROJWBS=table(
            "PROJWBS", {**below, "seq_num": 2}, {**below, "wbs_id": 102, "seq_num": 1, "wbs_name": "Piers"}, WBS
        ),
        TASK=table("TASK", activity(1, wbs_id=101), activity(2, wbs_id=102), activity(3)),
    )
    assert plan.name == "Bridge"
    rows = [(task.name, plan.depth(task.id), task.source) for task in plan.tasks]
    assert rows == [
        ("Bridge", 0, "BR"),
        ("Activity 3", 1, "A3"),
        ("Piers", 1, "BR.S"),
        ("Activity 2", 2, "A2"),
        ("Steel", 1, "BR.S"),
        ("Activity 1", 2, "A1"),
    ]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_that_names_survive_every_encoding(read, encoding: str) -> None:
    plan = read(TASK=table("TASK", activity(1, task_name="Brücke 5 € Träger")), encoding=encoding)
    assert named(plan, "Brücke 5 € Träger")


def test_that_chinese_names_survive_utf_16_with_a_byte_order_mark(read) -> None:
    assert named(read(TASK=table("TASK", activity(1, task_name="钢筋混凝土")), encoding="utf-16"), "钢筋混凝土")


def test_that_shift_keys_may_come_in_any_order(read) -> None:
    calendar = read().calendar
    assert calendar is not None
    assert calendar.week == ((Shift(8 * HOUR, 12 * HOUR), Shift(13 * HOUR, 17 * HOUR)),) * 5 + ((), ())


def test_that_exceptions_keep_their_hours_and_their_day(read) -> None:
    """Excel counts 41519 for 2013-09-02, 2 days more than days since 1900-01-01."""
    exceptions = "(0||0(d|41519)())(0||1(d|41520)((0||0(s|10:00|f|00:00)())))"
    calendar = read(CALENDAR=table("CALENDAR", {**CALENDAR, "clndr_data": clndr(exceptions)})).calendar
    assert calendar is not None
    off, changed = calendar.exceptions
    assert off.first_day * 86_400 == at("2013-09-02")
    assert off.shifts == ()
    assert changed.first_day * 86_400 == at("2013-09-03")
    assert changed.shifts == (Shift(10 * HOUR, 24 * HOUR),)


def test_that_a_shift_that_ends_earlier_than_it_begins_goes_on_into_the_next_day(read) -> None:
    data = clndr("(0||0(d|41519)((0||0(s|22:00|f|06:00)())))", shifts="(0||0(s|22:00|f|06:00)())")
    calendar = read(CALENDAR=table("CALENDAR", {**CALENDAR, "clndr_data": data})).calendar
    assert calendar.exceptions[0].shifts == (Shift(22 * HOUR, 30 * HOUR),)
    evening, morning = Shift(22 * HOUR, 24 * HOUR), Shift(0, 6 * HOUR)
    assert calendar.week == ((evening,), *4 * ((morning, evening),), (morning,), ())


def test_that_midnight_to_midnight_is_a_whole_day(read) -> None:
    shifts = "(0||0(s|00:00|f|00:00)())"
    calendar = read(CALENDAR=table("CALENDAR", {**CALENDAR, "clndr_data": clndr(shifts=shifts)})).calendar
    assert calendar is not None
    assert calendar.week[0] == (Shift(0, 24 * HOUR),)


def test_that_calendar_data_over_several_lines_is_one_text(read) -> None:
    data = clndr().replace("(0||DaysOfWeek", "\x7f\x7f  (0||DaysOfWeek").replace("(0||Exceptions", "\n  (0||Exceptions")
    assert read(CALENDAR=table("CALENDAR", {**CALENDAR, "clndr_data": data})).calendar == read().calendar


def test_that_a_derived_calendar_inherits_days_off(read) -> None:
    base = {**CALENDAR, "clndr_data": clndr("(0||0(d|45720)())")}
    own = {"clndr_id": 11, "clndr_name": "Anna", "base_clndr_id": 10, "clndr_data": clndr("(0||0(d|45721)())", "34")}
    (calendar,) = read(CALENDAR=table("CALENDAR", own, base)).calendars
    assert [exception.first_day + 25_569 for exception in calendar.exceptions] == [45_720, 45_721]
    assert [bool(day) for day in calendar.week] == [False, True, True, False, False, False, False]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("(0||CalendarData()(", "ends too early, at character 20"),
        ("", "is empty"),
        (clndr("(0||0(d|x)())"), "has an exception on day “x”"),
        (clndr(shifts="(0||0(s|08:00)())"), "has a shift without a time of day under “f”"),
        (clndr(shifts="(0||0(s|22:00|f|22:00)())"), "has a shift from 22:00 that is no part of a day"),
        ("(" * 10_000, "cannot be understood"),
        ("(0||CalendarData()(" + "(0||A()(" * 5_000, "cannot be understood"),
    ],
)
def test_that_a_calendar_cut_off_or_wrong_is_named_with_its_line(tmp_path: Path, data: str, why: str) -> None:
    path = tmp_path / "plan.xer"
    path.write_text(text_of(CALENDAR=table("CALENDAR", {**CALENDAR, "clndr_data": data})))
    assert f"{path}, line 7: Calendar “5 days” cannot be read: its data {why}" in refusal(path)


def test_that_a_broken_calendar_that_nothing_uses_is_left_out_and_noted(read) -> None:
    broken = {"clndr_id": 180, "clndr_name": "Nights", "clndr_data": "(0||CalendarData()("}
    plan = read(CALENDAR=table("CALENDAR", CALENDAR, broken))
    assert plan.calendars == ()
    assert notes(plan) == [
        "Calendar “Nights” cannot be read: its data ends too early, at character 20. Nothing uses it; it was left out."
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("rcal_Successor", LagCalendar.SUCCESSOR),
        ("rcal_Predecessor", LagCalendar.PREDECESSOR),
        ("rcal_24Hour", LagCalendar.ALWAYS),
        ("RCAL_PROJDEFAULT", LagCalendar.PROJECT),
    ],
)
def test_that_the_schedule_options_choose_the_lag_calendar(read, value: str, expected: LagCalendar) -> None:
    options = {"proj_id": 1, "sched_calendar_on_relationship_lag": value, "sched_progress_override": "Y"}
    settings = read(table("SCHEDOPTIONS", options)).settings
    assert settings.lag_calendar is expected
    assert settings.progress_rule is ProgressRule.PROGRESS_OVERRIDE
    assert settings.status == at("2025-03-03")


def test_that_lags_are_counted_by_the_predecessor_where_no_option_says_otherwise(read) -> None:
    settings = read().settings
    assert settings.lag_calendar is LagCalendar.PREDECESSOR
    assert settings.progress_rule is ProgressRule.RETAINED_LOGIC
    assert not settings.honors_dates


def test_that_critical_means_what_the_project_says(read) -> None:
    longest = read(PROJECT=table("PROJECT", {**PROJECT, "critical_path_type": "CT_DrivPath"})).settings
    floating = read(PROJECT=table("PROJECT", {**PROJECT, "critical_drtn_hr_cnt": "8"})).settings
    assert longest.is_longest_path
    assert floating.critical_float == 8 * HOUR


def test_that_relationships_have_kinds_and_lags_in_hours(read) -> None:
    plan = read(table("TASKPRED", link(1, 2, "PR_FF", -12.5), link(1, 2, "PR_SS", 4)))
    found = [(each.kind, each.lag.amount) for each in plan.dependencies]
    assert found == [(DependencyKind.FF, -45_000), (DependencyKind.SS, 14_400)]
    assert {(plan.task(e.predecessor).name, plan.task(e.successor).name) for e in plan.dependencies} == {
        ("Activity 1", "Activity 2")
    }


def test_that_relationships_to_activities_elsewhere_are_counted_and_left_out(read) -> None:
    plan = read(table("TASKPRED", link(1, 2), link(1, 77)))
    assert len(plan.dependencies) == 1
    assert notes(plan) == ["1 relationship leads to an activity that is not in the file; it was left out."]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("CS_MSO", ConstraintKind.MUST_START_ON),
        ("CS_MSOA", ConstraintKind.START_NO_EARLIER_THAN),
        ("CS_MSOB", ConstraintKind.START_NO_LATER_THAN),
        ("CS_MEO", ConstraintKind.MUST_FINISH_ON),
        ("CS_MEOA", ConstraintKind.FINISH_NO_EARLIER_THAN),
        ("CS_MANDSTART", ConstraintKind.MUST_START_ON),
        ("CS_MANDFIN", ConstraintKind.MUST_FINISH_ON),
        ("CS_ALAP", ConstraintKind.AS_LATE_AS_POSSIBLE),
    ],
)
def test_that_constraints_are_read(read, kind: str, expected: ConstraintKind) -> None:
    plan = read(TASK=table("TASK", activity(1, cstr_type=kind, cstr_date="2025-03-10 08:00")))
    task = named(plan, "Activity 1")
    assert task.constraint is expected
    assert task.constraint_at == (at("2025-03-10 08:00") if expected.has_date else 0)
    assert plan.settings.honors_dates == kind.startswith("CS_MAND")


def test_that_a_second_finish_on_or_before_is_a_deadline(read) -> None:
    two = {
        "cstr_type": "CS_MEOB",
        "cstr_date": "2025-03-14 17:00",
        "cstr_type2": "CS_MSOA",
        "cstr_date2": "2025-03-05 08:00",
    }
    task = named(read(TASK=table("TASK", activity(1, **two))), "Activity 1")
    assert (task.constraint, task.constraint_at) == (ConstraintKind.START_NO_EARLIER_THAN, at("2025-03-05 08:00"))
    assert task.deadline == at("2025-03-14 17:00")


def test_that_milestones_have_no_duration(read) -> None:
    plan = read(TASK=table("TASK", activity(1, task_type="TT_Mile"), activity(2, task_type="TT_FinMile")))
    assert [(t.is_milestone, t.duration) for t in plan.tasks[1:]] == [(True, 0), (True, 0)]


def test_that_a_level_of_effort_keeps_its_dates_and_drives_nothing(read) -> None:
    loe = activity(3, task_type="TT_LOE", early_start_date="2025-03-03 08:00", early_end_date="2025-03-07 17:00")
    plan = read(table("TASKPRED", link(1, 3, "PR_SS"), link(3, 2)), TASK=table("TASK", activity(1), activity(2), loe))
    task = named(plan, "Activity 3")
    assert (task.is_manual, task.manual_start, task.manual_finish) == (
        True,
        at("2025-03-03 08:00"),
        at("2025-03-07 17:00"),
    )
    assert plan.dependencies == ()
    assert notes(plan) == ["2 relationships of levels of effort and WBS summaries were left out."]


def test_that_the_percentages_of_p6_stay_apart(read) -> None:
    begun = {"act_start_date": "2025-03-03 08:00", "target_drtn_hr_cnt": 40, "remain_drtn_hr_cnt": 30}
    plan = read(
        TASK=table(
            "TASK",
            activity(1, complete_pct_type="CP_Drtn", **begun),
            activity(2, complete_pct_type="CP_Phys", phys_complete_pct=75, **begun),
            activity(3, complete_pct_type="CP_Units", act_work_qty=20, remain_work_qty=60, **begun),
            activity(4, act_start_date="2025-03-03 08:00", act_end_date="2025-03-04 17:00", remain_drtn_hr_cnt=0),
        )
    )
    progress = [task.progress for task in plan.tasks[1:]]
    assert [(p.percent, p.remaining) for p in progress if p] == [(25, 30 * HOUR)] * 3 + [(100, 0)]
    assert progress[3].actual_finish == at("2025-03-04 17:00")
    assert ("Physical % complete", "75") in plan.tasks[2].fields
    assert ("Units % complete", "25") in plan.tasks[3].fields


def test_that_the_dates_p6_shows_are_kept_as_recorded(read) -> None:
    early = {"early_start_date": "2025-03-05 08:00", "early_end_date": "2025-03-06 17:00"}
    planned = {"target_start_date": "2025-03-03 08:00", "target_end_date": "2025-03-04 17:00"}
    plan = read(TASK=table("TASK", activity(1, **early, **planned), activity(2, **planned)))
    recorded = [(t.recorded.start, t.recorded.finish) for t in plan.tasks if t.recorded]
    assert recorded == [
        (at("2025-03-05 08:00"), at("2025-03-06 17:00")),
        (at("2025-03-03 08:00"), at("2025-03-04 17:00")),
    ]


def test_that_resources_roles_and_rates_become_capacity(read) -> None:
    plan = read(
        table(
            "RSRC",
            {"rsrc_id": 5, "rsrc_name": "Crane", "rsrc_short_name": "CR", "rsrc_type": "RT_Equip", "clndr_id": 10},
        ),
        table("ROLES", {"role_id": 7, "role_name": "Welder", "role_short_name": "W"}),
        table(
            "RSRCRATE",
            {"rsrc_id": 5, "max_qty_per_hr": 2, "start_date": "2025-01-01 00:00"},
            {"rsrc_id": 5, "max_qty_per_hr": 3, "start_date": "2026-01-01 00:00"},
        ),
        table(
            "TASKRSRC",
            {"task_id": 1001, "rsrc_id": 5, "remain_qty": 16, "target_qty_per_hr": 1},
            {"task_id": 1001, "rsrc_id": 5, "remain_qty": 8, "target_qty_per_hr": 0.5},
            {"task_id": 1002, "role_id": 7, "act_reg_qty": 4, "remain_qty": 4, "target_qty_per_hr": 1},
        ),
    )
    crane, welder = plan.resources
    assert (crane.kind, crane.capacity, crane.calendar) == (ResourceKind.MACHINE, 2, plan.calendar.id)
    assert [step.units for step in crane.steps] == [2, 3]
    assert [(a.resource, a.units, a.work) for a in plan.assignments] == [
        (crane.id, 1.5, 24 * HOUR),
        (welder.id, 1, 8 * HOUR),
    ]


def test_that_activity_codes_and_user_fields_are_fields(read) -> None:
    plan = read(
        table("ACTVTYPE", {"actv_code_type_id": 1, "actv_code_type": "Phase"}),
        table("ACTVCODE", {"actv_code_id": 3, "actv_code_type_id": 1, "actv_code_name": "Design", "short_name": "D"}),
        table("TASKACTV", {"task_id": 1001, "actv_code_type_id": 1, "actv_code_id": 3}),
        table("UDFTYPE", {"udf_type_id": 9, "table_name": "TASK", "udf_type_label": "Area"}),
        table("UDFVALUE", {"udf_type_id": 9, "fk_id": 1001, "udf_text": "North"}),
    )
    fields = dict(named(plan, "Activity 1").fields)
    assert (fields["Phase"], fields["Area"]) == ("Design", "North")


def test_that_all_projects_of_a_file_are_summaries_of_one_plan(read) -> None:
    other = {**PROJECT, "proj_id": 2, "proj_short_name": "RD", "plan_start_date": "2025-02-03 08:00"}
    plan = read(
        table("TASKPRED", {**link(1, 2), "task_id": 2001}),
        PROJECT=table("PROJECT", PROJECT, other),
        PROJWBS=table("PROJWBS", WBS, {**WBS, "wbs_id": 200, "proj_id": 2, "wbs_short_name": "RD", "wbs_name": "Road"}),
        TASK=table("TASK", activity(1), activity(1, task_id=2001, proj_id=2, wbs_id=200)),
    )
    assert [(task.name, task.source) for task in plan.tasks] == [
        ("Bridge", "BR"),
        ("Activity 1", "BR.A1"),
        ("Road", "RD"),
        ("Activity 1", "RD.A1"),
    ]
    assert plan.start == at("2025-02-03 08:00")
    assert len(plan.dependencies) == 1
    assert notes(plan) == ["The file holds 2 projects; the options of the first hold for all."]


def test_that_a_project_there_only_for_its_links_is_left_out(read) -> None:
    other = {**PROJECT, "proj_id": 2, "proj_short_name": "RD", "export_flag": "N"}
    plan = read(
        PROJECT=table("PROJECT", PROJECT, other), TASK=table("TASK", activity(1), activity(2, proj_id=2, wbs_id=200))
    )
    assert [task.name for task in plan.tasks] == ["Bridge", "Activity 1"]
    assert notes(plan) == ["“RD” was not exported itself; it was left out."]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "The file is empty."),
        ("Dear planner,\n", "does not begin with ERMHDR"),
        (text_of().removesuffix("%E\n"), "line 14: The file is cut off: it does not end with %E."),
        (text_of(PROJECT=""), "The file holds no project."),
        (
            only(activity(1, target_drtn_hr_cnt="many", act_start_date="2025-03-03")),
            "“many” in column target_drtn_hr_cnt",
        ),
        (only(activity(1, act_start_date="soon")), "line 13: “soon” in column act_start_date is not a date."),
        (only(activity(1, clndr_id=99)), "line 13: Calendar 99 is not in the file."),
        (only(activity(1), activity(1)), "line 14: Activity A1 has the id 1001, which is in use."),
        (text_of(PROJWBS=table("PROJWBS", {**WBS, "parent_wbs_id": 100})), "Elements of the WBS lie in each other."),
        (text_of(table("TASKPRED", link(1, 2, "PR_XY"))), "“PR_XY” is no kind of relationship."),
        (text_of(table("TASKPRED", link(1, 1))), "“Activity 1” cannot wait for itself."),
        (only(activity(1)).replace("%E", "note\n" * 11_000 + "%E"), "A row goes on over more than 10,000 lines."),
        (text_of().replace("%F\ttask_id", "%X\ttask_id"), "Table TASK has no row of column names (%F)."),
    ],
)
def test_that_a_broken_file_is_refused_in_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "plan.xer"
    path.write_text(text)
    assert why in refusal(path)


def test_that_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.xer"
    whole = text_of(table("TASKPRED", link(1, 2))).encode()
    for size in range(0, len(whole) - 3, 7):
        path.write_bytes(whole[:size])
        refusal(path)


def test_that_an_export_is_found_by_its_content_and_never_written(tmp_path: Path) -> None:
    path = tmp_path / "plan.txt"
    path.write_text(text_of())
    assert find_format(path) is xer
    with pytest.raises(FormatError, match=r"that Warploom writes: choose one of \.loom"):
        find_format_to_save("plan.xer")


@pytest.mark.corpus
def test_that_every_sample_is_read_with_dates_as_recorded(corpus: Path) -> None:
    counts = {}
    for path in sorted((corpus / "plans" / "xer").glob("*.xer")):
        plan = xer.load(path).check()
        leaves = [task for task in plan.tasks if not plan.is_summary(task.id)]
        assert all(task.recorded for task in leaves), path
        counts[path.name] = len(leaves)
    assert counts
    assert counts.get("percent-complete-8.4.xer", 12) == 12


def test_that_notebooks_are_read_as_notes_without_their_marks(read) -> None:
    page = "<HTML><HEAD><TITLE>x</TITLE></HEAD><BODY><P>By <B>crane</B> &amp; rope</P>\x7f\x7f<p>ask  Ann</p></BODY>"
    memos = (
        {"memo_id": 1, "task_id": 1001, "memo_type_id": 5, "task_memo": page},
        {"memo_id": 2, "task_id": 1002, "memo_type_id": 5, "task_memo": "wide < 3 m"},
        {"memo_id": 3, "task_id": 1002, "memo_type_id": 6, "task_memo": "<p>permit</p>"},
    )
    kinds = ({"memo_type_id": 5, "memo_type": "Method"}, {"memo_type_id": 6, "memo_type": "Papers"})
    plan = read(table("MEMOTYPE", *kinds), table("TASKMEMO", *memos))
    assert [task.notes for task in plan.tasks if not plan.is_summary(task.id)] == [
        "By crane & rope\nask Ann",
        "Method:\nwide < 3 m\n\nPapers:\npermit",
    ]
