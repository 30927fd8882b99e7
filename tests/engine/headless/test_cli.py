"""Tests of the command line as a person uses it: a process of its own, its documents and exit codes."""

from __future__ import annotations

import itertools
import json
import sqlite3
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.formats import loom
from engine.gpu import has_driver
from engine.headless.cli import main
from engine.model import (
    Assignment,
    Buffer,
    Clock,
    Dependency,
    Fill,
    FillKind,
    OperationKind,
    OperationSpec,
    Plan,
    PlanSettings,
    Resource,
    ResourceKind,
    Task,
)
from engine.program.advice import advise
from engine.program.profile import load_profile
from tests.engine.program.planted import good, pageable
from tests.engine.schedule.test_setups import painted

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "resources" / "samples"


def warploom(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "app.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def document(*arguments: str | Path) -> Any:
    done = warploom(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def small_plan() -> Plan:
    """Four chunks of copy in, saxpy, copy out on three streams: copies and work of about equal length."""
    tasks, links, buffers, assignments = [], [], [], []
    for chunk in range(6):
        names = (f"x {chunk}", f"out {chunk}")
        buffers += [Buffer(names[0], (1 << 16,), fill=Fill(FillKind.SEED, chunk)), Buffer(names[1], (1 << 16,))]
        specs = (
            OperationSpec(OperationKind.COPY_IN, reads=(names[0],), writes=(names[0],)),
            OperationSpec(OperationKind.KERNEL, "spin", (("microseconds", 50),), (names[0],), (names[1],)),
            OperationSpec(OperationKind.COPY_OUT, reads=(names[1],), writes=(names[1],)),
        )
        for spec in specs:
            number = len(tasks) + 1
            tasks.append(Task(number, f"{spec.kind.value} {chunk}", is_duration_typed=False, operation=spec))
            assignments.append(Assignment(number, chunk % 3 + 1))
        links += [Dependency(len(tasks) - 2, len(tasks) - 1), Dependency(len(tasks) - 1, len(tasks))]
    return Plan(
        "small",
        Clock.DEVICE,
        tasks=tuple(tasks),
        dependencies=tuple(links),
        resources=tuple(Resource(n, f"Stream {n}", ResourceKind.STREAM) for n in (1, 2, 3)),
        assignments=tuple(assignments),
        buffers=tuple(buffers),
        next_task_id=len(tasks) + 1,
    )


def saved(folder: Path, plan: Plan) -> Path:
    path = folder / "plan.loom"
    loom.save(path, plan)
    return path


def test_that_schedule_prints_dates_floats_and_the_chain_that_drives() -> None:
    dates = document("schedule", SAMPLES / "software-release.loom")
    assert dates["clock"] == "calendar"
    assert dates["start"] == "2026-03-02T08:00:00"
    tasks = {task["name"]: task for task in dates["tasks"]}
    assert tasks["Write the scope"]["driving"] == [tasks["Talk to users"]["uid"]]
    assert tasks["Discover"]["summary"]
    assert tasks["Released"]["milestone"]
    assert tasks["Released"]["critical"]
    assert tasks["Released"]["total_float_minutes"] == 0
    assert dates["conflicts"] == []
    assert dates["cycle"] is None


def test_that_a_device_plan_is_dated_in_nanoseconds() -> None:
    dates = document("schedule", SAMPLES / "video-pipeline.loom")
    assert dates["clock"] == "device"
    assert all(isinstance(task["start"], int) and "total_float_ns" in task for task in dates["tasks"])
    assert dates["finish"] == max(task["finish"] for task in dates["tasks"])


def test_that_the_simulated_device_prints_the_same_document_twice(tmp_path: Path) -> None:
    path = saved(tmp_path, small_plan())
    once, again = (warploom("run", path, "--device", "simulated", "--json") for _ in range(2))
    assert once.returncode == 0, once.stderr
    assert once.stdout == again.stdout
    device = {"kind": "simulated", "name": "cpu-default (simulated)", "stamps": "simulated"}
    assert json.loads(once.stdout)["device"] == device


def test_that_a_run_names_the_profile_it_took_and_says_that_nothing_was_timed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, replace(small_plan(), settings=PlanSettings(profile="h200-like")))
    assert main(["run", str(path), "--device", "simulated"]) == 0
    assert "on h200-like (simulated), stamped by a virtual clock (nothing was timed): 18" in capsys.readouterr().out
    assert main(["run", str(path), "--device", "simulated", "--profile", "cpu-default", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["device"]["name"] == "cpu-default (simulated)"


def test_that_a_run_says_why_its_engines_stood_idle_and_what_decided_its_end(tmp_path: Path) -> None:
    run = document("run", saved(tmp_path, small_plan()), "--device", "simulated")
    metrics, engines = run["metrics"], ("copy_in", "compute", "copy_out", "host")
    sums = {
        row: sum(gap["end_ns"] - gap["start_ns"] for gap in metrics["gaps"] if gap["row"] == row) for row in engines
    }
    for row in engines:
        spans = sorted((span["start_ns"], span["end_ns"]) for span in run["spans"] if span["engine"] == row)
        busy, reach = 0, 0
        for start, end in spans:
            busy += max(0, end - max(start, reach))
            reach = max(reach, end)
        assert sums[row] == (metrics["span_ns"] - busy if spans else 0)
    assert sum(metrics["idle_ns"].values()) == sum(sums.values())
    path = metrics["critical_path"]
    known = {(span["task"], span["iteration"]): span for span in run["spans"]}
    chain = [known[each["task"], each["iteration"]] for each in path["spans"]]
    assert chain[-1]["end_ns"] == max(span["end_ns"] for span in run["spans"])
    assert sum(span["end_ns"] - span["start_ns"] for span in chain) == path["work_ns"] <= metrics["span_ns"]
    assert all(before["end_ns"] <= after["start_ns"] for before, after in itertools.pairwise(chain))


def test_that_a_run_advises_what_would_be_faster_and_says_that_the_gain_is_predicted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = PlanSettings(profile="h200-like")
    path = saved(tmp_path, replace(pageable(), settings=settings))
    assert main(["run", str(path), "--device", "simulated", "--json"]) == 0
    advice = json.loads(capsys.readouterr().out)["advice"]
    first = advise(pageable(), load_profile("h200-like"))[0]
    assert (advice[0]["kind"], advice[0]["gain_ns"], advice[0]["predicted"]) == ("memory", first.gain_ns, True)
    assert advice[0]["sentence"].startswith("Pin the memory of buffers (“raw 0” and 11 more): predicted to save ")
    assert [each["gain_ns"] for each in advice] == sorted((each["gain_ns"] for each in advice), reverse=True)
    assert main(["run", str(path), "--device", "simulated"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [advice[0]["sentence"]]
    assert main(["run", str(saved(tmp_path, replace(good(), settings=settings))), "--device", "simulated"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_that_more_streams_overlap_more(tmp_path: Path) -> None:
    path = saved(tmp_path, small_plan())
    runs = [document("run", path, "--device", "simulated", "--streams", str(n)) for n in (1, 2, 3)]
    spans = [run["metrics"]["span_ns"] for run in runs]
    hidden = [run["metrics"]["hidden_copy_pct"] for run in runs]
    assert hidden[0] == 0
    assert hidden[0] < hidden[1] < hidden[2]
    assert spans[0] > spans[1] > spans[2]
    assert len({json.dumps(run["outputs"]) for run in runs}) == 1


@pytest.mark.parametrize("device", ["cpu", "simulated"])
def test_that_every_operation_has_one_span_an_iteration_in_order(tmp_path: Path, device: str) -> None:
    plan = small_plan()
    run = document("run", saved(tmp_path, plan), "--device", device, "--repeat", "2")
    assert run["outcome"] == "finished"
    assert run["verified"] is True
    spans = {(span["task"], span["iteration"]): span for span in run["spans"]}
    assert len(run["spans"]) == len(spans) == 2 * len(plan.tasks)
    keys = [(span["start_ns"], span["task"]) for span in run["spans"]]
    assert keys == sorted(keys)
    for link in plan.dependencies:
        for iteration in (0, 1):
            first, second = spans[link.predecessor, iteration], spans[link.successor, iteration]
            assert first["end_ns"] <= second["start_ns"]
    streams = defaultdict(list)
    for span in run["spans"]:
        streams[span["stream"]].append(span)
    for row in streams.values():
        assert all(before["end_ns"] <= after["start_ns"] for before, after in pairwise(row))


def test_that_the_devices_are_listed_without_a_driver() -> None:
    listed = document("devices")["devices"]
    kinds = {device["kind"] for device in listed}
    assert {"cpu", "simulated"} <= kinds
    assert all(device["memory_bytes"] > 0 and device["engines"] for device in listed)
    assert {device["kind"]: device["stamps"] for device in listed} == {"cpu": "wall", "simulated": "simulated"}
    simulated = next(device for device in listed if device["kind"] == "simulated")
    assert simulated["name"] == "simulated from a profile"
    assert simulated["profiles"] == ["cpu-default", "h200-like"]


@pytest.mark.skipif(has_driver(), reason="there is an NVIDIA driver")
def test_that_a_gpu_that_is_not_there_is_told_in_one_sentence() -> None:
    sentence = "There is no NVIDIA driver on this machine; use --device cpu or --device simulated."
    for name in ("cuda", "cuda:1"):
        done = warploom("run", SAMPLES / "video-pipeline.loom", "--device", name)
        assert (done.returncode, done.stdout, done.stderr.rstrip()) == (2, "", sentence)
    assert {"kind": "cuda", "reason": sentence} in document("devices")["absent"]


def test_that_what_is_not_there_exits_2_with_one_sentence(tmp_path: Path) -> None:
    not_a_plan = tmp_path / "notes.loom"
    not_a_plan.write_text("milk, bread")
    cases = [
        ("run", SAMPLES / "video-pipeline.loom", "--device", "abacus"),
        ("run", SAMPLES / "software-release.loom"),
        ("run", SAMPLES / "video-pipeline.loom", "--profile", "no-such"),
        ("schedule", tmp_path / "missing.loom"),
        ("schedule", not_a_plan),
        ("metrics", SAMPLES / "software-release.loom"),
    ]
    for case in cases:
        done = warploom(*case, "--json")
        assert (done.returncode, done.stdout) == (2, ""), case
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.rstrip().endswith("."), done.stderr


def test_that_a_cycle_is_named_in_the_document_and_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan("loop", Clock.DEVICE, tasks=(Task(1, "a", 5), Task(2, "b", 5)), next_task_id=3)
    path = saved(tmp_path, replace(plan, dependencies=(Dependency(1, 2), Dependency(2, 1))))
    assert main(["schedule", str(path), "--json"]) == 2
    printed = capsys.readouterr()
    assert json.loads(printed.out)["cycle"] == [1, 2]
    assert "“a” → “b” → “a”" in printed.err


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (lambda plan: replace(plan, dependencies=plan.dependencies[1:], assignments=_spread(plan)), "copy_in 0"),
        (lambda plan: plan.with_task(replace(plan.task(2), operation=_unknown(plan))), "fold"),
    ],
    ids=["a race", "an unknown kernel"],
)
def test_that_a_plan_that_cannot_run_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: Any, sentence: str
) -> None:
    path = saved(tmp_path, fault(small_plan()))
    assert main(["run", str(path), "--device", "simulated", "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert "kernel 0" in printed.err


def test_that_a_file_without_a_buffer_it_uses_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, small_plan())
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM buffer WHERE id = 'x 0'")
    assert main(["run", str(path), "--device", "simulated"]) == 2
    assert "“copy_in 0” uses buffer “x 0”, which is not in the plan." in capsys.readouterr().err


def _spread(plan: Plan) -> tuple[Assignment, ...]:
    """The first copy on a stream of its own, so that nothing orders it before the kernel."""
    return (Assignment(1, 2), *plan.assignments[1:])


def _unknown(plan: Plan) -> OperationSpec:
    spec = plan.task(2).operation
    assert spec is not None
    return replace(spec, kernel="fold")


def test_that_what_breaks_a_shop_floor_is_printed_among_the_conflicts(tmp_path: Path) -> None:
    dates = document("schedule", saved(tmp_path, painted(Dependency(1, 2), Dependency(2, 3))))
    assert [(each["task"], each["kind"], each["chain"]) for each in dates["conflicts"]] == [
        (1, "set-up", [1]),
        (2, "set-up", [1, 2]),
    ]
