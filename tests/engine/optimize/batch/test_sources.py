"""That the stand-in for a warp notices what a GPU would not forgive, on sources with a fault planted."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine.optimize.batch.listing import CpuLists
from engine.optimize.batch.lists import DeviceLists
from tests.batches import AIM, BATCHES, random_lists
from tests.conftest import ROOT
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build, sources
from tests.engine.optimize.instances import random_project
from tests.shim_launcher import ShimLauncher

pytestmark = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)
PLACED = "            __syncwarp();\n        }\n"
ASK = """
import sys
from pathlib import Path
from tests.batches import BATCHES
from tests.cuda_shim import Shim
from tests.shim_launcher import ShimLauncher
BATCHES["sgs"](ShimLauncher(Shim(Path(sys.argv[1]))))
"""


def planted(folder: Path, whole: str, broken: str) -> Path:
    source = sources()["sgs"]
    assert source.count(whole) == 1
    return build(folder, changed={"sgs": source.replace(whole, broken)})


@pytest.mark.parametrize("name", BATCHES)
def test_that_a_source_gives_what_plain_python_does(shim: Shim, name: str) -> None:
    assert BATCHES[name](ShimLauncher(shim))


def test_that_every_source_has_a_batch() -> None:
    assert {path.stem for path in (ROOT / "engine" / "optimize").rglob("*.cu")} == set(BATCHES)


def test_that_lanes_which_do_not_wait_for_one_another_are_wrong_every_time(tmp_path: Path) -> None:
    launcher = ShimLauncher(Shim(planted(tmp_path, PLACED, "        }\n")))
    problem = random_project(30, seed=2)
    lists = random_lists(problem, 12, seed=1)
    wanted = CpuLists(problem, AIM).decode(lists).tolist()
    for _ in range(3):
        assert DeviceLists(problem, AIM, launcher, 12).decode(lists).tolist() != wanted


def test_that_a_barrier_which_some_lanes_leave_out_ends_the_process(tmp_path: Path) -> None:
    library = planted(tmp_path, PLACED, "            if (lane != 7) __syncwarp();\n        }\n")
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(library)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode < 0
    assert "not all threads reach" in done.stderr
