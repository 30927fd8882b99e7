"""Tests of tables as text: what is sniffed, what is read of it, what is written, and every way to be wrong."""

from __future__ import annotations

import csv as standard
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import csv, loom, xlsx
from engine.formats.table import Column, DateOrder, Field
from engine.model import Calendar, Clock, ConstraintKind, Dependency, Lag, Plan, Spread, SpreadKind, Task, TaskRisk
from engine.schedule.cpm import schedule
from tests.engine.formats.tables import DAY, HOUR, at, essence, rich
from tests.engine.model.strategies import office, pipeline


@pytest.fixture
def write(tmp_path: Path):
    def to_file(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "plan.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return to_file


def refusal(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        csv.load(path)
    assert caught.value.path == str(path)
    assert str(path) in caught.value.sentence
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def notes(plan: Plan) -> list[str]:
    return [text for name, text in plan.fields if name == "note"]


def names(plan: Plan) -> list[tuple[str, int]]:
    return [(task.name, plan.depth(task.id)) for task in plan.tasks]


SAMPLES = Path(__file__).resolve().parents[3] / "resources" / "samples"
GERMAN = """Nr.;Vorgangsname;Anfang;Ende;Dauer;Vorgänger
1;Entwürfe prüfen;03.03.2025;05.03.2025;3 Tage;
2;Bauen;;;1,5 Tage;1EA+1 Tag
"""
TWO_TABLES = """ID,Name,Begin date,End date,Duration,Predecessors
0,A,03.03.25,04.03.25,2,
1,B,05.03.25,05.03.25,1,0-FS=P0D


ID,Name,Default role
0,Anna,x
"""
CONSTRAINTS = """Name;Einschränkungsart;Einschränkungstermin
A;Anfang nicht früher als;05.03.2025
B;Muss enden am;07.03.2025
"""
SLASHES = "Name,Start,Finish\nA,{0},{1}\nB,{0},{1}\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_that_german_headers_semicolons_and_commas_are_understood(write, encoding: str) -> None:
    path = write(GERMAN, encoding)
    guess = csv.sniff_table(path)
    assert csv.sniff(path)
    assert (guess.delimiter, guess.encoding) == (";", encoding)
    assert [column.field for column in guess.columns] == [
        *(Field.ID, Field.NAME, Field.START, Field.FINISH, Field.DURATION, Field.PREDECESSORS)
    ]
    plan = csv.load(path)
    assert [(task.name, task.duration) for task in plan.tasks] == [("Entwürfe prüfen", 3 * DAY), ("Bauen", 12 * HOUR)]
    assert [(link.predecessor, link.successor, link.lag.amount) for link in plan.dependencies] == [(1, 2, DAY)]
    assert plan.start == at("2025-03-03 08:00")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_that_the_delimiter_is_the_one_under_which_headers_are_known(write, delimiter: str) -> None:
    path = write(
        delimiter.join(("Name", "Start", "Notes")) + "\n" + delimiter.join(("A", "2025-03-03", '"a, b; c"')) + "\n"
    )
    assert csv.sniff_table(path).delimiter == delimiter
    assert csv.load(path).tasks[0].fields == (("Notes", "a, b; c"),)


def test_that_title_rows_and_excels_hint_above_the_headers_are_passed_over(write) -> None:
    path = write("sep=;\nHouse, version 3;;\n\nName;Start;Duration\nA;2025-03-03;2d\n")
    guess = csv.sniff_table(path)
    assert (guess.header_row, guess.delimiter, guess.preview) == (4, ";", (("A", "2025-03-03", "2d"),))
    assert names(csv.load(path)) == [("A", 0)]


def test_that_dates_over_12_decide_the_order_of_all(write) -> None:
    days = csv.load(write(SLASHES.format("03/04/2025", "13/04/2025")))
    months = csv.load(write(SLASHES.format("03/04/2025", "04/13/2025")))
    assert days.start == at("2025-04-03 08:00")
    assert months.start == at("2025-03-04 08:00")


def test_that_dates_that_could_mean_two_days_are_noted_and_can_be_changed(write) -> None:
    path = write(SLASHES.format("03/04/2025", "05/04/2025"))
    guess = csv.sniff_table(path)
    assert (guess.date_order, guess.is_date_order_sure) == (DateOrder.MONTH_FIRST, False)
    assert guess.notes == ("Dates such as 03/04/2025 could mean two days; they were read as M/D/Y.",)
    assert notes(csv.load(path)) == list(guess.notes)
    plan = csv.load_table(path, replace(guess, date_order=DateOrder.DAY_FIRST))
    assert plan.start == at("2025-04-03 08:00")


def test_that_of_two_orders_the_one_is_chosen_in_which_tasks_end_after_they_begin(write) -> None:
    assert csv.sniff_table(write(SLASHES.format("10/01/2025", "03/02/2025"))).date_order is DateOrder.DAY_FIRST


def test_that_columns_can_be_read_as_a_person_says(write) -> None:
    path = write("Name,Chef,Start\nA,Anna,2025-03-03\n")
    guess = csv.sniff_table(path)
    assert guess.columns[1] == Column("Chef", None)
    changed = replace(guess, columns=(guess.columns[0], Column("Chef", Field.RESOURCES), guess.columns[2]))
    assert [resource.name for resource in csv.load_table(path, changed).resources] == ["Anna"]


def test_that_a_day_is_meant_whole_and_a_time_is_that_instant(write) -> None:
    """A task from midnight to the next midnight is one day long, not two."""
    plan = csv.load(write("Name,Start,Finish\nA,2025-03-03,2025-03-04\nB,2025-03-03 00:00,2025-03-04 00:00\n"))
    assert [task.duration for task in plan.tasks] == [2 * DAY, DAY]
    first = plan.tasks[0].recorded
    assert first is not None
    assert (first.start, first.finish) == (at("2025-03-03 08:00"), at("2025-03-04 17:00"))


def test_that_hours_stay_hours(write) -> None:
    plan = csv.load(write("Name,Start,Duration\nA,2025-03-03 10:00,2 hours\nB,2025-03-03,\n"))
    assert plan.tasks[0].duration == 2 * HOUR


def test_that_a_task_on_a_weekend_keeps_its_length(write) -> None:
    plan = csv.load(write("Name,Start,Finish\nA,2025-03-03,2025-03-03\nB,2025-03-08,2025-03-09\n"))
    weekend = plan.tasks[1]
    assert weekend.is_elapsed
    assert weekend.duration == 33 * HOUR


def test_that_a_milestone_is_over_when_it_starts(write) -> None:
    plan = csv.load(write("Name,Start,Finish,Duration\nA,2025-03-03,2025-03-07,5d\nM,2025-03-08,2025-03-07,0\n"))
    milestone = plan.tasks[1]
    assert (milestone.is_milestone, milestone.duration) == (True, 0)
    assert milestone.recorded.start == milestone.recorded.finish


def test_that_no_duration_means_a_milestone_unless_the_table_says_otherwise(write) -> None:
    plan = csv.load(write("Name,Duration,Milestone\nA,0d,\nB,0d,No\nC,2d,Yes\n"))
    assert [(task.is_milestone, task.duration) for task in plan.tasks] == [(True, 0), (False, 0), (True, 2 * DAY)]


def test_that_a_start_without_predecessors_is_a_pin_and_one_with_them_is_not(write) -> None:
    plan = csv.load(
        write("ID,Name,Start,Duration,Predecessors\n1,A,2025-03-03,1d,\n2,B,2025-03-10,1d,\n3,C,2025-03-20,1d,2\n")
    )
    assert [task.constraint.value for task in plan.tasks] == ["asap", "snet", "asap"]
    assert plan.tasks[1].constraint_at == at("2025-03-10 08:00")


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("Outline level,Name\n1,A\n2,B\n3,C\n2,D\n1,E\n", [("A", 0), ("B", 1), ("C", 2), ("D", 1), ("E", 0)]),
        ("WBS,Name\n1,A\n1.1,B\n1.1.1,C\n1.3,D\n2,E\n", [("A", 0), ("B", 1), ("C", 2), ("D", 1), ("E", 0)]),
        ("Name,Duration\nA,\n  B,1d\n    C,1d\n  D,1d\nE,1d\n", [("A", 0), ("B", 1), ("C", 2), ("D", 1), ("E", 0)]),
    ],
)
def test_that_the_outline_comes_from_levels_codes_or_indents(
    write, table: str, expected: list[tuple[str, int]]
) -> None:
    assert names(csv.load(write(table))) == expected


