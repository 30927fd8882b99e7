"""The CUDA source of a simulation, compiled as C++ and run here, gives the very samples of the compiled blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.errors import DeviceError
from engine.program.launcher import Grid, Source
from engine.risk.batch import DeviceSimulation
from engine.risk.program import RiskProgram, compile_risk
from engine.risk.simulate import Simulation
from engine.schedule.cpm import schedule
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.engine.model.strategies import pipeline
from tests.engine.risk.plans import certain, drawn
from tests.shim_launcher import ShimLauncher

pytestmark = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    return Shim(build(tmp_path_factory.mktemp("risk")))


@pytest.fixture(scope="module")
def launcher(shim: Shim) -> ShimLauncher:
    return ShimLauncher(shim)


def compare(program: RiskProgram, launcher: ShimLauncher) -> None:
    here, there = Simulation(program), DeviceSimulation(program, launcher)
    here.advance(128)
    parts = there.advance(100), there.advance(28)
    found = here.samples()
    assert np.concatenate([finishes for finishes, _ in parts], axis=1).tolist() == found.finishes.tolist()
    on_path = parts[0][1] + parts[1][1]
    assert on_path[: len(program.plan.tasks)].tolist() == found.on_path.tolist()


@pytest.mark.parametrize("seed", range(40))
def test_that_the_cuda_source_gives_the_samples_of_the_blocks(launcher: ShimLauncher, seed: int) -> None:
    plan = drawn(seed)
    compare(compile_risk(plan, schedule(plan), seed), launcher)


def test_that_plans_with_nothing_open_are_their_schedules_there(launcher: ShimLauncher) -> None:
    for plan in (pipeline(), certain(drawn(2))):
        dates = schedule(plan)
        simulation = DeviceSimulation(compile_risk(plan, dates), launcher, wants_paths=False)
        assert simulation.advance(2)[0][0].tolist() == [dates.project_finish] * 2


class Failing(ShimLauncher):
    """Its second launch fails, and each after that."""

    def launch(self, source: Source, grid: Grid, arrays: Sequence[np.ndarray], scalars: Sequence[int]) -> None:
        if self.grids:
            raise DeviceError("The GPU is gone.")
        super().launch(source, grid, arrays, scalars)


def test_that_a_simulation_goes_on_on_a_device_with_the_same_samples(launcher: ShimLauncher) -> None:
    plan = drawn(5)
    program = compile_risk(plan, schedule(plan), 5)
    here, there = Simulation(program), Simulation(program, launcher=launcher)
    here.advance(2304)
    grids = len(launcher.grids)
    for more in (64, 2112, 128):
        there.advance(more)
    assert len(launcher.grids) == grids + 2
    assert_equal(here, there)
    assert there.setback == ""


def test_that_the_processor_draws_on_where_a_device_fails(shim: Shim) -> None:
    plan = drawn(6)
    program = compile_risk(plan, schedule(plan), 6)
    here, there = Simulation(program), Simulation(program, launcher=Failing(shim))
    here.advance(2304)
    for more in (2048, 128, 128):
        there.advance(more)
    assert_equal(here, there)
    assert there.setback == "The GPU is gone."


def assert_equal(here: Simulation, there: Simulation) -> None:
    one, other = here.samples(), there.samples()
    assert one.count == other.count == one.counted == other.counted
    assert one.finishes.tolist() == other.finishes.tolist()
    assert one.on_path.tolist() == other.on_path.tolist()
    assert one.row_finishes().tolist() == other.row_finishes().tolist()
