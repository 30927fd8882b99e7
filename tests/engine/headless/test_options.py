"""Tests of `schedule --recorded` and `--option`: the plan's settings for one run, and dates as a file had them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.formats import loom
from engine.headless.cli import main
from engine.headless.options import with_options
from engine.model import Dependency, LagCalendar, PlanSettings, ProgressRule, Recorded
from tests.engine.formats.tables import HOUR, at
from tests.engine.model.strategies import office, pipeline

Capture = pytest.CaptureFixture[str]


def settings(*options: str) -> PlanSettings:
    return with_options(office(), options).settings


@pytest.mark.parametrize(
    ("option", "changes"),
    [
        ("lag_calendar=predecessor", {"lag_calendar": LagCalendar.PREDECESSOR}),
        ("lag_calendar=project", {"lag_calendar": LagCalendar.PROJECT}),
        ("lag_calendar=24h", {"lag_calendar": LagCalendar.ALWAYS}),
        ("honor=logic", {"honors_dates": False}),
        ("honor=dates", {"honors_dates": True}),
        ("progress=override", {"progress_rule": ProgressRule.PROGRESS_OVERRIDE}),
        ("critical=longest", {"is_longest_path": True}),
        ("critical=float:90", {"critical_float": 90 * 60}),
        ("critical=float:0.5", {"critical_float": 30}),
        ("status=2025-03-05", {"status": at("2025-03-05 00:00")}),
        ("status=2025-03-05T17:00", {"status": at("2025-03-05 17:00")}),
        ("from=finish", {"is_from_finish": True}),
        ("rules=msproject", {}),
    ],
)
def test_that_an_option_sets_one_of_the_plans_settings(option: str, changes: dict[str, object]) -> None:
    assert settings(option) == replace(office().settings, **changes)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["progress=override"], "Option progress changes no date"),
        (["status=2025-03-05"], "Option status changes no date"),
        (["status=2025-03-05", "progress=retained"], "Options progress and status change no date"),
        (["status=2025-03-05", "rules=p6"], ""),
        (["honor=logic"], ""),
    ],
)
def test_that_an_option_which_changes_no_date_says_so(
    options: list[str], said: str, tmp_path: Path, capsys: Capture
) -> None:
    loom.save(tmp_path / "plan.loom", office())
    given = [word for option in options for word in ("--option", option)]
    assert main(["schedule", str(tmp_path / "plan.loom"), *given]) == 0
    written = capsys.readouterr().err
    assert written.startswith(said)
    assert bool(written) == bool(said)


def test_that_a_preset_comes_before_the_options_that_change_it() -> None:
    found = settings("honor=dates", "rules=p6")
    assert (found.lag_calendar, found.moves_remaining_to_status) == (LagCalendar.PREDECESSOR, True)
    assert found.honors_dates
    assert not settings("rules=p6").honors_dates


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("color=red", "“color=red” is no option: write NAME=VALUE with one of lag_calendar, honor"),
        ("honor", "“honor” is no option"),
        ("honor=both", "“both” is no value of option honor: it is dates or logic."),
        ("critical=float:few", "it is float:MINUTES or longest."),
        ("critical=float:nan", "it is float:MINUTES or longest."),
        ("status=today", "it is a date such as 2025-03-03 or 2025-03-03T17:00."),
    ],
)
def test_that_what_is_no_option_is_said_in_one_sentence(option: str, why: str, tmp_path: Path, capsys: Capture) -> None:
    loom.save(tmp_path / "plan.loom", office())
    assert main(["schedule", str(tmp_path / "plan.loom"), "--option", option, "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert why in printed.err
    assert printed.err.count("\n") == 1


def test_that_a_device_plan_has_no_such_options() -> None:
    with pytest.raises(EngineError, match="this is a device plan"):
        with_options(pipeline(), ["honor=logic"])


def test_that_options_change_the_dates_and_not_the_file(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "plan.loom"
    loom.save(path, office())
    whole = path.read_bytes()
    critical = {}
    for option in ("critical=float:0", "critical=float:100000"):
        assert main(["schedule", str(path), "--option", option, "--json"]) == 0
        tasks = json.loads(capsys.readouterr().out)["tasks"]
        critical[option] = {task["name"] for task in tasks if task["critical"]}
    assert "Paint" not in critical["critical=float:0"]
    assert "Paint" in critical["critical=float:100000"]
    assert path.read_bytes() == whole


def test_that_recorded_dates_are_shown_when_asked_for(tmp_path: Path, capsys: Capture) -> None:
    plan = office()
    early = Recorded(at("2025-02-03 08:00"), at("2025-02-03 12:00"))
    loom.save(tmp_path / "plan.loom", plan.with_task(replace(plan.task(5), recorded=early)))
    path = str(tmp_path / "plan.loom")
    shown = {}
    for flags in ([], ["--recorded"]):
        assert main(["schedule", path, "--json", *flags]) == 0
        tasks = {task["name"]: task for task in json.loads(capsys.readouterr().out)["tasks"]}
        shown[len(flags)] = tasks["Paint"]["recorded_start"], tasks["Paint"]["recorded_finish"]
        assert tasks["Paint"]["start"] == "2025-03-03T08:00:00"
        assert tasks["Build"]["recorded_start"] is None
    assert shown == {0: (None, None), 1: ("2025-02-03T08:00:00", "2025-02-03T12:00:00")}
    assert main(["schedule", path, "--recorded"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.split() == [
        *("2025-02-03T08:00:00", "2025-02-03T12:00:00", "Paint"),
        *("(recalculated:", "2025-03-03T08:00:00", "2025-03-03T12:00:00)"),
    ]


def test_that_a_plan_with_a_cycle_opens_and_is_flagged(tmp_path: Path, capsys: Capture) -> None:
    plan = office()
    path = tmp_path / "plan.loom"
    loom.save(path, replace(plan, dependencies=(*plan.dependencies, Dependency(4, 2))))
    assert main(["schedule", str(path), "--json"]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert sorted(document["cycle"]) == [2, 3, 4]
    assert len(document["tasks"]) == len(plan.tasks)
    assert printed.err.count("\n") == 1
    assert "wait for each other; the plan was dated without the links between them." in printed.err


def test_that_early_dates_are_the_first_possible_ones(tmp_path: Path, capsys: Capture) -> None:
    loom.save(tmp_path / "plan.loom", office())
    assert main(["schedule", str(tmp_path / "plan.loom"), "--json"]) == 0
    tasks = {task["name"]: task for task in json.loads(capsys.readouterr().out)["tasks"]}
    assert tasks["Build"]["early_start"] == tasks["Build"]["start"] == "2025-03-04T08:00:00"
    assert tasks["Paint"]["total_float_minutes"] == 20 * HOUR // 60