def test_that_the_second_table_of_an_export_is_no_task(write) -> None:
    plan = csv.load(write(TWO_TABLES))
    assert names(plan) == [("A", 0), ("B", 0)]
    assert len(plan.dependencies) == 1


def test_that_resources_may_have_units(write) -> None:
    plan = csv.load(write('Name,Resources\nA,"Anna;Kran[50%]"\nB,"Anna, Ben[2]"\n'))
    by_id = {resource.id: resource.name for resource in plan.resources}
    assert [(a.task, by_id[a.resource], a.units) for a in plan.assignments] == [
        (1, "Anna", 1),
        (1, "Kran", 0.5),
        (2, "Anna", 1),
        (2, "Ben", 2),
    ]


def test_that_no_reader_falls_back_to_today_by_itself(write) -> None:
    plan = csv.load(write("Name,Start,Duration\nA,,2d\nB,NA,1d\n"))
    assert plan.start == at("2001-01-01 08:00")
    assert notes(plan) == [
        "The table has no dates: the plan starts on Mon 1 Jan 2001 08:00, until you say otherwise.",
        "Row 2, column “Start”: empty, so “A” starts when the plan does.",
        "Row 3, column “Start”: empty, so “B” starts when the plan does.",
    ]


def test_that_a_table_with_deadlines_alone_says_when_the_plan_starts(write) -> None:
    plan = csv.load(write("Name,Deadline\nA,2025-03-07\n"))
    assert plan.start == at("2001-01-01 08:00")
    assert notes(plan)[0] == "The table has no dates: the plan starts on Mon 1 Jan 2001 08:00, until you say otherwise."


