"""Kits in a device process: what is loaded, what a broken one says, and the example of the documentation."""

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from engine.errors import DeviceError, UntrustedKitError
from engine.kernels.kernel import TIMES
from engine.kernels.kit_file import read_kit
from engine.model import Plan
from engine.process.client import DeviceClient
from engine.process.host import Host
from engine.process.messages import RunEnded, RunRequest
from engine.program.operation import Program
from engine.runtime.kit import LoadedKernel, kernels_of
from tests.engine.program.plans import GPU, compiled, copy_in, copy_out, device_plan, empty, kernel, seeded

DOCS = Path(__file__).parents[3] / "docs" / "kits"
TOML = """
[twice]
python = "work.py:twice"
reference = "work.py:plainly"
reads = ["x"]
writes = ["y"]
split = "rows"
[twice.parameters.factor]
default = 2
minimum = 0
maximum = 9
"""
WORK = """
from beside import FACTOR

def twice(x, y, *, factor):
    y[:] = x * factor * FACTOR

def plainly(x, *, factor):
    return x * factor
"""


def kit(folder: Path, toml: str = TOML, work: str = WORK) -> Program:
    """A plan that runs the kernel of a kit in `folder`, compiled."""
    home = folder / "own"
    home.mkdir(exist_ok=True)
    (home / "kit.toml").write_text(toml)
    (home / "work.py").write_text(work)
    (home / "beside.py").write_text("FACTOR = 1\n")
    return compiled(plan_of(toml), GPU, str(folder))


def plan_of(toml: str = TOML) -> Plan:
    rows = [("load", copy_in("x"), 0), ("work", kernel("twice", ("x",), ("y",)), 0), ("store", copy_out("y"), 0)]
    plan = device_plan(rows, [(1, 2), (2, 3)], [seeded("x", (64, 8)), empty("y", (64, 8))], streams=1)
    from dataclasses import replace

    return replace(plan, kernels=read_kit(toml, "own", "kit.toml"))


async def run(program: Program, device: str = "cpu", *, is_trusted: bool = True) -> RunEnded:
    client = DeviceClient(device, Host.start)
    try:
        return await client.run(RunRequest(1, program, GPU.to_json(), is_trusted=is_trusted), lambda rows: None)
    finally:
        await client.close()


@pytest.mark.parametrize("device", ["cpu", "simulated"])
async def test_that_a_function_of_a_kit_runs_and_is_compared_with_its_reference(tmp_path: Path, device: str) -> None:
    ended = await run(kit(tmp_path), device)
    assert (ended.outcome, ended.error, ended.is_verified) == ("finished", "", True)


async def test_that_a_wrong_function_is_found_out(tmp_path: Path) -> None:
    ended = await run(kit(tmp_path, work=WORK.replace("x * factor * FACTOR", "x + factor")))
    assert (ended.outcome, ended.is_verified) == ("finished", False)


async def test_that_a_kernel_without_a_reference_is_not_called_verified(tmp_path: Path) -> None:
    ended = await run(kit(tmp_path, TOML.replace('reference = "work.py:plainly"', "")))
    assert ended.outcome == "finished"
    assert ended.is_verified is None
    assert ended.error == "The results were not compared: the kernel “twice” has no reference."


