"""The verb risk: its document, and what it refuses."""

import json
import re
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from engine.formats import loom
from engine.headless import main
from engine.model import Plan, Progress, SpreadKind, Task, TaskRisk
from tests.engine.model.strategies import HOUR, MONDAY, office
from tests.engine.program.plans import copy_in, device_plan, seeded
from tests.engine.risk.plans import spread
from tests.engine.session.test_experience import plan_of


def saved(folder: Path, plan: Plan) -> str:
    path = folder / "plan.loom"
    loom.save(path, plan)
    return str(path)


def uncertain() -> Plan:
    plan = office()
    risk = TaskRisk(spread(SpreadKind.PERT, 80, 100, 150))
    tasks = [replace(plan.task(number), risk=risk) for number in (2, 3)]
    return plan.with_tasks([*tasks, replace(plan.task(4), deadline=MONDAY + 58 * HOUR)])


def test_that_the_document_says_how_sure_each_date_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["risk", saved(tmp_path, uncertain()), "--samples", "1000", "--seed", "7", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["samples"], found["seed"]) == (1000, 7)
    assert found["finish"]["p10"] <= found["finish"]["p50"] <= found["finish"]["p80"] <= found["finish"]["p90"]
    assert found["finish"]["p80_low"] <= found["finish"]["p80"] <= found["finish"]["p80_high"]
    assert set(found["finish"]) >= {"p10", "p50", "p80", "p90", "mean"}
    assert [each["uid"] for each in found["deadlines"]] == [4]
    assert 0 < found["deadlines"][0]["chance"] < 1
    assert [(each["uid"], each["criticality"]) for each in found["tasks"]] == [(1, 1), (2, 1), (3, 1), (4, 1), (5, 0)]
    assert all({"cruciality", "p80_finish"} <= each.keys() for each in found["tasks"])


def test_that_without_json_a_person_reads_a_few_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["risk", saved(tmp_path, uncertain()), "--samples", "64"]) == 0
    out = capsys.readouterr().out
    assert "P80  2025-03-" in out
    assert "done as planned with a chance of" in out


def test_that_dates_of_a_device_plan_have_a_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = device_plan([("load", copy_in("x"), 0)], [], [seeded("x", (4096,))], streams=1)
    plan = plan.with_tasks([replace(plan.tasks[0], risk=TaskRisk(spread(SpreadKind.UNIFORM, 100, 100, 300)))])
    path = saved(tmp_path, plan)
    assert main(["risk", path, "--samples", "640"]) == 0
    lines = capsys.readouterr().out.splitlines()
    number = r"[0-9]+(\.[0-9]+)? (ns|µs|ms)"
    assert re.fullmatch(rf"planned finish {number}; of 640 samples, seed 0:", lines[0])
    assert all(re.fullmatch(rf"P\d0  {number}  \(95 %: {number} to {number}\)", line) for line in lines[1:5])
    assert main(["risk", path, "--samples", "640", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["clock"] == "device"
    assert found["finish"]["p10"] < found["finish"]["p90"] <= 3 * found["planned_finish"]
    assert main(["schedule", path]) == 0
    assert re.match(rf" +0 ns +{number} \* load", capsys.readouterr().out)


def test_that_a_plan_without_ranges_is_said_to_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["risk", saved(tmp_path, office()), "--samples", "64"]) == 0
    assert "give tasks ranges" in capsys.readouterr().err
    assert main(["risk", saved(tmp_path, uncertain()), "--samples", "64"]) == 0
    assert capsys.readouterr().err == ""


def test_that_a_device_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["risk", saved(tmp_path, uncertain()), "--device", "cuda"]) == 2
    assert "no NVIDIA driver" in capsys.readouterr().err
    assert main(["risk", saved(tmp_path, uncertain()), "--device", "abacus"]) == 2
    assert "Nothing is searched or sampled on “abacus”; use --device auto, cpu or cuda." in capsys.readouterr().err


def test_that_the_software_release_comes_with_what_is_not_certain_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    with resources.as_file(resources.files("resources.samples") / "software-release.loom") as path:
        assert main(["risk", str(path), "--samples", "2000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["kind"] for each in found["swings"]} == {"task", "event"}
    assert [each["name"] for each in found["drivers"]] == ["How well the new drawing library suits"]
    assert 0.6 < found["deadlines"][0]["chance"] < 0.85
    assert len({each["criticality"] for each in found["tasks"]}) > 3


def median(path: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main(["risk", path, "--samples", "500", "--json", *more]) == 0
    found: str = json.loads(capsys.readouterr().out)["finish"]["p50"]
    return found


def test_that_ranges_come_from_a_column_of_a_table_and_from_an_earlier_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, table = saved(tmp_path, office()), tmp_path / "taken.csv"
    table.write_text("Task,Taken\na,150\nb,150\n", encoding="utf-8")
    earlier = tmp_path / "earlier.loom"
    done = Progress(100, MONDAY, MONDAY + 4 * HOUR)
    loom.save(earlier, plan_of(*(Task(n, f"t{n}", 2 * HOUR, progress=done) for n in range(1, 6))))
    assert median(path, capsys, "--experience", str(earlier)) == "2025-03-10T17:00:00"
    assert median(path, capsys, "--experience", str(earlier), "--empirical", f"{table}:2") == "2025-03-07T12:00:00"


def test_that_a_column_that_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken.csv").write_text("Task,Taken\na,150\n", encoding="utf-8")
    assert main(["risk", saved(tmp_path, office()), "--empirical", f"{tmp_path / 'taken.csv'}:Took"]) == 2
    assert "There is no column “Took”: there are “Task”, “Taken”" in capsys.readouterr().err
    assert main(["risk", saved(tmp_path, office()), "--experience", saved(tmp_path, office())]) == 2
    assert "no tasks are finished with actual dates" in capsys.readouterr().err