def test_that_an_empty_start_beside_others_is_noted_with_its_row(write) -> None:
    plan = csv.load(write("Name;Anfang;Dauer\nA;03.03.2025;2d\nB;;1d\n"))
    assert notes(plan) == ["Row 3, column “Anfang”: empty, so “B” starts when the plan does."]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "The file is empty."),
        ("Dear planner,\nthis is a letter.\n", "No row has a column for the names of tasks"),
        ("Start,Finish\n2025-03-03,2025-03-04\n", "No row has a column for the names of tasks"),
        ("Name,Start\nA,2025-03-03\nB,soon\n", "Row 3, column “Start”: “soon” is not a date (read as Y/M/D)."),
        ("Name;Anfang\nA;31.02.2025\n", "Row 2, column “Anfang”: “31.02.2025” is not a date (read as D/M/Y)."),
        ("Name,Start,Finish\nA,2025-03-05,2025-03-04\n", "Row 2, column “Finish”: “2025-03-04” is before the start"),
        ("Name,Duration\nA,long\n", "Row 2, column “Duration”: “long” is not a length of time."),
        ("ID,Name\n1,A\n1,B\n", "Row 3, column “ID”: “1” is the id of row 2 too."),
        ("Name,% complete\nA,140%\n", "Row 2, column “% complete”: “140%” is not a percentage from 0 to 100."),
        ("Name,Outline level\nA,deep\n", "Row 2, column “Outline level”: “deep” is not a number."),
        (f"Name,Outline level\nA,{'9' * 400}\n", "9” is not a number."),
        ("Name,Outline level\nA,inf\n", "“inf” is not a number."),
        ("Name,Constraint type\nA,whenever\n", "Row 2, column “Constraint type”: “whenever” is no kind of constraint."),
        ("Name,Constraint type,Constraint date\nA,SNET,\n", "Row 2, column “Constraint date”: empty, but"),
        ('Name,Start\n"A,2025-03-03\nB,2025-03-03\n', "Row 2 cannot be read: a quote is opened there and not closed."),
        ("Name,Start\nA," + "x" * 100_000, "Row 2 cannot be read: field larger than field limit"),
        ("Name,Start\n" + "," * 2_000, "Row 2 has more than 1,000 columns."),
        ("Name,Start\n" + "a\n" * 260_000, "The table has more than 250,000 rows."),
        ("Name,Start\n" + ("," * 900 + "\n") * 3_000, "The table has more than 2,000,000 cells."),
        ("\0" * 5_000, "The file is no text."),
        ("Name,Start\nA\0B,2025-03-03\n", "The file is no text."),
        ("Outline level,Name\n" + "".join(f"{n},deep\n" for n in range(1, 80)), "lies in more than 64 summaries."),
    ],
)
def test_that_what_cannot_be_read_is_named_with_row_and_column(write, text: str, why: str) -> None:
    assert why in refusal(write(text))


