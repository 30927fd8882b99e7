"""The verb `optimize`, as a person calls it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.formats import loom
from engine.headless.cli import main
from engine.model import (
    DAY,
    Assignment,
    Calendar,
    Clock,
    ConstraintKind,
    Dependency,
    Plan,
    PlanSettings,
    Resource,
    ResourceKind,
    Task,
)
from tests.engine.model.strategies import HOUR, MONDAY
from tests.engine.process.test_solver import FT06


def asked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, object], str]:
    code = main(["optimize", *map(str, words), "--json"])
    out, err = capsys.readouterr()
    assert err or code == 0, "what ran and failed says why"
    return code, json.loads(out) if out else {}, err


def written(folder: Path) -> Path:
    path = folder / "ft06.txt"
    path.write_text(FT06, encoding="ascii")
    return path


def test_that_a_small_shop_is_proved_best_and_its_plan_keeps_every_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document, _ = asked(capsys, written(tmp_path), "--seconds", 300, "--cores", 2)
    assert code == 0
    assert (document["objective"], document["bound"], document["optimal"], document["checked"]) == (55, 55, True, True)
    rows = document["schedule"]
    assert isinstance(rows, list)
    assert max(row["finish"] for row in rows) == 55
    for one in rows:
        for other in rows:
            if one["job"] == other["job"] and one["operation"] < other["operation"]:
                assert one["finish"] <= other["start"]
            if one is not other and one["resource"] == other["resource"]:
                assert one["finish"] <= other["start"] or other["finish"] <= one["start"]
    numbers = [list(map(int, line.split())) for line in FT06.splitlines()[1:]]
    for row in rows:
        machine, ticks = numbers[row["job"] - 1][2 * row["operation"] - 2 :][:2]
        assert (row["resource"], row["finish"] - row["start"]) == (f"Machine {machine}", ticks)


def test_that_where_nothing_is_due_the_finish_is_what_is_told_and_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--objective", "tardiness,makespan", "--seconds", 300, "--cores", 2)
    code, document, _ = asked(capsys, written(tmp_path), *words)
    assert (code, document["objective"], document["bound"], document["optimal"]) == (0, 55, 55, True)


def test_that_incumbents_get_better(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, document, _ = asked(capsys, written(tmp_path), "--slices", 10, "--seed", 3)
    incumbents = document["incumbents"]
    assert isinstance(incumbents, list)
    values = [each["objective"] for each in incumbents]
    assert values == sorted(values, reverse=True)
    assert document["objective"] == values[-1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--objective", "speed"), "There is no objective “speed”"),
        (("--device", "simulated"), "use --device auto, cpu or cuda"),
    ],
)
def test_that_what_cannot_be_asked_is_bad_input(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document, err = asked(capsys, written(tmp_path), *words)
    assert (code, document) == (2, {})
    assert said in err


def test_that_a_plan_of_days_has_dates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.csv"
    plan.write_text("Name,Duration\nDesign,3d\n", encoding="utf-8")
    code, document, err = asked(capsys, plan, "--slices", 2)
    assert code == 0, err
    assert document["checked"] is True
    rows = document["schedule"]
    assert isinstance(rows, list)
    assert rows[0]["finish"] > rows[0]["start"] > "2"


def two_on_a_saw(**changes: object) -> Plan:
    """Two tasks of four hours on one machine, both of Monday morning."""
    plan = Plan(
        "Saw",
        Clock.CALENDAR,
        MONDAY,
        (Task(1, "Cut", 4 * HOUR), Task(2, "Trim", 4 * HOUR)),
        calendar=Calendar.standard(),
        resources=(Resource(1, "Saw", ResourceKind.MACHINE),),
        assignments=(Assignment(1, 1), Assignment(2, 1)),
        next_task_id=3,
    )
    return replace(plan, **changes).check()  # type: ignore[arg-type]


def saved(path: Path, plan: Plan) -> Path:
    loom.save(path, plan)
    return path


@pytest.mark.parametrize("name", ["better.loom", "better.xml"])
def test_that_the_plan_that_was_found_is_written_and_dated_so(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = saved(tmp_path / "plan.loom", two_on_a_saw()), tmp_path / name
    code, document, err = asked(capsys, source, "--slices", 3, "--output", target)
    assert code == 0
    assert "other dates" not in err
    dates = {each["uid"]: (each["start"], each["finish"]) for each in document["schedule"]}  # type: ignore[attr-defined]
    assert main(["schedule", str(target), "--json"]) == 0
    after = json.loads(capsys.readouterr().out)["tasks"]
    assert {each["uid"]: (each["start"], each["finish"]) for each in after} == dates
    assert len(set(dates.values())) == 2
    assert loom.load(source) == two_on_a_saw()


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        (
            "makespan",
            "finish 2025-03-03T17:00:00, proved best, bound finish 2025-03-03T17:00:00; 1 task would be moved",
        ),
        ("tardiness,makespan", "finish 2025-03-03T17:00:00, proved best"),
        ("stability", "stability 5 h by the clock, the best found"),
        ("cost", "cost 0.00, proved best, bound cost 0.00"),
    ],
)
def test_that_what_a_plan_is_worth_is_said_in_dates_time_and_money(
    objective: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path / "plan.loom", two_on_a_saw())
    assert main(["optimize", str(path), "--slices", "3", "--objective", objective]) == 0
    out = capsys.readouterr().out
    assert out.startswith(said)
    assert "done 4 h later than now" in out


def test_that_where_a_plan_cannot_be_written_is_said_before_anything_is_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = saved(tmp_path / "plan.loom", two_on_a_saw())
    assert "is the file that is read" in asked(capsys, source, "--seconds", 900, "--output", source)[2]
    assert asked(capsys, source, "--seconds", 900, "--output", tmp_path / "plan.what")[0] == 2


def test_that_a_plan_that_cannot_be_is_answered_in_a_sentence_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pinned = {"constraint": ConstraintKind.MUST_FINISH_ON, "constraint_at": MONDAY + HOUR}
    tasks = (Task(1, "Cut", 4 * HOUR), Task(2, "Trim", 4 * HOUR, **pinned))
    source = saved(tmp_path / "plan.loom", two_on_a_saw(tasks=tasks, dependencies=(Dependency(1, 2),)))
    target = tmp_path / "better.loom"
    code, document, err = asked(capsys, source, "--slices", 3, "--output", target)
    assert (code, document["checked"], document["objective"]) == (1, False, None)
    assert "No plan was found that breaks no rule; the best one breaks them for 3 d by the clock." in err
    assert "“Trim” must finish on" in err
    assert not target.exists()


def test_that_what_needs_more_than_there_is_is_said_and_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = two_on_a_saw(assignments=(Assignment(1, 1, 2.0), Assignment(2, 1)))
    code, document, err = asked(capsys, saved(tmp_path / "plan.loom", plan), "--slices", 3)
    assert (code, document["checked"]) == (0, True)
    assert "“Cut” needs more of a resource than there ever is" in err
    assert "overloaded" not in err


@pytest.mark.parametrize("is_pinned", [True, False])
def test_that_an_overload_by_what_stays_is_said_and_names_the_resource(
    is_pinned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pinned = {"constraint": ConstraintKind.MUST_START_ON, "constraint_at": MONDAY} if is_pinned else {}
    settings = PlanSettings() if is_pinned else PlanSettings(frozen_until=MONDAY + 400 * DAY)
    plan = two_on_a_saw(tasks=tuple(Task(each, "Cut", 4 * HOUR, **pinned) for each in (1, 2)), settings=settings)
    code, document, err = asked(capsys, saved(tmp_path / "plan.loom", plan), "--slices", 3)
    assert (code, document["checked"]) == (0, True)
    assert err == "“Saw” is overloaded by what stays where it is: no plan can change that.\n"
    assert document["notes"] == [err.strip()]


@pytest.mark.parametrize(
    "tasks",
    [
        tuple(Task(each, "Nothing", is_milestone=True) for each in (1, 2)),
        tuple(Task(each, "Years", 10 * 2080 * HOUR) for each in (1, 2)),
        (
            Task(1, "Past", HOUR, constraint=ConstraintKind.MUST_START_ON, constraint_at=MONDAY - 99 * DAY),
            Task(2, "Now"),
        ),
    ],
)
def test_that_lengths_of_nothing_and_of_years_and_dates_gone_by_have_a_plan(
    tasks: tuple[Task, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path / "plan.loom", two_on_a_saw(tasks=tasks))
    code, document, err = asked(capsys, path, "--slices", 3)
    assert (code, document["checked"], err) == (0, True, "")


def test_that_a_plan_without_tasks_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document, err = asked(capsys, saved(tmp_path / "plan.loom", two_on_a_saw(tasks=(), assignments=())))
    assert (code, document) == (2, {})
    assert err.startswith("There is nothing to optimize")