async def test_that_nothing_of_a_kit_runs_before_it_is_trusted(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    program = kit(tmp_path, work=f"open({str(mark)!r}, 'w').close()\n{WORK}")
    ended = await run(program, is_trusted=False)
    assert ended.outcome == "failed"
    assert ended.error == UntrustedKitError("plan", (str(tmp_path / "own"),)).sentence
    assert not mark.exists()
    await run(program)
    assert mark.exists()


@pytest.mark.parametrize(
    ("work", "says"),
    [
        ("def twice(:\n", "line 1: SyntaxError: "),
        ("\nimport nothing_like_this\n", "line 2: ModuleNotFoundError: "),
        ("import sys\nsys.exit(3)\n", "line 2: SystemExit: 3"),
        ("def other(): pass\n", "has no function “twice”"),
        (WORK.replace("y[:] = x *", "y[:] = x[99] *"), "line 5: IndexError: "),
        (WORK.replace("*, factor):\n    y", "*, amount):\n    y"), "work.py”, line 4: TypeError: "),
        (WORK.replace("return x * factor", "return x, x"), "gives 2 arrays, not 1"),
        (WORK.replace("return x * factor", "return 1 / 0"), "line 8: ZeroDivisionError: "),
        (
            WORK.replace("return x * factor", "return None"),
            "the reference of “twice” gives something that holds",
        ),
        (
            WORK.replace("return x * factor", "return x[:2, :2]"),
            f"gives 2 {TIMES} 2 items for the buffer “y”",
        ),
        (WORK.replace("return x * factor", "raise SystemExit(3)"), "line 8: SystemExit: 3"),
        (WORK.replace("y[:] = x *", "raise SystemExit(3)\n    y[:] = x *"), "line 5: SystemExit: 3"),
        (WORK.replace("y[:] = x *", "raise KeyboardInterrupt\n    y[:] = x *"), "line 5: KeyboardInterrupt"),
        (WORK.replace("return x * factor", "raise MemoryError"), "line 8: MemoryError"),
        (WORK.replace("return x * factor", "raise ValueError('a\\n\\x1b[31mb\\tc')"), "line 8: ValueError: a [31mb c"),
    ],
)
async def test_that_a_broken_kit_is_one_sentence_with_its_line(tmp_path: Path, work: str, says: str) -> None:
    ended = await run(kit(tmp_path, work=work))
    assert ended.outcome == "failed"
    assert says in ended.error
    assert "\n" not in ended.error


async def test_that_a_kit_that_was_edited_is_loaded_again(tmp_path: Path) -> None:
    program = kit(tmp_path)
    assert (await run(program)).is_verified
    (tmp_path / "own" / "beside.py").write_text("FACTOR = 1 + 1\n")
    assert (await run(program)).is_verified is False


def test_that_a_kit_that_says_something_else_than_the_plan_is_not_run(tmp_path: Path) -> None:
    program = kit(tmp_path)
    path = tmp_path / "own" / "kit.toml"
    path.write_text(TOML.replace('"rows"', '"none"'))
    with pytest.raises(DeviceError, match="says something else of “twice”"):
        kernels_of(program)
    path.write_text(TOML.replace("twice]", "thrice]").replace("twice.", "thrice."))
    with pytest.raises(DeviceError, match="does not declare the kernel “twice” any more"):
        kernels_of(program)
    path.unlink()
    with pytest.raises(DeviceError, match="does not exist"):
        kernels_of(program)


async def test_that_a_kernel_with_cuda_source_alone_does_not_run_on_the_processor(tmp_path: Path) -> None:
    toml = TOML.replace('python = "work.py:twice"', 'cuda = "work.cu:twice"')
    ended = await run(kit(tmp_path, toml))
    assert ended.outcome == "failed"
    assert "“twice” has only CUDA source: run it on a CUDA device, or give it a Python half." in ended.error


def test_that_parts_cover_the_rows_and_no_row_twice(tmp_path: Path) -> None:
    program = kit(tmp_path, work=WORK.replace("y[:] = x * factor", "y[:] += x * factor"))
    twice = kernels_of(program)["twice"]
    x, y = np.ones((10, 3), np.float32), np.zeros((10, 3), np.float32)
    for part in range(4):
        twice.cpu({"factor": 3.0}, [x], [y], part, 4)
    assert (y == 3).all()


@pytest.fixture
def example(tmp_path: Path) -> Callable[[str], ModuleType]:
    """The example of the documentation, in a folder of its own."""
    shutil.copytree(DOCS, tmp_path / "kits")

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, tmp_path / "kits" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


async def test_that_the_example_runs_and_is_verified(example: Callable[[str], ModuleType], tmp_path: Path) -> None:
    plan = example("plan").make_plan()
    ended = await run(compiled(plan, GPU, str(tmp_path / "kits")))
    assert (ended.outcome, ended.error, ended.is_verified) == ("finished", "", True)


def test_that_the_example_does_what_its_script_does(example: Callable[[str], ModuleType], tmp_path: Path) -> None:
    script, plan = example("script"), example("plan").make_plan()
    frame = np.random.default_rng(1).random((40, 30), np.float32)
    soft, sharp = np.empty_like(frame), np.empty_like(frame)
    kernels = {spec.name: LoadedKernel(spec, tmp_path / "kits" / spec.kit) for spec in plan.kernels}
    kernels["soften"].cpu({"radius": 2.0}, [frame], [soft], 0, 1)
    kernels["sharpen"].cpu({"amount": 0.5}, [frame, soft], [sharp], 0, 1)
    expected = script.soften(frame, 2)
    assert np.allclose(soft, expected, rtol=1e-5)
    assert np.allclose(sharp, script.sharpen(frame, expected, 0.5), rtol=1e-5)