def test_that_what_a_table_has_a_column_for_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    plan = rich()
    assert csv.save(path, plan) == ()
    assert essence(csv.load(path)) == essence(plan)


def test_that_saving_what_was_loaded_writes_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "plan.csv", tmp_path / "again.csv"
    csv.save(first, rich())
    csv.save(second, csv.load(first))
    assert second.read_bytes() == first.read_bytes()


def test_that_start_and_finish_are_the_scheduled_dates(tmp_path: Path) -> None:
    path, plan = tmp_path / "plan.csv", office()
    csv.save(path, plan)
    dates = schedule(plan)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(standard.DictReader(file))
    epoch = datetime(1970, 1, 1)
    for task, row in zip(plan.tasks, rows, strict=True):
        assert row["Start"] == (epoch + timedelta(seconds=dates.start_of(task.id))).strftime("%Y-%m-%d %H:%M")
        assert row["Finish"] == (epoch + timedelta(seconds=dates.finish_of(task.id))).strftime("%Y-%m-%d %H:%M")


def test_that_no_cell_can_be_taken_for_a_formula_and_no_file_for_sylk(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    plan = office()
    dangers = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "'=1")
    tasks = tuple(replace(task, name=danger) for task, danger in zip(plan.tasks, dangers, strict=False))
    csv.save(path, replace(plan, tasks=tasks))
    text = path.read_text(encoding="utf-8-sig")
    assert not text.upper().startswith("ID")
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in standard.reader(file) for cell in row]
    assert [
        cell for cell in cells if cell.lstrip(" '").startswith(("=", "+", "-", "@", "\t", "\r")) and cell[0] != "'"
    ] == []
    assert [task.name.strip() for task in csv.load(path).tasks] == [task.name.strip() for task in tasks]


def test_that_what_a_table_cannot_hold_is_said(tmp_path: Path) -> None:
    plan = office()
    calendar = replace(plan.calendar, week=plan.calendar.week[:4] + ((),) * 3)
    tasks = tuple(replace(task, fields=(("mspdi:raw", "<a/>"),)) for task in plan.tasks)
    losses = csv.save(tmp_path / "plan.csv", replace(plan, calendar=calendar, tasks=tasks))
    assert losses == (
        "Working times: 1 calendar is left out; read back, the plan has the standard week.",
        "Fields: 1 kind of text of tasks is left out.",
    )


def test_that_a_plan_that_counts_other_days_is_written_in_hours(tmp_path: Path) -> None:
    plan = office()
    plan = replace(plan, settings=replace(plan.settings, hours_per_day=6.0))
    csv.save(tmp_path / "plan.csv", plan)
    assert [task.duration for task in csv.load(tmp_path / "plan.csv").tasks] == [task.duration for task in plan.tasks]


def test_that_dates_outside_all_years_are_left_out_and_said(tmp_path: Path) -> None:
    plan = office()
    plan = plan.with_task(replace(plan.task(5), deadline=1 << 48))
    assert csv.save(tmp_path / "plan.csv", plan) == ("Dates: 1 lies outside the years 1 to 9999 and is left out.",)
    assert csv.load(tmp_path / "plan.csv").task(5).deadline is None


def test_that_a_sentence_stays_one_line_however_long_the_cell(write) -> None:
    sentence = refusal(write('Name,Start\nA,"' + "soon\n" * 2_000 + '"\n'))
    assert len(sentence) < 1_000


def test_that_a_device_plan_is_refused_and_the_file_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_text("old")
    with pytest.raises(FormatError, match="was not written"):
        csv.save(path, pipeline())
    assert path.read_text() == "old"


def test_that_tabs_stand_between_the_cells_of_a_tsv(tmp_path: Path) -> None:
    path = tmp_path / "plan.tsv"
    csv.save(path, rich())
    assert path.read_text(encoding="utf-8-sig").startswith("Task ID\tUnique ID\t")
    assert essence(csv.load(path)) == essence(rich())


