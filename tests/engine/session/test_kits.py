"""Taking a kit in: as an edit, from a folder beside the plan."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import CompileError, FormatError, PlanError, UntrustedKitError
from engine.model import KernelSpec, Plan
from engine.process.client import DeviceClient
from engine.program.profile import load_profile
from engine.schedule.cpm import schedule
from engine.session.edits import TakeKit
from engine.session.jobs import RunJob, RunOptions
from engine.session.kits import taking
from engine.session.state import State
from tests.engine.program.plans import copy_in, device_plan, kernel, seeded
from tests.engine.session.test_jobs import Paper

TOML = '[twice]\npython = "work.py:twice"\nreads = ["x"]\nwrites = ["y"]\n'
TWICE = KernelSpec("twice", "own", ("x",), ("y",), python="work.py:twice")


def using() -> Plan:
    rows = [("load", copy_in("x"), 0), ("work", kernel("twice", ("x",), ("y",)), 0)]
    plan = device_plan(rows, [(1, 2)], [seeded("x"), seeded("y")], streams=1)
    return replace(plan, kernels=(TWICE,))


def test_that_a_kit_is_taken_in_from_its_folder_or_its_file(tmp_path: Path) -> None:
    home = tmp_path / "own"
    home.mkdir()
    (home / "kit.toml").write_text(TOML)
    assert taking(str(tmp_path), str(home)) == TakeKit("own", (TWICE,))
    assert taking(str(tmp_path), str(home / "kit.toml")) == TakeKit("own", (TWICE,))


def test_that_a_kit_must_lie_beneath_the_folder_of_the_plan(tmp_path: Path) -> None:
    for name in ("plans", "kit"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kit.toml").write_text(TOML)
    with pytest.raises(FormatError, match="must lie in a folder of its own beneath"):
        taking(str(tmp_path / "plans"), str(tmp_path / "kit"))
    with pytest.raises(FormatError, match="must lie in a folder of its own beneath"):
        taking(str(tmp_path / "plans"), str(tmp_path / "plans"))
    with pytest.raises(FormatError, match="Save the plan first"):
        taking("", str(tmp_path / "kit"))


def test_that_a_folder_without_a_kit_is_named(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    with pytest.raises(FormatError, match=r"own/kit\.toml” cannot be read"):
        taking(str(tmp_path), str(tmp_path / "own"))
    (tmp_path / "own" / "kit.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match="cannot be read"):
        taking(str(tmp_path), str(tmp_path / "own"))


def test_that_a_kit_read_again_replaces_what_the_plan_knew_of_it() -> None:
    plan = using()
    changed = TakeKit("own", (replace(TWICE, summary="Doubles"),)).apply(plan)
    assert [each.summary for each in changed.kernels] == ["Doubles"]
    assert TakeKit("own", plan.kernels).apply(plan) is plan


def test_that_a_kernel_that_is_used_does_not_go() -> None:
    with pytest.raises(PlanError, match="“work” runs the kernel “twice”, which would go") as caught:
        TakeKit("own", ()).apply(using())
    assert caught.value.ids == (2,)


def test_that_two_kits_cannot_have_a_kernel_of_one_name() -> None:
    with pytest.raises(PlanError, match="The kit “own” has a kernel named “twice” already"):
        TakeKit("other", (replace(TWICE, kit="other"),)).apply(using())


def paper(folder: str) -> Paper:
    plan = using()
    return Paper(State(plan, schedule(plan)), load_profile("cpu-default"), folder)


def test_that_a_run_is_not_made_before_its_kits_are_trusted(tmp_path: Path) -> None:
    with pytest.raises(UntrustedKitError) as caught:
        RunJob(paper(str(tmp_path)), DeviceClient("cpu"), RunOptions())
    assert caught.value.folders == (str(tmp_path / "own"),)
    asked: list[str] = []
    RunJob(paper(str(tmp_path)), DeviceClient("cpu"), RunOptions(trusts=lambda folder: not asked.append(folder)))
    assert asked == [str(tmp_path / "own")]


def test_that_a_plan_without_a_file_has_no_kits_to_run() -> None:
    with pytest.raises(CompileError, match="save it first"):
        RunJob(paper(""), DeviceClient("cpu"), RunOptions(trusts=lambda _: True))