def test_that_constraints_have_names_in_many_languages(write) -> None:
    first, second = csv.load(write(CONSTRAINTS)).tasks
    assert (first.constraint, first.constraint_at) == (ConstraintKind.START_NO_EARLIER_THAN, at("2025-03-05 08:00"))
    assert (second.constraint, second.constraint_at) == (ConstraintKind.MUST_FINISH_ON, at("2025-03-07 17:00"))


@pytest.mark.corpus
def test_that_every_sample_is_read(corpus: Path, tmp_path: Path) -> None:
    paths = [*(corpus / "plans" / "csv").glob("*.csv"), *(corpus / "plans" / "synthetic").glob("*.csv")]
    assert paths
    for path in paths:
        assert csv.sniff(path), path
        plan = csv.load(path)
        assert plan.tasks
        csv.save(tmp_path / path.name, plan)
        assert essence(csv.load(tmp_path / path.name)) == essence(plan), path


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("1,A,9", "Row 2, column “Predecessors”: there is no task “9” in the table, by id or by name."),
        ("1,A,\n2,B,1FS+3q", "Row 3, column “Predecessors”: “1FS+3q” cannot be read; write 2FS+3d, for example."),
        ("1,A,1", "Row 2, column “Predecessors”: “A” cannot wait for itself."),
        ("1,A,\n2,A,\n3,B,A", "Row 4, column “Predecessors”: several tasks are called “A”."),
        (
            "1,A,1 " + " " * 60_000 + "!",
            "Row 2, column “Predecessors”: there is no task “1 !” in the table, by id or by",
        ),
    ],
)
def test_that_a_link_that_cannot_be_is_left_out_and_said_with_its_row(write, text: str, note: str) -> None:
    plan = csv.load(write(f"ID,Name,Predecessors\n{text}\n"))
    (said,) = [text for name, text in plan.fields if name == "note" and "column “Predecessors”" in text]
    assert said.startswith(note)
    assert said.endswith("The link is left out.")
    assert plan.dependencies == ()


def test_that_a_summary_and_its_own_child_are_not_linked_and_the_rest_is(write) -> None:
    plan = csv.load(write("ID,Level,Name,Predecessors\n1,1,S,\n2,2,A,1\n3,2,B,2\n"))
    assert [(link.predecessor, link.successor) for link in plan.dependencies] == [(2, 3)]
    assert any("Row 3" in text and "one lies inside the other" in text for _, text in plan.fields)


def test_that_predecessors_can_be_given_by_name(write) -> None:
    table = "Task,Start,Finish,Predecessors\nA,2026-06-01,2026-06-03,\nPhase II,,,A\nC,,,Phase II; A FS+1d\n"
    plan = csv.load(write(table))
    assert [(link.predecessor, link.successor, link.lag.amount) for link in plan.dependencies] == [
        (1, 2, 0),
        (2, 3, 0),
        (1, 3, DAY),
    ]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_that_a_lead_before_the_plans_start_moves_nothing_on_the_way_back(tmp_path: Path, suffix: str) -> None:
    tasks = (Task(1, "A", 8 * 3600), Task(2, "N", 8 * 3600))
    monday = 20_605 * 86_400 + 8 * 3600
    links = (Dependency(1, 2, lag=Lag(-10 * DAY)),)
    calendar = Calendar.standard()
    plan = Plan("Lead", Clock.CALENDAR, monday, tasks, links, calendar, next_task_id=3)
    known = xlsx if suffix == ".xlsx" else csv
    for _ in range(3):
        path = tmp_path / f"lead{suffix}"
        known.save(path, plan)
        again = known.load(path)
        assert [schedule(again).start_of(task) for task in (1, 2)] == [schedule(plan).start_of(task) for task in (1, 2)]
        plan = again


@pytest.mark.parametrize("module", [csv, xlsx])
def test_that_a_shop_floor_is_kept_in_columns_that_other_plans_do_not_have(module, tmp_path: Path) -> None:
    path = tmp_path / f"shop.{'csv' if module is csv else 'xlsx'}"
    plan = loom.load(SAMPLES / "assembly-line.loom")
    assert plan.alternatives
    losses = module.save(path, plan)
    back = module.load(path)
    assert [(task.name, task.family, task.skill) for task in back.tasks] == [
        (task.name, task.family, task.skill) for task in plan.tasks
    ]
    assert essence(back)["alternatives"] == essence(plan)["alternatives"]
    assert not [each for each in losses if "Families" in each or "Other machines" in each]
    module.save(path, office())
    said = {column.header for column in module.sniff_table(path).columns}
    assert not said & {"Family", "Skill", "Alternatives"}


def test_that_an_alternative_that_cannot_be_read_is_left_out_and_named(write) -> None:
    text = "Name,Duration,Family,Alternatives\nTurn,3h,red,Lathe 2 (2h); Lathe 3 (a while); Mill (2ed)\n"
    plan = csv.load(write(text))
    assert [(plan.resources[each.resource - 1].name, each.duration) for each in plan.alternatives] == [
        ("Lathe 2", 2 * HOUR)
    ]
    assert plan.tasks[0].family == "red"
    assert notes(plan)[1:] == [
        "Row 2, column “Alternatives”: “Lathe 3 (a while)” is not as Lathe 2 (3h) and is left out.",
        "Row 2, column “Alternatives”: “Mill (2ed)” is not as Lathe 2 (3h) and is left out.",
    ]


@pytest.mark.parametrize("module", [csv, xlsx])
def test_that_ranges_and_chances_are_kept_in_columns_that_certain_plans_do_not_have(module, tmp_path: Path) -> None:
    path = tmp_path / f"risk.{'csv' if module is csv else 'xlsx'}"
    plan = loom.load(SAMPLES / "software-release.loom")
    risks = [(task.name, task.risk and (task.risk.spread, task.risk.chance)) for task in plan.tasks]
    assert any(risk for _, risk in risks)
    losses = module.save(path, plan)
    back = module.load(path)
    found = [(task.name, task.risk and (task.risk.spread, task.risk.chance)) for task in back.tasks]
    assert found == [(name, None if risk == (None, 1.0) else risk) for name, risk in risks]
    assert "Risk drivers, risk events and ranges of families are left out." in losses
    follow = sum(bool(task.risk and task.risk.loadings) for task in plan.tasks)
    assert f"What is not certain is left out: of {follow} rows." in losses
    module.save(path, office())
    assert not {column.header for column in module.sniff_table(path).columns} & {"Range", "Chance"}


def test_that_three_columns_of_numbers_are_a_range_and_what_is_none_is_named(write) -> None:
    text = (
        "Name,Duration,Optimistic,Most likely,Pessimistic,Probability,Outline level\n"
        "All,,,,9d,,1\nA,5d,4d,5d,8d,50%,2\nB,5d,80%,,150%,,2\nC,5d,6d,5d,8d,often,2\nD,5d,4d,,150%,,2\n"
    )
    plan = csv.load(write(text))
    half = Spread(SpreadKind.TRIANGULAR, 4 * DAY, 5 * DAY, 8 * DAY, is_percent=False)
    assert [task.risk for task in plan.tasks] == [
        None,
        TaskRisk(half, 0.5),
        TaskRisk(Spread(SpreadKind.TRIANGULAR, 80, 100, 150)),
        None,
        None,
    ]
    often = "“often” is no chance: write a number from 0 to 100 %, or nothing where it is certain."
    assert notes(plan)[1:] == [
        "Row 2, column “Pessimistic”: a summary has no range of its own; it is left out.",
        "Row 5, column “Optimistic”: “6d, 5d, 8d” has a most likely length outside its range. It is left out.",
        f"Row 5, column “Probability”: {often} It is left out.",
        "Row 6, column “Optimistic”: “4d, 150%” has percent and lengths of time in it. It is left out.",
    ]


def test_that_numbers_of_a_range_have_the_unit_of_their_header_or_that_of_durations(write) -> None:
    text = "Name,Duration (h),Optimistic (%),Range\nA,16,80,\nB,16,,8..16..24\n"
    low, likely, high = 8 * HOUR, 16 * HOUR, 24 * HOUR
    plan = csv.load(write(text))
    assert [task.risk for task in plan.tasks] == [
        TaskRisk(Spread(SpreadKind.TRIANGULAR, 80, 100, 100)),
        TaskRisk(Spread(SpreadKind.TRIANGULAR, low, likely, high, is_percent=False)),
    ]
